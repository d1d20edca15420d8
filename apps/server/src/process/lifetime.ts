import type { Config } from './config.js';
import { quiet } from './threads.js';

/** What a process starts, and ends when it is asked to. */
interface Stoppable {
  stop(): Promise<void>;
}

/** What happens how long after the service was asked to stop, ms. `stopTime`: until then what runs may finish. */
export const stopTimes = ({ stopTime }: Pick<Config, 'stopTime'>) => ({
  /** What still runs is ended with `busy`. */
  work: stopTime,
  /** Connections that are left are cut. */
  connections: stopTime + 1_000,
  /** A process that serves beside others ends. */
  serving: stopTime + 2_000,
  /** The whole service ends. */
  service: stopTime + 3_000,
});

/** Resolves when the process is asked to end. A second signal ends it at once. */
export const askedToStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });

export interface Lifetime<T extends Stoppable> {
  start(): Promise<T>;
  /** What is said and done when it has started. */
  started(running: T): void;
  asked: Promise<void>;
  /** Told when it begins to stop. */
  stopping?(): void;
  /** How long it may take to end, ms. */
  patience: number;
}

/** Starts, waits until it is asked to end, finishes what runs and ends the process. Rejects when the start fails. */
export async function liveUntilAsked<T extends Stoppable>(life: Lifetime<T>): Promise<void> {
  const { start, asked, patience } = life;
  const starting = start();
  const running = await Promise.race([starting, asked.then(() => undefined)]);
  if (!running) return stopWithin(patience, async () => (await starting.catch(() => undefined))?.stop());
  life.started(running);
  await asked;
  life.stopping?.();
  await stopWithin(patience, running.stop);
}

/** Ends the process after `stop`, at the latest when patience is over. */
async function stopWithin(patience: number, stop: () => Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => process.exit(1), patience);
  await stop();
  await quiet();
  clearTimeout(timer);
  process.exit(0);
}
