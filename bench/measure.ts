import type { Options } from './options.js';

/** Work on the table: a figure of ours, alone or beside that of a peer. */
export interface Finding {
  work: string;
  /** Of `ours` and `theirs`. */
  unit: string;
  /** Medians over the rounds. */
  ours?: number;
  /** Who is beside us; absent: a figure with no peer. */
  peer?: string;
  theirs?: number;
  /** What the target speaks of, of each round: mostly our speed to theirs. */
  values: readonly number[];
  /** Of `values`; absent: it is a ratio. */
  valueUnit?: string;
  target?: Target;
}

/** A figure without a peer: of a table whose columns are sizes of layers or databases. */
export interface Figure {
  work: string;
  unit: string;
  column: string;
  value: number;
}

export type Target = { atLeast: number } | { below: number };

/** Gives how much it did in a second, in a round. */
export type Side = (round: number) => Promise<number>;

export function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/** The value below which a part of the list lies. */
export function quantile(list: readonly number[], part: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

/** Median of the values of a finding, and whether it meets the target; undefined where there is none. */
export function verdict({ values, target }: Pick<Finding, 'values' | 'target'>): boolean | undefined {
  if (!target) return undefined;
  return 'atLeast' in target ? median(values) >= target.atLeast : median(values) < target.below;
}

/**
 * Both sides in turns, a ratio per round. Who comes first changes from round to round, so that neither always finds
 * what the other left.
 */
export async function compare(
  { rounds }: Pick<Options, 'rounds'>,
  our: Side,
  their: Side,
): Promise<Pick<Finding, 'ours' | 'theirs' | 'values'>> {
  const [ours, theirs]: number[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const turns = [async () => ours!.push(await our(round)), async () => theirs!.push(await their(round))];
    for (const turn of round % 2 ? turns : turns.toReversed()) await turn();
  }
  const values = ours!.map((value, i) => value / theirs![i]!);
  return { ours: median(ours!), theirs: median(theirs!), values };
}

/** Seconds that work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Times the seconds of a round in which the service works before it is measured: its code is compiled while it runs, and takes twice as long before. */
export const warmingRounds = 5;
