/** The order of day and month in a date, as bits. */
export const dayFirst = 64;
export const monthFirst = 128;
export const anyOrder = dayFirst | monthFirst;

export type DateOrder = 'day' | 'month';

export interface DateReading {
  /** Sum of the bits above. */
  can: number;
  /** Whether the other order gives another valid day. */
  isAmbiguous: boolean;
}

const written =
  /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:(?:,? |T)(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)?$/;
const yearFirst =
  /^(\d{4})([./])(\d{1,2})\2(\d{1,2})(?:(?:,? |T)(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)?$/;

const clear: DateReading = { can: anyOrder, isAmbiguous: false };

/**
 * The possible readings of a text as an informal date: `31.12.2024`, `12/31/2024 9:30`, `2024/12/31`. Points separate
 * only dates with the day first.
 */
export function dateReading(text: string): DateReading | undefined {
  const match = written.exec(text);
  if (!match) return yearReading(text);
  const [, a, sign, b, year] = match as unknown as [string, string, string, string, string];
  const day = isDate(Number(year), Number(b), Number(a)) ? dayFirst : 0;
  if (sign === '.') return day ? { can: dayFirst, isAmbiguous: false } : undefined;
  const month = isDate(Number(year), Number(a), Number(b)) ? monthFirst : 0;
  if (day && month) return Number(a) === Number(b) ? clear : { can: anyOrder, isAmbiguous: true };
  return day || month ? { can: day | month, isAmbiguous: false } : undefined;
}

function yearReading(text: string): DateReading | undefined {
  const match = yearFirst.exec(text);
  if (!match) return undefined;
  return isDate(Number(match[1]), Number(match[3]), Number(match[4])) ? clear : undefined;
}

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > monthDays[month - 1]!) return false;
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
}

/** Converts a date of these readings to ISO 8601. */
export function isoDate(text: string, order: DateOrder): string {
  const two = (part: string): string => part.padStart(2, '0');
  const dates = text
    .replace(/^(\d{1,2})[./-](\d{1,2})[./-](\d{4})/, (_, a: string, b: string, year: string) =>
      order === 'day' ? `${year}-${two(b)}-${two(a)}` : `${year}-${two(a)}-${two(b)}`,
    )
    .replace(
      /^(\d{4})[./](\d{1,2})[./](\d{1,2})/,
      (_, year: string, month: string, day: string) => `${year}-${two(month)}-${two(day)}`,
    );
  return dates.replace(/^(.{10})(?:,? |T)(\d):/, '$1 0$2:').replace(/^(.{10}), /, '$1 ');
}
