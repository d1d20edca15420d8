import { badRequest, requiredMissing, ServiceError } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../http/app-type.js';
import { parseBody } from '../http/body/body.js';
import { bodyTooLarge } from '../http/body/body-limits.js';
import { originOf } from '../http/origin.js';
import { Path, Query } from '../http/params.js';
import { asServiceError, sendError } from '../http/reply.js';
import type { EarlierVersion } from '../http/versions.js';
import type { Services } from '../services.js';
import { byKey, type Difference, differences, keyOf } from './differences.js';
import { initialSettings } from './start.js';
import { earlierError } from './translate.js';

/** The functions under a project, as `app.ts` lists them. */
type Functions = (app: App, services: Services) => Promise<void>;

/**
 * Registers an earlier version of the interface: the functions of 2.8 in a scope of their own, each with its
 * translation from the table of differences. A function that the version lacks is answered 404.
 */
export async function legacyRoutes(
  app: App,
  services: Services,
  version: EarlierVersion,
  functions: Functions,
): Promise<void> {
  const table = byKey(differences[version]);
  const { config } = services;
  const sessionIdleS = version === '2.0' ? config.sessionIdle20S : config.sessionIdleS;
  const own: Services = { ...services, config: { ...config, sessionIdleS } };
  app.setErrorHandler((error, request, reply) =>
    sendError(earlierError(asServiceError(error, request)), request, reply),
  );
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true };
    const key = keyOf('PUT', route.routePath);
    // Version 2.8 has only PUT here.
    if (route.method === 'PUT' && key.endsWith('/geom')) route.method = ['PUT', 'PATCH'];
    translated(route, (request) => table.get(keyOf(request.method, route.routePath)), version, own);
  });
  await functions(app, own);
  startRoute(app, own);
}

/**
 * Adds the translations before and after the function. Streams pass unchanged: no function that streams
 * differs.
 */
function translated(
  route: RouteOptions,
  differenceOf: (request: FastifyRequest) => Difference | undefined,
  version: EarlierVersion,
  services: Services,
): void {
  route.onRequest = [
    ...[route.onRequest ?? []].flat(),
    async (request) => {
      if (!differenceOf(request))
        throw new ServiceError(
          'container_not_found',
          `Version ${version} of the interface has no such function`,
        );
    },
  ];
  route.preValidation = [
    ...[route.preValidation ?? []].flat(),
    async (request) => differenceOf(request)?.asks?.(request, services),
  ];
  route.onSend = [
    // This hook comes first, since the next one keeps only the length of a HEAD response.
    async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
      const answers = differenceOf(request)?.answers;
      if (!answers || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
      return JSON.stringify(await answers(JSON.parse(payload), request, services));
    },
    ...[route.onSend ?? []].flat(),
  ];
}

/**
 * Route of the initial settings of a public map. `map_code` is in the body of the GET or, for clients that
 * cannot send one, in the query.
 */
function startRoute(app: App, services: Services): void {
  app.get(
    '/',
    { schema: { params: Path(), querystring: Query({ map_code: Type.Optional(Type.String()) }) } },
    async (request) => {
      const { caller, query, gone } = request;
      const code = query.map_code ?? (await bodyOfGet(request)).map_code;
      if (code === undefined) throw requiredMissing('map_code');
      if (typeof code !== 'string') throw badRequest('map_code must be a text', { parameters: ['map_code'] });
      const origin = originOf(request, services.config);
      return initialSettings(services, { caller, map: code, lng: query.lng, origin, signal: gone });
    },
  );
}

/** Largest body of a GET, bytes. */
const getLimit = 16 * 1024;

/** The body of a GET, which Fastify leaves unread: JSON or a form; `{}` without one. Throws 400, 413. */
async function bodyOfGet(request: FastifyRequest): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  let size = 0;
  // A destroyed request would close the connection before the response, so the rest is read and discarded.
  for await (const part of request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > getLimit) break;
    parts.push(part);
  }
  request.raw.resume();
  if (size > getLimit) throw bodyTooLarge(getLimit);
  const body = await parseBody(Buffer.concat(parts), request.headers['content-type']);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
