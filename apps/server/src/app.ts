import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import cors from '@fastify/cors';
import type {} from '@fastify/swagger'; // for `hide` in schemas
import { Ajv, type ValidateFunction } from 'ajv';
import Fastify, { type FastifyRequest, LogController } from 'fastify';
import { identifyCallers } from './access/hook.js';
import { installationRoutes, sessionRoutes, userRoutes } from './access/routes.js';
import { folderRoutes, mapRoutes } from './containers/routes.js';
import { ServiceError } from './errors.js';
import { fileRoutes } from './files/routes.js';
import { acceptBodies } from './http/body.js';
import { usualLimit } from './http/body-limits.js';
import type { ConnectionWatch } from './http/connections.js';
import { createKnownAnswers } from './http/known-answers.js';
import { loggedUrl } from './http/logged-url.js';
import { answerOtherMethods, collectMethods, interfaceMethods, responseHeaders } from './http/methods.js';
import { documentRoutes } from './http/openapi.js';
import { refuseConnection, sendError } from './http/reply.js';
import type { App, Services } from './http/service.js';
import { limitWork } from './http/work.js';
import { projectIconRoutes } from './icons/routes.js';
import { imageRoutes } from './images/routes.js';
import { jobRoutes } from './jobs/routes.js';
import { constraintRoutes } from './layers/constraint-routes.js';
import { dictionaryRoutes } from './layers/dictionary-routes.js';
import { layerRoutes, treeRoutes } from './layers/routes.js';
import { structureRoutes } from './layers/structure.js';
import { legendRoutes } from './layers/visual/routes.js';
import { legacyRoutes } from './legacy/routes.js';
import { objectRoutes } from './objects/routes.js';
import { pageRoutes } from './pages/routes.js';
import { rightsRoutes } from './rights/routes.js';
import { searchRoutes } from './search/routes.js';
import { openTileStore } from './tiles/cache/open.js';
import { iconRoutes, tileRoutes } from './tiles/routes.js';
import { vectorTileRoutes } from './tiles/vector/routes.js';
import { transferRoutes } from './transfer/routes.js';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** How long a browser may keep the answer to a preflight, s: the longest that browsers take. */
const preflightMaxAgeS = 7_200;

interface AppParts {
  connections: ConnectionWatch;
  /** Aborted when what runs has had its time. */
  stopping: AbortSignal;
}

/** The service as a Fastify app, ready to listen. */
export async function buildApp(services: Services, { connections, stopping }: AppParts): Promise<App> {
  const { config } = services;
  const logsRequests = config.logLevel === 'debug' || config.logLevel === 'trace';
  const known = createKnownAnswers(services.db, logsRequests ? 0 : config.tileCache * 1024 * 1024);
  const app: App = Fastify({
    serverFactory: (handle, options) => connections.watch(known.serverFactory(handle, options) as Server),
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
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: refuseConnection,
  }).withTypeProvider();

  checkRequests(app);
  acceptBodies(app);
  cancelWhenGone(app, stopping);
  limitWork(app, services);
  preferChanges(app, services);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendError(new ServiceError('container_not_found', 'There is nothing at this address'), request, reply),
  );
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
  });
  const methods = collectMethods(app);
  if (config.cors) {
    await app.register(cors, {
      origin: '*',
      methods: [...interfaceMethods],
      exposedHeaders: responseHeaders,
      maxAge: preflightMaxAgeS,
      // An OPTIONS request that is no preflight is answered with the methods of the path.
      strictPreflight: false,
      preflightContinue: true,
    });
  }

  await documentRoutes(app, version);
  app.get('/readyz', { schema: { hide: true } }, async () => ({ ready: true }));
  installationRoutes(app, services);
  await app.register(async (api: App) => projectRoutes(api, services), { prefix: '/api/2.8/:project' });
  const tileStore = await openTileStore({ db: services.db, config, log: app.log });
  app.addHook('preClose', async () => known.close());
  app.addHook('onClose', () => tileStore.close());
  await app.register(
    async (tiles: App) => {
      identifyCallers(tiles, services);
      tileRoutes(tiles, services, tileStore, known);
    },
    { prefix: '/tms/:project' },
  );
  await app.register(
    async (tiles: App) => {
      identifyCallers(tiles, services);
      vectorTileRoutes(tiles, services, tileStore.bytes);
    },
    { prefix: '/mvt/:project' },
  );
  await app.register(async (pages: App) => pageRoutes(pages, services));
  answerOtherMethods(app, methods);
  // After it: they know no 405. A method that they do not have is a function that is not there.
  for (const earlier of ['2.0', '1.0'] as const) {
    await app.register(async (api: App) => legacyRoutes(api, services, earlier, projectRoutes), {
      prefix: `/api/${earlier}/:project`,
    });
  }
  return app;
}

