/**
 * The embedded database's process. PGlite runs in a thread of its own (`embedded-engine.ts`), for two reasons: only a
 * thread can be given a stack that is large enough for it, and someone must look up while a statement runs. This one
 * ends the process when the server that started it is gone, or when a statement runs for longer than it may: the
 * engine can neither be asked to stop nor see its timers. What was committed is safe, and the server starts it again.
 */
import { Worker } from 'node:worker_threads';
import type { EngineOrder, EngineReport } from './embedded-engine.js';

/** MiB. With the usual 4, an expression of 5,000 terms overflows it, from which the engine cannot recover. */
const stackSize = 64;
/** ms between two looks. */
const period = 200;

function run(order: EngineOrder): void {
  const parent = process.ppid;
  const deadline = new Float64Array(new SharedArrayBuffer(8));
  const engine = new Worker(new URL('./embedded-engine.js', import.meta.url), {
    workerData: { order, deadline },
    resourceLimits: { stackSizeMb: stackSize },
  });
  engine.on('message', (report: EngineReport) => process.send?.(report));
  engine.on('error', (error) => process.send?.({ failed: error.message } satisfies EngineReport));
  engine.on('exit', (code) => process.exit(code));
  process.on('message', (message) => engine.postMessage(message));

  setInterval(() => {
    // Read once: the other thread may set it to 0 between two reads.
    const end = deadline[0]!;
    const isLate = end > 0 && Date.now() > end;
    if (isLate || process.ppid !== parent) killSelf();
  }, period);
}

const killSelf = (): void => void process.kill(process.pid, 'SIGKILL');

// A terminal's Ctrl-C and a service manager's stop reach all processes: the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', killSelf);
process.once('message', (order: EngineOrder) => run(order));
