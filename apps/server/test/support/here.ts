import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseConfig } from '../../src/config.js';
import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded.js';
import { type RunningServer, startServer } from '../../src/server.js';
import { freshPostgres } from './database.js';
import { borrowDatabase } from './lend.js';
import { settingsOf } from './settings.js';

/** A new database that outlives the servers on it. */
export interface Ground {
  /** Its URL; undefined: it is embedded. */
  url: string | undefined;
  /** How a server comes to it where it is embedded. */
  startDatabase: typeof startEmbedded;
  end(): Promise<void>;
}

/** On the server of `TEST_DATABASE_URL`; without it an embedded one that runs already and is lent, or, `isOwn` or where none is, one that each server starts itself. */
export async function newGround(isOwn = false): Promise<Ground> {
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

/** The real service in this process, with a data folder of its own, on a ground that it ends with, or on one that is given. */
export async function startHere(
  settings: Record<string, string>,
  given?: Ground,
): Promise<{ server: RunningServer; end(): Promise<void> }> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'cartulary-test-'));
  const ground = given ?? (await newGround('CARTULARY_DATA' in settings || 'DATABASE_URL' in settings));
  const env = settingsOf(dataFolder, ground.url, settings);
  const server = await startServer(parseConfig(env), logOf(env), undefined, ground.startDatabase);
  return {
    server,
    async end() {
      await server.stop();
      if (!given) await ground.end();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** The log of a server for tests: on stderr, at its level. */
export const logOf = (env: Record<string, string>) =>
  pino({ level: env.CARTULARY_LOG_LEVEL! }, pino.destination(2));
