import type { ReactNode } from 'react';
import type { Texts } from '../../common/texts/texts.js';
import type { ColumnInfo, Hit } from '../types.js';
import classes from './ObjectPanel.module.css';

/** Whether a value has nothing to display. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

interface ValueContext {
  language: string;
  texts: Texts;
}

/** Formats a value for a language. */
export function displayValue(
  column: ColumnInfo,
  value: unknown,
  { language, texts }: ValueContext,
): ReactNode {
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'number') return displayNumber(value, language);
  if (column.type === 'datetime' && typeof value === 'string') return displayDate(value, language);
  if (column.type === 'file' && typeof value === 'string') return texts.files(value.split(',').length);
  if (typeof value === 'string') return displayText(value);
  return <code className={classes.json}>{JSON.stringify(value, null, 1)}</code>;
}

/** Groups digits only from five digits on, so that years stay ungrouped. */
const displayNumber = (value: number, language: string): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 6, useGrouping: 'min2' }).format(value);

/** A date if the time is midnight in UTC, else date and time in the user's time zone. */
function displayDate(value: string, language: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  const isDay = date.getTime() % 86_400_000 === 0;
  return new Intl.DateTimeFormat(
    language,
    isDay ? { dateStyle: 'long', timeZone: 'UTC' } : { dateStyle: 'long', timeStyle: 'short' },
  ).format(date);
}

/** A text that is one web or mail address becomes a link. */
function displayText(text: string): ReactNode {
  const trimmed = text.trim();
  if (/^https?:\/\/[^\s<>"]+$/i.test(trimmed)) {
    return (
      <a href={trimmed} target="_blank" rel="noopener noreferrer nofollow">
        {trimmed.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}
      </a>
    );
  }
  if (/^[^\s@<>"]+@[^\s@<>"]+\.[a-z]{2,}$/i.test(trimmed)) return <a href={`mailto:${trimmed}`}>{trimmed}</a>;
  return text;
}

/** The title of an object: the first non-empty text value, else its number. */
export function titleOf({ columns, object }: Hit, texts: Texts): string {
  const column = columns.find(({ type, code }) => type === 'string' && !isEmpty(object.fields[code]));
  return column ? String(object.fields[column.code]) : texts.objectId(String(object.id));
}
