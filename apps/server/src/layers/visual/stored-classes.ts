import type { Column } from '@cartulary/columns';
import { type Database, perDatabase, type Queryable, sqlState } from '@cartulary/database';
import { type Sql, sql } from '@cartulary/sql';
import { type AnyVisual, hasNoData, type Statistics, wanted } from '@cartulary/visualizations';
import { dataVersion, lockTree, touchMap } from '../../containers/containers.js';
import { findLayer, type Layer } from '../layers.js';
import { readStatistics } from './statistics.js';

/** `container.visual_classes`: the classes found in the data, and the versions that show whether they are still valid. */
export interface StoredClasses {
  /** The layer's number of imports when its data was read; null: no data is used. */
  imports: number | null;
  /** The data version that had no data for classes. */
  blank: number | null;
  statistics: Statistics | null;
}

/** The fields of a layer's row that its visualization needs. */
export interface VisualRow {
  visual_settings?: unknown;
  visual_custom_settings?: unknown;
  visual_classes?: unknown;
}

/** The settings of a visualization of any type in the row of a layer; undefined without one. */
export const settingsOf = ({
  visual_settings,
  visual_custom_settings,
}: Pick<VisualRow, 'visual_settings' | 'visual_custom_settings'>): AnyVisual['settings'] | undefined =>
  (visual_settings ?? visual_custom_settings ?? undefined) as AnyVisual['settings'] | undefined;

/** The visualization of a layer; undefined without one. */
export function visualOf(row: VisualRow): AnyVisual | undefined {
  const settings = settingsOf(row);
  if (!settings) return undefined;
  const { statistics } = (row.visual_classes as StoredClasses | null) ?? {};
  return { settings, statistics: statistics ?? undefined };
}

/** The same in SQL, in the alias `l`. */
const settingsIn = (l: Sql): Sql => sql`coalesce(${l}.visual_settings, ${l}.visual_custom_settings)`;

/** The number of imports into the layer `l` with its state `s`; for a virtual layer, including those of its sources. */
const importsOf = (l: Sql, s: Sql): Sql => sql`(${s}.imports + case ${l}.type when 'virtual' then coalesce((
    select sum(o.imports) from cartulary.layer_source r join cartulary.layer_state o on o.layer_id = r.source_id
    where r.layer_id = ${l}.id), 0) else 0 end)::bigint`;

/** Whether the classes of the layer `l`, with its state `s`, must be made anew before use. */
export const hasStaleClasses = (l: Sql, s: Sql): Sql => sql`coalesce(${settingsIn(l)} is not null and (
    ${l}.visual_classes is null or (${l}.visual_classes ->> 'imports')::bigint <> ${importsOf(l, s)}
    or (${l}.visual_classes ->> 'blank')::bigint <> ${dataVersion(l)}), false)`;

/** Pending work by layer: many tiles ask for the same at once. */
const runningOf = perDatabase(() => new Map<number, Promise<void>>());

/**
 * Makes the classes of these layers anew where their data has outdated them, as after an import. The first reader does it. It
 * reads the data before it takes the lock; changes meanwhile are left to the next reader.
 */
export async function freshenClasses(db: Database, ids: readonly number[]): Promise<void> {
  const ours = runningOf(db);
  for (const id of ids) {
    const work =
      ours.get(id) ??
      makeClasses(db, id, sql`${hasStaleClasses(sql`l`, sql`s`)}`).finally(() => ours.delete(id));
    ours.set(id, work);
    await work;
  }
}

/** `findLayer` with current classes of its visualization. */
export async function findFreshLayer(db: Database, ...how: LayerQuestion): Promise<Layer> {
  const layer = await findLayer(db, ...how);
  if (!settingsOf(layer)) return layer;
  await freshenClasses(db, [layer.id]);
  return findLayer(db, ...how);
}

type LayerQuestion = Parameters<typeof findLayer> extends [Queryable, ...infer Rest] ? Rest : never;

/** Makes the classes of a layer from its current data. */
export const remakeClasses = (db: Database, id: number): Promise<void> => makeClasses(db, id, sql`true`);

interface ClassSource {
  map_id: number;
  main: string;
  imports: number;
  data_version: number;
  settings: AnyVisual['settings'];
  columns: Column[];
}

async function makeClasses(db: Database, id: number, condition: Sql): Promise<void> {
  const [source] = await db.query<ClassSource>(sql`
    select l.map_id, p.languages[1] as main, ${importsOf(sql`l`, sql`s`)} as imports,
      ${dataVersion(sql`l`)} as data_version, ${settingsIn(sql`l`)} as settings,
      (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from cartulary.layer_column c where c.layer_id = l.id) as columns
    from cartulary.container l
    join cartulary.layer_state s on s.layer_id = l.id
    join cartulary.project p on p.id = l.project_id
    where l.id = ${id} and ${settingsIn(sql`l`)} is not null and ${condition}`);
  if (!source) return;
  const kept = await classesOf(db, id, source).catch(ignoreChange);
  if (!kept) return;
  const { map_id, settings } = source;
  await db.transaction(async (tx) => {
    await lockTree(tx, map_id);
    const changed = await tx.query(sql`
      update cartulary.container l set visual_classes = ${JSON.stringify(kept)}::jsonb
      where id = ${id} and ${settingsIn(sql`l`)} = ${JSON.stringify(settings)}::jsonb returning id`);
    if (changed.length) await touchMap(tx, map_id);
  });
}

async function classesOf(db: Database, id: number, source: ClassSource): Promise<StoredClasses> {
  const { settings, columns, main, imports, data_version } = source;
  const needed = wanted(settings);
  if (!needed) return { imports: null, blank: null, statistics: null };
  const statistics = await readStatistics(db.heavy, { layer: { id, columns }, main }, needed);
  return { imports, blank: hasNoData(statistics) ? data_version : null, statistics };
}

/** The classes of a visualization that is tried out, from the data as it is now. */
export async function classesOfDraft(
  db: Database,
  source: { layer: Pick<Layer, 'id' | 'columns'>; main: string },
  settings: AnyVisual['settings'],
): Promise<StoredClasses> {
  const needed = wanted(settings);
  const statistics = needed ? await readStatistics(db.heavy, source, needed) : null;
  return { imports: null, blank: null, statistics };
}

/** The table (42P01) or a column (42703) was deleted meanwhile: there is nothing to do. */
function ignoreChange(error: unknown): undefined {
  if (!['42P01', '42703'].includes(sqlState(error) ?? '')) throw error;
}
