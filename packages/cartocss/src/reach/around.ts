import { paintReach } from './paint-reach.js';
import { type RuleStyle, type Symbolizer, stylesAt } from './rules.js';

/** Where it is known how far everything is seen. */
const knownBuffer = 8;
const leastBuffer = 64;
/**
 * Which labels there is place for is decided alike on both sides of the edge of a picture when both see far enough. Where labels are
 * dense, 0.3 of them were cut on 256 pixels of an edge with 128 pixels around pictures, 0.05 with 192, and the time is a quarter more.
 */
const labelBuffer = 192;
const mostBuffer = 256;

/** Pixels beyond the western and eastern edges of a picture, and beyond the northern and southern. */
export interface Around {
  readonly x: number;
  readonly y: number;
}

/** The same on all sides. */
export const allSides = (pixels: number): Around => ({ x: pixels, y: pixels });

/** As far as the farthest of all. */
export const widest = (all: readonly Around[]): Around => ({
  x: Math.max(0, ...all.map(({ x }) => x)),
  y: Math.max(0, ...all.map(({ y }) => y)),
});

/**
 * How far beyond its edges a tile must look at a zoom level so that what lies outside and reaches in is drawn: as far as
 * the drawing of an object is seen where that is known, else half of a width and what it is shifted by; for labels, whose
 * length is known only from the data, 192 and more for large letters, but upwards and downwards, where a line of text is as long
 * as its letters are high, a third of it. Of the time of a tile drawn alone half lay in 128 pixels around it.
 */
export function around(styles: readonly RuleStyle[], zoom: number): Around {
  const { pixels } = paintReach(styles, zoom);
  if (pixels !== undefined) return allSides(Math.min(mostBuffer, Math.max(knownBuffer, Math.ceil(pixels))));
  const reaches = stylesAt(styles, zoom).flatMap((style) => {
    const blur = Math.max(0, ...[...style.settings.values()].map(({ attribute }) => attribute.number ?? 0));
    return style.rules
      .flatMap((rule) => rule.symbolizers.map(reach))
      .map(({ x, y }) => ({ x: x + 2 * blur, y: y + 2 * blur }));
  });
  const { x, y } = widest([allSides(leastBuffer), ...reaches]);
  return { x: Math.min(mostBuffer, Math.ceil(x)), y: Math.min(mostBuffer, Math.ceil(y)) };
}

/** The properties of labels that lie level, in one line, and keep no distance to others. */
const level = new Set(
  (
    'name face-name size fill opacity halo-fill halo-radius halo-opacity halo-rasterizer transform dx dy placement ' +
    'allow-overlap avoid-edges character-spacing align horizontal-alignment vertical-alignment largest-bbox-only'
  )
    .split(' ')
    .map((name) => `text-${name}`),
);

function isLevel({ name, settings }: Symbolizer): boolean {
  const placement = settings.get('text-placement')?.attribute.text ?? 'point';
  return (
    name === 'text' &&
    ['point', 'interior'].includes(placement) &&
    [...settings.keys()].every((property) => property === 'text' || level.has(property))
  );
}

function reach(symbolizer: Symbolizer): Around {
  /** The number, 0 when it is not set, or `unknown` when it depends on the data. */
  const number = (name: string, unknown: number): number => {
    const attribute = symbolizer.settings.get(name)?.attribute;
    if (attribute === undefined) return 0;
    return Math.abs(attribute.number ?? unknown);
  };
  switch (symbolizer.name) {
    case 'line':
      // Pointed corners reach further than half of the width.
      return allSides(number('line-width', 64) + number('line-offset', 64));
    case 'line-pattern':
      return allSides(leastBuffer + number('line-pattern-offset', 64));
    case 'markers': {
      const icon =
        symbolizer.settings.has('marker-file') && !symbolizer.settings.has('marker-width') ? 64 : 0;
      const size = Math.max(number('marker-width', 128), number('marker-height', 128), icon);
      const turned = symbolizer.settings.has('marker-transform') ? 64 : 0;
      return allSides(size / 2 + number('marker-line-width', 16) + number('marker-offset', 64) + turned);
    }
    case 'text':
    case 'shield': {
      const letters = number(`${symbolizer.name}-size`, 24);
      const shift = Math.max(number(`${symbolizer.name}-dx`, 32), number(`${symbolizer.name}-dy`, 32));
      const x = labelBuffer + Math.max(0, letters - 16) * 4 + shift;
      return isLevel(symbolizer) ? { x, y: Math.max(leastBuffer, 4 * letters) + shift } : allSides(x);
    }
    case 'building':
      return allSides(number('building-height', 128));
    case 'dot':
      return allSides(Math.max(number('dot-width', 64), number('dot-height', 64)) / 2);
    default:
      return allSides(leastBuffer);
  }
}
