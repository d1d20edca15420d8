/** Half the side of the square of EPSG:3857, metres: π times the radius 6,378,137 m. */
const half = Math.PI * 6_378_137;

/** The deepest zoom level that is served. */
export const maxZoom = 24;

/** Rows and columns of a zoom level. */
export const tilesAt = (z: number): number => 2 ** z;

/** A row counted from the south (TMS) as one counted from the north (XYZ), and back. */
export const flipRow = (y: number, z: number): number => tilesAt(z) - 1 - y;

/** Metres of EPSG:3857: [west, south, east, north]. */
export type Extent = [number, number, number, number];

/** The extent of `columns` × `rows` tiles from the tile x, y (y from the north). */
export function tileExtent(z: number, x: number, y: number, columns = 1, rows = 1): Extent {
  const side = (2 * half) / tilesAt(z);
  return [x * side - half, half - (y + rows) * side, (x + columns) * side - half, half - y * side];
}

/** Neighbouring tiles of a zoom level: `columns` × `rows` of them from the tile x, y (y from the north). */
export interface Block {
  readonly x: number;
  readonly y: number;
  readonly columns: number;
  readonly rows: number;
}

/** Whether x, y lie in the matrix of zoom level z. */
export const isInMatrix = (z: number, x: number, y: number): boolean =>
  z >= 0 && z <= maxZoom && x >= 0 && y >= 0 && x < tilesAt(z) && y < tilesAt(z);
