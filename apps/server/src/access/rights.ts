import type { Queryable } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { type Sql, sql } from '@cartulary/sql';
import type { Caller } from './caller.js';

/** Levels of right, as `access` shows them. Each includes the lower ones. */
export const levels = { none: 0, view: 1, edit: 2, administer: 3 } as const;
export type Level = keyof typeof levels;

/** The names of the levels, by their numbers. */
export const levelNames = Object.keys(levels) as Level[];

/** The target of a grant: the project (both ids null), a map, or a layer of a map. */
export interface GrantTarget {
  projectId: number;
  mapId: number | null;
  layerId: number | null;
}

/** The target of a right, as SQL expressions over the statement that contains the fragment. */
export interface RightTarget {
  project: Sql;
  /** The id of the map and its `publish`. Absent: the right on the project. */
  map?: { id: Sql; publish: Sql };
  layer?: Sql;
}

/**
 * The one rule of rights, as a scalar SQL expression from 0 to 3. For each principal of the caller (account,
 * groups, public) the nearest grant counts: layer, then map, then project. The result is the highest of these
 * levels. Grants to the public do not count on a map whose `publish` is off.
 *
 * The conditions are those of the index access_grant_one, column by column. So the cost is one lookup for
 * each place and principal, and does not grow with the number of grants. 0 stands for null: the project as
 * the place, the public as the principal.
 */
export function rightOn(caller: Caller, target: RightTarget): Sql {
  if (caller.isInstaller) return sql`3`;
  const map = target.map?.id ?? sql`null::integer`;
  const layer = target.layer ?? sql`null::integer`;
  const publish = target.map?.publish ?? sql`true`;
  return sql`(
    select coalesce(max(nearest.level), 0) from (
      select distinct on (g.account_id, g.group_id) g.level
      from cartulary.access_grant g
      where g.project_id = ${target.project}
        and coalesce(g.container_id, 0) = any(array[0, ${map}, ${layer}])
        and coalesce(g.account_id, 0) = any(${[0, caller.account?.id ?? 0]}::integer[])
        and coalesce(g.group_id, 0) = any(${[0, ...caller.groupIds]}::integer[])
        and (g.account_id is not null or g.group_id is not null or (${caller.isPublic}::boolean and ${publish}))
      order by g.account_id, g.group_id,
        case when g.container_id is null then 2 when g.container_id = ${map} then 1 else 0 end
    ) nearest)`;
}

/** Throws 403 when `right` is below `level`; 401 when the public user needs more than view. */
export function demand(caller: Caller, right: number, level: Level): void {
  if (right >= levels[level]) return;
  if (!caller.account && level !== 'view') throw new ServiceError('not_authenticated');
  throw new ServiceError('forbidden');
}

/** The caller's right on its project, 0 to 3. */
export async function rightOnProject(db: Queryable, caller: Caller): Promise<number> {
  const right = rightOn(caller, { project: sql`${caller.project.id}::integer` });
  const [row] = await db.query<{ right: number }>(sql`select ${right} as right`);
  return row?.right ?? 0;
}

/** The right of a user on the caller's project, 0 to 3; undefined when the account was deleted. */
export async function rightOfUser(
  db: Queryable,
  { project }: Caller,
  accountId: number,
): Promise<number | undefined> {
  const [user] = await db.query<Pick<Caller, 'isPublic' | 'groupIds'>>(sql`
    select public_access as "isPublic",
      array(select group_id from cartulary.membership where account_id = a.id) as "groupIds"
    from cartulary.account a where id = ${accountId}`);
  if (!user) return undefined;
  const account = { id: accountId, login: '', name: '' };
  return rightOnProject(db, { ...user, project, account, isInstaller: false, session: null });
}

/** Throws unless the caller has `level` on its project. */
export async function demandOnProject(db: Queryable, caller: Caller, level: Level): Promise<void> {
  demand(caller, await rightOnProject(db, caller), level);
}

/**
 * Runs a write on users or rights of the project. Throws 400 and stores nothing when the caller does not
 * administer the project afterwards. So no administrator locks himself out, and two administrators cannot
 * remove each other at once.
 */
export async function keepingAdministrator<T>(
  tx: Queryable,
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  if (caller.isInstaller) return work();
  await tx.query(sql`select from cartulary.project where id = ${caller.project.id} for no key update`);
  const result = await work();
  const right = caller.account ? await rightOfUser(tx, caller, caller.account.id) : undefined;
  if (right === undefined || right < levels.administer)
    throw badRequest('You cannot remove your own right to administer the project', { right: 'administer' });
  return result;
}
