import type { Expression } from '../expressions/expression.js';
import { namedColors } from './color-names.js';
import { type Color, fromHex } from './colors.js';

const hex = /^#([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** The colour of a text: `#rrggbb` or a name. */
export function colorOf(text: string): Color | undefined {
  const digits = hex.exec(text)?.[1];
  return digits === undefined ? namedColors.get(text.toLowerCase()) : fromHex(digits);
}

const names = [...namedColors.keys()].join('|');
const notColor = `\\A(?!(?:#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|${names})\\z).*\\z`;

/**
 * An expression for a colour from the data. Mapnik aborts the whole tile at an invalid colour, so a value other than
 * `#rgb`, `#rrggbb`, `#rrggbbaa` or a lower-case name becomes transparent. Takes about 1 µs per feature.
 */
export const guardColor = (e: Expression): Expression => ({
  kind: 'replace',
  target: e,
  pattern: notColor,
  replacement: 'transparent',
});
