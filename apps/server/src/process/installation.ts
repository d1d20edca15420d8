import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openIdentityProvider } from './access/external.js';
import { firstStart } from './access/setup.js';
import { type Config, heavyStatements, longStatements } from './config.js';
import type { StatementTurns } from './db/connection.js';
import { type EmbeddedDatabase, findRunningEmbedded, startEmbedded } from './db/embedded.js';
import { lockDataFolder } from './db/lock.js';
import { migrate } from './db/migrate.js';
import { type ConnectionTarget, type Database, openDatabase, parseDatabaseUrl } from './db/pool.js';
import { prepareQueryRole } from './db/query-role.js';
import { demandAnswer } from './db/reach.js';
import { startSweeping } from './files/sweep.js';
import { checkFontFolder } from './fonts/files.js';
import type { Log } from './http/service.js';
import { createTurns, type Turns } from './http/turns.js';
import { sweepIconFiles } from './icons/icons.js';
import { sweepJobFolders } from './jobs/folder.js';
import { failLostJobs } from './jobs/jobs.js';
import { dropHalfMade } from './layers/indexer.js';
import { dropOutdatedIndexes } from './layers/sort-index.js';
import type { Ground } from './serving.js';
import { installationStorage } from './storage/disk.js';
import { sweepColumns, sweepStaging } from './transfer/import.js';

/** What there is once, however many processes serve: the lock, the database in its form, the sweeps. */
export interface Installation extends Ground {
  /** The password of `admin` when this start made one. */
  adminPassword: string | undefined;
  /** Ends what processes that died have left unfinished, and removes their folders. */
  tidy(): Promise<void>;
  stop(): Promise<void>;
}

/** Does what comes before serving: settings that name files are looked at before anything is touched. What has started is stopped when a step fails. */
export async function openInstallation(
  config: Config,
  log: Log,
  startDatabase: typeof startEmbedded = startEmbedded,
): Promise<Installation> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    checkFontFolder(config.fontFolder);
    const identityProvider = await openIdentityProvider(config, log);
    makeDataFolder(config.dataFolder, log);
    const target = config.databaseUrl
      ? parseDatabaseUrl(config.databaseUrl)
      : (await embedded(config, log, stops, startDatabase)).target;
    const db = openConfigured(config, target);
    stops.push(() => db.close());
    await demandAnswer(db, target);
    await migrate(db);
    await dropOutdatedIndexes(db);
    const lacking = await prepareQueryRole(db);
    if (lacking) log.warn(lacking);
    const { adminPassword } = await firstStart(db, config);
    const tidy = async (all: boolean): Promise<void> => {
      await failLostJobs(db, { all });
      await sweepStaging(db, { all });
      await sweepColumns(db, { all });
      await sweepJobFolders(config.dataFolder, { all });
    };
    // The embedded database is locked: no other process can be at work.
    const isAlone = db.engine === 'embedded';
    await tidy(isAlone);
    const storage = await installationStorage(db, config.dataFolder);
    stops.push(startSweeping({ db, storage }, log));
    await sweepIconFiles(db, join(config.dataFolder, 'icons'), { all: isAlone });
    dropHalfMade(db).catch((error) => log.warn({ err: error }, 'indices could not be swept'));
    return { db, storage, identityProvider, adminPassword, tidy: () => tidy(false), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** For the service's user alone. One that was there may be open to others on purpose: that is told, and not changed. */
function makeDataFolder(folder: string, log: Log): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) return;
  const mode = statSync(folder).mode & 0o777;
  if (mode & 0o077)
    log.warn(
      `The data folder ${folder} is open to other users of this machine (mode ${mode.toString(8)}); chmod 700 closes it`,
    );
}

/** The same ground in a process beside the one that holds the installation. */
export async function openGround(config: Config, log: Log): Promise<Ground> {
  const target = config.databaseUrl
    ? parseDatabaseUrl(config.databaseUrl)
    : await findRunningEmbedded(config.dataFolder);
  if (!target) throw new Error('the embedded database does not run');
  const db = openConfigured(config, target);
  return {
    db,
    storage: await installationStorage(db, config.dataFolder),
    identityProvider: await openIdentityProvider(config, log),
  };
}

const openConfigured = (config: Config, target: ConnectionTarget): Database =>
  openDatabase(target, config.databaseUrl ? 'postgres' : 'embedded', {
    maxConnections: config.databaseConnections,
    statementTimeoutMs: config.statementTimeout,
    heavyWaitMs: config.heavyWait,
    turns: statementTurns(config),
  });

function statementTurns(config: Config): StatementTurns {
  const some = longStatements(config);
  const limits = { waiting: config.databaseQueue, patience: config.databaseWait };
  const turns = (limit: number): Turns => createTurns(limit, limits);
  return {
    short: turns(config.databaseConnections),
    long: turns(some),
    heavy: forAWhile(turns(heavyStatements(config))),
    writes: turns(some),
  };
}

/** How long a heavy statement keeps its place, ms. One that takes longer must not keep all others from beginning. */
const maxHeavySlotMs = 1_000;

function forAWhile(turns: Turns): StatementTurns['heavy'] {
  return async (work, signal) => {
    const leave = await turns.enter(signal);
    const timer = setTimeout(leave, maxHeavySlotMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      leave();
    }
  };
}

async function embedded(
  config: Config,
  log: Log,
  stops: (() => Promise<unknown>)[],
  start: typeof startEmbedded,
): Promise<EmbeddedDatabase> {
  const lock = await lockDataFolder(config.dataFolder);
  stops.push(async () => lock.release());
  const database = await start({ dataFolder: config.dataFolder, log });
  stops.push(() => database.stop());
  return database;
}
