/** A mistake in a style. `line` and `column` count from 1, columns in UTF-16 units. */
export interface StyleProblem {
  line: number;
  column: number;
  message: string;
  /** Correct input at this place. */
  expected?: string;
}

/** Collects the problems of one text. */
export interface Problems {
  /** `at`: offset in the text, in UTF-16 units. The same message at the same place counts once. */
  add(at: number, message: string, expected?: string): void;
  /** Number of added problems, including those that are not kept. */
  readonly count: number;
  /** The maximum number is kept, so callers can stop checking. */
  readonly full: boolean;
  /** In the order of the text. */
  list(): StyleProblem[];
}

/** Kept problems of one text. */
const maxProblems = 50;

export function collectProblems(text: string): Problems {
  const found = new Map<string, { at: number; message: string; expected?: string }>();
  let count = 0;
  return {
    add(at, message, expected) {
      count++;
      const key = `${at} ${message}`;
      if (found.size < maxProblems && !found.has(key)) {
        found.set(key, expected === undefined ? { at, message } : { at, message, expected });
      }
    },
    get count() {
      return count;
    },
    get full() {
      return found.size >= maxProblems;
    },
    list() {
      const starts = lineStarts(text);
      return [...found.values()]
        .sort((a, b) => a.at - b.at)
        .map(({ at, ...rest }) => ({ ...position(starts, Math.min(at, text.length)), ...rest }));
    },
  };
}

export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}

/** Line and column of an offset, from 1. */
export function position(starts: readonly number[], at: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= at) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: at - (starts[low] as number) + 1 };
}

/** The candidate most similar to `name`. undefined: none is similar. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  return nearNames(name, candidates, 1)[0];
}

/** Up to `count` candidates similar to `name`, most similar first. */
export function nearNames(name: string, candidates: Iterable<string>, count: number): string[] {
  if (name.length > 80) return [];
  const lower = name.toLowerCase();
  const limit = Math.max(1, Math.floor(name.length / 3));
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > limit) continue;
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance <= limit) near.push({ candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return near.slice(0, count).map((entry) => entry.candidate);
}

/** Number of edits of one letter and swaps of two neighbours from `a` to `b` (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, before[j - 2]! + 1);
      }
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] as number;
}

/** `; did you mean x?`, or an empty text. */
export const didYouMean = (name: string, candidates: Iterable<string>): string => {
  const near = nearest(name, candidates);
  return near === undefined ? '' : `; did you mean ${near}?`;
};
