import type { PackedRows } from '../db/copy-binary.js';
import { type Database, sqlState, type Transaction } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import type { Progress } from '../jobs/jobs.js';
import { keepConstraints, writtenNow } from '../layers/constraint-checks.js';
import { demandDictionaries, type Layer, lockLayer, touchData } from '../layers/layers.js';
import { type Begun, withReading } from './begun.js';
import { announceColumns, type ReservedColumn, reserveColumns, returnColumns } from './new-columns.js';
import { type ColumnPlan, columnsOf, newColumns, type PlanRules, planColumns } from './plan.js';
import { NotStraight } from './readers/straight.js';
import { type Refusal, readRows, type Source, type Summary } from './reading.js';
import type { ReadingThread } from './reading-thread.js';
import { type ImportPlan, type ImportReport, planReport, reportOf } from './report.js';
import { removeUnstorable } from './skipping.js';
import { createStaging, dropStaging, fillStaging, type Staging, stagedRows } from './staging.js';
import {
  clearFiles,
  countImport,
  countStaged,
  refuseMissing,
  refuseTwins,
  type Storing,
  storeRows,
} from './storing.js';
import { importStraight, mayGoStraight } from './straight.js';

export { sweepColumns } from './new-columns.js';
export type { ImportPlan, ImportReport } from './report.js';
export { sweepStaging } from './staging.js';

export interface ImportOptions {
  /** replace: the objects of the file take the place of all that are there. merge: they are added, or change those whose id they name. */
  action: 'replace' | 'merge';
  /** EPSG number, `EPSG:n`, WKT or proj4. Absent: what the file says, else 4326. */
  srs?: string | undefined;
  /** Languages of the map, the main one first. */
  languages: readonly string[];
  /** The language of values that come without one; absent: the main one. */
  language?: string | undefined;
  /** Names of properties (`name`) of which a new column takes the values by language (`name_ru`). */
  localized?: readonly string[] | undefined;
  /** Whether features that cannot be stored are left out and listed; else one of them fails the import. */
  skipErrors?: boolean | undefined;
  /** Bytes. */
  featureLimit: number;
  columnLimit: number;
  signal?: AbortSignal | undefined;
  /** Told how many features were read so far, and what else is done. */
  progress?: Progress | undefined;
  /** Run at the end of the transaction that stores the objects, with what will be reported. */
  beforeCommit?: ((tx: Transaction, report: object) => Promise<void> | undefined) | undefined;
}

/** The options with what is told at the end of the transaction that stores the objects. */
export interface StoringOptions extends ImportOptions {
  noteStored(tx: Transaction, summary: Summary, late: readonly Refusal[]): Promise<void> | undefined;
}

/** A file that is imported: its parts, as they can be read. */
export interface Input {
  /** The code of its format, known when its parts are read. */
  readonly format: string;
  sources: AsyncIterable<Source>;
  /** What should be told about it, complete when its parts were read. */
  readonly notes: readonly string[];
}

/** GeoJSON as it comes. */
export const geojsonInput = (bytes: AsyncIterable<Buffer>): Input => ({
  format: 'geojson',
  sources: once({ part: { kind: 'geojson' }, bytes }),
  notes: [],
});

async function* once<T>(item: T): AsyncGenerator<T> {
  yield item;
}

/**
 * Stores the features of a file in a layer, all or nothing: they are staged as they come, then stored in one
 * transaction. Properties without a column get one. Throws `import_failed`, `value_invalid`, `required_missing`,
 * `too_large`, 400 for a wrong `srs`; where one feature is at fault `data.feature` is its number, from 1.
 */
export async function importFeatures(
  db: Database,
  layer: Layer,
  input: Input,
  options: ImportOptions,
): Promise<ImportReport> {
  return withReading(layer, input, options, async (begun) => {
    const report = (summary: Summary, late: readonly Refusal[]): ImportReport =>
      reportOf({ ...input, summary, late });
    const noting: StoringOptions = {
      ...options,
      noteStored: (tx, summary, late) => options.beforeCommit?.(tx, report(summary, late)),
    };
    const done = await straightly(db, begun, noting);
    if ('read' in done) return report(done, []);
    return withStaged(db, { ...begun, thread: done }, options, async (staged) =>
      report(staged.summary, await store(db, staged, noting)),
    );
  });
}

/** What `importFeatures` would do with the file; nothing is stored. Features that cannot be are listed. */
export async function planImport(
  db: Database,
  layer: Layer,
  input: Input,
  options: ImportOptions,
): Promise<ImportPlan> {
  const rules = { ...options, skipErrors: true };
  return withReading(layer, input, rules, (begun) =>
    withStaged(db, begun, rules, async ({ staging, summary }) => {
      const plans = planColumns(summary.properties, planRules(layer.columns, options));
      demandDictionaries(layer, columnsOf(plans));
      const inPlace = plans.filter(
        (plan): plan is ColumnPlan<Layer['columns'][number]> => 'id' in plan.column,
      );
      const storing: Storing = { layerId: layer.id, staging, plans: inPlace, columns: layer.columns };
      const late = await db.transaction(
        (tx) => removeUnstorable(tx, storing, isNew(options)),
        options.signal,
      );
      return planReport({ ...input, summary, late }, plans);
    }),
  );
}

