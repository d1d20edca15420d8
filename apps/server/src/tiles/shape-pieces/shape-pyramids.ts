import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '@cartulary/database';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config.js';
import type { LayerVersion } from '../cache/change-log.js';
import { divideShape } from './divide-shape.js';
import {
  abandonedAfterMs,
  claimShape,
  completePyramid,
  type LargeObject,
  type LayerPieces,
  lookAt,
  releaseShape,
  removeOutdated,
  storePieces,
  withoutPyramid,
} from './store.js';

export interface ShapePyramidParts {
  db: Queryable;
  config: Pick<Config, 'shapePiecesFrom'>;
  warn(text: string): void;
  /** Time between the first look at a layer and the work on it, ms; default 3 s: the pictures of a first view come first. */
  delayMs?: number;
}

interface KnownLayer extends Omit<LayerPieces, 'hasPieces'> {
  version: number;
  lookedAt: number;
  hasPieces: boolean | Promise<boolean>;
  /** When the objects of this version were last searched for large shapes, or are about to be; undefined: not yet. */
  searchedAt: number | undefined;
}

/** Time for which a look at a layer is used; of other processes' work this process learns after it. */
const lookMaxAgeMs = 60_000;
/** The same while a layer may be about to get pieces. */
const waitingMaxAgeMs = 3_000;
/** Bytes of a position in the table, at least, since shapes may be compressed. */
const positionBytes = 12;

const nothingThere: LayerPieces = { hasPieces: false, areBeingMade: false, mayBeLarge: false };

/**
 * Large lines and polygons in pieces, so that a picture costs what is in it. Pyramids are made in the background when a layer
 * is drawn that has large shapes, one object after the other; until then, and after a change, the whole shape is drawn.
 */
export class ShapePyramids {
  readonly #parts: ShapePyramidParts;
  readonly #known = new LRUCache<number, KnownLayer>({ max: 10_000 });
  readonly #leaving = new AbortController();
  #looks: Promise<unknown> = Promise.resolve();
  #work: Promise<void> = Promise.resolve();

  constructor(parts: ShapePyramidParts) {
    this.#parts = parts;
  }

  /** The layers that have pieces. It waits for a layer that was not looked at before. */
  async among(layers: readonly LayerVersion[]): Promise<ReadonlySet<number>> {
    const found = new Set<number>();
    if (!this.#parts.config.shapePiecesFrom) return found;
    this.#look(layers);
    for (const { id } of layers) if (await this.#known.get(id)?.hasPieces) found.add(id);
    return found;
  }

  /** Resolves when no pyramid is being made. */
  async settled(): Promise<void> {
    await this.#looks;
    await this.#work;
  }

  /** Ends the work after the present statement. */
  async close(): Promise<void> {
    this.#leaving.abort();
    await this.settled();
  }

  /** Looks at the layers that are not known, or that were looked at long ago: a map may have thousands of layers. */
  #look(layers: readonly LayerVersion[]): void {
    const unknown = layers.filter((layer) => !this.#isKnown(layer));
    if (!unknown.length) return;
    const { db, config } = this.#parts;
    const minBytes = config.shapePiecesFrom * positionBytes;
    const ids = unknown.map(({ id }) => id);
    const looking = lookAt(db, ids, minBytes).catch(() => new Map<number, LayerPieces>());
    for (const layer of unknown)
      this.#take(layer, { minBytes, looking: looking.then((found) => found.get(layer.id) ?? nothingThere) });
  }

  #isKnown({ id, version }: LayerVersion): boolean {
    const known = this.#known.get(id);
    if (known?.version !== version) return false;
    return performance.now() - known.lookedAt < (known.areBeingMade ? waitingMaxAgeMs : lookMaxAgeMs);
  }

  /** Takes the look at a layer; has its large shapes divided where there are any. */
  #take(
    { id, version }: LayerVersion,
    { minBytes, looking }: { minBytes: number; looking: Promise<LayerPieces> },
  ): void {
    const before = this.#known.get(id);
    const one: KnownLayer = {
      ...nothingThere,
      version,
      lookedAt: performance.now(),
      hasPieces: before?.hasPieces ?? looking.then(({ hasPieces }) => hasPieces),
      searchedAt: before?.version === version ? before.searchedAt : undefined,
    };
    this.#known.set(id, one);
    const looked = looking.then((found) => {
      Object.assign(one, found);
      // A pyramid that another process has left unfinished is taken up later.
      const isLeft =
        found.areBeingMade &&
        performance.now() - (one.searchedAt ?? Number.NEGATIVE_INFINITY) > abandonedAfterMs;
      if ((one.searchedAt !== undefined && !isLeft) || !(found.hasPieces || found.mayBeLarge)) return;
      one.searchedAt = performance.now();
      this.#work = this.#work.then(() => this.#refresh(id, one, minBytes));
    });
    this.#looks = Promise.all([this.#looks, looked]);
  }

  /** Makes the pyramids that are missing, and removes those of former versions. */
  async #refresh(layerId: number, known: KnownLayer, minBytes: number): Promise<void> {
    const { db, warn, delayMs = 3_000 } = this.#parts;
    const isEnding = (): boolean => this.#leaving.signal.aborted;
    try {
      await this.#pause(Math.max(0, known.lookedAt + delayMs - performance.now()));
      // A newer version is searched by itself. Of the same one there may be a newer look, which relies on this search.
      if (isEnding() || this.#known.get(layerId)?.version !== known.version) return;
      const tried = new Set<number>();
      for (;;) {
        const missing = await withoutPyramid(db, layerId, minBytes);
        const next = missing.filter(({ id }) => !tried.has(id));
        if (!next.length) break;
        for (const object of next) {
          if (isEnding()) return;
          tried.add(object.id);
          const began = performance.now();
          if (await this.#make(layerId, object)) this.#note(layerId, { hasPieces: true });
          // At most half of a processor: requests go on meanwhile.
          await this.#pause(Math.min(delayMs, performance.now() - began));
        }
      }
      await removeOutdated(db, layerId);
    } catch (error) {
      this.#note(layerId, { searchedAt: undefined });
      if (!isEnding())
        warn(`The large shapes of layer ${layerId} are drawn whole: ${(error as Error).message}`);
    }
  }

  #note(layerId: number, fact: Partial<Pick<KnownLayer, 'hasPieces' | 'searchedAt'>>): void {
    const known = this.#known.get(layerId);
    if (known) Object.assign(known, fact);
  }

  /** Ends early when the service does. */
  async #pause(ms: number): Promise<void> {
    const { signal } = this.#leaving;
    if (!signal.aborted) await sleep(ms, undefined, { signal }).catch(() => {});
  }

  async #make(layerId: number, object: LargeObject): Promise<boolean> {
    const { db } = this.#parts;
    const wkb = await claimShape(db, layerId, object);
    if (!wkb) return false;
    for await (const { pieces, end } of divideShape(wkb)) {
      await storePieces(db, layerId, object, pieces);
      if (end) await completePyramid(db, layerId, object, end);
      if (!end && this.#leaving.signal.aborted) {
        await releaseShape(db, layerId, object);
        return false;
      }
    }
    return true;
  }
}
