import { dataVersion, lockTree, touchMap } from '../../containers/containers.js';
import { type Database, type Queryable, sqlState } from '../../db/pool.js';
import { type Sql, sql } from '../../db/sql.js';
import { type AnyVisual, isBlank, type Statistics, wanted } from '../../visualizations/visualization.js';
import { type Column, findLayer, type Layer } from '../layers.js';
import { readStatistics } from './statistics.js';

/** `container.visual_classes`: what was found in the data, and by what is judged whether it still holds. */
export interface KeptClasses {
  /** The layer's number of imports when its data was read; null: nothing of the data is used. */
  imports: number | null;
  /** The data version in which there was nothing to be found. */
  blank: number | null;
  statistics: Statistics | null;
}

/** A row of a layer as far as its visualization goes. */
export interface VisualRow {
  visual_settings?: unknown;
  visual_custom_settings?: unknown;
  visual_classes?: unknown;
}

/** The settings of a visualization of any type in the row of a layer; undefined for one that has none. */
export const settingsOf = ({
  visual_settings,
  visual_custom_settings,
}: Pick<VisualRow, 'visual_settings' | 'visual_custom_settings'>): AnyVisual['settings'] | undefined =>
  (visual_settings ?? visual_custom_settings ?? undefined) as AnyVisual['settings'] | undefined;

/** The visualization of a layer; undefined for one that has none. */
export function visualOf(row: VisualRow): AnyVisual | undefined {
  const settings = settingsOf(row);
  if (!settings) return undefined;
  const { statistics } = (row.visual_classes as KeptClasses | null) ?? {};
  return { settings, statistics: statistics ?? undefined };
}

/** The same in SQL, in the alias `l`. */
const settingsIn = (l: Sql): Sql => sql`coalesce(${l}.visual_settings, ${l}.visual_custom_settings)`;

/**
 * How many imports have made the data of the layer in the alias `l`, with its state in `s`; of a virtual layer also those
 * of the layers that it reads.
 */
const importsOf = (l: Sql, s: Sql): Sql => sql`(${s}.imports + case ${l}.type when 'virtual' then coalesce((
    select sum(o.imports) from cartulary.layer_source r join cartulary.layer_state o on o.layer_id = r.source_id
    where r.layer_id = ${l}.id), 0) else 0 end)::bigint`;

/** Whether the classes of the layer in the alias `l`, with its state in `s`, must be made anew before they are used. */
export const hasStaleClasses = (l: Sql, s: Sql): Sql => sql`coalesce(${settingsIn(l)} is not null and (
    ${l}.visual_classes is null or (${l}.visual_classes ->> 'imports')::bigint <> ${importsOf(l, s)}
    or (${l}.visual_classes ->> 'blank')::bigint <> ${dataVersion(l)}), false)`;

/** What is being made now, by layer: many tiles ask for the same at once. */
const running = new WeakMap<Database, Map<number, Promise<void>>>();

/**
 * Makes the classes of these layers that their data has outdated, as after an import: whoever reads them first does it.
 * The data is read before the lock is taken; what changed meanwhile is left to the next reader.
 */
export async function freshenClasses(db: Database, ids: readonly number[]): Promise<void> {
  const ours = running.get(db) ?? new Map<number, Promise<void>>();
  running.set(db, ours);
  for (const id of ids) {
    const work =
      ours.get(id) ??
      makeClasses(db, id, sql`${hasStaleClasses(sql`l`, sql`s`)}`).finally(() => ours.delete(id));
    ours.set(id, work);
    await work;
  }
}

/** `findLayer`, with the classes of its visualization made. */
export async function findFreshLayer(db: Database, ...how: LayerQuestion): Promise<Layer> {
  const layer = await findLayer(db, ...how);
  if (!settingsOf(layer)) return layer;
  await freshenClasses(db, [layer.id]);
  return findLayer(db, ...how);
}

type LayerQuestion = Parameters<typeof findLayer> extends [Queryable, ...infer Rest] ? Rest : never;

/** Makes the classes of a layer from its data as it is now. */
export const remakeClasses = (db: Database, id: number): Promise<void> => makeClasses(db, id, sql`true`);

interface Source {
  map_id: number;
  main: string;
  imports: number;
  data_version: number;
  settings: AnyVisual['settings'];
  columns: Column[];
}

async function makeClasses(db: Database, id: number, condition: Sql): Promise<void> {
  const [source] = await db.query<Source>(sql`
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

async function classesOf(db: Database, id: number, source: Source): Promise<KeptClasses> {
  const { settings, columns, main, imports, data_version } = source;
  const needed = wanted(settings);
  if (!needed) return { imports: null, blank: null, statistics: null };
  const statistics = await readStatistics(db.heavy, { layer: { id, columns }, main }, needed);
  return { imports, blank: isBlank(statistics) ? data_version : null, statistics };
}

/** The table (42P01) or a column (42703) went meanwhile: there is nothing to be made. */
function ignoreChange(error: unknown): undefined {
  if (!['42P01', '42703'].includes(sqlState(error) ?? '')) throw error;
}
