import type { ColumnDetails } from '@cartulary/client';
import type { TableRow } from '../rows/source.js';

interface CellTexts {
  yes: string;
  no: string;
}

/** The text of a value in a cell: as the format of its column says, else as the language writes it. */
export function cellText(column: ColumnDetails, row: TableRow, language: string, texts: CellTexts): string {
  const value = row.fields[column.code];
  if (value === null || value === undefined) return '';
  const formatted = row.formatted[column.code];
  return typeof formatted === 'string' ? formatted : valueText(column, value, language, texts);
}

/** The text of a value as the language writes it. */
export function valueText(
  { type }: Pick<ColumnDetails, 'type'>,
  value: unknown,
  language: string,
  texts: CellTexts,
): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'number') return numberText(value, language);
  if (type === 'datetime') return dateText(String(value), language);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Groups digits only from five digits on, so that years stay ungrouped. */
const numberText = (value: number, language: string): string => numberFormat(language).format(value);

const formats = new Map<string, Intl.NumberFormat>();

// Making a format takes longer than using it, and every cell needs one.
function numberFormat(language: string): Intl.NumberFormat {
  const known = formats.get(language);
  if (known) return known;
  const made = new Intl.NumberFormat(language, { maximumFractionDigits: 12, useGrouping: 'min2' });
  formats.set(language, made);
  return made;
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** A date if the time is midnight in UTC, else date and time in the user's time zone. */
function dateText(value: string, language: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  const isDay = date.getTime() % 86_400_000 === 0;
  const key = `${language} ${isDay}`;
  const format =
    dateFormats.get(key) ??
    new Intl.DateTimeFormat(
      language,
      isDay ? { dateStyle: 'medium', timeZone: 'UTC' } : { dateStyle: 'medium', timeStyle: 'short' },
    );
  dateFormats.set(key, format);
  return format.format(date);
}
