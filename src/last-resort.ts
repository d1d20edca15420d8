import type { Log } from './http/service.js';

/**
 * From here on an error that nobody waited for, such as that of an event without a listener, is logged as a fault of ours and the process goes
 * on. What it had to do with is one request, stream or connection, and that is all that is left undone: what requests share is
 * read anew by versions and snapshots, and everything that waits has a limit of its own (decision 36).
 */
export function surviveErrors(log: Log): void {
  process.on('uncaughtException', (error, origin) =>
    log.error({ err: error, origin }, 'an error that nobody waited for'),
  );
}
