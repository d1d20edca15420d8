import { type Column, sqlType } from '@cartulary/columns';
import type { Database, Queryable, Transaction } from '@cartulary/database';
import {
  copyLimits,
  type DirectLoadColumn,
  type FileSource,
  isStoredUnchanged,
  NotDirectlyLoadable,
  type ReadingRequest,
  type ReadingThread,
  type Rows,
  readRowsOfFiles,
  readSummary,
  type Summary,
} from '@cartulary/formats';
import { ident, join, type PackedRows, type PackedType, plainText, type Sql, sql } from '@cartulary/sql';
import { createUnplaced, indexUnplaced, placeTable } from '../../layers/columns/columns.js';
import { keepConstraints } from '../../layers/constraints/constraint-checks.js';
import {
  demandDictionaries,
  type Layer,
  layerTable,
  lockLayer,
  target,
  touchData,
} from '../../layers/layers.js';
import { withReaders } from '../../layers/readers.js';
import { noteColumns, numberColumns } from './new-columns.js';
import type { ImportOptions, StoringOptions } from './options.js';
import { type ColumnPlan, existingColumns, newColumns, type PlanRules, planColumns } from './plan.js';
import { dropStaging, fillStaging, stagingName } from './staging.js';
import { countImport, isEmpty, manyRows } from './storing.js';
import { lastIdOf, noteBefore, noteImport, removeFiles } from './undo-copy.js';

/*
 * The direct load of a large shapefile that replaces all objects, or fills an empty layer. The types of its columns are known
 * before it is read, so its rows go into a new table that takes the place of the layer's in one transaction. Where a value does
 * not fit its column, `NotDirectlyLoadable` is thrown, and the file is read again by way of the staging table.
 */

interface DirectLoad {
  layer: Layer;
  source: FileSource;
  thread: ReadingThread;
  rules(columns: readonly Column[]): PlanRules;
}

/** A new table with the rows of the file. */
interface FilledTable {
  name: string;
  columns: readonly DirectLoadColumn[];
  summary: Summary;
  /** The last id that the layer had assigned when reading began. */
  lastId: number;
}

/** Imports the file. Throws as `importFeatures`, and `NotDirectlyLoadable`. */
export async function loadDirectly(
  db: Database,
  load: DirectLoad,
  options: StoringOptions,
): Promise<Summary> {
  const name = stagingName();
  try {
    const filled = await fill(db, { ...load, name }, options);
    await db.transaction(async (tx) => {
      await tx.query(sql`set local statement_timeout = 0`);
      options.progress?.({ phase: 'indexing' });
      await indexUnplaced(tx, name);
    }, options.signal);
    await db.transaction((tx) => place(tx, load, filled, options), options.signal);
    return filled.summary;
  } finally {
    await dropStaging(db, tableOf(name));
  }
}

const tableOf = (name: string): Sql => ident('cartulary_data', name);

/** Whether a direct load may be tried, as far as is known before the file is read. */
export async function mayLoadDirectly(
  db: Queryable,
  { layer, source }: DirectLoad,
  { action, localized, key, choices, alwaysStaged }: ImportOptions,
): Promise<boolean> {
  if (alwaysStaged || choices?.length) return false;
  const { part, total = 0 } = source;
  if (
    part.kind !== 'shp' ||
    total < manyRows ||
    localized?.length ||
    key?.length ||
    hasRequired(layer.columns)
  )
    return false;
  return action === 'replace' || isEmpty(db, layerTable(layer.id));
}

/** Whether columns must have values, which is checked on staged rows. */
const hasRequired = (columns: readonly Column[]): boolean =>
  columns.some(({ required, code, type }) => required && code !== 'svc_id' && type !== 'title');

async function fill(
  db: Database,
  { name, layer, source, thread }: DirectLoad & { name: string },
  { signal, progress }: ImportOptions,
): Promise<FilledTable> {
  const { part, total } = source;
  if (part.kind !== 'shp') throw new NotDirectlyLoadable();
  const lastId = await lastIdOf(db, layerTable(layer.id));
  const answer = await ask(thread, {
    kind: 'direct load',
    part,
    firstId: lastId + 1,
    most: batchLimits[db.engine],
  });
  if (answer.kind !== 'direct load') throw new Error('unexpected answer of the reading thread');
  const { columns } = answer;
  await db.transaction((tx) =>
    createUnplaced(
      tx,
      name,
      columns.map((column) => sql`${ident(temporaryNameOf(column))} ${typeSql[column.type]}`),
    ),
  );
  progress?.({ phase: 'reading', total: total ?? null, percent: null });
  const rows: AsyncIterable<PackedRows> = readRowsOfFiles((request) => ask(thread, request) as Promise<Rows>);
  const packed = columns.map((column) => ({
    name: temporaryNameOf(column),
    type: column.type as PackedType,
  }));
  await fillStaging(
    db,
    { table: tableOf(name), columns: [...ownColumns, ...packed], pieces: rows },
    { signal, progress: (done) => progress?.({ phase: 'reading', done }) },
  );
  const summary = await readSummary(thread);
  source.check?.(summary.read);
  return { name, columns, summary, lastId };
}

