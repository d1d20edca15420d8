import type { Feature, Geometry } from 'geojson';

/** Width and height of a test image in pixels. */
export const size = 384;

/** Metres per pixel of a tile of 256 pixels. */
export const resolution = (zoom: number): number => 40_075_016.685578488 / 256 / 2 ** zoom;

export const extentAt = (zoom: number): [number, number, number, number] => {
  const side = size * resolution(zoom);
  return [0, 0, side, side];
};

const types = ['road', 'river', 'town', 'village', 'forest'];
const names = ['Москва', 'Ёлкино', 'Berlin', 'São Paulo', 'a & b', '<tag>', 'it\'s "q"', 'Zürich', 'x', ''];

function properties(i: number): Record<string, string | number | boolean | null> {
  return {
    id: i,
    pop: (i * 37) % 100,
    val: i % 7 === 0 ? null : ((i * 13) % 50) / 4,
    a: i % 2,
    b: i % 3,
    c: i % 5,
    d: i % 4,
    name: names[i % names.length] as string,
    type: types[i % types.length] as string,
    flag: i % 3 === 0,
    color: ['#ff0000', '#00aa00', 'navy'][i % 3] as string,
    digits: String(i),
    angle: i * 15,
    имя: i % 2 ? 'да' : 'нет',
    none: null,
  };
}

/** The same with the numbers as texts, as the service reads them for labels. */
const withTexts = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => [
      [name, value],
      ...(typeof value === 'number' ? [[`${name}::text`, String(value)]] : []),
    ]),
  );

/** Ten polygons, ten lines and twelve points that fill the image at this zoom level. Some overlap. */
export function featuresAt(zoom: number): Feature[] {
  const metres = resolution(zoom);
  const at = (x: number, y: number): [number, number] => [x * metres, y * metres];
  const geometry = (i: number): Geometry => {
    const x = 20 + (i % 6) * 60;
    const y = 20 + Math.floor(i / 6) * 60;
    if (i < 10) {
      const hole = [
        at(x + 15, y + 15),
        at(x + 15, y + 25),
        at(x + 25, y + 25),
        at(x + 25, y + 15),
        at(x + 15, y + 15),
      ];
      const outer = [at(x, y), at(x + 70, y + 5), at(x + 55, y + 50), at(x + 5, y + 45), at(x, y)];
      return { type: 'Polygon', coordinates: i % 3 === 0 ? [outer, hole] : [outer] };
    }
    if (i < 20) {
      const start = at(x - 10, y);
      return {
        type: 'LineString',
        coordinates: [start, at(x + 40, y + 30), at(x + 80, y - 10), at(x + 110, y + 45)],
      };
    }
    return { type: 'Point', coordinates: at(x + 13.3, y + 17.7) };
  };
  return Array.from({ length: 32 }, (_, i) => ({
    type: 'Feature',
    properties: withTexts(properties(i)),
    geometry: geometry(i),
  }));
}

export const datasourceAt = (zoom: number): Record<string, string> => ({
  type: 'geojson',
  inline: JSON.stringify({ type: 'FeatureCollection', features: featuresAt(zoom) }),
});

export const columns = new Map(
  Object.entries({
    id: 'number',
    pop: 'number',
    val: 'number',
    a: 'number',
    b: 'number',
    c: 'number',
    d: 'number',
    name: 'text',
    type: 'text',
    flag: 'boolean',
    color: 'text',
    digits: 'text',
    angle: 'number',
    имя: 'text',
    none: 'text',
  } as const),
);
