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
 * outside of the lists below, an expression as a size, an image filter or a blending mode of a whole style make it unbounded.
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

const line = 'line line-color line-width line-opacity line-join line-cap line-gamma line-gamma-method';

/** Properties with a known effect on the reach, by symbolizer. */
const knownProperties: Partial<Record<Symbolizer['name'], ReadonlySet<string>>> = {
  polygon: new Set('polygon polygon-fill polygon-opacity polygon-gamma polygon-gamma-method'.split(' ')),
  line: new Set([...line.split(' '), 'line-dasharray', 'line-dash-offset', 'line-miterlimit']),
  dot: new Set('dot dot-fill dot-opacity dot-width dot-height'.split(' ')),
  raster: new Set(
    (
      'raster raster-opacity raster-filter-factor raster-scaling raster-colorizer-default-mode ' +
      'raster-colorizer-default-color raster-colorizer-epsilon raster-colorizer-stops'
    ).split(' '),
  ),
  markers: new Set(
    (
      'marker marker-opacity marker-fill-opacity marker-line-color marker-line-width marker-line-opacity marker-placement ' +
      'marker-multi-policy marker-width marker-height marker-fill marker-allow-overlap marker-ignore-placement'
    ).split(' '),
  ),
};

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

/** The properties of a symbolizer but its blending, if that is known. */
const shapingNames = (symbolizer: Symbolizer): string[] =>
  [...symbolizer.settings.keys()].filter(
    (name) => !blendingOf(symbolizer) || name !== `${blended[symbolizer.name]}-comp-op`,
  );

/** Pixels without `edgePx`. undefined: unknown. */
function reachOf(symbolizer: Symbolizer): number | undefined {
  const known = knownProperties[symbolizer.name];
  if (!known || !shapingNames(symbolizer).every((name) => known.has(name))) return undefined;
  const reach = reaches[symbolizer.name]!(symbolizer, numbersOf(symbolizer));
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

const reaches: Partial<Record<Symbolizer['name'], Reach>> = {
  polygon: () => 0,
  // Mapnik reads one pixel of the image more on each side, which is what these ways of scaling need.
  raster: (symbolizer) =>
    ['near', 'bilinear'].includes(textOf(symbolizer, 'raster-scaling') ?? 'near') ? 0 : Number.NaN,
  dot: (_, number) => Math.max(number('dot-width', 1), number('dot-height', 1)),
  // A mitred corner extends to the limit times half of the width, the corner of a square cap to half of a diagonal.
  line: (symbolizer, number) => {
    const join = textOf(symbolizer, 'line-join') ?? 'miter';
    const corner = join === 'round' || join === 'bevel' ? Math.SQRT2 : number('line-miterlimit', 4);
    return (number('line-width', 1) / 2) * Math.max(Math.SQRT2, corner);
  },
  // A marker that avoids others depends on them.
  markers: (symbolizer, number) => (avoidsOthers(symbolizer) ? Number.NaN : sizeReach(number)),
};

/** Along a line a marker is rotated, so its corner may point outwards. */
const sizeReach: (number: Numbers) => number = (number) =>
  (Math.max(10, number('marker-width', 10), number('marker-height', 10)) / 2) * Math.SQRT2 +
  number('marker-line-width', 0.5);

/** Whether a marker is an ellipse or an icon that is neither transformed nor moved. */
export const isPlainMarker = ({ name, settings }: Symbolizer): boolean =>
  name === 'markers' &&
  [...settings.keys()].every((one) => knownProperties.markers!.has(one) || one === 'marker-file');

/** The reach of a plain marker where it is drawn, pixels; of an icon that of a usual one. undefined: it depends on the data. */
export function reachOfMarker(marker: Symbolizer): number | undefined {
  const { settings } = marker;
  if ([...settings.values()].some(({ attribute }) => attribute.columns.length)) return undefined;
  return edgePx + (settings.has('marker-file') ? usualReachOf(marker) : sizeReach(numbersOf(marker)));
}

/** Whether it is a marker that is drawn only where it finds room. */
export const avoidsOthers = (symbolizer: Symbolizer): boolean =>
  symbolizer.name === 'markers' && textOf(symbolizer, 'marker-allow-overlap') !== 'true';

/** Further properties of symbols that are drawn alone, whose effect on the reach is not known. */
const shapingProperties: Partial<Record<Symbolizer['name'], ReadonlySet<string>>> = {
  polygon: new Set('polygon-clip polygon-smooth polygon-simplify polygon-simplify-algorithm'.split(' ')),
  line: new Set('line-clip line-smooth line-simplify line-simplify-algorithm'.split(' ')),
  markers: new Set(
    (
      'marker-file marker-type marker-transform marker-offset marker-direction marker-clip marker-smooth marker-simplify ' +
      'marker-simplify-algorithm'
    ).split(' '),
  ),
  point: new Set(
    'point point-file point-opacity point-placement point-transform point-allow-overlap point-ignore-placement'.split(
      ' ',
    ),
  ),
};

/** Side of an icon whose size is not said, and of symbols whose size comes from the data. */
const usualSidePx = 32;
/** Width of a line whose width comes from the data. */
const usualWidthPx = 8;

/** Pixels without `edgePx` that a usual symbol reaches. undefined: it depends on others. */
function likelyReachOf(symbolizer: Symbolizer): number | undefined {
  const { name } = symbolizer;
  const [known, shaping] = [knownProperties[name], shapingProperties[name]];
  if (!shaping || !shapingNames(symbolizer).every((one) => known?.has(one) || shaping.has(one)))
    return undefined;
  if (name === 'polygon') return 0;
  if (name === 'line') return usualReachOfLine(symbolizer);
  return looksForRoom(symbolizer) ? undefined : usualReachOf(symbolizer);
}

/** Pixels without `edgePx` that a line reaches, of a usual width and limit where these come from the data. */
function usualReachOfLine(line: Symbolizer): number {
  const number = numbersOf(line);
  const known: Numbers = (name, initial) => {
    const found = number(name, initial);
    if (!Number.isNaN(found)) return found;
    return name === 'line-width' ? usualWidthPx : initial;
  };
  return reaches.line!(line, known);
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
