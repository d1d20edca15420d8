import type { Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';

/** What is no login: the public user, and what stands beside logins in paths. */
const reserved = new Set(['public', 'list', 'info', '.', '..']);

/** Whether a text can be a login: 1 to 63 visible characters, without spaces and slashes. */
export const isLogin = (text: string): boolean => /^[^\s\p{C}/\\]{1,63}$/u.test(text);

/** Checks a new login. Throws `code_invalid`, `code_reserved`. */
export function checkLogin(login: string): string {
  if (reserved.has(login))
    throw new ServiceError('code_reserved', `The login '${login}' is reserved by the service`, { login });
  if (!isLogin(login)) {
    throw new ServiceError(
      'code_invalid',
      'A login has 1 to 63 visible characters, without spaces and slashes',
    );
  }
  return login;
}

/** 404 for a user that is not there. What cannot be a login is not repeated. */
export const userNotFound = (login: string): ServiceError =>
  new ServiceError(
    'container_not_found',
    isLogin(login) ? `The user '${login}' does not exist` : 'This user does not exist',
  );

/** Whose users: a project's by its id; null: the administrators of the installation. */
export type UsersOf = number | null;

/** The id of a user of the project, or of an administrator of the installation: exactly there. Throws 404, or 403 for an administrator whom a project names. */
export async function findUserId(db: Queryable, of: UsersOf, login: string): Promise<number> {
  if (!isLogin(login)) throw userNotFound(login);
  const found = await db.query<{ id: number; project_id: number | null }>(sql`
    select id, project_id from cartulary.account
    where login = ${login} and (project_id = ${of}::integer or project_id is null)`);
  const user = found.find((one) => one.project_id === of);
  if (user) return user.id;
  if (!found.length) throw userNotFound(login);
  throw new ServiceError(
    'forbidden',
    `'${login}' is an administrator of the installation, whom the command line tool alone changes`,
  );
}

/** The id of a user of the project alone: administrators of the installation sign in with their passwords. undefined where there is none. */
export async function findProjectUser(
  db: Queryable,
  projectId: number,
  login: string,
): Promise<number | undefined> {
  if (!isLogin(login)) return undefined;
  const [user] = await db.query<{ id: number }>(sql`
    select id from cartulary.account where project_id = ${projectId} and login = ${login}`);
  return user?.id;
}
