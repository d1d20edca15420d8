import { threadsSettled } from '@cartulary/runtime';
import type { Config } from '../config.js';

/** A process that can be stopped. */
interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Time limits of a shutdown, ms after the service was asked to stop. Until `stopTimeMs` running requests may finish. However short that is,
 * the last statements and the database are given the time that they need to end in order on a slow machine.
 */
export const stopTimes = ({ stopTimeMs }: Pick<Config, 'stopTimeMs'>) => ({
  /** Requests and jobs that still run end with `busy`. */
  workMs: stopTimeMs,
  /** Open connections are cut. */
  connectionsMs: stopTimeMs + 1_000,
  /** Jobs that were stopped have removed their temporary files; the next start removes the rest. */
  filesMs: Math.max(stopTimeMs + 1_500, 7_500),
  /** A worker of several exits. */
  servingMs: Math.max(stopTimeMs + 2_000, 8_500),
  /** The whole service exits. */
  serviceMs: Math.max(stopTimeMs + 3_000, 9_500),
});

/** Resolves with the first signal to stop. A second signal ends the process at once. */
export const askedToStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });

export interface Lifetime<T extends Stoppable> {
  start(): Promise<T>;
  /** Called after the start. */
  started(running: T): void;
  asked: Promise<void>;
  /** Called when the shutdown begins. */
  stopping?(): void;
  /** Longest time of the shutdown; then the process exits with status 1. */
  shutdownTimeoutMs: number;
}

/** Starts the process, waits for the request to stop, finishes running work and exits. Rejects when the start fails. */
export async function liveUntilAsked<T extends Stoppable>(life: Lifetime<T>): Promise<void> {
  const { start, asked, shutdownTimeoutMs } = life;
  const starting = start();
  const running = await Promise.race([starting, asked.then(() => undefined)]);
  if (!running)
    return stopWithin(shutdownTimeoutMs, async () => (await starting.catch(() => undefined))?.stop());
  life.started(running);
  await asked;
  life.stopping?.();
  await stopWithin(shutdownTimeoutMs, running.stop);
}

/** Exits after `stop`, or after the timeout. */
async function stopWithin(timeoutMs: number, stop: () => Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => process.exit(1), timeoutMs);
  await stop();
  await threadsSettled();
  clearTimeout(timer);
  process.exit(0);
}
