import { LRUCache } from 'lru-cache';
import type { Container } from '../containers/containers.js';
import { type Queryable, sqlState } from '../db/pool.js';
import { join, sql } from '../db/sql.js';
import { type Box, type Corners, cornersOf, type SR } from '../geo/bbox.js';
import { holdsObjects, layerTable } from './layers.js';

/** Corners of an extent: [latitude, longitude] in degrees for 4326, [y, x] in metres for 3857; null for a layer without geometry. */
export type LayerBbox = Corners | null;

/** Most layers whose extents are read by one statement: each takes locks that a database has a limited number of. */
const slice = 40;

/**
 * Extents in degrees by layer and data version, per database. A layer that changes while it is read is newer than the
 * version under which it is kept, which no one asks for again.
 */
const known = new WeakMap<Queryable, LRUCache<string, { box: Box | null }>>();

/** The extents of layers by their ids; null for one without geometry. Only what changed since it was asked last is read. */
export async function layerBboxes(
  db: Queryable,
  layers: readonly Pick<Container, 'id' | 'type'>[],
  sr: SR,
  signal?: AbortSignal,
): Promise<Map<number, LayerBbox>> {
  const extents = known.get(db) ?? new LRUCache({ max: 10_000 });
  known.set(db, extents);
  const ids = layers.filter(holdsObjects).map(({ id }) => id);
  const boxes = new Map<number, LayerBbox>(layers.map(({ id }) => [id, null]));
  const states = await db.query<{ id: number; version: number }>(
    sql`select layer_id as id, data_version as version from cartulary.layer_state where layer_id = any(${ids}::integer[])`,
    signal,
  );
  const keep = (id: number, box: Box | null | undefined): void =>
    void boxes.set(id, box ? cornersOf(box, sr) : null);
  const stale = states.filter(({ id, version }) => {
    const extent = extents.get(`${id}/${version}`);
    if (extent) keep(id, extent.box);
    return !extent;
  });
  for (let at = 0; at < stale.length; at += slice) {
    const part = stale.slice(at, at + slice);
    const ofPart = part.map(({ id }) => id);
    const found = await readExtents(db, ofPart, signal);
    for (const { id, version } of part) {
      const box = found.get(id) ?? null;
      extents.set(`${id}/${version}`, { box });
      keep(id, box);
    }
  }
  return boxes;
}

async function readExtents(
  db: Queryable,
  ids: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Map<number, Box>> {
  const extent = (id: number) =>
    sql`select ${id}::integer as id, st_extent(geom) as box from ${layerTable(id)}`;
  try {
    const rows = await db.query<Box & { id: number }>(
      sql`select id, st_xmin(box) as west, st_ymin(box) as south, st_xmax(box) as east, st_ymax(box) as north
        from (${join(ids.map(extent), ' union all ')}) extents where box is not null`,
      signal,
    );
    return new Map(rows.map(({ id, ...box }) => [id, box]));
  } catch (error) {
    // A layer was deleted meanwhile (42P01, undefined_table): it alone has no extent.
    if (sqlState(error) !== '42P01') throw error;
    if (ids.length === 1) return new Map();
    const each = await Promise.all(ids.map((id) => readExtents(db, [id], signal)));
    return new Map(each.flatMap((found) => [...found]));
  }
}
