/**
 * Class limits over the values of a column. n classes have n + 1 ascending limits. A class includes its lower limit and
 * excludes its upper limit, except the last class. The outermost limits are the minimum and maximum. Without values there
 * are no limits.
 */

/** A group of consecutive values. Groups are disjoint. */
export interface Bin {
  low: number;
  high: number;
  count: number;
  /** Number of values below `high`. */
  beforeHigh: number;
  /** Mean of the values. */
  mean: number;
}

/** 1 equal intervals, 2 quantiles, 3 natural breaks. */
export type Algorithm = 1 | 2 | 3;

/** Number of groups of equal count, a multiple of the number of classes: limits of quantiles are limits of groups. */
export const quantileBins = (classes: number): number => classes * Math.ceil(1024 / classes);

/** Number of groups of equal width over the range of the values. */
export const rangeBins = 1024;

/** The limits of at most `classes` classes. */
export function classLimits(algorithm: Algorithm, classes: number, bins: readonly Bin[]): number[] {
  const [first, last] = [bins[0], bins.at(-1)];
  if (!first || !last) return [];
  const inner =
    algorithm === 1
      ? equalBreaks(classes, first.low, last.high)
      : algorithm === 2
        ? quantileBreaks(classes, bins)
        : naturalBreaks(classes, bins);
  const between = inner.filter((limit) => limit > first.low && limit <= last.high);
  return [first.low, ...new Set(between), last.high];
}

/** The class of a value from 1, or 0 if it is not a finite number. Equal to `classByLimits` (`class-sql.ts`). */
export function classOf(limits: readonly number[], value: number | null): number {
  if (value === null || !Number.isFinite(value) || limits.length < 2) return 0;
  return 1 + limits.slice(1, -1).filter((limit) => value >= limit).length;
}

function equalBreaks(classes: number, low: number, high: number): number[] {
  if (low === high) return [];
  return Array.from({ length: classes - 1 }, (_, i) => low + ((high - low) * (i + 1)) / classes);
}

/**
 * The values that divide the objects closest to `i / classes`. Equal values stay together: of the value at the position and
 * the next one, the limit is the one that displaces fewer objects.
 */
function quantileBreaks(classes: number, bins: readonly Bin[]): number[] {
  const total = bins.reduce((sum, bin) => sum + bin.count, 0);
  return Array.from({ length: classes - 1 }, (_, i) => {
    const target = ((i + 1) * total) / classes;
    let before = 0;
    let at = 0;
    while (at < bins.length && before < target) before += bins[at++]!.count;
    const previous = bins[at - 1]!;
    const next = bins[at];
    const isNearer = next === undefined || target - previous.beforeHigh < before - target;
    return isNearer ? previous.high : next.low;
  });
}

/**
 * Natural breaks: the division with the minimum sum of squared deviations from the class means (W. D. Fisher, "On grouping
 * for maximum homogeneity", 1958), the aim of Jenks's method. It is exact over the groups, whose values count as their mean:
 * deviations within a group are the same in every division. The best position of a limit increases with the end of the class, so
 * divide and conquer finds each row: O(classes · n · log n).
 */
function naturalBreaks(classes: number, bins: readonly Bin[]): number[] {
  const n = bins.length;
  // Sums grow from the middle outwards: a value far away, such as 999999999 for none, takes no digits from those of others.
  const middle = n >> 1;
  const distances = bins.map(({ mean }) => mean - bins[middle]!.mean);
  const count = running(
    bins.map((bin) => bin.count),
    middle,
  );
  const sum = running(
    bins.map((bin, i) => bin.count * distances[i]!),
    middle,
  );
  const squares = running(
    bins.map((bin, i) => bin.count * distances[i]! ** 2),
    middle,
  );
  /** Squared deviations within the groups `i` to `j - 1`. */
  const cost = (i: number, j: number): number => {
    const s = sum[j]! - sum[i]!;
    return Math.max(0, squares[j]! - squares[i]! - (s * s) / (count[j]! - count[i]!));
  };
  const used = Math.min(classes, n);
  let best = Array.from({ length: n + 1 }, (_, j) => (j ? cost(0, j) : 0));
  const begins: Int32Array[] = [];
  for (let k = 2; k <= used; k++) {
    const [next, begin] = [new Array<number>(n + 1).fill(0), new Int32Array(n + 1)];
    fillRow({ best, next, begin, cost }, { from: k, to: n, low: k - 1, high: n - 1 });
    begins.push(begin);
    best = next;
  }
  const breaks: number[] = [];
  for (let k = used - 2, end = n; k >= 0; k--) {
    end = begins[k]![end]!;
    breaks.unshift(bins[end]!.low);
  }
  return breaks;
}

interface Row {
  best: readonly number[];
  next: number[];
  begin: Int32Array;
  cost: (i: number, j: number) => number;
}

/** Fills the ends `from` to `to`. Their last class begins between `low` and `high`. */
function fillRow(row: Row, part: { from: number; to: number; low: number; high: number }): void {
  const { from, to, low, high } = part;
  if (from > to) return;
  const end = (from + to) >> 1;
  let [lowest, at] = [Number.POSITIVE_INFINITY, low];
  for (let i = low; i <= Math.min(high, end - 1); i++) {
    const found = row.best[i]! + row.cost(i, end);
    if (found < lowest) [lowest, at] = [found, i];
  }
  row.next[end] = lowest;
  row.begin[end] = at;
  fillRow(row, { from, to: end - 1, low, high: at });
  fillRow(row, { from: end + 1, to, low: at, high });
}

/** Sums whose differences are those of the values between; 0 at `from`. */
function running(values: readonly number[], from: number): number[] {
  const sums = new Array<number>(values.length + 1).fill(0);
  for (let i = from; i < values.length; i++) sums[i + 1] = sums[i]! + values[i]!;
  for (let i = from; i > 0; i--) sums[i - 1] = sums[i]! - values[i - 1]!;
  return sums;
}
