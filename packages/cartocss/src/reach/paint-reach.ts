import type { StyleProperty } from '../properties.js';
import { type Blending, blendingNamed } from '../rules/blending.js';
import { type RuleStyle, type Symbolizer, stylesAt } from '../rules/rules.js';

/** The reach of an object's symbols, and whether they block labels. */
export interface PaintReach {
  /** How all symbols are laid over what is below them; undefined: in different ways, or in another one. */
  readonly blending: Blending | undefined;
  /** Pixels beyond the bounding box of the shape. undefined: unbounded, or dependent on neighbouring symbols. */
  readonly pixels: number | undefined;
  /**
   * The same where it is not known how far icons, transformed symbols and sizes from the data reach: as far as usual ones do. Who
   * uses it looks at what is drawn. undefined: the symbols depend on their neighbours or on more than their object.
   */
  readonly likelyPixels: number | undefined;
  /** The symbols occupy places that labels and markers of other objects avoid. */
  readonly claims: boolean;
  /** Some of them are drawn only where they find room. */
  readonly avoids: boolean;
}

/** One pixel for the pixel that an edge crosses, and one for rounding. */
const edgePx = 2;

/**
 * The reach of a style's rules at a zoom level. It is bounded only for symbols that depend on their object alone. A property
 * whose reach is not known, an expression as a size, an image filter or a blending mode of a whole style make it unbounded.
 */
export function paintReach(styles: readonly RuleStyle[], zoom: number): PaintReach {
  const drawn = stylesAt(styles, zoom);
  const symbolizers = drawn.flatMap((style) => style.rules).flatMap((rule) => rule.symbolizers);
  const isPlain = drawn.every((style) => [...style.settings.keys()].every((name) => name === 'opacity'));
  const widest = (all: readonly (number | undefined)[]): number | undefined =>
    isPlain && all.every((reach) => reach !== undefined) ? edgePx + Math.max(0, ...all) : undefined;
  const [first] = symbolizers;
  const blending = first ? blendingOf(first) : 'src-over';
  return {
    blending: symbolizers.every((one) => blendingOf(one) === blending) ? blending : undefined,
    pixels: widest(symbolizers.map(reachOf)),
    likelyPixels: widest(symbolizers.map((one) => reachOf(one) ?? likelyReachOf(one))),
    claims: symbolizers.some(claimsPlace),
    avoids: symbolizers.some(looksForRoom),
  };
}

/**
 * How a symbolizer is laid over what is below it; undefined: in another way, or in one that differs for the parts of a symbol one after the
 * other and for the whole symbol.
 */
function blendingOf({ name, settings }: Symbolizer): Blending | undefined {
  const set = settings.get(`${blended[name]}-comp-op`);
  const blending = set ? blendingNamed(set.attribute.text) : 'src-over';
  const isOfOpaqueParts = blending === 'darken' || blending === 'lighten';
  // The edges of fill and outline, one above the other, are translucent.
  const hasOutline = name === 'markers' && settings.get('marker-line-width')?.attribute.number !== 0;
  return isOfOpaqueParts && hasOutline ? undefined : blending;
}

/** What the names of the properties of symbolizers with a blending begin with. */
const blended: Partial<Record<Symbolizer['name'], string>> = {
  polygon: 'polygon',
  line: 'line',
  dot: 'dot',
  markers: 'marker',
  point: 'point',
};

/** The reaches of the properties of a symbolizer but its blending, if that is known. */
const reachesOf = (symbolizer: Symbolizer): StyleProperty['reach'][] =>
  [...symbolizer.settings.values()].flatMap(({ property: { name, reach } }) =>
    blendingOf(symbolizer) && name === `${blended[symbolizer.name]}-comp-op` ? [] : [reach],
  );

/** Pixels without `edgePx`. undefined: unknown. */
function reachOf(symbolizer: Symbolizer): number | undefined {
  const known = knownReaches[symbolizer.name];
  if (!known || !reachesOf(symbolizer).every((one) => one === 'known')) return undefined;
  const reach = known(symbolizer, numbersOf(symbolizer));
  return Number.isNaN(reach) ? undefined : reach;
}

/** A property's number, an initial value if it is not set, NaN if it depends on the data. */
type Numbers = (name: string, initial: number) => number;

const numbersOf =
  ({ settings }: Symbolizer): Numbers =>
  (name, initial) => {
    const attribute = settings.get(name)?.attribute;
    return attribute ? (attribute.number ?? Number.NaN) : initial;
  };

type Reach = (symbolizer: Symbolizer, number: Numbers) => number;

const textOf = ({ settings }: Symbolizer, name: string): string | undefined =>
  settings.get(name)?.attribute.text;

