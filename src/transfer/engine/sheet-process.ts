import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CellObject, read, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { leaveSignalsToParent } from '../../signals.js';
import { createFrames } from './frames.js';
import type { Report, SheetLine, SheetOrder } from './orders.js';

/*
 * The process of one spreadsheet, which is read as a whole: under a limit of memory, in the folder that is its argument.
 * It is ended from outside, when the rows were read or it takes too long.
 */

leaveSignalsToParent();

const folder = process.argv[2]!;
const frames = createFrames();
const lines = (line: SheetLine): void => frames.send(Buffer.from(`${JSON.stringify(line)}\n`));

/** A sentence for who sent the file. */
class Refusal extends Error {}

function carryOut(order: SheetOrder): void {
  const bytes = readFileSync(join(folder, order.file));
  const names = opened(() => read(bytes, { type: 'buffer', bookSheets: true })).SheetNames;
  const name = sheetNamed(names, order.sheet);
  // Formulas come as the values that were stored with them; nothing is computed, and nothing outside is read.
  const book = opened(() =>
    read(bytes, {
      type: 'buffer',
      sheets: name,
      dense: true,
      cellDates: true,
      UTC: true,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      cellNF: true,
    }),
  );
  const sheet = book.Sheets[name];
  if (!sheet?.['!data']) throw new Refusal(`the sheet '${name.slice(0, 50)}' holds no table`);
  lines({ sheet: name });
  writeRows(sheet, order.rows, book.Workbook?.WBProps?.date1904 === true);
}

/** What the library throws, in words. */
function opened(work: () => WorkBook): WorkBook {
  try {
    return work();
  } catch (error) {
    const said = (error as Error).message;
    if (error instanceof RangeError && /string length|array length|allocation/i.test(said)) {
      throw new Refusal('it needs more memory than an import may have: save it as csv');
    }
    throw new Refusal(
      /password/i.test(said) ? 'it is protected by a password' : 'it is damaged, cut off, or no spreadsheet',
    );
  }
}

function sheetNamed(names: readonly string[], wanted: string | undefined): string {
  if (!names.length) throw new Refusal('it has no sheets');
  if (wanted === undefined) return names[0]!;
  const found = names.includes(wanted)
    ? wanted
    : names.find((name) => name.toLowerCase() === wanted.trim().toLowerCase());
  const byNumber = /^\d{1,4}$/.test(wanted) ? names[Number(wanted) - 1] : undefined;
  if (found ?? byNumber) return (found ?? byNumber)!;
  const some = names.slice(0, 20).map((name) => `'${name.slice(0, 50)}'`);
  throw new Refusal(`it has no sheet '${wanted.slice(0, 50)}'; it has ${some.join(', ')}`);
}

function writeRows(sheet: WorkSheet, limit: number, is1904: boolean): void {
  const rows = (sheet['!data'] ?? []) as (CellObject | undefined)[][];
  fillMerged(sheet, rows);
  let count = 0;
  rows.forEach((row, i) => {
    const cells = Array.from(row, (cell) => (cell ? valueOfCell(cell, is1904) : null));
    if (cells.every((cell) => cell === null || cell === '')) return;
    if (++count > limit) throw new Refusal(`it has more than ${limit} rows: save it as csv`);
    lines([i + 1, cells]);
  });
}

/** Most cells that are filled because they are part of a merged one. */
const mostFilled = 5_000_000;

/** A cell that spans several rows holds for each of them; in the rows only its first column has the value. */
function fillMerged(sheet: WorkSheet, rows: (CellObject | undefined)[][]): void {
  let left = mostFilled;
  for (const { s, e } of sheet['!merges'] ?? []) {
    const cell = rows[s.r]?.[s.c];
    if (!cell) continue;
    for (let r = s.r + 1; r <= e.r && r < rows.length && left-- > 0; r++) {
      const row = rows[r];
      if (row?.some(Boolean) && !row[s.c]) row[s.c] = cell;
    }
  }
}

function valueOfCell({ t, v, z }: CellObject, is1904: boolean): string | number | boolean | null {
  if (v === undefined || v === null || t === 'e') return null;
  if (v instanceof Date) return dateText(v, is1904);
  if (typeof v !== 'number') return v;
  if (!Number.isFinite(v)) return null;
  // A code that is shown with zeros before it.
  const zeros = typeof z === 'string' && /^0{2,20}$/.test(z) ? z.length : 0;
  return zeros && Number.isInteger(v) && v >= 0 ? String(v).padStart(zeros, '0') : v;
}

/** Fractions of days give times that are a little beside the second. */
function toSecond(ms: number): number {
  const second = Math.round(ms / 1000) * 1000;
  return Math.abs(ms - second) <= 5 ? second : Math.round(ms);
}

const day = 86_400_000;

/** ISO 8601 without a zone: spreadsheets have none. Of what is a time alone the time. */
function dateText(date: Date, is1904: boolean): string | null {
  const ms = toSecond(date.getTime());
  if (Number.isNaN(ms)) return null;
  const year = new Date(ms).getUTCFullYear();
  if (year < 1 || year > 9999) return null;
  const iso = new Date(ms).toISOString().replace(/(?:\.000)?Z$/, '');
  const zero = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  if (ms >= zero && ms < zero + day) return iso.slice(11);
  return ms % day === 0 ? iso.slice(0, 10) : iso;
}

function reportOn(order: SheetOrder): Report {
  try {
    carryOut(order);
    return { errors: [], failed: false };
  } catch (error) {
    const said = error instanceof Refusal ? error.message : 'it is damaged, cut off, or no spreadsheet';
    return { errors: [said], failed: true };
  } finally {
    frames.end();
  }
}

process.on('message', (order: SheetOrder) => process.send!(reportOn(order)));
process.send!({ errors: [], failed: false } satisfies Report);
