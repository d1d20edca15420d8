import type { FastifyRequest } from 'fastify';
import { badRequest, ServiceError } from '../errors.js';
import { inOwnTurn } from '../http/body.js';
import type { App, Services } from '../http/service.js';
import { identify } from './sessions.js';

/**
 * Sets the caller on every route of this scope that has a project in its path, after the body was parsed and before it is
 * checked: the token is taken from the query, `Authorization: Bearer`, `X-Token`, or a form or multipart field; first found wins.
 */
export function identifyCallers(app: App, services: Services): void {
  app.decorateRequest('caller');
  app.decorateRequest('token');
  app.addHook('preValidation', async (request) => {
    const { project } = request.params as { project?: string };
    if (project === undefined) return;
    const { token: rule } = request.routeOptions.config;
    request.token = tokenOf(request);
    if (rule === 'own') {
      request.caller = await identify(services.db, project, undefined);
      return;
    }
    request.caller = await identify(services.db, project, request.token);
    if (rule === 'required' && !request.caller.account) throw new ServiceError('not_authenticated');
    await inOwnTurn(request);
  });
}

/** The token of a request, wherever it stands; undefined where there is none. An empty one, such as logout/ answers, is none. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const { token: inQuery } = request.query as { token?: unknown };
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '');
  return (
    single(inQuery) ||
    bearer?.[1] ||
    single(request.headers['x-token']) ||
    single(tokenInBody(request)) ||
    undefined
  );
}

function tokenInBody(request: FastifyRequest): unknown {
  const type = request.headers['content-type'] ?? '';
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type);
  if (!isForm && !request.routeOptions.config.tokenInBody) return undefined;
  return (request.body as { token?: unknown } | null | undefined)?.token;
}

function single(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw badRequest('token must be one text', { parameters: ['token'] });
}
