import { groupBy, minimum } from '../mapnik/collections.js';
import { requiredProperties, type SymbolizerName } from '../properties.js';
import type { Problems } from '../syntax/problems.js';
import type { Setting } from '../values/settings.js';
import { type Budget, expand, type Leaf, makeBudget, maxRules } from './cascade.js';
import { clusterKeys } from './clusters.js';
import type { Condition } from './conditions.js';
import { mergeRun, type ZoomItem } from './merge-runs.js';
import type { Definition } from './selectors.js';
import { hasZoom, maxStyleZoom } from './zoom.js';

/** One rule of a style: symbolizers for features that meet the conditions, at the zoom levels `first` to `last`. */
export interface StyleRule {
  readonly first: number;
  readonly last: number;
  readonly conditions: readonly Condition[];
  /** Each is a list of conditions that do not all hold. Empty in a style with the mode `first`. */
  readonly refused: readonly (readonly Condition[])[];
  readonly symbolizers: readonly Symbolizer[];
}

/** One symbolizer with its settings. */
export interface Symbolizer {
  readonly name: SymbolizerName;
  /** By the name of the property. */
  readonly settings: ReadonlyMap<string, Setting>;
}

/** One Mapnik style: an attachment, or its zoom levels with the same opacity and image filters. */
export interface RuleStyle {
  /** `` for the layer's own style. */
  readonly attachment: string;
  /** `first`: the first matching rule draws a feature. `all`: every matching rule does. */
  readonly mode: 'first' | 'all';
  /** Opacity, comp-op and image filters, by the name of the property. */
  readonly settings: ReadonlyMap<string, Setting>;
  readonly rules: readonly StyleRule[];
}

/** The styles with their rules of a zoom level. Styles without rules are omitted. */
export function stylesAt(styles: readonly RuleStyle[], zoom: number): RuleStyle[] {
  const isAt = ({ first, last }: StyleRule): boolean => zoom >= first && zoom <= last;
  return styles
    .map((style) => ({ ...style, rules: style.rules.filter(isAt) }))
    .filter(({ rules }) => rules.length > 0);
}

/** The styles with some of their symbolizers alone. Those that then draw nothing are omitted. */
export const withSymbolizers = (
  styles: readonly RuleStyle[],
  isWanted: (one: Symbolizer) => boolean,
): RuleStyle[] =>
  styles
    .map((style) => ({
      ...style,
      rules: style.rules.map((rule) => ({ ...rule, symbolizers: rule.symbolizers.filter(isWanted) })),
    }))
    .filter(({ rules }) => rules.some(({ symbolizers }) => symbolizers.length > 0));

/** Definitions → the styles of a layer, bottom to top. Reports problems. */
export function makeRules(definitions: readonly Definition[], problems: Problems): RuleStyle[] {
  const budget = makeBudget();
  const attachments = groupBy(definitions, (definition) => definition.attachment);
  // Attachments are drawn in the order of the text; among those with the same declarations the weakest comes first.
  const ordered = [...attachments].reverse().sort(([, a], [, b]) => firstPlace(a) - firstPlace(b));
  const styles: RuleStyle[] = [];
  for (const [attachment, members] of ordered) {
    const found = attachmentRules(members, budget);
    if (found === undefined) {
      const name = attachment === '' ? 'this style' : `the attachment ::${attachment}`;
      problems.add(
        firstPlace(members),
        `${name} needs too many rules: one for each combination of filters that can apply`,
        `at most ${maxRules} rules for the layer`,
      );
      return [];
    }
    for (const rule of found.rules) checkSymbolizers(rule, problems);
    styles.push(...splitByStyleSettings(attachment, members, found));
  }
  return styles;
}

const firstPlace = (definitions: readonly Definition[]): number =>
  minimum(definitions.flatMap((definition) => definition.settings.map((setting) => setting.at)));

interface Found {
  readonly mode: RuleStyle['mode'];
  readonly rules: readonly StyleRule[];
}

/**
 * For most styles, one list of rules of which the first match applies is shortest. Symbolizers with independent filters
 * would multiply in it, so they get separate lists whose rules exclude each other.
 */
function attachmentRules(definitions: readonly Definition[], budget: Budget): Found | undefined {
  const clusters = clusterKeys(definitions);
  const keys = new Set(clusters.flatMap((cluster) => [...cluster]));
  const few = Math.min(budget.rules, 50 + 3 * definitions.length);
  const attempt =
    clusters.length > 1 ? { ...budget, rules: few, steps: Math.min(budget.steps, 300_000) } : budget;
  const together = zoomRules(definitions, keys, 'first', attempt);
  if (together !== undefined) {
    if (attempt !== budget) {
      budget.rules -= together.length;
      budget.settings = attempt.settings;
    }
    return { mode: 'first', rules: together };
  }
  if (clusters.length === 1) return undefined;
  const rules: StyleRule[] = [];
  for (const cluster of clusters) {
    const own = zoomRules(definitions, cluster, 'all', budget);
    if (own === undefined) return undefined;
    rules.push(...own.filter((rule) => rule.symbolizers.length > 0));
  }
  return { mode: 'all', rules };
}

