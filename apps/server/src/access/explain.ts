import type { Queryable } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import { type GrantTarget, type Level, levelNames } from './rights.js';
import { isLogin, userNotFound } from './sign-in/logins.js';

/** An effective right and its reason. */
export interface Explanation {
  login: string;
  right: Level;
  /**
   * The decisive grant and its place; null when no grant applies, or the user is an administrator of the
   * installation.
   */
  grant: { user?: string; group?: string; on: 'project' | 'map' | 'layer'; right: Level } | null;
}

interface Account {
  id: number;
  project_id: number | null;
  public_access: boolean;
}

interface NearestGrant {
  login: string | null;
  name: string | null;
  place: 'project' | 'map' | 'layer';
  level: number;
}

/**
 * The effective right of a user (or `public`) on a target, and the grant that decides it. This implements the
 * rule of `rightOn` independently. Throws 404 for an unknown login.
 */
export async function explainRight(
  db: Queryable,
  target: GrantTarget & { publish: boolean },
  login: string,
): Promise<Explanation> {
  const account = login === 'public' ? undefined : await findAccount(db, target.projectId, login);
  if (account?.project_id === null) return { login, right: 'administer', grant: null };
  const [decisive] = (await nearestGrants(db, target, account)).sort(
    (a, b) => b.level - a.level || rank(a) - rank(b),
  );
  if (!decisive) return { login, right: 'none', grant: null };
  const right = levelNames[decisive.level]!;
  const principal = decisive.name === null ? { user: decisive.login ?? 'public' } : { group: decisive.name };
  return { login, right, grant: { ...principal, on: decisive.place, right } };
}

/** Of equal grants the user's own comes first, then a group's, then the public's. */
const rank = ({ login, name }: NearestGrant): number => (login !== null ? 0 : name !== null ? 1 : 2);

async function findAccount(db: Queryable, projectId: number, login: string): Promise<Account> {
  const [account] = isLogin(login)
    ? await db.query<Account>(sql`
        select id, project_id, public_access from cartulary.account
        where login = ${login} and (project_id = ${projectId} or project_id is null)
        order by project_id nulls last limit 1`)
    : [];
  if (!account) throw userNotFound(login);
  return account;
}

/** The grant nearest to the target, for each principal of an account (undefined: the public user). */
const nearestGrants = (
  db: Queryable,
  { projectId, mapId, layerId, publish }: GrantTarget & { publish: boolean },
  account: Account | undefined,
): Promise<NearestGrant[]> =>
  db.query<NearestGrant>(sql`
    select distinct on (g.account_id, g.group_id) a.login, u.name, g.level,
      case when g.container_id is null then 'project' when g.container_id = ${layerId}::integer then 'layer' else 'map' end as place
    from cartulary.access_grant g
    left join cartulary.account a on a.id = g.account_id
    left join cartulary.user_group u on u.id = g.group_id
    where g.project_id = ${projectId}
      and coalesce(g.container_id, 0) = any(array[0, ${mapId}::integer, ${layerId}::integer])
      and (g.account_id = ${account?.id ?? null}::integer
        or g.group_id in (select group_id from cartulary.membership where account_id = ${account?.id ?? null}::integer)
        or (g.account_id is null and g.group_id is null and ${publish && (account?.public_access ?? true)}::boolean))
    order by g.account_id, g.group_id, (g.container_id is null), (g.container_id = ${mapId}::integer)`);
