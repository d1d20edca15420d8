import { acceptValue, type Column, type ColumnType, trimmed } from '@cartulary/columns';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { isDatetime } from '../datetimes.js';
import { anyOrder, type DateOrder, dateReading, dayFirst, isoDate, monthFirst } from './dates.js';
import { isNumericCode, numberOf, numberReading, withComma, withEither, withPoint } from './numbers.js';
import type { Decimal } from './rules.js';

/** The types that all texts of a property can have, since a column has one type and one notation. */
export interface TextUse {
  /** Sum of the bits of numbers, dates and pairs of words that every text so far can be. */
  can: number;
  /** Whether a number or date among them has another value in another notation. */
  hasAmbiguous: boolean;
  /** Sum of the bits of the decimal separators that its tables have, coordinates included. */
  usual: number;
}

/** Words for yes and no by the bit of their pair; words of different pairs do not mix. */
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

/** The notation of a table's texts, as far as the whole table determines it. */
export interface TextRules {
  /** The given decimal separator. */
  given: Decimal | undefined;
  /** The decimal separator of the numbers in the table; undefined if there is none or both occur. */
  usual: Decimal | undefined;
}

/** The initial state of a property. */
export const newTextUse = (): TextUse => ({ can: anything, hasAmbiguous: false, usual: 0 });

/** Records the possible types of a text of a table. */
export function noteText(use: TextUse, text: string, rules: TextRules): void {
  // After the first text that can only be text the column is text.
  if (!use.can) return;
  if (rules.usual) use.usual |= rules.usual === '.' ? withPoint : withComma;
  const reading = readingOf(withoutBlanks(text), rules);
  use.can &= reading?.can ?? 0;
  if (reading?.isAmbiguous) use.hasAmbiguous = true;
}

/** Surrounding blanks and tabs are ignored; a value with other characters around it is text. */
const withoutBlanks = (text: string): string =>
  text.charCodeAt(0) > 0x20 && text.charCodeAt(text.length - 1) > 0x20 ? text : trimmed(text, ' \t');

function readingOf(
  text: string,
  { given, usual }: TextRules,
): { can: number; isAmbiguous?: boolean } | undefined {
  // Longer than any number, date or word.
  if (text.length > 40) return undefined;
  const first = text.charCodeAt(0);
  if (first > 0x39) {
    const word = words.get(text.toLowerCase());
    return word && { can: word.bit };
  }
  const number = numberReading(text, given, usual);
  if (number) {
    return !isNumericCode(text) && isInRange(text, decimalOf(number.can)!) ? number : undefined;
  }
  return isDatetime(text) ? { can: anyOrder } : dateReading(text);
}

/** Whether a column of numbers can store it; the database refuses values closer to 0 than the smallest number. */
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

/** The form of all texts of a property; undefined: they are texts. `usual` is the decimal separator of the whole table. */
export function formOf({ can, hasAmbiguous }: TextUse, usual: Decimal | undefined): TextForm | undefined {
  if (can === anything || !can) return undefined;
  const numbers = can & withEither;
  if (numbers === withEither && hasAmbiguous) return usual && { type: 'number', decimal: usual };
  if (numbers) return { type: 'number', decimal: decimalOf(numbers)! };
  if (can & anyPair) return { type: 'bool' };
  const isUnclear = (can & anyOrder) === anyOrder && hasAmbiguous;
  return isUnclear ? undefined : { type: 'datetime', order: can & dayFirst ? 'day' : 'month' };
}

/** The decimal separator that the texts of properties and their tables have; undefined if there is none or both occur. */
export function sharedDecimal(uses: readonly TextUse[]): Decimal | undefined {
  let found = 0;
  for (const { can, usual } of uses)
    found |= usual | ((can & withEither) === withEither ? 0 : can & withEither);
  return found === withEither ? undefined : decimalOf(found);
}

type Converter = (use: TextUse, text: string, rules: TextRules) => unknown;

const wrong = (why: string): ServiceError => new ServiceError('value_invalid', why);

/** The beginning of a text, as a message names it. */
const beginningOf = (text: string): { text: string } => ({ text: text.slice(0, 50) });

/** How a text becomes a value of an existing column; columns of other types store it unchanged. */
const converters: Partial<Record<ColumnType, Converter>> = {
  number: toNumber,
  bool: (_use, text) => words.get(text.toLowerCase())?.value ?? text,
  datetime: toDatetime,
  json: (_use, text) => {
    try {
      return JSON.parse(text);
    } catch {
      throw wrong(noteOf('noJson', beginningOf(text)));
    }
  },
};

/** Converts a text of a table for an existing column. Throws `value_invalid` with the reason. */
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
    // The message of a value that the type does not accept names the column, but not the value.
    const named = message.startsWith(noteOf('ofColumn', { column: column.code, reason: '' }))
      ? noteOf('ofText', { reason: message, ...beginningOf(trimmed) })
      : noteOf('ofProperty', { property: column.code, reason: message });
    throw new ServiceError(code, named, { ...data, columns: [column.code] });
  }
}

function toNumber(use: TextUse, text: string, { given, usual }: TextRules): unknown {
  const reading = numberReading(text, given, usual);
  if (!reading) throw wrong(noteOf('noNumber', beginningOf(text)));
  const can = use.can & reading.can;
  if (!can) throw wrong(noteOf('otherDecimal', beginningOf(text)));
  if (reading.isAmbiguous && can === withEither) {
    if (usual) return numberOf(text, usual);
    throw wrong(noteOf('ambiguousNumber', beginningOf(text)));
  }
  use.can &= reading.can | ~withEither;
  return numberOf(text, decimalOf(can)!);
}

function toDatetime(use: TextUse, text: string): unknown {
  const reading = dateReading(text);
  if (!reading) return text;
  const can = use.can & reading.can;
  if (!can) throw wrong(noteOf('otherDateOrder', beginningOf(text)));
  if (reading.isAmbiguous && can === anyOrder) {
    throw wrong(noteOf('ambiguousDate', beginningOf(text)));
  }
  use.can &= reading.can | ~anyOrder;
  return isoDate(text, can & monthFirst && !(can & dayFirst) ? 'month' : 'day');
}