interface Staged {
  layer: Layer;
  staging: Staging;
  summary: Summary;
}

/** Reads the whole file into a staging table, which is there as long as the work with it. */
async function withStaged<T>(
  db: Database,
  { layer, sources, thread, transform }: Begun,
  options: ImportOptions,
  work: (staged: Staged) => Promise<T>,
): Promise<T> {
  const staging = await createStaging(db);
  try {
    let summary: Summary | undefined;
    async function* rows(): AsyncGenerator<PackedRows> {
      summary = yield* readRows(thread, told(sources.all(), options), transform);
      await thread.stop();
    }
    const { signal, progress } = options;
    await fillStaging(db, stagedRows(staging, rows()), {
      signal,
      progress: (done) => progress?.({ phase: 'reading', done }),
    });
    return await work({ layer, staging, summary: summary! });
  } finally {
    await dropStaging(db, staging);
  }
}

/** The import of a file straight into the table that takes the place of the layer's; undefined where that cannot be. */
async function straightly(
  db: Database,
  { layer, sources, thread, restart }: Begun,
  options: StoringOptions,
): Promise<Summary | ReadingThread> {
  const source = await sources.first();
  const rules = (columns: Layer['columns']): PlanRules => planRules(columns, options);
  const straight = source && { layer, source, thread, rules };
  if (!straight || !(await mayGoStraight(db, straight, options))) return thread;
  try {
    return await importStraight(db, straight, options);
  } catch (error) {
    if (error instanceof NotStraight) return restart();
    throw storeFailure(error);
  }
}

/** Tells how many features are to come, where a file of one part knows it. */
async function* told(sources: AsyncIterable<Source>, { progress }: ImportOptions): AsyncGenerator<Source> {
  for await (const source of sources) {
    progress?.({ phase: 'reading', total: source.total ?? null, percent: null });
    yield source;
  }
}

/** Everything that changes the layer. Columns that turned out unneeded go again. What was left out. */
async function store(db: Database, staged: Staged, options: StoringOptions): Promise<Refusal[]> {
  const { layer, summary } = staged;
  const planned = planColumns(summary.properties, planRules(layer.columns, options));
  demandDictionaries(layer, columnsOf(planned));
  const wanted = newColumns(planned);
  let reserved: ReservedColumn[] = [];
  try {
    reserved = await reserveColumns(
      db,
      layer,
      wanted.map(({ column }) => column),
    );
    return await db.transaction((tx) => storeAll(tx, staged, reserved, options), options.signal);
  } catch (error) {
    throw storeFailure(error);
  } finally {
    // What was stored is stored: columns that cannot be returned now are left to the sweep.
    await returnColumns(db, layer, reserved).catch(() => {});
  }
}

const planRules = (columns: Layer['columns'], options: ImportOptions): PlanRules => ({
  columns,
  languages: options.languages,
  language: options.language ?? options.languages[0]!,
  localized: options.localized ?? [],
  columnLimit: options.columnLimit,
});

/** Of which staged rows new objects are made. */
const isNew = ({ action }: ImportOptions) => (action === 'replace' ? sql`true` : sql`t.svc_id is null`);

async function storeAll(
  tx: Transaction,
  staged: Staged,
  reserved: readonly ReservedColumn[],
  options: StoringOptions,
): Promise<Refusal[]> {
  const { layer, staging, summary } = staged;
  await tx.query(sql`set local statement_timeout = 0`);
  // Nobody else changes the structure or the objects until the end; readers go on with what was there.
  const { columns } = await lockLayer(tx, layer);
  const constrained = await touchData(tx, layer.id);
  // The staging table is not logged: a database that restarted meanwhile has emptied it.
  if ((await countStaged(tx, staging)).rows !== summary.read - summary.refused)
    throw new ServiceError('busy', 'The database was restarted during the import; try again');
  if (!options.skipErrors) await refuseTwins(tx, staging);
  const rules = planRules(columns, options);
  const plans = await announceColumns(tx, layer, planColumns(summary.properties, rules), reserved);
  const { progress } = options;
  const storing: Storing = { layerId: layer.id, staging, plans, columns, progress };
  let late: Refusal[] = [];
  if (options.skipErrors) late = await removeUnstorable(tx, storing, isNew(options));
  else await refuseMissing(tx, storing, isNew(options));
  const count = await countStaged(tx, staging);
  progress?.({ phase: 'storing', done: 0, total: count.rows });
  const isReplaced = options.action === 'replace';
  if (isReplaced) await clearFiles(tx, layer.id);
  await storeRows(tx, storing, { count, isReplaced });
  await keepConstraints(tx, { layerId: layer.id, constrained, rows: writtenNow, removes: true });
  await countImport(tx, layer.id);
  await options.noteStored(tx, summary, late);
  return late;
}

/** What the database says of a table or a constraint, in words of the interface. */
function storeFailure(error: unknown): unknown {
  const state = sqlState(error) ?? '';
  if (error instanceof ServiceError) return error;
  if (state === '42P01')
    return new ServiceError('layer_not_found', 'The layer was deleted during the import');
  if (state.startsWith('23')) {
    return new ServiceError('constraint_violated', 'A feature violates a constraint of the layer');
  }
  return error;
}
