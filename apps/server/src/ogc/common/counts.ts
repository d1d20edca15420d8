import { type Database, perDatabase } from '@cartulary/database';
import { digestOf } from '@cartulary/runtime';
import { LRUCache } from 'lru-cache';
import type { Layer } from '../../layers/layers.js';
import { countMatches, type ObjectQuery } from '../../objects/store.js';

/** Up to this many features are counted: with conditions, and without. */
const countLimits = { conditional: 10_000, all: 1_000_000 };

/** The selection and the version of the data → number of features; more than are counted: Infinity. */
const countsOf = perDatabase(() => new LRUCache<string, number>({ max: 10_000 }));

/**
 * The number of features that a selection matches, where it is cheap: it is counted once for each version of the data.
 * undefined: there are too many.
 */
export async function matchedCount(
  db: Database,
  layer: Layer,
  { query, selection }: { query: ObjectQuery; selection: string },
  signal: AbortSignal,
): Promise<number | undefined> {
  // A selection may have a filter of a megabyte.
  const key = digestOf(`${layer.id}/${layer.data_version}/${layer.structure}/${selection}`);
  const counts = countsOf(db);
  let count = counts.get(key);
  if (count === undefined) {
    const limit = query.filter || query.boxes ? countLimits.conditional : countLimits.all;
    const found = await countMatches(db.heavy, layer, { query, limit: limit + 1 }, signal);
    count = found > limit ? Number.POSITIVE_INFINITY : found;
    counts.set(key, count);
  }
  return Number.isFinite(count) ? count : undefined;
}
