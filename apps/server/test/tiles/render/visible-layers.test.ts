import assert from 'node:assert/strict';
import test from 'node:test';
import { below, makeTree } from '../../../src/containers/tree.js';
import type { MapContent, SourceLayer, TreeNode } from '../../../src/tiles/plan/map-content.js';
import { visibleLayers } from '../../../src/tiles/plan/visible-layers.js';

const node = (id: number, parent_id: number, container_id = id, selected = true): TreeNode => ({
  id,
  parent_id,
  container_id,
  selected,
});

/** The map has the layers 11 to 14, and the folders 21 (with 12 and 22) and 22 (with 13). */
const layers = new Map([11, 12, 13, 14].map((id) => [id, { id } as SourceLayer]));
const whole = makeTree([node(11, 0), node(21, 0), node(12, 21), node(22, 21), node(13, 22), node(14, 0)]);
const unsaved: MapContent = { css_style: '', icons: new Map(), layers, whole, published: whole };
/** Item 1: folder 21 with 2 (layer 13) and 3 (layer 12, not selected); 4: layer 11; 12: layer 14, whose item id is also a layer's id. */
const published = makeTree([
  node(1, 0, 21),
  node(2, 1, 13),
  node(3, 1, 12, false),
  node(4, 0, 11),
  node(12, 0, 14),
]);
const saved: MapContent = { ...unsaved, published };
const all = new Set([11, 12, 13, 14]);

const cases: [string, number[] | undefined, MapContent, Set<number>, number[]][] = [
  [
    'absent, before a tree was saved: all, the first of the tree on top',
    undefined,
    unsaved,
    all,
    [14, 13, 12, 11],
  ],
  ['absent: the selected of the saved tree', undefined, saved, all, [14, 11, 13]],
  ['absent: without what may not be viewed', undefined, saved, new Set([12, 13]), [13]],
  ['none', [], saved, all, []],
  ['layers in the order in which they are named', [13, 11, 14], saved, all, [13, 11, 14]],
  ['a layer that is named twice is drawn once', [13, 11, 13], saved, all, [13, 11]],
  ['items', [4, 2], saved, all, [11, 13]],
  ['an item that is not selected', [3], saved, all, [12]],
  ['an id that is both is the layer', [12], saved, all, [12]],
  ['an item of a folder: what lies below it in the saved tree', [1], saved, all, [12, 13]],
  ['a folder that is no item: its layers in the map, also in folders below', [21], saved, all, [13, 12]],
  ['a folder between layers', [14, 21, 11], unsaved, all, [14, 13, 12, 11]],
  ['a folder without what may not be viewed', [21], unsaved, new Set([12]), [12]],
];

for (const [name, named, content, viewable, expected] of cases) {
  test(name, () => assert.deepEqual(visibleLayers(named, viewable, content), expected));
}

test('an id that is not in the map is 400, a layer that may not be viewed 403, named by itself or by its item', () => {
  assert.throws(() => visibleLayers([11, 99], all, saved), {
    status: 400,
    data: { parameters: ['layers'], layer: 99 },
  });
  for (const id of [13, 2]) {
    assert.throws(() => visibleLayers([11, id], new Set([11]), saved), { status: 403, code: 'forbidden' });
  }
});

test('large trees, wide and deep, are walked in their order', () => {
  const size = 200_000;
  const wide = makeTree(Array.from({ length: size }, (_, i) => node(i + 1, 0)));
  const deep = makeTree(Array.from({ length: size }, (_, i) => node(i + 1, i)));
  const ids = Array.from({ length: size }, (_, i) => i + 1);
  for (const tree of [wide, deep])
    assert.deepEqual(
      below(tree, 0).map(({ id }) => id),
      ids,
    );
});
