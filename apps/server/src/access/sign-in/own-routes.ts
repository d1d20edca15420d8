import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../../config.js';
import type { App } from '../../http/app-type.js';
import { answers, common, Path, Query } from '../../http/params.js';
import { accountOf } from '../caller.js';
import { changeOwnPassword, endOtherSessions, endSession, listSessions, makeKey } from './own-sessions.js';

/** Services that this file uses. */
export interface OwnServices {
  readonly db: Database;
  readonly config: Config;
}

const tags = ['authentication'];
const config = { token: 'required' } as const;
const extension = 'An extension of the interface.';

/** A session in an answer. */
export const SessionAnswer = Type.Object({
  id: Type.String({ description: 'Names the session; it is no token' }),
  kind: Type.Enum(['rest', 'console', 'key'], {
    description: 'rest: of a program; console: of a browser; key: of a key for a program',
  }),
  name: Type.String({ description: 'Of a key: what its user calls it; else empty' }),
  project: Type.String({ description: 'Code of the project' }),
  last_used: Type.String({ description: 'ISO 8601, exact to a tenth of the idle time' }),
  ends: Type.String({ description: 'When it ends unless it is used' }),
  current: Type.Boolean({ description: 'Whether the request came in it' }),
});

/** The account and the token of a request. */
function ownOf({ caller, token }: FastifyRequest): { id: number; login: string; token: string } {
  const { id, login } = accountOf(caller);
  if (token === undefined) throw new ServiceError('not_authenticated');
  return { id, login, token };
}

/** Routes of the caller's own password and sessions. */
export function ownRoutes(app: App, services: OwnServices): void {
  passwordRoute(app, services); // PUT /login/password
  keyRoute(app, services); // POST /login/keys
  sessionListRoutes(app, services); // GET, DELETE /login/sessions; DELETE /login/sessions/:session
}

function passwordRoute(app: App, { db, config: settings }: OwnServices): void {
  app.put(
    '/login/password',
    {
      config: { ...config, tokenInBody: true },
      schema: {
        tags,
        summary: 'Change the own password',
        description: `Needs the present one. Ends the caller's other sessions. After too many failures: 429 with \`Retry-After\`. ${extension}`,
        params: Path(),
        querystring: Query({}),
        body: Type.Object({
          password: Type.String({ description: 'The present password' }),
          new_password: Type.String({ description: '8 to 1,024 characters' }),
          token: common.token,
        }),
        response: answers(Type.Literal(true)),
      },
    },
    async (request) => {
      const { id: accountId, login, token } = ownOf(request);
      const { password, new_password: next } = request.body;
      await changeOwnPassword(db, settings, { accountId, login, token, address: request.ip, password, next });
      return true;
    },
  );
}

function keyRoute(app: App, { db, config: settings }: OwnServices): void {
  app.post(
    '/login/keys',
    {
      config: { ...config, tokenInBody: true },
      schema: {
        tags,
        summary: 'Make a key for a program',
        description:
          'The key is a token with the rights of its user in this project. It is answered once, ends after days without use and with a new ' +
          'password, and is among the sessions, where it can be ended. Needs the present password. After too many failures: 429 with ' +
          `\`Retry-After\`. ${extension}`,
        params: Path(),
        querystring: Query({}),
        body: Type.Object({
          password: Type.String({ description: 'The present password' }),
          name: Type.String({ minLength: 1, maxLength: 100, description: 'What the key is called' }),
          days: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 366, description: 'It ends after so long without use; 90' }),
          ),
          token: common.token,
        }),
        response: answers(Type.Object({ token: Type.String() })),
      },
    },
    async (request, reply) => {
      const { id: accountId, login } = ownOf(request);
      const { password, name, days = 90 } = request.body;
      const projectId = request.caller.project.id;
      reply.header('cache-control', 'private, no-store');
      const proof = { accountId, login, address: request.ip, password };
      return { token: await makeKey(db, settings, { ...proof, projectId, name, days }) };
    },
  );
}

function sessionListRoutes(app: App, { db }: OwnServices): void {
  app.get(
    '/login/sessions',
    {
      config,
      schema: {
        tags,
        summary: 'The own sessions',
        description: `In all projects, the last used first. ${extension}`,
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Array(SessionAnswer)),
      },
    },
    async (request, reply) => {
      const { id, token } = ownOf(request);
      reply.header('cache-control', 'private, no-store');
      return listSessions(db, id, token);
    },
  );

  app.delete(
    '/login/sessions',
    {
      config,
      schema: {
        tags,
        summary: 'End all own sessions but this',
        description: extension,
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Object({ ended: Type.Integer({ description: 'Sessions that were ended' }) })),
      },
    },
    async (request) => {
      const { id, token } = ownOf(request);
      return { ended: await db.shortTransaction((tx) => endOtherSessions(tx, id, token)) };
    },
  );

  app.delete(
    '/login/sessions/:session',
    {
      config,
      schema: {
        tags,
        summary: 'End one of the own sessions',
        description: `Also the one in which the request comes. ${extension}`,
        params: Path('session'),
        querystring: Query({}),
        response: answers(Type.Literal(true)),
      },
    },
    async (request) => {
      await endSession(db, ownOf(request).id, request.params.session);
      return true;
    },
  );
}
