import type { PackedRows, PackedType } from '../db/copy-binary.js';
import type { Database, Queryable, Transaction } from '../db/pool.js';
import { ident, join, plainText, type Sql, sql } from '../db/sql.js';
import { createUnplaced, indexUnplaced, placeTable } from '../layers/columns.js';
import { keepConstraints } from '../layers/constraint-checks.js';
import {
  type Column,
  columnName,
  demandDictionaries,
  type Layer,
  layerTable,
  lockLayer,
  touchData,
} from '../layers/layers.js';
import { withReaders } from '../layers/readers.js';
import { sqlType } from '../layers/types.js';
import type { ImportOptions, StoringOptions } from './import.js';
import { noteColumns, numberColumns } from './new-columns.js';
import { type ColumnPlan, columnsOf, newColumns, type PlanRules, planColumns } from './plan.js';
import { isTakenBy, NotStraight, type StraightColumn } from './readers/straight.js';
import {
  type ReadingRequest,
  type Rows,
  readFiles,
  readSummary,
  type Source,
  type Summary,
} from './reading.js';
import type { ReadingThread } from './reading-thread.js';
import { mostStaged } from './rows.js';
import { dropStaging, fillStaging, stagingName } from './staging.js';
import { clearFiles, countImport, isEmpty, manyRows } from './storing.js';

/*
 * A shapefile of many objects that come instead of all, or into an empty layer, is read straight into the table that will be the
 * layer's: the types of its columns are known from the start. Nobody sees that table until it takes its place, in one
 * transaction. Wherever something turns out to be otherwise the file is read once more, by way of the staging table.
 */

interface Straight {
  layer: Layer;
  source: Source;
  thread: ReadingThread;
  rules(columns: readonly Column[]): PlanRules;
}

/** What has been filled and is to take the place of the layer's table. */
interface Filled {
  name: string;
  columns: readonly StraightColumn[];
  summary: Summary;
  /** The last id that the layer had given when reading began. */
  lastId: number;
}

/** What was imported. Throws as `importFeatures`, and `NotStraight` where the file has to be read in the other way. */
export async function importStraight(
  db: Database,
  straight: Straight,
  options: StoringOptions,
): Promise<Summary> {
  const name = stagingName();
  try {
    const filled = await fill(db, { ...straight, name }, options);
    await db.transaction(async (tx) => {
      await tx.query(sql`set local statement_timeout = 0`);
      options.progress?.({ phase: 'indexing' });
      await indexUnplaced(tx, name);
    }, options.signal);
    await db.transaction((tx) => place(tx, straight, filled, options), options.signal);
    return filled.summary;
  } finally {
    await dropStaging(db, tableOf(name));
  }
}

const tableOf = (name: string): Sql => ident('cartulary_data', name);

/** Whether a file may be read straight, as far as is known before it is read. */
export async function mayGoStraight(
  db: Queryable,
  { layer, source }: Straight,
  { action, localized }: ImportOptions,
): Promise<boolean> {
  const { part, total = 0 } = source;
  if (part.kind !== 'shp' || total < manyRows || localized?.length || hasRequired(layer.columns))
    return false;
  return action === 'replace' || isEmpty(db, layerTable(layer.id));
}

/** Such columns are looked at by way of the staged rows. */
const hasRequired = (columns: readonly Column[]): boolean =>
  columns.some(({ required, code, type }) => required && code !== 'svc_id' && type !== 'title');

/** Reads the file into a new table. */
async function fill(
  db: Database,
  { name, layer, source, thread }: Straight & { name: string },
  { signal, progress }: ImportOptions,
): Promise<Filled> {
  const { part, total } = source;
  if (part.kind !== 'shp') throw new NotStraight();
  const lastId = await lastIdOf(db, layerTable(layer.id));
  const answer = await asked(thread, { kind: 'straight', part, firstId: lastId + 1, most: most[db.engine] });
  if (answer.kind !== 'straight') throw new Error('the reading thread answers something else');
  const { columns } = answer;
  await db.transaction((tx) =>
    createUnplaced(
      tx,
      name,
      columns.map((column) => sql`${ident(placeOf(column))} ${typeSql[column.type]}`),
    ),
  );
  progress?.({ phase: 'reading', total: total ?? null, percent: null });
  const rows: AsyncIterable<PackedRows> = readFiles((request) => asked(thread, request) as Promise<Rows>);
  const packed = columns.map((column) => ({ name: placeOf(column), type: column.type as PackedType }));
  await fillStaging(
    db,
    { table: tableOf(name), columns: [...ownColumns, ...packed], pieces: rows },
    { signal, progress: (done) => progress?.({ phase: 'reading', done }) },
  );
  const summary = await readSummary(thread.ask);
  source.check?.(summary.read);
  return { name, columns, summary, lastId };
}

