import type { Database } from '@cartulary/database';
import { badRequest, requiredMissing, ServiceError } from '@cartulary/errors';
import { type TSchema, Type } from 'typebox';
import type { Config } from '../../config.js';
import type { App } from '../../http/app-type.js';
import { parametersOf } from '../../http/body/body.js';
import { answers, common, Path, Query } from '../../http/params.js';
import { accountOf, type Caller, type SessionKind } from '../caller.js';
import { demand, rightOfUser, rightOnProject } from '../rights.js';
import type { IdentityProvider } from './identity-provider.js';
import { logInExternally } from './identity-provider.js';
import { logIn } from './login.js';
import { findProjectUser } from './logins.js';
import { closeSession, identify, openSession } from './sessions.js';

/** Services that this file uses. */
export interface SessionServices {
  readonly db: Database;
  readonly config: Config;
  readonly identityProvider: IdentityProvider | undefined;
}

const tags = ['authentication'];
const Token = Type.Object({ token: Type.String() });
const text = (description: string) => Type.Optional(Type.String({ description }));

/** The parameters in a form, multipart or JSON body. null stands for a request without a body. */
const Body = <T extends Record<string, TSchema>>(parameters: T) =>
  Type.Union([Type.Object(parameters), Type.Null()], {
    description: 'The parameters, where not in the query',
  });
const consumes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
const ownToken = { token: common.token };

/** A text parameter under one of its names, from the query or the body. Throws `required_missing` or 400. */
function textParameter(parameters: Record<string, unknown>, ...names: string[]): string {
  const name = names.find((candidate) => parameters[candidate] !== undefined);
  if (name === undefined) throw requiredMissing(names[0]!);
  const value = parameters[name];
  if (typeof value !== 'string') throw badRequest(`${name} must be one text`, { parameters: [name] });
  return value;
}

/**
 * Routes of sessions: login, logout, authorized, ext-login, ext-auth. Parameters come in the query, a form or
 * JSON.
 */
export function sessionRoutes(app: App, services: SessionServices): void {
  loginRoute(app, services);
  logoutRoute(app, services);
  authorizedRoute(app, services);
  externalLoginRoute(app, services);
  tokenForOthersRoute(app, services);
}

function loginRoute(app: App, { db, config }: SessionServices): void {
  const parameters = {
    login: text('User login (or `user`)'),
    user: text('The same as login'),
    password: text('Password (or `pass`)'),
    pass: text('The same as password'),
  };
  app.post(
    '/login',
    {
      config: { token: 'own' },
      schema: {
        tags,
        summary: 'Sign in',
        description: 'After too many failures of one login from one address: 429 with `Retry-After`.',
        params: Path(),
        consumes,
        querystring: Type.Object({ ...parameters, lng: common.lng, f: common.f }),
        body: Body(parameters),
        response: answers(Token),
      },
    },
    async (request) => {
      const sent = parametersOf(request);
      const missing = [
        ['login', 'user'],
        ['password', 'pass'],
      ].filter((names) => names.every((name) => sent[name] === undefined));
      if (missing.length) throw requiredMissing(...missing.map(([name]) => name!));
      const token = await logIn(db, config, {
        projectId: request.caller.project.id,
        login: textParameter(sent, 'login', 'user'),
        password: textParameter(sent, 'password', 'pass'),
        address: request.ip,
      });
      return { token };
    },
  );
}

function logoutRoute(app: App, { db }: SessionServices): void {
  app.post(
    '/logout',
    {
      config: { token: 'own', tokenInBody: true },
      schema: {
        tags,
        summary: 'Sign out',
        description: 'Ends the session; a token that is not good is no error.',
        params: Path(),
        consumes,
        querystring: Query({}),
        body: Body(ownToken),
        response: answers(Token),
      },
    },
    async ({ caller, token }) => {
      if (token === undefined) throw new ServiceError('not_authenticated');
      await closeSession(db, caller.project.id, token);
      return { token: '' };
    },
  );
}

function authorizedRoute(app: App, { db }: SessionServices): void {
  app.get(
    '/authorized',
    {
      config: { token: 'own', tokenInBody: true },
      schema: {
        tags,
        summary: 'Whether a token is good',
        description: 'false too for a session of the administration console.',
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Boolean()),
      },
    },
    async ({ caller, token }, reply) => {
      const kind = token === undefined ? null : await sessionKind(identify(db, caller.project.code, token));
      return reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(kind === 'rest' || kind === 'key'));
    },
  );
}

/** The kind of the session; null for an invalid token. */
async function sessionKind(caller: ReturnType<typeof identify>): Promise<SessionKind | null> {
  try {
    return (await caller).session;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_authenticated') return null;
    throw error;
  }
}

function externalLoginRoute(app: App, { db, config, identityProvider }: SessionServices): void {
  const external = { token: text('External authorization token of the user') };
  app.post(
    '/ext-login',
    {
      config: { token: 'own', tokenInBody: true },
      schema: {
        tags,
        summary: 'Sign in with a token of an identity provider',
        description:
          'The token is a JSON Web Token of the configured identity provider that names the login of a user of the project. ' +
          'Answers 403 where no identity provider is configured; after too many failures from one address 429 with `Retry-After`; ' +
          '503 while the keys of the provider cannot be had.',
        params: Path(),
        consumes,
        querystring: Type.Object({ ...external, lng: common.lng, f: common.f }),
        body: Body(external),
        response: answers(Token),
      },
    },
    async ({ token, caller, ip }) => {
      if (token === undefined) throw requiredMissing('token');
      if (!identityProvider) throw new ServiceError('forbidden', 'No identity provider is configured');
      const attempt = { projectId: caller.project.id, token, address: ip };
      return { token: await logInExternally({ db, config }, identityProvider, attempt) };
    },
  );
}

function tokenForOthersRoute(app: App, { db, config }: SessionServices): void {
  const other = { login: text('Login of the other user') };
  app.post(
    '/ext-auth',
    {
      config: { token: 'required', tokenInBody: true },
      schema: {
        tags,
        summary: 'A token for another user',
        description:
          'For callers with the right to edit the project. 403 for a user with a higher right on the project than the caller, ' +
          'and for a login that the project does not have. The own login is answered with a new token.',
        params: Path(),
        consumes,
        querystring: Query(other),
        body: Body({ ...other, ...ownToken }),
        response: answers(Token),
      },
    },
    async (request) => {
      const { caller } = request;
      const right = await rightOnProject(db, caller);
      demand(caller, right, 'edit');
      const login = textParameter(parametersOf(request), 'login');
      const accountId = await accountWithin(db, { caller, right }, login);
      const token = await openSession(db, {
        projectId: caller.project.id,
        accountId,
        kind: 'rest',
        idleSeconds: config.sessionIdleS,
        most: config.sessionsPerUser,
      });
      return { token };
    },
  );
}

/**
 * The account of a login for which the caller may have a token: its own, or that of a user of the project
 * without a higher right. Throws 403 `login_failed`, `forbidden`.
 */
async function accountWithin(
  db: Database,
  { caller, right }: { caller: Caller; right: number },
  login: string,
): Promise<number> {
  const own = accountOf(caller);
  if (login === own.login) return own.id;
  const accountId = await findProjectUser(db, caller.project.id, login);
  const theirRight = accountId === undefined ? undefined : await rightOfUser(db, caller, accountId);
  if (accountId === undefined || theirRight === undefined)
    throw new ServiceError('login_failed', 'This user does not exist in the project');
  if (theirRight > right) {
    throw new ServiceError(
      'forbidden',
      `The user '${login}' has a higher right on the project than you: no token is given for it`,
    );
  }
  return accountId;
}
