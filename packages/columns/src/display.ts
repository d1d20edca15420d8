import { badRequest } from '../errors.js';
import type { Column, ColumnType } from './layers.js';

type Format = Record<string, unknown>;

/** The keys of `format` by column type, and what each takes. */
const formatKeys: Partial<Record<ColumnType, Record<string, (value: unknown) => boolean>>> = (() => {
  const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= 200;
  const isDecimals = (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 20;
  const template = { template: isText };
  return {
    number: { decimals: isDecimals, thousands: isText, decimal: isText, prefix: isText, suffix: isText },
    datetime: { pattern: isText, zone: isZone },
    bool: { true: isText, false: isText },
    string: template,
    text: template,
  };
})();

/** A column's `format` when it is right for its type (unknown keys are kept). Throws 400 naming the key. */
export function checkFormat(type: ColumnType, format: unknown): Format | null {
  if (format === null || format === undefined) return null;
  if (typeof format !== 'object' || Array.isArray(format))
    throw badRequest('format must be an object', { format });
  for (const [key, isRight] of Object.entries(formatKeys[type] ?? {})) {
    const value = (format as Format)[key];
    if (value !== undefined && value !== null && !isRight(value)) {
      throw badRequest(`format.${key} is not right for a column of type ${type}`, {
        format: { [key]: value },
      });
    }
  }
  return format as Format;
}

function isZone(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/**
 * A value (as `returnValue` gives it) as it is shown with f=fjson, by the column's `format`, in the language `lng`.
 * A column without a format, null, and types that have no format are returned as they are.
 */
export function displayValue(column: Pick<Column, 'type' | 'format'>, value: unknown, lng: string): unknown {
  const { format, type } = column;
  if (!format || value === null || value === undefined) return value;
  switch (type) {
    case 'number':
      return displayNumber(value as number, format, lng);
    case 'datetime':
      return displayDatetime(value as string, format, lng);
    case 'bool':
      return text(format[String(value)]) ?? value;
    case 'string':
    case 'text':
      return text(format.template)?.replaceAll('{value}', () => String(value)) ?? value;
    default:
      return value;
  }
}

/** The language for Intl, and English where it is not known there or has only the form of a language code. */
export function intlLocales(lng: string): string[] {
  try {
    return [...Intl.getCanonicalLocales(lng), 'en'];
  } catch {
    return ['en'];
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Formatters are costly to make, so they are kept: the keys are few (language × decimals or zone). */
const kept = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

function formatter<T extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const known = kept.get(key);
  if (known) return known as T;
  if (kept.size > 500) kept.clear();
  const made = make();
  kept.set(key, made);
  return made;
}

/** The separators of thousands (none when absent) and decimals (the language's own when absent) are those of the format. */
function displayNumber(value: number, format: Format, lng: string): string {
  const decimals = isDecimals(format.decimals) ? format.decimals : undefined;
  const thousands = text(format.thousands) ?? '';
  const decimal = text(format.decimal);
  const parts = formatter(`n ${lng} ${decimals}`, () => numberFormat(lng, decimals)).formatToParts(value);
  const shown = parts.map((part) => {
    if (part.type === 'group') return thousands;
    if (part.type === 'decimal') return decimal ?? part.value;
    return part.value;
  });
  return `${text(format.prefix) ?? ''}${shown.join('')}${text(format.suffix) ?? ''}`;
}

const isDecimals = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 20;

const numberFormat = (lng: string, decimals: number | undefined): Intl.NumberFormat =>
  new Intl.NumberFormat(intlLocales(lng), {
    useGrouping: true,
    // What is rounded to zero has no sign.
    signDisplay: 'negative',
    numberingSystem: 'latn',
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: decimals ?? 20,
  });

const defaultPattern = 'yyyy-MM-dd HH:mm:ss';

/** Unicode date tokens (UTS 35, Date Field Symbols); text in single quotes is literal, two quotes are one. */
function displayDatetime(iso: string, format: Format, lng: string): string {
  const date = new Date(iso);
  const zone = isZone(format.zone) ? (format.zone as string) : 'UTC';
  const pattern = text(format.pattern) ?? defaultPattern;
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

type Clock = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;

function clockOf(date: Date, zone: string): Clock {
  const parts = formatter(
    `c ${zone}`,
    () =>
      // Not ca-iso8601, which takes days before 1582 for those of the Julian calendar.
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

/** A part in words: months (M beside a day, L alone), weekdays, day periods. */
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
