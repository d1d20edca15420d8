import { evaluate, makeScope } from './evaluate.js';
import { parseValue, unparsable } from './parse-value.js';
import { collectProblems } from './problems.js';
import { ended, scan, skipSpace } from './tokens.js';
import type { Value } from './values.js';

/** The text in the quotes of `"rotate(20) scale(2, 2)"` as a value; undefined when it is none. */
export function parseLoneValue(text: string): Value | undefined {
  const problems = collectProblems(text);
  const s = scan(text, problems);
  try {
    skipSpace(s);
    const node = parseValue(s);
    const value = evaluate(makeScope({ items: [] }, problems), node);
    return ended(s) && problems.count === 0 ? value : undefined;
  } catch (error) {
    if (error === unparsable) return undefined;
    throw error;
  }
}
