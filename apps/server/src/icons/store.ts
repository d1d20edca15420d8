import type { Caller } from '../access/caller.js';
import { demand, rightOnProject } from '../access/rights.js';
import type { Queryable, Transaction } from '../db/pool.js';
import { sqlState } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import { iconNames } from './names.js';
import { startSet } from './start-set.js';
import { type IconUser, usersOf } from './usage.js';

/** An icon of a project as it is stored. */
export interface Icon {
  name: string;
  /** Key of its bytes in the storage. */
  content: string;
  kind: 'svg' | 'png';
  /** Bytes. */
  size: number;
  /** Pixels. */
  width: number;
  height: number;
}

export const iconNotFound = (name: string): ServiceError =>
  new ServiceError('file_not_found', `There is no icon '${name}' in this project`, { icon: name });

/** The own icons of a project, by name. */
export const ownIcons = (db: Queryable, projectId: number): Promise<Icon[]> =>
  db.query<Icon>(sql`
    select name, content, kind, size, width, height from cartulary.icon where project_id = ${projectId} order by name`);

/** An own icon of a project; undefined where it has none of that name. */
export async function findOwnIcon(db: Queryable, projectId: number, name: string): Promise<Icon | undefined> {
  const [icon] = await db.query<Icon>(sql`
    select name, content, kind, size, width, height from cartulary.icon
    where project_id = ${projectId} and name = ${name}`);
  return icon;
}

/** Whether an icon has these bytes. */
export async function hasContent(db: Queryable, content: string): Promise<boolean> {
  const [row] = await db.query(sql`select from cartulary.icon where content = ${content}::uuid limit 1`);
  return row !== undefined;
}

/**
 * Throws unless the caller may see pictures of icons: who may view the project, or anything in it, for maps are drawn and
 * shown with them. `isPublic`: the public may.
 */
export async function demandIcons(db: Queryable, caller: Caller): Promise<{ isPublic: boolean }> {
  const [row] = await db.query<{ own: boolean; isPublic: boolean }>(sql`
    with grants as (
      select g.account_id, g.group_id from cartulary.access_grant g
      left join cartulary.container c on c.id = g.container_id
      left join cartulary.container m on m.id = c.map_id
      where g.project_id = ${caller.project.id} and g.level >= 1
        and (g.account_id is not null or g.group_id is not null or m.id is null or m.publish))
    select coalesce(bool_or(account_id = ${caller.account?.id ?? 0} or group_id = any(${[...caller.groupIds]}::integer[])
        or (${caller.isPublic}::boolean and account_id is null and group_id is null)), false) as own,
      coalesce(bool_or(account_id is null and group_id is null), false) as "isPublic"
    from grants`);
  if (!row!.own) demand(caller, await rightOnProject(db, caller), 'view');
  return { isPublic: row!.isPublic };
}

/** Stores a picture under a name: of a new icon, or with `replaces` in the place of the old one. Throws `code_taken`, 400 above `most` icons. */
export async function storeIcon(
  tx: Transaction,
  caller: Caller,
  icon: Icon,
  { replaces, most }: { replaces: boolean; most: number },
): Promise<void> {
  const projectId = caller.project.id;
  await raiseVersion(tx, projectId);
  // Not updated: what is deleted is noted, so that its bytes go.
  if (replaces)
    await tx.query(sql`delete from cartulary.icon where project_id = ${projectId} and name = ${icon.name}`);
  const [own] = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from cartulary.icon where project_id = ${projectId}`,
  );
  if (own!.count >= most) throw badRequest(`A project has at most ${most} icons of its own`, { most });
  const insert = tx.query(sql`
    insert into cartulary.icon (project_id, name, content, kind, size, width, height)
    values (${projectId}, ${icon.name}, ${icon.content}::uuid, ${icon.kind}, ${icon.size}, ${icon.width}, ${icon.height})`);
  await insert.catch((error) => {
    throw sqlState(error) === '23505'
      ? new ServiceError('code_taken', `The project has an icon '${icon.name}' already`, { name: icon.name })
      : error;
  });
}

/** Deletes an own icon. Throws 404; 400 while styles or settings name it, unless `force` or one of the start set takes its place. */
export async function deleteIcon(
  tx: Transaction,
  caller: Caller,
  name: string,
  force: boolean,
): Promise<void> {
  const { project } = caller;
  await raiseVersion(tx, project.id);
  const names = await iconNames(tx, project.id);
  const gone = await tx.query(
    sql`delete from cartulary.icon where project_id = ${project.id} and name = ${name} returning name`,
  );
  if (!gone.length) throw iconNotFound(name);
  if (force || startSet.has(name)) return;
  const users = await usersOf(tx, caller, name, names);
  if (users.length) throw inUse(name, users);
}

/** Names the users that the caller may view. */
function inUse(name: string, users: readonly IconUser[]): ServiceError {
  const shown = users.filter(({ right }) => right >= 1).map(({ map, code }) => `${map}.${code}`);
  const others = users.length - shown.length;
  const who = [...shown.slice(0, 20), ...(others ? [`${others} more`] : [])].join(', ');
  return badRequest(`The icon '${name}' is used by ${who}: change these first, or force=1`, {
    icon: name,
    layers: shown,
  });
}

/** Raises the version of the project's icons: pictures drawn with the old ones are stale then. Others who change icons wait. */
const raiseVersion = (tx: Transaction, projectId: number): Promise<unknown> =>
  tx.query(sql`update cartulary.project set icons_version = icons_version + 1 where id = ${projectId}`);
