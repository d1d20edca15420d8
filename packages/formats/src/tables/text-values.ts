import { ServiceError } from '../../errors.js';
import type { Column, ColumnType } from '../../layers/layers.js';
import { acceptValue } from '../../layers/types.js';
import { isDatetime } from '../datetimes.js';
import { anyOrder, type DateOrder, dateReading, dayFirst, isoDate, monthFirst } from './dates.js';
import { isCode, numberOf, numberReading, withComma, withEither, withPoint } from './numbers.js';
import type { Decimal } from './rules.js';

/** What the texts of a property can be read as: all of them, since a column has one type and one way of writing. */
export interface TextUse {
  /** Sum of bits of numbers, dates and pairs of words: what each text so far can be. */
  can: number;
  /** A number or date among them is another one in another way of writing. */
  hasAmbiguous: boolean;
}

/** Words for yes and no, by the bit of their pair: those of different pairs do not mix. */
const pairs = [
  ['true', 'false', 4],
  ['yes', 'no', 8],
  ['да', 'нет', 16],
  ['истина', 'ложь', 32],
] as const;
const words = new Map<string, { bit: number; value: boolean }>(
  pairs.flatMap(([yes, no, bit]) => [
    [yes, { bit, value: true }],
    [no, { bit, value: false }],
  ]),
);
const anyPair = 4 | 8 | 16 | 32;
const anything = withEither | anyPair | anyOrder;

/** How the texts of a table are written, as far as the whole of it tells. */
export interface TextRules {
  /** The sign before fractions as it was given. */
  given: Decimal | undefined;
  /** The sign that the numbers of the table have; undefined where none or both occur. */
  usual: Decimal | undefined;
}

/** The use of a property of which no text was seen. */
export const newTextUse = (): TextUse => ({ can: anything, hasAmbiguous: false });

/** Takes notice of a text of a table. */
export function noteText(use: TextUse, text: string, { given }: TextRules): void {
  // Once it is nothing else it is text.
  if (!use.can) return;
  const reading = readingOf(withoutBlanks(text), given);
  use.can &= reading?.can ?? 0;
  if (reading?.isAmbiguous) use.hasAmbiguous = true;
}

/** Blanks and tabs around a value say nothing; a text with other signs around it is text. */
const withoutBlanks = (text: string): string =>
  text.charCodeAt(0) > 0x20 && text.charCodeAt(text.length - 1) > 0x20
    ? text
    : text.replace(/^[ \t]+|[ \t]+$/g, '');

function readingOf(
  text: string,
  given: Decimal | undefined,
): { can: number; isAmbiguous?: boolean } | undefined {
  // Longer than any number, date or word.
  if (text.length > 40) return undefined;
  const first = text.charCodeAt(0);
  if (first > 0x39) {
    const word = words.get(text.toLowerCase());
    return word && { can: word.bit };
  }
  const number = numberReading(text, given);
  if (number) {
    return !isCode(text) && isInRange(text, decimalOf(number.can)!) ? number : undefined;
  }
  return isDatetime(text) ? { can: anyOrder } : dateReading(text);
}

/** Whether a column of numbers takes it, and the database does not find it nearer to 0 than a number can be. */
function isInRange(text: string, decimal: Decimal): boolean {
  const size = Math.abs(numberOf(text, decimal));
  return size <= Number.MAX_SAFE_INTEGER && (size > 1e-300 || !/[1-9]\d*[.,]?\d*e|[.,]0*[1-9]/i.test(text));
}

const decimalOf = (can: number): Decimal | undefined =>
  can & withPoint ? '.' : can & withComma ? ',' : undefined;

/** How the texts of a column become its values. */
export type TextForm =
  | { type: 'number'; decimal: Decimal }
  | { type: 'bool' }
  | { type: 'datetime'; order: DateOrder };

/** The form that all texts of a property have; undefined: they are texts. `usual`: the sign before fractions in the other columns. */
export function formOf({ can, hasAmbiguous }: TextUse, usual: Decimal | undefined): TextForm | undefined {
  if (can === anything || !can) return undefined;
  const numbers = can & withEither;
  if (numbers === withEither && hasAmbiguous) return usual && { type: 'number', decimal: usual };
  if (numbers) return { type: 'number', decimal: decimalOf(numbers)! };
  if (can & anyPair) return { type: 'bool' };
  const isUnclear = (can & anyOrder) === anyOrder && hasAmbiguous;
  return isUnclear ? undefined : { type: 'datetime', order: can & dayFirst ? 'day' : 'month' };
}

/** The sign before fractions that the texts of a property have for certain. */
export const provenDecimal = ({ can }: TextUse): Decimal | undefined =>
  (can & withEither) === withPoint ? '.' : (can & withEither) === withComma ? ',' : undefined;

type Converter = (use: TextUse, text: string, rules: TextRules) => unknown;

const wrong = (why: string): ServiceError => new ServiceError('value_invalid', why);

const shown = (text: string): string => `'${text.slice(0, 50)}'`;

/** How a text becomes a value of a column that is there; what is not listed takes it as it is. */
const converters: Partial<Record<ColumnType, Converter>> = {
  number: toNumber,
  bool: (_use, text) => words.get(text.toLowerCase())?.value ?? text,
  datetime: toDatetime,
  json: (_use, text) => {
    try {
      return JSON.parse(text);
    } catch {
      throw wrong(`${shown(text)} is no JSON`);
    }
  },
};

/** A text of a table as the value of a column that is there. Throws `value_invalid` saying what is wrong with it. */
export function convertText(
  column: Pick<Column, 'type' | 'code'>,
  use: TextUse,
  { text, rules }: { text: string; rules: TextRules },
): unknown {
  const trimmed = text.trim();
  const convert = converters[column.type];
  if (!convert) return acceptValue(column, text);
  try {
    const value = convert(use, trimmed, rules);
    const accepted = acceptValue(column, value);
    return column.type === 'json' ? value : accepted;
  } catch (error) {
    const { code, message, data } = error as ServiceError;
    const named = message.includes(column.code)
      ? `${message}, not ${shown(trimmed)}`
      : `${column.code}: ${message}`;
    throw new ServiceError(code, named, { ...data, columns: [column.code] });
  }
}

function toNumber(use: TextUse, text: string, { given, usual }: TextRules): unknown {
  const reading = numberReading(text, given);
  if (!reading) throw wrong(`${shown(text)} is no number`);
  const can = use.can & reading.can;
  if (!can) throw wrong(`${shown(text)} has another sign before its fraction than the numbers before`);
  if (reading.isAmbiguous && can === withEither) {
    if (usual) return numberOf(text, usual);
    throw wrong(`${shown(text)} may be two different numbers: give decimal`);
  }
  use.can &= reading.can | ~withEither;
  return numberOf(text, decimalOf(can)!);
}

function toDatetime(use: TextUse, text: string): unknown {
  const reading = dateReading(text);
  if (!reading) return text;
  const can = use.can & reading.can;
  if (!can) throw wrong(`${shown(text)} has day and month in another order than the dates before`);
  if (reading.isAmbiguous && can === anyOrder) {
    throw wrong(`${shown(text)} may be two different days: write dates as 2024-12-31 or 31.12.2024`);
  }
  use.can &= reading.can | ~anyOrder;
  return isoDate(text, can & monthFirst && !(can & dayFirst) ? 'month' : 'day');
}
