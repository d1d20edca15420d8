import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.js';
import { type Block, tileExtent } from '../geo/tile.js';
import { blockAround, placesIn, wantedTile } from './blocks.js';
import type { WantedTile } from './cache/kept-tiles.js';
import { type KeptTile, tagOf } from './cache/memory.js';
import type { TileStore } from './cache/open.js';
import type { SpeckedSheet } from './drawing.js';
import { externalsAt } from './externals.js';
import { quickPng, type RenderJob } from './messages.js';
import type { TilePlan, TileRequest } from './plan.js';
import type { RendererPool } from './pool.js';
import type { SpeckChunks } from './specks/speck-chunks.js';

/** A PNG and the hash of its bytes. */
export type Tile = Pick<KeptTile, 'bytes' | 'tag'>;

export interface TileDrawer {
  /** The tile that is kept and good, or drawn. A caller who leaves stops the drawing when nobody else waits for it and it has not begun. */
  draw(request: TileRequest, plan: TilePlan, signal: AbortSignal): Promise<Tile>;
  /** The same, when it is kept and good; undefined: it would have to be drawn. */
  find(request: TileRequest, plan: TilePlan): Promise<Tile | undefined>;
}

export interface TileDrawerParts {
  renderers: Pick<RendererPool, 'render'>;
  store: Pick<TileStore, 'keeps' | 'tiles'>;
  config: Pick<Config, 'tilesTogether'>;
  /** The smallest objects of large layers; absent: they are drawn as all others. */
  specks?: SpeckChunks;
}

/** How long a tile waits for its neighbours, which browsers ask for in the same moment, ms. */
const gathering = 2;

/** Tiles in a block for one that is asked for: its neighbours mostly are a moment later. */
const spare = 2;

/** Why a tile leaves the queue when it is drawn with another. One for all: each would note where it was made. */
const takenAlong = new Error('the tile is drawn with its neighbour');

/** What is drawn at once: a flight for each tile of the block. */
interface Drawing {
  readonly block: Block;
  readonly flights: readonly Flight[];
}

/** A tile that is being made, for all who wait for it. */
interface Flight {
  readonly request: TileRequest;
  readonly plan: TilePlan;
  readonly wanted: WantedTile;
  /** Equal for what may be drawn at once. */
  readonly sheet: string;
  readonly tile: Promise<Tile>;
  land(tile: Tile): void;
  crash(error: unknown): void;
  /** Leaves the queue of the renderers. */
  readonly leave: AbortController;
  isQueued: boolean;
  /** What it is drawn with, when that has begun. */
  drawing: Drawing | undefined;
  /** Requests that wait for it. */
  waiting: number;
}

function makeFlight(about: Pick<Flight, 'request' | 'plan' | 'wanted' | 'sheet'>): Flight {
  let [land, crash]: [Flight['land'], Flight['crash']] = [() => {}, () => {}];
  const tile = new Promise<Tile>((resolve, reject) => {
    [land, crash] = [resolve, reject];
  });
  // Nobody may wait for it.
  tile.catch(() => {});
  return {
    tile,
    land,
    crash,
    leave: new AbortController(),
    isQueued: false,
    waiting: 0,
    drawing: undefined,
    ...about,
  };
}

