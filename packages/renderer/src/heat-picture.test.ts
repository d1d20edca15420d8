import assert from 'node:assert/strict';
import test from 'node:test';
import { boxHalf, densities, heatPixels, heatTable } from './heat-picture.js';

const grid = { x: 100, y: 50, columns: 61, rows: 61 };
const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);
const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.abs(expected), `${actual}, not ${expected}`);

test('spreading keeps the weight, is as wide as the radius, and is additive', () => {
  for (const radius of [2, 6, 10]) {
    const one = densities([{ x: 130, y: 80, weight: 3, radius }], grid);
    near(sum(one) / radius ** 2, 3);
    let spread = 0;
    for (const [i, value] of one.entries()) spread += (value / radius ** 2 / 3) * ((i % 61) - 30) ** 2;
    const half = boxHalf(radius / 2);
    near(spread, (3 * ((2 * half + 1) ** 2 - 1)) / 12);
    assert.ok(Math.abs(Math.sqrt(spread) - radius / 2) < 0.5, `deviation ${Math.sqrt(spread)}`);
    assert.equal(one.indexOf(Math.max(...one)), 30 * 61 + 30);
    const two = densities(
      [
        { x: 130, y: 80, weight: 1, radius },
        { x: 130, y: 80, weight: 2, radius },
        { x: 0, y: 0, weight: 9, radius },
      ],
      grid,
    );
    for (const [i, value] of one.entries()) assert.ok(Math.abs(value - two[i]!) < 1e-9);
  }
});

test('an even field of points has the density of a square as wide as the radius', () => {
  const cells = Array.from({ length: 61 * 61 }, (_, i) => ({
    x: 100 + (i % 61),
    y: 50 + Math.floor(i / 61),
    weight: 0.5,
    radius: 6,
  }));
  near(densities(cells, grid)[30 * 61 + 30]!, 0.5 * 36);
});

test('weights of different radii are spread separately', () => {
  const small = { x: 110, y: 60, weight: 1, radius: 2 };
  const large = { x: 145, y: 95, weight: 4, radius: 8 };
  const both = densities([small, large], grid);
  const [a, b] = [densities([small], grid), densities([large], grid)];
  for (const [i, value] of both.entries()) assert.ok(Math.abs(value - a[i]! - b[i]!) < 1e-9);
});

test('colours go from transparent to the last, which densities above the peak keep', () => {
  const table = heatTable({ colors: ['#0000ff', '#ff0000'], opacity: 1 });
  assert.deepEqual([...table.subarray(0, 4)], [0, 0, 0, 0]);
  assert.deepEqual([...table.subarray(4 * 255)], [255, 0, 0, 255]);
  assert.deepEqual(
    [...heatTable({ colors: ['#ffffff', '#ffffff'], opacity: 0.5 }).subarray(4 * 255)],
    [128, 128, 128, 128],
  );
  const values = new Float64Array(4).fill(99);
  const frame = { x: 0, y: 0, perPixel: 0.5, width: 4, height: 4 };
  const pixels = heatPixels(values, { x: 0, y: 0, columns: 2, rows: 2 }, frame, { table, peak: 10 });
  for (let i = 0; i < 16; i++) assert.deepEqual([...pixels.subarray(4 * i, 4 * i + 4)], [255, 0, 0, 255]);
});

test('a density that is no number stays transparent', () => {
  const table = heatTable({ colors: ['#0000ff', '#ff0000'], opacity: 1 });
  const values = new Float64Array(4).fill(99);
  values[0] = Number.NaN;
  const frame = { x: 0, y: 0, perPixel: 0.5, width: 4, height: 4 };
  const pixels = heatPixels(values, { x: 0, y: 0, columns: 2, rows: 2 }, frame, { table, peak: 10 });
  assert.deepEqual([...pixels.subarray(0, 4)], [0, 0, 0, 0]);
  assert.deepEqual([...pixels.subarray(-4)], [255, 0, 0, 255]);
});
