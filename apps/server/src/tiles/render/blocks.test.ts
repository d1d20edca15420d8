import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { blockAround, placesIn, type TilePlace } from './blocks.js';

const view = (columns: number, rows: number): TilePlace[] => placesIn({ x: 3, y: 5, columns, rows });

test('a block contains waiting neighbours, and few other tiles', () => {
  const limits = { maxTiles: 20, maxDrawnPerAsked: 2 };
  const at = (places: TilePlace[]) => blockAround(places[0]!, places, limits);
  assert.deepEqual(at(view(1, 1)), { x: 3, y: 5, columns: 1, rows: 1 });
  assert.deepEqual(at(view(5, 4)), { x: 3, y: 5, columns: 5, rows: 4 });
  assert.deepEqual(at(view(5, 2).slice(0, 6)), { x: 3, y: 5, columns: 5, rows: 2 }, 'a row and one more');
  assert.deepEqual(at([...view(2, 2), { x: 90, y: 5 }]), { x: 3, y: 5, columns: 2, rows: 2 });
  assert.deepEqual(blockAround({ x: 3, y: 5 }, view(5, 4), { maxTiles: 1, maxDrawnPerAsked: 2 }), {
    x: 3,
    y: 5,
    columns: 1,
    rows: 1,
  });
});

test('for all waiting tiles, a block contains the first one and keeps both limits', () => {
  const place = fc.record({ x: fc.nat(12), y: fc.nat(12) });
  const limits = fc.record({
    maxTiles: fc.integer({ min: 1, max: 30 }),
    maxDrawnPerAsked: fc.constantFrom(1, 1.5, 2),
  });
  const places = fc.uniqueArray(place, { minLength: 1, maxLength: 40, selector: ({ x, y }) => `${x}/${y}` });
  fc.assert(
    fc.property(places, limits, (waiting, given) => {
      const first = waiting[0]!;
      const inBlock = placesIn(blockAround(first, waiting, given));
      const isIn = ({ x, y }: TilePlace): boolean => inBlock.some((one) => one.x === x && one.y === y);
      assert.ok(isIn(first));
      assert.ok(inBlock.length <= given.maxTiles);
      assert.ok(inBlock.length <= given.maxDrawnPerAsked * waiting.filter(isIn).length);
    }),
  );
});
