import { type Block, type BoxEdges, tileExtent } from '@cartulary/geo';
import { dataBox } from '@cartulary/renderer';
import type { WantedTile } from '../cache/kept-tiles.js';
import type { TilePlan } from '../plan/plan.js';
import type { TileRequest } from '../plan/tile-request.js';

/** Column and row (from the north) of a tile. */
export type TilePlace = Pick<TileRequest, 'x' | 'y'>;

export interface BlockLimits {
  /** Limit of the tiles of a block. */
  maxTiles: number;
  /** Limit of the drawn tiles per waiting tile; above 1, a block may contain tiles that no request waits for. */
  maxDrawnPerAsked: number;
}

/**
 * The block to draw at once: the first tile and waiting tiles beside it, which share the data and the start of a
 * drawing. It grows by the fewest tiles, as long as enough of its tiles wait.
 */
export function blockAround(first: TilePlace, waiting: readonly TilePlace[], limits: BlockLimits): Block {
  let block: Block = { x: first.x, y: first.y, columns: 1, rows: 1 };
  // No block with the first tile can contain the others.
  const near = waiting.filter((place) => sizeOf(including(block, place)) <= limits.maxTiles);
  for (;;) {
    const outside = near.filter((place) => !isIn(block, place));
    const grown = outside.map((place) => including(block, place)).filter((one) => isWorth(one, near, limits));
    if (!grown.length) return block;
    block = grown.reduce((best, one) => (sizeOf(one) < sizeOf(best) ? one : best));
  }
}

const sizeOf = ({ columns, rows }: Block): number => columns * rows;
const isIn = (block: Block, { x, y }: TilePlace): boolean =>
  x >= block.x && y >= block.y && x < block.x + block.columns && y < block.y + block.rows;

function isWorth(
  block: Block,
  near: readonly TilePlace[],
  { maxTiles, maxDrawnPerAsked }: BlockLimits,
): boolean {
  if (sizeOf(block) > maxTiles) return false;
  return sizeOf(block) <= maxDrawnPerAsked * near.filter((place) => isIn(block, place)).length;
}

function including({ x, y, columns, rows }: Block, place: TilePlace): Block {
  const [west, north] = [Math.min(x, place.x), Math.min(y, place.y)];
  const [east, south] = [Math.max(x + columns, place.x + 1), Math.max(y + rows, place.y + 1)];
  return { x: west, y: north, columns: east - west, rows: south - north };
}

/** The tiles of a block, row by row from the north-west. */
export const placesIn = ({ x, y, columns, rows }: Block): TilePlace[] =>
  Array.from({ length: columns * rows }, (_, i) => ({
    x: x + (i % columns),
    y: y + Math.floor(i / columns),
  }));

/** A tile as the cache addresses it. */
export function wantedTile(request: TileRequest, plan: TilePlan): WantedTile {
  const { z, x, y } = request;
  return {
    // Empty pictures are alike at all places.
    key: `${plan.key}/${plan.isEmpty ? 'blank' : `${z}/${x}/${y}`}`,
    sources: plan.sources,
    extentOf: (source, drawn) => dependencyBox(request, plan, { drawn, source }),
  };
}

/**
 * The box outside of which no object of a layer changes a tile: the tile plus the reach of a symbol, or, where symbols
 * depend on neighbours, everything that was read for its block. undefined: there is no such box.
 */
function dependencyBox(
  { z, x, y, scale }: TileRequest,
  plan: TilePlan,
  { drawn, source }: { drawn: Block; source: number },
): BoxEdges | undefined {
  const { area } = plan.sources[source]!;
  if (area === 'all') return undefined;
  const [west, , east] = tileExtent(z, x, y);
  const pixel = (east - west) / 256;
  if (area !== 'block') return dataBox(tileExtent(z, x, y), area * pixel);
  // Mapnik multiplies the buffer, which is given in pixels of the picture, by the scale again when it requests data.
  const margin = plan.around * scale * pixel;
  return dataBox(tileExtent(z, drawn.x, drawn.y, drawn.columns, drawn.rows), margin);
}
