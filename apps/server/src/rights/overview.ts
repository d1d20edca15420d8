import type { Queryable } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import { type Level, levelNames } from '../access/rights.js';
import { listGroups } from '../access/users/groups.js';
import { listUsers } from '../access/users/users.js';

/** A grant with the map and the layer that it is on; without them it is on the project. */
interface PlacedGrant {
  user?: string;
  group?: string;
  right: Level;
  map?: string;
  layer?: string;
}

/** Who a project knows, and all that is granted in it. */
export interface RightsOverview {
  users: { login: string; name: string; groups: string[]; publicAccess: boolean }[];
  groups: { name: string; members: string[] }[];
  grants: PlacedGrant[];
}

/** All users, groups and grants of a project. */
export async function rightsOverview(db: Queryable, projectId: number): Promise<RightsOverview> {
  const [users, groups, grants] = await Promise.all([
    listUsers(db, projectId),
    listGroups(db, projectId),
    allGrants(db, projectId),
  ]);
  return {
    users: users.map(({ login, name, groups: of, publicAccess }) => ({
      login,
      name,
      groups: of,
      publicAccess,
    })),
    groups,
    grants,
  };
}

interface GrantRow {
  login: string | null;
  name: string | null;
  level: number;
  map: string | null;
  layer: string | null;
}

/** The project's grants first, then those of each map and of its layers. */
async function allGrants(db: Queryable, projectId: number): Promise<PlacedGrant[]> {
  const rows = await db.query<GrantRow>(sql`
    select a.login, u.name, g.level, coalesce(m.code, c.code) as map, case when m.id is not null then c.code end as layer
    from cartulary.access_grant g
    left join cartulary.account a on a.id = g.account_id
    left join cartulary.user_group u on u.id = g.group_id
    left join cartulary.container c on c.id = g.container_id
    left join cartulary.container m on m.id = c.map_id and c.type <> 'map'
    where g.project_id = ${projectId}
    order by map nulls first, layer nulls first, u.name nulls first, a.login nulls first`);
  return rows.map(({ login, name, level, map, layer }) => ({
    ...(name === null ? { user: login ?? 'public' } : { group: name }),
    right: levelNames[level]!,
    ...(map === null ? {} : { map }),
    ...(layer === null ? {} : { layer }),
  }));
}
