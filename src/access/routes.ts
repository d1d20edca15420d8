import { Type } from 'typebox';
import { sql } from '../db/sql.js';
import { badRequest, requiredMissing, ServiceError } from '../errors.js';
import { parametersOf } from '../http/body.js';
import { answers, common, Path, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { accountOf } from './caller.js';
import { tokenOf } from './hook.js';
import { logIn } from './login.js';
import { createProject } from './projects.js';
import { demandOnProject } from './rights.js';
import { closeSession, identify, isInstallerToken, openSession } from './sessions.js';
import { changeUser, createUser, deleteUser, findUser, listLogins, type UserInput } from './users.js';

const Token = Type.Object({ token: Type.String() });
const UserBody = {
  password: Type.Optional(Type.String({ description: '8 to 1,024 characters' })),
  name: Type.Optional(Type.String({ maxLength: 1000 })),
  email: Type.Optional(Type.String({ maxLength: 1000 })),
  groups: Type.Optional(
    Type.Array(Type.String(), { maxItems: 1000, description: 'Names of groups; made when new' }),
  ),
  publicAccess: Type.Optional(Type.Boolean({ description: 'Whether rights of the public user count too' })),
  guiAccess: Type.Optional(
    Type.Boolean({ description: 'Whether the user may use the administration console' }),
  ),
};
const User = Type.Object({
  id: Type.Integer(),
  login: Type.String(),
  name: Type.String(),
  email: Type.String(),
  password: Type.Null(),
  groups: Type.Array(Type.String()),
  publicAccess: Type.Boolean(),
  guiAccess: Type.Boolean(),
});

/** A text parameter under one of its names, from the query or the body. Throws `required_missing` or 400. */
function textParameter(parameters: Record<string, unknown>, ...names: string[]): string {
  const name = names.find((candidate) => parameters[candidate] !== undefined);
  if (name === undefined) throw requiredMissing(names[0]!);
  const value = parameters[name];
  if (typeof value !== 'string') throw badRequest(`${name} must be one text`, { parameters: [name] });
  return value;
}

/** Sessions: login, logout, authorized, ext-login, ext-auth. Parameters come in the query, a form or JSON alike. */
export function sessionRoutes(app: App, { db, config }: Services): void {
  const tags = ['authentication'];
  const LoginQuery = Type.Object({
    login: Type.Optional(Type.String({ description: 'User login (or `user`)' })),
    user: Type.Optional(Type.String({ description: 'The same as login' })),
    password: Type.Optional(Type.String({ description: 'Password (or `pass`)' })),
    pass: Type.Optional(Type.String({ description: 'The same as password' })),
  });

  app.post(
    '/login',
    {
      config: { token: 'own' },
      schema: { tags, summary: 'Sign in', params: Path(), querystring: LoginQuery, response: answers(Token) },
    },
    async (request) => {
      const parameters = parametersOf(request);
      const login = textParameter(parameters, 'login', 'user');
      const password = textParameter(parameters, 'password', 'pass');
      const token = await logIn(db, config, {
        projectId: request.caller.project.id,
        login,
        password,
        address: request.ip,
      });
      return { token };
    },
  );

  app.post(
    '/logout',
    {
      config: { token: 'own', tokenInBody: true },
      schema: { tags, summary: 'Sign out', params: Path(), querystring: Query({}), response: answers(Token) },
    },
    async (request) => {
      if (request.token !== undefined) await closeSession(db, request.token);
      return { token: '' };
    },
  );

  app.get(
    '/authorized',
    {
      config: { token: 'own', tokenInBody: true },
      schema: {
        tags,
        summary: 'Whether a token is good',
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Boolean()),
      },
    },
    async (request, reply) => {
      const { token } = request;
      const session =
        token === undefined
          ? null
          : await sessionKind(() => identify(db, request.caller.project.code, token));
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(session === 'rest'));
    },
  );

  app.post(
    '/ext-login',
    {
      config: { token: 'own' },
      schema: {
        tags,
        summary: 'Sign in with a token of an identity provider',
        description: 'Answers 403 where no identity provider is configured.',
        params: Path(),
        querystring: Type.Object({
          token: Type.Optional(Type.String({ description: 'External authorization token' })),
        }),
        response: answers(Token),
      },
    },
    async (request) => {
      textParameter(parametersOf(request), 'token');
      throw new ServiceError('forbidden', 'No identity provider is configured');
    },
  );

  app.post(
    '/ext-auth',
    {
      config: { token: 'required', tokenInBody: true },
      schema: {
        tags,
        summary: 'A token for another user',
        description: 'For callers with the right to edit the project.',
        params: Path(),
        querystring: Query({ login: Type.Optional(Type.String({ description: 'Login of the other user' })) }),
        response: answers(Token),
      },
    },
    async (request) => {
      const { caller } = request;
      await demandOnProject(db, caller, 'edit');
      const login = textParameter(parametersOf(request), 'login');
      const [user] = await db.query<{ id: number }>(sql`
        select id from cartulary.account where project_id = ${caller.project.id} and login = ${login}`);
      if (!user) throw new ServiceError('login_failed', `The user '${login}' does not exist`);
      const session = {
        projectId: caller.project.id,
        accountId: user.id,
        kind: 'rest',
        idleSeconds: config.sessionIdle,
      } as const;
      return { token: await openSession(db, session) };
    },
  );
}

