import { type Column, scalarType } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { type Sql, sql } from '@cartulary/sql';
import { layerTable, type Placed, stored } from '../layers.js';

/** A stored constraint with its columns. */
export interface Constraint {
  id: number;
  layer_id: number;
  name: string;
  type: 'unique' | 'check' | 'range' | 'dictionary';
  columns: Column[];
  /** check: allowed values; range: [least, most], null where it is open. */
  definition: unknown[];
  /** Of a strict link: the column that holds the allowed values. */
  dictionary: Column | null;
  dictionary_layer_id: number | null;
  validated: boolean;
}

/** A constraint that may not be stored. */
export type PlannedConstraint = Omit<Constraint, 'id' | 'name' | 'validated'>;

const asConstraint = sql`
  k.id, k.layer_id, k.name, k.type, k.definition, k.validated, to_jsonb(d) as dictionary, d.layer_id as dictionary_layer_id,
  (select jsonb_agg(to_jsonb(c) order by array_position(k.column_ids, c.id)) from cartulary.layer_column c
    where c.id = any(k.column_ids)) as columns
  from cartulary.layer_constraint k left join cartulary.layer_column d on d.id = k.dict_column_id`;

/** The constraints of a layer, by name. */
export const readConstraints = (db: Queryable, layerId: number): Promise<Constraint[]> =>
  db.query<Constraint>(sql`select ${asConstraint} where k.layer_id = ${layerId} order by k.name`);

/** The strict links of other columns to the dictionaries in a layer. */
export const readReferences = (db: Queryable, layerId: number): Promise<Constraint[]> =>
  db.query<Constraint>(sql`select ${asConstraint} where d.layer_id = ${layerId} order by k.id`);

/** Finds a constraint of a layer by its name. Throws 404. */
export async function findConstraint(
  db: Queryable,
  layerId: number,
  name: string,
  type?: string,
): Promise<Constraint> {
  const found = (await readConstraints(db, layerId)).find(
    (one) => one.name === name && one.type === (type ?? one.type),
  );
  if (!found) throw new ServiceError('container_not_found', 'The layer has no constraint of this name');
  return found;
}

/** The filter in CQL2-JSON that finds the objects which violate a constraint; a text where no filter can. */
export function rawDefinition({ type, columns, definition }: Constraint): string {
  const property = { property: columns[0]?.code };
  if (type === 'check')
    return JSON.stringify({ op: 'not', args: [{ op: 'in', args: [property, definition] }] });
  if (type === 'range') {
    const [least, greatest] = definition;
    const terms = [
      ...(least === null ? [] : [{ op: '<', args: [property, least] }]),
      ...(greatest === null ? [] : [{ op: '>', args: [property, greatest] }]),
    ];
    return JSON.stringify(terms.length > 1 ? { op: 'or', args: terms } : terms[0]);
  }
  const codes = columns.map(({ code }) => code).join(', ');
  return type === 'unique'
    ? `${codes}: values that occur twice`
    : `${codes}: values that the dictionary lacks`;
}

/** The distinct values of a dictionary in order, at most `limit`. */
export async function dictionaryValues(db: Queryable, column: Column, limit: number): Promise<unknown[]> {
  const layerId = (column as Column & { layer_id: number }).layer_id;
  const rows = await db.query<{ v: unknown }>(sql`
    select distinct x.v from ${layerTable(layerId)} t cross join lateral ${columnValuesSql(column)} order by x.v limit ${limit}::bigint`);
  return rows.map(({ v }) => v);
}

/** The values of a column of the row `t` as rows `x (v)`, without nulls: one, or one for each language. */
export function columnValuesSql(column: Placed & Pick<Column, 'type' | 'localized_value'>): Sql {
  const own = stored(column, sql`t`);
  if (!column.localized_value) return sql`(select ${own} as v where ${own} is not null) x`;
  return sql`(select e.value::${scalarType[column.type]} as v from jsonb_each_text(coalesce(${own}, '{}')) e where e.value is not null) x`;
}
