import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../db/pool.js';
import { readChanges } from '../../layers/changes.js';
import { createHistory, type History } from './history.js';

/** A layer at a data version. */
export interface LayerVersion {
  id: number;
  version: number;
}

/** The changes of layers as the database has them noted, read when a version shows that there are new ones. */
export interface ChangeLog {
  /** The histories of layers up to these versions at least, by layer. */
  upTo(layers: readonly LayerVersion[]): Promise<ReadonlyMap<number, History>>;
}

/** Bytes of histories that are kept; the layers that were not looked at for longest leave. */
const keptBytes = 32 * 1024 * 1024;

/** The same rows are read by one request, however many ask: those that come meanwhile wait for it. */
export function createChangeLog(db: Queryable): ChangeLog {
  const histories = new LRUCache<number, History>({
    maxSize: keptBytes,
    sizeCalculation: ({ size }) => size,
  });
  const reading = new Map<number, Promise<void>>();

  async function read(layers: readonly (LayerVersion & { history: History })[]): Promise<void> {
    const since = layers.map(({ id, history }) => ({ layer: id, version: history.known }));
    const changes = await readChanges(db, since);
    for (const { id, version, history } of layers) {
      history.extend(
        changes.filter(({ layer }) => layer === id),
        version,
      );
      histories.set(id, history);
    }
  }

  return {
    async upTo(layers) {
      const found = new Map(layers.map(({ id }) => [id, histories.get(id) ?? createHistory()]));
      for (;;) {
        const lacking = layers.filter(({ id, version }) => found.get(id)!.known < version);
        if (!lacking.length) return found;
        const running = lacking.flatMap(({ id }) => reading.get(id) ?? []);
        if (running.length) {
          await Promise.all(running);
          for (const { id } of lacking) found.set(id, histories.get(id) ?? found.get(id)!);
          continue;
        }
        const work = read(lacking.map((one) => ({ ...one, history: found.get(one.id)! })));
        for (const { id } of lacking) reading.set(id, work);
        await work.finally(() => {
          for (const { id } of lacking) reading.delete(id);
        });
      }
    },
  };
}
