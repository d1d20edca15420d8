import type { Queryable } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { findUserId, type UsersOf } from '../sign-in/logins.js';
import { isStorable } from '../storable-texts.js';

/** Characters. */
const maxNameLength = 200;

/** Whether a text can be the name of a group. */
const isGroup = (name: string): boolean =>
  name.trim() !== '' && name.length <= maxNameLength && isStorable(name) && !/\p{Cc}/u.test(name);

function checkGroups(names: readonly string[]): void {
  if (!names.every(isGroup))
    throw badRequest(`A group has a name of 1 to ${maxNameLength} characters`, { parameters: ['groups'] });
}

/** Sets the groups of a user. New groups are created. Throws 400. */
export async function setGroups(
  tx: Queryable,
  of: UsersOf,
  accountId: number,
  names: readonly string[],
): Promise<void> {
  checkGroups(names);
  if (of === null)
    throw badRequest('Administrators of the installation are in no groups', { parameters: ['groups'] });
  const sorted = [...new Set(names)].sort();
  await tx.query(sql`delete from cartulary.membership where account_id = ${accountId}`);
  await addToGroups(tx, of, accountId, sorted);
}

async function addToGroups(
  tx: Queryable,
  projectId: number,
  accountId: number,
  names: readonly string[],
): Promise<void> {
  await tx.query(sql`
    insert into cartulary.user_group (project_id, name)
    select ${projectId}::integer, unnest(${names}::text[]) on conflict do nothing`);
  await tx.query(sql`
    insert into cartulary.membership (account_id, group_id)
    select ${accountId}::integer, id from cartulary.user_group where project_id = ${projectId} and name = any(${names}::text[])
    on conflict do nothing`);
}

/** The groups of a project with the logins of their members. */
export const listGroups = (
  db: Queryable,
  projectId: number,
): Promise<{ name: string; members: string[] }[]> =>
  db.query(sql`
    select g.name, array(select a.login from cartulary.account a join cartulary.membership m on m.account_id = a.id
      where m.group_id = g.id order by a.login) as members
    from cartulary.user_group g where g.project_id = ${projectId} order by g.name`);

export interface Member {
  projectId: number;
  group: string;
  login: string;
}

/** Adds a user to a group, which is created when it is new. Throws 404, 400. */
export async function addToGroup(tx: Queryable, { projectId, group, login }: Member): Promise<void> {
  checkGroups([group]);
  await addToGroups(tx, projectId, await findUserId(tx, projectId, login), [group]);
}

/**
 * Removes a user from a group. Throws 404 for an unknown user. A user who is not in the group is not an
 * error.
 */
export async function removeFromGroup(tx: Queryable, { projectId, group, login }: Member): Promise<void> {
  const id = await findUserId(tx, projectId, login);
  if (!isGroup(group)) return;
  await tx.query(sql`
    delete from cartulary.membership where account_id = ${id}
      and group_id in (select id from cartulary.user_group where project_id = ${projectId} and name = ${group})`);
}
