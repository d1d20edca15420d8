import type { Queryable } from '@cartulary/database';
import type { SR } from '@cartulary/geo';
import { join, sql } from '@cartulary/sql';
import type { Container } from '../../containers/containers.js';
import { type LayerBbox, layerBboxes } from '../bbox.js';
import { holdsObjects, layerTable } from '../layers.js';
import { cachedByVersion } from '../version-cache.js';

/** The kind of geometry, single or multiple, that all objects of a layer have. Unknown: several kinds, or no objects. */
export type LayerGeometryKind = 'Point' | 'LineString' | 'Polygon' | 'Unknown';

/** Properties of a layer beyond its own row. */
export interface LayerTraits {
  kind: LayerGeometryKind;
  /** Whether a geometry of it is a multiple one. */
  hasMulti: boolean;
  /** Whether it is a visualization, custom ones included. */
  isVisualization: boolean;
  bbox: LayerBbox;
}

/**
 * Geometry kind, extent and nature of layers by their ids; deleted ones are left out. It reads the data only of layers that
 * changed since the last call.
 */
export async function layerTraits(
  db: Queryable,
  ids: readonly number[],
  sr: SR,
  signal?: AbortSignal,
): Promise<Map<number, LayerTraits>> {
  const layers = await db.query<Pick<Container, 'id' | 'type' | 'json'> & { visual: boolean }>(
    sql`select id, type, json, (visual_settings is not null or visual_custom_settings is not null) as visual
      from cartulary.container where id = any(${[...ids]}::integer[]) and type not in ('map', 'folder')`,
    signal,
  );
  const boxes = await layerBboxes(db, layers, sr, signal);
  const kinds = await readKinds(
    db,
    layers.filter(holdsObjects).map(({ id }) => id),
    signal,
  );
  return new Map(
    layers.map(({ id, visual }) => [
      id,
      {
        ...(kinds.get(id) ?? { kind: 'Unknown', hasMulti: false }),
        isVisualization: visual,
        bbox: boxes.get(id) ?? null,
      },
    ]),
  );
}

type KindTraits = Pick<LayerTraits, 'kind' | 'hasMulti'>;

/** One bit for each kind that occurs, and one for multiple geometries. The head of a geometry has its type, so large geometries are not read. */
const readKinds = cachedByVersion(async (db, ids, signal): Promise<Map<number, KindTraits>> => {
  const bits = (id: number) => sql`
    select ${id}::integer as id, bit_or(case geometrytype(geom) when 'POINT' then 1 when 'MULTIPOINT' then 17
      when 'LINESTRING' then 2 when 'MULTILINESTRING' then 18 when 'POLYGON' then 4 when 'MULTIPOLYGON' then 20 else 8 end) as bits
    from ${layerTable(id)} where geom is not null`;
  const rows = await db.query<{ id: number; bits: number | null }>(
    join(ids.map(bits), ' union all '),
    signal,
  );
  return new Map(rows.map(({ id, bits }) => [id, { kind: kindOf(bits), hasMulti: (bits ?? 0) > 15 }]));
});

const kindOfBits = { 1: 'Point', 2: 'LineString', 4: 'Polygon' } as const;
const kindOf = (bits: number | null): LayerGeometryKind =>
  kindOfBits[((bits ?? 0) & 15) as keyof typeof kindOfBits] ?? 'Unknown';
