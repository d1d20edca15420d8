import { type RuleStyle, type Symbolizer, stylesAt } from '../rules/rules.js';
import { paintReach } from './paint-reach.js';

/** Minimum margin where the reach of every symbol is known. */
const minKnownMarginPx = 8;
const minMarginPx = 64;
/**
 * Margin for labels. With a wide enough margin both tiles at an edge place the same labels. Measured with dense labels: a
 * margin of 128 pixels cuts 0.3 labels per 256 pixels of an edge, a margin of 192 pixels 0.05 for a quarter more time.
 */
const labelMarginPx = 192;
const maxMarginPx = 256;

/** A margin in pixels: `x` beyond the western and eastern edges of an image, `y` beyond the northern and southern. */
export interface Around {
  readonly x: number;
  readonly y: number;
}

/** The same margin on all sides. */
export const allSides = (pixels: number): Around => ({ x: pixels, y: pixels });

/** The margin that covers all others. */
export const widest = (all: readonly Around[]): Around => ({
  x: Math.max(0, ...all.map(({ x }) => x)),
  y: Math.max(0, ...all.map(({ y }) => y)),
});

/**
 * The margin around a tile at a zoom level from which features must be read, since their symbols extend into the tile. It
 * is the reach of the symbols where that is known, else half of their width plus their offset. The length of labels
 * depends on the data: their margin is 192 pixels, more for large letters. A level label needs a third of that upwards and
 * downwards, where it is only as high as its letters. A margin of 128 pixels takes half of the time of a single tile.
 */
export function around(styles: readonly RuleStyle[], zoom: number): Around {
  const { pixels } = paintReach(styles, zoom);
  if (pixels !== undefined)
    return allSides(Math.min(maxMarginPx, Math.max(minKnownMarginPx, Math.ceil(pixels))));
  const reaches = stylesAt(styles, zoom).flatMap((style) => {
    const blur = Math.max(0, ...[...style.settings.values()].map(({ attribute }) => attribute.number ?? 0));
    return style.rules
      .flatMap((rule) => rule.symbolizers.map(reach))
      .map(({ x, y }) => ({ x: x + 2 * blur, y: y + 2 * blur }));
  });
  const { x, y } = widest([allSides(minMarginPx), ...reaches]);
  return { x: Math.min(maxMarginPx, Math.ceil(x)), y: Math.min(maxMarginPx, Math.ceil(y)) };
}

/** Whether it is a label that is horizontal, has one line and keeps no distance to others. */
function isLevel({ name, settings }: Symbolizer): boolean {
  const placement = settings.get('text-placement')?.attribute.text ?? 'point';
  return (
    name === 'text' &&
    ['point', 'interior'].includes(placement) &&
    [...settings.values()].every(({ property }) => property.isOfLevelLabels)
  );
}

function reach(symbolizer: Symbolizer): Around {
  /** The number, 0 if it is not set, `unknown` if it depends on the data. */
  const number = (name: string, unknown: number): number => {
    const attribute = symbolizer.settings.get(name)?.attribute;
    if (attribute === undefined) return 0;
    return Math.abs(attribute.number ?? unknown);
  };
  switch (symbolizer.name) {
    case 'line':
      // Mitred corners extend further than half of the width.
      return allSides(number('line-width', 64) + number('line-offset', 64));
    case 'line-pattern':
      return allSides(minMarginPx + number('line-pattern-offset', 64));
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
      const x = labelMarginPx + Math.max(0, letters - 16) * 4 + shift;
      return isLevel(symbolizer) ? { x, y: Math.max(minMarginPx, 4 * letters) + shift } : allSides(x);
    }
    case 'building':
      return allSides(number('building-height', 128));
    case 'dot':
      return allSides(Math.max(number('dot-width', 64), number('dot-height', 64)) / 2);
    default:
      return allSides(minMarginPx);
  }
}
