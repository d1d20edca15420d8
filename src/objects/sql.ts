import { ident, join, type Sql, sql } from '../db/sql.js';
import type { SR } from '../geo/bbox.js';
import { toleranceDegrees } from '../geo/simplify.js';
import { type Column, columnName, type Layer, layerTable } from '../layers/layers.js';
import { isoText, valueSql } from '../layers/types.js';
import type { Output } from './query.js';

/** The layer's table in every statement here. */
const t = sql`t`;
const geom = sql`t.geom`;
const id = sql`t.svc_id`;

export type Table = Pick<Layer, 'id'>;

/** Selects `id`, `v0` … (the values of the columns in their order), `geom`, and `west`, `south`, `east`, `north`; in no order. */
export function rowsStatement(layer: Table, output: Output, ids: readonly number[]): Sql {
  const selected = [
    sql`${id} as id`,
    ...output.columns.map((column, i) => sql`${returned(column, output)} as ${ident(`v${i}`)}`),
  ];
  if (output.geometry) selected.push(sql`${geometryText(output.geometry)} as geom`);
  if (output.bbox) {
    selected.push(
      sql`ST_XMin(${geom}) as west, ST_YMin(${geom}) as south, ST_XMax(${geom}) as east, ST_YMax(${geom}) as north`,
    );
  }
  return sql`select ${join(selected)} from ${layerTable(layer.id)} t where ${id} = any(${[...ids]}::bigint[])`;
}

/** Whether `textStatement` can write it: values as they are shown, and extents, are left to `rowWriter`. */
export const isWrittenBySql = ({ display, bbox }: Output): boolean => !display && !bbox;

/** Selects the objects with these ids as text, in that order, as `rowWriter` writes them, with commas between them. */
export const textStatement = (
  layer: Table & Pick<Layer, 'type'>,
  output: Output,
  ids: readonly number[],
): Sql =>
  sql`select coalesce(string_agg(${objectText(output)}, ',' order by wanted.place), '') as text
    from unnest(${[...ids]}::bigint[]) with ordinality wanted (id, place)
    join ${layer.type === 'virtual' ? sql`${layerTable(layer.id)} t` : foundOneByOne(layer)} on ${id} = wanted.id`;

/** A table whose objects are looked up one after the other: the planner would rather read all of a small one for some hundred, each time. */
const foundOneByOne = (layer: Table): Sql =>
  sql`lateral (select * from ${layerTable(layer.id)} o where o.svc_id = wanted.id offset 0) t`;

/** The columns of the table that `objectText` reads. */
export const readColumns = ({ columns, geometry }: Output): Sql[] =>
  [...new Set(['svc_id', ...columns.map(columnName), ...(geometry ? ['geom'] : [])])].map((name) =>
    ident(name),
  );

/** An object as JSON. */
export function objectText(output: Output): Sql {
  const fields = output.columns.flatMap((column, i) => [
    sql`${`${i ? ',' : ''}${JSON.stringify(column.code)}:`}::text`,
    sql`coalesce(${jsonText(column, output)}, 'null')`,
  ]);
  const parts = [sql`'{"id":'`, id, sql`',"fields":{'`, ...fields, sql`'}'`];
  if (output.geometry) parts.push(sql`',"geom":'`, sql`coalesce(${geometryText(output.geometry)}, 'null')`);
  return concat([...parts, sql`'}'`]);
}

/** Most arguments of a function. */
const mostArguments = 100;

/** Texts one after the other, however many. */
function concat(parts: readonly Sql[]): Sql {
  if (parts.length <= mostArguments) return sql`concat(${join(parts)})`;
  const groups: Sql[] = [];
  for (let at = 0; at < parts.length; at += mostArguments)
    groups.push(concat(parts.slice(at, at + mostArguments)));
  return concat(groups);
}

/** A value as JSON; the numbers that JSON does not have are null, as in `JSON.stringify`. */
function jsonText(column: Column, output: Output): Sql {
  const value = returned(column, output);
  if (column.type === 'number')
    return sql`case when abs((${value})::double precision) < 'Infinity' then (${value})::text end`;
  if (column.type === 'bool') return sql`case when ${value} then 'true' when not ${value} then 'false' end`;
  return column.type === 'json' ? value : sql`to_json(${value})::text`;
}

/** Datetime as ISO 8601, JSON as text: so they are passed on as they come. */
function returned(column: Column, output: Output): Sql {
  const value = valueSql(column, { alias: t, lng: output.lng, main: output.main });
  if (column.type === 'datetime') return isoText(value);
  return column.type === 'json' ? sql`(${value})::text` : value;
}

/** Decimals after which a double has no digits left to show, and, in metres, the micrometre. */
const decimals = { '4326': 17, '3857': 6 } as const;

function geometryText({ sr, zoom, centroid, form }: NonNullable<Output['geometry']>): Sql {
  const shape = centroid ? sql`ST_Centroid(${geom})` : zoom === undefined ? geom : simplified(zoom);
  if (form === 'wkt') return sql`ST_AsText(${inSr(shape, sr)}, ${decimals[sr]}::integer)`;
  return sql`ST_AsGeoJSON(${inSr(shape, sr)}, ${decimals[sr]}::integer, 0)`;
}

const inSr = (shape: Sql, sr: SR): Sql => (sr === '4326' ? shape : sql`ST_Transform(${shape}, 3857)`);

/**
 * Half a pixel at that zoom. A polygon stays one: each of its parts keeps at least a triangle. The fast way may cross
 * its own lines; then, seldom, the way that looks at them is taken.
 */
function simplified(zoom: number): Sql {
  const tolerance = sql`${toleranceDegrees(zoom)}::double precision`;
  return sql`coalesce(case ST_Dimension(${geom}) when 0 then ${geom} when 1 then ST_Simplify(${geom}, ${tolerance}, true)
    else (select case when ST_IsValid(fast) then fast else ST_SimplifyPreserveTopology(${geom}, ${tolerance}) end
      from ST_Simplify(${geom}, ${tolerance}, true) fast) end, ${geom})`;
}

/** The geometry alone: `geom` as GeoJSON. */
export const geometryStatement = (layer: Table, objectId: number, sr: SR): Sql =>
  sql`select ${geometryText({ sr, centroid: false })} as geom from ${layerTable(layer.id)} t where ${id} = ${objectId}::bigint`;

/** How many objects there are, up to a limit: `count`. */
export const countUpTo = (layer: Table, limit: number | undefined): Sql =>
  limit === undefined
    ? sql`select count(*) as count from ${layerTable(layer.id)}`
    : sql`select count(*) as count from (select from ${layerTable(layer.id)} limit ${limit}::bigint) counted`;

/** Whether the planner knows something of the table: `known`. */
export const isAnalyzed = (layer: Table): Sql =>
  sql`select reltuples >= 0 as known from pg_class where oid = ${`cartulary_data.layer_${layer.id}`}::text::regclass`;

/** The planner's estimate: `QUERY PLAN`, JSON. */
export const planOf = (layer: Table): Sql => sql`explain (format json) select from ${layerTable(layer.id)}`;
