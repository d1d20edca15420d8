import { touchMap } from '../containers/containers.js';
import { lockTree } from '../containers/tree.js';
import type { Database, Transaction } from '../db/pool.js';
import { ident, join, sql } from '../db/sql.js';
import { makeRoom } from '../layers/columns.js';
import { type Column, layerTable } from '../layers/layers.js';
import { withReaders } from '../layers/readers.js';
import { sqlType } from '../layers/types.js';
import { type ColumnPlan, changed, type NewColumn } from './plan.js';

/** A column that has its place in the layer's table, but is not known to the layer yet. */
export interface ReservedColumn extends NewColumn {
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
 * columns until `announceColumns`.
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
    const reserved = await numberColumns(tx, columns);
    const additions = reserved.map((column) => sql`add column ${ident(`c${column.id}`)} ${sqlType(column)}`);
    await tx.query(sql`alter table ${layerTable(layer.id)} ${join(additions)}`);
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
  return columns.map((column, i) => ({ ...column, id: ids[i]!.id }));
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

/** The same, where those who read the layer are seen to by who calls it. */
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
    ({ id, code, name, type, localized_value }, i) =>
      sql`(${id}::integer, ${code}::text, ${name}::text, ${type}::text, ${localized_value}::boolean, ${i + 1}::integer)`,
  );
  const known = sql`
    insert into cartulary.layer_column (id, layer_id, code, name, type, localized_value, sort)
    select id, ${layer.id}, code, name, type, localized_value, place
      + (select coalesce(max(sort), 0) from cartulary.layer_column where layer_id = ${layer.id} and parent_id is null)
    from (values ${join(values)}) as made (id, code, name, type, localized_value, place)`;
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
  reserved: readonly ReservedColumn[],
): Promise<void> {
  if (!reserved.length) return;
  const ids = reserved.map(({ id }) => id);
  const known = await db.query<{ id: number }>(
    sql`select id from cartulary.layer_column where id = any(${ids}::integer[])`,
  );
  const left = ids.filter((id) => !known.some((row) => row.id === id));
  if (!left.length) return;
  const drops = left.map((id) => sql`drop column if exists ${ident(`c${id}`)}`);
  await db.transaction(async (tx) => {
    await lockTree(tx, layer.map.id);
    await tx.query(sql`alter table if exists ${layerTable(layer.id)} ${join(drops)}`);
  });
}
