import {
  type AcceptedValue,
  type Column,
  columnConversion,
  countValues,
  hasValues,
  isUnfilled,
  mergeLocalized,
  sqlType,
  valueColumns,
} from '@cartulary/columns';
import type { SR } from '@cartulary/geo';
import { ident, join, type Sql, sql } from '@cartulary/sql';
import { boxOf } from '../../layers/changes.js';
import { type Layer, layerTable, stored, target } from '../../layers/layers.js';

/** The alias of the layer's table in every statement of this file. */
const t = sql`t`;
const geom = sql`t.geom`;
const id = sql`t.svc_id`;

type Table = Pick<Layer, 'id'>;

/** A change of an object. */
export interface ObjectChange {
  /** Values of `acceptColumn`. */
  values: ReadonlyMap<Column, AcceptedValue>;
  /** EWKB with the projection of its coordinates; null removes the geometry; undefined leaves it. */
  geom?: { ewkb: Buffer; sr: SR } | null | undefined;
}

/** The codes of written required columns that are empty afterwards: `missing`. */
const missing = (columns: Iterable<Column>): Sql => {
  const codes = [...columns]
    .filter(({ required }) => required)
    .map((column) => {
      const value = stored(column, t);
      return sql`case when ${isUnfilled(column, value)} then ${column.code}::text end`;
    });
  return codes.length ? sql`array_remove(array[${join(codes)}], null)` : sql`'{}'::text[]`;
};

function geomValue(change: NonNullable<ObjectChange['geom']> | null): Sql {
  if (!change) return sql`null::geometry`;
  const { ewkb, sr } = change;
  return sr === '4326'
    ? sql`${ewkb}::geometry`
    : sql`ST_Transform(ST_SetSRID(${ewkb}::geometry, 3857), 4326)`;
}

/** The extent of the object before the statement: a subquery reads the snapshot from before its own changes. */
const boxBefore = (layer: Table, objectId: number): Sql =>
  sql`(select ${boxOf(sql`o.geom`)} from ${layerTable(layer.id)} o where o.svc_id = ${objectId}::bigint)`;

