import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Config, parseConfig } from './config.js';
import { findRunningEmbedded, startEmbedded } from './db/embedded.js';
import { lockDataFolder } from './db/lock.js';
import { migrate } from './db/migrate.js';
import { type Database, openDatabase, parseDatabaseUrl } from './db/pool.js';
import { ServiceError } from './errors.js';

/** The command line tool may take longer than a request: ms for one statement. */
const options = { maxConnections: 2, statementTimeoutMs: 3_600_000, applicationName: 'cartulary-cli' };

interface Connection {
  db: Database;
  end(): Promise<void>;
}

/** What is done on a database; `applied` names the migrations that it lacked. */
export type Work = (db: Database, applied: string[]) => Promise<void>;

/**
 * Runs `work` on the configured database in the form that this version needs: PostgreSQL, the embedded one of the
 * server that runs, or the embedded one of a server that does not, started for the while. Throws an Error with a
 * sentence for the operator. `make`: an embedded database that is not there yet is made.
 */
export async function withDatabase(work: Work, { make = false } = {}): Promise<void> {
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
  if (!make && !existsSync(join(dataFolder, 'db')))
    throw new Error(
      `There is no database in ${dataFolder}. Set CARTULARY_DATA or DATABASE_URL to that of the server, or make one with 'cartulary migrate'.`,
    );
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

/** What to tell the operator of an error: for a failed connection what the system said of it. */
export function describeError(error: Error): string {
  if (!(error instanceof ServiceError) || !(error.cause instanceof Error)) return error.message;
  const { message, code } = error.cause as NodeJS.ErrnoException;
  return `the database does not answer (${message || code || error.message})`;
}
