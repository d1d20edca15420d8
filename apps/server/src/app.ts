import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { ServiceError } from '@cartulary/errors';
import cors from '@fastify/cors';
import type {} from '@fastify/swagger'; // for the property `hide` of schemas
import Fastify, { type FastifyRequest, type FastifyServerFactory, LogController } from 'fastify';
import { identifyCallers } from './access/hook.js';
import {
  installationRoutes,
  ownRoutes,
  sessionRoutes,
  userRoutes,
  userSessionRoutes,
} from './access/routes.js';
import { noteTransaction, recordChanges } from './administration/journal/hook.js';
import { Journal } from './administration/journal/journal.js';
import { projectAdministrationRoutes } from './administration/project-routes.js';
import { administrationRoutes } from './administration/routes.js';
import type { Config } from './config.js';
import { folderRoutes } from './containers/folder-routes.js';
import { mapRoutes } from './containers/routes.js';
import { deletionRoutes } from './deletion/routes.js';
import { exportRoutes } from './exports/routes.js';
import { fileRoutes } from './files/routes.js';
import type { App } from './http/app-type.js';
import { acceptBodies } from './http/body/body.js';
import { usualLimit } from './http/body/body-limits.js';
import { cancelWhenGone } from './http/cancel.js';
import type { ConnectionWatch } from './http/connections/connections.js';
import { limitWork } from './http/limits/work.js';
import { prioritizeWrites } from './http/limits/writes.js';
import { loggedUrl } from './http/logged-url.js';
import {
  answerOtherMethods,
  collectMethods,
  interfaceMethods,
  isInterfaceMethod,
  responseHeaders,
} from './http/methods.js';
import { documentRoutes } from './http/openapi/openapi.js';
import { outageLog } from './http/outages.js';
import { refuseConnection, sendError } from './http/reply.js';
import { ResponseCache } from './http/response-cache.js';
import { validateRequests } from './http/validation.js';
import { projectIconRoutes } from './icons/routes.js';
import { imageRoutes } from './images/routes.js';
import { importRoutes } from './imports/routes.js';
import { jobRoutes } from './jobs/routes.js';
import { constraintRoutes } from './layers/constraints/constraint-routes.js';
import { dictionaryRoutes } from './layers/constraints/dictionary-routes.js';
import { draftRoutes } from './layers/drafts/routes.js';
import { queryRoutes } from './layers/queries/routes.js';
import { layerRoutes } from './layers/routes.js';
import { structureRoutes } from './layers/structure.js';
import { treeRoutes } from './layers/tree-routes.js';
import { versionsRoute } from './layers/versions-route.js';
import { legendRoutes } from './layers/visual/routes.js';
import { legacyRoutes } from './legacy/routes.js';
import { objectRoutes } from './objects/routes.js';
import { conditionOf, filterFailure } from './objects/store.js';
import { sendUnrouted } from './ogc/errors.js';
import { ogcRoutes } from './ogc/routes.js';
import { wfsRoutes } from './ogc/wfs/routes.js';
import { wmsRoutes } from './ogc/wms/routes.js';
import { wmtsRoutes } from './ogc/wmts/routes.js';
import { pageRoutes } from './pages/routes.js';
import { rightsRoutes } from './rights/routes.js';
import { searchRoutes } from './search/routes.js';
import type { Services } from './services.js';
import { memoryLimitBytes, openTileCaches } from './tiles/cache/tile-caches.js';
import { iconRoutes } from './tiles/icons/routes.js';
import { identifyRoutes } from './tiles/identify/routes.js';
import { tileRoutes } from './tiles/routes.js';
import { createTileServing, type TileServing } from './tiles/serving.js';
import { vectorTileRoutes } from './tiles/vector/routes.js';
import { addressRoutes } from './tiles/xyz/routes.js';
import { uploadRoutes } from './uploads/routes.js';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** How long a browser may cache the response to a preflight request: the longest time that browsers accept. */
const preflightMaxAgeS = 7_200;

interface AppParts {
  connections: ConnectionWatch;
  /** Aborted when the time for running requests is over. */
  stopping: AbortSignal;
}

/** The service as a Fastify app, ready to listen. */
export async function buildApp(services: Services, { connections, stopping }: AppParts): Promise<App> {
  const { config } = services;
  const logsRequests = config.logLevel === 'debug' || config.logLevel === 'trace';
  // A response from the cache is not logged, so a log of all requests excludes the cache.
  const responses = new ResponseCache(services.db, logsRequests ? 0 : memoryLimitBytes(config));
  const app = createApp(config, {
    logsRequests,
    serverFactory: (handle, options) =>
      connections.watch(responses.createServer(connections.inOrder(handle), options)),
  });
  validateRequests(app);
  acceptBodies(app);
  cancelWhenGone(app, stopping);
  limitWork(app, services);
  prioritizeWrites(app, services.renderers);
  answerErrors(app, services);
  app.addHook('onRequest', (_request, reply, done) => {
    // Answers depend on the caller and on the last write, so no cache may give one again unasked. Routes may say more.
    reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-cache' });
    done();
  });
  const methods = collectMethods(app);
  const journal = new Journal(services.db, config.journalEntries, app.log);
  recordChanges(app, journal);
  if (config.cors) await allowOtherOrigins(app);
  await documentRoutes(app, { version, baseUrl: config.baseUrl });
  app.get('/readyz', { schema: { hide: true }, config: { isProbe: true } }, async () => ({ ready: true }));
  installationRoutes(app);
  projectAdministrationRoutes(app, services, journal);
  await app.register(async (api: App) => projectRoutes(api, services), { prefix: '/api/2.8/:project' });
  const serving = await registerTiles(app, services, responses);
  await app.register(async (door: App) => ogcRoutes(door, services, serving), { prefix: '/ogc/:project' });
  const noteWfs = (request: FastifyRequest, layer: string): void => noteTransaction(journal, request, layer);
  await app.register(async (door: App) => wfsRoutes(door, services, { note: noteWfs }), {
    prefix: '/wfs/:project',
  });
  await app.register(async (pages: App) => pageRoutes(pages, services));
  answerOtherMethods(app, methods, sendUnrouted);
  // Registered after `answerOtherMethods`: these versions have no 405, and answer 404 to a method that a path lacks.
  for (const earlier of ['2.0', '1.0'] as const) {
    await app.register(async (api: App) => legacyRoutes(api, services, earlier, projectRoutes), {
      prefix: `/api/${earlier}/:project`,
    });
  }
  return app;
}

