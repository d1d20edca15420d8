import { distinct } from '../readers/distinct.js';
import { coordinateOf } from './coordinate-text.js';
import { dateReading } from './dates.js';
import { looksLikeGeometry } from './geometry-text.js';
import { numberReading } from './numbers.js';

export type Cell = string | number | boolean | null;

/** The first rows of a table, and where its data begin. */
export interface Head {
  names: string[];
  hasHeader: boolean;
  /** Rows before the first one of data: the header, and titles above it. */
  skipped: number;
  /** Of them, titles. */
  titles: number;
}

const isEmpty = (cell: Cell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

const filled = (row: readonly Cell[]): number =>
  row.reduce<number>((count, cell) => count + (isEmpty(cell) ? 0 : 1), 0);

/** Whether all cells of a row are empty. */
export const isBlank = (row: readonly Cell[]): boolean => row.every(isEmpty);

/** The number of columns that most rows fill, at least in their last one. */
function usualWidth(rows: readonly (readonly Cell[])[]): number {
  const widths = rows.map((row) => row.findLastIndex((cell) => !isEmpty(cell)) + 1).sort((a, b) => a - b);
  return widths[Math.floor(widths.length / 2)] ?? 0;
}

/** Most rows above the header. */
const mostTitles = 20;

/** Rows with one value, or none, above a table of several columns say what it is about. */
function titlesAbove(rows: readonly (readonly Cell[])[]): number {
  const width = usualWidth(rows);
  if (width < 3) return 0;
  let count = 0;
  while (count < Math.min(mostTitles, rows.length - 1) && filled(rows[count]!) <= 1) count++;
  return count < mostTitles ? count : 0;
}

/** Finds the names of the columns in the first rows of a table. `given`: whether there is a header, as the caller says. */
export function headOf(rows: readonly (readonly Cell[])[], given: boolean | undefined): Head {
  const titles = given === undefined ? titlesAbove(rows) : 0;
  const first = rows[titles] ?? [];
  const hasHeader = given ?? isHeader(first, rows.slice(titles + 1));
  const width = Math.max(...rows.slice(titles).map((row) => row.length), 0);
  const names = hasHeader ? namesOf(first) : namesOf(Array.from({ length: width }, () => null));
  return { names, hasHeader, titles, skipped: titles + (hasHeader ? 1 : 0) };
}

/** Names of columns, no two alike: those without one are called by their number. */
function namesOf(cells: readonly Cell[]): string[] {
  const width = cells.findLastIndex((cell) => !isEmpty(cell)) + 1 || cells.length;
  return distinct(
    cells
      .slice(0, width)
      .map((cell, i) => (isEmpty(cell) ? `field_${i + 1}` : String(cell).replace(/\s+/g, ' ').trim())),
  );
}

/** Whether a row holds names and not values: texts, of which none is a number, a date or a place, and none occurs twice. */
function isHeader(row: readonly Cell[], below: readonly (readonly Cell[])[]): boolean {
  const cells = row.filter((cell) => !isEmpty(cell));
  if (!cells.length || cells.some((cell) => typeof cell === 'boolean')) return false;
  const texts = cells.map((cell) => String(cell).trim());
  if (texts.some((text) => text.length > 255 || looksLikeGeometry(text))) return false;
  const values = texts.filter(isValue);
  if (values.length && !areYears(values)) return false;
  // Where the rows below have values in the place of a text, that is a name.
  const isOverValues = row.some(
    (cell, i) => !isEmpty(cell) && below.some((other) => !isEmpty(other[i]) && isValueCell(other[i]!)),
  );
  return isOverValues || new Set(texts).size === texts.length;
}

const isValueCell = (cell: Cell): boolean =>
  typeof cell !== 'string' || isValue(cell.trim()) || looksLikeGeometry(cell);

const isValue = (text: string): boolean =>
  numberReading(text) !== undefined ||
  /^\d{4}-\d\d-\d\d/.test(text) ||
  dateReading(text) !== undefined ||
  (/\d/.test(text) && coordinateOf(text) !== undefined);

/** Years one after the other are names of columns: `region;2019;2020;2021`. */
const areYears = (texts: readonly string[]): boolean =>
  texts.length > 1 &&
  texts.every(
    (text, i) => /^(?:1[89]|2[01])\d\d$/.test(text) && (i === 0 || Number(text) > Number(texts[i - 1])),
  );
