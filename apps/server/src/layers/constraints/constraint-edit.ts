import { acceptValue, type Column, type ColumnType, isScalar } from '@cartulary/columns';
import type { Queryable, Transaction } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { ident, sql } from '@cartulary/sql';
import { type Layer, layerTable, ownsObjects, stored, touchData } from '../layers.js';
import { refuseViolations } from './constraint-checks.js';
import { type Constraint, type PlannedConstraint, readConstraints } from './constraints.js';

/** Most constraints of a layer, values of a definition, characters of a name. */
const most = { constraints: 100, values: 10_000, name: 100 };

export interface ConstraintInput {
  type: string;
  name?: string | undefined;
  columns: readonly Column[];
  definition?: readonly unknown[] | undefined;
  /** Of a strict link. */
  dictionary?: { layerId: number; column: Column } | undefined;
  /** false: stored values may violate it. */
  validate?: boolean | undefined;
}

/**
 * Creates a constraint and returns its name. The caller holds the lock of the layer's map. Throws 400, `code_taken`,
 * `constraint_violated` when objects violate it.
 */
export async function addConstraint(tx: Transaction, layer: Layer, input: ConstraintInput): Promise<string> {
  const { type, columns, definition } = checkConstraint(layer, input);
  const { dictionary, validate = true } = input;
  // All transactions lock several layers in the order of ids.
  for (const id of [...new Set([layer.id, dictionary?.layerId ?? layer.id])].sort((a, b) => a - b))
    await touchData(tx, id);
  const others = await readConstraints(tx, layer.id);
  if (others.length >= most.constraints)
    throw badRequest(`A layer has at most ${most.constraints} constraints`);
  const name = checkName(input.name, type, columns, others);
  const [made] = await tx.query<{ id: number }>(sql`
    insert into cartulary.layer_constraint (layer_id, name, type, column_ids, definition, dict_column_id, validated)
    values (${layer.id}, ${name}, ${type}, ${columns.map(({ id }) => id)}::integer[], ${JSON.stringify(definition)}::jsonb,
      ${dictionary?.column.id ?? null}::integer, ${validate}) returning id`);
  await tx.query(sql`
    update cartulary.layer_state set constrained = true
    where layer_id = ${layer.id} or layer_id = ${dictionary?.layerId ?? null}::integer`);
  if (type === 'unique') await addLookup(tx, layer.id, made!.id, columns[0]!);
  if (validate) {
    const constraints = await readConstraints(tx, layer.id);
    await refuseViolations(
      tx,
      constraints.filter(({ id }) => id === made!.id),
      sql`true`,
    );
  }
  return name;
}

/** A constraint that is not stored, checked against its layer. Throws 400. */
export function checkConstraint(layer: Layer, input: ConstraintInput): PlannedConstraint {
  if (!ownsObjects(layer))
    throw badRequest(`The layer '${layer.code}' is of type ${layer.type}, which is read-only`);
  const columns = [...input.columns];
  const type = checkShape(input);
  return {
    type,
    columns,
    definition: checkDefinition(type, columns[0]!, input.definition ?? []),
    layer_id: layer.id,
    dictionary: input.dictionary?.column ?? null,
    dictionary_layer_id: input.dictionary?.layerId ?? null,
  };
}

function checkShape({ type, columns, dictionary }: ConstraintInput): Constraint['type'] {
  if (type !== 'unique' && type !== 'check' && type !== 'range' && type !== 'dictionary')
    throw badRequest('type is one of unique, check, range, dictionary', { parameters: ['type'] });
  if (!columns.length || new Set(columns).size < columns.length || (type !== 'unique' && columns.length > 1))
    throw badRequest(`columns: ${type === 'unique' ? 'different codes' : 'one code'}`, {
      parameters: ['columns'],
    });
  const wrong = columns.find((column) => !isScalar(column) || column.code === 'svc_id');
  if (wrong) throw badRequest(`The column '${wrong.code}' can have no constraint`, { columns: [wrong.code] });
  if (dictionary && kindOf(dictionary.column) !== kindOf(columns[0]!))
    throw badRequest('The column and its dictionary hold values of different types', {
      columns: [columns[0]!.code, dictionary.column.code],
    });
  return type;
}

/** The type that values are compared as. */
const kindOf = ({ type }: Column): ColumnType => (type === 'text' ? 'string' : type);

