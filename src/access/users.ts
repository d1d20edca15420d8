import type { Database, Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import { hashPassword } from './passwords.js';

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

/** What can be said of a user; what is absent keeps its value. */
export interface UserInput {
  login?: string;
  password?: string;
  name?: string;
  email?: string;
  groups?: string[];
  publicAccess?: boolean;
  guiAccess?: boolean;
}

/** The logins of a project, in order. */
export async function listLogins(db: Queryable, projectId: number): Promise<string[]> {
  const rows = await db.query<{ login: string }>(sql`
    select login from cartulary.account where project_id = ${projectId} or project_id is null order by login`);
  return rows.map((row) => row.login);
}

/** A user of the project, or an administrator of the installation, by login. */
export async function findUser(
  db: Queryable,
  projectId: number,
  login: string,
): Promise<UserView | undefined> {
  const [user] = await db.query<UserView>(sql`
    select a.id, a.login, a.name, a.email, null as password, a.public_access as "publicAccess", a.gui_access as "guiAccess",
      array(select g.name from cartulary.user_group g join cartulary.membership m on m.group_id = g.id
        where m.account_id = a.id order by g.name) as groups
    from cartulary.account a
    where a.login = ${login} and (a.project_id = ${projectId} or a.project_id is null)
    order by a.project_id nulls last limit 1`);
  return user;
}

/** Checks a login: 1 to 63 visible characters; `public` is the public user's. */
export function checkLogin(login: string): string {
  if (login === 'public') throw new ServiceError('code_reserved', "The login 'public' is reserved");
  if (!/^[^\s\p{C}/\\]{1,63}$/u.test(login)) {
    throw new ServiceError(
      'code_invalid',
      'A login has 1 to 63 visible characters, without spaces and slashes',
      { login: login.slice(0, 100) },
    );
  }
  return login;
}

/** Makes a user. `projectId` null: an administrator of the installation. Throws `code_taken`. */
export async function createUser(
  db: Database,
  projectId: number | null,
  input: UserInput & { login: string; password: string },
): Promise<number> {
  checkLogin(input.login);
  const hash = await hashPassword(input.password);
  return db.transaction((tx) => insertUser(tx, projectId, input, hash));
}

async function insertUser(
  tx: Queryable,
  projectId: number | null,
  input: UserInput & { login: string },
  hash: string,
): Promise<number> {
  const [made] = await tx.query<{ id: number }>(sql`
    insert into cartulary.account (project_id, login, password_hash, name, email, public_access, gui_access)
    select ${projectId}::integer, ${input.login}, ${hash}, ${input.name ?? ''}, ${input.email ?? ''}, ${input.publicAccess ?? true}, ${input.guiAccess ?? false}
    where not exists (select from cartulary.account where login = ${input.login} and (project_id is null or ${projectId}::integer is null))
    on conflict do nothing returning id`);
  if (!made)
    throw new ServiceError('code_taken', `The login '${input.login}' is already in use`, {
      login: input.login,
    });
  if (projectId !== null && input.groups) await setGroups(tx, projectId, made.id, input.groups);
  return made.id;
}

/** Changes a user of the project; a new password ends its sessions. Throws 404. */
export async function changeUser(
  db: Database,
  projectId: number,
  login: string,
  input: UserInput,
): Promise<void> {
  const hash = input.password === undefined ? null : await hashPassword(input.password);
  await db.transaction((tx) => updateUser(tx, { projectId, login }, input, hash));
}

async function updateUser(
  tx: Queryable,
  { projectId, login }: { projectId: number; login: string },
  input: UserInput,
  hash: string | null,
): Promise<void> {
  const id = await ownUserId(tx, projectId, login);
  if (input.login !== undefined && input.login !== login) {
    checkLogin(input.login);
    if (await findUser(tx, projectId, input.login))
      throw new ServiceError('code_taken', `The login '${input.login}' is already in use`);
  }
  await tx.query(sql`
    update cartulary.account set login = ${input.login ?? login}, password_hash = coalesce(${hash}, password_hash),
      name = coalesce(${input.name ?? null}, name), email = coalesce(${input.email ?? null}, email),
      public_access = coalesce(${input.publicAccess ?? null}, public_access), gui_access = coalesce(${input.guiAccess ?? null}, gui_access)
    where id = ${id}`);
  if (hash) await tx.query(sql`delete from cartulary.session where account_id = ${id}`);
  if (input.groups) await setGroups(tx, projectId, id, input.groups);
}

/** Deletes a user of the project with its sessions and grants; data stays. Throws 404. */
export async function deleteUser(db: Database, projectId: number, login: string): Promise<void> {
  await db.transaction(async (tx) => {
    const id = await ownUserId(tx, projectId, login);
    await tx.query(sql`delete from cartulary.account where id = ${id}`);
  });
}

async function ownUserId(tx: Queryable, projectId: number, login: string): Promise<number> {
  const [user] = await tx.query<{ id: number }>(
    sql`select id from cartulary.account where project_id = ${projectId} and login = ${login}`,
  );
  if (user) return user.id;
  if (await findUser(tx, projectId, login)) {
    throw new ServiceError(
      'forbidden',
      'Administrators of the installation are changed by the command line tool alone',
    );
  }
  throw new ServiceError('container_not_found', `The user '${login}' does not exist`);
}

async function setGroups(
  tx: Queryable,
  projectId: number,
  accountId: number,
  names: readonly string[],
): Promise<void> {
  if (names.some((name) => name.trim() === '' || name.length > 200))
    throw badRequest('A group has a name of 1 to 200 characters', { parameters: ['groups'] });
  await tx.query(sql`
    insert into cartulary.user_group (project_id, name) select ${projectId}::integer, unnest(${names}::text[]) on conflict do nothing`);
  await tx.query(sql`delete from cartulary.membership where account_id = ${accountId}`);
  await tx.query(sql`
    insert into cartulary.membership (account_id, group_id)
    select ${accountId}::integer, id from cartulary.user_group where project_id = ${projectId} and name = any(${names}::text[])`);
}

/** The users of a project, or the administrators of the installation (null). */
export const listUsers = (
  db: Queryable,
  projectId: number | null,
): Promise<{ login: string; name: string; groups: string[] }[]> =>
  db.query(sql`
    select a.login, a.name, array(select g.name from cartulary.user_group g join cartulary.membership m on m.group_id = g.id
      where m.account_id = a.id order by g.name) as groups
    from cartulary.account a where a.project_id is not distinct from ${projectId}::integer order by a.login`);

async function accountId(db: Queryable, projectId: number | null, login: string): Promise<number> {
  const [account] = await db.query<{ id: number }>(sql`
    select id from cartulary.account where project_id is not distinct from ${projectId}::integer and login = ${login}`);
  if (!account) throw new ServiceError('container_not_found', `The user '${login}' does not exist`);
  return account.id;
}

/** Sets a password and ends the account's sessions. Throws 404. */
export async function setPassword(
  db: Database,
  projectId: number | null,
  login: string,
  password: string,
): Promise<void> {
  const hash = await hashPassword(password);
  await db.transaction(async (tx) => {
    const id = await accountId(tx, projectId, login);
    await tx.query(sql`update cartulary.account set password_hash = ${hash} where id = ${id}`);
    await tx.query(sql`delete from cartulary.session where account_id = ${id}`);
  });
}

/** Deletes an account. The last administrator of the installation stays. */
export async function deleteAccount(db: Database, projectId: number | null, login: string): Promise<void> {
  await db.transaction(async (tx) => {
    const id = await accountId(tx, projectId, login);
    const [other] = await tx.query(
      sql`select from cartulary.account where project_id is null and id <> ${id} limit 1`,
    );
    if (projectId === null && !other) throw badRequest('The last administrator of the installation stays');
    await tx.query(sql`delete from cartulary.account where id = ${id}`);
  });
}

/** The groups of a project with their members. */
export const listGroups = (
  db: Queryable,
  projectId: number,
): Promise<{ name: string; members: string[] }[]> =>
  db.query(sql`
    select g.name, array(select a.login from cartulary.account a join cartulary.membership m on m.account_id = a.id
      where m.group_id = g.id order by a.login) as members
    from cartulary.user_group g where g.project_id = ${projectId} order by g.name`);

interface Member {
  projectId: number;
  group: string;
  login: string;
}

/** Puts a user into a group, which is made when new. Throws 404. */
export async function addToGroup(tx: Queryable, { projectId, group, login }: Member): Promise<void> {
  const id = await accountId(tx, projectId, login);
  await tx.query(
    sql`insert into cartulary.user_group (project_id, name) values (${projectId}, ${group}) on conflict do nothing`,
  );
  await tx.query(sql`
    insert into cartulary.membership (account_id, group_id)
    select ${id}::integer, id from cartulary.user_group where project_id = ${projectId} and name = ${group} on conflict do nothing`);
}

/** Takes a user out of a group. Throws 404 for an unknown user. */
export async function removeFromGroup(tx: Queryable, { projectId, group, login }: Member): Promise<void> {
  const id = await accountId(tx, projectId, login);
  await tx.query(sql`
    delete from cartulary.membership where account_id = ${id}
      and group_id in (select id from cartulary.user_group where project_id = ${projectId} and name = ${group})`);
}
