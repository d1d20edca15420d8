/** The database objects of query layers: the view of a virtual one, the table of a materialized one. */

import type { Column } from '@cartulary/columns';
import { becomeQueryRole, leaveQueryRole, type Transaction } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { ident, join, literal, type Sql, sql } from '@cartulary/sql';
import { touchMap } from '../../containers/containers.js';
import { iconNames } from '../../icons/icons.js';
import { attributeDefinitions, placeAnew } from '../columns/column-packs.js';
import { createGeomIndex } from '../columns/storage.js';
import { attributeName, layerTable, target } from '../layers.js';
import { checkStyle } from '../styles/style.js';
import { keepVisual } from '../visual/change.js';
import { withSavepoint } from '../with-savepoint.js';
import { type ResultColumn, type ResultShape, resultShapeOf, storeColumns } from './query-columns.js';
import { queryFailure } from './query-failure.js';
import { type QueryLayer, readQueryLayer } from './query-layer.js';
import { checkedSql } from './query-text.js';

/** Limits of a query. */
export interface ViewLimits {
  /** ms. */
  timeoutMs: number;
  rows: number;
  columns: number;
}

/**
 * Creates the view or fills the table of a layer from its stored query, adapts its columns to the result, and raises its
 * map's version. With `limits`, it first runs the query to its end. Returns the number of rows, where it was counted. Throws
 * `query_invalid`, and `style_invalid` where the style reads a column that is gone.
 */
export async function buildLayer(
  tx: Transaction,
  layerId: number,
  limits: ViewLimits | undefined,
): Promise<number | undefined> {
  const queryLayer = await readQueryLayer(tx, layerId);
  const shape = resultShapeOf(await describe(tx, `layer_${layerId}_shape`, queryLayer), queryLayer.kindOf);
  if (limits) refuseColumns(shape, limits);
  const { columns, hasChanged, lost } = await storeColumns(tx, layerId, shape);
  checkStyle(queryLayer.style, { code: queryLayer.code, columns }, await iconNames(tx, queryLayer.projectId));
  for (const column of lost) keepVisual(queryLayer, column);
  await touchMap(tx, queryLayer.mapId);
  const body = bodyOf(queryLayer, shape, columns);
  if (queryLayer.type === 'material') return fill(tx, { queryLayer, columns, body, hasChanged }, limits!);
  await makeView(tx, queryLayer, layerTable(layerId), body);
  return limits && (await probe(tx, queryLayer, limits));
}

const prefix = (name: Sql): Sql => sql`create view ${name} as `;

/**
 * The columns of the result, from a view of this name that is rolled back. The role of queries plans it, which also checks the
 * functions.
 */
