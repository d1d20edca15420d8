/**
 * A thread beside the embedded database, which cannot look up while a statement runs. It ends the whole process when
 * the server that started it is gone, or when a statement has run for longer than it may: the engine can neither be
 * asked to stop nor see its timers. What was committed is safe; the server starts the process again.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import type { Watch } from './wire-server.js';

interface Shared {
  parent: number;
  /** One number: when the running statement must have ended, ms since 1970; 0 while none runs or it has no limit. */
  deadline: Float64Array;
}

/** ms between two looks. */
const period = 200;

/** Starts the thread; what it gives is told of each statement. */
export function startGuard(parent: number): Watch {
  const deadline = new Float64Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL(import.meta.url), { workerData: { parent, deadline } satisfies Shared });
  worker.unref();
  return {
    begin: (limit) => {
      deadline[0] = limit > 0 ? Date.now() + limit : 0;
    },
    end: () => {
      deadline[0] = 0;
    },
  };
}

function look({ parent, deadline }: Shared): void {
  // Read once: it may be set to 0 between two reads.
  const end = deadline[0]!;
  const isLate = end > 0 && Date.now() > end;
  if (isLate || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}

if (!isMainThread) setInterval(look, period, workerData as Shared);
