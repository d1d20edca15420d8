import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@cartulary/database/internal/embedded/embedded.js';
import { migrate } from '@cartulary/database/internal/migrations/migrate.js';
import {
  type ConnectionTarget,
  type Database,
  type DatabaseOptions,
  openDatabase,
  parseDatabaseUrl,
} from '@cartulary/database/internal/pool.js';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { borrowDatabase } from './lend.js';

export interface TestDatabase {
  db: Database;
  target: ConnectionTarget;
  /** Closes `db` and removes the database. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions extends DatabaseOptions {
  /** false: without the service's tables. */
  migrated?: boolean;
}

/**
 * A fresh database with the service's tables: on the server of `TEST_DATABASE_URL` or, without it, an embedded one;
 * where `npm test` runs it, one that is lent (`lend.ts`).
 */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { migrated = true, ...rest } = options;
  const { target, end } = await placeOf(migrated);
  const db = openDatabase(target, process.env.TEST_DATABASE_URL ? 'postgres' : 'embedded', rest);
  const drop = async (): Promise<void> => {
    await db.close();
    await end();
  };
  if (migrated) await migrate(db);
  // An embedded one is made with them.
  else
    await db.transaction((tx) =>
      tx.query(sql`drop schema if exists cartulary, cartulary_data, cartulary_queries cascade`),
    );
  return { db, target, drop };
}

async function placeOf(migrated: boolean): Promise<Place> {
  const { TEST_KEEPERS: keepers, TEST_DATABASE_URL: url } = process.env;
  if (keepers !== undefined && migrated) return borrowDatabase(keepers);
  return url ? onPostgres(url) : embedded();
}

interface Place {
  target: ConnectionTarget;
  end(): Promise<void>;
}

async function onPostgres(url: string): Promise<Place> {
  const fresh = await freshPostgres(url);
  return { target: parseDatabaseUrl(fresh.url), end: fresh.drop };
}

async function embedded(): Promise<Place> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'cartulary-test-'));
  const { target, stop } = await startEmbedded({ dataFolder, log: quiet });
  return {
    target,
    async end() {
      await stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** A log for expected failures; TEST_LOG_LEVEL shows it. */
export const quiet = {
  info: () => {},
  warn: (text: string) => void (process.env.TEST_LOG_LEVEL && console.error(text)),
  error: (text: string) => void (process.env.TEST_LOG_LEVEL && console.error(text)),
};

/** A new, empty database on a server, given the URL of another one there. */
export async function freshPostgres(url: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `cartulary_test_${randomBytes(6).toString('hex')}`;
  await onServer(url, `create`, name);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => onServer(url, 'drop', name) };
}

async function onServer(url: string, action: 'create' | 'drop', name: string): Promise<void> {
  const server = openDatabase(parseDatabaseUrl(url), 'postgres', { maxConnections: 1 });
  try {
    await server.query(
      action === 'create'
        ? sql`create database ${ident(name)}`
        : sql`drop database if exists ${ident(name)} with (force)`,
    );
  } finally {
    await server.close();
  }
}