/** The rules of some symbolizers at every zoom level. Levels with the same rules share them. */
function zoomRules(
  definitions: readonly Definition[],
  keys: ReadonlySet<string>,
  mode: RuleStyle['mode'],
  budget: Budget,
): StyleRule[] | undefined {
  const relevant = definitions.filter((definition) =>
    definition.settings.some((setting) => keys.has(setting.key)),
  );
  let merged: ZoomItem<Leaf>[] = [];
  for (let first = 0; first <= maxStyleZoom; first++) {
    const active = relevant.filter((definition) => hasZoom(definition.zooms, first));
    let last = first;
    while (
      last < maxStyleZoom &&
      relevant.every(({ zooms }) => hasZoom(zooms, first) === hasZoom(zooms, last + 1))
    )
      last++;
    const leaves = expand(active, keys, budget);
    if (leaves === undefined) return undefined;
    const run = leaves.map((item) => ({ signature: signLeaf(item, mode), item, first, last }));
    merged = mergeRun(merged, run);
    if (merged.length > budget.rules) return undefined;
    first = last;
  }
  budget.rules -= merged.length;
  budget.settings -= merged.reduce((sum, { item }) => sum + item.chosen.size, 0);
  if (budget.settings < 0) return undefined;
  return merged.map(({ item, first, last }) => leafRule(item, { first, last }, mode));
}

/** Equal texts are equal rules. */
function signLeaf(leaf: Leaf, mode: RuleStyle['mode']): string {
  const textOf = (list: readonly Condition[]): string => list.map((condition) => condition.text).join('\n');
  const refused = mode === 'all' ? leaf.refused.map(textOf).join('\n\n') : '';
  return `${textOf(leaf.conditions)}\0${refused}\0${[...leaf.chosen.values()].map((setting) => setting.at).join(' ')}`;
}

function leafRule(leaf: Leaf, zooms: { first: number; last: number }, mode: RuleStyle['mode']): StyleRule {
  const { conditions, chosen } = leaf;
  return {
    ...zooms,
    conditions,
    refused: mode === 'all' ? leaf.refused : [],
    symbolizers: symbolizersOf(chosen),
  };
}

/** Symbolizers are drawn in the order of their first settings in the text. */
function symbolizersOf(chosen: ReadonlyMap<string, Setting>): Symbolizer[] {
  const groups = [...groupBy(chosen.values(), (setting) => setting.key).values()];
  const placed = groups.map((settings) => ({ settings, at: minimum(settings.map((setting) => setting.at)) }));
  placed.sort((a, b) => a.at - b.at);
  const symbolizers: Symbolizer[] = [];
  for (const { settings } of placed) {
    if (settings.some((setting) => setting.attribute.form === 'absent')) continue;
    const name = settings[0]?.property.symbolizer as SymbolizerName;
    symbolizers.push({
      name,
      settings: new Map(settings.map((setting) => [setting.property.name, setting])),
    });
  }
  return symbolizers;
}

function checkSymbolizers(rule: StyleRule, problems: Problems): void {
  for (const { name, settings } of rule.symbolizers) {
    for (const property of requiredProperties(name)) {
      if (settings.has(property.name)) continue;
      const [first] = [...settings.values()].sort((a, b) => a.at - b.at);
      const where = (first as Setting).property.name;
      problems.add(
        (first as Setting).at,
        `${where} needs ${property.name} where it applies`,
        `${property.name}: …;`,
      );
    }
  }
}

/** Splits a style where opacity, comp-op or image filters change with the zoom level, since they apply to a whole style. */
function splitByStyleSettings(
  attachment: string,
  definitions: readonly Definition[],
  found: Found,
): RuleStyle[] {
  const runs: { first: number; last: number; settings: Map<string, Setting>; signature: string }[] = [];
  for (let zoom = 0; zoom <= maxStyleZoom; zoom++) {
    const settings = styleSettingsAt(definitions, zoom);
    const signature = [...settings].map(([name, setting]) => `${name} ${setting.attribute.text}`).join('\n');
    const before = runs.at(-1);
    if (before?.signature === signature) before.last = zoom;
    else runs.push({ first: zoom, last: zoom, settings, signature });
  }
  const styles: RuleStyle[] = [];
  for (const { first, last, settings } of runs) {
    const rules = found.rules
      .filter((rule) => rule.first <= last && rule.last >= first)
      .map((rule) => ({ ...rule, first: Math.max(rule.first, first), last: Math.min(rule.last, last) }));
    if (rules.length > 0) styles.push({ attachment, mode: found.mode, settings, rules });
  }
  return styles;
}

/** The strongest settings at this level. Feature filters are ignored: a style has one opacity for all features. */
function styleSettingsAt(definitions: readonly Definition[], zoom: number): Map<string, Setting> {
  const chosen = new Map<string, Setting>();
  for (const { zooms, settings } of definitions) {
    if (!hasZoom(zooms, zoom)) continue;
    for (const setting of settings) {
      const { name, symbolizer } = setting.property;
      if (symbolizer === 'style' && !chosen.has(name)) chosen.set(name, setting);
    }
  }
  return new Map([...chosen].sort(([a], [b]) => (a < b ? -1 : 1)));
}
