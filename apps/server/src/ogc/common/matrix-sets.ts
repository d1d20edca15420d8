import { type Extent, maxZoom, tileExtent, toMercator } from '@cartulary/geo';
import type { PictureFrame } from '../../tiles/pictures/frame.js';
import type { MatrixPlace } from '../../tiles/tile-parameters.js';
import { type Crs, crs84, mercator } from './crs.js';

/** A set of matrices of tiles of 256 pixels (OGC 17-083r4, annex D). */
export interface MatrixSet {
  id: 'WebMercatorQuad' | 'WorldCRS84Quad';
  title: string;
  crs: Crs;
  axes: readonly [string, string];
  scaleSet: string;
  /** Scale denominator of matrix 0. */
  topScale: number;
  /** Side of a pixel of matrix 0, in units of the system. */
  topCell: number;
  /** West and north of the system. */
  corner: readonly [west: number, north: number];
  /** Columns per row of matrix 0, which has one row. */
  topColumns: number;
  /** The last matrix. */
  last: number;
}

const wellKnown = 'http://www.opengis.net/def/wkss/OGC/1.0/';
const [worldWest, , worldEast, worldNorth] = tileExtent(0, 0, 0);

export const matrixSets: readonly MatrixSet[] = [
  {
    id: 'WebMercatorQuad',
    title: 'Web Mercator',
    crs: mercator,
    axes: ['X', 'Y'],
    scaleSet: `${wellKnown}GoogleMapsCompatible`,
    topScale: 559_082_264.028_717_8,
    topCell: (worldEast - worldWest) / 256,
    corner: [worldWest, worldNorth],
    topColumns: 1,
    last: maxZoom,
  },
  {
    id: 'WorldCRS84Quad',
    title: 'Longitude and latitude',
    crs: crs84,
    axes: ['Lon', 'Lat'],
    scaleSet: `${wellKnown}GoogleCRS84Quad`,
    topScale: 279_541_132.014_358_76,
    topCell: 180 / 256,
    corner: [-180, 90],
    topColumns: 2,
    // Its pixels are those of WebMercatorQuad one level deeper.
    last: maxZoom - 1,
  },
];

/** Rows and columns of a matrix. */
export const matrixSize = ({ topColumns }: MatrixSet, z: number): { columns: number; rows: number } => ({
  columns: topColumns * 2 ** z,
  rows: 2 ** z,
});

/** Whether a tile is in its matrix. */
export function isInSet(set: MatrixSet, { z, x, y }: MatrixPlace): boolean {
  if (!(Number.isInteger(z) && z >= 0 && z <= set.last)) return false;
  const { columns, rows } = matrixSize(set, z);
  return Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0 && x < columns && y < rows;
}

/** The place of a tile as a picture. */
export function tileFrame(
  { crs, topCell, corner: [west, north] }: MatrixSet,
  { z, x, y }: MatrixPlace,
): PictureFrame {
  const side = (topCell * 256) / 2 ** z;
  const box: Extent = [west + x * side, north - (y + 1) * side, west + (x + 1) * side, north - y * side];
  return { crs, box, width: 256, height: 256, scale: 1 };
}

/** Degrees: west, south, east, north. */
export type DegreeBox = readonly [number, number, number, number];

/** The tiles of a matrix that a box meets. */
export interface MatrixLimits {
  tileMatrix: string;
  minTileRow: number;
  maxTileRow: number;
  minTileCol: number;
  maxTileCol: number;
}

/** The corners of a box in the system of a set. */
export function cornersIn(
  { crs }: MatrixSet,
  [west, south, east, north]: DegreeBox,
): { lowerLeft: [number, number]; upperRight: [number, number] } {
  const placed = (lon: number, lat: number): [number, number] =>
    crs.srid === 3857 ? toMercator(lon, lat) : [lon, lat];
  return { lowerLeft: placed(west, south), upperRight: placed(east, north) };
}

/** The tiles of every matrix that a box meets. */
export function limitsOf(set: MatrixSet, box: DegreeBox): MatrixLimits[] {
  const { lowerLeft, upperRight } = cornersIn(set, box);
  const [[x0, y0], [x1, y1]] = [lowerLeft, upperRight];
  return Array.from({ length: set.last + 1 }, (_, z) => {
    const side = (set.topCell * 256) / 2 ** z;
    const { columns, rows } = matrixSize(set, z);
    const within = (place: number, count: number): number => Math.max(0, Math.min(count - 1, place));
    const column = (x: number): number => within(Math.floor((x - set.corner[0]) / side), columns);
    const row = (y: number): number => within(Math.floor((set.corner[1] - y) / side), rows);
    return {
      tileMatrix: String(z),
      minTileRow: row(y1),
      maxTileRow: row(y0),
      minTileCol: column(x0),
      maxTileCol: column(x1),
    };
  });
}

/** A set as the standard describes it (OGC 17-083r4, JSON). */
export const describedSet = (set: MatrixSet): Record<string, unknown> => ({
  id: set.id,
  title: set.title,
  uri: `http://www.opengis.net/def/tilematrixset/OGC/1.0/${set.id}`,
  crs: set.crs.uri,
  orderedAxes: set.axes,
  wellKnownScaleSet: set.scaleSet,
  tileMatrices: Array.from({ length: set.last + 1 }, (_, z) => {
    const { columns, rows } = matrixSize(set, z);
    return {
      id: String(z),
      scaleDenominator: set.topScale / 2 ** z,
      cellSize: set.topCell / 2 ** z,
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: set.corner,
      tileWidth: 256,
      tileHeight: 256,
      matrixWidth: columns,
      matrixHeight: rows,
    };
  }),
});
