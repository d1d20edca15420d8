import { setMaxListeners } from 'node:events';
import { badRequest } from '@cartulary/errors';
import { type Box, tileExtent, tilesAt, toMercator } from '@cartulary/geo';
import { type Caller, mainLanguage } from '../../access/caller.js';
import type { PlanTile } from '../plan/plan.js';
import type { TileRequest } from '../plan/tile-request.js';
import type { TileBatcher } from './tile-batcher.js';

/** The tiles of a map that are drawn in advance. */
export interface TileFill {
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
  /** Tiles that were kept and valid. */
  there: number;
  drawn: number;
}

/** Columns and rows (from the north), both ends included. */
interface Range {
  z: number;
  west: number;
  north: number;
  east: number;
  south: number;
}

/** The tiles of a zoom level that a box meets; a box that ends at the edge of a tile does not meet the next. */
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

/** Number of tiles. */
export const countTiles = ({ extent, zooms }: Pick<TileFill, 'extent' | 'zooms'>): number =>
  rangesOf(extent, zooms).reduce(
    (sum, { west, north, east, south }) => sum + (east - west + 1) * (south - north + 1),
    0,
  );

const rangesOf = (extent: Box, { first, last }: TileFill['zooms']): Range[] =>
  Array.from({ length: last - first + 1 }, (_, i) => rangeAt(extent, first + i));

/** Columns and rows of a batch. */
const side = 4;

/** The tiles of a range, in batches of neighbours. */
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
  batcher: Pick<TileBatcher, 'find' | 'draw'>;
  /** Resolves when all drawn tiles are kept: the disk may be slower than the renderers. */
  settled(): Promise<void>;
  /** Batches at the same time. */
  atOnce: number;
}

/**
 * Draws all tiles that are missing or invalid, and reports the progress to `tell`. Throws what the planner throws, and
 * 400 for a map whose tiles are not kept.
 */
export async function fillTiles(
  parts: FillParts,
  filling: TileFill,
  { tell, signal }: { tell: (progress: FillProgress) => void; signal: AbortSignal },
): Promise<FillProgress> {
  const progress: FillProgress = { total: countTiles(filling), there: 0, drawn: 0 };
  // All tiles of a batch listen to the signal.
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

const requestOf = ({ layers, scale, lng }: TileFill, main: string, at: TileAt): TileRequest => ({
  ...at,
  base: true,
  layers,
  scale,
  palette: undefined,
  lng,
  main,
});

async function* allPieces(
  { caller, plan }: FillParts,
  filling: TileFill,
  signal: AbortSignal,
): AsyncGenerator<TileAt[]> {
  for (const range of rangesOf(filling.extent, filling.zooms)) {
    const request = requestOf(filling, mainLanguage(caller), { z: range.z, x: range.west, y: range.north });
    const planned = await plan(caller, filling.map, request, { signal });
    if (!planned.isKept)
      throw badRequest(
        `The tiles of the map '${filling.map}' are not kept: it draws an external layer, or render_settings.cache is false`,
      );
    yield* piecesIn(range);
  }
}

/** Draws the missing tiles of a batch; returns their number. */
async function fillPiece(
  { caller, plan, batcher, settled }: FillParts,
  filling: TileFill,
  { tiles, signal }: { tiles: readonly TileAt[]; signal: AbortSignal },
): Promise<number> {
  const requests = tiles.map((at) => requestOf(filling, mainLanguage(caller), at));
  const planned = await plan(caller, filling.map, requests[0]!, { signal });
  const found = await Promise.all(requests.map((request) => batcher.find(request, planned)));
  const missing = requests.filter((_, i) => !found[i]);
  await Promise.all(missing.map((request) => batcher.draw(request, planned, signal)));
  if (missing.length) await settled();
  return missing.length;
}
