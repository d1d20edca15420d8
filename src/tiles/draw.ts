import { tileExtent, tilesAt } from '../geo/tile.js';
import type { TileCache } from './cache.js';
import { externalsAt } from './externals.js';
import type { RenderJob } from './messages.js';
import type { TilePlan, TileRequest } from './plan.js';
import type { RendererPool } from './pool.js';

/** Tiles that are drawn together: neighbours share the data that is read and the places of labels. */
const metatile = { normal: 4, retina: 2 };

/** Part of a zoom level that is drawn at once. */
interface Block {
  x: number;
  y: number;
  side: number;
}

type Tiles = ReadonlyMap<string, Uint8Array>;

interface Flight {
  tiles: Promise<Tiles>;
  waiting: number;
  leave: AbortController;
}

/** The PNG of a tile. A caller who leaves stops the drawing when nobody else waits for it and it has not begun. */
export type DrawTile = (request: TileRequest, plan: TilePlan, signal: AbortSignal) => Promise<Uint8Array>;

/** Draws tiles as blocks of neighbours; what is asked twice at once is drawn once. `keepsTiles`: the cache keeps any. */
export function createTileDrawer(
  renderers: Pick<RendererPool, 'render'>,
  cache: TileCache,
  keepsTiles: boolean,
): DrawTile {
  const flights = new Map<string, Flight>();

  function begin(key: string, draw: (signal: AbortSignal) => Promise<Tiles>): Flight {
    const leave = new AbortController();
    const tiles = draw(leave.signal).finally(() => flights.delete(key));
    const flight: Flight = { tiles, waiting: 0, leave };
    flights.set(key, flight);
    return flight;
  }

  async function drawBlock(
    job: RenderJob,
    keys: readonly string[],
    isKept: boolean,
    signal: AbortSignal,
  ): Promise<Tiles> {
    const pictures = await renderers.render(job, signal);
    const tiles = new Map(keys.map((key, i) => [key, pictures[i]!]));
    // Copies, because the pictures of a block lie in one buffer, which the last of them would keep alive.
    if (isKept) for (const [key, picture] of tiles) cache.set(key, new Uint8Array(picture));
    return tiles;
  }

  return async (request, plan, signal) => {
    const own = tileKey(plan, request.z, request.x, request.y);
    const isKept = keepsTiles && plan.isKept;
    const known = isKept ? cache.get(own) : undefined;
    if (known) return known;
    signal.throwIfAborted();
    const block = blockOf(request, plan, isKept);
    const keys = tileKeys(request.z, plan, block);
    const key = `${keys[0]}/${block.side}`;
    const job = blockJob(request, plan, block);
    const flight = flights.get(key) ?? begin(key, (leave) => drawBlock(job, keys, isKept, leave));
    flight.waiting += 1;
    const left = (): void => {
      flight.waiting -= 1;
      if (!flight.waiting) flight.leave.abort(signal.reason);
    };
    signal.addEventListener('abort', left, { once: true });
    try {
      const tiles = await flight.tiles;
      return tiles.get(own)!;
    } finally {
      signal.removeEventListener('abort', left);
    }
  };
}

/** Where a plan draws nothing, all places look alike. */
const blank = (plan: TilePlan): string => `${plan.key}/blank`;

const tileKey = (plan: TilePlan, z: number, x: number, y: number): string =>
  plan.isEmpty ? blank(plan) : `${plan.key}/${z}/${x}/${y}`;

/** The tiles of a block row by row from the north-west. */
const tileKeys = (z: number, plan: TilePlan, { x, y, side }: Block): string[] =>
  Array.from({ length: side * side }, (_, i) => tileKey(plan, z, x + (i % side), y + Math.floor(i / side)));

/** The block of the fixed grid in which a tile lies. Where tiles are not kept, its neighbours would be drawn for nothing. */
function blockOf({ z, x, y, scale }: TileRequest, plan: TilePlan, isKept: boolean): Block {
  const most = scale > 1 ? metatile.retina : metatile.normal;
  const side = isKept && !plan.isEmpty ? Math.min(most, tilesAt(z)) : 1;
  return { x: Math.floor(x / side) * side, y: Math.floor(y / side) * side, side };
}

function blockJob({ z, scale }: TileRequest, plan: TilePlan, { x, y, side }: Block): RenderJob {
  return {
    xml: plan.xml,
    xmlKey: plan.xmlKey,
    above: plan.above,
    extent: tileExtent(z, x, y, side, side),
    columns: side,
    rows: side,
    size: 256 * scale,
    scale,
    bufferSize: plan.bufferSize * scale,
    externals: externalsAt(plan.externals, z),
    // Of full-colour PNGs the lowest compression is two to four times as fast as the usual and 6 to 24 % larger.
    format: plan.palette ? 'png8:m=h' : 'png:z=1',
  };
}
