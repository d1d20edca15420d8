import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type Bin, classLimits, classOf } from './classes.js';

/** Each value a group, as the database gives them when there are few. */
function binsOf(values: readonly number[]): Bin[] {
  const sorted = [...values].sort((a, b) => a - b);
  return [...new Set(sorted)].map((value) => {
    const count = sorted.filter((one) => one === value).length;
    const beforeHigh = sorted.indexOf(value);
    return { low: value, high: value, count, beforeHigh, mean: value };
  });
}

const squaresOf = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
};

const within = (limits: readonly number[], values: readonly number[]): number[][] => {
  const classes: number[][] = limits.slice(1).map(() => []);
  for (const value of values) classes[classOf(limits, value) - 1]!.push(value);
  return classes;
};

/** Squared deviations within the classes. */
const deviation = (limits: readonly number[], values: readonly number[]): number =>
  within(limits, values)
    .filter((members) => members.length)
    .reduce((sum, members) => sum + squaresOf(members), 0);

/** Every way to divide sorted different values into `count` runs, as lower limits. */
function* divisions(distinct: readonly number[], count: number): Generator<number[]> {
  if (count === 1) yield [];
  else
    for (let i = 1; i <= distinct.length - count + 1; i++)
      for (const rest of divisions(distinct.slice(i), count - 1)) yield [distinct[i]!, ...rest];
}

/** No -0: 0 and -0 are the same value, whichever of them is the limit. */
const withoutSign = (value: number): number => value + 0;

const values = fc.array(
  fc.oneof(
    fc.integer({ min: -50, max: 50 }),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }).map(withoutSign),
  ),
  {
    minLength: 1,
    maxLength: 12,
  },
);
const classes = fc.integer({ min: 1, max: 5 });

for (const algorithm of [1, 2, 3] as const)
  test(`limits ascend from the minimum to the maximum, and each value has a class (algorithm ${algorithm})`, () => {
    fc.assert(
      fc.property(values, classes, (sample, count) => {
        const limits = classLimits(algorithm, count, binsOf(sample));
        assert.equal(limits[0], Math.min(...sample));
        assert.equal(limits.at(-1), Math.max(...sample));
        assert.ok(limits.length >= 2 && limits.length <= count + 1);
        assert.ok(limits.slice(1, -1).every((limit, i) => limit > limits[i]!));
        for (const value of sample)
          assert.ok(classOf(limits, value) >= 1 && classOf(limits, value) < limits.length);
        // Quantiles and natural breaks leave no class empty.
        if (algorithm > 1) assert.ok(within(limits, sample).every((members) => members.length));
      }),
    );
  });

test('natural breaks are the best of all divisions', () => {
  fc.assert(
    fc.property(values, classes, (sample, count) => {
      const distinct = [...new Set(sample)].sort((a, b) => a - b);
      const used = Math.min(count, distinct.length);
      const limits = classLimits(3, count, binsOf(sample));
      assert.equal(limits.length - 1, used);
      let least = Number.POSITIVE_INFINITY;
      for (const inner of divisions(distinct, used))
        least = Math.min(least, deviation([distinct[0]!, ...inner, distinct.at(-1)!], sample));
      const spread = squaresOf(sample);
      assert.ok(
        deviation(limits, sample) <= least + 1e-9 * spread,
        `${deviation(limits, sample)} > ${least}`,
      );
    }),
  );
});

test('a value far away takes nothing from the natural breaks of the others', () => {
  const near = Array.from({ length: 20 }, (_, i) => i);
  for (const far of [1e12, -1e12, 9e15])
    assert.deepEqual(
      classLimits(3, 5, binsOf([...near, far])).filter((limit) => limit !== far),
      far > 0 ? [0, 5, 10, 15] : [0, 5, 10, 15, 19],
    );
});

test('a quantile is the division nearest to the wanted share', () => {
  fc.assert(
    fc.property(values, classes, (sample, count) => {
      const limits = classLimits(2, count, binsOf(sample));
      const distinct = [...new Set(sample)].sort((a, b) => a - b);
      const less = (limit: number): number => sample.filter((value) => value < limit).length;
      for (let k = 1; k < count; k++) {
        const target = (k * sample.length) / count;
        const best = Math.min(...distinct.map((limit) => Math.abs(less(limit) - target)));
        const found = [limits[0]!, ...limits.slice(1, -1)].map((limit) => Math.abs(less(limit) - target));
        assert.ok(Math.min(...found) <= best + 1e-9);
      }
    }),
  );
});

test('equal intervals are equally wide', () => {
  assert.deepEqual(classLimits(1, 4, binsOf([0, 3, 8])), [0, 2, 4, 6, 8]);
  assert.deepEqual(classLimits(1, 2, binsOf([-10, 30])), [-10, 10, 30]);
});

test('no values, all equal, one value, fewer values than classes, many equal', () => {
  for (const algorithm of [1, 2, 3] as const) {
    assert.deepEqual(classLimits(algorithm, 5, []), []);
    assert.deepEqual(classLimits(algorithm, 5, binsOf([7, 7, 7])), [7, 7]);
    assert.equal(classOf([7, 7], 7), 1);
  }
  assert.deepEqual(classLimits(3, 5, binsOf([1, 2, 2])), [1, 2, 2]);
  assert.deepEqual(classLimits(2, 2, binsOf([1, 2, 3, 4])), [1, 3, 4]);
  assert.deepEqual(classLimits(2, 3, binsOf([0, 0, 0, 0, 0, 0, 0, 0, 5, 9])), [0, 5, 9]);
  assert.deepEqual(classLimits(3, 2, binsOf([1, 2, 3, 100, 101])), [1, 100, 101]);
});

test('the first class has no lower bound, the last no upper bound; NaN has no class', () => {
  const limits = [0, 10, 20];
  assert.deepEqual(
    [-5, 0, 9.99, 10, 20, 1e9].map((value) => classOf(limits, value)),
    [1, 1, 1, 2, 2, 2],
  );
  assert.deepEqual(
    [null, Number.NaN, Number.POSITIVE_INFINITY].map((value) => classOf(limits, value)),
    [0, 0, 0],
  );
});
