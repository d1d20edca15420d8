import type { Queryable } from '../db/pool.js';
import { type Sql, sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import type { Caller } from './caller.js';

/** Levels of right, as `access` shows them; each includes the lower ones. */
export const levels = { none: 0, view: 1, edit: 2, administer: 3 } as const;
export type Level = keyof typeof levels;

/** What a right is asked about, as SQL expressions over the statement that the fragment is put into. */
export interface RightTarget {
  project: Sql;
  /** The map's id and its `publish`; absent: the right on the project itself. */
  map?: { id: Sql; publish: Sql };
  layer?: Sql;
}

/**
 * The only judge, as a scalar SQL expression 0 to 3: for each principal of the caller (itself, its groups, the
 * public) the nearest grant counts (layer, then map, then project); the result is the highest of these. A map
 * whose `publish` is off does not know the public.
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
        and (g.container_id is null or g.container_id = ${map} or g.container_id = ${layer})
        and (g.account_id = ${caller.account?.id ?? null}::integer
          or g.group_id = any(${caller.groupIds}::integer[])
          or (g.account_id is null and g.group_id is null and ${caller.isPublic}::boolean and ${publish}))
      order by g.account_id, g.group_id,
        case when g.container_id is null then 2 when g.container_id = ${map} then 1 else 0 end
    ) nearest)`;
}

/** Throws 403 (or 401 for the public user who asks for more than view) when `right` is below `level`. */
export function demand(caller: Caller, right: number, level: Level): void {
  if (right >= levels[level]) return;
  if (!caller.account && level !== 'view') throw new ServiceError('not_authenticated');
  throw new ServiceError('forbidden');
}

/** Throws unless the caller has `level` on its project. */
export async function demandOnProject(db: Queryable, caller: Caller, level: Level): Promise<void> {
  const right = rightOn(caller, { project: sql`${caller.project.id}::integer` });
  const [row] = await db.query<{ right: number }>(sql`select ${right} as right`);
  demand(caller, row?.right ?? 0, level);
}