/** Rows of one COPY. The embedded database blocks all other queries meanwhile; on a server each COPY costs round trips. */
const batchLimits = {
  embedded: copyLimits,
  postgres: { rows: Number.POSITIVE_INFINITY, bytes: 4 * 1024 * 1024 },
} as const;

const ownColumns = [
  { name: 'svc_id', type: 'bigint' },
  { name: 'geom', type: 'geometry' },
] as const;

const typeSql = {
  text: sql`text`,
  'double precision': sql`double precision`,
  boolean: sql`boolean`,
  timestamptz: sql`timestamptz`,
} as const;

/** The name of a property's column until the layer's column has a number. */
const temporaryNameOf = ({ index }: DirectLoadColumn): string => `v${index}`;

async function ask(thread: ReadingThread, request: ReadingRequest) {
  const answer = await thread.ask(request);
  if (answer.kind === 'not directly loadable') throw new NotDirectlyLoadable();
  return answer;
}

/** Puts the table in the place of the layer's. Throws `NotDirectlyLoadable` where the layer has changed since reading began. */
async function place(
  tx: Transaction,
  { layer, rules }: DirectLoad,
  filled: FilledTable,
  { action, progress, noteStored, author }: StoringOptions,
): Promise<void> {
  const { summary, name, lastId } = filled;
  await tx.query(sql`set local statement_timeout = 0`);
  // Other writers wait until the commit; readers see the old objects.
  const { columns } = await lockLayer(tx, layer);
  const constrained = await touchData(tx, layer.id);
  const [count] = await tx.query<{ rows: number }>(sql`select count(*) as rows from ${tableOf(name)}`);
  const { rows } = count!;
  const isReplaced = action === 'replace';
  const isStillPossible =
    rows >= manyRows &&
    rows === summary.read - summary.refused &&
    lastId === (await lastIdOf(tx, layerTable(layer.id))) &&
    !hasRequired(columns) &&
    (isReplaced || (await isEmpty(tx, layerTable(layer.id))));
  if (!isStillPossible) throw new NotDirectlyLoadable();
  const planned = planColumns(summary.properties, rules(columns));
  demandDictionaries(layer, existingColumns(planned));
  const reserved = await numberColumns(
    tx,
    newColumns(planned).map(({ column }) => column),
  );
  progress?.({ phase: 'storing', done: rows, total: rows });
  const before = author && (await noteBefore(tx, { layerId: layer.id, author, isReplaced, columns }));
  const plans = await withReaders(tx, layer.id, async () => {
    const inPlace = await noteColumns(tx, layer, planned, reserved);
    await shapeTable(tx, filled, { plans: inPlace, columns });
    await placeTable(tx, layer.id, name, { isKept: Boolean(before?.removed) });
    return inPlace;
  });
  if (before) await noteImport(tx, before, { plans, added: rows, changed: 0 });
  else if (isReplaced) await removeFiles(tx, layer.id, { isKept: false });
  await keepConstraints(tx, { layerId: layer.id, constrained, rows: sql`true`, removes: true });
  await countImport(tx, layer.id);
  await noteStored(tx, { summary, late: [], changed: 0 });
}

/** Gives a filled table the columns of the layer, and moves its sequence behind the ids of its rows. */
async function shapeTable(
  tx: Transaction,
  { name, columns: filledColumns, summary, lastId }: FilledTable,
  { plans, columns }: { plans: readonly ColumnPlan<Column>[]; columns: readonly Column[] },
): Promise<void> {
  const table = tableOf(name);
  const changes: Sql[] = [];
  for (const filled of filledColumns) {
    const plan = plans.find(({ sources }) => sources.some(({ index }) => index === filled.index));
    if (plan?.sources.length !== 1) throw new NotDirectlyLoadable();
    if (plan.column.pack) throw new NotDirectlyLoadable();
    const own = target(plan.column);
    const isFitting = isStoredUnchanged(filled.type, plan.column);
    // A new column without any value becomes one of texts, whatever the type of the field.
    if (!isFitting && summary.properties[filled.index]!.kinds) throw new NotDirectlyLoadable();
    const temporary = ident(temporaryNameOf(filled));
    if (isFitting) await tx.query(sql`alter table ${table} rename column ${temporary} to ${own}`);
    else changes.push(sql`drop column ${temporary}`, sql`add column ${own} ${sqlType(plan.column)}`);
  }
  const others = columns.filter(
    ({ id, code, type }) =>
      code !== 'svc_id' &&
      code !== 'geom' &&
      type !== 'title' &&
      !plans.some(({ column }) => column.id === id),
  );
  if (others.some(({ pack }) => pack)) throw new NotDirectlyLoadable();
  for (const column of others) changes.push(sql`add column ${target(column)} ${sqlType(column)}`);
  if (changes.length) await tx.query(sql`alter table ${table} ${join(changes)}`);
  const stored = summary.read - summary.refused;
  await tx.query(
    sql`select setval(pg_get_serial_sequence(${plainText(table)}::text, 'svc_id')::regclass, ${lastId + stored}::bigint)`,
  );
}
