import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedDatabase, startEmbedded } from '@cartulary/database/internal/embedded/embedded.js';
import { pino } from 'pino';
import { parseConfig } from '../../src/config.js';
import { type RunningServer, startServer } from '../../src/process/server.js';
import { freshPostgres } from './database.js';
import { borrowDatabase } from './lend.js';
import { settingsOf } from './settings.js';

/** A new database that outlives the servers on it. */
export interface DatabaseHost {
  /** Its URL; undefined: it is embedded. */
  url: string | undefined;
  /** Opens it for a server if it is embedded. */
  startDatabase: typeof startEmbedded;
  end(): Promise<void>;
}

/**
 * Opens a database on the server of `TEST_DATABASE_URL`. Without that variable it borrows a running embedded database; with
 * `isOwn`, or if there is none, each server starts one itself.
 */
export async function newDatabaseHost(isOwn = false): Promise<DatabaseHost> {
  const { TEST_DATABASE_URL: postgres, TEST_KEEPERS: keepers } = process.env;
  if (postgres) {
    const { url, drop } = await freshPostgres(postgres);
    return { url, startDatabase: startEmbedded, end: drop };
  }
  if (isOwn || keepers === undefined)
    return { url: undefined, startDatabase: startEmbedded, end: async () => {} };
  const { target, end } = await borrowDatabase(keepers);
  const lent: EmbeddedDatabase = { target, pid: () => undefined, onExit() {}, stop: async () => {} };
  return { url: undefined, startDatabase: async () => lent, end };
}

/** Starts the real service in this process with a new data folder, on the given database, or on a new one that ends with it. */
export async function startHere(
  settings: Record<string, string>,
  given?: DatabaseHost,
): Promise<{ server: RunningServer; end(): Promise<void> }> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'cartulary-test-'));
  const host = given ?? (await newDatabaseHost('CARTULARY_DATA' in settings || 'DATABASE_URL' in settings));
  const env = settingsOf(dataFolder, host.url, settings);
  const server = await startServer(parseConfig(env), logOf(env), undefined, host.startDatabase);
  return {
    server,
    async end() {
      await server.stop();
      if (!given) await host.end();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** The log of a server for tests: on stderr, at its level. */
export const logOf = (env: Record<string, string>) =>
  pino({ level: env.CARTULARY_LOG_LEVEL! }, pino.destination(2));