/** Rows that are stored at once: on the embedded database all others wait for it, on a server each time costs some rounds. */
const most = {
  embedded: mostStaged,
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

/** Where the values of a property lie until its column has a number. */
const placeOf = ({ index }: StraightColumn): string => `v${index}`;

async function asked({ ask }: ReadingThread, request: ReadingRequest) {
  const answer = await ask(request);
  if (answer.kind === 'not straight') throw new NotStraight();
  return answer;
}

/** The last id that a layer has given. */
async function lastIdOf(db: Queryable, table: Sql): Promise<number> {
  const [row] = await db.query<{ id: number | null }>(sql`
    select pg_sequence_last_value(pg_get_serial_sequence(${plainText(table)}::text, 'svc_id')::regclass) as id`);
  return row?.id ?? 0;
}

/** Puts the table into the place of the layer's. Throws `NotStraight` where the layer is no longer what it was. */
async function place(
  tx: Transaction,
  { layer, rules }: Straight,
  filled: Filled,
  { action, progress, noteStored }: StoringOptions,
): Promise<void> {
  const { summary, name, lastId } = filled;
  await tx.query(sql`set local statement_timeout = 0`);
  // Nobody else changes the structure or the objects until the end; readers go on with what was there.
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
  if (!isStillPossible) throw new NotStraight();
  const planned = planColumns(summary.properties, rules(columns));
  demandDictionaries(layer, columnsOf(planned));
  const reserved = await numberColumns(
    tx,
    newColumns(planned).map(({ column }) => column),
  );
  progress?.({ phase: 'storing', done: rows, total: rows });
  if (isReplaced) await clearFiles(tx, layer.id);
  await withReaders(tx, layer.id, async () => {
    const plans = await noteColumns(tx, layer, planned, reserved);
    await shapeTable(tx, filled, { plans, columns });
    await placeTable(tx, layer.id, name);
  });
  await keepConstraints(tx, { layerId: layer.id, constrained, rows: sql`true`, removes: true });
  await countImport(tx, layer.id);
  await noteStored(tx, summary, []);
}

/** Gives a filled table the columns that the layer has, and lets it go on with the ids behind those of its rows. */
async function shapeTable(
  tx: Transaction,
  { name, columns: places, summary, lastId }: Filled,
  { plans, columns }: { plans: readonly ColumnPlan<Column>[]; columns: readonly Column[] },
): Promise<void> {
  const table = tableOf(name);
  const changes: Sql[] = [];
  for (const place of places) {
    const plan = plans.find(({ sources }) => sources.some(({ index }) => index === place.index));
    if (plan?.sources.length !== 1) throw new NotStraight();
    const own = ident(columnName(plan.column));
    const isFitting = isTakenBy(place.type, plan.column);
    // A column without any value is one of texts, whatever it was said to be.
    if (!isFitting && summary.properties[place.index]!.kinds) throw new NotStraight();
    if (isFitting) await tx.query(sql`alter table ${table} rename column ${ident(placeOf(place))} to ${own}`);
    else
      changes.push(sql`drop column ${ident(placeOf(place))}`, sql`add column ${own} ${sqlType(plan.column)}`);
  }
  const others = columns.filter(
    ({ id, code, type }) =>
      code !== 'svc_id' &&
      code !== 'geom' &&
      type !== 'title' &&
      !plans.some(({ column }) => column.id === id),
  );
  for (const column of others) changes.push(sql`add column ${ident(columnName(column))} ${sqlType(column)}`);
  if (changes.length) await tx.query(sql`alter table ${table} ${join(changes)}`);
  const stored = summary.read - summary.refused;
  await tx.query(
    sql`select setval(pg_get_serial_sequence(${plainText(table)}::text, 'svc_id')::regclass, ${lastId + stored}::bigint)`,
  );
}
