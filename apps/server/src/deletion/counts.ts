import { type Queryable, sqlState } from '@cartulary/database';
import { join, type Sql, sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import { findUserId } from '../access/sign-in/logins.js';
import { rightOnLayer } from '../containers/containers.js';
import { type Column, type Layer, layerTable, stored } from '../layers/layers.js';

/** What goes, by its kind. */
export type Counts = Record<string, unknown>;

interface Gone {
  id: number;
  type: string;
}

/** Tables whose rows are counted by one statement. */
const tablesAtOnce = 100;

/** Counts a map and all that it holds. */
export const countMap = (db: Queryable, caller: Caller, id: number, signal: AbortSignal): Promise<Counts> =>
  countContainers(db, caller, sql`c.map_id = ${id}`, signal);

/** Counts a layer and all that it holds. */
export const countLayer = (db: Queryable, caller: Caller, id: number, signal: AbortSignal): Promise<Counts> =>
  countContainers(db, caller, sql`c.id = ${id}`, signal);

/** Counts a folder and all that it holds, at any depth. */
export const countFolder = (
  db: Queryable,
  caller: Caller,
  id: number,
  signal: AbortSignal,
): Promise<Counts> =>
  countContainers(
    db,
    caller,
    sql`c.id in (with recursive inside as (
      select ${id}::integer as id
      union all select one.id from cartulary.container one join inside on one.parent_id = inside.id
    ) select id from inside)`,
    signal,
  );

/** Counts maps, folders and layers with all that they hold. `which`: a condition over the alias `c` of their rows. */
async function countContainers(
  db: Queryable,
  caller: Caller,
  which: Sql,
  signal: AbortSignal,
): Promise<Counts> {
  const gone = await db.query<Gone>(
    sql`select c.id, c.type from cartulary.container c where ${which}`,
    signal,
  );
  const ids = gone.map(({ id }) => id);
  const ofType = (...types: string[]): Gone[] => gone.filter(({ type }) => types.includes(type));
  const [map, folder] = [ofType('map').length, ofType('folder').length];
  const [rows] = await db.query<Counts>(
    sql`
    select (select count(*) from cartulary.layer_column where layer_id = any(${ids}::integer[])
        and code not in ('svc_id', 'geom')) as columns,
      (select count(*) from cartulary.access_grant where container_id = any(${ids}::integer[])) as grants,
      ${filesSql(sql`f.layer_id = any(${ids}::integer[])`)},
      (select count(*) from cartulary.layer_constraint k join cartulary.layer_column d on d.id = k.dict_column_id
        where d.layer_id = any(${ids}::integer[]) and k.layer_id <> all(${ids}::integer[])) as dictionary_links`,
    signal,
  );
  return {
    maps: map,
    folders: folder,
    layers: gone.length - map - folder,
    objects: await countRows(db, ofType('layer', 'material'), signal),
    ...rows,
    ...(await readersOf(db, caller, ids, signal)),
  };
}

const filesSql = (which: Sql): Sql => sql`
  (select count(*) from cartulary.file f where ${which}) as files,
  (select coalesce(sum(f.size), 0)::bigint from cartulary.file f where ${which}) as bytes`;

/** Counts the objects of layers. One that is deleted meanwhile has none. */
async function countRows(db: Queryable, layers: readonly Gone[], signal: AbortSignal): Promise<number> {
  let objects = 0;
  for (let at = 0; at < layers.length; at += tablesAtOnce)
    objects += await countTables(db, layers.slice(at, at + tablesAtOnce), signal);
  return objects;
}

async function countTables(db: Queryable, layers: readonly Gone[], signal: AbortSignal): Promise<number> {
  const counts = layers.map(({ id }) => sql`(select count(*) from ${layerTable(id)})`);
  try {
    const [row] = await db.query<{ count: number }>(sql`select ${join(counts, ' + ')} as count`, signal);
    return row!.count;
  } catch (error) {
    // 42P01, undefined_table: then the layers are counted one by one.
    if (sqlState(error) !== '42P01') throw error;
    if (layers.length === 1) return 0;
    let sum = 0;
    for (const layer of layers) sum += await countTables(db, [layer], signal);
    return sum;
  }
}

/** The layers elsewhere whose queries read one of these: names of those that the caller may view, and the number of the others. */
async function readersOf(
  db: Queryable,
  caller: Caller,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<Counts> {
  const readers = await db.query<{ name: string; right: number }>(
    sql`
    select distinct m.code || '.' || l.code as name, ${rightOnLayer(caller, sql`m`, sql`l`)} as "right"
    from cartulary.layer_source s join cartulary.container l on l.id = s.layer_id
    join cartulary.container m on m.id = l.map_id
    where s.source_id = any(${[...ids]}::integer[]) and s.layer_id <> all(${[...ids]}::integer[]) order by name`,
    signal,
  );
  const named = readers.filter(({ right }) => right >= 1).map(({ name }) => name);
  return { readers: named, other_readers: readers.length - named.length };
}

/** Counts a project: its containers, users and groups. */
export async function countProject(db: Queryable, caller: Caller, signal: AbortSignal): Promise<Counts> {
  const { id } = caller.project;
  const [people] = await db.query<Counts>(sql`
    select (select count(*) from cartulary.account where project_id = ${id}) as users,
      (select count(*) from cartulary.user_group where project_id = ${id}) as groups,
      (select count(*) from cartulary.access_grant where project_id = ${id}) as grants`);
  return { ...(await countContainers(db, caller, sql`c.project_id = ${id}`, signal)), ...people };
}

/** Counts a column: its values, the files in them, and what refers to it. */
export async function countColumn(
  db: Queryable,
  layer: Layer,
  column: Column,
  signal: AbortSignal,
): Promise<Counts> {
  const values =
    column.type === 'title'
      ? sql`0`
      : sql`(select count(*) from ${layerTable(layer.id)} t where ${stored(column, sql`t`)} is not null)`;
  const [row] = await db.query<Counts>(
    sql`
    select ${values} as values, ${filesSql(sql`f.column_id = ${column.id}`)},
      (select count(*) from cartulary.layer_constraint where ${column.id} = any(column_ids)) as constraints,
      (select count(*) from cartulary.layer_constraint where dict_column_id = ${column.id}) as dictionary_links`,
    signal,
  );
  return row!;
}

/** Counts those of the objects that exist, and their files. */
export async function countSomeObjects(
  db: Queryable,
  layer: Layer,
  which: readonly number[] | { first: number; last: number },
  signal: AbortSignal,
): Promise<Counts> {
  const among = (id: Sql): Sql =>
    'first' in which
      ? sql`${id} between ${which.first}::bigint and ${which.last}::bigint`
      : sql`${id} = any(${[...which]}::bigint[])`;
  const [row] = await db.query<Counts>(
    sql`
    select (select count(*) from ${layerTable(layer.id)} t where ${among(sql`t.svc_id`)}) as objects,
      ${filesSql(sql`f.layer_id = ${layer.id} and ${among(sql`f.object_id`)}`)}`,
    signal,
  );
  return row!;
}

/** Counts what belongs to a user of the project. Throws 404. What the user has made stays. */
export async function countUser(db: Queryable, projectId: number, login: string): Promise<Counts> {
  const id = await findUserId(db, projectId, login);
  const [row] = await db.query<Counts>(sql`
    select (select count(*) from cartulary.session where account_id = ${id}) as sessions,
      (select count(*) from cartulary.membership where account_id = ${id}) as groups,
      (select count(*) from cartulary.access_grant where account_id = ${id}) as grants`);
  return row!;
}

/** Counts what belongs to a group of the project; undefined where there is none of that name. */
export async function countGroup(
  db: Queryable,
  projectId: number,
  name: string,
): Promise<Counts | undefined> {
  const [row] = await db.query<Counts>(sql`
    select (select count(*) from cartulary.membership where group_id = g.id) as members,
      (select count(*) from cartulary.access_grant where group_id = g.id) as grants
    from cartulary.user_group g where g.project_id = ${projectId} and g.name = ${name}`);
  return row;
}
