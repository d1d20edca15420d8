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

/**
 * How many pixels beyond its edge a tile must look at a zoom level so that what lies outside and reaches in is drawn: as far as
 * the drawing of an object is seen where that is known, else half of a width and what it is shifted by; for labels, whose
 * length is known only from the data, 192 and more for large letters. Of the time of a tile drawn alone half lay in 128 pixels around it.
 */
export function bufferSize(styles: readonly RuleStyle[], zoom: number): number {
  const { pixels } = paintReach(styles, zoom);
  if (pixels !== undefined) return Math.min(mostBuffer, Math.max(knownBuffer, Math.ceil(pixels)));
  let most = leastBuffer;
  for (const style of stylesAt(styles, zoom)) {
    const blur = Math.max(0, ...[...style.settings.values()].map(({ attribute }) => attribute.number ?? 0));
    for (const rule of style.rules) {
      for (const symbolizer of rule.symbolizers) most = Math.max(most, reach(symbolizer) + 2 * blur);
    }
  }
  return Math.min(mostBuffer, Math.ceil(most));
}

function reach(symbolizer: Symbolizer): number {
  /** The number, 0 when it is not set, or `unknown` when it depends on the data. */
  const number = (name: string, unknown: number): number => {
    const attribute = symbolizer.settings.get(name)?.attribute;
    if (attribute === undefined) return 0;
    return Math.abs(attribute.number ?? unknown);
  };
  switch (symbolizer.name) {
    case 'line':
      // Pointed corners reach further than half of the width.
      return number('line-width', 64) + number('line-offset', 64);
    case 'line-pattern':
      return leastBuffer + number('line-pattern-offset', 64);
    case 'markers': {
      const icon =
        symbolizer.settings.has('marker-file') && !symbolizer.settings.has('marker-width') ? 64 : 0;
      const size = Math.max(number('marker-width', 128), number('marker-height', 128), icon);
      const turned = symbolizer.settings.has('marker-transform') ? 64 : 0;
      return size / 2 + number('marker-line-width', 16) + number('marker-offset', 64) + turned;
    }
    case 'text':
    case 'shield': {
      const large = Math.max(0, number(`${symbolizer.name}-size`, 24) - 16) * 4;
      return (
        labelBuffer +
        large +
        Math.max(number(`${symbolizer.name}-dx`, 32), number(`${symbolizer.name}-dy`, 32))
      );
    }
    case 'building':
      return number('building-height', 128);
    case 'dot':
      return Math.max(number('dot-width', 64), number('dot-height', 64)) / 2;
    default:
      return leastBuffer;
  }
}