const knownReaches: Partial<Record<Symbolizer['name'], Reach>> = {
  polygon: () => 0,
  // Mapnik reads one pixel of the image more on each side, which is what these ways of scaling need.
  raster: (symbolizer) =>
    ['near', 'bilinear'].includes(textOf(symbolizer, 'raster-scaling') ?? 'near') ? 0 : Number.NaN,
  dot: (_, number) => Math.max(number('dot-width', 1), number('dot-height', 1)),
  line: reachOfLine,
  // A marker that avoids others depends on them.
  markers: (symbolizer, number) => (avoidsOthers(symbolizer) ? Number.NaN : sizeReach(number)),
};

/** A mitred corner extends to the limit times half of the width, the corner of a square cap to half of a diagonal. */
function reachOfLine(line: Symbolizer, number: Numbers): number {
  const join = textOf(line, 'line-join') ?? 'miter';
  const corner = join === 'round' || join === 'bevel' ? Math.SQRT2 : number('line-miterlimit', 4);
  return (number('line-width', 1) / 2) * Math.max(Math.SQRT2, corner);
}

/** Along a line a marker is rotated, so its corner may point outwards. */
const sizeReach: (number: Numbers) => number = (number) =>
  (Math.max(10, number('marker-width', 10), number('marker-height', 10)) / 2) * Math.SQRT2 +
  number('marker-line-width', 0.5);

/** Whether a marker is an ellipse or an icon that is neither transformed nor moved. */
export const isPlainMarker = ({ name, settings }: Symbolizer): boolean =>
  name === 'markers' &&
  [...settings.values()].every(
    ({ property }) => property.reach === 'known' || property.name === 'marker-file',
  );

/** The reach of a plain marker where it is drawn, pixels; of an icon that of a usual one. undefined: it depends on the data. */
export function reachOfMarker(marker: Symbolizer): number | undefined {
  const { settings } = marker;
  if ([...settings.values()].some(({ attribute }) => attribute.columns.length)) return undefined;
  return edgePx + (settings.has('marker-file') ? usualReachOf(marker) : sizeReach(numbersOf(marker)));
}

/** Whether it is a marker that is drawn only where it finds room. */
export const avoidsOthers = (symbolizer: Symbolizer): boolean =>
  symbolizer.name === 'markers' && textOf(symbolizer, 'marker-allow-overlap') !== 'true';

/** Side of an icon whose size is not said, and of symbols whose size comes from the data. */
const usualSidePx = 32;
/** Width of a line whose width comes from the data. */
const usualWidthPx = 8;

/** Pixels without `edgePx` that a usual symbol reaches. undefined: it depends on others, or on what is not known. */
function likelyReachOf(symbolizer: Symbolizer): number | undefined {
  const likely = likelyReaches[symbolizer.name];
  return likely && reachesOf(symbolizer).every((one) => one !== undefined) ? likely(symbolizer) : undefined;
}

const likelyReachOfIcon = (symbolizer: Symbolizer): number | undefined =>
  looksForRoom(symbolizer) ? undefined : usualReachOf(symbolizer);

const likelyReaches: Partial<Record<Symbolizer['name'], (symbolizer: Symbolizer) => number | undefined>> = {
  polygon: () => 0,
  line: usualReachOfLine,
  markers: likelyReachOfIcon,
  point: likelyReachOfIcon,
};

/** Pixels without `edgePx` that a line reaches, of a usual width and limit where these come from the data. */
function usualReachOfLine(line: Symbolizer): number {
  const number = numbersOf(line);
  const known: Numbers = (name, initial) => {
    const found = number(name, initial);
    if (!Number.isNaN(found)) return found;
    return name === 'line-width' ? usualWidthPx : initial;
  };
  return reachOfLine(line, known);
}

/** Pixels without `edgePx` that a usual symbol with these properties reaches. */
function usualReachOf({ settings }: Symbolizer): number {
  const sizes = ['marker-width', 'marker-height'].flatMap((one) => settings.get(one)?.attribute.number ?? []);
  const stroke = settings.get('marker-line-width')?.attribute.number ?? 0.5;
  return (Math.max(10, ...(sizes.length ? sizes : [usualSidePx])) / 2) * Math.SQRT2 + stroke;
}

/** Whether it is drawn only where it finds room: labels, shields, and markers and points that may not overlap others. */
const looksForRoom = (symbolizer: Symbolizer): boolean => {
  const { name } = symbolizer;
  if (name === 'point') return textOf(symbolizer, 'point-allow-overlap') !== 'true';
  return name === 'text' || name === 'shield' || avoidsOthers(symbolizer);
};

/** Whether a symbolizer claims its place: markers unless `ignore-placement` is set, points, labels. */
export const claimsPlace = (symbolizer: Symbolizer): boolean => {
  const { name } = symbolizer;
  if (name === 'markers') return textOf(symbolizer, 'marker-ignore-placement') !== 'true';
  return name === 'point' || name === 'text' || name === 'shield';
};
