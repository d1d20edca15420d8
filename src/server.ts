import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openIdentityProvider } from './access/external.js';
import { firstStart } from './access/setup.js';
import { buildApp } from './app.js';
import { createCardMaker, storedPictures } from './cards/cards.js';
import type { Config } from './config.js';
import { type EmbeddedDatabase, startEmbedded } from './db/embedded.js';
import { lockDataFolder } from './db/lock.js';
import { migrate } from './db/migrate.js';
import { openDatabase, parseDatabaseUrl } from './db/pool.js';
import { prepareQueryRole } from './db/query-role.js';
import { loadDemo } from './demo/load.js';
import { createExternalPictures } from './external/pictures.js';
import { startSweeping } from './files/sweep.js';
import { checkFontFolder } from './fonts/files.js';
import type { App, Log, Services } from './http/service.js';
import { createTurns } from './http/turns.js';
import { createIconFiles, sweepIconFiles } from './icons/icons.js';
import { createResizer } from './images/resizer.js';
import { sweepJobFolders } from './jobs/folder.js';
import { createJobs } from './jobs/jobs.js';
import { createIndexer } from './search/indexer.js';
import { installationStorage } from './storage/disk.js';
import { knownFonts, useFonts } from './styles/compile.js';
import { withExternals } from './tiles/externals.js';
import { createRendererPool } from './tiles/pool.js';
import { createEngine } from './transfer/engine/engine.js';
import { sweepStaging } from './transfer/import.js';

export interface RunningServer {
  /** Where it answers, without a slash at the end. */
  url: string;
  services: Services;
  /** The password of `admin` when this start made one. */
  adminPassword: string | undefined;
  /** Settles when the demo world is complete, or was not asked for; rejects when it failed. */
  demo: Promise<void>;
  /** Finishes what runs and ends everything, in the reverse order of the start. */
  stop(): Promise<void>;
}

/** Starts the whole service: lock, database, migrations, renderers, HTTP; then the demo world beside it. What has started is stopped when a step fails. `say` is told how far the demo world is; `startDatabase` may give an embedded database that runs already. */
export async function startServer(
  config: Config,
  log: Log,
  say: (line: string) => void = () => {},
  startDatabase: typeof startEmbedded = startEmbedded,
): Promise<RunningServer> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    checkFontFolder(config.fontFolder);
    const identityProvider = await openIdentityProvider(config, log);
    mkdirSync(config.dataFolder, { recursive: true });
    const target = config.databaseUrl
      ? parseDatabaseUrl(config.databaseUrl)
      : (await embedded(config, log, stops, startDatabase)).target;
    const db = await openDatabase(target, config.databaseUrl ? 'postgres' : 'embedded', {
      maxConnections: config.databaseConnections,
      statementTimeoutMs: config.statementTimeout,
    });
    stops.push(() => db.close());
    await migrate(db);
    const lacking = await prepareQueryRole(db);
    if (lacking) log.warn(lacking);
    const { adminPassword } = await firstStart(db, config);
    await sweepStaging(db);
    await sweepJobFolders(config.dataFolder);
    const storage = await installationStorage(db, config.dataFolder);
    stops.push(startSweeping({ db, storage }, log));

    const externalPictures = createExternalPictures(config, log);
    const renderers = withExternals(createRendererPool({ config, log }), {
      pictures: externalPictures,
      dataFolder: config.dataFolder,
    });
    stops.push(() => renderers.close());
    const iconFolder = join(config.dataFolder, 'icons');
    const icons = createIconFiles(db, storage, iconFolder);
    sweepIconFiles(db, iconFolder).catch((error) => log.warn({ err: error }, 'icons could not be swept'));
    const makeCard = createCardMaker({
      config,
      db,
      storage,
      icons,
      renderers,
      pictures: externalPictures,
      picturesOf: storedPictures({ db, storage }),
    });
    const indexer = createIndexer(db, (text) => log.warn(text));
    stops.push(() => indexer.close());
    const jobs = await createJobs({ db, config, log });
    const services: Services = {
      config,
      db,
      identityProvider,
      storage,
      icons,
      renderers,
      externalPictures,
      indexer,
      engine: createEngine({
        processes: config.converters,
        time: config.converterTimeout,
        memory: config.converterMemory,
      }),
      imports: createTurns(config.importsAtOnce),
      exports: createTurns(config.exportJobsAtOnce),
      workbooks: createTurns(config.workbooksAtOnce),
      jobs,
      resizePicture: createResizer(config, storage),
      makeCard,
    };
    const app = await buildApp(services);
    stops.push(() => closeApp(app));
    // Before it: open event streams end with their jobs.
    stops.push(() => jobs.close());
    useFonts((await renderers.fonts) ?? knownFonts());
    await app.listen({ host: config.host, port: config.port });

    const leaving = new AbortController();
    const demo = loadDemo(services, say, leaving.signal);
    stops.push(async () => {
      leaving.abort();
      await demo.catch(() => {});
    });
    return { url: addressOf(app), services, adminPassword, demo, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How long running requests may take to finish when the service stops, ms. */
const patience = 5_000;

/** Finishes what runs; connections on which nothing was asked yet, or that take longer, are cut. */
async function closeApp(app: App): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), patience);
  await app.close();
  clearTimeout(timer);
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

function addressOf(app: App): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