/** The values in their stored form, so that the database compares equal forms. */
function checkDefinition(type: Constraint['type'], column: Column, values: readonly unknown[]): unknown[] {
  const wrong = (why: string): ServiceError =>
    badRequest(`definition: ${why}`, { parameters: ['definition'] });
  if (type === 'unique' || type === 'dictionary') {
    if (values.length) throw wrong(`a constraint of type ${type} takes none`);
    return [];
  }
  if (values.length > most.values) throw wrong(`at most ${most.values} values`);
  if (type === 'range' && values.length !== 2) throw wrong('two values, the least and the most');
  if (type === 'check' && !values.length) throw wrong('the allowed values');
  const accepted = values.map((value) => acceptValue(column, value));
  if (type === 'check' && accepted.includes(null)) throw wrong('null is always allowed');
  if (type === 'range' && accepted.every((value) => value === null)) throw wrong('at least one limit');
  return accepted;
}

function checkName(
  name: string | undefined,
  type: string,
  columns: readonly Column[],
  others: readonly Constraint[],
): string {
  if (name !== undefined && !/^[^\p{C}]{1,100}$/u.test(name))
    throw badRequest(`name has 1 to ${most.name} visible characters`, { parameters: ['name'] });
  const taken = new Set(others.map((other) => other.name));
  if (name !== undefined && taken.has(name))
    throw new ServiceError('code_taken', `The layer has a constraint '${name}' already`, { name });
  const stem = `${columns.map(({ code }) => code).join('_')}_${type}`.slice(0, most.name - 4);
  let made = stem;
  for (let n = 2; taken.has(made); n++) made = `${stem}_${n}`;
  return name ?? made;
}

const lookupName = (layerId: number, constraintId: number): string =>
  `layer_${layerId}_unique_${constraintId}`;

/**
 * Adds an index that finds equal values without reading the whole table; localized values have none. It is a hash index,
 * because texts may be long.
 */
async function addLookup(tx: Transaction, layerId: number, id: number, column: Column): Promise<void> {
  if (column.localized_value) return;
  await tx.query(sql`set local statement_timeout = 0`);
  await tx.query(sql`
    create index ${ident(lookupName(layerId, id))} on ${layerTable(layerId)} using hash ((${stored(column)}))`);
}

/** Deletes constraints of a layer. */
export async function removeConstraints(
  tx: Transaction,
  layerId: number,
  constraints: readonly Pick<Constraint, 'id'>[],
): Promise<void> {
  await touchData(tx, layerId);
  for (const { id } of constraints) {
    await tx.query(sql`delete from cartulary.layer_constraint where id = ${id}`);
    await tx.query(sql`drop index if exists ${ident('cartulary_data', lookupName(layerId, id))}`);
  }
}

/** Throws 400 while constraints compare the values of a column whose storage is about to change. */
export async function refuseConstrained(tx: Queryable, column: Column): Promise<void> {
  const rows = await tx.query<{ name: string; own: boolean }>(sql`
    select name, column_ids @> array[${column.id}::integer] as own from cartulary.layer_constraint
    where column_ids @> array[${column.id}::integer] or dict_column_id = ${column.id} order by name`);
  if (!rows.length) return;
  const own = rows.filter((row) => row.own).map(({ name }) => name);
  throw badRequest(
    own.length
      ? `The column '${column.code}' has constraints (${own.join(', ')}): remove them first`
      : `The column '${column.code}' is the dictionary of other columns: remove these links first`,
    { columns: [column.code], constraints: own },
  );
}

/** Deletes the constraints of a column that is about to be deleted. Throws 400 while other columns use it as a dictionary. */
export async function releaseColumn(tx: Transaction, layer: Layer, column: Column): Promise<void> {
  const [link] = await tx.query<{ count: number }>(
    sql`select count(*) as count from cartulary.layer_constraint where dict_column_id = ${column.id}`,
  );
  if (link!.count > 0) throw dictionaryInUse(link!.count);
  const own = await tx.query<{ id: number }>(
    sql`select id from cartulary.layer_constraint where column_ids @> array[${column.id}::integer]`,
  );
  if (own.length) await removeConstraints(tx, layer.id, own);
}

const dictionaryInUse = (count: number): ServiceError =>
  badRequest(`${count} columns take their values from it (see dictionaries/): remove these links first`);
