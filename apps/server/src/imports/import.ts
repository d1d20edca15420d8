import { type Database, isDataError, sqlState, type Transaction } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import {
  type FileSource,
  type Input,
  NotDirectlyLoadable,
  type ReadingThread,
  type Refusal,
  readRows,
  type Summary,
} from '@cartulary/formats';
import { type PackedRows, sql } from '@cartulary/sql';
import { keepConstraints, writtenNow } from '../layers/constraints/constraint-checks.js';
import { demandDictionaries, type Layer, lockLayer, touchData } from '../layers/layers.js';
import { assignColumns } from './session/choices.js';
import { loadDirectly, mayLoadDirectly } from './session/direct-load.js';
import { firstRows } from './session/first-rows.js';
import { type ImportSession, withReading } from './session/import-session.js';
import { matchByKey, refuseFirst, removeRefused } from './session/key.js';
import {
  announceColumns,
  type ReservedColumn,
  reserveColumns,
  returnColumns,
} from './session/new-columns.js';
import type { ImportOptions, StoredFeatures, StoringOptions } from './session/options.js';
import { type ColumnPlan, existingColumns, newColumns, type PlanRules, planColumns } from './session/plan.js';
import { type ImportPlan, type ImportReport, planReport, reportOf } from './session/report.js';
import { sketchOf } from './session/sketch.js';
import { removeUnstorable } from './session/skipping.js';
import { createStaging, dropStaging, fillStaging, type Staging, stagedRows } from './session/staging.js';
import {
  countChanged,
  countImport,
  countStaged,
  refuseMissing,
  refuseTwins,
  type Storing,
  storeRows,
} from './session/storing.js';
import { noteBefore, noteImport, removeFiles } from './session/undo-copy.js';

export { geojsonInput, type Input } from '@cartulary/formats';
export { sweepColumns } from './session/new-columns.js';
export type { ImportOptions } from './session/options.js';
export type { ImportPlan, ImportReport } from './session/report.js';
export { sweepStaging } from './session/staging.js';
export { sweepImports } from './session/undo-copy.js';

/**
 * Stores the features of a file in a layer, all or nothing: stages them while the file is read, then stores them in one
 * transaction. Adds columns for properties without one. Throws `import_failed`, `value_invalid`, `required_missing`,
 * `too_large`, 400 for a wrong `srs`; where one feature is at fault `data.feature` is its number, from 1.
 */
export async function importFeatures(
  db: Database,
  layer: Layer,
  input: Input,
  options: ImportOptions,
): Promise<ImportReport> {
  return withReading(layer, input, options, async (session) => {
    const report = (features: StoredFeatures): ImportReport => reportOf({ ...input, ...features });
    const noting: StoringOptions = {
      ...options,
      noteStored: (tx, features) => options.beforeCommit?.(tx, report(features)),
    };
    const done = await tryDirectLoad(db, session, noting);
    if ('read' in done) return report({ summary: done, late: [], changed: 0 });
    return withStaged(db, { ...session, thread: done }, options, async (staged) =>
      report(await store(db, staged, noting)),
    );
  });
}

/** A dry run of `importFeatures`: nothing is stored, and features that cannot be stored are listed. */
export async function planImport(
  db: Database,
  layer: Layer,
  input: Input,
  options: ImportOptions,
): Promise<ImportPlan> {
  const rules = { ...options, skipErrors: true };
  return withReading(layer, input, rules, (session) =>
    withStaged(db, session, rules, async ({ staging, summary }) => {
      const plans = planColumns(summary.properties, planRules(layer.columns, options));
      demandDictionaries(layer, existingColumns(plans));
      const inPlace = plans.filter(
        (plan): plan is ColumnPlan<Layer['columns'][number]> => 'id' in plan.column,
      );
      const storing: Storing = { layerId: layer.id, staging, plans: inPlace, columns: layer.columns };
      const matched = await db.transaction(
        (tx) => matchStaged(tx, { storing, summary }, rules),
        options.signal,
      );
      const { firstRows: asked, sketched: limit } = options;
      const rows = asked ? await firstRows(db, staging, plans, asked) : undefined;
      const sketch = limit ? await sketchOf(db, staging, { extent: summary.extent, limit }) : undefined;
      return planReport({ ...input, summary, ...matched }, plans, { rows, sketch });
    }),
  );
}

interface Staged {
  layer: Layer;
  staging: Staging;
  summary: Summary;
}

/** Reads the whole file into a staging table, and removes the table after the work. */
async function withStaged<T>(
  db: Database,
  { layer, sources, thread, transform }: ImportSession,
  options: ImportOptions,
  work: (staged: Staged) => Promise<T>,
): Promise<T> {
  const staging = await createStaging(db);
  try {
    let summary: Summary | undefined;
    async function* rows(): AsyncGenerator<PackedRows> {
      summary = yield* readRows(thread, withTotals(sources.all(), options), transform);
      await thread.stop();
    }
    const { signal, progress } = options;
    await fillStaging(db, stagedRows(staging, rows()), {
      signal,
      progress: (done) => progress?.({ phase: 'reading', done }),
    });
    return await work({ layer, staging, summary: summary! });
  } catch (error) {
    throw storeFailure(error);
  } finally {
    await dropStaging(db, staging);
  }
}

