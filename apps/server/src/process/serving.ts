import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IdentityProvider } from './access/external.js';
import { buildApp } from './app.js';
import { createCardMaker, storedPictures } from './cards/cards.js';
import type { Config } from './config.js';
import type { Database } from './db/pool.js';
import { ServiceError } from './errors.js';
import { createExternalPictures } from './external/pictures.js';
import { type ConnectionWatch, createConnectionWatch } from './http/connections.js';
import type { App, Log, Services } from './http/service.js';
import { createTurns } from './http/turns.js';
import { listTurns } from './http/work.js';
import { createIconFiles } from './icons/icons.js';
import { createResizer } from './images/resizer.js';
import { createJobs, type Jobs } from './jobs/jobs.js';
import { createIndexer } from './layers/indexer.js';
import { stopTimes } from './lifetime.js';
import type { FileStorage } from './storage/storage.js';
import { knownFonts, useFonts } from './styles/compile.js';
import { withExternals } from './tiles/externals.js';
import { withFailingQueries } from './tiles/failing-queries.js';
import { createRendererPool } from './tiles/pool.js';
import { createEngine } from './transfer/engine/engine.js';

/** What a serving process stands on. */
export interface Ground {
  readonly db: Database;
  /** The bytes of files. */
  readonly storage: FileStorage;
  readonly identityProvider: IdentityProvider | undefined;
}

export interface Serving {
  /** Where it answers, without a slash at the end. */
  url: string;
  services: Services;
  /** Finishes what runs and ends what it has started, in the reverse order of the start. */
  stop(): Promise<void>;
}

/** Starts what each serving process has of its own: renderers, jobs, caches, HTTP. What has started is stopped when a step fails. */
export async function startServing(ground: Ground, config: Config, log: Log): Promise<Serving> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const services = await createServices(ground, { config, log, stops });
    const connections = createConnectionWatch(config);
    const stopping = new AbortController();
    const app = await buildApp(services, { connections, stopping: stopping.signal });
    stops.push(() => finish({ app, connections, jobs: services.jobs, stopping, times: stopTimes(config) }));
    useFonts((await services.renderers.fonts) ?? knownFonts());
    await app.listen({ host: config.host, port: config.port });
    return { url: addressOf(app), services, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Making {
  config: Config;
  log: Log;
  stops: (() => Promise<unknown>)[];
}

async function createServices(ground: Ground, { config, log, stops }: Making): Promise<Services> {
  const { db, storage } = ground;
  const externalPictures = createExternalPictures(config, log);
  const renderers = withExternals(withFailingQueries(createRendererPool({ config, log }), db), {
    pictures: externalPictures,
    dataFolder: config.dataFolder,
  });
  stops.push(() => renderers.close());
  const icons = createIconFiles(db, storage, join(config.dataFolder, 'icons'));
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
  return {
    ...ground,
    config,
    icons,
    renderers,
    externalPictures,
    indexer,
    engine: createEngine({
      processes: config.converters,
      waiting: config.transferQueue,
      time: config.converterTimeout,
      memory: config.converterMemory,
      stall: config.converterStall,
      ratio: config.converterRatio,
    }),
    lists: listTurns(config),
    imports: createTurns(config.importsAtOnce, { waiting: config.transferQueue }),
    exports: createTurns(config.exportJobsAtOnce, { waiting: config.transferQueue }),
    workbooks: createTurns(config.workbooksAtOnce, { waiting: config.transferQueue }),
    jobs: await createJobs({ db, config, log }),
    resizePicture: createResizer(config, storage),
    makeCard,
  };
}

interface Finishing {
  app: App;
  connections: ConnectionWatch;
  jobs: Jobs;
  /** Of requests. */
  stopping: AbortController;
  times: ReturnType<typeof stopTimes>;
}

/** Lets requests and jobs finish within their time; what does not is ended and told so, and connections that are left are cut. */
async function finish({ app, connections, jobs, stopping, times }: Finishing): Promise<void> {
  const began = Date.now();
  const within = (time: number, work: Promise<unknown>): Promise<unknown> =>
    Promise.race([work, sleep(Math.max(0, began + time - Date.now()), undefined, { ref: false })]);
  const drained = connections.drain();
  // The last requests may begin jobs.
  await within(
    times.work,
    drained.then(() => jobs.idle()),
  );
  // Before the requests: event streams tell how their jobs have ended.
  await jobs.close();
  connections.refuseIncomplete();
  stopping.abort(new ServiceError('busy', 'The service is stopping'));
  await within(times.connections, drained);
  connections.cut();
  await app.close();
}

function addressOf(app: App): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
