import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.js';
import { type Around, around } from './around.js';
import { type CheckedStyle, readStyle, type StyleLayer, type StyleOptions } from './check.js';
import { type Distinction, distinctionsAt } from './distinctions.js';
import { addColumns } from './expression.js';
import { type FeatureFilter, featureFilter } from './feature-filter.js';
import { knownFonts, withFallbacks } from './fonts.js';
import { sha256 } from './hash.js';
import { type LabelChoice, plainLabelsAt, withoutLabels } from './labels.js';
import { type PaintReach, paintReach } from './paint-reach.js';
import type { StyleProblem } from './problems.js';
import { type RuleStyle, type StyleRule, stylesAt } from './rules.js';
import type { Setting } from './settings.js';
import { type FontSet, makeFontSet, writeStyle } from './xml.js';
import { maxZoom } from './zoom.js';

export { type Around, allSides, widest } from './around.js';
export { checkLayerStyle, checkMapStyle, type StyleLayer, type StyleOptions } from './check.js';
export type { ColumnKind, Stop } from './convert.js';
export type { Distinction } from './distinctions.js';
export type { FeatureFilter, FilterTree } from './feature-filter.js';
export { knownFonts, useFonts } from './fonts.js';
export type { LabelChoice, TextLook } from './labels.js';
export type { PaintReach } from './paint-reach.js';
export type { StyleProblem } from './problems.js';
export { properties } from './properties.js';
export { renameLayerInStyle } from './rename.js';
export type { RuleStyle, StyleRule, Symbolizer } from './rules.js';
export { defaultStyle } from './simple.js';
export { readSimpleStyle, type SimpleStyle, SimpleStyleFault, simpleCss } from './simple-style.js';
export { type MapDescription, type MapLayer, mapXml } from './xml.js';

/** Raised when the same style gives other XML than before, so that no old result is taken for it. */
const version = 1;

export interface CompiledMapStyle {
  /** `#rrggbb` or `rgba(r, g, b, a)`. */
  readonly backgroundColor?: string;
  /** Pixels. */
  readonly bufferSize?: number;
}

/** A layer's style, ready to be drawn. Shared between callers: not to be changed. */
export interface CompiledStyle {
  /** Changes with the style, the layer, the icons and the fonts. */
  readonly hash: string;
  /** Bottom to top. The names hold the hash: equal names are equal styles. */
  readonly styles: readonly { readonly name: string; readonly xml: string }[];
  readonly fontSets: readonly FontSet[];
  /** The columns that the style reads at any zoom level. */
  readonly columns: readonly string[];
  columnsAt(zoom: number): string[];
  /** Whether anything can be drawn at this zoom level. */
  visibleAt(zoom: number): boolean;
  /** What a feature must meet to be drawn at this zoom level; sound, not complete. */
  filterAt(zoom: number): FeatureFilter;
  /** How far around a tile is to be looked at this zoom level: 8 to 256 pixels. */
  aroundAt(zoom: number): Around;
  /** How far the drawing of an object can be seen at this zoom level. */
  reachAt(zoom: number): PaintReach;
  /**
   * What tells features of one shape apart at this zoom level: those in which it is equal look alike. undefined: what is drawn of a feature is
   * not it alone, each after the other.
   */
  distinctionsAt(zoom: number): readonly Distinction[] | undefined;
  /**
   * The labels at this zoom level, style by style from the bottom, where they are plain: each at one point, in one look, above all shapes of the
   * layer, which stand in nobody's way. undefined: they are not, or that is not known.
   */
  plainLabelsAt(zoom: number): readonly (readonly LabelChoice[])[] | undefined;
  /** The style without its labels. */
  shapes(): CompiledStyle;
  /** What Map{} in the layer's style says. */
  readonly map: CompiledMapStyle;
  /** The rules themselves, for legends and icons. */
  readonly rules: readonly RuleStyle[];
}

interface Cached {
  readonly compiled: CompiledStyle;
  /** The icons that the style names: name → file. */
  readonly icons: ReadonlyMap<string, string>;
}

const cache = new LRUCache<string, Cached>({ max: 500, maxSize: 64 * 1024 * 1024, sizeCalculation: sizeOf });

/** Characters that a compiled style keeps. */
function sizeOf({ compiled }: Cached): number {
  return 1000 + compiled.styles.reduce((sum, style) => sum + 4 * style.xml.length, 0);
}

/**
 * A layer's CartoCSS → Mapnik's styles. Throws `style_invalid` with the first problem as its message and all of them
 * (at most 50) as `data.problems`.
 */
