import type { LocalizedName } from '@cartulary/columns';
import type { Database, Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { cornersOf } from '@cartulary/geo';
import { sql } from '@cartulary/sql';
import type { Caller } from '../../access/caller.js';
import { mapNotFound } from '../../containers/containers.js';
import { shownName } from '../../containers/names.js';
import { below } from '../../containers/tree.js';
import { type LayerBbox, layerBboxes } from '../../layers/bbox.js';
import type { MapContent, ReadContent } from '../../tiles/plan/map-content.js';
import { type MapState, mapState } from '../../tiles/plan/map-state.js';
import { visibleLayers } from '../../tiles/plan/visible-layers.js';
import { type LonLatBox, worldBox } from '../../tiles/xyz/addresses.js';

/** A map as a service of layers shows it. */
export interface ServedMap {
  state: MapState;
  content: MapContent;
  /** Ids of the layers of the publication tree that the caller may view, the topmost first. */
  layers: readonly number[];
  attribution: string | undefined;
}

/** The name of the layer that is the whole map with its background. No code of a layer has a full stop. */
export const wholeMap = 'map.all';

/** The name of the one style of each layer. */
export const styleName = 'default';

const isHidden = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'forbidden' || error.code === 'not_authenticated');

/** Reads the layers of a map. A map that the caller may not view is answered like one that does not exist. */
export async function servedMap(
  { db, readContent }: { db: Database; readContent: ReadContent },
  { caller, map }: { caller: Caller; map: string },
  signal: AbortSignal,
): Promise<ServedMap> {
  const state = await mapState(db, caller, map, caller.at).catch((error) => {
    throw isHidden(error) ? mapNotFound(map) : error;
  });
  const content = await readContent(state, signal);
  const ids = below(content.published, 0).map((node) => node.container_id);
  const layers = [...new Set(ids)].filter((id) => content.layers.has(id) && state.viewable.has(id));
  const { attribution } = content;
  return { state, content, layers, attribution };
}

/** A container as services show it. */
export interface ShownContainer {
  code: string;
  title: string;
}

/** Codes and titles of containers by their ids, in a language. */
export async function namesOf(
  db: Queryable,
  ids: readonly number[],
  languages: readonly string[],
): Promise<Map<number, ShownContainer>> {
  const rows = await db.query<LocalizedName & { id: number; code: string }>(sql`
    select id, code, name, names, localized_name from cartulary.container where id = any(${[...ids]}::integer[])`);
  return new Map(
    rows.map((row) => [row.id, { code: row.code, title: shownName(row, languages) || row.code }]),
  );
}

/** The visible layers of a request. */
export interface VisibleLayers {
  /** Ids, the lowest first. undefined: the selected layers of the publication tree. */
  layers: number[] | undefined;
  /** Whether the background of the map and its base layer are drawn. */
  base: boolean;
}

/**
 * The layers that names stand for, the lowest first: codes of layers, those of folders for the layers in them, and `map.all`.
 * undefined where a name stands for nothing that the caller may view.
 */
export async function namedLayers(
  db: Queryable,
  { state, content, layers }: ServedMap,
  names: readonly string[],
): Promise<VisibleLayers | { unknown: string }> {
  if (names.length === 1 && names[0] === wholeMap) return { layers: undefined, base: true };
  const byCode = new Map(layers.map((id) => [content.layers.get(id)!.code, id]));
  const others = names.filter((name) => name !== wholeMap && !byCode.has(name));
  const folders = others.length
    ? await db.query<{ id: number; code: string }>(sql`
        select id, code from cartulary.container
        where map_id = ${state.id}::integer and type = 'folder' and code = any(${others}::text[])`)
    : [];
  const visible: number[] = [];
  for (const name of names) {
    const found =
      name === wholeMap
        ? visibleLayers(undefined, state.viewable, content)
        : byCode.has(name)
          ? [byCode.get(name)!]
          : inFolder(folders.find(({ code }) => code === name)?.id);
    if (!found.length && name !== wholeMap) return { unknown: name };
    visible.push(...found);
  }
  const ids = [...new Set(visible)];
  const isBase = content.base_layer !== undefined && ids.includes(content.base_layer);
  return { layers: ids, base: isBase || names.includes(wholeMap) };

  function inFolder(folder: number | undefined): number[] {
    const node = [...content.published.nodes.values()].find((one) => one.container_id === folder);
    if (folder === undefined || !node) return [];
    const inside = below(content.published, node.id).map((one) => one.container_id);
    return inside.filter((id) => content.layers.has(id) && state.viewable.has(id)).reverse();
  }
}

