import { namedColors } from './color-names.js';
import { type Color, fromHex } from './colors.js';
import type { Expression } from './expression.js';

const hex = /^#([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** A colour written as a text: `#rrggbb` or a name. */
export function colorOf(text: string): Color | undefined {
  const digits = hex.exec(text)?.[1];
  return digits === undefined ? namedColors.get(text.toLowerCase()) : fromHex(digits);
}

const names = [...namedColors.keys()].join('|');
const notColor = `\\A(?!(?:#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|${names})\\z).*\\z`;

/**
 * A colour from the data. Mapnik ends the drawing of the whole tile at a value that is no colour, so whatever is not
 * `#rgb`, `#rrggbb`, `#rrggbbaa` or a name in small letters becomes transparent. Costs about 1 µs per feature.
 */
export const guardColor = (e: Expression): Expression => ({
  kind: 'replace',
  target: e,
  pattern: notColor,
  replacement: 'transparent',
});