function createApp(
  config: Config,
  { logsRequests, serverFactory }: { logsRequests: boolean; serverFactory: FastifyServerFactory },
): App {
  return Fastify({
    serverFactory,
    logger: {
      level: config.logLevel,
      serializers: {
        req: (request: FastifyRequest) => ({ method: request.method, url: loggedUrl(request.url) }),
      },
    },
    logController: new LogController({
      disableRequestLogging: !logsRequests,
    }),
    genReqId: () => randomUUID(),
    bodyLimit: usualLimit(config),
    trustProxy: config.trustProxy,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void sendUnrouted(error, request, reply),
    clientErrorHandler: refuseConnection,
  }).withTypeProvider();
}

/** Errors and unknown paths are answered by `sendError`; outages are logged once in a while. */
function answerErrors(app: App, { db, config }: Services): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  const logOutage = outageLog(app.log, { target: db.connection, dataFolder: config.dataFolder });
  app.addHook('onError', async (_request, reply, error) => {
    // A route may have set that of the answer which it could not give.
    reply.removeHeader('etag');
    logOutage(error);
  });
  app.setNotFoundHandler((request, reply) => {
    const isKnown = isInterfaceMethod(request.method) || request.method === 'OPTIONS';
    const error = isKnown
      ? new ServiceError('container_not_found', 'There is nothing at this address')
      : new ServiceError('method_not_allowed');
    return sendUnrouted(error, request, reply);
  });
}

const allowOtherOrigins = async (app: App): Promise<void> =>
  void (await app.register(cors, {
    origin: '*',
    methods: [...interfaceMethods],
    exposedHeaders: responseHeaders,
    maxAge: preflightMaxAgeS,
    // An OPTIONS request that is no preflight is answered with the methods of the path.
    strictPreflight: false,
    preflightContinue: true,
  }));

async function registerTiles(app: App, services: Services, responses: ResponseCache): Promise<TileServing> {
  const tileCaches = await openTileCaches({ db: services.db, config: services.config, log: app.log });
  app.addHook('preClose', async () => responses.close());
  app.addHook('onClose', () => tileCaches.close());
  const serving = createTileServing(services, { caches: tileCaches, responses, log: app.log });
  const { sendTile, vectors } = serving;
  const doors: Readonly<Record<string, (tiles: App) => void>> = {
    tms: (tiles) => tileRoutes(tiles, sendTile),
    mvt: (tiles) => vectorTileRoutes(tiles, services, vectors),
    wmts: (tiles) => wmtsRoutes(tiles, services, serving),
    wms: (tiles) => wmsRoutes(tiles, services, serving),
    tiles: (tiles) => addressRoutes(tiles, services, { sendTile, vectors }),
  };
  for (const [name, register] of Object.entries(doors))
    await app.register(
      async (tiles: App) => {
        identifyCallers(tiles, services);
        register(tiles);
      },
      { prefix: `/${name}/:project` },
    );
  return serving;
}

/** The one list of the functions under a project. */
async function projectRoutes(app: App, services: Services): Promise<void> {
  identifyCallers(app, services);

  // callers and rights
  sessionRoutes(app, services);
  ownRoutes(app, services);
  userRoutes(app, services);
  userSessionRoutes(app, services);
  rightsRoutes(app, services);
  deletionRoutes(app, services);
  administrationRoutes(app, services);
  // catalogs
  mapRoutes(app, services);
  folderRoutes(app, services);
  treeRoutes(app, services);
  versionsRoute(app, services);
  layerRoutes(app, services);
  queryRoutes(app, services);
  draftRoutes(app, services);
  legendRoutes(app, { ...services, conditionOf, filterFailure });
  structureRoutes(app, services);
  constraintRoutes(app, services);
  dictionaryRoutes(app, services);
  // data
  objectRoutes(app, services);
  fileRoutes(app, services);
  searchRoutes(app, services);
  exportRoutes(app, services);
  await app.register(async (own: App) => uploadRoutes(own, services));
  await app.register(async (own: App) => importRoutes(own, services));
  jobRoutes(app, services);
  // pictures
  iconRoutes(app, services);
  await projectIconRoutes(app, services);
  imageRoutes(app, services);
  identifyRoutes(app, services);
}
