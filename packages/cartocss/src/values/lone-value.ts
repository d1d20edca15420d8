import { parseValue, unparsable } from '../syntax/parse-value.js';
import { collectProblems } from '../syntax/problems.js';
import { isAtEnd, scan, skipSpace } from '../syntax/tokens.js';
import { evaluate, makeScope } from './evaluate.js';
import type { StyleValue } from './values.js';

/** Parses the quoted text of `"rotate(20) scale(2, 2)"` as a value. undefined: it is not a value. */
export function parseLoneValue(text: string): StyleValue | undefined {
  const problems = collectProblems(text);
  const s = scan(text, problems);
  try {
    skipSpace(s);
    const node = parseValue(s);
    const value = evaluate(makeScope({ items: [] }, problems), node);
    return isAtEnd(s) && problems.count === 0 ? value : undefined;
  } catch (error) {
    if (error === unparsable) return undefined;
    throw error;
  }
}