/** The one list of the functions under a project. */
async function projectRoutes(app: App, services: Services): Promise<void> {
  identifyCallers(app, services);

  // who
  sessionRoutes(app, services);
  userRoutes(app, services);
  rightsRoutes(app, services);
  // catalogs
  mapRoutes(app, services);
  folderRoutes(app, services);
  treeRoutes(app, services);
  layerRoutes(app, services);
  legendRoutes(app, services);
  structureRoutes(app, services);
  constraintRoutes(app, services);
  dictionaryRoutes(app, services);
  // data
  objectRoutes(app, services);
  fileRoutes(app, services);
  searchRoutes(app, services);
  await app.register(async (transfer: App) => transferRoutes(transfer, services));
  jobRoutes(app, services);
  // pictures
  iconRoutes(app, services);
  await projectIconRoutes(app, services);
  imageRoutes(app, services);
}

/** Query and path values are read by their type ('5' is 5); JSON bodies are taken at their word. Answers are not filtered. */
function checkRequests(app: App): void {
  const options = { allErrors: false, useDefaults: false, removeAdditional: false, strict: false } as const;
  const ofText = new Ajv({ ...options, coerceTypes: true });
  const ofJson = new Ajv(options);
  app.setValidatorCompiler(({ schema, httpPart }) =>
    compiledWhenNeeded(httpPart === 'body' ? ofJson : ofText, schema as object),
  );
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
}

/** The check of a schema, compiled by its first request: all of them would take a third of the time of a start. */
function compiledWhenNeeded(ajv: Ajv, schema: object): ValidateFunction {
  let compiled: ValidateFunction | undefined;
  const check = (value: unknown): boolean => {
    compiled ??= ajv.compile(schema);
    const isRight = compiled(value) as boolean;
    check.errors = compiled.errors;
    return isRight;
  };
  check.errors = undefined as ValidateFunction['errors'];
  return check as ValidateFunction;
}

/** What nobody waits for any more is cancelled, and what runs when the service ends. */
function cancelWhenGone(app: App, stopping: AbortSignal): void {
  const open = new Set<AbortController>();
  stopping.addEventListener('abort', () => {
    for (const controller of open) controller.abort(stopping.reason);
  });
  app.decorateRequest('upload');
  app.decorateRequest('gone');
  app.addHook('onRequest', async (request, reply) => {
    const controller = new AbortController();
    request.gone = controller.signal;
    open.add(controller);
    reply.raw.once('close', () => {
      open.delete(controller);
      if (!reply.raw.writableFinished) controller.abort(new ServiceError('timeout', 'The client has gone'));
    });
  });
  app.addHook('onResponse', async (request) => {
    request.upload?.stream.destroy();
  });
}

/** Somebody waits for a change, and it takes little: pictures are begun after it. */
function preferChanges(app: App, { renderers }: Services): void {
  app.addHook('onRequest', async ({ method }, reply) => {
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS')
      reply.raw.once('close', renderers.giveWay());
  });
}
