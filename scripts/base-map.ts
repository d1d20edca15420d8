import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { baseMapParts } from '@cartulary/server';
import type { Position } from 'geojson';

/** Two decimals of a degree are 1.1 km: half a pixel at the zoom levels for which the 1:50m data is made. */
const round = ([lon, lat]: Position): Position => [
  Math.round(lon! * 100) / 100,
  Math.round(lat! * 100) / 100,
];

type Nested = Position | readonly Nested[];
const isPosition = (value: Nested): value is Position => typeof value[0] === 'number';

/** Rounds positions and removes those equal to their predecessor. */
function rounded(value: Nested): Nested {
  if (isPosition(value)) return round(value);
  const parts = value.map(rounded);
  return parts.filter((part, i) => !isPosition(part) || i === 0 || String(part) !== String(parts[i - 1]));
}

/** Writes the base map of the map page (land, coast, borders) as GeoJSON. */
export async function writeBaseMap(target: string): Promise<void> {
  const features = [...baseMapParts()].map(({ geometry, ...part }) => ({
    ...part,
    geometry: { ...geometry, coordinates: rounded(geometry.coordinates) },
  }));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, JSON.stringify({ type: 'FeatureCollection', features }));
}
