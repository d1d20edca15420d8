/** What the database has of a layer that is a query: the view of a virtual one, the table of a materialized one. */
import { touchMap } from '../containers/containers.js';
import type { Queryable, Transaction } from '../db/pool.js';
import { becomeQueryRole, leaveQueryRole, letQueriesRead } from '../db/query-role.js';
import { ident, join, literal, type Sql, sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import { iconNames } from '../icons/icons.js';
import { judgeText } from '../queries/query.js';
import { type Column, type ColumnType, columnName, layerTable } from './layers.js';
import { type ResultColumn, type Shape, shapeOf, storeColumns } from './query-columns.js';
import { queryFailure } from './query-failure.js';
import { checkedSql, type QueryText, queryText, type StoredQuery } from './query-text.js';
import { tentatively } from './savepoint.js';
import { createGeomIndex } from './storage.js';
import { checkStyle } from './style.js';
import { sqlType } from './types.js';
import { keepVisual } from './visual/change.js';

/** What a query may take. */
export interface QueryLimits {
  /** ms. */
  time: number;
  rows: number;
}

/** A layer that is a query, with the layers that it reads. */
interface Recipe {
  id: number;
  mapId: number;
  projectId: number;
  visual_settings: unknown;
  visual_custom_settings: unknown;
  type: 'virtual' | 'material';
  code: string;
  style: string;
  stored: StoredQuery;
  run: QueryText;
  kindOf: (code: string) => ColumnType | undefined;
}

/**
 * Makes the view or fills the table of a layer anew from its stored query, brings its columns to the result, and raises its
 * map's version. With `limits` the query is run to its end before. Throws `query_invalid`, `style_invalid` where the style
 * reads a column that is gone. Gives the rows of the result, where they were counted.
 */
export async function buildLayer(
  tx: Transaction,
  layerId: number,
  limits: QueryLimits | undefined,
): Promise<number | undefined> {
  const recipe = await readRecipe(tx, layerId);
  const shape = shapeOf(await describe(tx, recipe), recipe.kindOf);
  const { columns, hasChanged, lost } = await storeColumns(tx, layerId, shape);
  checkStyle(recipe.style, { code: recipe.code, columns }, await iconNames(tx, recipe.projectId));
  for (const column of lost) keepVisual(recipe, column);
  await touchMap(tx, recipe.mapId);
  const body = bodyOf(recipe, shape, columns);
  if (recipe.type === 'material') return fill(tx, { recipe, columns, body, hasChanged }, limits!);
  await makeView(tx, recipe, layerTable(layerId), body);
  return limits && (await probe(tx, recipe, limits));
}

/** The text of a query as it is run now, over its layers as they are now. Throws `query_invalid` when one is gone. */
async function readRecipe(tx: Transaction, layerId: number): Promise<Recipe> {
  const [row] = await tx.query<
    StoredQuery &
      Pick<Recipe, 'id' | 'type' | 'code' | 'style' | 'visual_settings' | 'visual_custom_settings'> & {
        map_id: number;
        project_id: number;
        main: string;
      }
  >(sql`
    select c.id, c.type, c.code, c.css_style as style, c.visual_settings, c.visual_custom_settings,
      c.map_id, c.project_id, q.parts, q.refs, p.languages[1] as main
    from cartulary.layer_query q join cartulary.container c on c.id = q.layer_id
    join cartulary.project p on p.id = c.project_id where q.layer_id = ${layerId}`);
  const { parts, refs, main, map_id: mapId, project_id: projectId, ...layer } = row!;
  const columns = await columnsOf(
    tx,
    refs.map(({ source }) => source),
  );
  const missing = refs.find(({ source }) => !columns.has(source));
  if (missing)
    throw new ServiceError('query_invalid', `The layer ${missing.text} that the query reads was deleted`, {
      layer: missing.text,
    });
  const run = queryText({ parts, refs }, columns, main);
  // The text is ours now: that it still reads nothing else is checked by the parser once more.
  const weight = await judgeText(run.text, await weightsOf(tx, [...columns.keys()]));
  await tx.query(sql`update cartulary.layer_query set weight = ${weight} where layer_id = ${layerId}`);
  for (const source of columns.keys()) await letQueriesRead(tx, ['cartulary_data', `layer_${source}`]);
  const all = [...columns.values()].flat();
  const kindOf = (code: string) => all.find((column) => column.code === code)?.type;
  return { ...layer, mapId, projectId, stored: { parts, refs }, run, kindOf };
}

/** The weights of tables by name: of virtual layers how many terms their expressions have. */
async function weightsOf(tx: Queryable, ids: readonly number[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ id: number; weight: number }>(sql`
    select c.id, case c.type when 'virtual' then coalesce(q.weight, 1) else 1 end as weight
    from cartulary.container c left join cartulary.layer_query q on q.layer_id = c.id
    where c.id = any(${[...ids]}::integer[])`);
  return new Map(rows.map(({ id, weight }) => [`cartulary_data.layer_${id}`, weight]));
}

/** The columns of layers that are there, by their ids. */
export async function columnsOf(
  db: Queryable,
  ids: readonly number[],
): Promise<Map<number, readonly Column[]>> {
  const rows = await db.query<{ id: number; columns: Column[] }>(sql`
    select l.id, (select coalesce(jsonb_agg(to_jsonb(c) order by c.sort, c.id), '[]')
      from cartulary.layer_column c where c.layer_id = l.id) as columns
    from cartulary.container l where l.id = any(${[...ids]}::integer[])`);
  return new Map(rows.map(({ id, columns }) => [id, columns]));
}

const prefix = (name: Sql): Sql => sql`create view ${name} as `;

/** The columns of the result: of a view that is made and taken back. Planned as the role of queries, which judges its functions too. */
const describe = (tx: Transaction, { id, stored, run }: Recipe): Promise<ResultColumn[]> =>
  tentatively(tx, async () => {
    const name = `layer_${id}_shape`;
    const view = ident('cartulary_data', name);
    // The parser reads texts as the standard does; the database must read them alike.
    await tx.query(sql`set local standard_conforming_strings = on`);
    await becomeQueryRole(tx);
    const start = prefix(view);
    await tx
      .query(sql`${start}${checkedSql(run)}`)
      .catch((error) => Promise.reject(queryFailure(error, stored, run, start.text[0]!.length)));
    await tx
      .query(sql`explain select * from ${view}`)
      .catch((error) => Promise.reject(queryFailure(error, stored, run)));
    return tx.query<ResultColumn>(sql`
      select a.attname::text as name, t.typname::text as type, t.typcategory::text as category
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = ${`cartulary_data.${name}`}::text::regclass and a.attnum > 0 order by a.attnum`);
  });

type Stored = Pick<Column, 'id' | 'code' | 'type'>;

/** The result with the columns of the layer's table. */
function bodyOf({ run }: Recipe, shape: Shape, columns: readonly Stored[]): Sql {
  const values = shape.columns.map(({ code, value }) => {
    const column = columns.find((one) => one.code === code)!;
    return sql`${value} as ${ident(columnName(column))}`;
  });
  const selected = [sql`${shape.id} as svc_id`, sql`${shape.geom} as geom`, ...values];
  return sql`select ${join(selected)} from (\n${checkedSql(run)}\n) q`;
}

/** A view that belongs to the role of queries: who reads it reads the tables with that role's rights. */
async function makeView(tx: Transaction, { stored, run }: Recipe, view: Sql, body: Sql): Promise<void> {
  await tx.query(sql`drop view if exists ${view}`);
  await tx.query(sql`set local standard_conforming_strings = on`);
  await becomeQueryRole(tx);
  await tx
    .query(sql`${prefix(view)}${body}`)
    .catch((error) => Promise.reject(queryFailure(error, stored, run)));
  await tx.query(sql`grant select on ${view} to session_user`);
  await leaveQueryRole(tx);
}

/** Runs a query to its end, without any right to write. Throws `query_invalid` for what no layer can be. */
async function probe(tx: Transaction, { id, stored, run }: Recipe, limits: QueryLimits): Promise<number> {
  const found = await tentatively(tx, async () => {
    await tx.query(sql`set local statement_timeout = ${timeLiteral(limits.time)}`);
    await tx.query(sql`set local transaction_read_only = on`);
    await becomeQueryRole(tx);
    const [row] = await tx
      .query<{ rows: number; filled: number; ids: number; right: boolean | null }>(sql`
        select count(*) as rows, count(v.svc_id) as filled, count(distinct v.svc_id) as ids,
          bool_and(st_srid(v.geom) = 4326) as right, sum(pg_column_size(v)) as size
        from (select * from ${layerTable(id)} limit ${limits.rows + 1}::bigint) v`)
      .catch((error) => Promise.reject(queryFailure(error, stored, run)));
    return row!;
  });
  await tx.query(sql`set local statement_timeout = default`);
  refuseRows(found.rows, limits);
  if (found.filled < found.rows) throw notValid('svc_id is null in one of its rows');
  if (found.ids < found.rows) throw notValid('svc_id is the same in several rows');
  if (found.right === false)
    throw notValid(
      'geom is not in EPSG:4326 everywhere: use st_transform(geom, 4326) or st_setsrid(geom, 4326)',
    );
  return found.rows;
}

const notValid = (what: string): ServiceError =>
  new ServiceError('query_invalid', `The query is not valid: ${what}`, { problem: what });

function refuseRows(rows: number, limits: QueryLimits): void {
  if (rows > limits.rows) throw notValid(`it gives more than ${limits.rows} rows`);
}

/** A number of the settings, for a statement that can bind none. */
const timeLiteral = (ms: number): Sql => literal(`${Math.round(ms)}ms`);

interface Filling {
  recipe: Recipe;
  columns: readonly Stored[];
  body: Sql;
  hasChanged: boolean;
}

/** Puts the result into the table: in one transaction, so that readers see the old one until it is whole. */
async function fill(
  tx: Transaction,
  { recipe, columns, body, hasChanged }: Filling,
  limits: QueryLimits,
): Promise<number> {
  const { id, stored, run } = recipe;
  const table = layerTable(id);
  const view = ident('cartulary_data', `layer_${id}_query`);
  const [present] = await tx.query<{ it: boolean }>(
    sql`select to_regclass(${`cartulary_data.layer_${id}`}) is not null as it`,
  );
  if (present?.it && hasChanged) await tx.query(sql`drop table ${table}`);
  if (!present?.it || hasChanged) await createResultTable(tx, id, columns);
  else await tx.query(sql`delete from ${table}`);
  await makeView(tx, recipe, view, body);
  const names = [
    sql`svc_id`,
    sql`geom`,
    ...columns
      .filter(({ type, code }) => type !== 'geom' && code !== 'svc_id')
      .map((one) => ident(columnName(one))),
  ];
  await tx.query(sql`set local statement_timeout = ${timeLiteral(limits.time)}`);
  const [inserted] = await tx
    .query<{ rows: number }>(sql`
      with added as (
        insert into ${table} (${join(names)}) select ${join(names)} from ${view} limit ${limits.rows + 1}::bigint returning 1)
      select count(*) as rows from added`)
    .catch((error) => Promise.reject(queryFailure(error, stored, run)));
  await tx.query(sql`set local statement_timeout = default`);
  await tx.query(sql`drop view ${view}`);
  const { rows } = inserted!;
  refuseRows(rows, limits);
  return rows;
}

async function createResultTable(tx: Transaction, id: number, columns: readonly Stored[]): Promise<void> {
  const others = columns
    .filter(({ type, code }) => type !== 'geom' && code !== 'svc_id')
    .map((column) => sql`, ${ident(columnName(column))} ${sqlType({ ...column, localized_value: false })}`);
  await tx.query(sql`
    create table ${layerTable(id)} (
      svc_id bigint primary key,
      geom geometry check (st_srid(geom) = 4326)${join(others, '')}
    )`);
  await createGeomIndex(tx, id);
}
