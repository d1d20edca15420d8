/** Thread of the embedded database: serves PGlite with PostGIS on a Unix socket until it receives `stop`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { waitForLock } from '../lock.js';
import { refuser } from './culprits.js';
import {
  type Interrupts,
  interruptible,
  runningText,
  sharedStatementIn,
  statementWatch,
} from './interrupts.js';
import { openPglite } from './open.js';
import { startRenewal } from './renewal.js';
import { startUpkeep } from './upkeep.js';
import { startupMessage } from './wire/messages.js';
import { type EmbeddedEngine, serveWire, type WireServer } from './wire/wire-server.js';

/** First message of the server. */
export interface EmbeddedOrder {
  /** PGlite's folder; it exists. */
  databaseFolder: string;
  socketFolder: string;
  extensionFolder: string;
  /** Limit of a statement where the client sets none, ms. */
  statementLimitMs: number;
  /** Memory from which an idle engine asks for another process. */
  memoryLimitBytes: number;
}

/** Second message of the server: no other process uses the folder any more. The engine prepares all else before. */
export interface OpenOrder {
  /** Patterns of statements that are refused, and until when, ms since 1970. */
  refused: [pattern: string, until: number][];
}

/**
 * `culprit`: statement that was running when the engine failed. `late`: whether a cancelled statement still runs, so that the process may
 * have to be ended soon. `large`: whether the process is to be replaced because of its memory.
 */
export type EngineReport =
  | { ready: true }
  | { failed: string; culprit?: string }
  | { warning: string }
  | { late: boolean }
  | { large: boolean };
/** Includes the report to the watching thread. */
export type ThreadReport = EngineReport | { interrupts: Interrupts };

/** Longest wait for the process of a killed server to end, ms. */
const lockTimeoutMs = 15_000;
/** Longest silence of a transaction while others wait for it, ms. */
const silenceLimitMs = 120_000;

const report = (message: ThreadReport): void => parentPort?.postMessage(message);

/** Resolves when the server permits to open the folder, and the process before has released its lock. */
async function permission({ socketFolder }: EmbeddedOrder): Promise<OpenOrder> {
  const order = await new Promise<OpenOrder>((resolve) => {
    parentPort?.on('message', (message) => message !== 'stop' && resolve(message));
  });
  await waitForLock(socketFolder, 'db', lockTimeoutMs);
  return order;
}

async function run(order: EmbeddedOrder, shared: SharedArrayBuffer): Promise<void> {
  let interrupts: Interrupts | undefined;
  const interruptOptions = interruptible((found) => {
    interrupts = found;
    report({ interrupts: found });
  });
  const signs: string[] = [];
  const mayOpen = permission(order);
  const opening = openPglite(order.databaseFolder, order.extensionFolder, {
    interrupts: interruptOptions,
    onDamage: (line) => void signs.push(line),
    mayOpen,
  });
  const [{ refused }, pg] = await Promise.all([mayOpen, opening]);
  const statement = sharedStatementIn(shared);
  const watch = statementWatch(statement, () => interrupts);
  let server: WireServer | undefined;
  const fail = (error: unknown): never => {
    const failed = `the engine failed: ${(error as Error)?.stack ?? error}`;
    report({ failed, culprit: runningText(statement) });
    server?.breakOff();
    process.exit(70);
  };
  repairErrorHandling(pg, fail);
  const path = join(order.socketFolder, '.s.PGSQL.5432');
  rmSync(path, { force: true });
  const engine = await engineOf(pg, { damage: () => signs[0], fail });
  const refuses = refuser(refused);
  const { statementLimitMs } = order;
  server = await serveWire({ path, engine, watch, statementLimitMs, silenceLimitMs, refuses });
  const warn = (warning: string): void => report({ warning });
  const endUpkeep = startUpkeep(pg, server, warn);
  const end = async (): Promise<never> => {
    await pg.close();
    process.exit(0);
  };
  const renewal = startRenewal({
    ...{ server, end, warn },
    memoryBytes: interruptOptions.memoryBytes,
    limitBytes: order.memoryLimitBytes,
    report: (large) => report({ large }),
  });
  parentPort?.on('message', async (message) => {
    if (message === 'renew') return renewal.renew();
    if (message !== 'stop') return;
    renewal.stop();
    endUpkeep();
    await server?.close();
    await end();
  });
  report({ ready: true });
}

/** PGlite as the engine of the socket. */
async function engineOf(pg: PGlite, ends: Pick<EmbeddedEngine, 'damage' | 'fail'>): Promise<EmbeddedEngine> {
  const greeting = await pg.execProtocolRaw(startupMessage({ user: 'postgres', database: 'postgres' }));
  return {
    ...ends,
    greeting: Buffer.from(greeting),
    // It runs synchronously. The promise rejects only after failures that the engine does not survive.
    execute: (messages, write) => {
      pg.execProtocolRawStream(messages, { onRawData: write, syncToFs: false }).catch(ends.fail);
    },
    isInTransaction: () => pg.isInTransaction(),
  };
}

interface PgliteModule {
  _PostgresMainLoopOnce(): void;
  _pgl_getPGliteExitStatus(): number;
  ___stack_pointer: { value: number };
}

/** Status with which the engine leaves its loop after an ordinary error of a statement. */
const ordinaryError = 100;

/**
 * Corrects how PGlite 0.5.8 leaves its loop after an error. It does not unwind the stack, so that after some thousand errors every
 * statement fails or memory is overwritten. And it continues after a trap or an exhausted stack, although its memory may be damaged
 * then: here that ends the process, which recovers from the write-ahead log.
 */
function repairErrorHandling(pg: PGlite, end: (error: unknown) => never): void {
  const module = pg.Module as unknown as PgliteModule;
  const loop = module._PostgresMainLoopOnce;
  const top = module.___stack_pointer.value;
  module._PostgresMainLoopOnce = () => {
    try {
      loop();
    } catch (error) {
      if (error !== 'unwind' || module._pgl_getPGliteExitStatus() !== ordinaryError) end(error);
      module.___stack_pointer.value = top;
      throw error;
    }
  };
}

const { order, shared } = workerData as { order: EmbeddedOrder; shared: SharedArrayBuffer };
await run(order, shared);
