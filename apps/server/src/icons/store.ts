import { type Queryable, sqlState, type Transaction } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import { demand, rightOnProject } from '../access/rights.js';
import { iconNames } from './names.js';
import { startSet } from './start-set.js';
import { type IconUser, usersOf } from './usage.js';

/** An icon of a project in the form in which it is stored. */
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

/** An own icon of a project; undefined when there is none of that name. */
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
 * Throws unless the caller may see the pictures of icons: with the right to view the project or anything in
 * it, since maps are drawn with them. `isPublic`: the public may, too.
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

/**
 * Stores a picture under a name: of a new icon, or with `replaces` instead of an existing one. Throws
 * `code_taken`, and 400 above `most` icons.
 */
export async function storeIcon(
  tx: Transaction,
  caller: Caller,
  icon: Icon,
  { replaces, most }: { replaces: boolean; most: number },
): Promise<void> {
  const projectId = caller.project.id;
  await raiseVersion(tx, projectId);
  // Deleted instead of updated, so that a trigger notes the old bytes for removal.
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

/**
 * Deletes an own icon. Throws 404, and 400 while styles or settings name it, unless `force` is set or an icon
 * of the start set has the same name.
 */
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

/** The error names the layers and folders that the caller may view. */
function inUse(name: string, users: readonly IconUser[]): ServiceError {
  const shown = users.filter(({ right }) => right >= 1).map(({ map, code }) => `${map}.${code}`);
  const others = users.length - shown.length;
  const userNames = [...shown.slice(0, 20), ...(others ? [`${others} more`] : [])].join(', ');
  return badRequest(`The icon '${name}' is used by ${userNames}: change these first, or force=1`, {
    icon: name,
    layers: shown,
  });
}

/**
 * Raises the version of the project's icons, which invalidates cached tiles. Concurrent changes of icons wait
 * for it.
 */
const raiseVersion = (tx: Transaction, projectId: number): Promise<unknown> =>
  tx.query(sql`update cartulary.project set icons_version = icons_version + 1 where id = ${projectId}`);
