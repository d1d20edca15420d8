import { ident, join, type Sql, sql } from '../db/sql.js';
import type { SR } from '../geo/bbox.js';
import { boxOf } from '../layers/changes.js';
import { type Column, columnName, type Layer, layerTable } from '../layers/layers.js';
import {
  type AcceptedValue,
  columnConversion,
  countValues,
  isUnfilled,
  mergeLocalized,
  sqlType,
} from '../layers/types.js';

/** The layer's table in every statement here. */
const geom = sql`t.geom`;
const id = sql`t.svc_id`;

type Table = Pick<Layer, 'id'>;

/** What is written to an object. */
export interface Change {
  /** Values as `acceptColumn` gives them. */
  values: ReadonlyMap<Column, AcceptedValue>;
  /** EWKB with the projection of its numbers; null removes it; undefined leaves it. */
  geom?: { ewkb: Buffer; sr: SR } | null | undefined;
}

/** Which of the required columns, that were written, hold nothing now: `missing`. */
const missing = (columns: Iterable<Column>): Sql => {
  const codes = [...columns]
    .filter(({ required }) => required)
    .map((column) => {
      const value = sql`t.${ident(columnName(column))}`;
      return sql`case when ${isUnfilled(column, value)} then ${column.code}::text end`;
    });
  return codes.length ? sql`array_remove(array[${join(codes)}], null)` : sql`'{}'::text[]`;
};

function geomValue(change: NonNullable<Change['geom']> | null): Sql {
  if (!change) return sql`null::geometry`;
  const { ewkb, sr } = change;
  return sr === '4326'
    ? sql`${ewkb}::geometry`
    : sql`ST_Transform(ST_SetSRID(${ewkb}::geometry, 3857), 4326)`;
}

/** The box of the shape that an object had before the statement: what it reads itself is as it was. */
const boxBefore = (layer: Table, objectId: number): Sql =>
  sql`(select ${boxOf(sql`o.geom`)} from ${layerTable(layer.id)} o where o.svc_id = ${objectId}::bigint)`;

/** Inserts an object: `id`, `missing`, and the `box` of its shape. */
export function insertStatement(layer: Table, { values, geom: shape }: Change): Sql {
  const names = [...values.keys()].map((column) => ident(columnName(column)));
  const bound = [...values].map(([column, value]) => written(column, value, sql`null::jsonb`));
  if (shape !== undefined) {
    names.push(ident('geom'));
    bound.push(geomValue(shape));
  }
  const row = names.length ? sql`(${join(names)}) values (${join(bound)})` : sql`default values`;
  return sql`insert into ${layerTable(layer.id)} as t ${row} returning ${id} as id, ${missing(values.keys())} as missing, ${boxOf(geom)} as box`;
}

const written = (column: Column, value: AcceptedValue, before: Sql): Sql =>
  column.localized_value ? mergeLocalized(before, sql`${value}`) : sql`${value}::${sqlType(column)}`;

/** Updates an object: a row with `missing` when it is there, and the boxes of its shape, `box` and `box_before`. */
export function updateStatement(layer: Table, objectId: number, { values, geom: shape }: Change): Sql {
  const sets = [...values].map(([column, value]) => {
    const name = ident(columnName(column));
    return sql`${name} = ${written(column, value, sql`t.${name}`)}`;
  });
  if (shape !== undefined) sets.push(sql`geom = ${geomValue(shape)}`);
  if (!sets.length) sets.push(sql`svc_id = t.svc_id`);
  return sql`update ${layerTable(layer.id)} as t set ${join(sets)} where ${id} = ${objectId}::bigint
    returning ${missing(values.keys())} as missing, ${boxOf(geom)} as box,
      ${shape === undefined ? sql`null::float8[]` : boxBefore(layer, objectId)} as box_before`;
}

/** Most boxes that a deletion gives. */
const mostBoxes = 10_000;

