import { ServiceError } from '@cartulary/errors';
import { LRUCache } from 'lru-cache';
import { type CheckedStyle, readStyle, type StyleLayer, type StyleOptions } from './check.js';
import type { CompiledMapStyle, CompiledStyle } from './compiled-style.js';
import { addColumns } from './expressions/expression.js';
import type { MapLibrePicture } from './maplibre/settings.js';
import { type FontSet, makeFontSet } from './mapnik/font-set.js';
import { sha256 } from './mapnik/hash.js';
import { writeStyle } from './mapnik/xml.js';
import { around } from './reach/around.js';
import { plainLabelsAt, withoutLabels, withoutTexts } from './reach/labels.js';
import { keyOfMarker } from './reach/marker-claim.js';
import { paintReach } from './reach/paint-reach.js';
import { dividedAtLabels, piecesAt } from './reach/pieces.js';
import { distinctionsAt } from './rules/distinctions.js';
import { type FeatureFilter, featureFilter } from './rules/feature-filter.js';
import { layerCompositingAt, withoutCompositing } from './rules/layer-compositing.js';
import { type RuleStyle, type StyleRule, type Symbolizer, stylesAt } from './rules/rules.js';
import { maxStyleZoom } from './rules/zoom.js';
import type { StyleProblem } from './syntax/problems.js';
import { knownFonts, withFallbacks } from './values/fonts.js';
import type { Setting } from './values/settings.js';

/** Part of the hash. Raise it when the same style compiles to different XML, so that cached results become stale. */
const compilerVersion = 3;

interface Cached {
  readonly compiled: CompiledStyle;
  /** The icons named in the style: name → file. */
  readonly icons: ReadonlyMap<string, string>;
}

const cache = new LRUCache<string, Cached>({
  max: 500,
  maxSize: 64 * 1024 * 1024,
  sizeCalculation: estimatedSize,
});

/** Estimated memory of a compiled style, in characters. */
function estimatedSize({ compiled }: Cached): number {
  return 1000 + compiled.styles.reduce((sum, style) => sum + 4 * style.xml.length, 0);
}

/**
 * Compiles a layer's CartoCSS to Mapnik styles. Throws `style_invalid`: its message names the first problem,
 * `data.problems` lists at most 50.
 */
