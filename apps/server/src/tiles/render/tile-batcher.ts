import { setTimeout as sleep } from 'node:timers/promises';
import { type Block, tileExtent } from '@cartulary/geo';
import type { Config } from '../../config.js';
import { tagOf } from '../cache/memory-cache.js';
import type { TileCaches } from '../cache/tile-caches.js';
import type { TilePlan } from '../plan/plan.js';
import type { TileRequest } from '../plan/tile-request.js';
import { blockAround, placesIn, wantedTile } from './blocks.js';
import type { DrawJob } from './draw-job.js';
import { drawWithSprites, type SpriteParts } from './draw-with-sprites.js';
import { compositionJob } from './jobs.js';
import { PendingTile, type Tile, type TileBatch } from './pending-tile.js';
import type { RendererPool } from './pool.js';

export interface TileBatcherParts {
  renderers: Pick<RendererPool, 'render'>;
  caches: Pick<TileCaches, 'keeps' | 'tiles'>;
  config: Pick<Config, 'tilesTogether'>;
  /** Chunks of small features; absent: Mapnik draws all objects. */
  smallFeatures?: SpriteParts['smallFeatures'];
}

/** Time that a tile waits for its neighbours, which browsers request in the same moment. */
const batchWindowMs = 2;

/** Tiles of a block per requested tile: browsers mostly request the neighbours a moment later. */
const maxDrawnPerAsked = 2;

/** Shared instance: creating an Error captures a stack trace each time. */
const drawnByNeighbour = new Error('the tile is drawn with its neighbour');

/** Draws requested tiles in blocks of neighbours. Concurrent requests for one tile share one drawing. */
export class TileBatcher {
  readonly #parts: TileBatcherParts;
  /** By tile and data versions. */
  readonly #pending = new Map<string, PendingTile>();
  #window: Promise<void> | undefined;

  constructor(parts: TileBatcherParts) {
    this.#parts = parts;
  }

  /** The kept tile if it is still valid; undefined: it must be drawn. */
  async find(request: TileRequest, plan: TilePlan): Promise<Tile | undefined> {
    return this.#isKept(plan) ? this.#parts.caches.tiles.find(wantedTile(request, plan)) : undefined;
  }

  /**
   * The tile, kept or drawn. When all requests for a tile are aborted before its drawing begins, it is not drawn.
   * Throws what the renderer pool throws.
   */
  async draw(request: TileRequest, plan: TilePlan, signal: AbortSignal): Promise<Tile> {
    const known = await this.find(request, plan);
    if (known) return known;
    signal.throwIfAborted();
    const pending = this.#pendingTile(request, plan);
    pending.waiting += 1;
    if (!pending.isQueued && !pending.batch) {
      pending.isQueued = true;
      void this.#drawBatch(pending);
    }
    const left = (): void => {
      pending.waiting -= 1;
      if (!pending.waiting && !pending.batch) pending.leave.abort(signal.reason);
    };
    signal.addEventListener('abort', left, { once: true });
    try {
      return await pending.tile;
    } finally {
      signal.removeEventListener('abort', left);
    }
  }

  #isKept(plan: TilePlan): boolean {
    return this.#parts.caches.keeps && plan.isKept;
  }

  /** Resolves at the end of the current batch window. */
  #windowEnd(): Promise<void> {
    this.#window ??= sleep(batchWindowMs).then(() => {
      this.#window = undefined;
    });
    return this.#window;
  }

  /** The pending tile that a request joins. */
  #pendingTile(request: TileRequest, plan: TilePlan): PendingTile {
    const wanted = wantedTile(request, plan);
    // Requests with a newer plan never join a render of older data.
    const versions = plan.sources.map(({ version }) => version).join();
    const key = `${wanted.key}/${versions}`;
    const known = this.#pending.get(key);
    if (known) return known;
    const batchKey = `${plan.key}/${request.z}/${versions}`;
    const pending = new PendingTile({ request, plan, wanted, batchKey });
    const end = (): void => void (this.#pending.get(key) === pending && this.#pending.delete(key));
    this.#pending.set(key, pending);
    pending.tile.then(end, end);
    pending.leave.signal.addEventListener('abort', () => pending.batch || end());
    return pending;
  }

  /** Waits for a renderer, and draws unless a neighbour's batch contains the tile. */
  async #drawBatch(first: PendingTile): Promise<void> {
    const { request, plan, leave } = first;
    const { renderers, config, smallFeatures } = this.#parts;
    const alone = { x: request.x, y: request.y, columns: 1, rows: 1 };
    let own: TileBatch | undefined;
    const grow = (): DrawJob => {
      own = this.#takeBatch(first);
      return blockJob(request, plan, own.block);
    };
    try {
      if (config.tilesTogether > 1) await this.#windowEnd();
      const sprites = smallFeatures && (await plan.withSprites?.(leave.signal));
      leave.signal.throwIfAborted();
      const pictures = await (smallFeatures && sprites
        ? drawWithSprites(
            { renderers, smallFeatures },
            { sprites, versions: plan.sources, job: grow() },
            leave.signal,
          )
        : renderers.render(blockJob(request, plan, alone), leave.signal, grow));
      this.#resolveAll(first.batch!, pictures);
    } catch (error) {
      if (own) for (const tile of own.tiles) tile.reject(error);
      else if (!first.batch) first.reject(error);
    }
  }

  /** Removes a tile from the queue with the waiting neighbours, and the tiles between them. */
  #takeBatch(first: PendingTile): TileBatch {
    const { request, plan, batchKey } = first;
    const places = [...this.#pending.values()]
      .filter((one) => one.isQueued && !one.batch && one.batchKey === batchKey)
      .map((one) => one.request);
    const block = blockAround(request, places, {
      maxTiles: Math.max(1, Math.floor(this.#parts.config.tilesTogether / request.scale ** 2)),
      maxDrawnPerAsked: this.#isKept(plan) ? maxDrawnPerAsked : 1,
    });
    const tiles = placesIn(block).map(({ x, y }) => this.#pendingTile({ ...request, x, y }, plan));
    const batch = { block, tiles };
    for (const tile of tiles) {
      tile.batch ??= batch;
      // A tile of an earlier batch stays with that batch.
      if (tile !== first && tile.batch === batch) tile.leave.abort(drawnByNeighbour);
    }
    return batch;
  }

  #resolveAll({ block, tiles }: TileBatch, pictures: readonly Uint8Array[]): void {
    for (const [i, tile] of tiles.entries()) {
      const { plan, wanted } = tile;
      const bytes = pictures[i]!;
      const kept = this.#isKept(plan)
        ? this.#parts.caches.tiles.keep(wanted, bytes, block)
        : { bytes, tag: tagOf(bytes) };
      tile.resolve(kept);
    }
  }
}

function blockJob({ z, scale }: TileRequest, plan: TilePlan, { x, y, columns, rows }: Block): DrawJob {
  const extent = tileExtent(z, x, y, columns, rows);
  return compositionJob(plan, z, { extent, columns, rows, size: 256 * scale, scale });
}
