import type { Column } from '@cartulary/columns';
import type { TreeContainer } from '../containers/tree.js';

import type { Priority } from './words.js';

interface Hit {
  priority: Priority;
  layer: TreeContainer;
  /** The matched value in its compared form. Results of the same priority and type are ordered by it. */
  text: string;
}

export interface LayerHit extends Hit {
  type: 'layer';
  name: string;
}

export interface ObjectHit extends Hit {
  type: 'object';
  /** The object's id in its layer. */
  id: number;
  name: unknown;
  nameColumn: Column;
  column: Column;
  value: string;
  /** The values of all searched columns; null where the object has none. */
  searched: readonly { column: Column; value: string | null }[];
}

const rowOf = (hit: LayerHit | ObjectHit): number => (hit.type === 'layer' ? hit.layer.id : hit.id);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Orders results by priority, then layers before objects, then by value; equal ones by source and id. */
export const orderedHits = (hits: readonly (LayerHit | ObjectHit)[]): (LayerHit | ObjectHit)[] =>
  [...hits].sort(
    (a, b) =>
      b.priority - a.priority ||
      compare(a.type, b.type) ||
      compare(a.text, b.text) ||
      compare(shownOf(a), shownOf(b)) ||
      (a.layer.id === b.layer.id ? rowOf(a) - rowOf(b) : 0),
  );

const shownOf = (hit: LayerHit | ObjectHit): string => (hit.type === 'layer' ? hit.name : hit.value);
