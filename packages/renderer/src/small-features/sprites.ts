import { largestSide, places, type SpeckKind } from './chunk.js';

/** Where the features stand in the XML of stamps. */
export const featuresToken = 'specks:features';

/** Quarters of a pixel that a speck is wide and high, and whether a line rises to the east. */
interface Shape {
  width: number;
  height: number;
  rises: boolean;
}

/** As `shapeSql` numbers them. */
const shapeAt = (code: number): Shape => ({
  width: code & 7,
  height: (code >> 3) & 7,
  rises: (code & 64) !== 0,
});

const codes = Array.from({ length: 128 }, (_, code) => code).filter((code) => {
  const { width, height } = shapeAt(code);
  return width <= largestSide && height <= largestSide;
});

/** The shapes of a dimension (0 point, 1 line, 2 polygon), by their numbers. */
const shapesOf = [
  [0],
  codes,
  codes.filter((code) => {
    const { width, height, rises } = shapeAt(code);
    return width > 0 && height > 0 && !rises;
  }),
] as const;

/** Places in a pixel: column and row, in quarters. */
const offsets = Array.from(
  { length: places * places },
  (_, i) => [i % places, Math.floor(i / places)] as const,
);

/** The number of a stamp of a kind: its shape and where in a pixel its middle is. */
export const stampNumber = (shape: number, column: number, row: number): number =>
  shape * offsets.length + (row % places) * places + (column % places);

/** Where stamps are drawn: a row for each shape of each kind, a column for each place in a pixel, in cells of the same size. */
export interface Sheet {
  /** Pixels of a cell on each side; the pixel of the speck is the one after `reach` others. */
  cell: number;
  width: number;
  height: number;
  /** GeoJSON. */
  features: string;
  stamps: readonly { kind: number; number: number; x: number; y: number }[];
}

const cellOf = (reach: number): number => 2 * reach + 2;

/** Pixels that a kind takes on a sheet, at most. */
export const mostPixels = (reach: number): number => codes.length * offsets.length * cellOf(reach) ** 2;

/** The sheet for kinds of specks that reach so many pixels; `pixel` in metres. */
export function sheetOf(kinds: readonly SpeckKind[], reach: number, pixel: number): Sheet {
  const cell = cellOf(reach);
  const rows = kinds.flatMap(({ dimension }, kind) =>
    shapesOf[dimension as 0 | 1 | 2].map((shape) => ({ kind, shape })),
  );
  const height = rows.length * cell;
  const stamps: Sheet['stamps'][number][] = [];
  const features: string[] = [];
  for (const [i, { kind, shape }] of rows.entries()) {
    const { dimension, properties } = kinds[kind]!;
    for (const [column, row] of offsets) {
      const [x, y] = [stamps.length % offsets.length, i].map((at) => at * cell) as [number, number];
      const middle = [x + reach + (column + 0.5) / places, height - (y + reach + (row + 0.5) / places)];
      const at = (dx: number, dy: number): number[] => [(middle[0]! + dx) * pixel, (middle[1]! + dy) * pixel];
      features.push(
        `{"type":"Feature","properties":${propertiesJson(properties)},"geometry":${JSON.stringify(geometryOf(dimension, shapeAt(shape), at))}}`,
      );
      stamps.push({ kind, number: stampNumber(shape, column, row), x, y });
    }
  }
  const text = `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
  return { cell, width: offsets.length * cell, height, features: text, stamps };
}

/** Numbers are written as fractions: the database gives Mapnik no whole numbers, which divide otherwise. */
const propertiesJson = (properties: SpeckKind['properties']): string =>
  `{${Object.entries(properties)
    .map(([code, value]) => {
      const text = JSON.stringify(value);
      return `${JSON.stringify(code)}:${typeof value === 'number' && /^-?\d+$/.test(text) ? `${text}.0` : text}`;
    })
    .join(',')}}`;

/** A speck around the middle; `at` gives a point from it in pixels to the east and north. */
function geometryOf(
  dimension: number,
  { width, height, rises }: Shape,
  at: (dx: number, dy: number) => number[],
): object {
  // What is smaller is not seen; a line without length would not be drawn at all.
  const [dx, dy] = [Math.max(width, dimension === 1 && !height ? 0.5 : 0), height].map(
    (side) => side / places / 2,
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
