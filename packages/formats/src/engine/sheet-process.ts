import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leaveSignalsToParent } from '@cartulary/runtime';
import { type CellObject, type ParsingOptions, read, SSF, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { restSheet, sheetName } from '../own-exports/own-sheets.js';
import { createFrames } from './frames.js';
import type { BeginOrder, Report, SheetLine, SheetOrder } from './orders.js';

/*
 * The process that reads one spreadsheet as a whole, with a memory limit, in the folder of its job. The
 * parent ends it when the rows are read or the time is exceeded.
 */

leaveSignalsToParent();

let folder!: string;
const frames = createFrames();
const lines = (line: SheetLine): void => frames.send(Buffer.from(`${JSON.stringify(line)}\n`));

/** The first column of an own export. */
const ownId = 'svc_id';

/** An error whose message is shown to the user. */
class Refusal extends Error {}

function carryOut(order: SheetOrder): void {
  const bytes = readFileSync(join(folder, order.file));
  const names = opened(() => read(bytes, { type: 'buffer', bookSheets: true })).SheetNames;
  const { name, next, book } = chosenSheet(bytes, names, order.sheet);
  const sheet = book.Sheets[name];
  if (!sheet?.['!data']) throw new Refusal(`the sheet '${name.slice(0, 50)}' holds no table`);
  const is1904 = book.Workbook?.WBProps?.date1904 === true;
  const counts = { errors: 0 };
  const rows = rowsOf(sheet, is1904, counts);
  const header = rows[0]?.[1];
  if (header?.[0] === ownId && book.Sheets[restSheet]) writeWhole(rowsOf(book.Sheets[restSheet], is1904));
  const used = [name, ...(header?.[0] === ownId ? [...next, restSheet] : [])];
  const others = order.sheet === undefined ? names.filter((one) => !used.includes(one)) : [];
  lines({ sheet: name, others, errors: counts.errors });
  let count = 0;
  const write = (all: readonly SheetRow[]): void => {
    for (const row of all) {
      if (++count > order.rows) throw new Refusal(`it has more than ${order.rows} rows: save it as csv`);
      lines(row);
    }
  };
  write(rows);
  if (header?.[0] !== ownId) return;
  for (const more of next) {
    const [head, ...others] = rowsOf(book.Sheets[more]!, is1904);
    if (head?.[1].join() === header.join()) write(others);
  }
}

interface ChosenSheet {
  name: string;
  /** Sheets on which an own export continues. */
  next: string[];
  /** The spreadsheet with these sheets. */
  book: WorkBook;
}

/** Most sheets that are opened in search of one with values. */
const mostTried = 10;

/** The sheet of a name or number, else the first one that is shown and holds values, else the first one. */
function chosenSheet(bytes: Buffer, names: readonly string[], wanted: string | undefined): ChosenSheet {
  const first = sheetNamed(names, wanted);
  const next = wanted === undefined ? nextSheets(names, first) : [];
  const chosen = { name: first, next, book: bookWith(bytes, [first, ...next, restSheet]) };
  if (wanted !== undefined || isShown(chosen.book, first)) return chosen;
  const others = names.filter((name) => name !== first).slice(0, mostTried);
  for (const name of others) {
    const book = bookWith(bytes, [name]);
    if (isShown(book, name)) return { name, next: [], book };
  }
  return chosen;
}

/** Whether a sheet is not hidden and holds values. */
function isShown({ Sheets, SheetNames, Workbook }: WorkBook, name: string): boolean {
  const isHidden = Boolean(Workbook?.Sheets?.[SheetNames.indexOf(name)]?.Hidden);
  const rows = (Sheets[name]?.['!data'] ?? []) as (CellObject | undefined)[][];
  return !isHidden && rows.some((row) => row?.some((cell) => cell?.v !== undefined && cell.v !== ''));
}

function bookWith(bytes: Buffer, sheets: string[]): WorkBook {
  // Dates are read as day numbers, because the library truncates fractions of a second.
  const book = sheetsOf(bytes, sheets, { cellDates: false, bookFiles: true });
  const parts = sheetParts(book);
  for (const [path, content] of parts)
    if (!hasEnd(content)) throw new Refusal(`the part '${path.slice(0, 100)}' is damaged or cut off`);
  const hasDates = parts.some(([, content]) => content.includes('t="d"'));
  // The unpacked parts take as much memory as the rows.
  delete book.files;
  if (hasDates) markDates(book, sheetsOf(bytes, sheets, { cellDates: true }));
  return book;
}

/** Formulas give the stored values. Nothing is computed, and no external data is read. */
const sheetsOf = (bytes: Buffer, sheets: string[], options: ParsingOptions): WorkBook & PartsOfBook =>
  opened(() =>
    read(bytes, {
      type: 'buffer',
      sheets,
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      cellNF: true,
      ...options,
    }),
  );

/** Gives a format of dates to the cells of the type `d` (ECMA-376 part 1, 18.18.11) that have none: else they are numbers of days. */
function markDates({ Sheets }: WorkBook, dated: WorkBook): void {
  for (const [name, sheet] of Object.entries(Sheets)) {
    const dates = (dated.Sheets[name]?.['!data'] ?? []) as (CellObject | undefined)[][];
    dates.forEach((row, r) => {
      row?.forEach((date, c) => {
        const cell = date?.v instanceof Date ? sheet['!data']?.[r]?.[c] : undefined;
        if (cell && !SSF.is_date(String(cell.z))) cell.z = 'yyyy-mm-dd hh:mm:ss';
      });
    });
  }
}

const endOfRows = /<(?:\/(?:\w+:)?sheetData\s*|(?:\w+:)?sheetData\s*\/)>/;

/**
 * Whether the rows of a sheet have an end: the library takes a sheet without it for an empty one. What follows the rows is
 * short, so the search is from behind.
 */
function hasEnd(content: Buffer): boolean {
  let at = content.lastIndexOf('sheetData');
  while (at > 0 && !endOfRows.test(content.toString('latin1', Math.max(0, at - 40), at + 40)))
    at = content.lastIndexOf('sheetData', at - 1);
  return at > 0;
}

/** What `bookFiles` adds to an xlsx: the paths of its sheets, and its unpacked parts. */
interface PartsOfBook {
  Directory?: { sheets?: string[] };
  files?: Record<string, { content?: Buffer }>;
}

/** The XML of the sheets of an xlsx, by their paths. */
const sheetParts = ({ Directory, files }: PartsOfBook): [path: string, content: Buffer][] =>
  (Directory?.sheets ?? []).flatMap((path): [string, Buffer][] => {
    const content = path.endsWith('.xml') ? files?.[path.replace(/^\//, '')]?.content : undefined;
    return content ? [[path, content]] : [];
  });

/** The names of the sheets on which an own export continues. */
function nextSheets(names: readonly string[], first: string): string[] {
  const found: string[] = [];
  while (names[found.length + 1] === sheetName(first, found.length + 2)) found.push(names[found.length + 1]!);
  return found;
}

/** Sends the texts that an own export has divided into pieces. */
function writeWhole(rows: readonly SheetRow[]): void {
  let [id, code, text]: [unknown, unknown, string] = [undefined, undefined, ''];
  const end = (): void => {
    if (typeof id === 'number' && typeof code === 'string') lines({ whole: [id, code, text] });
  };
  for (const [, cells] of rows.slice(1)) {
    if (cells[2] === 1) {
      end();
      [id, code, text] = [cells[0], cells[1], ''];
    }
    text += String(cells[3] ?? '');
  }
  end();
}

/** Calls the library, and turns its errors into messages for the user. */
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

type SheetRow = Extract<SheetLine, unknown[]>;

/** The rows of a sheet that contain values. */
function rowsOf(sheet: WorkSheet, is1904: boolean, counts = { errors: 0 }): SheetRow[] {
  const rows = (sheet['!data'] ?? []) as (CellObject | undefined)[][];
  fillMerged(sheet, rows);
  return rows.flatMap((row, i): SheetRow[] => {
    for (const cell of row) if (cell?.t === 'e') counts.errors++;
    const cells = Array.from(row, (cell) => (cell ? valueOfCell(cell, is1904) : null));
    return cells.every((cell) => cell === null || cell === '') ? [] : [[i + 1, cells]];
  });
}

/** Maximum number of cells that are filled because they belong to a merged cell. */
const mostFilled = 5_000_000;

/** Copies the value of a merged cell to all of its rows; within a row only the first column has it. */
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
  if (v instanceof Date) return dateText(v.getTime(), is1904);
  if (typeof v !== 'number') return v;
  if (!Number.isFinite(v)) return null;
  if (typeof z === 'string' && elapsed.test(z)) return durationText(v);
  // A number that is no day of the calendar, such as a code in a column of dates, stays a number.
  if (z !== undefined && SSF.is_date(String(z))) return dateText(msOf(v, is1904), is1904) ?? v;
  // A number with leading zeros in its format is a code, so its text is kept.
  const zeros = typeof z === 'string' && /^0{2,20}$/.test(z) ? z.length : 0;
  return zeros && Number.isInteger(v) && v >= 0 ? String(v).padStart(zeros, '0') : v;
}

const day = 86_400_000;
const epoch = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);

/** A format of elapsed hours, minutes or seconds: `[h]:mm` (ECMA-376 part 1, 18.8.31). Its number is no day of a calendar. */
const elapsed = /\[(?:h+|m+|s+)\]/i;

/** A number of days as hours, minutes and seconds: `36:00:00`. */
function durationText(days: number): string {
  const ms = rounded(Math.abs(days) * day, days);
  const [hours, rest] = [Math.floor(ms / 3_600_000), ms % 3_600_000];
  const clock = new Date(rest).toISOString().slice(14, 23).replace('.000', '');
  return `${days < 0 ? '-' : ''}${String(hours).padStart(2, '0')}:${clock}`;
}

/** Decimal places of day numbers that are exact to the millisecond. */
const exactDigits = 9;

/** Converts day numbers to milliseconds since 1970. Excel counts a 29 February 1900, which did not exist. */
function msOf(days: number, is1904: boolean): number {
  const shifted = is1904 ? epoch1904 : days < 60 && days >= 1 ? epoch + day : epoch;
  return rounded(shifted + days * day, days);
}

/** Milliseconds of a number of days without the errors of its last digits. */
function rounded(ms: number, days: number): number {
  const second = Math.round(ms / 1000) * 1000;
  // Programs that write few digits give times that differ slightly from the full second.
  const isRough = (String(days).split('.')[1] ?? '').length < exactDigits;
  return isRough && Math.abs(ms - second) <= 5 ? second : Math.round(ms);
}

/** ISO 8601 without a zone, since spreadsheets have none; a time without a date gives the time only. */
function dateText(ms: number, is1904: boolean): string | null {
  const year = new Date(ms).getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return null;
  const iso = new Date(ms).toISOString().replace(/(?:\.000)?Z$/, '');
  const zero = is1904 ? epoch1904 : epoch;
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

process.on('message', (order: BeginOrder | SheetOrder) => {
  if (order.kind !== 'begin') return process.send!(reportOn(order));
  folder = order.folder;
  process.send!({ errors: [], failed: false } satisfies Report);
});
