/*
 * Display strings by a column's `format`.
 */

/** The `format` object of a column. */
export type ColumnFormat = Record<string, unknown>;

export const isFormatText = (value: unknown): boolean => typeof value === 'string' && value.length <= 200;

export const isDecimals = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 20;

export function isZone(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** Locales for Intl: the language, then English as a fallback; only English for a malformed code. */
export function intlLocales(lng: string): string[] {
  try {
    return [...Intl.getCanonicalLocales(lng), 'en'];
  } catch {
    return ['en'];
  }
}

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Shared formatters: creating one is expensive, and the keys (language with decimals or zone) are few. */
const formatters = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();
const formatterLimit = 500;

function formatter<T extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const known = formatters.get(key);
  if (known) return known as T;
  if (formatters.size > formatterLimit) formatters.clear();
  const made = make();
  formatters.set(key, made);
  return made;
}

/** Uses the separators of the format: no separator of thousands by default, the language's decimal separator by default. */
export function displayNumber(value: number, format: ColumnFormat, lng: string): string {
  const decimals = isDecimals(format.decimals) ? format.decimals : undefined;
  const thousands = textOf(format.thousands) ?? '';
  const decimal = textOf(format.decimal);
  const parts = formatter(`n ${lng} ${decimals}`, () => numberFormat(lng, decimals)).formatToParts(value);
  const shown = parts.map((part) => {
    if (part.type === 'group') return thousands;
    if (part.type === 'decimal') return decimal ?? part.value;
    return part.value;
  });
  return `${textOf(format.prefix) ?? ''}${shown.join('')}${textOf(format.suffix) ?? ''}`;
}

const numberFormat = (lng: string, decimals: number | undefined): Intl.NumberFormat =>
  new Intl.NumberFormat(intlLocales(lng), {
    useGrouping: true,
    // A value rounded to zero has no sign.
    signDisplay: 'negative',
    numberingSystem: 'latn',
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: decimals ?? 20,
  });

const defaultPattern = 'yyyy-MM-dd HH:mm:ss';

/** Replaces Unicode date tokens (UTS 35, Date Field Symbols). Text in single quotes is literal; two quotes are one. */
export function displayDatetime(iso: string, format: ColumnFormat, lng: string): string {
  const date = new Date(iso);
  const zone = isZone(format.zone) ? (format.zone as string) : 'UTC';
  const pattern = textOf(format.pattern) ?? defaultPattern;
  return pattern.replace(
    /''|'((?:[^']|'')*)'|([A-Za-z])\2*/g,
    (token, quoted: string | undefined, letter) => {
      if (token === "''") return "'";
      if (quoted !== undefined) return quoted.replaceAll("''", "'");
      return dateField(date, { token, letter, zone, lng });
    },
  );
}

interface DateField {
  token: string;
  letter: string;
  zone: string;
  lng: string;
}

function dateField(date: Date, { token, letter, zone, lng }: DateField): string {
  const width = token.length;
  const number = (name: keyof Clock): string => String(clockOf(date, zone)[name]).padStart(width, '0');
  switch (letter) {
    case 'y':
    case 'u':
      return width === 2 ? number('year').slice(-2) : number('year');
    case 'M':
    case 'L':
      return width < 3 ? number('month') : wordPart(date, { token, letter, zone, lng });
    case 'd':
      return number('day');
    case 'H':
      return number('hour');
    case 'h':
      return String(clockOf(date, zone).hour % 12 || 12).padStart(width, '0');
    case 'm':
      return number('minute');
    case 's':
      return number('second');
    case 'S':
      return String(date.getUTCMilliseconds()).padStart(3, '0').padEnd(width, '0').slice(0, width);
    case 'E':
    case 'a':
      return wordPart(date, { token, letter, zone, lng });
    case 'z':
    case 'Z':
    case 'X':
    case 'x':
      return offsetText(date, zone, token);
    default:
      return token;
  }
}

/** Local date and time in a zone. */
type Clock = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;

function clockOf(date: Date, zone: string): Clock {
  const parts = formatter(
    `c ${zone}`,
    () =>
      // Not ca-iso8601: it reads days before 1582 as days of the Julian calendar.
      new Intl.DateTimeFormat('en-US-u-ca-gregory', {
        timeZone: zone,
        era: 'short',
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      }),
  ).formatToParts(date);
  const clock = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)])) as Clock;
  const isBefore = parts.some(({ type, value }) => type === 'era' && value.startsWith('B'));
  return isBefore ? { ...clock, year: 1 - clock.year } : clock;
}

/** A date field as a word: month (M beside a day, L alone), weekday, day period. */
function wordPart(date: Date, { token, letter, zone, lng }: DateField): string {
  const style = token.length < 4 ? 'short' : token.length === 4 ? 'long' : 'narrow';
  const options: Intl.DateTimeFormatOptions =
    letter === 'E'
      ? { weekday: style }
      : letter === 'a'
        ? { hour: 'numeric', hour12: true }
        : letter === 'L'
          ? { month: style }
          : { month: style, day: 'numeric' };
  const type = letter === 'E' ? 'weekday' : letter === 'a' ? 'dayPeriod' : 'month';
  const make = (): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(intlLocales(lng), {
      ...options,
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
    });
  const parts = formatter(`w ${lng} ${zone} ${letter}${style}`, make).formatToParts(date);
  return parts.find((part) => part.type === type)?.value ?? '';
}

/** `+03:00` (XXX, xxx, ZZZZZ, z), `+0300` (Z, XX, xx), `+03` (X, x); `Z` at UTC for X. */
function offsetText(date: Date, zone: string, token: string): string {
  const { year, month, day, hour, minute, second } = clockOf(date, zone);
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  const minutes = Math.round((local.getTime() - date.getTime()) / 60_000);
  if (token.startsWith('X') && minutes === 0) return 'Z';
  const sign = minutes < 0 ? '-' : '+';
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = two(Math.floor(Math.abs(minutes) / 60));
  const rest = two(Math.abs(minutes) % 60);
  if (/^[Xx]$/.test(token) && rest === '00') return `${sign}${hours}`;
  return /^(Z{1,3}|XX|xx|[Xx])$/.test(token) ? `${sign}${hours}${rest}` : `${sign}${hours}:${rest}`;
}
