import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../errors.js';
import type { Turns } from '../../http/turns.js';
import { createJobFolder } from '../../jobs/folder.js';
import type { ObjectRow } from '../../objects/store.js';
import { readStream } from '../../read-stream.js';
import { diskFull } from '../incoming/input.js';
import { restSheet, sheetName, sheetNameLimit } from '../own-sheets.js';
import { biff8Limits, createBiff8 } from './biff8.js';
import { biff8TextLimit } from './biff8-texts.js';
import { type Cell, type Cells, createCells } from './cells.js';
import { type OutField, shortNames } from './fields.js';
import { type SheetSource, xlsxFile, xlsxLimits } from './xlsx.js';

export interface WorkbookOrder {
  /** Of the sheets: the layer's code. */
  code: string;
  fields: readonly OutField[];
  /** Whether all geometries are points without height. */
  hasPoints: boolean;
  /** Bytes that an xls, which is made in memory, may take. */
  limit: number;
  /** In which those are made. */
  turns: Turns;
  dataFolder: string;
  signal: AbortSignal;
}

/**
 * Objects, whose geometries are WKT, as an Excel workbook. More rows than a sheet holds go on in a next one, `code_2`;
 * what is too long for a cell stands in a last sheet. What fails before the first of the objects rejects. Throws
 * `too_large` for more columns than a sheet has.
 */
export async function workbook(
  rows: AsyncIterable<ObjectRow[]>,
  format: 'xls' | 'xlsx',
  order: WorkbookOrder,
): Promise<Readable> {
  const isXls = format === 'xls';
  const limitOf = isXls ? biff8TextLimit : undefined;
  const cells = createCells(order.fields, { hasPoints: order.hasPoints, keepsBreaks: isXls, limitOf });
  const limits = format === 'xls' ? biff8Limits : xlsxLimits;
  if (cells.header.length > limits.columns) {
    throw new ServiceError(
      'too_large',
      `The table has ${cells.header.length} columns, ${format} holds ${limits.columns}: export ${format === 'xls' ? 'xlsx or ' : ''}csv`,
    );
  }
  const slices = cellSlices(rows, cells);
  // What is wrong with the selection is known when the first are read.
  const first = await slices.next();
  const sheets = sheetsOf(order.code, cells, limits.rows, { pending: first.value ?? [], slices });
  return format === 'xls' ? order.turns(() => xlsFile(sheets, order), order.signal) : xlsxFile(sheets);
}

async function* cellSlices(
  rows: AsyncIterable<ObjectRow[]>,
  cells: Cells,
): AsyncGenerator<Cell[][], undefined> {
  for await (const slice of rows) yield slice.map(cells.of);
}

/** Rows that were read and not written, and where more come from. */
interface Source {
  pending: Cell[][];
  slices: AsyncGenerator<Cell[][], undefined>;
}

async function* sheetsOf(
  code: string,
  cells: Cells,
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
): AsyncGenerator<Cell[][]> {
  yield [[...header]];
  for (let room = limit; room && source.pending.length; ) {
    const part = source.pending.slice(0, room);
    source.pending = source.pending.slice(part.length);
    room -= part.length;
    yield part;
    if (!source.pending.length) source.pending = (await source.slices.next()).value ?? [];
  }
}

/** An xls, of which nothing is known before all of it is, lies in a file while it is sent: so memory is taken for a short time alone. */
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
    throw diskFull(error);
  }
}
