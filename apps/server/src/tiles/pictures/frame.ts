import { levelAt } from '@cartulary/cartocss';
import { type BoxEdges, type Extent, maxZoom, mercatorEdge, tileExtent, toMercator } from '@cartulary/geo';
import { maxReachPx } from '../small-features/sprite-layer.js';
import type { MatrixPlace } from '../tile-parameters.js';

/** A reference system as a picture needs it. */
export interface PictureCrs {
  /** Its number in the database. */
  srid: number;
  isDegrees: boolean;
  /** Metres per unit of a system that is not in degrees. */
  metresPerUnit: number;
  /** Where the system tears the world apart (see `seamsOf`). */
  seams?: readonly BoxEdges[];
}

/** The place of a picture. */
export interface PictureFrame {
  crs: PictureCrs;
  /** Units of the system, the coordinate to the east first. */
  box: Extent;
  /** Pixels. */
  width: number;
  height: number;
  /** Pixels of the picture per pixel of the style. */
  scale: number;
  /** Whether what lies beyond 180 degrees comes from the other side of the world. */
  isAround?: boolean;
  /** Pixels of the style around it whose objects may reach into it; 256 when absent. */
  around?: number;
}

/** Metres per degree at the equator, and the width of a pixel of the scale denominator (OGC 06-042, 7.2.4.6.9). */
export const degreeMetres = 111_319.490_793_273_57;
export const pixelMetres = 0.00028;

/** The largest zoom level of tiles and the smallest side of a pixel that is drawn, metres. */
const leastPixel = 1e-4;

/** Metres per unit of the system. */
export const metresOf = ({ isDegrees, metresPerUnit }: PictureCrs): number =>
  isDegrees ? degreeMetres : metresPerUnit;

/** The width of the world in a system whose coordinates to the east begin again at 180 degrees; undefined in others. */
export function worldWidth({ srid, isDegrees }: PictureCrs): number | undefined {
  if (isDegrees) return 360;
  const [west, , east] = tileExtent(0, 0, 0);
  return srid === 3857 ? east - west : undefined;
}

/** Sides of a pixel of the style, metres. */
export function pixelOf({ crs, box, width, height, scale }: PictureFrame): { x: number; y: number } {
  const metres = metresOf(crs);
  return {
    x: Math.max(leastPixel, (((box[2] - box[0]) * metres) / width) * scale),
    y: Math.max(leastPixel, (((box[3] - box[1]) * metres) / height) * scale),
  };
}

/** The side of a square pixel of the style, as wide as the picture's is on the average, metres. */
export function meanPixel(frame: PictureFrame): number {
  const { x, y } = pixelOf(frame);
  return Math.sqrt(x * y);
}

/** The zoom level whose rules of styles apply. */
export const pictureLevel = (frame: PictureFrame): number =>
  Math.min(maxZoom, levelAt(meanPixel(frame) / pixelMetres));

/** Whether the picture is drawn in EPSG:3857 itself, with square pixels. */
export function isPlain(frame: PictureFrame): boolean {
  const { x, y } = pixelOf(frame);
  return frame.crs.srid === 3857 && Math.abs(x / y - 1) < 1e-6;
}

/** Parts of a tile's side by which a box may miss it: clients round coordinates. */
const tolerance = 2e-5;

/** The tile that a picture is; undefined: it is none. */
export function tileIn(frame: PictureFrame): MatrixPlace | undefined {
  const { box, width, height, scale } = frame;
  if (!isPlain(frame) || width !== height || width !== 256 * scale || !Number.isInteger(scale) || scale > 4)
    return undefined;
  const [west, , east, north] = tileExtent(0, 0, 0);
  const z = Math.round(Math.log2((east - west) / (box[2] - box[0])));
  if (!(z >= 0 && z <= maxZoom)) return undefined;
  const side = (east - west) / 2 ** z;
  const [x, y] = [Math.round((box[0] - west) / side), Math.round((north - box[3]) / side)];
  const isTile = tileExtent(z, x, y).every((edge, i) => Math.abs(edge - box[i]!) < side * tolerance);
  return isTile && x >= 0 && y >= 0 && x < 2 ** z && y < 2 ** z ? { z, x, y } : undefined;
}

/** Whether columns and rows of a picture are steps of longitude and latitude on WGS 84. */
export const isInLatitudes = ({ crs }: PictureFrame): boolean => crs.srid === 4326;

/**
 * The level of tiles from whose small features a picture can be drawn: the least one whose pixels are not larger than those of
 * the picture. undefined: the picture is neither in EPSG:3857 nor in EPSG:4326, or its pixels are far from square, or it is so near
 * to a pole that EPSG:3857 stretches it too much.
 */
export function spriteLevelOf(frame: PictureFrame): number | undefined {
  const { crs, box, width, height } = frame;
  const world = crs.srid === 3857 || isInLatitudes(frame) ? worldWidth(crs) : undefined;
  const [x, y] = [(box[2] - box[0]) / width, (box[3] - box[1]) / height];
  if (world === undefined || Math.max(x / y, y / x) > 2) return undefined;
  // EPSG:3857 stretches degrees of latitude, so its pixels are fewer degrees high than wide.
  const level = Math.max(0, Math.ceil(Math.log2(world / 256 / Math.min(x, y)) - 1e-9));
  return isInLatitudes(frame) && heightAt(level, box) > maxStretch * height ? undefined : level;
}

/** Whether sprites of a picture may be those of objects beyond the world of EPSG:3857, north or south of it. */
export function isBeyondWorld(frame: PictureFrame): boolean {
  const { box, height } = frame;
  const [, south, , north] = tileExtent(0, 0, 0);
  const pixel = (box[3] - box[1]) / height;
  // A picture in EPSG:3857 that ends with the world is drawn as its tiles are.
  if (!isInLatitudes(frame)) return box[1] < south - pixel || box[3] > north + pixel;
  const around = maxReachPx * pixel;
  return box[1] - around < -mercatorEdge || box[3] + around > mercatorEdge;
}

/** Rows of chunks per row of a picture in EPSG:4326, beyond which most chunks near a pole would be read for nothing. */
const maxStretch = 5;

/** Pixels of a level from the south to the north of a box in degrees. */
function heightAt(level: number, [, south, , north]: Extent): number {
  const within = (latitude: number): number =>
    toMercator(0, Math.max(-mercatorEdge, Math.min(mercatorEdge, latitude)))[1];
  return ((within(north) - within(south)) / degreeMetres / 360) * 256 * 2 ** level;
}
