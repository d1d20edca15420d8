import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf, isLostConnection, isReplacedRelation, sqlState, Unanswered } from './failure.js';

/** Retries after a conflict with another client. */
const maxConflictRetries = 3;
/** Retries after a lost connection: a statement of another client may end the embedded database more than once. */
const maxLosses = 3;

/** How often work runs again after an error: 0 unless another client caused it. */
function retriesAfter(error: unknown): number {
  const state = sqlState(error) ?? '';
  // A serialization failure, a deadlock.
  if (['40001', '40P01'].includes(state) || isReplacedRelation(error)) return maxConflictRetries;
  // undefined_table: it may have been deleted after the statement found its name. If the statement names it itself, it fails again.
  return state === '42P01' ? 1 : 0;
}

/** Runs `work` again after failures that other clients or the network caused: conflicts and a lost connection up to 3 times. */
export async function withRetries<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let losses = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = attempt < retriesAfter(error);
      const isLost: boolean = isLostConnection(error) && !(error instanceof Unanswered) && losses < maxLosses;
      if (signal?.aborted || !(isConflict || isLost)) throw failureOf(error, signal);
      if (isLost) losses += 1;
      await sleep(Math.random() * 50 * 2 ** attempt);
    }
  }
}
