import assert from 'node:assert/strict';
import test from 'node:test';
import { flipRow, isInMatrix, maxZoom, tileExtent } from '@cartulary/geo/internal/tile.js';

const half = 20_037_508.342789244;

test('the extent of a tile, of the world and of a block', () => {
  assert.deepEqual(tileExtent(0, 0, 0), [-half, -half, half, half]);
  assert.deepEqual(tileExtent(1, 1, 0), [0, 0, half, half]);
  assert.deepEqual(tileExtent(2, 0, 0, 4, 4), tileExtent(0, 0, 0));
  assert.deepEqual(tileExtent(3, 0, 0, 4, 4), [-half, 0, 0, half]);
});

test('neighbours meet exactly, up to the deepest zoom', () => {
  for (const z of [1, 7, 18, maxZoom]) {
    const [x, y] = [Math.floor(0.7 * 2 ** z), Math.floor(0.3 * 2 ** z)];
    const [, south, east] = tileExtent(z, x, y);
    assert.equal(tileExtent(z, x + 1, y)[0], east);
    assert.equal(tileExtent(z, x, y + 1)[3], south);
  }
});

test('rows from the south and from the north', () => {
  assert.equal(flipRow(0, 3), 7);
  assert.equal(flipRow(flipRow(12_345, 20), 20), 12_345);
});

test('tiles outside of the matrix are refused', () => {
  const inside: [number, number, number][] = [
    [0, 0, 0],
    [1, 1, 1],
    [24, 2 ** 24 - 1, 2 ** 24 - 1],
  ];
  const outside: [number, number, number][] = [
    [0, 1, 0],
    [0, 0, 1],
    [1, 2, 0],
    [3, -1, 0],
    [3, 0, 8],
    [-1, 0, 0],
    [25, 0, 0],
  ];
  for (const [z, x, y] of inside) assert.ok(isInMatrix(z, x, y), `${z}/${x}/${y}`);
  for (const [z, x, y] of outside) assert.ok(!isInMatrix(z, x, y), `${z}/${x}/${y}`);
});