/** Draws tiles that are asked for together as blocks of neighbours; what is asked twice at once is drawn once. */
export function createTileDrawer({ renderers, store, config, specks }: TileDrawerParts): TileDrawer {
  /** By tile and versions of the data. */
  const flights = new Map<string, Flight>();
  const isKept = (plan: TilePlan): boolean => store.keeps && plan.isKept;
  let gathered: Promise<void> | undefined;

  function gather(): Promise<void> {
    gathered ??= sleep(gathering).then(() => {
      gathered = undefined;
    });
    return gathered;
  }

  /** The flight that a request joins. */
  function flightOf(request: TileRequest, plan: TilePlan): Flight {
    const wanted = wantedTile(request, plan);
    // Who has a newer plan does not take what was begun for an older one.
    const versions = plan.sources.map(({ version }) => version).join();
    const key = `${wanted.key}/${versions}`;
    const known = flights.get(key);
    if (known) return known;
    const flight = makeFlight({ request, plan, wanted, sheet: `${plan.key}/${request.z}/${versions}` });
    const end = (): void => void (flights.get(key) === flight && flights.delete(key));
    flights.set(key, flight);
    flight.tile.then(end, end);
    flight.leave.signal.addEventListener('abort', () => flight.drawing || end());
    return flight;
  }

  /** Takes a tile out of the queue together with its neighbours that wait, and those between them. */
  function takeOff(first: Flight): Drawing {
    const { request, plan, sheet } = first;
    const alike = [...flights.values()].filter((one) => one.isQueued && !one.drawing && one.sheet === sheet);
    const places = alike.map((one) => one.request);
    const most = Math.max(1, Math.floor(config.tilesTogether / request.scale ** 2));
    const block = blockAround(request, places, { most, spare: isKept(plan) ? spare : 1 });
    const taken = placesIn(block).map(({ x, y }) => flightOf({ ...request, x, y }, plan));
    const drawing = { block, flights: taken };
    for (const one of taken) {
      one.drawing ??= drawing;
      // Who is in another drawing already goes on with it.
      if (one !== first && one.drawing === drawing) one.leave.abort(takenAlong);
    }
    return drawing;
  }

  function landAll({ block, flights }: Drawing, pictures: readonly Uint8Array[]): void {
    for (const [i, { plan, wanted, land }] of flights.entries()) {
      const bytes = pictures[i]!;
      land(isKept(plan) ? store.tiles.keep(wanted, bytes, block) : { bytes, tag: tagOf(bytes) });
    }
  }

  /** Waits for a renderer, and draws unless a neighbour has taken the tile along. */
  async function fly(first: Flight): Promise<void> {
    const { request, plan, leave } = first;
    const alone = { x: request.x, y: request.y, columns: 1, rows: 1 };
    let own: Drawing | undefined;
    const grow = (): RenderJob => {
      own = takeOff(first);
      return blockJob(request, plan, own.block);
    };
    try {
      if (config.tilesTogether > 1) await gather();
      const specked = specks && (await plan.specked?.(leave.signal));
      leave.signal.throwIfAborted();
      const pictures = await (specks && specked
        ? renderers.render(await withSpecks(specks, specked, plan, grow()), leave.signal)
        : renderers.render(blockJob(request, plan, alone), leave.signal, grow));
      landAll(first.drawing!, pictures);
    } catch (error) {
      if (own) for (const { crash } of own.flights) crash(error);
      else if (!first.drawing) first.crash(error);
    }
  }

  const find = async (request: TileRequest, plan: TilePlan): Promise<Tile | undefined> =>
    isKept(plan) ? store.tiles.find(wantedTile(request, plan)) : undefined;

  async function draw(request: TileRequest, plan: TilePlan, signal: AbortSignal): Promise<Tile> {
    const known = await find(request, plan);
    if (known) return known;
    signal.throwIfAborted();
    const flight = flightOf(request, plan);
    flight.waiting += 1;
    if (!flight.isQueued && !flight.drawing) {
      flight.isQueued = true;
      void fly(flight);
    }
    const left = (): void => {
      flight.waiting -= 1;
      if (!flight.waiting && !flight.drawing) flight.leave.abort(signal.reason);
    };
    signal.addEventListener('abort', left, { once: true });
    try {
      return await flight.tile;
    } finally {
      signal.removeEventListener('abort', left);
    }
  }

  return { draw, find };
}

/** The job in less time, where that can be. What it needs is read before a renderer is taken. */
async function withSpecks(
  specks: SpeckChunks,
  { sources, above, ...sheet }: SpeckedSheet,
  { sources: versions }: TilePlan,
  job: RenderJob,
): Promise<RenderJob> {
  const filled = await specks.fill(above, sources, { extent: job.extent, versions });
  return filled ? { ...job, ...sheet, above: filled } : job;
}

function blockJob({ z, scale }: TileRequest, plan: TilePlan, { x, y, columns, rows }: Block): RenderJob {
  return {
    xml: plan.xml,
    xmlKey: plan.xmlKey,
    above: plan.above,
    extent: tileExtent(z, x, y, columns, rows),
    columns,
    rows,
    size: 256 * scale,
    scale,
    bufferSize: plan.bufferSize * scale,
    externals: externalsAt(plan.externals, z),
    format: plan.palette ? 'png8:m=h' : quickPng,
  };
}
