import type { Queryable } from '@cartulary/database';
import { type Box, type Corners, cornersOf, type SR } from '@cartulary/geo';
import { join, sql } from '@cartulary/sql';
import type { Container } from '../containers/containers.js';
import { extentOfJson } from '../external/source.js';
import { holdsObjects, isRaster, layerTable } from './layers.js';
import { cachedByVersion } from './version-cache.js';

/** Corners of an extent: [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857; null for a layer without geometry. */
export type LayerBbox = Corners | null;

/**
 * The extents of layers by their ids; null for one without geometry or image. It reads only layers that changed since the
 * last call.
 */
export async function layerBboxes(
  db: Queryable,
  layers: readonly (Pick<Container, 'id' | 'type'> & { json?: Container['json'] })[],
  sr: SR,
  signal?: AbortSignal,
): Promise<Map<number, LayerBbox>> {
  const idsOf = (which: (layer: Pick<Container, 'type'>) => boolean): number[] =>
    layers.filter(which).map(({ id }) => id);
  const ofObjects = await readExtents(db, idsOf(holdsObjects), signal);
  const ofImages = await readImageExtents(db, idsOf(isRaster), signal);
  const extents = new Map([...ofObjects, ...ofImages]);
  return new Map(
    layers.map(({ id, type, json }) => {
      const extent = type === 'external' ? boxOfJson(json ?? {}) : extents.get(id);
      return [id, extent ? cornersOf(extent, sr) : null];
    }),
  );
}

/** The extent of an external layer comes from its settings. */
function boxOfJson(json: Container['json']): Box | undefined {
  const box = extentOfJson(json);
  return box && { west: box[0], south: box[1], east: box[2], north: box[3] };
}

/** Tables whose extents are read by one statement: PostgreSQL plans one over thousands for seconds. */
const tablesAtOnce = 100;

const readExtents = cachedByVersion(async (db, ids, signal): Promise<Map<number, Box>> => {
  const extents = new Map<number, Box>();
  for (let at = 0; at < ids.length; at += tablesAtOnce)
    for (const { id, ...box } of await extentsOf(db, ids.slice(at, at + tablesAtOnce), signal))
      extents.set(id, box);
  return extents;
});

function extentsOf(
  db: Queryable,
  ids: readonly number[],
  signal: AbortSignal | undefined,
): Promise<(Box & { id: number })[]> {
  const extent = (id: number) =>
    sql`select ${id}::integer as id, st_extent(geom) as box from ${layerTable(id)}`;
  return db.query(
    sql`select id, st_xmin(box) as west, st_ymin(box) as south, st_xmax(box) as east, st_ymax(box) as north
      from (${join(ids.map(extent), ' union all ')}) extents where box is not null`,
    signal,
  );
}

const readImageExtents = cachedByVersion(async (db, ids, signal): Promise<Map<number, Box>> => {
  const rows = await db.query<Box & { id: number }>(
    sql`select layer_id as id, west, south, east, north from cartulary.raster where layer_id = any(${[...ids]}::integer[])`,
    signal,
  );
  return new Map(rows.map(({ id, ...box }) => [id, box]));
});