export const describe = (
  tx: Transaction,
  name: string,
  { stored, run }: Pick<QueryLayer, 'stored' | 'run'>,
): Promise<ResultColumn[]> =>
  withSavepoint(tx, async () => {
    const view = ident('cartulary_data', name);
    // The parser reads string literals by the standard; the database must do the same.
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

type Stored = Pick<Column, 'id' | 'code' | 'type' | 'localized_value' | 'pack' | 'slot'>;

/** The name of a column in the view of the query: each has an attribute of its own. */
const resultName = ({ id, code }: Stored): Sql => ident(attributeName({ id, code }));

/** The result with the columns of the layer's table. */
function bodyOf({ run }: QueryLayer, shape: ResultShape, columns: readonly Stored[]): Sql {
  const values = shape.columns.map(({ code, value }) => {
    const column = columns.find((one) => one.code === code)!;
    return sql`${value} as ${resultName(column)}`;
  });
  const selected = [sql`${shape.id} as svc_id`, sql`${shape.geom} as geom`, ...values];
  return sql`select ${join(selected)} from (\n${checkedSql(run)}\n) q`;
}

/** Creates a view that belongs to the role of queries: its readers read the tables with the rights of that role. */
async function makeView(tx: Transaction, { stored, run }: QueryLayer, view: Sql, body: Sql): Promise<void> {
  await tx.query(sql`drop view if exists ${view}`);
  await tx.query(sql`set local standard_conforming_strings = on`);
  await becomeQueryRole(tx);
  await tx
    .query(sql`${prefix(view)}${body}`)
    .catch((error) => Promise.reject(queryFailure(error, stored, run)));
  await tx.query(sql`grant select on ${view} to session_user`);
  await leaveQueryRole(tx);
}

/** Runs a query to its end, without any right to write. Throws `query_invalid` for a result that cannot be a layer. */
async function probe(tx: Transaction, { id, stored, run }: QueryLayer, limits: ViewLimits): Promise<number> {
  const found = await withSavepoint(tx, async () => {
    await becomeReader(tx, limits);
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

/** What follows in the savepoint runs for a limited time, without any right to write. */
export async function becomeReader(
  tx: Transaction,
  { timeoutMs }: Pick<ViewLimits, 'timeoutMs'>,
): Promise<void> {
  await tx.query(sql`set local statement_timeout = ${timeLiteral(timeoutMs)}`);
  await tx.query(sql`set local transaction_read_only = on`);
  await becomeQueryRole(tx);
}

const notValid = (what: string): ServiceError =>
  new ServiceError('query_invalid', `The query is not valid: ${what}`, { problem: what });

/** The columns of the result, and those that each layer has. */
function refuseColumns({ columns }: ResultShape, limits: ViewLimits): void {
  if (columns.length + 2 > limits.columns)
    throw notValid(`the layer may have ${limits.columns} columns at most, with svc_id and geom`);
}

function refuseRows(rows: number, limits: ViewLimits): void {
  if (rows > limits.rows) throw notValid(`it gives more than ${limits.rows} rows`);
}

/** A duration for a statement that allows no bound values. */
const timeLiteral = (ms: number): Sql => literal(`${Math.round(ms)}ms`);

interface Filling {
  queryLayer: QueryLayer;
  columns: readonly Stored[];
  body: Sql;
  hasChanged: boolean;
}

/** Puts the result into the table in one transaction, so that readers see the old rows until all new ones are there. */
async function fill(
  tx: Transaction,
  { queryLayer, columns, body, hasChanged }: Filling,
  limits: ViewLimits,
): Promise<number> {
  const { id, stored, run } = queryLayer;
  const table = layerTable(id);
  const view = ident('cartulary_data', `layer_${id}_query`);
  const [present] = await tx.query<{ it: boolean }>(
    sql`select to_regclass(${`cartulary_data.layer_${id}`}) is not null as it`,
  );
  if (present?.it && hasChanged) await tx.query(sql`drop table ${table}`);
  if (!present?.it || hasChanged) await createResultTable(tx, id, columns);
  else await tx.query(sql`delete from ${table}`);
  await makeView(tx, queryLayer, view, body);
  const own = columns.filter(({ type, code }) => type !== 'geom' && code !== 'svc_id');
  const names = join([sql`svc_id, geom`, ...own.map(target)]);
  const results = join([sql`svc_id, geom`, ...own.map(resultName)]);
  await tx.query(sql`set local statement_timeout = ${timeLiteral(limits.timeoutMs)}`);
  const [inserted] = await tx
    .query<{ rows: number }>(sql`
      with added as (
        insert into ${table} (${names}) select ${results} from ${view} limit ${limits.rows + 1}::bigint returning 1)
      select count(*) as rows from added`)
    .catch((error) => Promise.reject(queryFailure(error, stored, run)));
  await tx.query(sql`set local statement_timeout = default`);
  await tx.query(sql`drop view ${view}`);
  const { rows } = inserted!;
  refuseRows(rows, limits);
  return rows;
}

async function createResultTable(tx: Transaction, id: number, columns: readonly Stored[]): Promise<void> {
  const own = columns.filter(({ type, code }) => type !== 'geom' && code !== 'svc_id');
  await placeAnew(tx, own);
  await tx.query(sql`
    create table ${layerTable(id)} (
      svc_id bigint primary key,
      geom geometry check (st_srid(geom) = 4326)${attributeDefinitions(own)}
    )`);
  await createGeomIndex(tx, id);
}