/** Loads a file directly where that is possible; otherwise gives a thread that has read nothing of the file. */
async function tryDirectLoad(
  db: Database,
  { layer, sources, thread, restart }: ImportSession,
  options: StoringOptions,
): Promise<Summary | ReadingThread> {
  const source = await sources.first();
  const rules = (columns: Layer['columns']): PlanRules => planRules(columns, options);
  const load = source && { layer, source, thread, rules };
  if (!load || !(await mayLoadDirectly(db, load, options))) return thread;
  try {
    return await loadDirectly(db, load, options);
  } catch (error) {
    if (error instanceof NotDirectlyLoadable) return restart();
    throw storeFailure(error);
  }
}

/** Passes sources on, and reports the number of features that each declares. */
async function* withTotals(
  sources: AsyncIterable<FileSource>,
  { progress }: ImportOptions,
): AsyncGenerator<FileSource> {
  for await (const source of sources) {
    progress?.({ phase: 'reading', total: source.total ?? null, percent: null });
    yield source;
  }
}

/** Stores staged features in the layer. Reserved columns that are not needed are returned. */
async function store(db: Database, staged: Staged, options: StoringOptions): Promise<StoredFeatures> {
  const { layer, summary } = staged;
  const planned = planColumns(summary.properties, planRules(layer.columns, options));
  demandDictionaries(layer, existingColumns(planned));
  const wanted = newColumns(planned);
  let reserved: ReservedColumn[] = [];
  try {
    reserved = await reserveColumns(
      db,
      layer,
      wanted.map(({ column }) => column),
    );
    return await db.transaction((tx) => storeAll(tx, staged, reserved, options), options.signal);
  } finally {
    // The import is committed. Columns that cannot be returned now are left to the sweep.
    await returnColumns(db, layer, reserved).catch(() => {});
  }
}

const planRules = (columns: Layer['columns'], options: ImportOptions): PlanRules => ({
  columns,
  languages: options.languages,
  language: options.language ?? options.languages[0]!,
  localized: options.localized ?? [],
  choices: options.choices ?? [],
  assigned: assignColumns(options.choices ?? [], { ...options, columns }),
  columnLimit: options.columnLimit,
});

/** The condition under which a staged row becomes a new object. */
const isNew = ({ action }: ImportOptions) => (action === 'replace' ? sql`true` : sql`t.svc_id is null`);

/**
 * Finds the object that each staged row changes. With `skipErrors` removes the rows that cannot be stored, otherwise
 * throws for the first.
 */
async function matchStaged(
  tx: Transaction,
  { storing, summary }: { storing: Storing; summary: Summary },
  options: ImportOptions,
): Promise<Omit<StoredFeatures, 'summary'>> {
  const { staging } = storing;
  const { key = [], skipErrors = false, action } = options;
  let late: readonly Refusal[] = [];
  if (key.length) {
    late = await matchByKey(tx, storing, { key, last: summary.read });
    if (!skipErrors) refuseFirst(late);
    await removeRefused(tx, staging, late);
  }
  if (skipErrors) late = [...late, ...(await removeUnstorable(tx, storing, isNew(options)))];
  else {
    await refuseTwins(tx, staging);
    await refuseMissing(tx, storing, isNew(options));
  }
  return { late, changed: action === 'replace' ? 0 : await countChanged(tx, storing) };
}

async function storeAll(
  tx: Transaction,
  staged: Staged,
  reserved: readonly ReservedColumn[],
  options: StoringOptions,
): Promise<StoredFeatures> {
  const { layer, staging, summary } = staged;
  await tx.query(sql`set local statement_timeout = 0`);
  // Other writers wait until the commit; readers see the old objects.
  const { columns } = await lockLayer(tx, layer);
  const constrained = await touchData(tx, layer.id);
  // The staging table is unlogged: a restart of the database empties it.
  if ((await countStaged(tx, staging)).rows !== summary.read - summary.refused)
    throw new ServiceError('busy', 'The database was restarted during the import; try again');
  const rules = planRules(columns, options);
  const plans = await announceColumns(tx, layer, planColumns(summary.properties, rules), reserved);
  const { progress } = options;
  const storing: Storing = { layerId: layer.id, staging, plans, columns, progress };
  const features = { summary, ...(await matchStaged(tx, { storing, summary }, options)) };
  const count = await countStaged(tx, staging);
  progress?.({ phase: 'storing', done: 0, total: count.rows });
  const isReplaced = options.action === 'replace';
  const { author } = options;
  const before = author && (await noteBefore(tx, { layerId: layer.id, author, isReplaced, columns }));
  const removed = before?.removed ?? 0;
  const isKept = Boolean(before) && (!isReplaced || removed > 0);
  await storeRows(tx, storing, { count, isReplaced, isKept, removed });
  const { changed } = features;
  if (before) await noteImport(tx, before, { plans, added: count.rows - changed, changed });
  else if (isReplaced) await removeFiles(tx, layer.id, { isKept: false });
  await keepConstraints(tx, { layerId: layer.id, constrained, rows: writtenNow, removes: true });
  await countImport(tx, layer.id);
  await options.noteStored(tx, features);
  return features;
}

/** An error of the interface for an error of the database. */
function storeFailure(error: unknown): unknown {
  const state = sqlState(error) ?? '';
  if (error instanceof ServiceError) return error;
  if (state === '42P01')
    return new ServiceError('layer_not_found', 'The layer was deleted during the import');
  if (state.startsWith('23')) {
    return new ServiceError('constraint_violated', 'A feature violates a constraint of the layer');
  }
  // Such as a text with more than PostgreSQL takes, or its memory: it comes from no query of a layer.
  if (isDataError(error)) return new ServiceError('value_invalid', 'A feature is too large to be stored');
  return error;
}
