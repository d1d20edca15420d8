import { type Column, conversion, isUnfilled, mergeLocalized } from '@cartulary/columns';
import type { Queryable, Transaction } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { stagedTextSql } from '@cartulary/formats';
import { join, plainText, type Sql, sql } from '@cartulary/sql';
import type { Progress } from '../../jobs/jobs.js';
import { createFresh, replaceTable } from '../../layers/columns/columns.js';
import { layerTable, stored, target } from '../../layers/layers.js';
import type { ColumnPlan, ValueSource } from './plan.js';
import type { Staging } from './staging.js';
import { keepAll, keepChanged } from './undo-copy.js';

/** The source and the destination of the storing. */
export interface Storing {
  layerId: number;
  staging: Staging;
  /** Columns that are there, and where their values come from. */
  plans: readonly ColumnPlan<Column>[];
  /** All columns of the layer, for those that must not be empty. */
  columns: readonly Column[];
  progress?: Progress | undefined;
}

/*
 * In these statements `s` is the staging table, `s.properties` the object of its values by the index of the property,
 * and `t` the layer's table.
 */

const key = (index: number): Sql => sql`${String(index)}::text`;
const json = ({ index }: ValueSource): Sql => sql`(s.properties -> ${key(index)})`;
const text = ({ index }: ValueSource): Sql => sql`(s.properties ->> ${key(index)})`;
const isGiven = ({ index }: ValueSource): Sql => sql`s.properties ? ${key(index)}`;

/** The value for a column as a new object gets it. Values were checked before they were staged, so it raises nothing. */
export function newValue({ column, sources }: ColumnPlan): Sql {
  if (column.localized_value) return mergeLocalized(sql`null::jsonb`, byLanguage(column, sources));
  const source = sources[0]!;
  const { form } = source;
  if (form?.type === column.type) return stagedTextSql({ json: json(source), text: text(source) }, form);
  switch (column.type) {
    case 'number':
      return sql`${text(source)}::double precision`;
    case 'bool':
      return sql`${text(source)}::boolean`;
    case 'datetime':
      return conversion(text(source), 'text', 'datetime');
    case 'json':
      return nonNull(source);
    default:
      return text(source);
  }
}

/** The value for a column of an existing object. Values that the feature does not mention stay. */
function changedValue(plan: ColumnPlan<Column>): Sql {
  const { column, sources } = plan;
  const before = stored(column, sql`t`);
  if (column.localized_value) return mergeLocalized(before, byLanguage(column, sources));
  return sql`case when ${isGiven(sources[0]!)} then ${newValue(plan)} else ${before} end`;
}

/** An object language → value of the languages that the feature mentions; a property with a language goes before the one without. */
function byLanguage(column: Pick<Column, 'type'>, sources: readonly ValueSource[]): Sql {
  const isText = column.type === 'string' || column.type === 'text';
  const languages = [...new Set(sources.map(({ language }) => language))];
  const parts = languages.map((language) => {
    const own = sources.filter((source) => source.language === language);
    own.sort((a, b) => Number(a.isFallback) - Number(b.isFallback));
    const value = isText ? sql`coalesce(${join(own.map(text))})` : sql`coalesce(${join(own.map(nonNull))})`;
    return sql`case when ${join(own.map(isGiven), ' or ')} then jsonb_build_object(${language}::text, ${value}) else '{}' end`;
  });
  return sql`(${join(parts, ' || ')})`;
}

const nonNull = (source: ValueSource): Sql => sql`nullif(${json(source)}, 'null'::jsonb)`;

/** Counts an import into the layer. */
export const countImport = (tx: Queryable, layerId: number): Promise<unknown> =>
  tx.query(sql`update cartulary.layer_state set imports = imports + 1 where layer_id = ${layerId}`);

/** Counts of the staging table. */
export interface StagedCount {
  rows: number;
  /** Of them with an id. */
  ids: number;
  largestId: number | null;
  /** The number of the last feature: more than `rows` where some were left out. */
  last: number;
}

export async function countStaged(tx: Queryable, staging: Staging): Promise<StagedCount> {
  const [count] = await tx.query<StagedCount>(sql`
    select count(*) as rows, count(id) as ids, max(id) as "largestId", coalesce(max(n), 0) as last
    from ${staging}`);
  return count!;
}

