import type { Queryable } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { type Sql, sql } from '@cartulary/sql';
import { type GrantTarget, type Level, levelNames, levels } from './rights.js';
import { userNotFound } from './sign-in/logins.js';
import { isStorable } from './storable-texts.js';

/**
 * A grant in the form of the interface: to a user (`public` is the public user) or a group. `right` null
 * removes the grant, so the right is inherited.
 */
export interface GrantInput {
  user?: string;
  group?: string;
  right: Level | null;
}

/** Condition over the alias `g`, in the form of the index access_grant_one. */
const onTarget = ({ projectId, mapId, layerId }: GrantTarget): Sql =>
  sql`g.project_id = ${projectId} and coalesce(g.container_id, 0) = ${layerId ?? mapId ?? 0}`;

/** The grants on a target, without inherited ones: the public first, then users, then groups. */
export async function listGrants(db: Queryable, target: GrantTarget): Promise<GrantInput[]> {
  const rows = await db.query<{ login: string | null; name: string | null; level: number }>(sql`
    select a.login, u.name, g.level from cartulary.access_grant g
    left join cartulary.account a on a.id = g.account_id
    left join cartulary.user_group u on u.id = g.group_id
    where ${onTarget(target)} order by u.name nulls first, a.login nulls first`);
  return rows.map(({ login, name, level }) => ({
    ...(name === null ? { user: login ?? 'public' } : { group: name }),
    right: levelNames[level]!,
  }));
}

/**
 * Sets grants on a target, all or nothing, and raises the version of every map that they affect. Of several
 * grants for one user or group the last counts. Throws 404 for an unknown user or group, with its name, and
 * for a deleted target.
 */
export async function putGrants(
  tx: Queryable,
  target: GrantTarget,
  grants: readonly GrantInput[],
): Promise<void> {
  await touchMaps(tx, target);
  const found = await findPrincipals(tx, target.projectId, grants);
  const removed = found.filter(({ level }) => level === null);
  const put = found.filter(({ level }) => level !== null);
  await tx.query(sql`
    delete from cartulary.access_grant g
    using unnest(${accountsOf(removed)}::integer[], ${groupsOf(removed)}::integer[]) as r (account_id, group_id)
    where ${onTarget(target)} and coalesce(g.account_id, 0) = coalesce(r.account_id, 0) and coalesce(g.group_id, 0) = coalesce(r.group_id, 0)`);
  await tx.query(sql`
    insert into cartulary.access_grant (project_id, container_id, account_id, group_id, level)
    select ${target.projectId}::integer, ${target.layerId ?? target.mapId}::integer, p.account_id, p.group_id, p.level
    from unnest(${accountsOf(put)}::integer[], ${groupsOf(put)}::integer[], ${put.map(({ level }) => level)}::integer[])
      as p (account_id, group_id, level)
    ${replacing} set level = excluded.level`);
}

const replacing = sql`
    on conflict (project_id, coalesce(container_id, 0), coalesce(account_id, 0), coalesce(group_id, 0)) do update`;

/**
 * Raises the version of the target's map, or of all maps of the project. The lock prevents the deletion of
 * the map.
 */
async function touchMaps(tx: Queryable, { projectId, mapId, layerId }: GrantTarget): Promise<void> {
  const ofMap = mapId === null ? sql`` : sql`and id = ${mapId}`;
  const maps = await tx.query(sql`
    update cartulary.container set version = version + 1, changed_at = clock_timestamp()
    where project_id = ${projectId} and type = 'map' ${ofMap} returning id`);
  if (mapId !== null && !maps.length) throw new ServiceError('map_not_found');
  if (layerId === null) return;
  const [layer] = await tx.query(
    sql`select from cartulary.container where id = ${layerId} and map_id = ${mapId}`,
  );
  if (!layer) throw new ServiceError('layer_not_found');
}

/** A grant by ids: to an account, a group, or with both null to the public. `level` null: inherited. */
interface PrincipalGrant {
  accountId: number | null;
  groupId: number | null;
  level: number | null;
}

const accountsOf = (grants: readonly PrincipalGrant[]): (number | null)[] =>
  grants.map(({ accountId }) => accountId);
const groupsOf = (grants: readonly PrincipalGrant[]): (number | null)[] =>
  grants.map(({ groupId }) => groupId);

/** The grants with ids for names, one for each principal, in a fixed order that prevents deadlocks. */
async function findPrincipals(
  tx: Queryable,
  projectId: number,
  grants: readonly GrantInput[],
): Promise<PrincipalGrant[]> {
  for (const { user, group } of grants) {
    if ((user === undefined) === (group === undefined))
      throw badRequest('A grant names either a user or a group', { parameters: ['user', 'group'] });
  }
  const users = await idsOf(
    tx,
    grants.map(({ user }) => user).filter(isName),
    (names) =>
      sql`select id, login as name from cartulary.account where project_id = ${projectId} and login = any(${names}::text[])`,
  );
  const groups = await idsOf(
    tx,
    grants.map(({ group }) => group).filter(isName),
    (names) =>
      sql`select id, name from cartulary.user_group where project_id = ${projectId} and name = any(${names}::text[])`,
  );
  const found = new Map<string, PrincipalGrant>();
  for (const { user, group, right } of grants) {
    const accountId = user === undefined || user === 'public' ? null : users.get(user);
    const groupId = group === undefined ? null : groups.get(group);
    if (accountId === undefined) throw userNotFound(user!);
    if (groupId === undefined) throw groupNotFound(group!);
    found.set(`${accountId} ${groupId}`, {
      accountId,
      groupId,
      level: right === null ? null : levels[right],
    });
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, grant]) => grant);
}

const isName = (name: string | undefined): name is string => name !== undefined && isStorable(name);

async function idsOf(
  tx: Queryable,
  names: string[],
  statement: (names: string[]) => Sql,
): Promise<Map<string, number>> {
  if (!names.length) return new Map();
  const rows = await tx.query<{ id: number; name: string }>(statement(names));
  return new Map(rows.map(({ id, name }) => [name, id]));
}

const groupNotFound = (name: string): ServiceError =>
  new ServiceError(
    'container_not_found',
    isStorable(name) && name.length <= 200
      ? `The group '${name}' does not exist`
      : 'This group does not exist',
  );

/**
 * Opens a map to the public (view) or closes it: `has_publication`. The caller's write raises the version of
 * the map.
 */
export async function setPublication(
  tx: Queryable,
  map: { id: number; projectId: number },
  on: boolean,
): Promise<void> {
  await tx.query(sql`
    insert into cartulary.access_grant (project_id, container_id, level) values (${map.projectId}, ${map.id}, ${on ? 1 : 0})
    ${replacing} set level = case when ${on} then greatest(access_grant.level, 1) else 0 end`);
}
