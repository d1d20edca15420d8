import { constants } from 'node:os';

/**
 * Runs work that Ctrl-C or SIGTERM interrupts: the signal is aborted, and the work reports its state. A
 * second Ctrl-C ends the process at once.
 */
export async function withInterrupt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(128 + constants.signals[name]);
    controller.abort(new Error('interrupted'));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
