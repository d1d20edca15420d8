import type { Container } from '../containers/containers.js';
import type { Column } from '../layers/layers.js';
import type { Priority } from './words.js';

interface Hit {
  priority: Priority;
  layer: Container;
  /** What matched, as it is compared: results of the same priority and type come in its order. */
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
}

const rowOf = (hit: LayerHit | ObjectHit): number => (hit.type === 'layer' ? hit.layer.id : hit.id);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Results by priority, then layers before objects, then by value; what is alike stands by the order of sources and ids. */
export const inOrder = (hits: readonly (LayerHit | ObjectHit)[]): (LayerHit | ObjectHit)[] =>
  [...hits].sort(
    (a, b) =>
      b.priority - a.priority ||
      compare(a.type, b.type) ||
      compare(a.text, b.text) ||
      compare(shownOf(a), shownOf(b)) ||
      (a.layer.id === b.layer.id ? rowOf(a) - rowOf(b) : 0),
  );

const shownOf = (hit: LayerHit | ObjectHit): string => (hit.type === 'layer' ? hit.name : hit.value);
