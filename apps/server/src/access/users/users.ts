import { type Database, type Queryable, sqlState } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { checkLogin, findUserId, isLogin, type UsersOf, userNotFound } from '../sign-in/logins.js';
import { hashPassword } from '../sign-in/passwords.js';
import { closeSessions } from '../sign-in/sessions.js';
import { checkTexts } from '../storable-texts.js';
import { setGroups } from './groups.js';

/** A user as `users/info/` shows it. */
export interface UserView {
  id: number;
  login: string;
  name: string;
  email: string;
  password: null;
  groups: string[];
  publicAccess: boolean;
  guiAccess: boolean;
}

/** The fields of a user that can be set. An absent field keeps its value. */
export interface UserInput {
  login?: string;
  password?: string;
  name?: string;
  email?: string;
  groups?: string[];
  publicAccess?: boolean;
  guiAccess?: boolean;
}

const asView = sql`
  a.id, a.login, a.name, a.email, null as password,
  array(select g.name from cartulary.user_group g join cartulary.membership m on m.group_id = g.id
    where m.account_id = a.id order by g.name) as groups,
  a.public_access as "publicAccess", a.gui_access as "guiAccess"`;

/** The logins that can sign in to a project: its users and the administrators of the installation. */
export async function listLogins(db: Queryable, projectId: number): Promise<string[]> {
  const rows = await db.query<{ login: string }>(sql`
    select login from cartulary.account where project_id = ${projectId} or project_id is null order by login`);
  return rows.map((row) => row.login);
}

/** The users of a project, or the administrators of the installation. */
export const listUsers = (db: Queryable, of: UsersOf): Promise<UserView[]> =>
  db.query<UserView>(sql`
    select ${asView} from cartulary.account a where coalesce(a.project_id, 0) = ${of ?? 0} order by a.login`);

/**
 * The user of a login in a project: a user of the project, or an administrator of the installation. Throws
 * 404.
 */
export async function findUser(db: Queryable, projectId: number, login: string): Promise<UserView> {
  const [user] = isLogin(login)
    ? await db.query<UserView>(sql`
        select ${asView} from cartulary.account a
        where a.login = ${login} and (a.project_id = ${projectId} or a.project_id is null)
        order by a.project_id nulls last limit 1`)
    : [];
  if (!user) throw userNotFound(login);
  return user;
}

/** Creates a user. Returns its id. Throws `code_taken`, `code_invalid`, `code_reserved`, 400. */
export async function createUser(
  db: Database,
  of: UsersOf,
  input: UserInput & { login: string; password: string },
): Promise<number> {
  checkLogin(input.login);
  checkTexts({ name: input.name, email: input.email });
  await refuseTaken(db, of, input.login);
  const hash = await hashPassword(input.password);
  return db.transaction(async (tx) => {
    await refuseTaken(tx, of, input.login);
    const [made] = await tx.query<{ id: number }>(sql`
      insert into cartulary.account (project_id, login, password_hash, name, email, public_access, gui_access)
      values (${of}, ${input.login}, ${hash}, ${input.name ?? ''}, ${input.email ?? ''},
        ${input.publicAccess ?? true}, ${input.guiAccess ?? false})
      on conflict do nothing returning id`);
    if (!made) throw loginTaken(input.login);
    if (input.groups) await setGroups(tx, of, made.id, input.groups);
    return made.id;
  });
}

const loginTaken = (login: string): ServiceError =>
  new ServiceError('code_taken', `The login '${login}' is already in use`, { login });

/**
 * A login stands for one person in every project where it can sign in, so no user may have the login of an
 * administrator of the installation.
 */
async function refuseTaken(db: Queryable, of: UsersOf, login: string): Promise<void> {
  const [taken] = await db.query(sql`
    select from cartulary.account
    where login = ${login} and (project_id = ${of}::integer or project_id is null or ${of}::integer is null) limit 1`);
  if (taken) throw loginTaken(login);
}

type Guard = (tx: Queryable, work: () => Promise<void>) => Promise<void>;
const unguarded: Guard = (_tx, work) => work();

/**
 * Changes a user. A new password ends its sessions. `guard` runs the write and may refuse its result. Throws
 * 404, 400, `code_taken`, `code_invalid`, `code_reserved`.
 */
export async function changeUser(
  db: Database,
  at: { of: UsersOf; login: string },
  input: UserInput,
  guard: Guard = unguarded,
): Promise<void> {
  checkTexts({ name: input.name, email: input.email });
  await findUserId(db, at.of, at.login);
  const hash = input.password === undefined ? null : await hashPassword(input.password);
  try {
    await db.transaction((tx) => guard(tx, () => updateUser(tx, at, input, hash)));
  } catch (error) {
    throw sqlState(error) === '23505' ? loginTaken(input.login ?? at.login) : error;
  }
}

async function updateUser(
  tx: Queryable,
  { of, login }: { of: UsersOf; login: string },
  input: UserInput,
  hash: string | null,
): Promise<void> {
  const id = await findUserId(tx, of, login);
  const next = input.login ?? login;
  if (next !== login) await refuseTaken(tx, of, checkLogin(next));
  await tx.query(sql`
    update cartulary.account set login = ${next}, password_hash = coalesce(${hash}, password_hash),
      name = coalesce(${input.name ?? null}, name), email = coalesce(${input.email ?? null}, email),
      public_access = coalesce(${input.publicAccess ?? null}, public_access), gui_access = coalesce(${input.guiAccess ?? null}, gui_access)
    where id = ${id}`);
  if (hash !== null) await closeSessions(tx, id);
  if (input.groups) await setGroups(tx, of, id, input.groups);
}

/**
 * Deletes a user with its sessions and grants. Data that the user created stays. Throws 404, and 400 for the
 * last administrator of the installation.
 */
export async function deleteUser(
  db: Database,
  { of, login }: { of: UsersOf; login: string },
  guard: Guard = unguarded,
): Promise<void> {
  const remove = async (tx: Queryable): Promise<void> => {
    const id = await findUserId(tx, of, login);
    if (of === null) await refuseLast(tx, id);
    await tx.query(sql`delete from cartulary.account where id = ${id}`);
  };
  await db.transaction((tx) => guard(tx, () => remove(tx)));
}

async function refuseLast(tx: Queryable, id: number): Promise<void> {
  const others = await tx.query(sql`
    select from cartulary.account where project_id is null and id <> ${id} order by id for update`);
  if (!others.length) throw badRequest('The last administrator of the installation stays');
}
