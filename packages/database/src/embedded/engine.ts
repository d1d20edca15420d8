/** The thread of the embedded database: PGlite with PostGIS behind a Unix socket, until it is told to stop. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { refuser } from './culprits.js';
import { type Interrupts, interruptible, overseenIn, runningText, watchOf } from './embedded-interrupts.js';
import { openPglite } from './embedded-open.js';
import { waitForLock } from './lock.js';
import { startUpkeep } from './upkeep.js';
import { startupMessage } from './wire.js';
import { type Engine, serveWire, type WireServer } from './wire-server.js';

/** What the server says, once. */
export interface EngineOrder {
  /** PGlite's own folder, made before. */
  databaseFolder: string;
  socketFolder: string;
  extensionFolder: string;
  /** ms for one statement of a connection that does not say its own. */
  statementLimit: number;
  /** Kinds of statements that are not run, and until when, ms since 1970. */
  refused: [kind: string, until: number][];
}

/** `culprit`: the statement that was running when the engine failed. */
export type EngineReport = { ready: true } | { failed: string; culprit?: string } | { warning: string };
/** Also what is meant for the thread that watches this one. */
export type ThreadReport = EngineReport | { interrupts: Interrupts };

/** How long the process of a server that was killed may still be there, ms. */
const patience = 15_000;
/** How long a transaction may be silent while others wait for it, ms. */
const silenceLimit = 120_000;

const report = (message: ThreadReport): void => parentPort?.postMessage(message);

async function run(order: EngineOrder, overseen: SharedArrayBuffer): Promise<void> {
  await waitForLock(order.socketFolder, 'db', patience);
  let interrupts: Interrupts | undefined;
  const ways = interruptible((found) => {
    interrupts = found;
    report({ interrupts: found });
  });
  const signs: string[] = [];
  const damaged = (line: string): void => void signs.push(line);
  const pg = await openPglite(order.databaseFolder, order.extensionFolder, { interrupts: ways, damaged });
  const shared = overseenIn(overseen);
  const watch = watchOf(shared, () => interrupts);
  let server: WireServer | undefined;
  const fail = (error: unknown): never => {
    const failed = `the engine failed: ${(error as Error)?.stack ?? error}`;
    report({ failed, culprit: runningText(shared) });
    server?.breakOff();
    process.exit(70);
  };
  mendErrors(pg, fail);
  const path = join(order.socketFolder, '.s.PGSQL.5432');
  rmSync(path, { force: true });
  const engine = await engineOf(pg, { damage: () => signs[0], fail });
  const refuses = refuser(order.refused);
  const { statementLimit } = order;
  server = await serveWire({ path, engine, watch, statementLimit, silenceLimit, refuses });
  const endUpkeep = startUpkeep(pg, server, (warning) => report({ warning }));

  parentPort?.on('message', async (message) => {
    if (message !== 'stop') return;
    endUpkeep();
    await server?.close();
    await pg.close();
    process.exit(0);
  });
  report({ ready: true });
}

/** PGlite as the socket's engine. */
async function engineOf(pg: PGlite, ends: Pick<Engine, 'damage' | 'fail'>): Promise<Engine> {
  const greeting = await pg.execProtocolRaw(startupMessage({ user: 'postgres', database: 'postgres' }));
  return {
    ...ends,
    greeting: Buffer.from(greeting),
    // It is done when the call is back: the promise only tells of what it cannot go on from.
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

/** The status with which the engine leaves its loop for an ordinary error of a statement. */
const ordinaryError = 100;

/**
 * Mends two things in how PGlite 0.5.8 leaves its loop for an error. It leaves the stack as it was, so that after some
 * thousand errors every statement fails or the memory is overwritten. And it goes on after a trap or an exhausted
 * stack as after any error, although its memory cannot be trusted then: that must end it, it comes up from its log.
 */
function mendErrors(pg: PGlite, end: (error: unknown) => never): void {
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

const { order, overseen } = workerData as { order: EngineOrder; overseen: SharedArrayBuffer };
await run(order, overseen);