export function compileLayerStyle(
  text: string,
  layer: StyleLayer,
  options: StyleOptions = {},
): CompiledStyle {
  const key = hashStyle(text, layer, options);
  const known = cache.get(key);
  // Only the icons named in the style count, since new icons may be registered at any time.
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

/** Reads the `Map{}` settings of a map's CartoCSS. Throws `style_invalid` as `compileLayerStyle` does. */
export function compileMapStyle(text: string): CompiledMapStyle {
  const { problems, map } = readStyle(text, undefined);
  refuseProblems(problems);
  return readMap(map);
}

/** A style that draws points as a picture of a sprite sheet, at all zoom levels. */
export function pictureStyle({ name, symbolizer }: MapLibrePicture): CompiledStyle {
  const layer = { code: 'picture', classes: [], columns: undefined };
  return makeCompiled(sha256(name), { styles: [styleOfOne(symbolizer)], map: [] }, layer, knownFonts());
}

/** A style that draws each feature with one symbolizer. */
function styleOfOne(symbolizer: Symbolizer): RuleStyle {
  const rule = { first: 0, last: maxStyleZoom, conditions: [], refused: [], symbolizers: [symbolizer] };
  return { attachment: '', mode: 'first', settings: new Map(), rules: [rule] };
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
    JSON.stringify([compilerVersion, text, code, classes, columns, options.fonts ?? knownFonts(), stops]),
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

/** Builds a plain object with closures: callers derive variants by spreading it. */
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
  const facesOf = (names: readonly string[]): readonly string[] => withFallbacks(names, fonts);
  const styles = rules.map((style, i) => {
    const name = `${layer.code}:${style.attachment}:${i}:${hash.slice(0, 16)}`;
    return { name, xml: writeStyle(style, name, { fontSetOf, stops: layer.stops }) };
  });
  const allRules = rules.flatMap((style) => style.rules);
  const filters = new Map<number, FeatureFilter>();
  const variant = (name: string, some: RuleStyle[]): CompiledStyle =>
    makeCompiled(sha256(`${hash} ${name}`), { styles: some, map }, layer, fonts);
  const separate = onFirstCall(() => rules.map((style, i) => variant(`style ${i}`, [style])));
  const markers = new Map<string, CompiledStyle>();
  const rulesAt = (zoom: number): StyleRule[] => stylesAt(rules, zoom).flatMap((style) => style.rules);
  return {
    hash,
    styles,
    fontSets: [...fontSets.values()],
    columns: columnsOf(allRules),
    columnsAt: (zoom) => columnsOf(rulesAt(zoom)),
    labelColumnsAt: (zoom) => labelColumnsOf(rulesAt(zoom)),
    visibleAt: (zoom) => rulesAt(zoom).some((rule) => rule.symbolizers.length > 0),
    filterAt: (zoom) => {
      const filter = filters.get(zoom) ?? featureFilter(rules, zoom, layer.columns);
      if (Number.isInteger(zoom) && zoom >= 0 && zoom <= maxStyleZoom) filters.set(zoom, filter);
      return filter;
    },
    aroundAt: (zoom) => around(rules, zoom),
    reachAt: (zoom) => paintReach(rules, zoom),
    distinctionsAt: (zoom) => distinctionsAt(rules, zoom, layer.columns),
    plainLabelsAt: (zoom) => plainLabelsAt(rules, zoom, { columns: layer.columns, facesOf }),
    layerCompositingAt: (zoom) => layerCompositingAt(rules, zoom),
    withoutCompositing: onFirstCall(() => variant('without compositing', withoutCompositing(rules))),
    shapes: onFirstCall(() => variant('shapes', withoutLabels(rules))),
    withoutTexts: onFirstCall(() => variant('without texts', withoutTexts(rules))),
    markerAlone: (key) => {
      const alone = markers.get(key) ?? variant(`marker ${key}`, [styleOfOne(markerIn(allRules, key))]);
      markers.set(key, alone);
      return alone;
    },
    separateAt: (zoom) => separate().filter((one) => one.visibleAt(zoom)),
    piecesAt: (zoom) => piecesAt(rules, zoom),
    divided: onFirstCall(() => {
      const parts = dividedAtLabels(rules);
      return { shapes: variant('below labels', parts.shapes), labels: variant('labels', parts.labels) };
    }),
    map: readMap(map),
    rules,
  };
}

/** Gives what the first call made. */
function onFirstCall<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The marker of rules with a key. */
const markerIn = (rules: readonly StyleRule[], key: string): Symbolizer =>
  rules
    .flatMap(({ symbolizers }) => symbolizers)
    .find((one) => one.name === 'markers' && keyOfMarker(one) === key)!;

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

function labelColumnsOf(rules: readonly StyleRule[]): string[] {
  const settings = rules
    .flatMap(({ symbolizers }) => symbolizers)
    .flatMap((one) => [...one.settings.values()]);
  const labels = settings.filter(({ attribute }) => attribute.form === 'label');
  return [...new Set(labels.flatMap(({ attribute }) => attribute.columns))].sort();
}

/** Of repeated settings the last one wins. */
function readMap(settings: readonly Setting[]): CompiledMapStyle {
  const result: { backgroundColor?: string; bufferSizePx?: number } = {};
  for (const { property, attribute } of settings) {
    if (property.name === 'background-color') result.backgroundColor = attribute.text;
    else if (attribute.number !== undefined) result.bufferSizePx = attribute.number;
  }
  return result;
}
