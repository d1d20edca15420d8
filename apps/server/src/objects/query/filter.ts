import type { Column } from '@cartulary/columns';
import { badRequest, type ServiceError } from '@cartulary/errors';
import { join, sql } from '@cartulary/sql';
import { filterComparisons } from './comparisons.js';
import { spatials } from './spatial.js';
import {
  argumentOf,
  demandCount,
  type Filter,
  isObject,
  type Operator,
  type TermPosition,
  wrongAt,
} from './terms.js';

export type { Filter, FilterContext } from './terms.js';

/** Limits of a filter: characters of its JSON, values and names in it (without coordinates), depth of its JSON. */
const sizeLimit = 1_000_000;
const termLimit = 10_000;
const depthLimit = 100;

/**
 * Compiles CQL2-JSON (OGC 21-065r2) over a layer's columns to a condition with bound values. Operators: `and`, `or`, `not`,
 * `=`, `<>`, `<`, `<=`, `>`, `>=`, `in`, `between`, `like`, `isNull`, `s_intersects`, `s_within`, `s_contains`, and
 * `s_dwithin` with a distance in metres. Throws 400 with the path of the error.
 */
export function parseFilter(filter: unknown, columns: readonly Column[]): Filter {
  checkSize(filter);
  return condition(filter, { columns, path: 'filter' });
}

const tooMuch = (what: string): ServiceError => badRequest(`filter: ${what}`, { parameters: ['filter'] });

/** Checks the limits without recursion, before any recursive function sees the filter. */
function checkSize(filter: unknown): void {
  const waiting: { value: unknown; depth: number; isShape: boolean }[] = [
    { value: filter, depth: 0, isShape: false },
  ];
  let characters = 0;
  let terms = 0;
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    const { value, depth, isShape } = item;
    if (!isShape && ++terms > termLimit) throw tooMuch(`more than ${termLimit} terms`);
    if (depth > depthLimit) throw tooMuch(`nested more than ${depthLimit} deep`);
    if (typeof value !== 'object' || value === null) characters += String(value).length + 1;
    else if (Array.isArray(value)) {
      characters += value.length;
      if (!isShape && terms + value.length > termLimit) throw tooMuch(`more than ${termLimit} terms`);
      for (const part of value) {
        // Coordinates do not count as terms.
        if (isShape && typeof part === 'number') characters += 1;
        else waiting.push({ value: part, depth: depth + 1, isShape });
      }
    } else {
      for (const [key, part] of Object.entries(value)) {
        characters += key.length + 4;
        waiting.push({ value: part, depth: depth + 1, isShape: isShape || key === 'coordinates' });
      }
    }
    if (characters > sizeLimit) throw tooMuch(`more than ${sizeLimit} characters`);
  }
}

function condition(term: unknown, place: TermPosition): Filter {
  if (typeof term === 'boolean') return () => sql`${term}::boolean`;
  if (!isObject(term)) throw wrongAt(place, 'must be an object with op and args');
  const { op, args } = term;
  if (typeof op !== 'string') throw wrongAt(place, 'has no op');
  if (!Array.isArray(args)) throw wrongAt(place, 'args must be an array');
  const operator = Object.hasOwn(operators, op) ? operators[op] : undefined;
  if (!operator) throw wrongAt(place, `the operator '${op.slice(0, 50)}' is not known`);
  return operator(place, args);
}

const conditions = (place: TermPosition, args: readonly unknown[]): Filter[] =>
  args.map((arg, i) => condition(arg, argumentOf(place, i)));

const all =
  (word: ' and ' | ' or '): Operator =>
  (place, args) => {
    demandCount(place, args, 1, Number.POSITIVE_INFINITY);
    const parts = conditions(place, args);
    return (context) =>
      sql`(${join(
        parts.map((part) => part(context)),
        word,
      )})`;
  };

const not: Operator = (place, args) => {
  demandCount(place, args, 1);
  const [part] = conditions(place, args) as [Filter];
  return (context) => sql`not (${part(context)})`;
};

const operators: Readonly<Record<string, Operator>> = {
  and: all(' and '),
  or: all(' or '),
  not,
  ...filterComparisons,
  ...spatials,
};
