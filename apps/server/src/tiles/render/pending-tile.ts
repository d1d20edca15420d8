import type { Block } from '@cartulary/geo';
import type { WantedTile } from '../cache/kept-tiles.js';
import type { KeptTile } from '../cache/memory-cache.js';
import type { TilePlan } from '../plan/plan.js';
import type { TileRequest } from '../plan/tile-request.js';

/** A PNG and the hash of its bytes. */
export type Tile = Pick<KeptTile, 'bytes' | 'tag'>;

/** Tiles that one job draws: a pending tile for each place of the block. */
export interface TileBatch {
  readonly block: Block;
  readonly tiles: readonly PendingTile[];
}

/** What a pending tile is made from. */
interface PendingTileParts {
  readonly request: TileRequest;
  readonly plan: TilePlan;
  readonly wanted: WantedTile;
  /** Equal for tiles that one job may draw. */
  readonly batchKey: string;
}

/** A tile that is being made, shared by all requests that wait for it. */
export class PendingTile implements PendingTileParts {
  readonly request: TileRequest;
  readonly plan: TilePlan;
  readonly wanted: WantedTile;
  readonly batchKey: string;
  readonly tile: Promise<Tile>;
  /** Removes the tile's job from the queue of the renderers. */
  readonly leave = new AbortController();
  isQueued = false;
  /** The batch that draws it, once that has started. */
  batch: TileBatch | undefined;
  /** Requests that wait for it. */
  waiting = 0;
  #resolve: (tile: Tile) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor({ request, plan, wanted, batchKey }: PendingTileParts) {
    this.request = request;
    this.plan = plan;
    this.wanted = wanted;
    this.batchKey = batchKey;
    this.tile = new Promise<Tile>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A neighbour's batch may fail while no request waits for this tile.
    this.tile.catch(() => {});
  }

  resolve(tile: Tile): void {
    this.#resolve(tile);
  }

  reject(error: unknown): void {
    this.#reject(error);
  }
}
