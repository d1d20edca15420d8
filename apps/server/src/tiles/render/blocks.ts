import type { Edges } from '../geo/join-boxes.js';
import { type Block, tileExtent } from '../geo/tile.js';
import type { WantedTile } from './cache/kept-tiles.js';
import { dataBox } from './data-box.js';
import type { TilePlan, TileRequest } from './plan.js';

/** Column and row (from the north) of a tile. */
export type Place = Pick<TileRequest, 'x' | 'y'>;

export interface BlockLimits {
  /** Tiles of a block. */
  most: number;
  /** Tiles for one that waits: above 1 some are drawn that nobody waits for. */
  spare: number;
}

/**
 * The block that is worth drawing at once: the first tile and those that wait beside it, which share the data that are read and
 * the start of a drawing. It grows by as few tiles as it can, as long as enough of them wait.
 */
export function blockAround(first: Place, waiting: readonly Place[], limits: BlockLimits): Block {
  let block: Block = { x: first.x, y: first.y, columns: 1, rows: 1 };
  // All others are too far away for any block with the first.
  const near = waiting.filter((place) => sizeOf(including(block, place)) <= limits.most);
  for (;;) {
    const outside = near.filter((place) => !isIn(block, place));
    const grown = outside.map((place) => including(block, place)).filter((one) => isWorth(one, near, limits));
    if (!grown.length) return block;
    block = grown.reduce((best, one) => (sizeOf(one) < sizeOf(best) ? one : best));
  }
}

const sizeOf = ({ columns, rows }: Block): number => columns * rows;
const isIn = (block: Block, { x, y }: Place): boolean =>
  x >= block.x && y >= block.y && x < block.x + block.columns && y < block.y + block.rows;

function isWorth(block: Block, near: readonly Place[], { most, spare }: BlockLimits): boolean {
  if (sizeOf(block) > most) return false;
  return sizeOf(block) <= spare * near.filter((place) => isIn(block, place)).length;
}

function including({ x, y, columns, rows }: Block, place: Place): Block {
  const [west, north] = [Math.min(x, place.x), Math.min(y, place.y)];
  const [east, south] = [Math.max(x + columns, place.x + 1), Math.max(y + rows, place.y + 1)];
  return { x: west, y: north, columns: east - west, rows: south - north };
}

/** The tiles of a block row by row from the north-west. */
export const placesIn = ({ x, y, columns, rows }: Block): Place[] =>
  Array.from({ length: columns * rows }, (_, i) => ({
    x: x + (i % columns),
    y: y + Math.floor(i / columns),
  }));

/** A tile as the cache knows it. */
export function wantedTile(request: TileRequest, plan: TilePlan): WantedTile {
  const { z, x, y } = request;
  return {
    // Where a plan draws nothing, all places look alike.
    key: `${plan.key}/${plan.isEmpty ? 'blank' : `${z}/${x}/${y}`}`,
    sources: plan.sources,
    extentOf: (source, drawn) => dependence(request, plan, { drawn, source }),
  };
}

/**
 * The box outside of which no object of a layer changes a tile: the tile and how far an object can be seen, or, where what is
 * drawn depends on its neighbours, all that was read for the block that it was drawn in.
 */
function dependence(
  { z, x, y, scale }: TileRequest,
  plan: TilePlan,
  { drawn, source }: { drawn: Block; source: number },
): Edges | undefined {
  const { reads } = plan.sources[source]!;
  if (reads === 'all') return undefined;
  const [west, , east] = tileExtent(z, x, y);
  const pixel = (east - west) / 256;
  if (reads !== 'block') return dataBox(tileExtent(z, x, y), reads * pixel);
  // Mapnik enlarges the buffer, which is given in pixels of the picture, by the scale once more when it asks for data.
  const margin = plan.around * scale * pixel;
  return dataBox(tileExtent(z, drawn.x, drawn.y, drawn.columns, drawn.rows), margin);
}
