/**
 * Limits of classes over the values of a column. `limits` are n + 1 ascending numbers for n classes: a class takes its lower
 * limit in and its upper one not, but for the last; the outermost are the least and the greatest value. No values: none.
 */

/** Values in groups that follow each other: no value is in two. */
export interface Bin {
  low: number;
  high: number;
  count: number;
  /** How many values are less than `high`. */
  beforeHigh: number;
  /** Sum of the values, and of their squares, from the middle between the least and the greatest of all. */
  sum: number;
  squares: number;
}

/** 1 equal intervals, 2 quantiles, 3 natural breaks. */
export type Algorithm = 1 | 2 | 3;

/** Groups over the count that the histogram of `count` quantiles has: their limits are among those of the groups. */
export const quantileBins = (classes: number): number => classes * Math.ceil(1024 / classes);

/** Groups over the range of the values, beside those over their count. */
export const rangeBins = 1024;

/** Limits of at most `classes` classes. */
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

/** The class of a value, from 1; 0 for what is no finite number. The same as the service's SQL says. */
export function classOf(limits: readonly number[], value: number | null): number {
  if (value === null || !Number.isFinite(value) || limits.length < 2) return 0;
  return 1 + limits.slice(1, -1).filter((limit) => value >= limit).length;
}

function equalBreaks(classes: number, low: number, high: number): number[] {
  if (low === high) return [];
  return Array.from({ length: classes - 1 }, (_, i) => low + ((high - low) * (i + 1)) / classes);
}

/**
 * The value that divides the objects nearest to `i / classes`: equal values stay together, so that of the value at the
 * place and the next one that counts before which fewer objects are displaced.
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
 * Natural breaks: the division with the least sum of squared deviations from the means of the classes (W. D. Fisher, "On
 * grouping for maximum homogeneity", 1958), which is what Jenks's method looks for. Exact over the groups; the best place
 * of a limit rises with the value at the end, so each row is found by halving (O(classes · n · log n)).
 */
function naturalBreaks(classes: number, bins: readonly Bin[]): number[] {
  const n = bins.length;
  const count = running(bins.map((bin) => bin.count));
  const sum = running(bins.map((bin) => bin.sum));
  const squares = running(bins.map((bin) => bin.squares));
  /** Squared deviations within the groups from `i` to before `j`. */
  const cost = (i: number, j: number): number => {
    const s = sum[j]! - sum[i]!;
    return Math.max(0, squares[j]! - squares[i]! - (s * s) / (count[j]! - count[i]!));
  };
  const used = Math.min(classes, n);
  let best = Array.from({ length: n + 1 }, (_, j) => (j ? cost(0, j) : 0));
  const begins: Int32Array[] = [];
  for (let k = 2; k <= used; k++) {
    const [next, begin] = [new Array<number>(n + 1).fill(0), new Int32Array(n + 1)];
    fillRow({ best, next, begin, cost }, { from: k, to: n, least: k - 1, most: n - 1 });
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

/** The ends `from` to `to`, whose last class begins from `least` to `most`. */
function fillRow(row: Row, part: { from: number; to: number; least: number; most: number }): void {
  const { from, to, least, most } = part;
  if (from > to) return;
  const end = (from + to) >> 1;
  let [lowest, at] = [Number.POSITIVE_INFINITY, least];
  for (let i = least; i <= Math.min(most, end - 1); i++) {
    const found = row.best[i]! + row.cost(i, end);
    if (found < lowest) [lowest, at] = [found, i];
  }
  row.next[end] = lowest;
  row.begin[end] = at;
  fillRow(row, { from, to: end - 1, least, most: at });
  fillRow(row, { from: end + 1, to, least: at, most });
}

function running(values: readonly number[]): number[] {
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1)! + value);
  return sums;
}
