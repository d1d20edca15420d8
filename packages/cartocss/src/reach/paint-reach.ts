import { type RuleStyle, type Symbolizer, stylesAt } from './rules.js';

/** How far the drawing of an object can be seen, and whom it stands in the way of. */
export interface PaintReach {
  /** Pixels beyond the box of its shape; undefined: there is no bound, or it depends on what is drawn near by. */
  readonly pixels: number | undefined;
  /** Whether it takes a place that labels and markers of others then avoid. */
  readonly claims: boolean;
}

/** The edge of a shape colours the pixel that it crosses; one more for what numbers are rounded to. */
const edge = 2;

/**
 * Of the rules of a style at a zoom level. Only what is known to be drawn of an object by itself has a bound: a property that is
 * not in the lists below, an expression for a size, a filter over the picture or a way of blending gives none.
 */
export function paintReach(styles: readonly RuleStyle[], zoom: number): PaintReach {
  const drawn = stylesAt(styles, zoom);
  const symbolizers = drawn.flatMap((style) => style.rules).flatMap((rule) => rule.symbolizers);
  const isPlain = drawn.every((style) => [...style.settings.keys()].every((name) => name === 'opacity'));
  const reaches = symbolizers.map(reachOf);
  return {
    pixels:
      isPlain && reaches.every((reach) => reach !== undefined) ? edge + Math.max(0, ...reaches) : undefined,
    claims: symbolizers.some(takesPlace),
  };
}

const line = 'line line-color line-width line-opacity line-join line-cap line-gamma line-gamma-method';

/** The properties whose part in the reach is known, by symbolizer. */
const understood: Partial<Record<Symbolizer['name'], ReadonlySet<string>>> = {
  polygon: new Set('polygon polygon-fill polygon-opacity polygon-gamma polygon-gamma-method'.split(' ')),
  line: new Set([...line.split(' '), 'line-dasharray', 'line-dash-offset', 'line-miterlimit']),
  dot: new Set('dot dot-fill dot-opacity dot-width dot-height'.split(' ')),
  markers: new Set(
    (
      'marker marker-opacity marker-fill-opacity marker-line-color marker-line-width marker-line-opacity marker-placement ' +
      'marker-multi-policy marker-width marker-height marker-fill marker-allow-overlap marker-ignore-placement'
    ).split(' '),
  ),
};

/** Pixels, without the edge; undefined: unknown. */
function reachOf(symbolizer: Symbolizer): number | undefined {
  const known = understood[symbolizer.name];
  if (!known || ![...symbolizer.settings.keys()].every((name) => known.has(name))) return undefined;
  const number = (name: string, initial: number): number => {
    const attribute = symbolizer.settings.get(name)?.attribute;
    return attribute ? (attribute.number ?? Number.NaN) : initial;
  };
  const reach = reaches[symbolizer.name]!(symbolizer, number);
  return Number.isNaN(reach) ? undefined : reach;
}

type Reach = (symbolizer: Symbolizer, number: (name: string, initial: number) => number) => number;

const textOf = ({ settings }: Symbolizer, name: string): string | undefined =>
  settings.get(name)?.attribute.text;

const reaches: Partial<Record<Symbolizer['name'], Reach>> = {
  polygon: () => 0,
  dot: (_, number) => Math.max(number('dot-width', 1), number('dot-height', 1)),
  // A pointed corner is as long as the limit times half of the width; the corner of a square end is half a diagonal away.
  line: (symbolizer, number) => {
    const join = textOf(symbolizer, 'line-join') ?? 'miter';
    const corner = join === 'round' || join === 'bevel' ? Math.SQRT2 : number('line-miterlimit', 4);
    return (number('line-width', 1) / 2) * Math.max(Math.SQRT2, corner);
  },
  // One that avoids others depends on them. Along a line it is turned, so that a corner shows where an edge would.
  markers: (symbolizer, number) =>
    textOf(symbolizer, 'marker-allow-overlap') === 'true'
      ? (Math.max(10, number('marker-width', 10), number('marker-height', 10)) / 2) * Math.SQRT2 +
        number('marker-line-width', 0.5)
      : Number.NaN,
};

/** Markers, points and labels do, unless they are told not to. */
const takesPlace = (symbolizer: Symbolizer): boolean => {
  const { name } = symbolizer;
  if (name === 'markers') return textOf(symbolizer, 'marker-ignore-placement') !== 'true';
  return name === 'point' || name === 'text' || name === 'shield';
};