/** Layers whose extents are read from their objects: those of thousands of tables take seconds. */
const mostExact = 200;

/**
 * The extents of layers of a map, in degrees; null for one without objects. Those of many layers come from their spatial indexes,
 * which are a little too large.
 */
export async function extentsOf(
  db: Queryable,
  { content }: Pick<ServedMap, 'content'>,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<Map<number, LayerBbox>> {
  const layers = ids.map((id) => content.layers.get(id)!);
  const indexed =
    layers.length > mostExact ? layers.filter(({ type }) => type === 'layer' || type === 'material') : [];
  const isIndexed = new Set(indexed);
  const rest = layers.filter((layer) => !isIndexed.has(layer));
  const found = await layerBboxes(
    db,
    rest.map(({ id, type, json }) => ({ id, type, json: json ?? {} })),
    '4326',
    signal,
  );
  if (indexed.length)
    for (const [id, box] of await indexExtents(
      db,
      indexed.map(({ id }) => id),
    ))
      found.set(id, box);
  return found;
}

async function indexExtents(db: Queryable, ids: readonly number[]): Promise<Map<number, LayerBbox>> {
  const rows = await db.query<
    { id: number } & Record<'west' | 'south' | 'east' | 'north', number | null>
  >(sql`
    select id, st_xmin(box) as west, st_ymin(box) as south, st_xmax(box) as east, st_ymax(box) as north from (
      select l.id, st_estimatedextent('cartulary_data', t.relname, 'geom') as box
      from unnest(${[...ids]}::integer[]) l(id) join pg_class t
        on t.relnamespace = 'cartulary_data'::regnamespace and t.relkind in ('r', 'm') and t.relname = 'layer_' || l.id) found`);
  return new Map(
    rows.map(({ id, west, south, east, north }): [number, LayerBbox] => [
      id,
      west === null ? null : cornersOf({ west, south: south!, east: east!, north: north! }, '4326'),
    ]),
  );
}

/** Degrees that are shown around a single point. */
const leastSide = 0.01;

/** A side below it, degrees, is none. */
const noSide = 1e-5;

/** The least side of a box as a part of its other side. */
const leastShare = 1 / 20;

/**
 * The box around extents, in degrees, with room for the symbols of a single point, or of points on a line: programs refuse an empty box,
 * and cut pictures off at its edges.
 */
export function shownBox(extents: readonly LayerBbox[]): LonLatBox {
  const found = extents.filter((one) => one !== null);
  if (!found.length) return worldBox;
  // A query may give positions beyond the poles.
  const within = (edge: number, limit: number): number => Math.max(-limit, Math.min(limit, edge));
  const west = within(Math.min(...found.map(({ sw }) => sw[1])), 180);
  const south = within(Math.min(...found.map(({ sw }) => sw[0])), 90);
  const east = within(Math.max(...found.map(({ ne }) => ne[1])), 180);
  const north = within(Math.max(...found.map(({ ne }) => ne[0])), 90);
  const [width, height] = [east - west, north - south];
  const missing = (side: number, other: number): number =>
    Math.max(0, other * leastShare - side, side < noSide ? leastSide - side : 0) / 2;
  const [dx, dy] = [missing(width, height), missing(height, width)];
  return [
    Math.max(-180, west - dx),
    Math.max(-90, south - dy),
    Math.min(180, east + dx),
    Math.min(90, north + dy),
  ];
}
