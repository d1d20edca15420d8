import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ConnectionTarget,
  cachedReadConnections,
  checkReachable,
  type Database,
  type EmbeddedDatabase,
  findRunningEmbedded,
  lockDataFolder,
  migrate,
  openDatabase,
  parseDatabaseUrl,
  prepareQueryRole,
  type StatementSlots,
  startEmbedded,
} from '@cartulary/database';
import { checkGridFolder } from '@cartulary/renderer';
import {
  BackgroundTasks,
  createSemaphore,
  type Log,
  makeWritable,
  readFolder,
  type Semaphore,
  sweepJobFolders,
} from '@cartulary/runtime';
import { openIdentityProvider } from '../access/sign-in/identity-provider.js';
import { firstStart, ignoredPassword } from '../access/users/setup.js';
import { type Config, heavyStatements, longStatements } from '../config.js';
import { deleteAbandoned, startFileSweep } from '../files/sweep.js';
import { sweepIconFiles } from '../icons/icons.js';
import { sweepColumns, sweepImports, sweepStaging } from '../imports/import.js';
import { startImportSweep } from '../imports/undo.js';
import { releaseLostJobs } from '../jobs/jobs.js';
import { dropUnfinished } from '../layers/indexes/indexer.js';
import { dropOutdatedIndexes } from '../layers/indexes/sort-index.js';
import { installationStorage } from '../storage/disk.js';
import { startUploadSweep } from '../uploads/sweep.js';
import type { SharedResources } from './serving.js';

/**
 * Parts that exist once, independent of the number of workers: the lock, the migrated database, the sweeps.
 */
export interface Installation extends SharedResources {
  /** Releases the unfinished work of dead processes and removes their folders. */
  tidy(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Prepares the installation before the service starts. Settings that name files are checked before anything
 * changes. When a step fails, the parts that have started are stopped. `say` receives the generated password of the
 * administrator as soon as it is stored: a later step may fail, and the next start does not know it.
 */
export async function openInstallation(
  config: Config,
  log: Log,
  say: (line: string) => void,
  startDatabase: typeof startEmbedded = startEmbedded,
): Promise<Installation> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    readFolder('CARTULARY_FONTS', config.fontFolder);
    checkGridFolder(config.projectionGrids);
    const identityProvider = await openIdentityProvider(config, log);
    await makeDataFolder(config.dataFolder, log);
    const target = config.databaseUrl
      ? parseDatabaseUrl(config.databaseUrl)
      : (await embedded(config, log, stops, startDatabase)).target;
    const db = openConfigured(config, target);
    stops.push(() => db.close());
    await checkReachable(db, target);
    await migrate(db);
    await dropOutdatedIndexes(db);
    const lacking = await prepareQueryRole(db);
    if (lacking) log.warn(lacking);
    await firstStart(db, config, say);
    const ignored = await ignoredPassword(db, config);
    if (ignored) log.warn(ignored);
    const storage = await installationStorage(db, config.dataFolder);
    const tidy = async (all: boolean, isServing = false): Promise<void> => {
      await releaseLostJobs(db, { attempts: config.jobAttempts, all, isServing });
      await sweepStaging(db, { all });
      await sweepColumns(db, { all });
      await sweepImports(db, config.importUndoTimeS);
      await sweepJobFolders(config.dataFolder, { all });
      const abandoned = new Set<string>();
      for await (const key of storage.abandoned()) abandoned.add(key);
      await sweepIconFiles(db, join(config.dataFolder, 'icons'), { all, abandoned });
      // Last, since it removes the notes that tell which contents are abandoned.
      await deleteAbandoned({ db, storage });
    };
    // The embedded database is locked, so no other process is at work.
    const isAlone = db.engine === 'embedded';
    await tidy(isAlone);
    const tidying = new BackgroundTasks(log, 'leftovers could not be removed');
    tidying.after(outlivingMs, () => tidy(false, true));
    for (const background of [
      tidying,
      startFileSweep({ db, storage }, log),
      startUploadSweep({ db, config }, log),
      startImportSweep({ db, config }, log),
    ])
      stops.push(() => background.stop());
    dropUnfinished(db).catch((error) => log.warn({ err: error }, 'indices could not be swept'));
    return { db, storage, identityProvider, tidy: () => tidy(false, true), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A serving process may live on for a moment after its supervisor was killed, and after the next start: leftovers are removed once more. */
const outlivingMs = 15_000;

/**
 * Creates the data folder for the service's user only. An existing folder may be open to others on purpose,
 * so its mode is reported and not changed.
 */
async function makeDataFolder(folder: string, log: Log): Promise<void> {
  if (await makeWritable(folder)) return;
  const mode = statSync(folder).mode & 0o777;
  if (mode & 0o077)
    log.warn(
      `The data folder ${folder} is open to other users of this machine (mode ${mode.toString(8)}); chmod 700 closes it`,
    );
}

/** The shared resources of a process beside the one that holds the installation. */
export async function openSharedResources(config: Config, log: Log): Promise<SharedResources> {
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
    statementTimeoutMs: config.statementTimeoutMs,
    heavyWaitMs: config.heavyWaitMs,
    slots: statementTurns(config),
  });

function statementTurns(config: Config): StatementSlots {
  const some = longStatements(config);
  const limits = { maxWaiting: config.databaseQueue, maxWaitMs: config.databaseWaitMs };
  const shared = (limit: number, perOwner: number): Semaphore =>
    createSemaphore(limit, { ...limits, perOwner });
  const short = createSemaphore(config.databaseConnections, limits);
  // One owner, whose statements may all wait for one lock, leaves a slot to others.
  const [long, writes] = [
    shared(config.databaseUrl ? some + 1 : some, some),
    shared(some, Math.max(1, some - 1)),
  ];
  const heavy = createSemaphore(heavyStatements(config), limits);
  return {
    cached: createSemaphore(cachedReadConnections, limits),
    short: (owner) => short.for(owner),
    long: (owner) => long.for(owner),
    heavy: (owner) => withMaxSlot(heavy.for(owner)),
    writes: (owner) => writes.for(owner),
  };
}

/** How long a heavy statement keeps its place. A longer statement must not block all others. */
const maxHeavySlotMs = 1_000;

function withMaxSlot(semaphore: Semaphore): ReturnType<StatementSlots['heavy']> {
  return async (work, signal) => {
    const leave = await semaphore.enter(signal);
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
  const database = await start({
    dataFolder: config.dataFolder,
    log,
    memoryLimitMiB: config.embeddedMemoryMiB,
  });
  stops.push(() => database.stop());
  return database;
}
