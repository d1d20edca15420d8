import { ServiceError } from '@cartulary/errors';
import type { SheetCell } from '../cells.js';
import { SharedTexts } from './biff8-texts.js';
import { ole2 } from './ole2.js';

/*
 * Writes workbooks of Excel 97 to 2003: [MS-XLS],
 * https://learn.microsoft.com/en-us/openspecs/office_file_formats/ms-xls/ It writes only the records that Excel
 * requires. Decision 76 says why the spreadsheet library does not write them.
 */

export const biff8Limits = { rows: 65_536, columns: 256 } as const;

function record(id: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id);
  head.writeUInt16LE(content.length, 2);
  return Buffer.concat([head, content]);
}

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');

/** A UTF-16 text with its length in one leading byte. */
function shortText(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length, 1]), Buffer.from(text, 'utf16le')]);
}

const bof = (type: 5 | 16): Buffer =>
  record(0x0809, hex(`0006 ${type === 5 ? '0500' : '1000'} bb0d cc07 00000000 06000000`));
const eof = record(0x000a, Buffer.alloc(0));

/** Indexes of the cell formats among the records XF of `styles`. */
const plain = 15;
const moment = 16;
const text = 17;

const momentFormat = 'yyyy\\-mm\\-dd\\ hh:mm:ss';

function styles(): Buffer {
  const font = record(
    0x0031,
    Buffer.concat([hex('c800 0000 ff7f 9001 0000 00 00 00 00'), shortText('Arial')]),
  );
  const format = Buffer.concat([
    hex('a400'),
    Buffer.from([momentFormat.length, 0, 0]),
    Buffer.from(momentFormat),
  ]);
  const style = record(0x00e0, hex('0000 0000 f5ff 2000 0000 0000 0000 0000 0000 c020'));
  const cell = (number: string): Buffer =>
    record(0x00e0, hex(`0000 ${number} 0100 2000 0004 0000 0000 0000 0000 c020`));
  return Buffer.concat([
    record(0x0042, hex('b004')), // texts are UTF-16
    record(0x003d, hex('0000 0000 0030 0020 3800 0000 0000 0100 5802')), // the window
    record(0x0022, hex('0000')), // days since 1900
    ...Array.from({ length: 4 }, () => font),
    record(0x041e, format),
    ...Array.from({ length: 15 }, () => style),
    cell('0000'),
    cell('a400'),
    cell('3100'), // the built-in text format, which keeps text when the cell is edited
    record(0x0293, hex('0080 00ff')),
  ]);
}

interface Sheet {
  name: string;
  rows: number;
  columns: number;
  parts: Buffer[];
  size: number;
}

export interface Biff8Writer {
  /** Begins a sheet; its name has at most 31 characters. */
  sheet(name: string): void;
  row(cells: readonly SheetCell[]): void;
  /** Returns the file in pieces. Nothing can be added afterwards. */
  end(): Generator<Buffer>;
}

/** Makes a workbook in memory. Throws `too_large` above `limitBytes`. */
export function createBiff8(limitBytes: number): Biff8Writer {
  const sheets: Sheet[] = [];
  const texts = new SharedTexts();
  let [size, cells] = [0, 0];
  return {
    sheet: (name) => sheets.push({ name, rows: 0, columns: 0, parts: [], size: 0 }),
    row(values) {
      const sheet = sheets.at(-1)!;
      const bytes = rowBytes(sheet.rows, values, (text) => texts.indexOf(text));
      for (const value of values) if (typeof value === 'string') cells++;
      sheet.rows++;
      sheet.columns = Math.max(sheet.columns, values.length);
      sheet.parts.push(bytes);
      // Joins the pieces, because few large writes are faster.
      if (sheet.parts.length % 1_000 === 0) sheet.parts.push(Buffer.concat(sheet.parts.splice(-1_000)));
      sheet.size += bytes.length;
      size += bytes.length;
      if (size + texts.size > limitBytes) {
        throw new ServiceError(
          'too_large',
          `The workbook is larger than the ${limitBytes} bytes that are allowed: export xlsx or csv, or fewer objects`,
        );
      }
    },
    *end() {
      yield* workbook(sheets, texts.end(cells));
    },
  };
}

function rowBytes(row: number, cells: readonly SheetCell[], indexOf: (value: string) => number): Buffer {
  const bytes = Buffer.allocUnsafe(18 * cells.length);
  let at = 0;
  const begin = (id: number, length: number, column: number, format: number): void => {
    for (const part of [id, length, row, column, format]) at = bytes.writeUInt16LE(part, at);
  };
  for (const [column, cell] of cells.entries()) {
    if (cell === null) continue;
    if (typeof cell === 'string') {
      begin(0x00fd, 10, column, text);
      at = bytes.writeUInt32LE(indexOf(cell), at);
    } else if (typeof cell === 'boolean') {
      begin(0x0205, 8, column, plain);
      at = bytes.writeUInt16LE(cell ? 1 : 0, at);
    } else {
      const isNumber = typeof cell === 'number';
      begin(0x0203, 14, column, isNumber ? plain : moment);
      at = bytes.writeDoubleLE(isNumber ? cell : cell.days, at);
    }
  }
  return bytes.subarray(0, at);
}

function* workbook(sheets: readonly Sheet[], texts: readonly Buffer[]): Generator<Buffer> {
  const head = Buffer.concat([bof(5), styles()]);
  const index = (offsets: readonly number[]): Buffer =>
    Buffer.concat(
      sheets.map(({ name }, i) => {
        const place = Buffer.alloc(6);
        place.writeUInt32LE(offsets[i]!);
        return record(0x0085, Buffer.concat([place, shortText(name)]));
      }),
    );
  const sizeOfTexts = texts.reduce((sum, { length }) => sum + length, 0);
  let offset = head.length + index(sheets.map(() => 0)).length + sizeOfTexts + eof.length;
  const ends = sheets.map((sheet, i) => [sheetHead(sheet), sheetTail(i === 0)] as const);
  const offsets = sheets.map(({ size }, i) => {
    const start = offset;
    offset += ends[i]![0].length + size + ends[i]![1].length;
    return start;
  });
  const { before, after } = ole2('Workbook', offset);
  yield Buffer.concat([before, head, index(offsets)]);
  yield* texts;
  yield eof;
  for (const [i, { parts }] of sheets.entries()) {
    yield ends[i]![0];
    yield* parts;
    yield ends[i]![1];
  }
  yield after;
}

function sheetHead({ rows, columns }: Sheet): Buffer {
  const used = Buffer.alloc(14);
  used.writeUInt32LE(rows, 4);
  used.writeUInt16LE(columns, 10);
  return Buffer.concat([bof(16), record(0x0200, used)]);
}

/** The end of a sheet, with a window that freezes the first row, which contains the names. */
const sheetTail = (isShown: boolean): Buffer =>
  Buffer.concat([
    record(0x023e, hex(`${isShown ? 'be07' : 'be01'} 0000 0000 4000 0000 0000 0000 0000 0000`)),
    record(0x0041, hex('0000 0100 0100 0000 02 00')),
    eof,
  ]);
