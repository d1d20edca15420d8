import { distinct } from '../readers/distinct.js';
import { coordinateOf } from './coordinate-text.js';
import { dateReading } from './dates.js';
import { looksLikeGeometry } from './geometry-text.js';
import { numberReading } from './numbers.js';

export type TableCell = string | number | boolean | null;

/** The first rows of a table, and where its data begin. */
export interface Head {
  names: string[];
  hasHeader: boolean;
  /** Number of rows before the data: the header, and titles above it. */
  skipped: number;
  /** Number of titles among them. */
  titles: number;
}

const isEmpty = (cell: TableCell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

const filled = (row: readonly TableCell[]): number =>
  row.reduce<number>((count, cell) => count + (isEmpty(cell) ? 0 : 1), 0);

/** Whether all cells of a row are empty. */
export const isBlankRow = (row: readonly TableCell[]): boolean => row.every(isEmpty);

/** The most common number of columns up to the last filled one. */
function usualWidth(rows: readonly (readonly TableCell[])[]): number {
  const widths = rows.map((row) => row.findLastIndex((cell) => !isEmpty(cell)) + 1).sort((a, b) => a - b);
  return widths[Math.floor(widths.length / 2)] ?? 0;
}

/** Maximum number of rows above the header. */
const mostTitles = 20;

/** A row with at most one value above a table of several columns is a title. */
function titlesAbove(rows: readonly (readonly TableCell[])[]): number {
  const width = usualWidth(rows);
  if (width < 3) return 0;
  let count = 0;
  while (count < Math.min(mostTitles, rows.length - 1) && filled(rows[count]!) <= 1) count++;
  return count < mostTitles ? count : 0;
}

/**
 * Determines the names of the columns from the first rows of a table. `given` is the caller's statement whether there is
 * a header.
 */
export function tableHeader(rows: readonly (readonly TableCell[])[], given: boolean | undefined): Head {
  const titles = given === undefined ? titlesAbove(rows) : 0;
  const first = rows[titles] ?? [];
  const hasHeader = given ?? isHeader(first, rows.slice(titles + 1));
  const width = Math.max(...rows.slice(titles).map((row) => row.length), 0);
  const names = hasHeader ? namesOf(first) : namesOf(Array.from({ length: width }, () => null));
  return { names, hasHeader, titles, skipped: titles + (hasHeader ? 1 : 0) };
}

/** The name of a column without one: its number, from 1. */
export const unnamed = (index: number): string => `field_${index + 1}`;

/** Distinct names of columns. */
function namesOf(cells: readonly TableCell[]): string[] {
  const width = cells.findLastIndex((cell) => !isEmpty(cell)) + 1 || cells.length;
  return distinct(
    cells
      .slice(0, width)
      .map((cell, i) => (isEmpty(cell) ? unnamed(i) : String(cell).replace(/\s+/g, ' ').trim())),
  );
}

/** Whether a row contains names instead of values: distinct texts, none of which is a number, a date or a coordinate. */
function isHeader(row: readonly TableCell[], below: readonly (readonly TableCell[])[]): boolean {
  const cells = row.filter((cell) => !isEmpty(cell));
  if (!cells.length || cells.some((cell) => typeof cell === 'boolean')) return false;
  const texts = cells.map((cell) => String(cell).trim());
  if (texts.some((text) => text.length > 255 || looksLikeGeometry(text))) return false;
  const values = texts.filter(isValue);
  if (values.length && !areYears(values) && !areDates(row, below)) return false;
  // If the rows below have values where this row has a text, the text is a name.
  const isOverValues = row.some(
    (cell, i) => !isEmpty(cell) && below.some((other) => !isEmpty(other[i]) && isValueCell(other[i]!)),
  );
  return isOverValues || new Set(texts).size === texts.length;
}

const isValueCell = (cell: TableCell): boolean =>
  typeof cell !== 'string' || isValue(cell.trim()) || looksLikeGeometry(cell);

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) || dateReading(text) !== undefined;

const isValue = (text: string): boolean =>
  numberReading(text) !== undefined || isDate(text) || (/\d/.test(text) && coordinateOf(text) !== undefined);

/** Consecutive years are names of columns: `region;2019;2020;2021`. */
const areYears = (texts: readonly string[]): boolean =>
  texts.length > 1 &&
  texts.every(
    (text, i) => /^(?:1[89]|2[01])\d\d$/.test(text) && (i === 0 || Number(text) > Number(texts[i - 1])),
  );

/** Different dates over numbers are names of columns: `station;2024-01-01;2024-02-01`. */
function areDates(row: readonly TableCell[], below: readonly (readonly TableCell[])[]): boolean {
  const places = [...row.keys()].filter((i) => !isEmpty(row[i]) && isValue(String(row[i]).trim()));
  const isOverNumbers = (i: number): boolean => {
    const cells = below.map((other) => other[i]).filter((cell) => !isEmpty(cell));
    return cells.length > 0 && cells.every((cell) => numberReading(String(cell).trim()) !== undefined);
  };
  const texts = new Set(places.map((i) => String(row[i])));
  return (
    texts.size > 1 &&
    texts.size === places.length &&
    places.every((i) => isDate(String(row[i]).trim()) && isOverNumbers(i))
  );
}
