import { type Database, sqlState, type Transaction } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import { parseSrs, wgs84 } from '../geo/srs.js';
import { keepConstraints, writtenNow } from '../layers/constraint-checks.js';
import { holdsObjects, type Layer, layerTable, lockLayer, touchData } from '../layers/layers.js';
import { announceColumns, type ReservedColumn, reserveColumns, returnColumns } from './new-columns.js';
import { checkLocalized, newColumns, type PlanRules, planColumns } from './plan.js';
import { inWgs84, openProjection } from './projection.js';
import type { Property } from './properties.js';
import { readRows, type Wanted } from './reading.js';
import type { StagedRow } from './rows.js';
import { createStaging, dropStaging, fillStaging, type Staging } from './staging.js';
import { countStaged, refuseMissing, refuseTwins, type Storing, storeRows, withoutIndex } from './storing.js';

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
  /** Bytes. */
  featureLimit: number;
  columnLimit: number;
  signal?: AbortSignal | undefined;
  /** Told how many features were read so far. */
  progress?: ((features: number) => void) | undefined;
}

export interface ImportResult {
  /** Features in the file. */
  read: number;
  /** Objects added or changed. */
  stored: number;
}

/**
 * Stores the features of a GeoJSON file in a layer, all or nothing: they are staged as they come, then stored in one
 * transaction. Properties without a column get one. Throws `import_failed`, `value_invalid`, `required_missing`,
 * `too_large`, 400 for a wrong `srs`; where one feature is at fault `data.feature` is its number, from 1.
 */
export async function importFeatures(
  db: Database,
  layer: Layer,
  source: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportResult> {
  if (!holdsObjects(layer)) throw badRequest(`A layer of the type '${layer.type}' takes no import`);
  const srs = options.srs === undefined ? undefined : parseSrs(options.srs);
  checkLocalized(options.localized ?? [], layer.columns);
  const staging = await createStaging(db);
  try {
    const { read, properties } = await stage(db, { layer, staging, source, srs }, options);
    await store(db, { layer, staging, read, properties }, options);
    return { read, stored: read };
  } finally {
    await dropStaging(db, staging);
  }
}

interface Staged {
  layer: Layer;
  staging: Staging;
  read: number;
  properties: readonly Property[];
}

async function stage(
  db: Database,
  {
    layer,
    staging,
    source,
    srs,
  }: Pick<Staged, 'layer' | 'staging'> & { source: AsyncIterable<Buffer>; srs: string | undefined },
  options: ImportOptions,
): Promise<Pick<Staged, 'read' | 'properties'>> {
  const { signal, progress } = options;
  let properties: readonly Property[] = [];
  // A projection that was given is looked up before anything is read; that of the file when it is met.
  let projection = srs === undefined || srs === wgs84 ? undefined : await openProjection(srs);
  const transform = async (wanted: Wanted): Promise<Float64Array> => {
    projection ??= await openProjection(wanted.srs);
    return inWgs84(projection, wanted);
  };
  async function* rows(): AsyncGenerator<StagedRow[]> {
    for await (const batch of readRows(source, readingOptions(layer, srs, options), transform)) {
      if (batch.properties) properties = batch.properties;
      yield batch.rows;
    }
  }
  try {
    const read = await fillStaging(db, staging, rows(), { signal, progress });
    return { read, properties };
  } finally {
    projection?.close();
  }
}

const readingOptions = (layer: Layer, srs: string | undefined, options: ImportOptions) => ({
  featureLimit: options.featureLimit,
  srs,
  columns: layer.columns,
  languages: options.languages,
  language: options.language ?? options.languages[0]!,
  propertyLimit: options.columnLimit,
});

/** Everything that changes the layer. Columns that turned out unneeded go again. */
async function store(db: Database, staged: Staged, options: ImportOptions): Promise<void> {
  const { layer, properties } = staged;
  const wanted = newColumns(planColumns(properties, planRules(layer.columns, options)));
  let reserved: ReservedColumn[] = [];
  try {
    reserved = await reserveColumns(
      db,
      layer,
      wanted.map(({ column }) => column),
    );
    await db.transaction((tx) => storeAll(tx, staged, reserved, options), options.signal);
  } catch (error) {
    throw storeFailure(error);
  } finally {
    await returnColumns(db, layer, reserved);
  }
}

const planRules = (columns: Layer['columns'], options: ImportOptions): PlanRules => ({
  columns,
  languages: options.languages,
  language: options.language ?? options.languages[0]!,
  localized: options.localized ?? [],
  columnLimit: options.columnLimit,
});

async function storeAll(
  tx: Transaction,
  staged: Staged,
  reserved: readonly ReservedColumn[],
  options: ImportOptions,
): Promise<void> {
  const { layer, staging, read, properties } = staged;
  const table = layerTable(layer.id);
  await tx.query(sql`set local statement_timeout = 0`);
  // Nobody else changes the structure or the objects until the end; readers go on with what was there.
  const { columns } = await lockLayer(tx, layer);
  const constrained = await touchData(tx, layer.id);
  const count = await countStaged(tx, staging);
  // The staging table is not logged: a database that restarted meanwhile has emptied it.
  if (count.rows !== read)
    throw new ServiceError('busy', 'The database was restarted during the import; try again');
  await refuseTwins(tx, staging);
  const plans = await announceColumns(
    tx,
    layer,
    planColumns(properties, planRules(columns, options)),
    reserved,
  );
  const storing: Storing = { layerId: layer.id, staging, plans, columns };
  await refuseMissing(tx, storing, options.action === 'replace' ? sql`true` : sql`t.svc_id is null`);
  if (options.action === 'replace') {
    await tx.query(sql`delete from cartulary.file where layer_id = ${layer.id}`);
    await tx.query(sql`delete from ${table}`);
  }
  await withoutIndex(tx, storing, count, () => storeRows(tx, storing, count));
  await keepConstraints(tx, { layerId: layer.id, constrained, rows: writtenNow, removes: true });
  await tx.query(sql`update cartulary.layer_state set imports = imports + 1 where layer_id = ${layer.id}`);
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
