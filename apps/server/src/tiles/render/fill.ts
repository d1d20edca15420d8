import { setMaxListeners } from 'node:events';
import type { Caller } from '../access/caller.js';
import { badRequest } from '../errors.js';
import { type Box, toMercator } from '../geo/bbox.js';
import { tileExtent, tilesAt } from '../geo/tile.js';
import type { TileDrawer } from './draw.js';
import type { PlanTile, TileRequest } from './plan.js';

/** Which tiles of a map are to be there before anybody asks for them. */
export interface Filling {
  map: string;
  /** Degrees of EPSG:4326. */
  extent: Box;
  zooms: { first: number; last: number };
  layers: readonly number[] | undefined;
  scale: number;
  lng: string;
}

/** Numbers of tiles. */
export interface FillProgress {
  total: number;
  /** Those that were good already. */
  there: number;
  drawn: number;
}

/** Columns and rows (from the north), ends included. */
interface Range {
  z: number;
  west: number;
  north: number;
  east: number;
  south: number;
}

/** The tiles of a zoom level that a box meets; one that ends at the edge of a tile does not meet the next. */
export function rangeAt({ west, south, east, north }: Box, z: number): Range {
  const [left, bottom, right, top] = [...toMercator(west, south), ...toMercator(east, north)];
  const [edge, , next] = tileExtent(z, 0, 0);
  const side = next - edge;
  const within = (place: number): number => Math.min(tilesAt(z) - 1, Math.max(0, place));
  const first = (place: number): number => within(Math.floor(place / side));
  const last = (place: number, start: number): number => Math.max(start, within(Math.ceil(place / side) - 1));
  const [column, row] = [first(left - edge), first(-edge - top)];
  return { z, west: column, north: row, east: last(right - edge, column), south: last(-edge - bottom, row) };
}

/** How many tiles there are. */
export const countTiles = ({ extent, zooms }: Pick<Filling, 'extent' | 'zooms'>): number =>
  rangesOf(extent, zooms).reduce(
    (sum, { west, north, east, south }) => sum + (east - west + 1) * (south - north + 1),
    0,
  );

const rangesOf = (extent: Box, { first, last }: Filling['zooms']): Range[] =>
  Array.from({ length: last - first + 1 }, (_, i) => rangeAt(extent, first + i));

/** Columns and rows of a piece. */
const side = 4;

/** The tiles of a range in pieces that are drawn at once. */
function* piecesIn({ z, west, north, east, south }: Range): Generator<TileAt[]> {
  const start = (place: number): number => Math.floor(place / side) * side;
  for (let y = start(north); y <= south; y += side)
    for (let x = start(west); x <= east; x += side) {
      const tiles: TileAt[] = [];
      for (let row = Math.max(y, north); row <= Math.min(y + side - 1, south); row++)
        for (let column = Math.max(x, west); column <= Math.min(x + side - 1, east); column++)
          tiles.push({ z, x: column, y: row });
      yield tiles;
    }
}

type TileAt = Pick<TileRequest, 'z' | 'x' | 'y'>;

export interface FillParts {
  caller: Caller;
  plan: PlanTile;
  drawer: TileDrawer;
  /** When what was drawn is kept: the disk may be slower than the renderers. */
  settled(): Promise<void>;
  /** Pieces that are worked on at once. */
  atOnce: number;
}

/**
 * Draws the tiles that are not there or not good any more, neighbours together; `tell` is told how
 * far it is. Throws what the planner throws, 400 for a map whose tiles are not kept.
 */
export async function fillTiles(
  parts: FillParts,
  filling: Filling,
  { tell, signal }: { tell: (progress: FillProgress) => void; signal: AbortSignal },
): Promise<FillProgress> {
  const progress: FillProgress = { total: countTiles(filling), there: 0, drawn: 0 };
  // All tiles of a piece wait for it at once.
  setMaxListeners(0, signal);
  const pieces = allPieces(parts, filling, signal);
  const work = async (): Promise<void> => {
    for await (const tiles of pieces) {
      signal.throwIfAborted();
      const drawn = await fillPiece(parts, filling, { tiles, signal });
      progress.drawn += drawn;
      progress.there += tiles.length - drawn;
      tell(progress);
    }
  };
  await Promise.all(Array.from({ length: parts.atOnce }, work));
  return progress;
}

const requestOf = ({ layers, scale, lng }: Filling, main: string, at: TileAt): TileRequest => ({
  ...at,
  base: true,
  layers,
  scale,
  palette: undefined,
  lng,
  main,
});

const mainOf = ({ project }: Caller): string => project.languages[0]!;

async function* allPieces(
  { caller, plan }: FillParts,
  filling: Filling,
  signal: AbortSignal,
): AsyncGenerator<TileAt[]> {
  for (const range of rangesOf(filling.extent, filling.zooms)) {
    const request = requestOf(filling, mainOf(caller), { z: range.z, x: range.west, y: range.north });
    const planned = await plan(caller, filling.map, request, { signal });
    if (!planned.isKept)
      throw badRequest(
        `The tiles of the map '${filling.map}' are not kept: it draws an external layer, or render_settings.cache is false`,
      );
    yield* piecesIn(range);
  }
}

/** How many of the tiles had to be drawn. */
async function fillPiece(
  { caller, plan, drawer, settled }: FillParts,
  filling: Filling,
  { tiles, signal }: { tiles: readonly TileAt[]; signal: AbortSignal },
): Promise<number> {
  const requests = tiles.map((at) => requestOf(filling, mainOf(caller), at));
  const planned = await plan(caller, filling.map, requests[0]!, { signal });
  const found = await Promise.all(requests.map((request) => drawer.find(request, planned)));
  const missing = requests.filter((_, i) => !found[i]);
  await Promise.all(missing.map((request) => drawer.draw(request, planned, signal)));
  if (missing.length) await settled();
  return missing.length;
}
