import { fromMercator } from '../geo/bbox.js';
import type { Edges } from '../geo/join-boxes.js';
import { type Extent, tileExtent, tilesAt } from '../geo/tile.js';
import type { WantedTile } from './cache/kept-tiles.js';
import type { TilePlan, TileRequest } from './plan.js';

/** Tiles that are drawn together: neighbours share the data that is read and the places of labels. */
const metatile = { normal: 4, retina: 2 };

/** Part of a zoom level that is drawn at once. */
export interface Block {
  x: number;
  y: number;
  side: number;
}

/**
 * The block of the fixed grid in which a tile lies. It is always drawn as a whole, so that a tile looks the same whatever
 * was asked for before. Where tiles are not kept, its neighbours would be drawn for nothing.
 */
export function blockOf({ z, x, y, scale }: TileRequest, plan: TilePlan, isKept: boolean): Block {
  const most = scale > 1 ? metatile.retina : metatile.normal;
  const side = isKept && !plan.isEmpty ? Math.min(most, tilesAt(z)) : 1;
  return { x: Math.floor(x / side) * side, y: Math.floor(y / side) * side, side };
}

/** The tiles of a block row by row from the north-west, as the cache knows them. */
export const tilesIn = (block: Block, request: TileRequest, plan: TilePlan): WantedTile[] =>
  Array.from({ length: block.side ** 2 }, (_, i) => {
    const x = block.x + (i % block.side);
    const y = block.y + Math.floor(i / block.side);
    return wantedTile({ ...request, x, y }, plan, block);
  });

/** A tile as the cache knows it. */
export function wantedTile(request: TileRequest, plan: TilePlan, block: Block): WantedTile {
  const { z, x, y } = request;
  return {
    // Where a plan draws nothing, all places look alike.
    key: plan.isEmpty ? `${plan.key}/blank` : `${plan.key}/${z}/${x}/${y}`,
    sources: plan.sources,
    extentOf: (source) => dependence(request, plan, { block, source }),
  };
}

/**
 * The box outside of which no object of a layer changes a tile: the tile and how far an object can be seen, or, where what is
 * drawn depends on its neighbours, all that is read for the block.
 */
function dependence(
  { z, x, y, scale }: TileRequest,
  plan: TilePlan,
  { block, source }: { block: Block; source: number },
): Edges | undefined {
  const { reads } = plan.sources[source]!;
  if (reads === 'all') return undefined;
  const [west, , east] = tileExtent(z, x, y);
  const pixel = (east - west) / 256;
  if (reads !== 'block') return degreesOf(tileExtent(z, x, y), reads * pixel);
  // Mapnik enlarges the buffer, which is given in pixels of the picture, by the scale once more when it asks for data.
  return degreesOf(tileExtent(z, block.x, block.y, block.side, block.side), plan.bufferSize * scale * pixel);
}

/** Boxes in the indices of the database are rounded outwards to 24 binary digits, at 180 degrees to 2⁻¹⁶, both of the two that are compared. */
const rounding = 2 ** -14;

function degreesOf([west, south, east, north]: Extent, margin: number): Edges {
  const [left, bottom] = fromMercator(west - margin, south - margin);
  const [right, top] = fromMercator(east + margin, north + margin);
  return [left - rounding, bottom - rounding, right + rounding, top + rounding];
}
