/**
 * The embedded database's process. PGlite runs in a thread of its own (`embedded-engine.ts`), for two reasons: only a
 * thread can be given a stack that is large enough for it, and someone must look up while a statement runs. This one
 * cancels a statement that runs for longer than it may, or whose client asks for it. It ends the process when the server that started it is gone, or
 * when a statement does not stop for all that: what was committed is safe, and the server starts it again.
 */
import { Worker } from 'node:worker_threads';
import { leaveSignalsToParent } from '../signals.js';
import { takeCancels } from './embedded-cancel.js';
import type { EngineOrder, EngineReport, ThreadReport } from './embedded-engine.js';
import {
  type Interrupts,
  overseenIn,
  overseenSize,
  runningText,
  stopStatementOf,
  stopWhenLate,
} from './embedded-interrupts.js';

/** MiB. With the usual 4, an expression of 5,000 terms overflows it, from which the engine cannot recover. */
const stackSize = 64;
/** ms between two looks. */
const period = 200;
/** ms after which a statement that was cancelled and still runs is ended with the process. */
const patience = 3_000;

function run(order: EngineOrder): void {
  const parent = process.ppid;
  const overseen = new SharedArrayBuffer(overseenSize);
  const statement = overseenIn(overseen);
  let interrupts: Interrupts | undefined;
  let isEnding = false;
  const engine = new Worker(new URL('./embedded-engine.js', import.meta.url), {
    workerData: { order, overseen },
    resourceLimits: { stackSizeMb: stackSize },
  });
  engine.on('message', (report: ThreadReport) => {
    if ('interrupts' in report) interrupts = report.interrupts;
    else process.send?.(report);
  });
  engine.on('error', (error) => process.send?.({ failed: error.message } satisfies EngineReport));
  engine.on('exit', (code) => process.exit(code));
  process.on('message', (message) => engine.postMessage(message));
  takeCancels(order.socketFolder, (connection) => stopStatementOf(connection, statement, interrupts));

  setInterval(() => {
    const late = stopWhenLate(statement, interrupts);
    if (process.ppid !== parent) killSelf();
    else if (late > patience && !isEnding) {
      isEnding = true;
      const failed = 'a statement did not stop when it was cancelled';
      process.send?.({ failed, culprit: runningText(statement) } satisfies EngineReport, killSelf);
    }
  }, period);
}

const killSelf = (): void => void process.kill(process.pid, 'SIGKILL');

leaveSignalsToParent();
process.on('disconnect', killSelf);
process.once('message', (order: EngineOrder) => run(order));
