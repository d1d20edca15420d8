import type { Column } from '@cartulary/columns';
import { badRequest, ServiceError } from '@cartulary/errors';
import { join, type Sql, sql } from '@cartulary/sql';
import { arrayFunctions } from './arrays.js';
import { filterComparisons } from './comparisons.js';
import { spatials } from './spatial.js';
import { temporals } from './temporal.js';
import {
  argumentOf,
  demandCount,
  type Filter,
  isObject,
  type LiteralCrs,
  type Operator,
  type TermPosition,
  wrongAt,
} from './terms.js';
import { parseCql2Text, positionOf, type TextNode } from './text/cql2-text.js';

export type { Filter, FilterContext, LiteralCrs } from './terms.js';

/** Limits of a filter: characters of its JSON, values and names in it (without coordinates), depth of its JSON. */
const sizeLimit = 1_000_000;
const termLimit = 10_000;
const depthLimit = 100;

export interface FilterForm {
  /** The form of a filter that is text. Absent: JSON where it begins with a curly bracket, else CQL2 text. */
  lang?: 'cql2-text' | 'cql2-json' | undefined;
  /** The coordinate system of its geometries. */
  crs?: LiteralCrs | undefined;
  /** Receives the geometries in `crs`. Before the filter becomes SQL, each must get its value in longitude and latitude (see `lonLatShapes`). */
  transformed?: Map<string, string> | undefined;
}

/**
 * Compiles CQL2 (OGC 21-065r2), as JSON, its text, or CQL2 text, over a layer's columns to a condition with bound values.
 * `docs/guide/objects.md` lists its operators. Throws 400 with the path of the error, in a text with its position.
 */
export function parseFilter(filter: unknown, columns: readonly Column[], form: FilterForm = {}): Filter {
  if (typeof filter !== 'string') return compiled(filter, columns, form);
  if (filter.length > sizeLimit) throw tooMuch(`more than ${sizeLimit} characters`);
  const isJson = form.lang === undefined ? /^\s*\{/.test(filter) : form.lang === 'cql2-json';
  if (isJson) return compiled(jsonOf(filter), columns, form);
  const root = parseCql2Text(filter);
  try {
    return compiled(root.json, columns, form);
  } catch (error) {
    throw error instanceof ServiceError ? placedIn(root, error) : error;
  }
}

/** A filter as a condition over the alias `t`, for statements of other domains. Throws 400. */
export const conditionOf = (
  filter: unknown,
  { columns }: { columns: readonly Column[] },
  languages: { lng?: string | undefined; main: string },
): Sql => parseFilter(filter, columns)({ ...languages, alias: sql`t`, robust: true });

function compiled(filter: unknown, columns: readonly Column[], { crs, transformed }: FilterForm): Filter {
  checkSize(filter);
  return condition(filter, { columns, path: 'filter', crs, transformed });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('filter: is not valid JSON', { parameters: ['filter'] });
  }
}

/** An error of the compiled JSON by its place in the text. */
function placedIn(root: TextNode, error: ServiceError): ServiceError {
  const { path } = error.data;
  if (typeof path !== 'string') return error;
  const position = positionOf(root, path) + 1;
  const message = `filter: at character ${position}: ${error.message.slice(path.length + 2)}`;
  return badRequest(message, { parameters: ['filter'], position });
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
  if (isValue(term)) throw wrongAt(place, 'is a value, where a condition is expected');
  if (typeof op !== 'string') throw wrongAt(place, 'has no op');
  if (!Array.isArray(args)) throw wrongAt(place, 'args must be an array');
  const operator = Object.hasOwn(operators, op) ? operators[op] : undefined;
  if (!operator) throw wrongAt(place, unknownOperator(op));
  return operator(place, args);
}

/** Whether a term is a column, a geometry or a time. */
const isValue = (term: object): boolean =>
  ['property', 'bbox', 'coordinates', 'geometries', 'timestamp', 'date', 'interval'].some(
    (key) => key in term,
  );

/** Earlier languages call the spatial operators by their bare names. */
function unknownOperator(op: string): string {
  const spatial = `s_${op.toLowerCase()}`;
  const hint = Object.hasOwn(operators, spatial) ? `; in CQL2 it is '${spatial}'` : '';
  return `the operator '${op.slice(0, 50)}' is not known${hint}`;
}

const conditions = (place: TermPosition, args: readonly unknown[]): Filter[] =>
  args.map((arg, i) => condition(arg, argumentOf(place, i)));

const all =
  (word: ' and ' | ' or '): Operator =>
  (place, args) => {
    demandCount(place, args, 1, Number.POSITIVE_INFINITY);
    const parts = withLists(word, { place, args, parts: conditions(place, args) });
    return (context) =>
      sql`(${join(
        parts.map((part) => part(context)),
        word,
      )})`;
  };

/** Fewest comparisons of a property that a list replaces: the database looks up values of longer lists by their hashes. */
const shortestList = 10;

/**
 * The parts with one list in place of the comparisons of a property for equality in an `or`, or for difference in an `and`.
 * The database would carry out 800 comparisons for each object, which takes twenty times as long.
 */
function withLists(
  word: ' and ' | ' or ',
  { place, args, parts }: { place: TermPosition; args: readonly unknown[]; parts: readonly Filter[] },
): readonly Filter[] {
  if (args.length < shortestList) return parts;
  const lists = new Map<string, { indexes: number[]; values: unknown[] }>();
  for (const [i, arg] of args.entries()) {
    const compared = comparedValue(arg, word === ' or ' ? '=' : '<>');
    if (!compared) continue;
    const list = lists.get(compared.property) ?? { indexes: [], values: [] };
    lists.set(compared.property, list);
    list.indexes.push(i);
    list.values.push(compared.value);
  }
  const kept: (Filter | undefined)[] = [...parts];
  for (const [property, { indexes, values }] of lists) {
    if (indexes.length < shortestList) continue;
    const list = { op: 'in', args: [{ property }, values] };
    for (const i of indexes) kept[i] = undefined;
    kept[indexes[0]!] = condition(word === ' or ' ? list : { op: 'not', args: [list] }, place);
  }
  return kept.filter((part) => part !== undefined);
}

/** The property and the literal that a comparison compares; undefined for another term. */
function comparedValue(term: unknown, op: '=' | '<>'): { property: string; value: unknown } | undefined {
  if (!isObject(term) || term.op !== op || !Array.isArray(term.args)) return undefined;
  const isProperty = (arg: unknown): boolean => isObject(arg) && typeof arg.property === 'string';
  const isLiteral = (arg: unknown): boolean => !isObject(arg) || !('property' in arg || 'op' in arg);
  const [property, value] = isProperty(term.args[0]) ? term.args : term.args.toReversed();
  return isProperty(property) && isLiteral(value)
    ? { property: (property as { property: string }).property, value }
    : undefined;
}

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
  ...temporals,
  ...arrayFunctions,
};
