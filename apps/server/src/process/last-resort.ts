import type { Log } from '@cartulary/runtime';

/**
 * Logs uncaught errors, such as an error event without a listener, and keeps the process running. Such an
 * error affects one request, stream or connection. Shared state is validated by versions and snapshots, and
 * everything that waits has a timeout (decision 36).
 */
export function logUncaughtErrors(log: Log): void {
  process.on('uncaughtException', (error, origin) =>
    log.error({ err: error, origin }, 'an error that nobody waited for'),
  );
}
