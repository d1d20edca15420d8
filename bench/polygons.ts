import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A polygon of 16 corners, about 1 km across, with a text, a number and a category; the same for the same number. */
export function polygon(i: number): object {
  const lon = ((i * 7919) % 34_000) / 100 - 170;
  const lat = ((i * 104_729) % 14_000) / 100 - 70;
  const ring = Array.from({ length: 17 }, (_, k) => {
    const angle = ((k % 16) * Math.PI) / 8;
    return [lon + 0.01 * Math.cos(angle), lat + 0.01 * Math.sin(angle)];
  });
  const properties = { name: `Polygon ${i}`, value: i / 3, kind: `kind ${i % 7}` };
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
}

/** Writes polygons as a GeoJSON collection, a feature a line. */
export async function writePolygons(file: string, count: number): Promise<void> {
  function* lines(): Generator<string> {
    yield '{"type":"FeatureCollection","features":[\n';
    for (let i = 0; i < count; i++) yield `${JSON.stringify(polygon(i))}${i < count - 1 ? ',' : ''}\n`;
    yield ']}\n';
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}
