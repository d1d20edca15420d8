import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { type Extent, maxZoom, tileExtent } from '@cartulary/geo';
import { metresOf, type PictureFrame, pixelMetres } from '../../tiles/pictures/frame.js';
import { boxesOn, boxOn } from '../../tiles/pictures/positions.js';
import type { MatrixPlace } from '../../tiles/tile-parameters.js';
import { mercatorBox } from './boxes.js';
import { type Crs, codeOfUri, crs84, findCrs, listedCrs, mercator, shortName } from './crs.js';

/** A set of matrices of tiles of 256 pixels (OGC 17-083r4, annex D). */
export interface MatrixSet {
  id: string;
  title: string;
  crs: Crs;
  /** Of the coordinates to the east and to the north. */
  axes: readonly [string, string];
  /** Absent: no well-known one. */
  scaleSet?: string;
  /** Its address in the register of OGC; absent: it has none. */
  uri?: string;
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
const registered = (id: string) => ({ id, uri: `http://www.opengis.net/def/tilematrixset/OGC/1.0/${id}` });
const [worldWest, , worldEast, worldNorth] = tileExtent(0, 0, 0);

/** The sets that every map has. */
export const worldSets: readonly MatrixSet[] = [
  {
    ...registered('WebMercatorQuad'),
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
    ...registered('WorldCRS84Quad'),
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

/** Side of matrix 0 of a projected system, metres: 2^25, so that pixels have a power of two. */
const projectedSide = 2 ** 25;

/** A set of a projected system, around its origin (docs/decisions/0160-matrix-sets-of-projected-systems.md). */
function projectedSet(crs: Crs): MatrixSet {
  const side = projectedSide / crs.metresPerUnit;
  const [x, y] = crs.origin ?? [0, 0];
  const topCell = side / 256;
  return {
    id: shortName(crs).replace(':', ''),
    title: shortName(crs),
    crs,
    axes: ['E', 'N'],
    topScale: (topCell * metresOf(crs)) / pixelMetres,
    topCell,
    corner: [x - side / 2, y + side / 2],
    topColumns: 1,
    last: maxZoom,
  };
}

const isRefused = (error: unknown): boolean => error instanceof ServiceError && error.code === 'bad_request';

/** A set by its name: one of the world, or `EPSG25832` or `ESRI54030` of a projected system. undefined: there is none. */
export async function findMatrixSet(db: Database, name: string): Promise<MatrixSet | undefined> {
  const known = worldSets.find(({ id }) => id === name);
  const [, authority, code] = /^(EPSG|ESRI)(\d{4,6})$/.exec(name) ?? [];
  if (known || code === undefined) return known;
  const crs = await findCrs(db, `${authority}:${code}`, 'tileMatrixSet').catch((error) => {
    if (isRefused(error)) return undefined;
    throw error;
  });
  return crs && !crs.isDegrees && crs !== mercator ? projectedSet(crs) : undefined;
}

/** The sets that are told of a map: those of the world, and those of the projected systems of its place. Others are taken, too. */
export async function setsIn(db: Database, [west, south, east, north]: DegreeBox): Promise<MatrixSet[]> {
  const codes = listedCrs({ west, south, east, north }).map(codeOfUri);
  const found = await Promise.all(codes.map((code) => findMatrixSet(db, `EPSG${code}`)));
  return [...worldSets, ...found.filter((set) => set !== undefined)];
}

/** What names a set may have, for errors. */
export const setNames = `${worldSets.map(({ id }) => `'${id}'`).join(', ')} or 'EPSG' (or 'ESRI') and the code of a projected system`;

/** Whether its tiles are those of EPSG:3857, which are kept. */
export const isOfTiles = ({ crs }: MatrixSet): boolean => crs.srid === mercator.srid;

/** A position in the order of the axes of the system. */
export const inOrder = ({ crs }: MatrixSet, [x, y]: readonly [number, number]): readonly [number, number] =>
  crs.isNorthFirst ? [y, x] : [x, y];

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

/** The corners of a box in the system of a set, the coordinate to the east first; those of the whole set where the system does not reach the box. */
export async function cornersIn(
  db: Database,
  set: MatrixSet,
  [west, south, east, north]: DegreeBox,
): Promise<Extent> {
  const { crs } = set;
  if (crs === crs84) return [west, south, east, north];
  if (isOfTiles(set)) return mercatorBox([west, south, east, north]);
  return boxOn(db, { box: [west, south, east, north], crs: crs84 }, crs).catch((error) => {
    if (isRefused(error)) return tileFrame(set, { z: 0, x: 0, y: 0 }).box;
    throw error;
  });
}

/** Boxes in the plane system of a set; undefined: the system does not reach it. */
export const boxesIn = async (
  db: Database,
  { crs }: MatrixSet,
  boxes: readonly DegreeBox[],
): Promise<(Extent | undefined)[]> =>
  crs.srid === mercator.srid
    ? boxes.map(mercatorBox)
    : boxesOn(db, { boxes: boxes.map((box): Extent => [...box]), crs: crs84 }, crs);

/** The tiles of every matrix that a box in the system of the set meets, and so many around them. */
export function limitsOf(set: MatrixSet, [x0, y0, x1, y1]: Extent, around: number): MatrixLimits[] {
  return Array.from({ length: set.last + 1 }, (_, z) => {
    const side = (set.topCell * 256) / 2 ** z;
    const { columns, rows } = matrixSize(set, z);
    const within = (place: number, count: number): number => Math.max(0, Math.min(count - 1, place));
    const column = (x: number, more: number): number =>
      within(Math.floor((x - set.corner[0]) / side) + more, columns);
    const row = (y: number, more: number): number =>
      within(Math.floor((set.corner[1] - y) / side) + more, rows);
    return {
      tileMatrix: String(z),
      minTileRow: row(y1, -around),
      maxTileRow: row(y0, around),
      minTileCol: column(x0, -around),
      maxTileCol: column(x1, around),
    };
  });
}

/** A set as the standard describes it (OGC 17-083r4, JSON). */
export const describedSet = (set: MatrixSet): Record<string, unknown> => ({
  id: set.id,
  title: set.title,
  ...(set.uri && { uri: set.uri }),
  crs: set.crs.uri,
  orderedAxes: set.crs.isNorthFirst ? set.axes.toReversed() : set.axes,
  ...(set.scaleSet && { wellKnownScaleSet: set.scaleSet }),
  tileMatrices: Array.from({ length: set.last + 1 }, (_, z) => {
    const { columns, rows } = matrixSize(set, z);
    return {
      id: String(z),
      scaleDenominator: set.topScale / 2 ** z,
      cellSize: set.topCell / 2 ** z,
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: inOrder(set, set.corner),
      tileWidth: 256,
      tileHeight: 256,
      matrixWidth: columns,
      matrixHeight: rows,
    };
  }),
});