/** The kind of the session, null where the token is not good. */
async function sessionKind(find: () => ReturnType<typeof identify>): Promise<'rest' | 'console' | null> {
  try {
    return (await find()).session;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_authenticated') return null;
    throw error;
  }
}

/** Users of a project. */
export function userRoutes(app: App, { db }: Services): void {
  const tags = ['users'];
  const config = { token: 'required', tokenInBody: true } as const;

  app.get(
    '/users/list',
    {
      config,
      schema: {
        tags,
        summary: 'Logins of the project (administrator)',
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Array(Type.String())),
      },
    },
    async (request) => {
      await demandOnProject(db, request.caller, 'administer');
      return listLogins(db, request.caller.project.id);
    },
  );

  app.get(
    '/users/info',
    {
      config,
      schema: {
        tags,
        summary: 'The caller, or for administrators any user',
        params: Path(),
        querystring: Query({
          login: Type.Optional(Type.String({ description: 'Another user (administrator)' })),
        }),
        response: answers(User),
      },
    },
    async (request) => {
      const { caller } = request;
      const own = accountOf(caller).login;
      const login = request.query.login ?? own;
      if (login !== own) await demandOnProject(db, caller, 'administer');
      return shown(await findUser(db, caller.project.id, login), login);
    },
  );

  app.post(
    '/users',
    {
      config,
      schema: {
        tags,
        summary: 'Make a user (administrator)',
        params: Path(),
        querystring: Query({}),
        body: Type.Object({ login: Type.String(), ...UserBody, password: Type.String() }),
        response: answers(User),
      },
    },
    async (request) => {
      const { caller, body } = request;
      await demandOnProject(db, caller, 'administer');
      await createUser(db, caller.project.id, body);
      return shown(await findUser(db, caller.project.id, body.login), body.login);
    },
  );

  app.patch(
    '/users/:login',
    {
      config,
      schema: {
        tags,
        summary: 'Change a user (administrator)',
        description: 'A new password ends the sessions of the user.',
        params: Path('login'),
        querystring: Query({}),
        body: Type.Object({ login: Type.Optional(Type.String()), ...UserBody }),
        response: answers(User),
      },
    },
    async (request) => {
      const { caller, body, params } = request;
      await demandOnProject(db, caller, 'administer');
      await changeUser(db, caller.project.id, params.login, body as UserInput);
      const login = body.login ?? params.login;
      return shown(await findUser(db, caller.project.id, login), login);
    },
  );

  app.delete(
    '/users/:login',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a user (administrator)',
        params: Path('login'),
        querystring: Query({}),
        response: answers(Type.Literal(true)),
      },
    },
    async (request) => {
      const { caller, params } = request;
      await demandOnProject(db, caller, 'administer');
      if (params.login === accountOf(caller).login)
        throw badRequest('Nobody can delete himself', { login: params.login });
      await deleteUser(db, caller.project.id, params.login);
      return true;
    },
  );
}

function shown<T>(user: T | undefined, login: string): T {
  if (!user) throw new ServiceError('container_not_found', `The user '${login}' does not exist`);
  return user;
}

/** What lies above the projects: the versions, and new projects. */
export function installationRoutes(app: App, { db }: Services): void {
  app.get(
    '/api',
    {
      schema: {
        tags: ['projects'],
        summary: 'The versions of the interface',
        response: answers(Type.Array(Type.String())),
      },
    },
    async () => ['2.8'],
  );

  app.post(
    '/api/2.8',
    {
      schema: {
        tags: ['projects'],
        summary: 'Make a project (administrator of the installation)',
        description: 'With the token of a session in any project.',
        querystring: Type.Object({ token: common.token }),
        body: Type.Object({
          code: Type.String(),
          name: Type.Optional(Type.String({ maxLength: 1000 })),
          languages: Type.Optional(
            Type.Array(Type.String(), { maxItems: 100, description: 'Language codes, the main one first' }),
          ),
        }),
        security: [{ token: [] }, { bearer: [] }],
        response: answers(
          Type.Object({
            id: Type.Integer(),
            code: Type.String(),
            name: Type.String(),
            languages: Type.Array(Type.String()),
          }),
        ),
      },
    },
    async (request) => {
      if (!(await isInstallerToken(db, tokenOf(request))))
        throw new ServiceError('forbidden', 'Only an administrator of the installation makes projects');
      return db.transaction((tx) => createProject(tx, request.body));
    },
  );
}
