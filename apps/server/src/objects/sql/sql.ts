import type { Output } from '@cartulary/columns';
import type { SR } from '@cartulary/geo';
import { ident, join, type Sql, sql } from '@cartulary/sql';
import { attributeName, type Layer, layerTable } from '../../layers/layers.js';
import { type ObjectJson, objectText, sliceText } from './object-json.js';
import { geometryText, objectGeom, objectId, objectTable, returnedValue } from './values.js';

export type ObjectTable = Pick<Layer, 'id'>;

/** Selects `id`, `v0` … (the values of the columns in their order), `geom`, and `west`, `south`, `east`, `north`; in no order. */
export function rowsStatement(layer: ObjectTable, output: Output, ids: readonly number[]): Sql {
  const selected = [
    sql`${objectId} as id`,
    ...output.columns.map((column, i) => sql`${returnedValue(column, output)} as ${ident(`v${i}`)}`),
  ];
  if (output.geometry) selected.push(sql`${geometryText(output.geometry)} as geom`);
  if (output.bbox) {
    selected.push(
      sql`ST_XMin(${objectGeom}) as west, ST_YMin(${objectGeom}) as south, ST_XMax(${objectGeom}) as east, ST_YMax(${objectGeom}) as north`,
    );
  }
  return sql`select ${join(selected)} from ${layerTable(layer.id)} t where ${objectId} = any(${[...ids]}::bigint[])`;
}

/** Selects the JSON of the objects with these ids as `text`, in that order (see `sliceText`); '' where none of them exists. */
export const sliceStatement = (
  layer: ObjectTable & Pick<Layer, 'type'>,
  json: ObjectJson,
  ids: readonly number[],
): Sql =>
  sql`select coalesce(${sliceText(json, sql`order by wanted.place`)}, '') as text
    from unnest(${[...ids]}::bigint[]) with ordinality wanted (id, place)
    join ${layer.type === 'virtual' ? sql`${layerTable(layer.id)} t` : lookedUpById(layer)} on ${objectId} = wanted.id`;

/** Forces an index lookup for each id: the planner would rather read a small table whole for some hundred ids. */
const lookedUpById = (layer: ObjectTable): Sql =>
  sql`lateral (select * from ${layerTable(layer.id)} o where o.svc_id = wanted.id offset 0) t`;

/**
 * Selects the JSON of one object as `text` (see `objectText`), and its `version` (see `versionSql`); no row where it does not
 * exist.
 */
export const objectStatement = (
  layer: ObjectTable & Pick<Layer, 'type'>,
  json: ObjectJson,
  id: number,
): Sql =>
  sql`select ${objectText(json)} as text, ${versionSql(layer)} as version from ${layerTable(layer.id)} t where ${objectId} = ${id}::bigint`;

/**
 * The version of an object: the transaction that wrote its row. Another write of the object gives another version; nothing is
 * stored for it. A view has none.
 */
const versionSql = ({ type }: Pick<Layer, 'type'>): Sql =>
  type === 'virtual' ? sql`null::text` : sql`${objectTable}.xmin::text`;

/** Selects `id` and `version` of objects. */
export const versionsStatement = (layer: ObjectTable & Pick<Layer, 'type'>, ids: readonly number[]): Sql =>
  sql`select ${objectId} as id, ${versionSql(layer)} as version from ${layerTable(layer.id)} t
    where ${objectId} = any(${[...ids]}::bigint[])`;

/** The columns of the table that `objectJson` reads. */
export const objectColumns = ({ columns, geometry, bbox }: Output): Sql[] =>
  [...new Set(['svc_id', ...columns.map(attributeName), ...(geometry || bbox ? ['geom'] : [])])].map((name) =>
    ident(name),
  );

/** Selects the geometry alone, as GeoJSON: `geom`. */
export const geometryStatement = (layer: ObjectTable, id: number, sr: SR): Sql =>
  sql`select ${geometryText({ sr, centroid: false })} as geom from ${layerTable(layer.id)} t where ${objectId} = ${id}::bigint`;

/** Counts objects, up to a limit: `count`. */
export const countUpTo = (layer: ObjectTable, limit: number | undefined): Sql =>
  limit === undefined
    ? sql`select count(*) as count from ${layerTable(layer.id)}`
    : sql`select count(*) as count from (select from ${layerTable(layer.id)} limit ${limit}::bigint) counted`;

/** Whether the table was ever analyzed: `known`. */
export const isAnalyzed = (layer: ObjectTable): Sql =>
  sql`select reltuples >= 0 as known from pg_class where oid = ${`cartulary_data.layer_${layer.id}`}::text::regclass`;

/** The planner's estimate of the number of objects: `QUERY PLAN`, JSON. */
export const planOf = (layer: ObjectTable): Sql =>
  sql`explain (format json) select from ${layerTable(layer.id)}`;
