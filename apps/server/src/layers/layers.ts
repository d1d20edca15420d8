import type { Column } from '@cartulary/columns';
import { isDataError, layerQueryFailed, type Queryable, type Snapshot, sqlState } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { empty, ident, prepared, type Sql, sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import { demand, type Level } from '../access/rights.js';
import { createSnapshotMemo } from '../access/snapshot-memo.js';
import {
  type Container,
  dataVersion,
  isPossibleCode,
  lockTree,
  type MapContainer,
  mapNotFound,
  publicMayView,
  readContainer,
  rightOnLayer,
  rightOnMap,
} from '../containers/containers.js';

export type { Column, ColumnType } from '@cartulary/columns';
export { attributeName, type Placed, placeName, stored, target } from '@cartulary/columns';

/** A layer with its map, columns in order, versions and the caller's right on it (0 to 3). */
export interface Layer extends Container {
  map: MapContainer;
  columns: readonly Column[];
  data_version: number;
  /** Rises with every change of its columns. */
  structure: number;
  right: number;
  /** Why the query of a virtual layer no longer runs. */
  problem?: QueryProblem | null;
  /** Set by `findLayer` for edit: the columns whose dictionaries the caller may not view. */
  hidden_dictionaries?: readonly HiddenDictionary[];
}

/** A strict link from a column of the layer to a layer that the caller may not view. */
export interface HiddenDictionary {
  column_id: number;
  /** `map_code.layer_code` */
  layer: string;
}

/** The error of a query whose sources were deleted: message and data. */
export interface QueryProblem {
  message: string;
  data: Record<string, unknown>;
}

export { LayerAnswer } from './schemas.js';

/** Layer types whose objects callers write. */
export const ownsObjects = (layer: Pick<Container, 'type'>): boolean => layer.type === 'layer';

/** Layer types with objects in `layerTable`; that of a virtual layer is a view. */
export const holdsObjects = (layer: Pick<Container, 'type'>): boolean => ownsObjects(layer) || isQuery(layer);

/** Layer types whose objects are the result of a query. */
export const isQuery = (layer: Pick<Container, 'type'>): boolean =>
  layer.type === 'virtual' || layer.type === 'material';

/** Throws `query_invalid` for a virtual layer whose query no longer runs. */
export function demandRunning({ type, problem }: Pick<Layer, 'type' | 'problem'>): void {
  if (type === 'virtual' && problem) throw new ServiceError('query_invalid', problem.message, problem.data);
}

/** Layers whose images come from another server. */
export const isExternal = (layer: Pick<Container, 'type'>): boolean => layer.type === 'external';

/** Layers of one image. */
export const isRaster = (layer: Pick<Container, 'type'>): boolean => layer.type === 'raster';

/** The table of a layer's objects: `svc_id bigint` (primary key), `geom geometry` (SRID 4326), and `c<id>` per column. */
export const layerTable = (layerId: number): Sql => ident('cartulary_data', `layer_${layerId}`);

/** The codes of a layer and its map. */
export interface LayerCodes {
  map: string;
  layer: string;
  /** For requests that write nothing: the answer may be as old as this snapshot. */
  known?: Snapshot | undefined;
}

/**
 * Finds a layer with its columns by the codes of map and layer, when the caller has `level` on it, in one query. Throws 404
 * `map_not_found` or `layer_not_found` (a folder is no layer), 403, 401.
 */
export const findLayer = (db: Queryable, caller: Caller, at: LayerCodes, level: Level): Promise<Layer> =>
  seen(caller, level === 'view' ? at.known : undefined, `${at.map}/${at.layer}`, () =>
    readLayer(db, caller, at, level),
  );

const seen = createSnapshotMemo<Layer>();

async function readLayer(db: Queryable, caller: Caller, at: LayerCodes, level: Level): Promise<Layer> {
  if (!isPossibleCode(at.map)) throw mapNotFound(at.map);
  const code = isPossibleCode(at.layer) ? at.layer : null;
  const statement = prepared(layerStatement(caller, at.map, code, level));
  // Only viewers profit from the snapshot-validated cache: an editor has mostly just changed the layer.
  const [row] = await (level === 'view'
    ? db.cachedQuery<FoundLayer>(statement, at.known)
    : db.query<FoundLayer>(statement));
  if (!row) throw mapNotFound(at.map);
  if (!row.layer) {
    demand(caller, row.map.right, 'view');
    throw layerNotFound(at.layer);
  }
  demand(caller, row.right, level);
  return {
    map: row.map,
    columns: orderedColumns(row.columns),
    right: row.right,
    data_version: row.data_version,
    structure: row.structure,
    problem: row.problem,
    ...(row.hidden_dictionaries && { hidden_dictionaries: row.hidden_dictionaries }),
    ...row.layer,
  };
}

interface FoundLayer {
  map: MapContainer;
  layer: Container | null;
  columns: Column[];
  right: number;
  data_version: number;
  structure: number;
  problem: QueryProblem | null;
  hidden_dictionaries?: HiddenDictionary[];
}

const layerStatement = (caller: Caller, map: string, code: string | null, level: Level): Sql => sql`
    select to_jsonb(m) || jsonb_build_object('right', ${rightOnMap(caller)}, 'has_publication', ${publicMayView(sql`m`)}) as map,
      to_jsonb(l) as layer, ${rightOnLayer(caller, sql`m`, sql`l`)} as "right",
      ${dataVersion(sql`l`)} as data_version, s.structure, q.problem,
      (select coalesce(jsonb_agg(to_jsonb(c) order by c.sort, c.id), '[]') from cartulary.layer_column c where c.layer_id = l.id) as columns
      ${level === 'view' ? empty : sql`, ${hiddenDictionaries(caller)}`}
    from cartulary.container m
    left join cartulary.container l on l.map_id = m.id and l.code = ${code} and l.type not in ('map', 'folder')
    left join cartulary.layer_query q on q.layer_id = l.id
    left join cartulary.layer_state s on s.layer_id = l.id
    where m.project_id = ${caller.project.id} and m.type = 'map' and m.code = ${map}`;

const hiddenDictionaries = (caller: Caller): Sql => sql`
    (select coalesce(jsonb_agg(jsonb_build_object('column_id', k.column_ids[1], 'layer', dm.code || '.' || dl.code)), '[]')
      from cartulary.layer_constraint k join cartulary.layer_column d on d.id = k.dict_column_id
      join cartulary.container dl on dl.id = d.layer_id join cartulary.container dm on dm.id = dl.map_id
      where k.layer_id = l.id and ${rightOnLayer(caller, sql`dm`, sql`dl`)} < 1) as hidden_dictionaries`;

/** Throws 403 with the layer's name when one of the columns has a dictionary that the caller may not view. */
export function demandDictionaries(
  { hidden_dictionaries: all = [] }: Pick<Layer, 'hidden_dictionaries'>,
  columns: readonly { id?: number; code: string }[],
): void {
  for (const { id, code } of columns) {
    const hidden = all.find((one) => one.column_id === id);
    if (!hidden) continue;
    const message = `The values of the column '${code}' are those of the layer '${hidden.layer}', which you may not view`;
    throw new ServiceError('forbidden', message, { columns: [code], layer: hidden.layer });
  }
}

export const layerNotFound = (code: string): ServiceError =>
  new ServiceError('layer_not_found', `The layer '${code}' does not exist`);

/**
 * Locks the layer's map against other changes of tree and structure, and returns the layer as it is in this transaction.
 * Changes are checked against this state. Throws 404 when it was deleted.
 */
export async function lockLayer(tx: Queryable, layer: Layer): Promise<Layer> {
  await lockTree(tx, layer.map.id);
  const now = await readContainer(tx, layer.id);
  if (!now) throw layerNotFound(layer.code);
  const columns = await tx.query<Column>(
    sql`select * from cartulary.layer_column where layer_id = ${layer.id} order by sort, id`,
  );
  return { ...layer, ...now, columns: orderedColumns(columns) };
}

/** Orders columns that come by sort: each title before the columns below it. */
export function orderedColumns(columns: readonly Column[]): Column[] {
  const groups = new Map<number | null, Column[]>();
  for (const column of columns) {
    const group = groups.get(column.parent_id);
    if (group) group.push(column);
    else groups.set(column.parent_id, [column]);
  }
  const within = (parent: number | null): Column[] =>
    (groups.get(parent) ?? []).flatMap((column) => [column, ...within(column.id)]);
  return within(null);
}

/**
 * Raises the layer's data version in the transaction of a write of its objects, and makes other writers of the layer wait.
 * Images of the old data become stale, all of them unless `logChanges` says where. Returns whether the write must check
 * constraints.
 */
export async function touchData(tx: Queryable, layerId: number): Promise<boolean> {
  const state = await raiseDataVersion(tx, layerId);
  return state?.constrained ?? false;
}

/** Makes other writers of the layer's objects wait, as `touchData` does, before anything is changed. */
export async function lockData(tx: Queryable, layerId: number): Promise<void> {
  await tx.query(sql`select from cartulary.layer_state where layer_id = ${layerId} for update`);
}

/** Attempts of work whose layer changes its structure meanwhile. */
const attemptLimit = 5;

/** Runs work with a layer; repeats it with the new layer where its structure has changed meanwhile. */
export async function withLayer<T>(
  find: (isAgain: boolean) => Promise<Layer>,
  work: (layer: Layer) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(await find(attempt > 0));
    } catch (error) {
      if (!(error instanceof StructureChanged) || attempt === attemptLimit) throw error;
    }
  }
}

