import { scalarType } from '@cartulary/columns';
import type { Queryable, Transaction } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { join, type Sql, sql } from '@cartulary/sql';
import { layerTable, stored } from '../layers.js';
import {
  type Constraint,
  columnValuesSql,
  type PlannedConstraint,
  readConstraints,
  readReferences,
} from './constraints.js';

/** A write to check before its commit. `touchData` has locked the layer and gives `constrained`. */
export interface CheckedWrite {
  layerId: number;
  constrained: boolean;
  /** The written rows, as a condition over the alias `t` of the layer's table. */
  rows: Sql;
  /** Whether values may have been removed: a change or a deletion, not a new object. */
  removes: boolean;
}

/** The rows written in this transaction. */
export const writtenNow = sql`t.xmin = pg_current_xact_id()::xid`;

/**
 * Throws `constraint_violated` when the written rows violate constraints of the layer, or a removed value is used from a
 * dictionary in it. A layer without constraints costs no statement.
 */
export async function keepConstraints(tx: Transaction, written: CheckedWrite): Promise<void> {
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

/** Keeps other transactions from removing dictionary values until this one ends. */
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

/**
 * Throws `constraint_violated` where rows violate constraints. The error tells of the first violated constraint with some of
 * the values; its columns are those of all violated constraints.
 */
export async function refuseViolations(
  tx: Queryable,
  constraints: readonly Constraint[],
  rows: Sql,
): Promise<void> {
  const violated: { constraint: Constraint; found: Violation[] }[] = [];
  for (const constraint of constraints) {
    const found = await violations(tx, constraint, rows);
    if (found.length) violated.push({ constraint, found });
  }
  const [first, ...others] = violated;
  if (first)
    throw violationError(
      first.constraint,
      first.found,
      others.flatMap(({ constraint }) => codesOf(constraint)),
    );
}

const codesOf = ({ columns }: Constraint): string[] => columns.map(({ code }) => code);

function violationError(
  constraint: Constraint,
  found: readonly Violation[],
  others: readonly string[],
): ServiceError {
  const own = codesOf(constraint);
  const columns = [...new Set([...own, ...others])];
  const also = columns.slice(own.length).join(', ');
  const message = sentence(constraint, own, found[0]!) + (also && `; also refused: ${also}`);
  return new ServiceError('constraint_violated', message, {
    columns,
    constraint: constraint.name,
    type: constraint.type,
    ...(constraint.type === 'range' ? { range: constraint.definition } : {}),
    objects: found.map(({ id }) => id),
    values: found.map(({ value }) => value),
  });
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

/** The number of values that a constraint would refuse, with examples. */
export interface ViolationCounts {
  values: number;
  violations: number;
  examples: { id: number; value: string }[];
}

/** Counts the stored values that a constraint would refuse. Changes nothing. */
export async function countViolations(
  db: Queryable,
  constraint: PlannedConstraint,
  { examples, signal }: { examples: number; signal: AbortSignal },
): Promise<ViolationCounts> {
  const [row] = await db.query<ViolationCounts>(
    sql`
    with v as materialized (${violating(constraint, sql`true`)})
    select (select count(*) from ${layerTable(constraint.layer_id)} t
        cross join lateral ${columnValuesSql(constraint.columns[0]!)}) as values,
      (select count(*) from v) as violations,
      (select coalesce(json_agg(json_build_object('id', id, 'value', left(value, ${exampleLength}::integer)) order by id), '[]')
        from (select id, value from v order by id limit ${examples}::bigint) named) as examples`,
    signal,
  );
  return row!;
}

/** Longest value of an example, characters. */
const exampleLength = 200;

interface Violation {
  id: number;
  value: string | null;
}

const shown = ({ value }: Violation): string => `'${(value ?? '').slice(0, 100)}'`;

/** Most objects that the error names. */
const namedLimit = 10;

const violations = (tx: Queryable, constraint: Constraint, rows: Sql): Promise<Violation[]> =>
  tx.query<Violation>(
    sql`select id, value from (${violating(constraint, rows)}) v order by id limit ${namedLimit}::bigint`,
  );

/** The objects among the rows that violate a constraint, with the value. */
function violating(constraint: PlannedConstraint, rows: Sql): Sql {
  if (constraint.type === 'unique') return twins(constraint, rows);
  return sql`
    select t.svc_id as id, x.v::text as value from ${layerTable(constraint.layer_id)} t
    cross join lateral ${columnValuesSql(constraint.columns[0]!)} where (${rows}) and ${violates(constraint)}`;
}

/** The condition that a value `x.v` violates the constraint. */
function violates({ type, columns, definition, dictionary, dictionary_layer_id }: PlannedConstraint): Sql {
  const scalar = scalarType[columns[0]!.type];
  const values = sql`(select e.value::${scalar} from jsonb_array_elements_text(${JSON.stringify(definition)}::jsonb) e)`;
  if (type === 'check') return sql`x.v <> all(array${values})`;
  if (type === 'range') {
    const limit = (i: number): Sql =>
      sql`((${JSON.stringify(definition)}::jsonb ->> ${i}::integer)::${scalar})`;
    return sql`(x.v < ${limit(0)} or x.v > ${limit(1)})`;
  }
  return sql`not exists (
    select from ${layerTable(dictionary_layer_id!)} t cross join lateral (select x.v from ${columnValuesSql(dictionary!)}) y
    where y.v = x.v)`;
}

/** Rows that share the values of all columns with another row; null equals nothing. */
function twins({ layer_id, columns }: PlannedConstraint, rows: Sql): Sql {
  const table = layerTable(layer_id);
  const [first] = columns;
  if (columns.length === 1 && first!.localized_value) {
    return sql`
      select t.svc_id as id, e.value as value from ${table} t cross join lateral jsonb_each_text(coalesce(${stored(first!, sql`t`)}, '{}')) e
      where (${rows}) and exists (select from ${table} o where o.svc_id <> t.svc_id and ${stored(first!, sql`o`)} ->> e.key = e.value)`;
  }
  const same = join(
    columns.map((column) => sql`${stored(column, sql`o`)} = ${stored(column, sql`t`)}`),
    ' and ',
  );
  return sql`
    select t.svc_id as id, concat_ws(', ', ${join(columns.map((column) => sql`${stored(column, sql`t`)}::text`))}) as value from ${table} t
    where (${rows}) and exists (select from ${table} o where o.svc_id <> t.svc_id and ${same})`;
}
