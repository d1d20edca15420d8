import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type ConnectionTarget,
  type DatabaseEngine,
  openDatabase,
} from '@cartulary/database/internal/pool.js';
import { sql } from '@cartulary/sql/internal/sql.js';
import { parseConfig } from '../../src/config.js';
import type { RunningServer } from '../../src/process/server.js';
import type { Services } from '../../src/services.js';
import { DiskStorage } from '../../src/storage/disk.js';

/** A test's order, one JSON text a line: the settings of a server, or a database alone; later `stop`. */
export type Order = { start: Record<string, string> } | { database: true } | { stop: true };
/** Its reports: `started`, then `demo` when the demo world is complete, or `database`; at the end `stopped`. */
export type Report =
  | { started: Lent }
  | { database: LentDatabase }
  | { failed: string }
  | { demo: { failed?: string } }
  | { stopped: true };

export interface LentDatabase {
  target: ConnectionTarget;
  engine: DatabaseEngine;
}

export interface Lent extends LentDatabase {
  url: string;
  /** All its environment variables. */
  env: Record<string, string>;
}

/**
 * The service in one of the processes that `keepers` (a Unix socket) lends, fresh, until `end` or the end of this
 * process. Of its services `config`, `db` and `storage` are there, made here from the same settings.
 */
export async function borrowServer(
  keepers: string,
  settings: Record<string, string>,
): Promise<{ server: RunningServer; end(): Promise<void> }> {
  const { first, next, stop } = await borrow(keepers, { start: settings }, 'started');
  const lent = first.started;
  const demo = next('demo').then(({ demo: { failed } }) => {
    if (failed !== undefined) throw new Error(failed);
  });
  demo.catch(() => {});
  const { services } = await servicesOf(lent);
  const end = async (): Promise<void> => {
    await services.db.close();
    await stop();
  };
  return { server: { url: lent.url, services, demo, stop: end }, end };
}

/** A fresh database with the service's tables, until `end` or the end of this process. */
export async function borrowDatabase(keepers: string): Promise<LentDatabase & { end(): Promise<void> }> {
  const { first, stop } = await borrow(keepers, { database: true }, 'database');
  return { ...first.database, end: stop };
}

/** Waits for the report `name` that answers an order. Returns the borrowed server on failure. */
async function borrow<Name extends string>(keepers: string, order: Order, name: Name) {
  const socket = connect(keepers);
  await once(socket, 'connect');
  const next = reportsOf(socket);
  const send = (message: Order): void => void socket.write(`${JSON.stringify(message)}\n`);
  send(order);
  const first = await next(name).catch((error) => {
    socket.destroy();
    throw error;
  });
  const stop = async (): Promise<void> => {
    send({ stop: true });
    await next('stopped');
    socket.destroy();
  };
  return { first, next, stop };
}

/** Incoming reports, each awaited by name. The end of the connection rejects all waits. */
function reportsOf(socket: Socket) {
  const reports: Report[] = [];
  let wake: (() => void)[] = [];
  let isOver = false;
  const tell = (): void => {
    const all = wake;
    wake = [];
    for (const one of all) one();
  };
  createInterface(socket).on('line', (line) => {
    reports.push(JSON.parse(line));
    tell();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isOver = true;
    tell();
  });
  return async <Name extends string>(name: Name): Promise<Extract<Report, Record<Name, unknown>>> => {
    for (;;) {
      const report = reports.find((one) => name in one);
      if (report) return report as Extract<Report, Record<Name, unknown>>;
      const failure = reports.find((one) => 'failed' in one);
      if (failure) throw new Error((failure as { failed: string }).failed);
      if (isOver) throw new Error('the process that keeps the server has ended');
      await new Promise<void>((resolve) => wake.push(resolve));
    }
  };
}

async function servicesOf({ env, target, engine }: Lent): Promise<{ services: Services }> {
  const config = parseConfig(env);
  const options = {
    maxConnections: config.databaseConnections,
    statementTimeoutMs: config.statementTimeoutMs,
  };
  // Not the server's own: a test that would listen in on it must learn so.
  const db = Object.freeze(openDatabase(target, engine, options));
  const [installation] = await db.query<{ id: string }>(sql`select id from cartulary.installation`);
  const storage = new DiskStorage(join(config.dataFolder, 'files', installation!.id));
  const services = new Proxy({ config, db, storage } as unknown as Services, {
    get(known, name) {
      if (name in known || typeof name === 'symbol') return known[name as keyof Services];
      throw new Error(
        `services.${name} is in another process: this test needs startServer(settings, 'here')`,
      );
    },
  });
  return { services };
}
