/**
 * The embedded database's process: PGlite with PostGIS behind a Unix socket. `embedded.ts` starts it, tells it what to
 * open, and hears when it is ready. It ends when it is told to, or when its parent is gone.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { startGuard } from './embedded-guard.js';
import { openPglite } from './embedded-open.js';
import { waitForLock } from './lock.js';
import { startUpkeep } from './upkeep.js';
import { startupMessage } from './wire.js';
import { type Engine, serveWire } from './wire-server.js';

/** What the parent says, once. */
export interface EmbeddedOrder {
  /** PGlite's own folder, made before. */
  databaseFolder: string;
  socketFolder: string;
  extensionFolder: string;
  /** ms for one statement of a connection that does not say its own. */
  statementLimit: number;
}

export type EmbeddedReport = { ready: true } | { failed: string } | { warning: string };

/** How long another process may still be at its last statement, ms. */
const patience = 15_000;
const silenceLimit = 120_000;

const report = (message: EmbeddedReport): void => void process.send?.(message);

async function run(order: EmbeddedOrder): Promise<void> {
  const watch = startGuard(process.ppid);
  await waitForLock(order.socketFolder, 'db', patience);
  const pg = await openPglite(order.databaseFolder, order.extensionFolder);
  const path = join(order.socketFolder, '.s.PGSQL.5432');
  rmSync(path, { force: true });
  const { statementLimit } = order;
  const server = await serveWire({ path, engine: await engineOf(pg), watch, statementLimit, silenceLimit });
  const endUpkeep = startUpkeep(pg, server, (warning) => report({ warning }));

  process.on('message', async (message) => {
    if (message !== 'stop') return;
    endUpkeep();
    await server.close();
    await pg.close();
    process.exit(0);
  });
  report({ ready: true });
}

/** PGlite as the socket's engine. What it cannot go on from ends the process: it comes up again from its log. */
async function engineOf(pg: PGlite): Promise<Engine> {
  endOnTrap(pg);
  const greeting = await pg.execProtocolRaw(startupMessage({ user: 'postgres', database: 'postgres' }));
  return {
    greeting: Buffer.from(greeting),
    execute: (messages, write) =>
      void pg.execProtocolRawStream(messages, { onRawData: write, syncToFs: false }),
    isInTransaction: () => pg.isInTransaction(),
  };
}

/** The status with which the engine leaves its loop for an ordinary error of a statement. */
const ordinaryError = 100;

/** PGlite takes every exception for an ordinary error; after a trap or an exhausted stack its memory cannot be trusted. */
function endOnTrap(pg: PGlite): void {
  const module = pg.Module as unknown as {
    _PostgresMainLoopOnce(): void;
    _pgl_getPGliteExitStatus(): number;
  };
  const loop = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      loop();
    } catch (error) {
      if (module._pgl_getPGliteExitStatus() !== ordinaryError) end(error);
      throw error;
    }
  };
}

function end(error: unknown): never {
  process.stderr.write(`the embedded database failed: ${(error as Error)?.stack ?? error}\n`);
  process.exit(70);
}

// A terminal's Ctrl-C and a service manager's stop reach all processes: the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit(0));
process.once('message', (order: EmbeddedOrder) => {
  run(order).catch((error) => {
    report({ failed: error.message });
    process.exitCode = 1;
    process.disconnect?.();
  });
});
