import { tileExtent } from '../geo/tile.js';
import { type Block, blockOf, tilesIn, wantedTile } from './blocks.js';
import type { WantedTile } from './cache/kept-tiles.js';
import { type KeptTile, tagOf } from './cache/memory.js';
import type { TileStore } from './cache/open.js';
import { externalsAt } from './externals.js';
import type { RenderJob } from './messages.js';
import type { TilePlan, TileRequest } from './plan.js';
import type { RendererPool } from './pool.js';

/** A PNG and the hash of its bytes. */
export type Tile = Pick<KeptTile, 'bytes' | 'tag'>;

type Tiles = ReadonlyMap<string, Tile>;

interface Flight {
  tiles: Promise<Tiles>;
  waiting: number;
  leave: AbortController;
}

export interface TileDrawer {
  /** The tile that is kept and good, or drawn. A caller who leaves stops the drawing when nobody else waits for it and it has not begun. */
  draw(request: TileRequest, plan: TilePlan, signal: AbortSignal): Promise<Tile>;
  /** The same, when it is kept and good; undefined: it would have to be drawn. */
  find(request: TileRequest, plan: TilePlan): Promise<Tile | undefined>;
}

/** Draws tiles as blocks of neighbours; what is asked twice at once is drawn once. */
export function createTileDrawer(
  renderers: Pick<RendererPool, 'render'>,
  store: Pick<TileStore, 'keeps' | 'tiles'>,
): TileDrawer {
  const flights = new Map<string, Flight>();
  const isKept = (plan: TilePlan): boolean => store.keeps && plan.isKept;

  function begin(key: string, draw: (signal: AbortSignal) => Promise<Tiles>): Flight {
    const leave = new AbortController();
    const tiles = draw(leave.signal).finally(() => flights.delete(key));
    const flight: Flight = { tiles, waiting: 0, leave };
    flights.set(key, flight);
    return flight;
  }

  async function drawBlock(
    job: RenderJob,
    wanted: readonly WantedTile[],
    keeps: boolean,
    signal: AbortSignal,
  ): Promise<Tiles> {
    const pictures = await renderers.render(job, signal);
    const made = (one: WantedTile, bytes: Uint8Array): Tile =>
      keeps ? store.tiles.keep(one, bytes) : { bytes, tag: tagOf(bytes) };
    return new Map(wanted.map((one, i) => [one.key, made(one, pictures[i]!)]));
  }

  async function find(request: TileRequest, plan: TilePlan): Promise<Tile | undefined> {
    if (!isKept(plan)) return undefined;
    return store.tiles.find(wantedTile(request, plan, blockOf(request, plan, true)));
  }

  async function draw(request: TileRequest, plan: TilePlan, signal: AbortSignal): Promise<Tile> {
    const known = await find(request, plan);
    if (known) return known;
    signal.throwIfAborted();
    const keeps = isKept(plan);
    const block = blockOf(request, plan, keeps);
    const own = wantedTile(request, plan, block).key;
    const wanted = tilesIn(block, request, plan);
    // Who has a newer plan does not take what was begun for an older one.
    const versions = plan.sources.map(({ version }) => version);
    const key = `${wanted[0]!.key}/${block.side}/${versions}`;
    const flight =
      flights.get(key) ??
      begin(key, (leave) => drawBlock(blockJob(request, plan, block), wanted, keeps, leave));
    flight.waiting += 1;
    const left = (): void => {
      flight.waiting -= 1;
      if (!flight.waiting) flight.leave.abort(signal.reason);
    };
    signal.addEventListener('abort', left, { once: true });
    try {
      return (await flight.tiles).get(own)!;
    } finally {
      signal.removeEventListener('abort', left);
    }
  }

  return { draw, find };
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
