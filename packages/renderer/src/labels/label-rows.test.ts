import assert from 'node:assert/strict';
import test from 'node:test';
import { between, LabelRows, within } from './label-rows.js';

function read(...rows: readonly (readonly string[])[]): object[] {
  const labels = new LabelRows(rows.map((parts) => parts.join(within)).join(between));
  const found: object[] = [];
  while (labels.next()) {
    const { places, hasPosition, x, y, kind, text, claims, order } = labels;
    found.push({ at: hasPosition ? [x, y] : places, kind, text, claims, order });
  }
  return found;
}

test('labels at positions, at places of other forms, with and without further parts', () => {
  assert.deepEqual(
    read(['12345678901 -7', '0', 'a\nb'], ['POINT(1.5 -2)', '3', ''], ['', '1', 'x', 'MULTIPOINT(1 2,3 4)']),
    [
      { at: [12_345_678_901, -7], kind: 0, text: 'a\nb', claims: '', order: 0 },
      { at: 'POINT(1.5 -2)', kind: 3, text: '', claims: '', order: 0 },
      { at: '', kind: 1, text: 'x', claims: 'MULTIPOINT(1 2,3 4)', order: 0 },
    ],
  );
});

test('the order of labels, which may be large or negative', () => {
  assert.deepEqual(read(['-1 2', '11', 'Ё 漢', '', '9007199254740991'], ['@abc=', '0', '', '', '-5']), [
    { at: [-1, 2], kind: 11, text: 'Ё 漢', claims: '', order: 9_007_199_254_740_991 },
    { at: '@abc=', kind: 0, text: '', claims: '', order: -5 },
  ]);
  assert.deepEqual(read([]), []);
});

test('labels at unwanted positions are passed over', () => {
  const rows = [5, 1, 2, 6].map((x) => [`${x} ${-x}`, '0', `at ${x}`, '', `${10 * x}`].join(within));
  const labels = new LabelRows(rows.join(between));
  const found: object[] = [];
  while (labels.next((x, y) => x < 5 && y < 0)) found.push([labels.text, labels.order]);
  assert.deepEqual(found, [
    ['at 1', 10],
    ['at 2', 20],
  ]);
});
