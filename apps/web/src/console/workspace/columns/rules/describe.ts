import type { ColumnTexts } from '../texts.en.js';
import type { Rule } from './rules.js';

const shownValues = 6;

/** A rule in words. */
export function describeRule(rule: Rule, texts: ColumnTexts, ui: string): string {
  const { kind, columns, definition, dictionary } = rule;
  const said = texts.ruleTexts;
  const textOf = (value: unknown): string =>
    typeof value === 'number' ? value.toLocaleString(ui, { maximumFractionDigits: 12 }) : String(value);
  switch (kind) {
    case 'unique':
      return columns.length > 1 ? said.uniqueTogether(columns.join(', ')) : said.unique;
    case 'check': {
      const more = definition.length - shownValues;
      const listed = definition.slice(0, shownValues).map(textOf).join(', ');
      return said.check(more > 0 ? `${listed} … (+${more})` : listed);
    }
    case 'range': {
      const [least = null, greatest = null] = definition;
      if (least === null) return said.atMost(textOf(greatest));
      return greatest === null ? said.atLeast(textOf(least)) : said.range(textOf(least), textOf(greatest));
    }
    default: {
      const { map, layer, column } = dictionary!;
      return said[kind](`${map}.${layer}.${column}`);
    }
  }
}
