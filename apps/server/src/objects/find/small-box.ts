import { perDatabase, type Queryable } from '@cartulary/database';
import { LRUCache } from 'lru-cache';
import type { Layer } from '../../layers/layers.js';
import type { ObjectQuery } from '../query/query.js';

/** Up to this many objects in a box, planning a list's statement takes a good part of its time. */
const denseBoxThreshold = 5_000;

/** Number of layers whose box limits are remembered. */
const layerLimit = 10_000;

/** By layer: the area of the smallest box with more objects than the limit, square degrees. */
const denseBoxAreasOf = perDatabase(() => new LRUCache<number, number>({ max: layerLimit }));

/**
 * Lists the objects of a small box by a prepared statement with a generic plan: the spatial index finds the few objects,
 * which are then sorted. `ask` reads at most one more than `gatherLimit` objects and returns their number as `inside`. Returns
 * undefined for a list of another kind and for a box with too many objects; boxes of that area then get plans of their own.
 */
export async function inSmallBox<Answer extends { inside: number }>(
  db: Queryable,
  layer: Pick<Layer, 'id'>,
  query: ObjectQuery,
  ask: (gatherLimit: number) => Promise<Answer>,
): Promise<Answer | undefined> {
  const area = areaOf(query);
  const known = denseBoxAreasOf(db);
  if (area === undefined || area >= (known.get(layer.id) ?? Number.POSITIVE_INFINITY)) return undefined;
  const answer = await ask(denseBoxThreshold);
  if (answer.inside <= denseBoxThreshold) return answer;
  known.set(layer.id, area);
  return undefined;
}

/** The area of the boxes of a list by ids that has no other condition and a small limit, square degrees. */
function areaOf({ boxes, equals, filter, sort, cursor, offset, limit }: ObjectQuery): number | undefined {
  if (!boxes || equals || filter || cursor || sort.length || offset + limit > denseBoxThreshold)
    return undefined;
  return boxes.reduce((sum, { west, south, east, north }) => sum + (east - west) * (north - south), 0);
}
