import { maxSideQuarters, placesPerPixel, type SmallFeatureKind } from './chunk.js';

/** Placeholder of the features in the XML of a sprite sheet. */
export const featuresToken = 'small-features:features';

/** Width and height in quarters of a pixel; `rises`: a line goes up towards the east. */
interface Shape {
  width: number;
  height: number;
  rises: boolean;
}

/** Decodes a shape number of `shapeSql` (small-feature-sql.ts in the server). */
const shapeAt = (code: number): Shape => ({
  width: code & 7,
  height: (code >> 3) & 7,
  rises: (code & 64) !== 0,
});

const codes = Array.from({ length: 128 }, (_, code) => code).filter((code) => {
  const { width, height } = shapeAt(code);
  return width <= maxSideQuarters && height <= maxSideQuarters;
});

/** Shape numbers by dimension (0 point, 1 line, 2 polygon). */
const shapesOf = [
  [0],
  codes,
  codes.filter((code) => {
    const { width, height, rises } = shapeAt(code);
    return width > 0 && height > 0 && !rises;
  }),
] as const;

/** Positions within a pixel: column and row, in quarters. */
const offsets = Array.from(
  { length: placesPerPixel * placesPerPixel },
  (_, i) => [i % placesPerPixel, Math.floor(i / placesPerPixel)] as const,
);

/** Shape numbers, by shape number, of features whose sides are `ratio` times as long (at most 1). No side becomes nothing. */
export const scaledShapes = (ratio: number): number[] =>
  Array.from({ length: 128 }, (_, code) => {
    const { width, height, rises } = shapeAt(code);
    const side = (quarters: number): number => quarters && Math.max(1, Math.round(quarters * ratio));
    return side(width) | (side(height) << 3) | (rises ? 64 : 0);
  });

/** The number of a sprite within its kind: its shape and the position of its middle within a pixel. */
export const spriteNumber = (shape: number, column: number, row: number): number =>
  shape * offsets.length + within(row) * placesPerPixel + within(column);

/** Position within its pixel, also west and north of the picture. */
const within = (place: number): number => place & (placesPerPixel - 1);

/** A sheet of square cells: a row for each shape of each kind, a column for each position within a pixel. */
export interface SpriteSheet {
  /** Side of a cell in pixels; the pixel of the feature follows `reach` other pixels. */
  cell: number;
  width: number;
  height: number;
  /** GeoJSON. */
  features: string;
  sprites: readonly { kind: number; number: number; x: number; y: number }[];
}

const cellOf = (reach: number): number => 2 * reach + 2;

/** Upper limit of the pixels of one kind on a sheet. */
export const maxSheetPixels = (reach: number): number => codes.length * offsets.length * cellOf(reach) ** 2;

/** The sprite sheet of kinds whose symbols reach `reach` pixels; `pixel`: its width in metres. */
export function spriteSheetOf(kinds: readonly SmallFeatureKind[], reach: number, pixel: number): SpriteSheet {
  const cell = cellOf(reach);
  const rows = kinds.flatMap(({ dimension }, kind) =>
    shapesOf[dimension as 0 | 1 | 2].map((shape) => ({ kind, shape })),
  );
  const height = rows.length * cell;
  const sprites: SpriteSheet['sprites'][number][] = [];
  const features: string[] = [];
  for (const [i, { kind, shape }] of rows.entries()) {
    const { dimension, properties } = kinds[kind]!;
    for (const [column, row] of offsets) {
      const [x, y] = [sprites.length % offsets.length, i].map((at) => at * cell) as [number, number];
      const middle = [
        x + reach + (column + 0.5) / placesPerPixel,
        height - (y + reach + (row + 0.5) / placesPerPixel),
      ];
      const at = (dx: number, dy: number): number[] => [(middle[0]! + dx) * pixel, (middle[1]! + dy) * pixel];
      features.push(
        `{"type":"Feature","properties":${propertiesJson(properties)},"geometry":${JSON.stringify(geometryOf(dimension, shapeAt(shape), at))}}`,
      );
      sprites.push({ kind, number: spriteNumber(shape, column, row), x, y });
    }
  }
  const text = `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
  return { cell, width: offsets.length * cell, height, features: text, sprites: sprites };
}

/** JSON of properties. Integers are written as fractions, since the database gives Mapnik no integers, which divide otherwise. */
const propertiesJson = (properties: SmallFeatureKind['properties']): string =>
  `{${Object.entries(properties)
    .map(([code, value]) => {
      const text = JSON.stringify(value);
      return `${JSON.stringify(code)}:${typeof value === 'number' && /^-?\d+$/.test(text) ? `${text}.0` : text}`;
    })
    .join(',')}}`;

/** The geometry of a small feature around its middle; `at` converts an offset in pixels (east, north) to metres. */
function geometryOf(
  dimension: number,
  { width, height, rises }: Shape,
  at: (dx: number, dy: number) => number[],
): object {
  // Mapnik draws no line without length.
  const [dx, dy] = [Math.max(width, dimension === 1 && !height ? 0.5 : 0), height].map(
    (side) => side / placesPerPixel / 2,
  ) as [number, number];
  if (dimension === 0) return { type: 'Point', coordinates: at(0, 0) };
  if (dimension === 1)
    return {
      type: 'LineString',
      coordinates: rises ? [at(-dx, -dy), at(dx, dy)] : [at(-dx, dy), at(dx, -dy)],
    };
  const ring = [at(-dx, -dy), at(dx, -dy), at(dx, dy), at(-dx, dy), at(-dx, -dy)];
  return { type: 'Polygon', coordinates: [ring] };
}
