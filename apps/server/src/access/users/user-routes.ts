import type { Database, Queryable } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.js';
import { answers, common, Path, Query } from '../../http/params.js';
import { accountOf, type Caller } from '../caller.js';
import { demandOnProject, keepingAdministrator } from '../rights.js';
import { changeUser, createUser, deleteUser, findUser, listLogins } from './users.js';

/** Services that this file uses. */
export interface UserServices {
  readonly db: Database;
}

const tags = ['users'];
const config = { token: 'required', tokenInBody: true } as const;

const Text = Type.Optional(Type.String({ maxLength: 1000 }));
const Password = Type.String({ description: '8 to 1,024 characters' });
const UserBody = {
  password: Type.Optional(Password),
  name: Text,
  email: Text,
  groups: Type.Optional(
    Type.Array(Type.String(), { maxItems: 1000, description: 'Names of groups; made when new' }),
  ),
  publicAccess: Type.Optional(
    Type.Boolean({
      description: 'Whether rights of the public user count too; true when absent in a new user',
    }),
  ),
  guiAccess: Type.Optional(
    Type.Boolean({ description: 'Whether the user may use the administration console' }),
  ),
  token: common.token,
};
const Login = Type.String({
  description: '1 to 63 visible characters, without spaces and slashes; not `public`, `list` or `info`',
});
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

/** Routes of the users of a project. */
export function userRoutes(app: App, services: UserServices): void {
  readRoutes(app, services);
  createRoute(app, services);
  changeRoutes(app, services);
}

function readRoutes(app: App, { db }: UserServices): void {
  app.get(
    '/users/list',
    {
      config,
      schema: {
        tags,
        summary: 'Logins that can sign in to the project (administrator)',
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Array(Type.String())),
      },
    },
    async ({ caller }) => {
      await demandOnProject(db, caller, 'administer');
      return listLogins(db, caller.project.id);
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
          login: Type.Optional(
            Type.String({ description: 'Another user (administrator); the caller when absent or empty' }),
          ),
        }),
        response: answers(User),
      },
    },
    async ({ caller, query }) => {
      const own = accountOf(caller).login;
      const login = query.login || own;
      if (login !== own) await demandOnProject(db, caller, 'administer');
      return findUser(db, caller.project.id, login);
    },
  );
}

function createRoute(app: App, { db }: UserServices): void {
  app.post(
    '/users',
    {
      config,
      schema: {
        tags,
        summary: 'Make a user (administrator)',
        params: Path(),
        querystring: Query({}),
        body: Type.Object({ ...UserBody, login: Login, password: Password }),
        response: answers(User),
      },
    },
    async ({ caller, body }) => {
      await demandOnProject(db, caller, 'administer');
      await createUser(db, caller.project.id, body);
      return findUser(db, caller.project.id, body.login);
    },
  );
}

function changeRoutes(app: App, { db }: UserServices): void {
  const keeping =
    (caller: Caller) =>
    (tx: Queryable, work: () => Promise<void>): Promise<void> =>
      keepingAdministrator(tx, caller, work);

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
        body: Type.Object({ ...UserBody, login: Type.Optional(Login) }),
        response: answers(User),
      },
    },
    async ({ caller, body, params }) => {
      await demandOnProject(db, caller, 'administer');
      await changeUser(db, { of: caller.project.id, login: params.login }, body, keeping(caller));
      return findUser(db, caller.project.id, body.login ?? params.login);
    },
  );

  app.delete(
    '/users/:login',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a user (administrator)',
        description: 'What the user has made stays.',
        params: Path('login'),
        querystring: Query({}),
        response: answers(Type.Literal(true)),
      },
    },
    async ({ caller, params }) => {
      await demandOnProject(db, caller, 'administer');
      if (params.login === accountOf(caller).login)
        throw badRequest('Nobody can delete himself', { login: params.login });
      await deleteUser(db, { of: caller.project.id, login: params.login }, keeping(caller));
      return true;
    },
  );
}
