import type { Database } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import type { App } from '../http/app-type.js';
import { yieldForLargeBody } from '../http/body/body.js';
import { isFromOwnPage, isReading } from '../http/origin.js';
import type { Caller } from './caller.js';
import { spellLanguages } from './languages.js';
import { hasCsrfToken, tokensInCookies } from './sign-in/cookies.js';
import { identify, identifyByCookie, tokenLength } from './sign-in/sessions.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `identifyCallers` on every route under a project. */
    caller: Caller;
  }
}

/** Services that this file uses. */
export interface CallerServices {
  readonly db: Database;
  readonly config: Config;
}

/**
 * Sets the caller on every route of this scope that has a project in its path, after the body is parsed and
 * before it is validated. The token comes from the query, `Authorization: Bearer`, the password of `Authorization: Basic`, `X-Token`, or a
 * form or multipart field, in this order. Without a token the session cookie of the pages counts, when such a page
 * sends the request.
 */
export function identifyCallers(app: App, services: CallerServices): void {
  app.decorateRequest('caller');
  app.decorateRequest('token');
  app.addHook('onSend', (request, reply, _payload, done) => {
    keepFromOthers(request, reply);
    done();
  });
  app.addHook('preValidation', async (request) => {
    const { project } = request.params as { project?: string };
    if (project === undefined) return;
    const { token: rule } = request.routeOptions.config;
    request.token = tokenOf(request);
    if (rule === 'own') {
      request.caller = await identify(services.db, project, undefined);
      return;
    }
    const inCookie = request.token === undefined ? cookieOf(request, services.config, project) : undefined;
    if (inCookie !== undefined) {
      request.caller = await identifyByCookie(services.db, project, inCookie);
      // A response to an account is private, as one to a token is.
      if (request.caller.account) request.token = inCookie;
    } else request.caller = await identify(services.db, project, request.token);
    if (rule === 'required' && !request.caller.account) throw new ServiceError('not_authenticated');
    for (const parameters of [request.query, request.body]) spellLanguages(parameters, request.caller);
    await yieldForLargeBody(request);
  });
}

/**
 * The token in the session cookie, for requests of our own pages. Throws 403 for a write without the CSRF
 * token of the page.
 */
function cookieOf(request: FastifyRequest, config: Config, project: string): string | undefined {
  if (request.headers.cookie === undefined) return undefined;
  const token = tokensInCookies(request, config).get(project);
  if (token === undefined || !isFromOwnPage(request, config)) return undefined;
  if (isReading(request.method) || hasCsrfToken(request, token)) return token;
  throw new ServiceError('forbidden', 'With a cookie, requests other than GET need the header X-CSRF-Token');
}

/** A response to a cookie is private to this browser, and never serves another user of it. */
function keepFromOthers({ caller, headers }: FastifyRequest, reply: FastifyReply): void {
  if (caller?.session !== 'console' || headers.cookie === undefined) return;
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-store');
  const varies = [reply.getHeader('vary') ?? []].flat().join(', ');
  reply.header('vary', varies ? `${varies}, Cookie` : 'Cookie');
}

/** The token of a request; undefined without one. An empty token, such as logout/ returns, counts as none. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const { token: inQuery } = request.query as { token?: unknown };
  return (
    single(inQuery) ||
    tokenInAuthorization(request.headers) ||
    single(request.headers['x-token']) ||
    single(tokenInBody(request)) ||
    undefined
  );
}

/**
 * The token of a header `Authorization`. Many programs know only Basic (RFC 7617): a password in the form of a token counts as one, whatever the
 * name. Other passwords count as none, since they may be for a proxy before this service; so do those that a browser sends by itself.
 */
function tokenInAuthorization(headers: FastifyRequest['headers']): string | undefined {
  const [, scheme, value = ''] = /^(Bearer|Basic)\s+(\S+)\s*$/i.exec(headers.authorization ?? '') ?? [];
  if (scheme?.toLowerCase() !== 'basic') return scheme && value;
  if (headers['sec-fetch-site'] !== undefined || headers.origin !== undefined) return undefined;
  const [, password] = /^[^:]*:([\w-]+)$/.exec(Buffer.from(value, 'base64').toString()) ?? [];
  return password?.length === tokenLength ? password : undefined;
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
