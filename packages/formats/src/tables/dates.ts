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

const halfDay = String.raw`(?:0?[1-9]|1[0-2]):[0-5]\d(?::[0-5]\d)? ?[ap]m`;
const zone = String.raw`z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?`;
const wholeDay = String.raw`(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?: ?(${zone}))?`;
const time = `(?:(?:,? |T)(?:${halfDay}|${wholeDay}))?`;
const written = new RegExp(String.raw`^(\d{1,2})([./-])(\d{1,2})\2(\d{4})${time}$`, 'i');
const yearFirst = new RegExp(String.raw`^(\d{4})([./-])(\d{1,2})\2(\d{1,2})${time}$`, 'i');

const clear: DateReading = { can: anyOrder, isAmbiguous: false };

/**
 * The possible readings of a text as an informal date: `31.12.2024`, `12/31/2024 9:30 PM`, `2024/12/31`, with a
 * zone or without. Points separate only dates with the day first.
 */
export function dateReading(text: string): DateReading | undefined {
  const match = written.exec(text);
  if (!match) return yearReading(text);
  const [, a, sign, b, year, zone] = match as unknown as [string, string, string, string, string, string?];
  if (zone && isAtEdge(year)) return undefined;
  const day = isDate(Number(year), Number(b), Number(a)) ? dayFirst : 0;
  if (sign === '.') return day ? { can: dayFirst, isAmbiguous: false } : undefined;
  const month = isDate(Number(year), Number(a), Number(b)) ? monthFirst : 0;
  if (day && month) return Number(a) === Number(b) ? clear : { can: anyOrder, isAmbiguous: true };
  return day || month ? { can: day | month, isAmbiguous: false } : undefined;
}

function yearReading(text: string): DateReading | undefined {
  const match = yearFirst.exec(text);
  if (!match) return undefined;
  const [, year, , month, day, zone] = match as unknown as [string, string, string, string, string, string?];
  if (zone && isAtEdge(year)) return undefined;
  return isDate(Number(year), Number(month), Number(day)) ? clear : undefined;
}

/** Whether a zone may move a day of this year beyond the range of dates. */
const isAtEdge = (year: string): boolean => year === '0001' || year === '9999';

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
      /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})/,
      (_, year: string, month: string, day: string) => `${year}-${two(month)}-${two(day)}`,
    );
  const match = /^(.{10})(?:,? |T)(\d{1,2})(:.*?)(?: ?([ap])m)?$/i.exec(dates);
  if (!match) return dates;
  const [, date, hour, rest, half] = match as unknown as [string, string, string, string, string | undefined];
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  return `${date} ${two(String(hours))}${rest}`;
}
