import type { ReactNode } from 'react';
import type { Texts } from '../common/texts.js';
import classes from './ObjectPanel.module.css';
import type { ColumnInfo, Hit } from './objects.js';

/** Whether there is nothing to show. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

interface ValueContext {
  language: string;
  texts: Texts;
}

/** A value as a reader of the language writes it. */
export function shownValue(column: ColumnInfo, value: unknown, { language, texts }: ValueContext): ReactNode {
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'number') return shownNumber(value, language);
  if (column.type === 'datetime' && typeof value === 'string') return shownDate(value, language);
  if (column.type === 'file' && typeof value === 'string') return texts.files(value.split(',').length);
  if (typeof value === 'string') return shownText(value);
  return <code className={classes.json}>{JSON.stringify(value, null, 1)}</code>;
}

/** Digits are grouped from five on, so that a year stays a year. */
const shownNumber = (value: number, language: string): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 6, useGrouping: 'min2' }).format(value);

/** A day when the time is midnight in UTC, else day and time where the reader is. */
function shownDate(value: string, language: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  const isDay = date.getTime() % 86_400_000 === 0;
  return new Intl.DateTimeFormat(
    language,
    isDay ? { dateStyle: 'long', timeZone: 'UTC' } : { dateStyle: 'long', timeStyle: 'short' },
  ).format(date);
}

/** Addresses of the web and of mail become links; nothing else does, whatever the text says. */
function shownText(text: string): ReactNode {
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

/** The name of an object: the value of its first text column that has one, else its number. */
export function titleOf({ columns, object }: Hit, texts: Texts): string {
  const column = columns.find(({ type, code }) => type === 'string' && !isEmpty(object.fields[code]));
  return column ? String(object.fields[column.code]) : texts.objectId(String(object.id));
}
