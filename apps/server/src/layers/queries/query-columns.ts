/** The columns of a query layer, from the database's description of its result. */

import type { Column, ColumnType } from '@cartulary/columns';
import type { Transaction } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { ident, join, type Sql, sql } from '@cartulary/sql';
import { checkColumnCode } from '../columns/column-codes.js';

/** A column of a result: its name and its type in pg_type with the category (A: array). */
export interface ResultColumn {
  name: string;
  type: string;
  category: string;
}

/** The conversion of a database type to a column type. */
interface TypeConversion {
  type: ColumnType;
  value: (value: Sql) => Sql;
}

const as =
  (type: Sql) =>
  (value: Sql): Sql =>
    sql`${value}::${type}`;
const number: TypeConversion = { type: 'number', value: as(sql`double precision`) };
const text: TypeConversion = { type: 'string', value: as(sql`text`) };
const json: TypeConversion = { type: 'json', value: as(sql`jsonb`) };
const datetime = (value: (value: Sql) => Sql): TypeConversion => ({ type: 'datetime', value });

const readings: Readonly<Record<string, TypeConversion>> = {
  int2: number,
  int4: number,
  int8: number,
  float4: number,
  float8: number,
  numeric: number,
  text,
  varchar: text,
  bpchar: text,
  interval: text,
  time: text,
  timetz: text,
  bool: { type: 'bool', value: as(sql`boolean`) },
  timestamptz: datetime((value) => value),
  timestamp: datetime((value) => sql`${value} at time zone 'UTC'`),
  date: datetime((value) => sql`${value}::timestamp at time zone 'UTC'`),
  json,
  jsonb: json,
};

const invalid = (message: string, data: Record<string, unknown> = {}): ServiceError =>
  new ServiceError('query_invalid', `The query is not valid: ${message}`, { ...data, problem: message });

/** The parts of a result that make the layer: the SQL of `svc_id` and `geom` over the alias `q`, and its other columns. */
export interface ResultShape {
  id: Sql;
  geom: Sql;
  columns: readonly { code: string; type: ColumnType; value: Sql }[];
}

/**
 * The shape of a layer from the columns of its result. `kindOf` gives the type of the same code in the sources: a text column
 * stays `text`. Throws `query_invalid`.
 */
export function resultShapeOf(
  result: readonly ResultColumn[],
  kindOf: (code: string) => ColumnType | undefined,
): ResultShape {
  const id = result.find(({ name }) => name === 'svc_id');
  if (!id) throw invalid('it gives no column svc_id, the id of each object', { columns: ['svc_id'] });
  if (!['int2', 'int4', 'int8'].includes(id.type))
    throw invalid('svc_id must be a whole number: cast it, as in svc_id::bigint', { columns: ['svc_id'] });
  const geom = result.find(({ name }) => name === 'geom');
  if (geom && geom.type !== 'geometry')
    throw invalid('geom must be a geometry in EPSG:4326', { columns: ['geom'] });
  const others = result.filter((column) => column !== id && column !== geom);
  return {
    id: id.type === 'int8' ? sql`q.svc_id` : sql`q.svc_id::bigint`,
    geom: geom ? sql`q.geom` : sql`null::geometry`,
    columns: others.map(({ name, type, category }) => {
      checkName(name);
      const reading =
        category === 'A' ? { ...json, value: (value: Sql) => sql`to_jsonb(${value})` } : readings[type];
      if (!reading) throw invalid(noColumn(name, type), { columns: [name] });
      const isLong = reading === text && kindOf(name) === 'text';
      return {
        code: name,
        type: isLong ? 'text' : reading.type,
        value: reading.value(sql`q.${ident(name)}`),
      };
    }),
  };
}

const noColumn = (name: string, type: string): string =>
  type === 'geometry'
    ? `the column '${name}' is a geometry; a layer has one, called geom`
    : `the column '${name}' is of the type ${type}, which layers do not have: cast it`;

function checkName(name: string): void {
  if (name === '?column?') throw invalid('a column has no name: give it one with AS', { columns: [name] });
  try {
    checkColumnCode(name);
  } catch (error) {
    throw invalid(`the column '${name}': ${(error as Error).message}`, { columns: [name] });
  }
}

type Own = Pick<Column, 'id' | 'code' | 'type' | 'localized_value' | 'pack' | 'slot'>;

/**
 * Adapts the columns of a layer to a shape. Columns with the same code keep their ids, names and formats. Returns all columns
 * with `svc_id` and `geom`, whether any was added, removed or changed its type, and the columns that were removed or changed.
 */
export async function storeColumns(
  tx: Transaction,
  layerId: number,
  { columns: wanted }: ResultShape,
): Promise<{ columns: Own[]; hasChanged: boolean; lost: Own[] }> {
  const before = await tx.query<Own>(
    sql`select id, code, type, localized_value, pack, slot from cartulary.layer_column where layer_id = ${layerId} order by sort, id`,
  );
  const own = [
    { code: 'svc_id', type: 'number' as ColumnType },
    { code: 'geom', type: 'geom' as ColumnType },
    ...wanted,
  ];
  const gone = before.filter(({ code }) => !own.some((column) => column.code === code));
  const added = own.filter(({ code }) => !before.some((column) => column.code === code));
  const turned = own.filter(({ code, type }) =>
    before.some((column) => column.code === code && column.type !== type),
  );
  if (gone.length)
    await tx.query(
      sql`delete from cartulary.layer_column where id = any(${gone.map(({ id }) => id)}::integer[])`,
    );
  for (const { code, type } of turned)
    await tx.query(
      sql`update cartulary.layer_column set type = ${type}, format = null where layer_id = ${layerId} and code = ${code}`,
    );
  if (added.length) {
    const values = added.map(({ code, type }, i) => sql`(${code}::text, ${type}::text, ${i + 1}::integer)`);
    await tx.query(sql`
      insert into cartulary.layer_column (layer_id, code, type, sort)
      select ${layerId}, code, type, place
        + (select coalesce(max(sort), 0) from cartulary.layer_column where layer_id = ${layerId})
      from (values ${join(values)}) as made (code, type, place) order by place`);
  }
  const columns = await tx.query<Own>(
    sql`select id, code, type, localized_value, pack, slot from cartulary.layer_column where layer_id = ${layerId} order by sort, id`,
  );
  const lost = before.filter((column) => [...gone, ...turned].some(({ code }) => code === column.code));
  return { columns, hasChanged: lost.length + added.length > 0, lost };
}
