import { isInMatrix, tileExtent, tilesAt } from '../geo/tile.js';
import type { TileCache } from './cache.js';
import type { TilePlan, TileRequest } from './plan.js';
import type { RendererPool } from './pool.js';

/** Tiles that are drawn together: beside each other they share the data that is read and their labels. */
const metatile = { normal: 4, retina: 2 };

interface Flight {
  tiles: Promise<Map<string, Uint8Array>>;
  waiting: number;
  leave: AbortController;
}

/** Draws tiles as blocks of neighbours; what is asked twice at once is drawn once. */
export function createTileDrawer(
  renderers: Pick<RendererPool, 'render'>,
  cache: TileCache,
  keepsTiles: boolean,
) {
  const flights = new Map<string, Flight>();

  /** The PNG of a tile. A caller who leaves stops the drawing when nobody else waits for it. */
  return async function drawTile(
    request: TileRequest,
    plan: TilePlan,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { z, x, y } = request;
    const own = `${plan.key}/${x}/${y}`;
    const known = cache.get(own);
    if (known) return known;
    // Without a cache the neighbours would be drawn to be thrown away.
    const side = keepsTiles ? Math.min(request.scale > 1 ? metatile.retina : metatile.normal, tilesAt(z)) : 1;
    const block = { x: Math.floor(x / side) * side, y: Math.floor(y / side) * side };
    const key = `${plan.key}/${block.x}/${block.y}/${side}`;
    const flight = flights.get(key) ?? begin(key, request, plan, { ...block, side });
    flight.waiting += 1;
    const left = (): void => {
      flight.waiting -= 1;
      if (!flight.waiting) flight.leave.abort();
    };
    signal.addEventListener('abort', left, { once: true });
    try {
      return (await flight.tiles).get(own)!;
    } finally {
      signal.removeEventListener('abort', left);
    }
  };

  function begin(
    key: string,
    request: TileRequest,
    plan: TilePlan,
    block: { x: number; y: number; side: number },
  ): Flight {
    const leave = new AbortController();
    const tiles = drawBlock(request, plan, block, leave.signal).finally(() => flights.delete(key));
    const flight: Flight = { tiles, waiting: 0, leave };
    flights.set(key, flight);
    return flight;
  }

  async function drawBlock(
    request: TileRequest,
    plan: TilePlan,
    { x, y, side }: { x: number; y: number; side: number },
    signal: AbortSignal,
  ): Promise<Map<string, Uint8Array>> {
    const { z, scale, palette } = request;
    const job = {
      xml: plan.xml,
      xmlKey: plan.key,
      extent: tileExtent(z, x, y, side, side),
      columns: side,
      rows: side,
      size: 256 * scale,
      scale,
      format: palette ? 'png8:m=h' : 'png:z=1',
    };
    const pictures = await renderers.render(job, signal);
    const tiles = new Map<string, Uint8Array>();
    for (const [i, picture] of pictures.entries()) {
      const at = { x: x + (i % side), y: y + Math.floor(i / side) };
      if (!isInMatrix(z, at.x, at.y)) continue;
      const tileKey = `${plan.key}/${at.x}/${at.y}`;
      tiles.set(tileKey, picture);
      cache.set(tileKey, picture);
    }
    return tiles;
  }
}
