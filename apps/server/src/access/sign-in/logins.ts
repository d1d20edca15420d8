import type { Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';

/** Reserved words: the public user, and words that stand beside logins in paths. */
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

/** 404 for an unknown user. The error repeats only valid logins. */
export const userNotFound = (login: string): ServiceError =>
  new ServiceError(
    'container_not_found',
    isLogin(login) ? `The user '${login}' does not exist` : 'This user does not exist',
  );

/** The owner of users: a project by its id; null: the installation, with its administrators. */
export type UsersOf = number | null;

/**
 * The id of a user of the project, or of an administrator of the installation, exactly as `of` says. Throws
 * 404, and 403 when a project names an administrator of the installation.
 */
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

/**
 * The id of a user of the project; undefined when there is none. Administrators of the installation do not
 * count, since they sign in with their passwords only.
 */
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