export function compileLayerStyle(
  text: string,
  layer: StyleLayer,
  options: StyleOptions = {},
): CompiledStyle {
  const key = hashStyle(text, layer, options);
  const known = cache.get(key);
  // Of the icons only those matter that the style names: their registry may grow.
  if (known !== undefined && [...known.icons].every(([name, file]) => options.icons?.get(name) === file)) {
    return known.compiled;
  }
  const checked = readStyle(text, layer, options);
  refuseProblems(checked.problems);
  const icons = iconsOf(checked.styles);
  const hash = icons.size === 0 ? key : sha256(key + JSON.stringify([...icons]));
  const compiled = makeCompiled(hash, checked, layer, options.fonts ?? knownFonts());
  cache.set(key, { compiled, icons });
  return compiled;
}

/** A map's CartoCSS → what its Map{} says. Throws `style_invalid` as `compileLayerStyle` does. */
export function compileMapStyle(text: string): CompiledMapStyle {
  const { problems, map } = readStyle(text, undefined);
  refuseProblems(problems);
  return readMap(map);
}

function refuseProblems(problems: readonly StyleProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const { line, column, message } = first;
  throw new ServiceError(
    'style_invalid',
    `The style is not valid: line ${line}, column ${column}: ${message}`,
    { problems },
  );
}

function hashStyle(text: string, layer: StyleLayer, options: StyleOptions): string {
  const { code, classes, stops } = layer;
  const columns = layer.columns === undefined ? undefined : [...layer.columns];
  return sha256(
    JSON.stringify([version, text, code, classes, columns, options.fonts ?? knownFonts(), stops]),
  );
}

function iconsOf(styles: readonly RuleStyle[]): Map<string, string> {
  const icons = new Map<string, string>();
  for (const { symbolizers } of styles.flatMap((style) => style.rules)) {
    for (const { attribute } of symbolizers.flatMap((symbolizer) => [...symbolizer.settings.values()])) {
      if (attribute.icon !== undefined) icons.set(attribute.icon, attribute.text);
    }
  }
  return icons;
}

function makeCompiled(
  hash: string,
  { styles: rules, map }: Pick<CheckedStyle, 'styles' | 'map'>,
  layer: StyleLayer,
  fonts: readonly string[],
): CompiledStyle {
  const fontSets = new Map<string, FontSet>();
  const fontSetOf = (faces: readonly string[]): FontSet => {
    const set = makeFontSet(withFallbacks(faces, fonts));
    fontSets.set(set.name, set);
    return set;
  };
  const styles = rules.map((style, i) => {
    const name = `${layer.code}:${style.attachment}:${i}:${hash.slice(0, 16)}`;
    return { name, xml: writeStyle(style, name, { fontSetOf, stops: layer.stops }) };
  });
  const allRules = rules.flatMap((style) => style.rules);
  const filters = new Map<number, FeatureFilter>();
  let shapes: CompiledStyle | undefined;
  const rulesAt = (zoom: number): StyleRule[] => stylesAt(rules, zoom).flatMap((style) => style.rules);
  return {
    hash,
    styles,
    fontSets: [...fontSets.values()],
    columns: columnsOf(allRules),
    columnsAt: (zoom) => columnsOf(rulesAt(zoom)),
    visibleAt: (zoom) => rulesAt(zoom).some((rule) => rule.symbolizers.length > 0),
    filterAt: (zoom) => {
      const filter = filters.get(zoom) ?? featureFilter(rules, zoom, layer.columns);
      if (Number.isInteger(zoom) && zoom >= 0 && zoom <= maxZoom) filters.set(zoom, filter);
      return filter;
    },
    aroundAt: (zoom) => around(rules, zoom),
    reachAt: (zoom) => paintReach(rules, zoom),
    distinctionsAt: (zoom) => distinctionsAt(rules, zoom, layer.columns),
    plainLabelsAt: (zoom) =>
      plainLabelsAt(rules, zoom, {
        columns: layer.columns,
        facesOf: (names) => withFallbacks(names, fonts),
      }),
    shapes: () => {
      shapes ??= makeCompiled(sha256(`${hash} shapes`), { styles: withoutLabels(rules), map }, layer, fonts);
      return shapes;
    },
    map: readMap(map),
    rules,
  };
}

function columnsOf(rules: readonly StyleRule[]): string[] {
  const columns = new Set<string>();
  for (const rule of rules) {
    for (const condition of [...rule.conditions, ...rule.refused.flat()])
      addColumns(condition.expression, columns);
    for (const { settings } of rule.symbolizers) {
      for (const { attribute } of settings.values())
        for (const column of attribute.columns) columns.add(column);
    }
  }
  return [...columns].sort();
}

/** The last of equal settings counts. */
function readMap(settings: readonly Setting[]): CompiledMapStyle {
  const result: { backgroundColor?: string; bufferSize?: number } = {};
  for (const { property, attribute } of settings) {
    if (property.name === 'background-color') result.backgroundColor = attribute.text;
    else if (attribute.number !== undefined) result.bufferSize = attribute.number;
  }
  return result;
}
