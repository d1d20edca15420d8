import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { blockAround, type Place, placesIn } from './blocks.js';

const view = (columns: number, rows: number): Place[] => placesIn({ x: 3, y: 5, columns, rows });

test('a block holds the neighbours that wait, and few that do not', () => {
  const limits = { most: 20, spare: 2 };
  const at = (places: Place[]) => blockAround(places[0]!, places, limits);
  assert.deepEqual(at(view(1, 1)), { x: 3, y: 5, columns: 1, rows: 1 });
  assert.deepEqual(at(view(5, 4)), { x: 3, y: 5, columns: 5, rows: 4 });
  assert.deepEqual(at(view(5, 2).slice(0, 6)), { x: 3, y: 5, columns: 5, rows: 2 }, 'a row and one more');
  assert.deepEqual(at([...view(2, 2), { x: 90, y: 5 }]), { x: 3, y: 5, columns: 2, rows: 2 });
  assert.deepEqual(blockAround({ x: 3, y: 5 }, view(5, 4), { most: 1, spare: 2 }), {
    x: 3,
    y: 5,
    columns: 1,
    rows: 1,
  });
});

test('whatever waits: the first is in the block, it is as large as allowed, and no more are spare', () => {
  const place = fc.record({ x: fc.nat(12), y: fc.nat(12) });
  const limits = fc.record({ most: fc.integer({ min: 1, max: 30 }), spare: fc.constantFrom(1, 1.5, 2) });
  const places = fc.uniqueArray(place, { minLength: 1, maxLength: 40, selector: ({ x, y }) => `${x}/${y}` });
  fc.assert(
    fc.property(places, limits, (waiting, given) => {
      const first = waiting[0]!;
      const inBlock = placesIn(blockAround(first, waiting, given));
      const isIn = ({ x, y }: Place): boolean => inBlock.some((one) => one.x === x && one.y === y);
      assert.ok(isIn(first));
      assert.ok(inBlock.length <= given.most);
      assert.ok(inBlock.length <= given.spare * waiting.filter(isIn).length);
    }),
  );
});
