import type { Polygon } from 'geojson';
import type { TestServer } from '../support/server.js';

/** A box; by default the whole world. */
export function box(west = -179, south = -84, east = 179, north = 84): Polygon {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

/** `css_style` that fills a layer's areas with a colour. */
export const filled = (code: string, color: string): string => `#${code} { polygon-fill: ${color}; }`;

/** Makes layers whose one object covers the world, each in a colour, the first on top; returns their ids. */
export async function makeLayers<Code extends string>(
  { admin }: TestServer,
  map: string,
  colors: Record<Code, string>,
  more: object = {},
): Promise<Record<Code, number>> {
  const ids = {} as Record<Code, number>;
  for (const [code, color] of Object.entries(colors) as [Code, string][]) {
    const body = { code, css_style: filled(code, color), ...more };
    ids[code] = (await admin('POST', `/${map}/layers/`, body)).id;
    await admin('POST', `/${map}/layers/${code}/objects/`, { fields: {}, geom: box() });
  }
  return ids;
}
