import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf, isLostConnection, isReplacedRelation, sqlState, Unanswered } from './failure.js';

/** Retries after a serialization failure, a deadlock, or the replacement of a relation. */
const maxConflictRetries = 3;

/** Runs `work` again after failures that other clients or the network caused: conflicts up to 3 times, a lost connection once. */
export async function withRetries<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let hasLostConnection = false;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict =
        (['40001', '40P01'].includes(sqlState(error) ?? '') || isReplacedRelation(error)) &&
        attempt < maxConflictRetries;
      const isLost: boolean = isLostConnection(error) && !(error instanceof Unanswered) && !hasLostConnection;
      if (signal?.aborted || !(isConflict || isLost)) throw failureOf(error, signal);
      hasLostConnection ||= isLost;
      await sleep(Math.random() * 50 * 2 ** attempt);
    }
  }
}