/** How many staged rows change an object that exists. Without ids in the staging table the layer is not read. */
export async function countChanged(tx: Queryable, { staging, layerId }: Storing): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*) as count from ${staging} s join ${layerTable(layerId)} t on t.svc_id = s.id
      where exists (select from ${staging} where id is not null)`,
  );
  return row!.count;
}

/** Throws `import_failed` when two features name the same object. */
export async function refuseTwins(tx: Queryable, staging: Staging): Promise<void> {
  const [twins] = await tx.query<{ id: number; first: number; second: number }>(sql`
    select id, min(n) as first, max(n) as second from ${staging} where id is not null
    group by id having count(*) > 1 limit 1`);
  if (!twins) return;
  const { id, first, second } = twins;
  const message = noteOf('ofFeature', { feature: second, reason: noteOf('idTwice', { id, first }) });
  throw new ServiceError('import_failed', message, { feature: second, id });
}

/** Staged rows by which an object would be without the value of a column that must have one. */
export interface Missing {
  code: string;
  /** `from` and `where` of a statement over `s`. */
  rows: Sql;
}

/** Per column that must have a value the rows that lack it. `isNew` says of which features new objects are made. */
export function missingValues(storing: Storing, isNew: Sql): Missing[] {
  const demanded = storing.columns.filter(
    ({ required, code, type }) => required && code !== 'svc_id' && type !== 'title',
  );
  return demanded.map((column) => {
    const plan = storing.plans.find((one) => one.column.id === column.id);
    const [created, changed] =
      column.code === 'geom'
        ? [sql`s.geom is null`, sql`s.geom is null`]
        : plan
          ? [isUnfilled(column, newValue(plan)), isUnfilled(column, changedValue(plan))]
          : [sql`true`, sql`false`];
    const rows = sql`from ${storing.staging} s left join ${layerTable(storing.layerId)} t on t.svc_id = s.id
      where case when ${isNew} then ${created} else ${changed} end`;
    return { code: column.code, rows };
  });
}

/** Throws `required_missing` when an object would be without the value of a column that must have one. */
export async function refuseMissing(tx: Queryable, storing: Storing, isNew: Sql): Promise<void> {
  for (const { code, rows } of missingValues(storing, isNew)) {
    const [row] = await tx.query<{ n: number }>(sql`select s.n ${rows} order by s.n limit 1`);
    if (!row) continue;
    const message = noteOf('ofFeature', {
      feature: row.n,
      reason: noteOf('mustHaveValue', { column: code }),
    });
    throw new ServiceError('required_missing', message, { required: [code], feature: row.n });
  }
}

/** Rows of one statement: the process of the embedded database is restarted when a statement takes long. */
export const sliceRows = 200_000;

/** Fewest rows for which a new table replaces the layer's. */
export const manyRows = 5_000;

/**
 * Stores the staged features in the layer's table; `isReplaced`: instead of the `removed` objects that are there; `isKept`: what
 * is changed or removed is kept as it was.
 */
export async function storeRows(
  tx: Transaction,
  storing: Storing,
  how: { count: StagedCount; isReplaced: boolean; isKept: boolean; removed: number },
): Promise<void> {
  const { layerId, staging, progress } = storing;
  const { count, isReplaced, isKept } = how;
  const table = layerTable(layerId);
  const isFresh = isReplaced
    ? Math.max(count.rows, how.removed) >= manyRows
    : count.rows >= manyRows && (await isEmpty(tx, table));
  if (isFresh) {
    await storeInto(tx, await createFresh(tx, layerId), { storing, count });
    progress?.({ phase: 'indexing' });
    await replaceTable(tx, layerId, { isKept: isKept && isReplaced });
    return;
  }
  if (isKept && isReplaced) await keepAll(tx, layerId);
  if (isKept && !isReplaced && count.ids)
    await keepChanged(tx, layerId, { staging, slices: slicesOf(count) });
  if (isReplaced) await tx.query(sql`delete from ${table}`);
  await storeInto(tx, table, { storing, count });
}

/** Conditions on the number of staged rows, each for one statement. */
const slicesOf = ({ last }: StagedCount): Sql[] =>
  Array.from({ length: Math.ceil(last / sliceRows) }, (_, i) => {
    const from = 1 + i * sliceRows;
    return sql`s.n >= ${from} and s.n < ${from + sliceRows}`;
  });

export async function isEmpty(tx: Queryable, table: Sql): Promise<boolean> {
  const rows = await tx.query(sql`select from ${table} limit 1`);
  return rows.length === 0;
}

/** Features with ids of existing objects change them; the others become new objects. */
async function storeInto(
  tx: Queryable,
  table: Sql,
  { storing, count }: { storing: Storing; count: StagedCount },
): Promise<void> {
  const { rows, ids, largestId } = count;
  const { staging, plans, progress } = storing;
  const names = plans.map(({ column }) => target(column));
  const sets = plans.map((plan, i) => sql`${names[i]} = ${changedValue(plan)}`);
  const values = plans.map(newValue);
  if (largestId) await keepIdsAhead(tx, table, largestId);
  for (const [i, slice] of slicesOf(count).entries()) {
    if (ids) {
      await tx.query(sql`update ${table} t set ${join([sql`geom = s.geom`, ...sets])}
        from ${staging} s where t.svc_id = s.id and ${slice}`);
      await tx.query(sql`insert into ${table} (${join([sql`svc_id, geom`, ...names])})
        select ${join([sql`s.id, s.geom`, ...values])} from ${staging} s
        where s.id is not null and ${slice} and not exists (select from ${table} t where t.svc_id = s.id)`);
    }
    if (ids !== rows) {
      await tx.query(sql`insert into ${table} (${join([sql`geom`, ...names])})
        select ${join([sql`s.geom`, ...values])} from ${staging} s where s.id is null and ${slice} order by s.n`);
    }
    progress?.({ done: Math.min(rows, (i + 1) * sliceRows) });
  }
}

/** Moves the sequence of the layer behind the ids of the file. */
async function keepIdsAhead(tx: Queryable, table: Sql, largestId: number): Promise<void> {
  const sequence = sql`pg_get_serial_sequence(${plainText(table)}::text, 'svc_id')`;
  await tx.query(sql`
    select setval(${sequence}, ${largestId}::bigint) from pg_sequences
    where format('%I.%I', schemaname, sequencename) = ${sequence}
      and ${largestId}::bigint > coalesce(last_value, 0)`);
}
