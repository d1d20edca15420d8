import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { createEngine } from '@cartulary/formats';
import { createSemaphore, type Log } from '@cartulary/runtime';
import type { IdentityProvider } from '../access/sign-in/identity-provider.js';
import { buildApp } from '../app.js';
import type { Config } from '../config.js';
import { ExternalPictures } from '../external/pictures.js';
import { createFeatureSheetMaker, storedPictures } from '../feature-sheets/feature-sheets.js';
import type { App } from '../http/app-type.js';
import { ConnectionWatch } from '../http/connections/connections.js';
import { listSemaphore } from '../http/limits/work.js';
import { IconFiles } from '../icons/icons.js';
import { PictureResizer } from '../images/resizer.js';
import { createJobs, type Jobs } from '../jobs/jobs.js';
import { createIndexer } from '../layers/indexes/indexer.js';
import type { Services } from '../services.js';
import type { FileStorage } from '../storage/storage.js';
import { createContentReader } from '../tiles/plan/map-content.js';
import { withExternals } from '../tiles/render/externals.js';
import { withFailingQueries } from '../tiles/render/failing-queries.js';
import { createRendererPool } from '../tiles/render/pool.js';
import { useRendererFonts } from '../tiles/render/renderer-fonts.js';
import { ShapePyramids } from '../tiles/shape-pieces/shape-pyramids.js';
import { jobCarriers } from './job-carriers.js';
import { stopTimes } from './lifetime.js';
import { describeListening } from './start-problems.js';

/** Resources that the workers share. */
export interface SharedResources {
  readonly db: Database;
  /** The bytes of files. */
  readonly storage: FileStorage;
  readonly identityProvider: IdentityProvider | undefined;
}

export interface Serving {
  /** The URL of the service, without a slash at the end. */
  url: string;
  services: Services;
  /** Finishes running work and stops all parts in the reverse order of the start. */
  stop(): Promise<void>;
}

/**
 * Starts the parts of a worker: renderers, jobs, caches, HTTP. When a step fails, the parts that have started
 * are stopped. `socketPath`: listens on this Unix socket instead of host and port.
 */
export async function startServing(
  shared: SharedResources,
  config: Config,
  log: Log,
  socketPath?: string,
): Promise<Serving> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const services = await createServices(shared, { config, log, stops });
    const connections = new ConnectionWatch(config);
    const stopping = new AbortController();
    const app = await buildApp(services, { connections, stopping: stopping.signal });
    stops.push(() => finish({ app, connections, jobs: services.jobs, stopping, times: stopTimes(config) }));
    await useRendererFonts(services.renderers);
    services.jobs.carryOut(jobCarriers(services));
    const { host, port } = config;
    const place = socketPath === undefined ? { host, port } : { path: socketPath };
    await app.listen(place).catch((error) => {
      throw describeListening(error, { host, port });
    });
    // A command beside a server leaves the jobs to the server.
    if (socketPath === undefined) void services.jobs.resume();
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

async function createServices(shared: SharedResources, { config, log, stops }: Making): Promise<Services> {
  const { db, storage } = shared;
  const externalPictures = new ExternalPictures(config, log);
  const renderers = withExternals(withFailingQueries(createRendererPool({ config, log }), db), {
    pictures: externalPictures,
    dataFolder: config.dataFolder,
  });
  stops.push(() => renderers.close());
  const icons = new IconFiles(db, storage, join(config.dataFolder, 'icons'));
  const readContent = createContentReader(db, icons, config);
  const makeFeatureSheet = createFeatureSheetMaker({
    config,
    db,
    storage,
    readContent,
    renderers,
    pictures: externalPictures,
    picturesOf: storedPictures({ db, storage }),
  });
  const indexer = createIndexer(db, (text) => log.warn(text));
  stops.push(() => indexer.close());
  const shapePyramids = new ShapePyramids({ db, config, warn: (text) => log.warn(text) });
  stops.push(() => shapePyramids.close());
  return {
    ...shared,
    config,
    icons,
    readContent,
    renderers,
    externalPictures,
    indexer,
    shapePyramids,
    engine: createEngine({
      processes: config.converters,
      waiting: config.transferQueue,
      time: config.converterTimeoutMs,
      memory: config.converterMemoryMiB,
      stall: config.converterStallMs,
      ratio: config.converterRatio,
      grids: config.projectionGrids,
    }),
    lists: listSemaphore(config),
    imports: createSemaphore(config.importsAtOnce, { maxWaiting: config.transferQueue }),
    exports: createSemaphore(config.exportJobsAtOnce, { maxWaiting: config.transferQueue }),
    workbooks: createSemaphore(config.workbooksAtOnce, { maxWaiting: config.transferQueue }),
    jobs: await createJobs({ db, config, log }),
    pictureResizer: new PictureResizer(config, storage),
    makeFeatureSheet,
  };
}

interface Finishing {
  app: App;
  connections: ConnectionWatch;
  jobs: Jobs;
  /** Aborts the requests. */
  stopping: AbortController;
  times: ReturnType<typeof stopTimes>;
}

/**
 * Lets requests and jobs finish within their time. Then ends the rest with an error and cuts the connections
 * that are left.
 */
async function finish({ app, connections, jobs, stopping, times }: Finishing): Promise<void> {
  const began = performance.now();
  const within = (time: number, work: Promise<unknown>): Promise<unknown> =>
    Promise.race([work, sleep(Math.max(0, began + time - performance.now()), undefined, { ref: false })]);
  const drained = connections.drain();
  // The last requests may start jobs.
  await within(
    times.workMs,
    drained.then(() => jobs.idle()),
  );
  // Jobs end before the requests, so that event streams can report the end of their jobs.
  await jobs.close();
  connections.refuseIncomplete();
  stopping.abort(new ServiceError('busy', 'The service is stopping'));
  await within(times.connectionsMs, drained);
  connections.cut();
  await app.close();
  await within(times.filesMs, jobs.idle());
}

function addressOf(app: App): string {
  const listening = app.server.address() as AddressInfo | string;
  if (typeof listening === 'string') return `unix:${listening}`;
  const { address, port, family } = listening;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
