import { type Column, sqlType } from '@cartulary/columns';
import type { Database, Transaction } from '@cartulary/database';
import { isAbandoned, ownName } from '@cartulary/runtime';
import { ident, join, literal, sql } from '@cartulary/sql';
import { touchMap } from '../../containers/containers.js';
import { lockTree } from '../../containers/tree.js';
import {
  attributesOf,
  type PackPlace as ColumnPlace,
  findPlaces,
  makeRoom,
  packAdditions,
} from '../../layers/columns/columns.js';
import { layerTable, target } from '../../layers/layers.js';
import { withReaders } from '../../layers/readers.js';
import { type ColumnPlan, changed, type NewColumn } from './plan.js';

/** A column of the layer's table that is not announced as a column of the layer yet. */
export interface ReservedColumn extends NewColumn, ColumnPlace {
  id: number;
}

/** The layer, and the map whose lock every change of structure holds. */
interface Place {
  id: number;
  map: { id: number };
}

/**
 * Gives new columns their place in the layer's table. This is done apart and before the import stores anything, since
 * readers must wait for whoever changes a table: so they wait for a moment and not for the import. Nobody sees the
 * columns until `announceColumns`. Their comments name the process for `sweepColumns`.
 */
export async function reserveColumns(
  db: Database,
  layer: Place,
  columns: readonly NewColumn[],
): Promise<ReservedColumn[]> {
  if (!columns.length) return [];
  return db.transaction(async (tx) => {
    await lockTree(tx, layer.map.id);
    await withReaders(tx, layer.id, () => makeRoom(tx, layer.id, columns.length));
    const found = await findPlaces(tx, layer.id, columns, { isInNewPack: true });
    const reserved = (await numberColumns(tx, columns)).map((column, i) => ({
      ...column,
      ...found.places[i]!,
    }));
    const own = reserved.filter(({ pack }) => !pack);
    const additions = own.map((column) => sql`add column ${target(column)} ${sqlType(column)}`);
    await tx.query(sql`alter table ${layerTable(layer.id)} ${join([...additions, ...packAdditions(found)])}`);
    const maker = literal(`made by ${ownName()}`);
    const noted = attributesOf(reserved).map((name) =>
      tx.query(sql`comment on column ${layerTable(layer.id)}.${name} is ${maker}`),
    );
    await Promise.all(noted);
    return reserved;
  });
}

/** Gives new columns their numbers, by which they are named in the layer's table. */
export async function numberColumns(
  tx: Transaction,
  columns: readonly NewColumn[],
): Promise<ReservedColumn[]> {
  const ids = await tx.query<{ id: number }>(
    sql`select nextval('cartulary.column_id')::integer as id from generate_series(1, ${columns.length}::integer)`,
  );
  return columns.map((column, i) => ({ ...column, id: ids[i]!.id, pack: null, slot: null }));
}

/** Makes reserved columns columns of the layer, in the transaction that fills them: the plans with all columns in place. */
export const announceColumns = (
  tx: Transaction,
  layer: Place,
  plans: readonly ColumnPlan[],
  reserved: readonly ReservedColumn[],
): Promise<ColumnPlan<Column>[]> => {
  const note = () => noteColumns(tx, layer, plans, reserved);
  return reserved.length ? withReaders(tx, layer.id, note) : note();
};

/** As `announceColumns`; the caller updates what reads the layer. */
export async function noteColumns(
  tx: Transaction,
  layer: Place,
  plans: readonly ColumnPlan[],
  reserved: readonly ReservedColumn[],
): Promise<ColumnPlan<Column>[]> {
  const announced: ReservedColumn[] = [];
  const inPlace = plans.map((plan): ColumnPlan<Column> => {
    if ('id' in plan.column) return plan as ColumnPlan<Column>;
    const { code, type, localized_value } = plan.column;
    const column = reserved.find((one) => one.code === code);
    if (column?.type !== type || column.localized_value !== localized_value) throw changed(code);
    announced.push(column);
    return { ...plan, column: asColumn(column) };
  });
  if (!announced.length) return inPlace;
  const values = announced.map(
    ({ id, code, name, type, localized_value, pack, slot }, i) =>
      sql`(${id}::integer, ${code}::text, ${name}::text, ${type}::text, ${localized_value}::boolean, ${pack ?? null}::integer,
        ${slot ?? null}::smallint, ${i + 1}::integer)`,
  );
  const known = sql`
    insert into cartulary.layer_column (id, layer_id, code, name, type, localized_value, pack, slot, sort)
    select id, ${layer.id}, code, name, type, localized_value, pack, slot, place
      + (select coalesce(max(sort), 0) from cartulary.layer_column where layer_id = ${layer.id} and parent_id is null)
    from (values ${join(values)}) as made (id, code, name, type, localized_value, pack, slot, place)`;
  await tx.query(known);
  await touchMap(tx, layer.map.id);
  return inPlace;
}

const asColumn = (column: ReservedColumn): Column => ({
  ...column,
  parent_id: null,
  names: {},
  localized_name: false,
  required: false,
  format: null,
  sort: 0,
});

/** Takes away the places of columns that were not announced after all. */
export async function returnColumns(
  db: Database,
  layer: Place,
  reserved: readonly (Pick<ReservedColumn, 'id'> & Partial<ColumnPlace>)[],
): Promise<void> {
  if (!reserved.length) return;
  const ids = [...new Set(reserved.map(({ id, pack }) => pack ?? id))];
  const known = await db.query<{ id: number }>(
    sql`select coalesce(pack, id) as id from cartulary.layer_column where coalesce(pack, id) = any(${ids}::integer[])`,
  );
  const left = ids.filter((id) => !known.some((row) => row.id === id));
  if (!left.length) return;
  const drops = left.map((id) => sql`drop column if exists ${ident(`c${id}`)}`);
  await db.transaction(async (tx) => {
    await lockTree(tx, layer.map.id);
    await tx.query(sql`alter table if exists ${layerTable(layer.id)} ${join(drops)}`);
  });
}

interface UnknownColumn {
  layer: number;
  map: number;
  id: number;
  /** Names the process that made it. */
  comment: string | null;
}

/**
 * Takes away the columns that imports have reserved whose process has ended; of other machines on the same database what is a day
 * old. `all`: every column that no layer knows, where no process is importing yet.
 */
export async function sweepColumns(db: Database, { all = false } = {}): Promise<void> {
  const unknown = await db.query<UnknownColumn>(sql`
    select l.id as layer, l.map_id as map, substr(a.attname, 2)::integer as id,
      col_description(a.attrelid, a.attnum) as comment
    from cartulary.container l
      join pg_attribute a on a.attrelid = to_regclass('cartulary_data.layer_' || l.id) and not a.attisdropped
      join pg_class t on t.oid = a.attrelid and t.relkind = 'r'
    where l.type = 'layer' and a.attname ~ '^c[0-9]+$'
      and not exists (select from cartulary.layer_column k where coalesce(k.pack, k.id) = substr(a.attname, 2)::integer)`);
  const left = unknown.filter(({ comment }) => all || isAbandoned(comment ?? ''));
  for (const layer of new Set(left.map((column) => column.layer))) {
    const own = left.filter((column) => column.layer === layer);
    await returnColumns(db, { id: layer, map: { id: own[0]!.map } }, own);
  }
}
