import type { Container } from '../containers/containers.js';
import type { Queryable } from '../db/pool.js';
import { join, sql } from '../db/sql.js';
import type { SR } from '../geo/bbox.js';
import { type LayerBbox, layerBboxes } from './bbox.js';
import { keptByVersion } from './by-version.js';
import { holdsObjects, layerTable } from './layers.js';

/** The kind of geometry, single or multiple, that all objects of a layer have; Unknown: of several kinds, or none yet. */
export type GeometryKind = 'Point' | 'LineString' | 'Polygon' | 'Unknown';

/** What can be told of a layer beyond its own row. */
export interface LayerTraits {
  kind: GeometryKind;
  /** Whether it is a visualization, custom ones too. */
  isVisualization: boolean;
  bbox: LayerBbox;
}

/** Kind, extent and nature of layers by their ids; one that is gone is left out. Of the data only what changed since it was asked last is read. */
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
      { kind: kinds.get(id) ?? 'Unknown', isVisualization: visual, bbox: boxes.get(id) ?? null },
    ]),
  );
}

/** One bit per kind that occurs; the type stands in the head of a geometry, so that large ones are not read. */
const readKinds = keptByVersion(async (db, ids, signal): Promise<Map<number, GeometryKind>> => {
  const bits = (id: number) => sql`
    select ${id}::integer as id, bit_or(case geometrytype(geom) when 'POINT' then 1 when 'MULTIPOINT' then 1
      when 'LINESTRING' then 2 when 'MULTILINESTRING' then 2 when 'POLYGON' then 4 when 'MULTIPOLYGON' then 4 else 8 end) as bits
    from ${layerTable(id)} where geom is not null`;
  const rows = await db.query<{ id: number; bits: number | null }>(
    join(ids.map(bits), ' union all '),
    signal,
  );
  return new Map(rows.map((row) => [row.id, kindOf(row.bits)]));
});

const kindOf = (bits: number | null): GeometryKind =>
  bits === 1 ? 'Point' : bits === 2 ? 'LineString' : bits === 4 ? 'Polygon' : 'Unknown';
