/*
 * A database row must fit into a page of 8 KB, where each text takes 18 to 24 bytes: about 350 columns. Therefore columns
 * beyond the first ones are packed into arrays, sixteen in an attribute of the table. This gives room for 1,000 columns of
 * any type.
 */

import { attributeName, hasValues, type Placed, packSize, sqlType, target } from '@cartulary/columns';
import type { Queryable, Transaction } from '@cartulary/database';
import { ident, join, type Sql, sql } from '@cartulary/sql';
import { type Column, layerTable } from '../layers.js';

/** Columns of a layer that have an attribute each. With packs for 750 more they take at most 7,500 bytes. */
const ownAttributeLimit = 255;

type Typed = Pick<Column, 'type' | 'localized_value'>;
export type PackPlace = Pick<Column, 'pack' | 'slot'>;

/** Places for new columns of a layer, and the attributes to add for them. */
export interface PackPlaces {
  /** In the order of the columns. */
  places: PackPlace[];
  /** Packs to create. */
  packs: { id: number; type: Sql }[];
}

export const nowhere: PackPlace = { pack: null, slot: null };

/** Whether a column has values in the table. */

/**
 * Finds places for new columns: attributes of their own while there are few,
 * then free slots in packs of their type. `isPacked` allows only slots in packs, `isInNewPack` only slots of new packs. The
 * caller holds the lock of the map, so no other transaction gets the same places.
 */
export async function findPlaces(
  tx: Queryable,
  layerId: number,
  columns: readonly Typed[],
  { isInNewPack = false, isPacked = false } = {},
): Promise<PackPlaces> {
  const known = await tx.query<Typed & PackPlace & { id: number; code: string }>(
    sql`select id, code, type, localized_value, pack, slot from cartulary.layer_column where layer_id = ${layerId}`,
  );
  const own = known.filter((column) => hasValues(column) && column.code !== 'svc_id' && !column.pack);
  let room = isPacked ? 0 : Math.max(0, ownAttributeLimit - own.length);
  const free = isInNewPack ? [] : freeSlots(known);
  const packs: PackPlaces['packs'] = [];
  const places: PackPlace[] = [];
  for (const column of columns) {
    if (!hasValues(column) || room-- > 0) {
      places.push(nowhere);
      continue;
    }
    const type = sqlType(column);
    const isOfType = (place: { type: string }): boolean => place.type === type.text[0];
    if (!free.some(isOfType)) {
      const id = await nextPack(tx);
      packs.push({ id, type });
      free.push(...slotsOf(id, type.text[0]!));
    }
    const [found] = free.splice(free.findIndex(isOfType), 1);
    places.push({ pack: found!.pack, slot: found!.slot });
  }
  return { places, packs };
}

interface Slot {
  pack: number;
  slot: number;
  /** The name in the database. */
  type: string;
}

const slotsOf = (pack: number, type: string): Slot[] =>
  Array.from({ length: packSize }, (_, i) => ({ pack, slot: i + 1, type }));

function freeSlots(columns: readonly (Typed & PackPlace)[]): Slot[] {
  const packed = columns.filter(({ pack }) => pack);
  const types = new Map(packed.map((column) => [column.pack!, sqlType(column).text[0]!]));
  return [...types].flatMap(([pack, type]) =>
    slotsOf(pack, type).filter(({ slot }) => !packed.some((one) => one.pack === pack && one.slot === slot)),
  );
}

/** The clauses of `alter table …` for new packs. */
export const packAdditions = ({ packs }: Pick<PackPlaces, 'packs'>): Sql[] =>
  packs.map(({ id, type }) => sql`add column ${ident(`c${id}`)} ${type}[]`);

/** Removes the values of a packed column from the table, and its pack with the last column. */
export async function leavePack(tx: Transaction, layerId: number, column: Placed): Promise<void> {
  const table = layerTable(layerId);
  const [others] = await tx.query<{ count: number }>(sql`
    select count(*) as count from cartulary.layer_column
    where layer_id = ${layerId} and pack = ${column.pack} and id <> ${column.id}`);
  if (!others?.count) {
    await tx.query(sql`alter table ${table} drop column ${ident(attributeName(column))}`);
    return;
  }
  await tx.query(sql`set local statement_timeout = 0`);
  await tx.query(sql`update ${table} set ${target(column)} = null where ${target(column)} is not null`);
}

/** The attributes of the table that hold these columns, alone or together. */
export const attributesOf = (columns: readonly Placed[]): Sql[] =>
  [...new Set(columns.map(attributeName))].map((name) => ident(name));

/** Columns and attributes for the definition of a new table. */
export const attributeDefinitions = (columns: readonly (Placed & Typed)[]): Sql =>
  join(
    [...new Map(columns.map((column) => [attributeName(column), column])).values()].map(
      (column) => sql`, ${ident(attributeName(column))} ${sqlType(column)}${column.pack ? sql`[]` : sql``}`,
    ),
    '',
  );

/** Assigns places to the columns of a table that is about to be created. */
export async function placeAnew(tx: Transaction, columns: readonly (Placed & Typed)[]): Promise<void> {
  const packs = new Map<string, Slot[]>();
  for (const [i, column] of columns.entries()) {
    const type = sqlType(column).text[0]!;
    if (i >= ownAttributeLimit && !packs.get(type)?.length)
      packs.set(type, slotsOf(await nextPack(tx), type));
    const place = i < ownAttributeLimit ? nowhere : packs.get(type)!.shift()!;
    Object.assign(column, { pack: place.pack, slot: place.slot });
  }
  await tx.query(sql`
    update cartulary.layer_column c set pack = p.pack, slot = p.slot
    from unnest(${columns.map(({ id }) => id)}::integer[], ${columns.map(({ pack }) => pack ?? null)}::integer[],
      ${columns.map(({ slot }) => slot ?? null)}::smallint[]) as p (id, pack, slot)
    where c.id = p.id and (c.pack, c.slot) is distinct from (p.pack, p.slot)`);
}

/** The number of a new pack, from the sequence of columns, so that attribute names stay unique. */
async function nextPack(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ id: number }>(sql`select nextval('cartulary.column_id')::integer as id`);
  return row!.id;
}
