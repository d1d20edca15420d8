import type { Queryable } from '@cartulary/database';
import { LRUCache } from 'lru-cache';
import { readChanges } from '../../layers/changes.js';
import { History } from './history.js';

/** A layer at a data version. */
export interface LayerVersion {
  id: number;
  version: number;
}

/** Memory for histories; the least recently used leave. */
const limitBytes = 32 * 1024 * 1024;

/** The logged changes of layers, read when a newer version shows up. Concurrent requests share one statement. */
export class ChangeLog {
  readonly #db: Queryable;
  readonly #histories = new LRUCache<number, History>({
    maxSize: limitBytes,
    sizeCalculation: ({ size }) => size,
  });
  readonly #reading = new Map<number, Promise<void>>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Histories by layer, at least up to the given versions. */
  async upTo(layers: readonly LayerVersion[]): Promise<ReadonlyMap<number, History>> {
    const found = new Map(layers.map(({ id }) => [id, this.#histories.get(id) ?? new History()]));
    for (;;) {
      const behind = layers.filter(({ id, version }) => found.get(id)!.known < version);
      if (!behind.length) return found;
      const running = behind.flatMap(({ id }) => this.#reading.get(id) ?? []);
      if (running.length) {
        await Promise.all(running);
        for (const { id } of behind) found.set(id, this.#histories.get(id) ?? found.get(id)!);
        continue;
      }
      const work = this.#read(behind.map((one) => ({ ...one, history: found.get(one.id)! })));
      for (const { id } of behind) this.#reading.set(id, work);
      await work.finally(() => {
        for (const { id } of behind) this.#reading.delete(id);
      });
    }
  }

  async #read(layers: readonly (LayerVersion & { history: History })[]): Promise<void> {
    const since = layers.map(({ id, history }) => ({ layer: id, version: history.known }));
    const changes = await readChanges(this.#db, since);
    for (const { id, version, history } of layers) {
      history.extend(
        changes.filter(({ layer }) => layer === id),
        version,
      );
      this.#histories.set(id, history);
    }
  }
}
