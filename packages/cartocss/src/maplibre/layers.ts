import { groupBy } from '../mapnik/collections.js';
import { type Condition, conjoin, relateAll } from '../rules/conditions.js';
import type { RuleStyle, StyleRule } from '../rules/rules.js';
import { maxStyleZoom } from '../rules/zoom.js';
import { type MapLibreColumns, type MapLibreExpression, truth } from './expressions.js';
import { Inexpressible } from './inexpressible.js';
import { type MapLibrePicture, SettingsReader } from './settings.js';
import { type MapLibreSymbol, symbolOf } from './symbolizers.js';

/** A layer of a MapLibre style, without its id and source. */
export interface MapLibreLayer extends Omit<MapLibreSymbol, 'picture'> {
  minzoom?: number;
  maxzoom?: number;
  filter?: MapLibreExpression;
}

/** A style in MapLibre's language, or what it cannot say. */
export type MapLibreLayers =
  | {
      /** Bottom to top. */
      layers: MapLibreLayer[];
      /** Properties without a counterpart, which change the picture a little. */
      leftOut: string[];
      /** The pictures that the layers name. */
      pictures: MapLibrePicture[];
    }
  | { inexpressible: string };

export interface MapLibreOptions extends MapLibreColumns {
  /** Whether all objects are points. */
  hasOnlyPoints: boolean;
  /** The first and the last zoom level of the layer. */
  zooms: { first: number; last: number };
}

/** Limit of the MapLibre layers of a layer. */
const maxLayers = 500;
/** Limit of the pictures of a layer. */
const maxPictures = 100;

/** What is found while the layers are made. */
interface Found {
  leftOut: Set<string>;
  pictures: Map<string, MapLibrePicture>;
}

/** Converts the rules of a style to MapLibre layers. */
export function mapLibreLayers(styles: readonly RuleStyle[], options: MapLibreOptions): MapLibreLayers {
  const found: Found = { leftOut: new Set(), pictures: new Map() };
  try {
    const layers = styles.flatMap((style) => layersOf(style, options, found));
    if (layers.length > maxLayers) throw new Inexpressible(`more than ${maxLayers} rules`);
    if (found.pictures.size > maxPictures) throw new Inexpressible(`more than ${maxPictures} icons`);
    return { layers, leftOut: [...found.leftOut].sort(), pictures: [...found.pictures.values()] };
  } catch (error) {
    if (error instanceof Inexpressible) return { inexpressible: error.message };
    throw error;
  }
}

interface PlacedLayer {
  /** Place of the symbolizer in its rule: the first of all rules lie below the second. */
  place: number;
  layer: MapLibreLayer;
}

function layersOf(style: RuleStyle, options: MapLibreOptions, found: Found): MapLibreLayer[] {
  for (const [name, { attribute }] of style.settings)
    if (attribute.number !== 1 && attribute.text !== 'src-over') throw new Inexpressible(name);
  const placed: PlacedLayer[] = [];
  for (const [i, rule] of style.rules.entries()) {
    if (!rule.symbolizers.length) continue;
    const earlier = style.mode === 'first' ? style.rules.slice(0, i) : [];
    for (const part of partsOf(rule, earlier, options)) {
      for (const [place, symbolizer] of rule.symbolizers.entries()) {
        const read = new SettingsReader(symbolizer, options);
        const { picture, ...symbol } = symbolOf(symbolizer.name, read, hasPoints(rule, options));
        for (const name of read.left()) found.leftOut.add(name);
        if (picture) found.pictures.set(picture.name, picture);
        placed.push({ place, layer: { ...symbol, ...part } });
      }
    }
    if (placed.length > maxLayers) throw new Inexpressible(`more than ${maxLayers} rules`);
  }
  return placed.sort((a, b) => a.place - b.place).map(({ layer }) => layer);
}

const isPoint = ({ expression }: Condition): boolean =>
  expression.kind === 'binary' &&
  expression.op === '=' &&
  expression.right.kind === 'constant' &&
  expression.right.name === 'point';

const hasPoints = ({ conditions }: StyleRule, { hasOnlyPoints }: MapLibreOptions): boolean =>
  hasOnlyPoints || conditions.some(isPoint);

type RulePart = Pick<MapLibreLayer, 'minzoom' | 'maxzoom' | 'filter'>;

/** The zoom levels of a rule, divided where other rules come before it. */
function partsOf(rule: StyleRule, earlier: readonly StyleRule[], options: MapLibreOptions): RulePart[] {
  const first = Math.max(rule.first, options.zooms.first);
  const last = Math.min(rule.last, options.zooms.last);
  const levels = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const before = (zoom: number): StyleRule[] =>
    earlier.filter((other) => zoom >= other.first && zoom <= other.last && !areExclusive(rule, other));
  const runs = groupBy(
    levels.map((zoom) => ({ zoom, before: before(zoom) })),
    ({ before }) => before.map((other) => earlier.indexOf(other)).join(),
  );
  return [...runs.values()].flatMap((run) => {
    const filter = filterOf(rule, run[0]!.before, options);
    if (filter === false) return [];
    return stretches(run.map(({ zoom }) => zoom)).flatMap((zooms) => {
      const range = rangeOf(zooms);
      return range ? [{ ...range, ...(filter === true ? {} : { filter }) }] : [];
    });
  });
}

const areExclusive = (a: StyleRule, b: StyleRule): boolean =>
  conjoin(a.conditions, b.conditions) === undefined;

/** Sorted numbers in runs without gaps. */
function stretches(zooms: readonly number[]): { first: number; last: number }[] {
  const found: { first: number; last: number }[] = [];
  for (const zoom of zooms) {
    const before = found.at(-1);
    if (before?.last === zoom - 1) before.last = zoom;
    else found.push({ first: zoom, last: zoom });
  }
  return found;
}

/**
 * The range in MapLibre's zoom levels, where the world of level 0 has 512 pixels, not 256. undefined: MapLibre does not reach
 * it. Level 0 of CartoCSS is shown by no level of MapLibre.
 */
function rangeOf({
  first,
  last,
}: {
  first: number;
  last: number;
}): Pick<RulePart, 'minzoom' | 'maxzoom'> | undefined {
  if (last < 1) return undefined;
  return { ...(first > 1 ? { minzoom: first - 1 } : {}), ...(last < maxStyleZoom ? { maxzoom: last } : {}) };
}

/** Whether a feature is drawn by a rule and by none before it: constants are resolved. */
function filterOf(
  rule: StyleRule,
  before: readonly StyleRule[],
  columns: MapLibreColumns,
): MapLibreExpression {
  const own = rule.conditions.map(({ expression }) => truth(expression, columns));
  const others = [...before.map(({ conditions }) => conditions), ...rule.refused].map((conditions) => {
    const open = conditions.filter((one) => relateAll(rule.conditions, one) !== 'implied');
    return not(all(open.map(({ expression }) => truth(expression, columns))));
  });
  return all([...own, ...others]);
}

function all(terms: readonly MapLibreExpression[]): MapLibreExpression {
  if (terms.includes(false)) return false;
  const open = terms.filter((term) => term !== true);
  if (!open.length) return true;
  return open.length === 1 ? open[0]! : ['all', ...open];
}

const not = (term: MapLibreExpression): MapLibreExpression =>
  typeof term === 'boolean' ? !term : ['!', term];
