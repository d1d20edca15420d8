import { closedLine, maxSideQuarters, placesPerPixel, type SmallFeatureKind } from './chunk.js';

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

/** Shape numbers of boxes. No side is nothing: a mitre at the end of a line that turns back would be several times as long as it is wide. */
const boxes = codes.filter((code) => {
  const { width, height, rises } = shapeAt(code);
  return width > 0 && height > 0 && !rises;
});

/** Shape numbers by dimension. */
const shapesOf: Readonly<Record<number, readonly number[]>> = {
  0: [0],
  1: codes,
  2: boxes,
  [closedLine]: boxes,
};

/** Positions within a pixel: column and row, in quarters. */
const offsets = Array.from(
  { length: placesPerPixel * placesPerPixel },
  (_, i) => [i % placesPerPixel, Math.floor(i / placesPerPixel)] as const,
);

/** Shape numbers, by shape number, of features whose sides are `x` and `y` times as long (at most 1). No side becomes nothing. */
export const scaledShapes = (x: number, y = x): number[] =>
  Array.from({ length: 128 }, (_, code) => {
    const { width, height, rises } = shapeAt(code);
    const side = (quarters: number, ratio: number): number =>
      quarters && Math.max(1, Math.round(quarters * ratio));
    return side(width, x) | (side(height, y) << 3) | (rises ? 64 : 0);
  });

/** Position within its pixel, also west and north of the picture. */
const within = (place: number): number => place & (placesPerPixel - 1);

/** The number of a sprite within its kind: its shape and the position of its middle within a pixel. */
export const spriteNumber = (shape: number, column: number, row: number): number =>
  shape * offsets.length + within(row) * placesPerPixel + within(column);

/** Count of possible sprite numbers. */
export const spriteNumbers = spriteNumber(127, placesPerPixel - 1, placesPerPixel - 1) + 1;

/** The sprites of kinds by dimension. */
export const numbersOf: Readonly<Record<number, readonly number[]>> = Object.fromEntries(
  Object.entries(shapesOf).map(([dimension, shapes]) => [
    dimension,
    shapes.flatMap((shape) => offsets.map(([column, row]) => spriteNumber(shape, column, row))),
  ]),
);

/** A sprite that is to be drawn. */
export interface WantedSprite {
  kind: SmallFeatureKind;
  number: number;
}

/** A sheet of square cells in rows of 16. */
export interface SpriteSheet {
  /** Side of a cell in pixels; the pixel of the feature follows `reach` other pixels. */
  cell: number;
  width: number;
  height: number;
  /** GeoJSON. */
  features: string;
  sprites: readonly (WantedSprite & { x: number; y: number })[];
}

const columns = 16;

const cellOf = (reach: number): number => 2 * reach + 2;

/** Pixels of the cell of a symbol that reaches `reach` pixels. */
export const pixelsOfCell = (reach: number): number => cellOf(reach) ** 2;

/** How many sprites whose symbols reach `reach` pixels a sheet of so many pixels has. */
export const spritesPerSheet = (pixels: number, reach: number): number =>
  columns * Math.max(1, Math.floor(pixels / columns / pixelsOfCell(reach)));

/** The sheet of sprites whose symbols reach `reach` pixels; `pixel`: its width in metres. */
export function spriteSheetOf(wanted: readonly WantedSprite[], reach: number, pixel: number): SpriteSheet {
  const cell = cellOf(reach);
  const height = Math.ceil(wanted.length / columns) * cell;
  const features: string[] = [];
  const sprites = wanted.map(({ kind, number }, i) => {
    const { dimension, properties } = kind;
    const [x, y] = [(i % columns) * cell, Math.floor(i / columns) * cell];
    const [column, row] = offsets[number % offsets.length]!;
    const middle = [
      x + reach + (column + 0.5) / placesPerPixel,
      height - (y + reach + (row + 0.5) / placesPerPixel),
    ];
    const at = (dx: number, dy: number): number[] => [(middle[0]! + dx) * pixel, (middle[1]! + dy) * pixel];
    const shape = shapeAt(Math.floor(number / offsets.length));
    features.push(
      `{"type":"Feature","properties":${propertiesJson(properties)},"geometry":${JSON.stringify(geometryOf(dimension, shape, at))}}`,
    );
    return { kind, number, x, y };
  });
  const text = `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
  return { cell, width: columns * cell, height, features: text, sprites };
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
  return dimension === closedLine
    ? { type: 'LineString', coordinates: ring }
    : { type: 'Polygon', coordinates: [ring] };
}
