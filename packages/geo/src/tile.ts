/** Half the side of the square of EPSG:3857: π times the radius of 6,378,137 m. */
const halfWorldMetres = Math.PI * 6_378_137;

/** The deepest zoom level of the service. */
export const maxZoom = 24;

/** Rows and columns of a zoom level. */
export const tilesAt = (z: number): number => 2 ** z;

/** Converts a row counted from the south (TMS) to one counted from the north (XYZ), and back. */
export const flipRow = (y: number, z: number): number => tilesAt(z) - 1 - y;

/** Metres of EPSG:3857: [west, south, east, north]. */
export type Extent = [number, number, number, number];

/** The extent of `columns` × `rows` tiles from the tile x, y (y from the north). */
export function tileExtent(z: number, x: number, y: number, columns = 1, rows = 1): Extent {
  const sideMetres = (2 * halfWorldMetres) / tilesAt(z);
  return [
    x * sideMetres - halfWorldMetres,
    halfWorldMetres - (y + rows) * sideMetres,
    (x + columns) * sideMetres - halfWorldMetres,
    halfWorldMetres - y * sideMetres,
  ];
}

/** `columns` × `rows` adjacent tiles of a zoom level from the tile x, y (y from the north). */
export interface Block {
  readonly x: number;
  readonly y: number;
  readonly columns: number;
  readonly rows: number;
}

/** Whether the tile x, y is in the matrix of zoom level z. */
export const isInMatrix = (z: number, x: number, y: number): boolean =>
  z >= 0 && z <= maxZoom && x >= 0 && y >= 0 && x < tilesAt(z) && y < tilesAt(z);
