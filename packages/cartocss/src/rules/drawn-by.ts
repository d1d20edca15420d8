import { evaluateExpression, type FeatureValue, isTrue } from '../expressions/evaluate-expression.js';
import { parseStyle } from '../syntax/parse.js';
import { collectProblems, lineStarts, position } from '../syntax/problems.js';
import type { RuleBlock, Stylesheet } from '../syntax/tree.js';
import type { Condition } from './conditions.js';
import { type RuleStyle, type StyleRule, stylesAt } from './rules.js';

/** What a block of a style gives to a feature. */
export interface DrawingBlock {
  /** The selectors of the block and of those around it, as they stand in the text. */
  selector: string;
  /** Where the block begins, from 1. */
  line: number;
  column: number;
  /** The properties that count for the feature, in the order of the text. */
  properties: string[];
}

/** A rule that draws a feature. */
export interface DrawingRule {
  /** `` for the layer's own style. */
  attachment: string;
  symbolizers: string[];
  /** The blocks of the text whose properties it joins. */
  blocks: DrawingBlock[];
}

/**
 * The rules of a style that draw a feature with these values at a zoom level, from the bottom to the top. `values`: by column code,
 * and the number of the geometry's kind under `mapnik::geometry_type`.
 */
export function rulesDrawing(
  text: string,
  styles: readonly RuleStyle[],
  { zoom, values }: { zoom: number; values: ReadonlyMap<string, FeatureValue> },
): DrawingRule[] {
  const sheet = parseStyle(text, collectProblems(text));
  const starts = lineStarts(text);
  return stylesAt(styles, zoom).flatMap((style) =>
    matching(style, values)
      .filter(({ symbolizers }) => symbolizers.length > 0)
      .map((rule) => ({
        attachment: style.attachment,
        symbolizers: rule.symbolizers.map(({ name }) => name),
        blocks: blocksOf({ text, sheet, starts }, rule),
      })),
  );
}

/** The rules of a style that apply to a feature. */
function matching({ mode, rules }: RuleStyle, values: ReadonlyMap<string, FeatureValue>): StyleRule[] {
  const holds = (conditions: readonly Condition[]): boolean =>
    conditions.every(({ expression }) => isTrue(evaluateExpression(expression, values)));
  const applies = ({ conditions, refused }: StyleRule): boolean =>
    holds(conditions) && !refused.some((list) => holds(list));
  if (mode === 'all') return rules.filter(applies);
  const first = rules.find(applies);
  return first ? [first] : [];
}

interface StyleText {
  text: string;
  sheet: Stylesheet;
  starts: readonly number[];
}

function blocksOf({ text, sheet, starts }: StyleText, rule: StyleRule): DrawingBlock[] {
  const settings = rule.symbolizers
    .flatMap((symbolizer) => [...symbolizer.settings.values()])
    .sort((a, b) => a.at - b.at);
  const found = new Map<RuleBlock, DrawingBlock>();
  for (const { at, property, instance } of settings) {
    const path = pathTo(sheet, at);
    const own = path.at(-1);
    if (!own) continue;
    const known = found.get(own) ?? {
      selector: path.map((block) => selectorText(text, block)).join(' '),
      ...position(starts, own.at),
      properties: [],
    };
    known.properties.push(instance === '' ? property.name : `${instance}/${property.name}`);
    found.set(own, known);
  }
  return [...found.values()];
}

/** The blocks around a declaration, the outermost first. */
function pathTo(sheet: Stylesheet, at: number): RuleBlock[] {
  const path: RuleBlock[] = [];
  let items = sheet.items;
  for (;;) {
    const block: RuleBlock | undefined = items
      .filter((item) => item.kind === 'block')
      .findLast((item) => item.at <= at);
    const own = items.some((item) => item.kind === 'declaration' && item.at === at);
    if (own || !block) return path;
    path.push(block);
    items = block.items;
  }
}

/** The text of a block's selectors: up to its brace. Braces inside quotes belong to the selectors. */
function selectorText(text: string, block: RuleBlock): string {
  const [found = ''] = /^(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^{"'])*/s.exec(text.slice(block.at)) ?? [];
  return found.trim().replace(/\s+/g, ' ');
}
