import type { Decimal } from './rules.js';

/** As what a text of a number may be read, as bits: with a point or with a comma before the fraction. */
export const withPoint = 1;
export const withComma = 2;
export const withEither = withPoint | withComma;

export interface NumberReading {
  /** Sum of the bits above. */
  can: number;
  /** It is another number with the other sign: `1,234`. */
  isAmbiguous: boolean;
}

const plain: NumberReading = { can: withEither, isAmbiguous: false };
const point: NumberReading = { can: withPoint, isAmbiguous: false };
const comma: NumberReading = { can: withComma, isAmbiguous: false };
const unclear: NumberReading = { can: withEither, isAmbiguous: true };

const blanks = /[ \u00a0\u202f]/g;
const blankGroups = /^[+-]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?$/;
const integer = /^[+-]?\d+$/;
/** An exponent needs a sign or a fraction before it: `12E4` is more likely the code of something. */
const pointForm = /^[+-]?(?:\d*\.\d+(?:[eE][+-]?\d{1,3})?|\d+[eE][+-]\d{1,3})$/;
const commaForm = /^[+-]?\d*,\d+(?:[eE][+-]?\d{1,3})?$/;
const commaGroups = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const pointGroups = /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;

/** What a text that is a number can be; undefined for one that is none. `decimal`: where it is known. */
export function numberReading(text: string, decimal?: Decimal): NumberReading | undefined {
  const digits = blankGroups.test(text) ? text.replace(blanks, '') : text;
  if (integer.test(digits)) return plain;
  const reading = formOf(digits, decimal);
  if (!reading || decimal === undefined) return reading;
  const given = decimal === '.' ? point : comma;
  return reading.can & given.can ? given : undefined;
}

function formOf(text: string, decimal: Decimal | undefined): NumberReading | undefined {
  if (commaGroups.test(text)) {
    if (text.includes('.') || text.indexOf(',') !== text.lastIndexOf(',')) return point;
    return /^[+-]?0/.test(text) ? comma : unclear;
  }
  if (pointGroups.test(text)) {
    if (text.includes(',') || text.indexOf('.') !== text.lastIndexOf('.')) return comma;
    // One point is a fraction, unless it was said that a comma is.
    return decimal === ',' ? comma : point;
  }
  if (pointForm.test(text)) return point;
  return commaForm.test(text) ? comma : undefined;
}

/** The number that a text of one of these readings is. */
export function numberOf(text: string, decimal: Decimal): number {
  const digits = text.replace(blanks, '');
  return Number(decimal === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.'));
}

/** Most digits of a whole number that stays a number: with more it is a code of something, and loses digits. */
const mostDigits = 15;

/** Whether a text with the form of a number is rather the name of something: `00771`, `+7916…`, 16 digits. */
export function isCode(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === 0x2b) return true;
  const from = first === 0x2d ? 1 : 0;
  const second = text.charCodeAt(from + 1);
  if (text.charCodeAt(from) === 0x30 && second >= 0x30 && second <= 0x39) return true;
  if (text.length <= mostDigits) return false;
  return /^\d*/.exec(text.slice(from).replace(blanks, ''))![0].length > mostDigits;
}
