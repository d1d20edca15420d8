import { LRUCache } from 'lru-cache';
import type { LongReads } from '../db/pool.js';
import type { Layer } from '../layers/layers.js';
import type { ObjectQuery } from './query.js';

/** Objects in a box up to which to read and plan a list's statement takes a good part of its time. */
const few = 5_000;

/** Layers of which it is known which boxes are too large. */
const mostLayers = 10_000;

/** The area of the smallest box with more than a few objects, square degrees, by layers. */
const crowds = new WeakMap<LongReads, LRUCache<number, number>>();

function crowdsOf(db: LongReads): LRUCache<number, number> {
  const known = crowds.get(db) ?? new LRUCache<number, number>({ max: mostLayers });
  crowds.set(db, known);
  return known;
}

/**
 * Lists what a small box holds by a statement that the database keeps with one plan: the index over shapes leads to the few objects, which are
 * then put in order. `ask` looks at one more than `gather` objects at most, and says how many these were. undefined: the list is of another kind, or
 * there were more; boxes as large are not asked for so again, for a plan of their own is better.
 */
export async function inSmallBox<Answer extends { inside: number }>(
  db: LongReads,
  layer: Pick<Layer, 'id'>,
  query: ObjectQuery,
  ask: (gather: number) => Promise<Answer>,
): Promise<Answer | undefined> {
  const area = areaOf(query);
  const known = crowdsOf(db);
  if (area === undefined || area >= (known.get(layer.id) ?? Number.POSITIVE_INFINITY)) return undefined;
  const answer = await ask(few);
  if (answer.inside <= few) return answer;
  known.set(layer.id, area);
  return undefined;
}

/** That of the boxes of a list in the order of ids which has no other condition, and ends before there are many. */
function areaOf({ boxes, equals, filter, sort, cursor, offset, limit }: ObjectQuery): number | undefined {
  if (!boxes || equals || filter || cursor || sort.length || offset + limit > few) return undefined;
  return boxes.reduce((sum, { west, south, east, north }) => sum + (east - west) * (north - south), 0);
}
