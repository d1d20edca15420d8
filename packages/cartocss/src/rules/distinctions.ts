import { addColumns } from '../expressions/expression.js';
import { paintReach } from '../reach/paint-reach.js';
import type { ColumnKind } from '../values/convert.js';
import { comparison, type FilterTree } from './feature-filter.js';
import { type RuleStyle, type StyleRule, stylesAt } from './rules.js';

/** An expression that decides about appearance: the value of a column, or the truth of a comparison (true, false, null). */
export type Distinction =
  | { readonly kind: 'value'; readonly column: string }
  | { readonly kind: 'truth'; readonly of: FilterTree };

/**
 * The expressions that decide about the appearance of features of one shape at a zoom level: features for which they are
 * equal look alike in each style. undefined where a style does not draw features independently one after the other: an image
 * filter, symbols that avoid others.
 */
export function distinctionsAt(
  styles: readonly RuleStyle[],
  zoom: number,
  columns: ReadonlyMap<string, ColumnKind> = new Map(),
): Distinction[] | undefined {
  const drawn = stylesAt(styles, zoom);
  if (!drawn.length || drawn.some(({ settings }) => settings.size)) return undefined;
  if (paintReach(drawn, zoom).likelyPixels === undefined) return undefined;
  const found = drawn.flatMap(({ rules }) => rules).flatMap((rule) => distinctionsOf(rule, columns));
  const values = new Set(found.flatMap((one) => (one.kind === 'value' ? one.column : [])));
  const truths = new Map(
    found.flatMap((one) =>
      one.kind === 'truth' && !('column' in one.of && values.has(one.of.column))
        ? [[JSON.stringify(one.of), one] as const]
        : [],
    ),
  );
  return [...[...values].map((column) => ({ kind: 'value', column }) as const), ...truths.values()];
}

function distinctionsOf(rule: StyleRule, columns: ReadonlyMap<string, ColumnKind>): Distinction[] {
  const read = new Set<string>();
  const truths: Distinction[] = [];
  for (const condition of [...rule.conditions, ...rule.refused.flat()]) {
    const of = comparison(condition, columns);
    if (of) truths.push({ kind: 'truth', of });
    else addColumns(condition.expression, read);
  }
  for (const { settings } of rule.symbolizers)
    for (const { attribute } of settings.values()) for (const column of attribute.columns) read.add(column);
  return [...truths, ...[...read].map((column): Distinction => ({ kind: 'value', column }))];
}
