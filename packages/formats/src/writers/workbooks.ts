import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectRow } from '@cartulary/columns';
import { createJobFolder, readStream, type Semaphore } from '@cartulary/runtime';

import { restSheet, sheetName, sheetNameLimit } from '../own-exports/own-sheets.js';
import { type CellWriter, createCells, type SheetCell } from './cells.js';
import { type OutField, shortNames } from './fields.js';
import { tooWide } from './record-widths.js';
import { biff8Limits, createBiff8 } from './xls/biff8.js';
import { biff8TextLimit } from './xls/biff8-texts.js';
import { type SheetSource, xlsxFile, xlsxLimits } from './xlsx.js';

export interface WorkbookOrder {
  /** Name of the sheets: the layer's code. */
  code: string;
  fields: readonly OutField[];
  /** Whether all geometries are points without height. */
  hasPoints: boolean;
  /** Maximum size of an xls, which is made in memory, bytes. */
  limit: number;
  /** Folder for temporary files. */
  semaphore: Semaphore;
  dataFolder: string;
  signal: AbortSignal;
}

/**
 * Exports objects, whose geometries are WKT, as an Excel workbook. Rows beyond the limit of a sheet continue in
 * `code_2`; texts that exceed a cell go into a last sheet. An error before the first object rejects. Throws `too_large`
 * for more columns than a sheet has.
 */
export async function writeWorkbook(
  rows: AsyncIterable<ObjectRow[]>,
  format: 'xls' | 'xlsx',
  order: WorkbookOrder,
): Promise<Readable> {
  const isXls = format === 'xls';
  const limitOf = isXls ? biff8TextLimit : undefined;
  const cells = createCells(order.fields, { hasPoints: order.hasPoints, keepsBreaks: isXls, limitOf });
  const limits = isXls ? biff8Limits : xlsxLimits;
  if (cells.header.length > limits.columns) {
    const others = isXls ? 'xlsx or csv' : 'csv';
    throw tooWide(`${cells.header.length} columns`, format, limits.columns, others);
  }
  const slices = cellSlices(rows, cells);
  // Errors of the query appear with its first objects.
  const first = await slices.next();
  const sheets = sheetsOf(order.code, cells, limits.rows, { pending: first.value ?? [], slices });
  return format === 'xls' ? order.semaphore(() => xlsFile(sheets, order), order.signal) : xlsxFile(sheets);
}

async function* cellSlices(
  rows: AsyncIterable<ObjectRow[]>,
  cells: CellWriter,
): AsyncGenerator<SheetCell[][], undefined> {
  for await (const slice of rows) yield slice.map(cells.of);
}

/** Rows that were read but not written, and the source of further rows. */
interface Source {
  pending: SheetCell[][];
  slices: AsyncGenerator<SheetCell[][], undefined>;
}

async function* sheetsOf(
  code: string,
  cells: CellWriter,
  rowLimit: number,
  source: Source,
): AsyncGenerator<SheetSource> {
  const names = [restSheet];
  for (let number = 1; number === 1 || source.pending.length; number++) {
    names.push(sheetName(code, number));
    const name = shortNames(names, sheetNameLimit).at(-1)!;
    yield { name, rows: sheetRows(cells.header, rowLimit - 1, source) };
  }
  const rest = cells.rest();
  if (rest.length) yield { name: restSheet, rows: alone(rest) };
}

async function* alone<T>(value: T): AsyncGenerator<T> {
  yield value;
}

async function* sheetRows(
  header: readonly string[],
  limit: number,
  source: Source,
): AsyncGenerator<SheetCell[][]> {
  yield [[...header]];
  for (let room = limit; room && source.pending.length; ) {
    const part = source.pending.slice(0, room);
    source.pending = source.pending.slice(part.length);
    room -= part.length;
    yield part;
    if (!source.pending.length) source.pending = (await source.slices.next()).value ?? [];
  }
}

/** An xls is complete before the first byte is sent. It goes through a file, so that memory is not held while it is sent. */
async function xlsFile(
  sheets: AsyncIterable<SheetSource>,
  { limit, dataFolder, signal }: WorkbookOrder,
): Promise<Readable> {
  const writer = createBiff8(limit);
  for await (const { name, rows } of sheets) {
    writer.sheet(name);
    for await (const slice of rows) for (const cells of slice) writer.row(cells);
  }
  const folder = await createJobFolder(dataFolder);
  try {
    const path = join(folder.path, 'xls');
    await pipeline(Readable.from(writer.end()), createWriteStream(path), { signal });
    const file = readStream(path);
    file.once('close', () => void folder.remove());
    return file;
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
