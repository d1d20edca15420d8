/**
 * The process of the embedded database. PGlite runs in a thread (`engine.ts`): only a thread can have a stack that is large enough,
 * and the main thread must stay responsive while a statement runs. The main thread cancels statements after their limit or on request.
 * It ends the process when the server is gone, or when a statement does not stop: commits are durable, and the server restarts it.
 */

import { Worker } from 'node:worker_threads';
import { leaveSignalsToParent } from '@cartulary/runtime';
import type { EmbeddedOrder, EngineReport, OpenOrder, ThreadReport } from './engine.js';
import {
  type Interrupts,
  interruptConnection,
  interruptLate,
  runningText,
  type SharedStatement,
  sharedStatementBytes,
  sharedStatementIn,
} from './interrupts.js';
import { serveCancelRequests } from './wire/cancel.js';

/** With the default of 4 MiB, an expression of 5,000 terms overflows the stack, from which the engine cannot recover. */
const stackSizeMb = 64;
const checkPeriodMs = 200;
/** Delay after which a late statement is reported to the server, ms: most stop at once. */
const reportAfterMs = 500;
/** Limits of a cancelled statement, after which its process is ended: processor time and wall-clock time, ms. */
const stopLimits = { cpuMs: 3_000, wallMs: 8_000 };

/** Runs the engine's thread, and watches it. */
function run(order: EmbeddedOrder): void {
  const parent = process.ppid;
  const shared = new SharedArrayBuffer(sharedStatementBytes);
  const statement = sharedStatementIn(shared);
  let interrupts: Interrupts | undefined;
  const engine = new Worker(new URL('./engine.js', import.meta.url), {
    workerData: { order, shared },
    resourceLimits: { stackSizeMb },
  });
  engine.on('message', (report: ThreadReport) => {
    if ('interrupts' in report) interrupts = report.interrupts;
    else process.send?.(report);
  });
  engine.on('error', (error) => process.send?.({ failed: error.message } satisfies EngineReport));
  engine.on('exit', (code) => process.exit(code));
  process.on('message', (message: OpenOrder | 'stop' | 'renew') => {
    if (typeof message !== 'string')
      serveCancelRequests(order.socketFolder, (connection) =>
        interruptConnection(connection, statement, interrupts),
      );
    engine.postMessage(message);
  });

  watch(statement, parent, () => interrupts);
}

/** Interrupts late statements, and ends the process where that does not help or the server (`parent`) is gone. */
function watch(statement: SharedStatement, parent: number, interrupts: () => Interrupts | undefined): void {
  let isEnding = false;
  let isLate = false;
  let usageAtDeadline: NodeJS.CpuUsage | undefined;
  setInterval(() => {
    const lateMs = interruptLate(statement, interrupts());
    if (isLate !== lateMs > reportAfterMs) {
      isLate = !isLate;
      process.send?.({ late: isLate } satisfies EngineReport);
    }
    usageAtDeadline = lateMs > 0 ? (usageAtDeadline ?? process.cpuUsage()) : undefined;
    // On a busy machine even a statement that stops takes long by the clock, and a restart would take longer.
    const cpuMs = usageAtDeadline ? process.cpuUsage(usageAtDeadline).user / 1_000 : 0;
    if (process.ppid !== parent) killSelf();
    else if ((cpuMs > stopLimits.cpuMs || lateMs > stopLimits.wallMs) && !isEnding) {
      isEnding = true;
      const failed = 'a statement did not stop when it was cancelled';
      process.send?.({ failed, culprit: runningText(statement) } satisfies EngineReport, killSelf);
    }
  }, checkPeriodMs);
}

const killSelf = (): void => void process.kill(process.pid, 'SIGKILL');

leaveSignalsToParent();
process.on('disconnect', killSelf);
process.once('message', (order: EmbeddedOrder) => run(order));
