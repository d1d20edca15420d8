import type { Queryable } from '../db/pool.js';
import { type Sql, sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import { type Level, levels } from './rights.js';

/** What a grant is on: the project (both null), a map, or a layer of a map. */
export interface GrantTarget {
  projectId: number;
  mapId: number | null;
  layerId: number | null;
}

/** A grant as it is sent and shown: to a user (the public user is `public`) or a group; `right` null: inherited, the grant is removed. */
export interface GrantInput {
  user?: string;
  group?: string;
  right: Level | null;
}

const levelNames = Object.keys(levels) as Level[];

const onTarget = ({ projectId, mapId, layerId }: GrantTarget): Sql =>
  sql`g.project_id = ${projectId} and g.container_id is not distinct from ${layerId ?? mapId}::integer`;

/** The grants on a target itself, not those that it inherits. */
export async function listGrants(db: Queryable, target: GrantTarget): Promise<GrantInput[]> {
  const rows = await db.query<{ login: string | null; name: string | null; level: number }>(sql`
    select a.login, u.name, g.level from cartulary.access_grant g
    left join cartulary.account a on a.id = g.account_id
    left join cartulary.user_group u on u.id = g.group_id
    where ${onTarget(target)} order by u.name nulls last, a.login nulls first`);
  return rows.map(({ login, name, level }) => ({
    ...(name === null ? { user: login ?? 'public' } : { group: name }),
    right: levelNames[level]!,
  }));
}

/** Sets grants on a target and raises the version of every map that they touch. Throws 404 for an unknown user or group, naming it. */
export async function putGrants(
  tx: Queryable,
  target: GrantTarget,
  grants: readonly GrantInput[],
): Promise<void> {
  for (const grant of grants) await putGrant(tx, target, grant);
  await tx.query(sql`
    update cartulary.container set version = version + 1
    where type = 'map' and project_id = ${target.projectId} and (${target.mapId}::integer is null or id = ${target.mapId}::integer)`);
}

async function putGrant(
  tx: Queryable,
  target: GrantTarget,
  { user, group, right }: GrantInput,
): Promise<void> {
  if ((user === undefined) === (group === undefined))
    throw badRequest('A grant names either a user or a group', { grant: { user, group } });
  const principal = await findPrincipal(tx, target.projectId, { user, group });
  await tx.query(sql`
    delete from cartulary.access_grant g where ${onTarget(target)}
      and g.account_id is not distinct from ${principal.accountId}::integer and g.group_id is not distinct from ${principal.groupId}::integer`);
  if (right === null) return;
  await tx.query(sql`
    insert into cartulary.access_grant (project_id, container_id, account_id, group_id, level)
    values (${target.projectId}, ${target.layerId ?? target.mapId}, ${principal.accountId}, ${principal.groupId}, ${levels[right]})`);
}

async function findPrincipal(
  tx: Queryable,
  projectId: number,
  { user, group }: { user?: string | undefined; group?: string | undefined },
): Promise<{ accountId: number | null; groupId: number | null }> {
  if (user === 'public') return { accountId: null, groupId: null };
  const [row] = await tx.query<{ id: number }>(
    user === undefined
      ? sql`select id from cartulary.user_group where project_id = ${projectId} and name = ${group}`
      : sql`select id from cartulary.account where project_id = ${projectId} and login = ${user}`,
  );
  const name = user === undefined ? `The group '${group}'` : `The user '${user}'`;
  if (!row) throw new ServiceError('container_not_found', `${name} does not exist`);
  return user === undefined ? { accountId: null, groupId: row.id } : { accountId: row.id, groupId: null };
}

/** Opens a map to the public (view) or closes it: `has_publication`. Does not raise the version: the caller's write does. */
export async function setPublication(
  tx: Queryable,
  map: { id: number; projectId: number },
  on: boolean,
): Promise<void> {
  await tx.query(sql`
    insert into cartulary.access_grant (project_id, container_id, level) values (${map.projectId}, ${map.id}, ${on ? 1 : 0})
    on conflict (project_id, coalesce(container_id, 0), coalesce(account_id, 0), coalesce(group_id, 0))
    do update set level = case when ${on} then greatest(access_grant.level, 1) else 0 end`);
}

/** How a right came about. */
export interface Explanation {
  login: string;
  right: Level;
  /** The grant that decides, with where it stands; null: none applies, or the user is an administrator of the installation. */
  grant: { user?: string; group?: string; on: 'project' | 'map' | 'layer'; right: Level } | null;
}

interface ExplainedRow {
  login: string | null;
  name: string | null;
  place: 'project' | 'map' | 'layer';
  level: number;
}

/** The effective right of a user (or `public`) on a target, and the grant that decides it. Throws 404 for an unknown login. */
export async function explainRight(
  db: Queryable,
  target: GrantTarget & { publish: boolean },
  login: string,
): Promise<Explanation> {
  const [account] = await db.query<{ id: number; project_id: number | null; public_access: boolean }>(sql`
    select id, project_id, public_access from cartulary.account
    where login = ${login} and (project_id = ${target.projectId} or project_id is null) order by project_id nulls last limit 1`);
  if (!account && login !== 'public')
    throw new ServiceError('container_not_found', `The user '${login}' does not exist`);
  if (account && account.project_id === null) return { login, right: 'administer', grant: null };
  const publicCounts = target.publish && (account?.public_access ?? true);
  const rows = await db.query<ExplainedRow>(sql`
    select * from (
      select distinct on (g.account_id, g.group_id) a.login, u.name, g.level,
        case when g.container_id is null then 'project' when g.container_id = ${target.layerId}::integer then 'layer' else 'map' end as place
      from cartulary.access_grant g
      left join cartulary.account a on a.id = g.account_id
      left join cartulary.user_group u on u.id = g.group_id
      where g.project_id = ${target.projectId}
        and (g.container_id is null or g.container_id = ${target.mapId}::integer or g.container_id = ${target.layerId}::integer)
        and (g.account_id = ${account?.id ?? null}::integer
          or g.group_id in (select group_id from cartulary.membership where account_id = ${account?.id ?? null}::integer)
          or (g.account_id is null and g.group_id is null and ${publicCounts}::boolean))
      order by g.account_id, g.group_id, (g.container_id is null), (g.container_id = ${target.mapId}::integer)
    ) nearest order by level desc limit 1`);
  const decisive = rows[0];
  if (!decisive) return { login, right: 'none', grant: null };
  const right = levelNames[decisive.level]!;
  const who = decisive.name === null ? { user: decisive.login ?? 'public' } : { group: decisive.name };
  return { login, right, grant: { ...who, on: decisive.place, right } };
}