/** Deletes objects with their files by their ids, or from the first to the last: `deleted`, how many, and the `boxes` of their shapes; null: too many. */
export function deleteStatement(
  layer: Table,
  which: readonly number[] | { first: number; last: number },
): Sql {
  const condition = Array.isArray(which)
    ? sql`${id} = any(${[...(which as readonly number[])]}::bigint[])`
    : sql`${id} between ${(which as { first: number }).first}::bigint and ${(which as { last: number }).last}::bigint`;
  return sql`with gone as (delete from ${layerTable(layer.id)} t where ${condition} returning ${id}, ${boxOf(geom)} as box),
      files as (delete from cartulary.file f using gone where f.layer_id = ${layer.id} and f.object_id = gone.svc_id)
    select count(*) as deleted, case when count(box) <= ${mostBoxes}::bigint
      then coalesce((select array_agg(g.box) from gone g where g.box is not null), '{}') end as boxes from gone`;
}

/** An object to be copied. */
export interface CopySource {
  layer: Layer;
  id: number;
  /** The main language. */
  main: string;
}

/**
 * Puts a copy of an object into another layer under the same id, in place of the one that is there: a row with `missing`,
 * `box`, `box_before`, and `lost`, the codes of columns that cannot hold the values of the source, when the source has the
 * object. `files`: the lists of the copied files, of the columns of the target.
 */
export function copyStatement(from: CopySource, to: Layer, files: Change['values']): Sql {
  const targets = to.columns.filter(isStored);
  const values = targets.map((column) =>
    files.has(column)
      ? sql`${files.get(column)}::${sqlType(column)}`
      : copied(sourceOf(column, from), column, from.main),
  );
  const names = [ident('svc_id'), ident('geom'), ...targets.map((column) => ident(columnName(column)))];
  const replaced = names.slice(1).map((name) => sql`${name} = excluded.${name}`);
  const source = sql`from ${layerTable(from.layer.id)} s where s.svc_id = ${from.id}::bigint`;
  return sql`insert into ${layerTable(to.id)} as t (${join(names)})
    select ${join([sql`s.svc_id`, sql`s.geom`, ...values])} ${source}
    on conflict (svc_id) do update set ${join(replaced)}
    returning ${missing(targets)} as missing, ${boxOf(geom)} as box, ${boxBefore(to, from.id)} as box_before,
      (select ${lostBy(targets, from)} ${source}) as lost`;
}

const isStored = ({ code, type }: Column): boolean =>
  code !== 'svc_id' && type !== 'geom' && type !== 'title';

/** The column of the source whose values a column of the target takes. */
const sourceOf = ({ code }: Column, { layer }: CopySource): Column | undefined =>
  layer.columns.find((column) => column.code === code && column.type !== 'title' && column.type !== 'geom');

/** The codes of columns that hold fewer values than the object `s` of the source has, each language's value counted. */
function lostBy(targets: readonly Column[], from: CopySource): Sql {
  const codes = targets.flatMap((target) => {
    const source = sourceOf(target, from);
    if (!source || !changesType(source, target)) return [];
    const before = countValues(sql`s.${ident(columnName(source))}`, source);
    const after = countValues(copied(source, target, from.main), target);
    return [sql`case when ${before} > ${after} then ${target.code}::text end`];
  });
  return codes.length ? sql`array_remove(array[${join(codes)}], null)` : sql`'{}'::text[]`;
}

/** Whether values are converted on their way. The lists of files are copied apart from the values. */
const changesType = (source: Column, target: Column): boolean =>
  source.type === target.type
    ? source.type !== 'file' && source.localized_value !== target.localized_value
    : true;

function copied(source: Column | undefined, target: Column, main: string): Sql {
  if (!source) return sql`null::${sqlType(target)}`;
  return columnConversion(sql`s.${ident(columnName(source))}`, source, target, main);
}

/** The sequence of a layer's ids goes on behind an id that was given by hand. */
export const advanceIds = (layer: Table, objectId: number): Sql => {
  const table = `cartulary_data.layer_${layer.id}`;
  return sql`select setval(pg_get_serial_sequence(${table}::text, 'svc_id'), ${objectId}::bigint)
    where ${objectId}::bigint > coalesce((select last_value from pg_sequences
      where format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence(${table}::text, 'svc_id')), 0)`;
};
