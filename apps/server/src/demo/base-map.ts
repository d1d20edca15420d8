import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cutAtEdge, mendAntimeridian, withoutEdge } from '@cartulary/geo';
import type { Feature, MultiLineString, MultiPolygon } from 'geojson';
import { merge, mesh } from 'topojson-client';
import type {
  GeometryCollection,
  MultiPolygon as MultiPolygonObject,
  Polygon,
  Topology,
} from 'topojson-specification';

type Countries = Topology<{ countries: GeometryCollection }>;

export type BaseMapPart = Feature<MultiPolygon | MultiLineString, { kind: 'land' | 'coast' | 'border' }>;

/**
 * The base map below other layers, from Natural Earth 1:50m: land, coasts, and borders between countries.
 * Lines are separate features, since an outline of the land would follow 180°, too.
 */
export function* baseMapParts(): Generator<BaseMapPart> {
  const path = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json');
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Countries;
  const { countries } = topology.objects;
  const land = merge(topology, countries.geometries as (Polygon | MultiPolygonObject)[]);
  yield { type: 'Feature', properties: { kind: 'land' }, geometry: cutAtEdge(mendAntimeridian(land)) };
  for (const kind of ['coast', 'border'] as const) {
    const lines = mesh(topology, countries, (a, b) => (a === b) === (kind === 'coast'));
    const coordinates = withoutEdge(lines.coordinates);
    yield { type: 'Feature', properties: { kind }, geometry: { type: 'MultiLineString', coordinates } };
  }
}
