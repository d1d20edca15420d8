import type { Options } from './options.js';

/** A row of the table: a figure of the service, alone or beside that of a peer. */
export interface Finding {
  work: string;
  /** Unit of `ours` and `theirs`. */
  unit: string;
  /** Medians over the rounds. */
  ours?: number;
  /** Name of the peer; absent: a figure without one. */
  peer?: string;
  theirs?: number;
  /** The value of each round that the target limits; usually the ratio of the service's speed to the peer's. */
  values: readonly number[];
  /** Unit of `values`; absent: a ratio. */
  valueUnit?: string;
  target?: Target;
}

/** A figure without a peer, in a table whose columns are sizes of layers or databases. */
export interface Figure {
  work: string;
  unit: string;
  column: string;
  value: number;
}

export type Target = { atLeast: number } | { below: number };

/** Measures one side in a round. Returns units per second. */
export type Side = (round: number) => Promise<number>;

export function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

export const geometricMean = (list: readonly number[]): number =>
  Math.exp(list.reduce((sum, value) => sum + Math.log(value), 0) / list.length);

/** The quantile of a list; `part` is between 0 and 1. */
export function quantile(list: readonly number[], part: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

/** Whether the median of a finding meets its target; undefined without one. */
export function verdict({ values, target }: Pick<Finding, 'values' | 'target'>): boolean | undefined {
  if (!target) return undefined;
  return 'atLeast' in target ? median(values) >= target.atLeast : median(values) < target.below;
}

/**
 * Measures both sides and their ratio in each round. The first side alternates, so that neither always runs on caches that
 * the other has filled.
 */
export async function compare(
  { rounds }: Pick<Options, 'rounds'>,
  our: Side,
  their: Side,
): Promise<Pick<Finding, 'ours' | 'theirs' | 'values'>> {
  const [ours, theirs]: number[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const sides = [async () => ours!.push(await our(round)), async () => theirs!.push(await their(round))];
    for (const measureSide of round % 2 ? sides : sides.toReversed()) await measureSide();
  }
  const values = ours!.map((value, i) => value / theirs![i]!);
  return { ours: median(ours!), theirs: median(theirs!), values };
}

/** Duration of an operation in seconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Number of warm-up rounds. Until its code is compiled, the service takes twice as long; the figures of a quick run are not kept. */
export const warmUpRounds = ({ isQuick }: Pick<Options, 'isQuick'>): number => (isQuick ? 1 : 5);