/** The columns of the layer have changed after it was found: `withLayer` repeats the work. */
export class StructureChanged extends ServiceError {
  constructor() {
    super('busy', 'The structure of the layer has just changed; try again');
  }
}

/** `touchData` for a write that was checked against the columns of the layer. Throws StructureChanged where they have changed. */
export async function touchObjects(tx: Queryable, layer: Pick<Layer, 'id' | 'structure'>): Promise<boolean> {
  const state = await raiseDataVersion(tx, layer.id);
  if (state && state.structure !== layer.structure) throw new StructureChanged();
  return state?.constrained ?? false;
}

interface LayerState {
  constrained: boolean;
  structure: number;
}

async function raiseDataVersion(tx: Queryable, layerId: number): Promise<LayerState | undefined> {
  const [state] = await tx.query<LayerState>(sql`
    update cartulary.layer_state set data_version = data_version + 1, changed_at = clock_timestamp() where layer_id = ${layerId}
    returning constrained, structure`);
  return state;
}

/**
 * Converts the error of a statement over a layer's table: the layer was deleted (42P01, undefined_table) or a column (42703,
 * undefined_column) after `findLayer`, or its query fails on its data. Returns any other error unchanged.
 */
export function changedMeanwhile(error: unknown): unknown {
  const state = sqlState(error);
  if (state === '42P01') return new ServiceError('layer_not_found');
  if (state === '42703') return new StructureChanged();
  return isDataError(error) ? Object.assign(layerQueryFailed(), { cause: error }) : error;
}
