import { geometryType } from '../expressions/expression.js';
import type { ColumnKind } from '../values/convert.js';
import type { Condition } from './conditions.js';
import type { RuleStyle } from './rules.js';

/**
 * A condition that every drawn feature meets. Sound, not complete: a feature that fails it matches no rule, a feature that
 * meets it may match none. Comparisons follow SQL: null meets only `null`, but for `!=`, which it meets as in Mapnik, unless the value is the
 * empty text.
 */
export type FeatureFilter = 'all' | 'none' | FilterTree;

export type FilterTree =
  | { readonly kind: 'or' | 'and'; readonly terms: readonly FilterTree[] }
  | {
      readonly kind: 'compare';
      readonly column: string;
      readonly op: '=' | '!=' | '<' | '<=' | '>' | '>=';
      readonly value: string | number | boolean;
    }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'null' | 'not-null'; readonly column: string };

/** Alternatives of a filter. With more it costs more than it saves. */
const maxTerms = 50;

/** The filter of a layer at one zoom level. If the kinds of the columns are unknown, it accepts all features. */
export function featureFilter(
  styles: readonly RuleStyle[],
  zoom: number,
  columns: ReadonlyMap<string, ColumnKind> | undefined,
): FeatureFilter {
  const alternatives = new Map<string, FilterTree[]>();
  let drawn = false;
  for (const rule of styles.flatMap((style) => style.rules)) {
    if (zoom < rule.first || zoom > rule.last || rule.symbolizers.length === 0) continue;
    drawn = true;
    const terms =
      columns === undefined
        ? []
        : rule.conditions.flatMap((condition) => comparison(condition, columns) ?? []);
    if (terms.length === 0) return 'all';
    alternatives.set(JSON.stringify(terms), terms);
  }
  if (!drawn) return 'none';
  const terms = joinEqual(absorb([...alternatives.values()]));
  if (terms.length > maxTerms) return 'all';
  return terms.length === 1 ? (terms[0] as FilterTree) : { kind: 'or', terms };
}

/** Removes alternatives that another one implies: `a or (a and b)` is `a`. */
function absorb(alternatives: readonly (readonly FilterTree[])[]): (readonly FilterTree[])[] {
  const sets = alternatives.map((terms) => ({
    terms,
    texts: new Set(terms.map((term) => JSON.stringify(term))),
  }));
  sets.sort((a, b) => a.texts.size - b.texts.size);
  const single = new Set<string>();
  const kept: typeof sets = [];
  for (const set of sets) {
    const texts = [...set.texts];
    if (texts.some((text) => single.has(text))) continue;
    if (texts.length === 1) single.add(texts[0] as string);
    // With this many alternatives there is no filter, so the comparisons are skipped.
    else if (
      kept.length < maxTerms * 2 &&
      kept.some((other) => [...other.texts].every((text) => set.texts.has(text)))
    )
      continue;
    kept.push(set);
  }
  return kept.map((set) => set.terms);
}

/** `a = 1 or a = 2` becomes one list. */
function joinEqual(alternatives: readonly (readonly FilterTree[])[]): FilterTree[] {
  const values = new Map<string, (string | number | boolean)[]>();
  const rest: FilterTree[] = [];
  for (const terms of alternatives) {
    const [only] = terms;
    if (terms.length === 1 && only?.kind === 'compare' && only.op === '=') {
      values.set(only.column, [...(values.get(only.column) ?? []), only.value]);
    } else rest.push(terms.length === 1 ? (only as FilterTree) : { kind: 'and', terms });
  }
  const lists = [...values].map(([column, list]): FilterTree => {
    if (list.length > 1) return { kind: 'in', column, values: list };
    return { kind: 'compare', column, op: '=', value: list[0] as string };
  });
  return [...lists, ...rest];
}

/** A condition with the same result in SQL and Mapnik. undefined: the results may differ. */
export function comparison(
  condition: Condition,
  columns: ReadonlyMap<string, ColumnKind>,
): FilterTree | undefined {
  const { expression, op, constant: value } = condition;
  if (expression.kind !== 'binary' || expression.left.kind !== 'column' || value === undefined)
    return undefined;
  const column = expression.left.name;
  if (column === geometryType) return undefined;
  if (value === null)
    return op === '=' ? { kind: 'null', column } : op === '!=' ? { kind: 'not-null', column } : undefined;
  const kind = columns.get(column);
  if (op === '=~') return undefined;
  const isEquality = op === '=' || op === '!=';
  if (typeof value === 'number') {
    // A fraction may be equal as a double but not as a decimal.
    return kind === 'number' && (!isEquality || Number.isInteger(value))
      ? { kind: 'compare', column, op, value }
      : undefined;
  }
  const fits = typeof value === 'string' ? kind === 'text' : kind === 'boolean';
  // Mapnik orders texts differently from a collation.
  return fits && isEquality ? { kind: 'compare', column, op, value } : undefined;
}
