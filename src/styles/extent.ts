import type { RuleStyle, Symbolizer } from './rules.js';

const leastBuffer = 64;
const labelBuffer = 128;
const mostBuffer = 256;

/**
 * How many pixels beyond its edge a tile must look so that what lies outside and reaches in is drawn: half of a width
 * and what it is shifted by; for labels, whose length is known only from the data, 128 and more for large letters.
 */
export function bufferSize(styles: readonly RuleStyle[]): number {
  let most = leastBuffer;
  for (const style of styles) {
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
