import assert from 'node:assert/strict';
import test from 'node:test';
import { History } from './history.js';

const here = [0, 0, 1, 1] as const;
const there = [5, 5, 6, 6] as const;

test('a box is touched by versions after the given one', () => {
  const history = new History();
  history.extend([{ version: 1, box: here }], 1);
  history.extend(
    [
      { version: 2, box: there },
      { version: 2, box: [5, 0, 6, 1] },
      { version: 3, box: null },
      { version: 4, box: here },
    ],
    4,
  );
  assert.equal(history.known, 4);
  const touched = (box: readonly [number, number, number, number]): boolean[] =>
    [0, 1, 2, 3, 4].map((since) => history.hasTouched(since, box));
  assert.deepEqual(touched(here), [true, true, true, true, false]);
  assert.deepEqual(touched(there), [true, true, false, false, false]);
  assert.deepEqual(touched([1, 1, 5, 5]), [true, true, true, true, false], 'edges touch');
  assert.deepEqual(touched([2, 2, 3, 3]), [false, false, false, false, false]);
});

test('a missing version counts as a change of everything', () => {
  const history = new History();
  history.extend([{ version: 5, box: here }], 7);
  const far = [50, 50, 51, 51] as const;
  assert.deepEqual(
    [0, 3, 4, 5, 6, 7].map((since) => history.hasTouched(since, far)),
    [true, true, true, true, true, false],
  );
  history.extend(
    [
      { version: 8, box: here },
      { version: 10, box: there },
    ],
    8,
  );
  assert.equal(history.known, 10, 'a later one that came with it');
  assert.deepEqual(
    [8, 9].map((since) => history.hasTouched(since, far)),
    [true, false],
  );
});

test('beyond the limit the older half becomes one change of everything', () => {
  const history = new History();
  const count = 40_000;
  const changes = Array.from({ length: count }, (_, i) => ({ version: i + 1, box: here }));
  history.extend(changes, count);
  assert.ok(history.size < 1_500_000, `${history.size} bytes`);
  assert.equal(history.hasTouched(0, there), true);
  assert.equal(history.hasTouched(count - 1000, there), false);
  assert.equal(history.hasTouched(count - 1000, here), true);
});
