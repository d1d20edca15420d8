import type { Queryable, Transaction } from '../db/pool.js';
import { ident, join, type Sql, sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import { type Constraint, readConstraints, readReferences, valuesOf } from './constraints.js';
import { scalarType } from './conversion.js';
import { columnName, layerTable } from './layers.js';

/** A write that is to be judged before it is committed; the layer is locked by `touchData`, which says whether it is `constrained`. */
export interface Written {
  layerId: number;
  constrained: boolean;
  /** Which rows were written, as a condition over the alias `t` of the layer's table. */
  rows: Sql;
  /** Whether values may have gone: a change or a deletion, not an object that was made. */
  removes: boolean;
}

/** Rows of this transaction, however many. */
export const writtenNow = sql`t.xmin = pg_current_xact_id()::xid`;

/**
 * Throws `constraint_violated` when what was written does not fit the constraints of the layer, or takes away a value that
 * others have from a dictionary in it. Nothing is asked for a layer without constraints.
 */
export async function keepConstraints(tx: Transaction, written: Written): Promise<void> {
  if (!written.constrained) return;
  const constraints = await readConstraints(tx, written.layerId);
  await lockDictionaries(tx, constraints, written.layerId);
  await refuseViolations(tx, constraints, written.rows);
  if (!written.removes) return;
  const references = await readReferences(tx, written.layerId);
  for (const reference of references.filter(({ validated }) => validated)) {
    const [row] = await violations(tx, reference, sql`true`);
    if (!row) continue;
    const code = reference.dictionary!.code;
    throw new ServiceError(
      'constraint_violated',
      `The value ${shown(row)} of the dictionary '${code}' is in use`,
      { columns: [code], values: [row.value] },
    );
  }
}

/** Nobody takes a value out of a dictionary between the check and the end of the transaction. */
async function lockDictionaries(
  tx: Queryable,
  constraints: readonly Constraint[],
  own: number,
): Promise<void> {
  const ids = constraints.flatMap(({ dictionary_layer_id: id }) => (id === null || id === own ? [] : [id]));
  if (!ids.length) return;
  await tx.query(
    sql`select from cartulary.layer_state where layer_id = any(${ids}::integer[]) order by layer_id for share`,
  );
}

/** Throws `constraint_violated` with the columns and some of the values for the first constraint that rows violate. */
export async function refuseViolations(
  tx: Queryable,
  constraints: readonly Constraint[],
  rows: Sql,
): Promise<void> {
  for (const constraint of constraints) {
    const found = await violations(tx, constraint, rows);
    if (!found.length) continue;
    const columns = constraint.columns.map(({ code }) => code);
    throw new ServiceError('constraint_violated', sentence(constraint, columns, found[0]!), {
      columns,
      constraint: constraint.name,
      objects: found.map(({ id }) => id),
      values: found.map(({ value }) => value),
    });
  }
}

function sentence(constraint: Constraint, columns: readonly string[], row: Violation): string {
  const where = `${columns.length > 1 ? 'The columns' : 'The column'} '${columns.join("', '")}'`;
  switch (constraint.type) {
    case 'unique':
      return `${where}: the value ${shown(row)} is there already`;
    case 'range':
      return `${where}: the value ${shown(row)} is out of range`;
    case 'check':
      return `${where}: the value ${shown(row)} is not one of those allowed`;
    case 'dictionary':
      return `${where}: the dictionary has no value ${shown(row)}`;
  }
}

interface Violation {
  id: number;
  value: string | null;
}

const shown = ({ value }: Violation): string => `'${(value ?? '').slice(0, 100)}'`;

/** How many objects are named. */
const named = 10;

function violations(tx: Queryable, constraint: Constraint, rows: Sql): Promise<Violation[]> {
  const table = layerTable(constraint.layer_id);
  if (constraint.type === 'unique') return tx.query<Violation>(twins(constraint, rows));
  const column = constraint.columns[0]!;
  return tx.query<Violation>(sql`
    select t.svc_id as id, x.v::text as value from ${table} t cross join lateral ${valuesOf(column)}
    where (${rows}) and ${misfit(constraint)} order by t.svc_id limit ${named}`);
}

/** The condition over the value `x.v`. */
function misfit({ type, columns, definition, dictionary, dictionary_layer_id }: Constraint): Sql {
  const scalar = scalarType[columns[0]!.type];
  const values = sql`(select e.value::${scalar} from jsonb_array_elements_text(${JSON.stringify(definition)}::jsonb) e)`;
  if (type === 'check') return sql`x.v <> all(array${values})`;
  if (type === 'range') {
    const limit = (i: number): Sql =>
      sql`((${JSON.stringify(definition)}::jsonb ->> ${i}::integer)::${scalar})`;
    return sql`(x.v < ${limit(0)} or x.v > ${limit(1)})`;
  }
  return sql`not exists (
    select from ${layerTable(dictionary_layer_id!)} t cross join lateral (select x.v from ${valuesOf(dictionary!)}) y
    where y.v = x.v)`;
}

/** Rows whose values in all columns another row has too; null is equal to nothing. */
function twins({ layer_id, columns }: Constraint, rows: Sql): Sql {
  const table = layerTable(layer_id);
  const [first] = columns;
  const plain = columns.map((column) => ident(columnName(column)));
  if (columns.length === 1 && first!.localized_value) {
    const own = plain[0]!;
    return sql`
      select t.svc_id as id, e.value as value from ${table} t cross join lateral jsonb_each_text(coalesce(t.${own}, '{}')) e
      where (${rows}) and exists (select from ${table} o where o.svc_id <> t.svc_id and o.${own} ->> e.key = e.value)
      order by t.svc_id limit ${named}`;
  }
  const same = join(
    plain.map((own) => sql`o.${own} = t.${own}`),
    ' and ',
  );
  return sql`
    select t.svc_id as id, concat_ws(', ', ${join(plain.map((own) => sql`t.${own}::text`))}) as value from ${table} t
    where (${rows}) and exists (select from ${table} o where o.svc_id <> t.svc_id and ${same})
    order by t.svc_id limit ${named}`;
}
