import { type Extent, tileExtent, toMercator } from '@cartulary/geo';
import { createSlices } from '@cartulary/runtime';
import { regionOfGrid } from './planes.js';
import type { PositionGrid } from './positions.js';

/** A picture in EPSG:3857: RGBA with premultiplied colours. */
export interface RawPicture {
  pixels: Uint8Array;
  width: number;
  height: number;
  extent: Extent;
}

const [worldWest, , worldEast] = tileExtent(0, 0, 0);
const world = worldEast - worldWest;

/** Northernmost and southernmost latitude of EPSG:3857. */
const lastLatitude = 85.06;

const mercatorOf = (lon: number, lat: number): [number, number] =>
  toMercator(lon, Math.max(-lastLatitude, Math.min(lastLatitude, lat)));

/** The extent in EPSG:3857 that a picture shows, and the pixels that are worth drawing of it; undefined: it shows nothing. */
export function imageUnder(
  grid: PositionGrid,
  { width, height, limit }: { width: number; height: number; limit: number },
): Pick<RawPicture, 'extent' | 'width' | 'height'> | undefined {
  const region = regionOfGrid(grid);
  if (!region) return undefined;
  const [west, south] = mercatorOf(region[0], region[1]);
  const [east, north] = mercatorOf(region[2], region[3]);
  const finest = finestPixel(grid, width, height);
  const pixel = Math.max(finest, (east - west) / limit, (north - south) / limit);
  const side = (length: number): number => Math.max(1, Math.min(limit, Math.ceil(length / pixel)));
  const [columns, rows] = [side(east - west), side(north - south)];
  return {
    extent: [west, north - rows * pixel, west + columns * pixel, north],
    width: columns,
    height: rows,
  };
}

/** The smallest step between neighbours of a grid, per pixel of the picture: metres of EPSG:3857. */
function finestPixel({ count, lon, lat }: PositionGrid, width: number, height: number): number {
  let finest = Infinity;
  const row = count + 1;
  for (let at = 0; at < lon.length; at++) {
    const [x, y] = mercatorOf(lon[at]!, lat[at]!);
    for (const [beside, pixels] of [
      [at % row === count ? -1 : at + 1, width / count],
      [at + row < lon.length ? at + row : -1, height / count],
    ] as const) {
      if (beside < 0) continue;
      const [x1, y1] = mercatorOf(lon[beside]!, lat[beside]!);
      const step = Math.hypot(x1 - x, y1 - y) / pixels;
      if (step > 0 && step < finest) finest = step;
    }
  }
  return Number.isFinite(finest) ? finest : 1;
}

/**
 * The picture in the system of a grid: for each pixel the position by its cell of the grid, and the colour between the four nearest
 * pixels of the source. What the grid does not know stays transparent.
 */
export async function warped(
  source: RawPicture,
  grid: PositionGrid,
  { width, height }: { width: number; height: number },
): Promise<Uint8Array> {
  const { count } = grid;
  const made = new Uint8Array(width * height * 4);
  const slices = createSlices();
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++) {
      if (slices.isOver()) await slices.next();
      const corners = cornersOf(source, grid, row, column);
      if (!corners) continue;
      const [left, right] = [column, column + 1].map((i) => Math.ceil((i / count) * width - 0.5));
      const [top, bottom] = [row, row + 1].map((i) => Math.ceil((i / count) * height - 0.5));
      fillCell(source, corners, {
        made,
        width,
        height,
        count,
        row,
        column,
        left: left!,
        right: right!,
        top: top!,
        bottom: bottom!,
      });
    }
  return made;
}

/** Pixels of the source of the corners of a cell: x and y of the north-west, north-east, south-west and south-east. */
function cornersOf(
  { extent: [west, , east, north], width }: RawPicture,
  { count, lon, lat }: PositionGrid,
  row: number,
  column: number,
): number[] | undefined {
  const first = row * (count + 1) + column;
  const all = [first, first + 1, first + count + 1, first + count + 2];
  if (all.some((at) => Number.isNaN(lon[at]!))) return undefined;
  const pixel = (east - west) / width;
  return all.flatMap((at) => {
    // The four corners lie on one side of the edge at 180 degrees.
    const turned = lon[at]! + 360 * Math.round((lon[first]! - lon[at]!) / 360);
    const [x, y] = mercatorOf(turned, lat[at]!);
    return [(x - west) / pixel, (north - y) / pixel];
  });
}

interface Cell {
  made: Uint8Array;
  width: number;
  height: number;
  count: number;
  row: number;
  column: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function fillCell(source: RawPicture, c: readonly number[], cell: Cell): void {
  const { made, width, height, count, row, column, left, right, top, bottom } = cell;
  const [x0, y0, x1, y1, x2, y2, x3, y3] = c as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const around = (world / (source.extent[2] - source.extent[0])) * source.width;
  for (let y = top; y < bottom; y++) {
    const v = ((y + 0.5) / height) * count - row;
    for (let x = left; x < right; x++) {
      const u = ((x + 0.5) / width) * count - column;
      const sx = (x0 * (1 - u) + x1 * u) * (1 - v) + (x2 * (1 - u) + x3 * u) * v;
      const sy = (y0 * (1 - u) + y1 * u) * (1 - v) + (y2 * (1 - u) + y3 * u) * v;
      mixPixel(source, sx < 0 ? sx + around : sx >= around ? sx - around : sx, sy, {
        made,
        at: 4 * (y * width + x),
      });
    }
  }
}

/** Writes the colour at a position of the source. */
function mixPixel(
  { pixels, width, height }: RawPicture,
  x: number,
  y: number,
  { made, at }: { made: Uint8Array; at: number },
): void {
  const [column, row] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  if (column < -1 || row < -1 || column >= width || row >= height) return;
  const [u, v] = [x - 0.5 - column, y - 0.5 - row];
  const [left, right] = [Math.max(0, column), Math.min(width - 1, column + 1)];
  const [top, bottom] = [Math.max(0, row) * width, Math.min(height - 1, row + 1) * width];
  for (let channel = 0; channel < 4; channel++) {
    const above = pixels[4 * (top + left) + channel]! * (1 - u) + pixels[4 * (top + right) + channel]! * u;
    const below =
      pixels[4 * (bottom + left) + channel]! * (1 - u) + pixels[4 * (bottom + right) + channel]! * u;
    made[at + channel] = above * (1 - v) + below * v + 0.5;
  }
}
