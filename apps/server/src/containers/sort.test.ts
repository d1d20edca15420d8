import assert from 'node:assert/strict';
import test from 'node:test';
import { arrange } from './sort.js';

/** The siblings with their sorts, the sort of `0` before (none: new), its wanted sort, the order after. */
const cases: [
  others: [id: number, sort: number][],
  before: number | undefined,
  sort: number | undefined,
  number[],
][] = [
  [[], undefined, undefined, [0]],
  [[], undefined, 7, [0]],
  [
    [
      [1, 1],
      [2, 2],
    ],
    undefined,
    undefined,
    [1, 2, 0],
  ],
  [
    [
      [1, 1],
      [2, 2],
    ],
    undefined,
    1,
    [0, 1, 2],
  ],
  [
    [
      [1, 1],
      [2, 2],
    ],
    undefined,
    2,
    [1, 0, 2],
  ],
  [
    [
      [1, 1],
      [2, 2],
    ],
    undefined,
    3,
    [1, 2, 0],
  ],
  [
    [
      [1, 1],
      [2, 2],
    ],
    undefined,
    1.5,
    [1, 0, 2],
  ],
  [
    [
      [1, 1],
      [2, 2],
    ],
    undefined,
    0,
    [0, 1, 2],
  ],
  [
    [
      [1, 1],
      [2, 2],
    ],
    undefined,
    -1e300,
    [0, 1, 2],
  ],
  [
    [
      [1, 1],
      [2, 2],
    ],
    undefined,
    1e300,
    [1, 2, 0],
  ],
  // up
  [
    [
      [1, 1],
      [2, 2],
    ],
    3,
    1,
    [0, 1, 2],
  ],
  [
    [
      [1, 1],
      [2, 2],
    ],
    3,
    1.5,
    [1, 0, 2],
  ],
  [
    [
      [1, 1],
      [2, 2],
    ],
    3,
    2,
    [1, 0, 2],
  ],
  // down
  [
    [
      [1, 2],
      [2, 3],
    ],
    1,
    2,
    [1, 0, 2],
  ],
  [
    [
      [1, 2],
      [2, 3],
    ],
    1,
    2.5,
    [1, 0, 2],
  ],
  [
    [
      [1, 2],
      [2, 3],
    ],
    1,
    3,
    [1, 2, 0],
  ],
  // unchanged
  [
    [
      [1, 1],
      [2, 3],
    ],
    2,
    2,
    [1, 0, 2],
  ],
  [
    [
      [1, 1],
      [2, 3],
    ],
    2,
    2.5,
    [1, 0, 2],
  ],
  [
    [
      [1, 1],
      [2, 3],
    ],
    2,
    1.5,
    [1, 0, 2],
  ],
];

for (const [others, before, sort, expected] of cases) {
  test(`sort ${sort} among ${JSON.stringify(others)}, before ${before}`, () => {
    const siblings = others.map(([id, place]) => ({ id, sort: place }));
    assert.deepEqual(arrange(siblings, { id: 0, before }, sort), expected);
  });
}

test('a whole number is the place that comes out, wherever it was', () => {
  for (let from = 1; from <= 5; from++) {
    for (let to = 1; to <= 5; to++) {
      const siblings = [1, 2, 3, 4, 5].filter((n) => n !== from).map((n) => ({ id: n, sort: n }));
      assert.equal(arrange(siblings, { id: from, before: from }, to).indexOf(from) + 1, to);
    }
  }
});