/** Inserts an object and returns `id`, `missing`, and its extent `box`. */
export function insertStatement(layer: Table, { values, geom: shape }: ObjectChange): Sql {
  const names = [...values.keys()].map(target);
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

/** Updates an object. Returns a row where the object exists: `missing`, and its extents `box` and `box_before`. */
export function updateStatement(layer: Table, objectId: number, { values, geom: shape }: ObjectChange): Sql {
  const sets = [...values].map(([column, value]) => {
    return sql`${target(column)} = ${written(column, value, stored(column, t))}`;
  });
  if (shape !== undefined) sets.push(sql`geom = ${geomValue(shape)}`);
  if (!sets.length) sets.push(sql`svc_id = t.svc_id`);
  return sql`update ${layerTable(layer.id)} as t set ${join(sets)} where ${id} = ${objectId}::bigint
    returning ${missing(values.keys())} as missing, ${boxOf(geom)} as box,
      ${shape === undefined ? sql`null::float8[]` : boxBefore(layer, objectId)} as box_before`;
}

/** Most boxes that a deletion returns. */
const boxLimit = 10_000;

/** Most ids that an error names. */
const namedLimit = 10;

/**
 * Deletes objects and their files by ids, or from the first to the last. Returns the number `deleted`; the `boxes` of their
 * extents, null for too many; and the first `missing` ids.
 */
export function deleteStatement(
  layer: Table,
  which: readonly number[] | { first: number; last: number },
): Sql {
  const condition = Array.isArray(which)
    ? sql`${id} = any(${[...(which as readonly number[])]}::bigint[])`
    : sql`${id} between ${(which as { first: number }).first}::bigint and ${(which as { last: number }).last}::bigint`;
  const missing = Array.isArray(which)
    ? sql`(select jsonb_agg(m.id) from (select w.id from unnest(${[...(which as readonly number[])]}::bigint[]) with ordinality w (id, place)
        where not exists (select from gone g where g.svc_id = w.id) order by w.place limit ${namedLimit}) m)`
    : sql`null::jsonb`;
  return sql`with gone as (delete from ${layerTable(layer.id)} t where ${condition} returning ${id}, ${boxOf(geom)} as box),
      files as (delete from cartulary.file f using gone where f.layer_id = ${layer.id} and f.object_id = gone.svc_id)
    select count(*) as deleted, case when count(box) <= ${boxLimit}::bigint
      then coalesce((select array_agg(g.box) from gone g where g.box is not null), '{}') end as boxes, ${missing} as missing from gone`;
}

/** The object to copy. */
export interface CopySource {
  layer: Layer;
  id: number;
  /** The main language. */
  main: string;
}

/**
 * Copies an object into another layer under the same id, and replaces the object that has it there. `files`: the lists of the
 * copied files, by column of the target. Returns a row where the source has the object: `missing`, `box`, `box_before`, and
 * `lost`, the codes of columns that cannot hold the source's values.
 */
export function copyStatement(from: CopySource, to: Layer, files: ObjectChange['values']): Sql {
  const targets = valueColumns(to.columns);
  const values = targets.map((column) =>
    files.has(column)
      ? sql`${files.get(column)}::${sqlType(column)}`
      : copied(sourceOf(column, from), column, from.main),
  );
  const names = [ident('svc_id'), ident('geom'), ...targets.map(target)];
  const replaced = [
    sql`geom = excluded.geom`,
    ...targets.map((column) => sql`${target(column)} = ${stored(column, sql`excluded`)}`),
  ];
  const source = sql`from ${layerTable(from.layer.id)} s where s.svc_id = ${from.id}::bigint`;
  return sql`insert into ${layerTable(to.id)} as t (${join(names)})
    select ${join([sql`s.svc_id`, sql`s.geom`, ...values])} ${source}
    on conflict (svc_id) do update set ${join(replaced)}
    returning ${missing(targets)} as missing, ${boxOf(geom)} as box, ${boxBefore(to, from.id)} as box_before,
      (select ${lostBy(targets, from)} ${source}) as lost`;
}

/** The column of the source that a column of the target takes its values from. */
const sourceOf = ({ code }: Column, { layer }: CopySource): Column | undefined =>
  layer.columns.find((column) => column.code === code && hasValues(column));

/** The codes of columns that hold fewer values than the object `s` of the source. Each language counts as a value. */
function lostBy(targets: readonly Column[], from: CopySource): Sql {
  const codes = targets.flatMap((target) => {
    const source = sourceOf(target, from);
    if (!source || !changesType(source, target)) return [];
    const before = countValues(stored(source, sql`s`), source);
    const after = countValues(copied(source, target, from.main), target);
    return [sql`case when ${before} > ${after} then ${target.code}::text end`];
  });
  return codes.length ? sql`array_remove(array[${join(codes)}], null)` : sql`'{}'::text[]`;
}

/** Whether the copy converts values. The lists of files are copied separately. */
const changesType = (source: Column, target: Column): boolean =>
  source.type === target.type
    ? source.type !== 'file' && source.localized_value !== target.localized_value
    : true;

function copied(source: Column | undefined, target: Column, main: string): Sql {
  if (!source) return sql`null::${sqlType(target)}`;
  return columnConversion(stored(source, sql`s`), source, target, main);
}

/** Moves the id sequence of a layer behind an id that was given explicitly. */
export const advanceIds = (layer: Table, objectId: number): Sql => {
  const table = `cartulary_data.layer_${layer.id}`;
  return sql`select setval(pg_get_serial_sequence(${table}::text, 'svc_id'), ${objectId}::bigint)
    where ${objectId}::bigint > coalesce((select last_value from pg_sequences
      where format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence(${table}::text, 'svc_id')), 0)`;
};
