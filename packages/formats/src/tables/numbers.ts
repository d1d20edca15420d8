import type { Decimal } from './rules.js';

/** Possible readings of a number, as bits: with a point or with a comma as decimal separator. */
export const withPoint = 1;
export const withComma = 2;
export const withEither = withPoint | withComma;

export interface NumberReading {
  /** Sum of the bits above. */
  can: number;
  /** Whether the other decimal separator gives another number: `1,234`. */
  isAmbiguous: boolean;
}

const plain: NumberReading = { can: withEither, isAmbiguous: false };
const point: NumberReading = { can: withPoint, isAmbiguous: false };
const comma: NumberReading = { can: withComma, isAmbiguous: false };
const unclear: NumberReading = { can: withEither, isAmbiguous: true };

const blanks = /[ \u00a0\u202f]/g;
const blankGroups = /^[+-]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?$/;
const integer = /^[+-]?\d+$/;
/** An exponent requires a sign or a preceding fraction: `12E4` is more likely a code. */
const pointForm = /^[+-]?(?:\d*\.\d+(?:[eE][+-]?\d{1,3})?|\d+[eE][+-]\d{1,3})$/;
const commaForm = /^[+-]?\d*,\d+(?:[eE][+-]?\d{1,3})?$/;
const commaGroups = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const beginsWithZero = /^[+-]?0/;
const pointGroups = /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;

/**
 * The possible readings of a text as a number; undefined if there are none. `decimal` is the known decimal separator, `usual` that
 * of the other numbers in the table.
 */
export function numberReading(text: string, decimal?: Decimal, usual?: Decimal): NumberReading | undefined {
  const digits = blankGroups.test(text) ? text.replace(blanks, '') : text;
  if (integer.test(digits)) return plain;
  const reading = formOf(digits, decimal, usual);
  if (!reading || decimal === undefined) return reading;
  const given = decimal === '.' ? point : comma;
  return reading.can & given.can ? given : undefined;
}

function formOf(
  text: string,
  decimal: Decimal | undefined,
  usual: Decimal | undefined,
): NumberReading | undefined {
  if (commaGroups.test(text)) {
    if (text.includes('.') || text.indexOf(',') !== text.lastIndexOf(',')) return point;
    return beginsWithZero.test(text) ? comma : unclear;
  }
  if (pointGroups.test(text)) {
    if (text.includes(',') || text.indexOf('.') !== text.lastIndexOf('.')) return comma;
    if (decimal === ',') return comma;
    // A single point is a decimal separator, unless the other numbers have a comma in its place.
    return usual === ',' && !beginsWithZero.test(text) ? unclear : point;
  }
  if (pointForm.test(text)) return point;
  return commaForm.test(text) ? comma : undefined;
}

/** Parses a number of these readings. */
export function numberOf(text: string, decimal: Decimal): number {
  const digits = text.replace(blanks, '');
  return Number(decimal === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.'));
}

/** Maximum number of digits of an integer that is stored as a number. Longer ones are codes, which would lose digits. */
const mostDigits = 15;

/** Whether a text in the form of a number is more likely an identifier: `00771`, `+7916…`, 16 digits. */
export function isNumericCode(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === 0x2b) return true;
  const from = first === 0x2d ? 1 : 0;
  const second = text.charCodeAt(from + 1);
  if (text.charCodeAt(from) === 0x30 && second >= 0x30 && second <= 0x39) return true;
  if (text.length <= mostDigits) return false;
  return /^\d*/.exec(text.slice(from).replace(blanks, ''))![0].length > mostDigits;
}
