import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Database,
  findRunningEmbedded,
  lockDataFolder,
  migrate,
  openDatabase,
  parseDatabaseUrl,
  startEmbedded,
} from '@cartulary/database';
import { pino } from 'pino';
import { type Config, parseConfig } from '../../config.js';

/** Timeout of a statement of the command line tool, ms: longer than that of a request. */
const options = { maxConnections: 2, statementTimeoutMs: 3_600_000, applicationName: 'cartulary-cli' };

interface Connection {
  db: Database;
  end(): Promise<void>;
}

/** Work on a database. `applied` names the migrations that were applied. */
export type CommandWork = (db: Database, applied: string[]) => Promise<void>;

/**
 * Runs `work` on the configured database after its migrations: PostgreSQL, the embedded database of a running
 * server, or an embedded database that is started for this command. `make`: creates a missing embedded
 * database. Throws an Error for the operator.
 */
export async function withDatabase(work: CommandWork, { make = false } = {}): Promise<void> {
  const config = parseConfig(process.env);
  const { db, end } = config.databaseUrl ? onPostgres(config) : await onEmbedded(config, make);
  try {
    const { applied } = await migrate(db);
    await work(db, applied);
  } finally {
    await db.close();
    await end();
  }
}

const onPostgres = ({ databaseUrl }: Config): Connection => ({
  db: openDatabase(parseDatabaseUrl(databaseUrl), 'postgres', options),
  end: async () => {},
});

async function onEmbedded({ dataFolder }: Config, make: boolean): Promise<Connection> {
  const running = await findRunningEmbedded(dataFolder);
  if (running) return { db: openDatabase(running, 'embedded', options), end: async () => {} };
  if (!make) demandDatabase(dataFolder);
  const lock = await lockDataFolder(dataFolder);
  try {
    const log = pino({ level: 'error' }, pino.destination(2));
    const embedded = await startEmbedded({ dataFolder, log });
    const end = async (): Promise<void> => {
      await embedded.stop();
      await lock.release();
    };
    return { db: openDatabase(embedded.target, 'embedded', options), end };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Throws unless an embedded database exists, so that a mistyped folder does not become a new one. */
export function demandDatabase(dataFolder: string): void {
  if (existsSync(join(dataFolder, 'db'))) return;
  throw new Error(
    `There is no database in ${dataFolder}. Set CARTULARY_DATA or DATABASE_URL to that of the server, or make one with 'cartulary migrate'.`,
  );
}
