import { ServiceError } from '@cartulary/errors';
import type { FgbColumn } from './flatgeobuf.js';
import type { FixedRecord, FormatTarget } from './targets.js';

/** A table that a format cannot hold, and the formats that can. */
export const tooWide = (what: string, format: string, limit: number, others: string): ServiceError =>
  new ServiceError('too_large', `The table has ${what}, ${format} holds ${limit}: export ${others}`);

/** Throws `too_large` for more columns than the format holds. */
export function checkColumnCount({ columnLimit, extension }: FormatTarget, count: number): void {
  if (count > columnLimit) throw tooWide(`${count} columns`, extension, columnLimit, 'csv or geojson');
}

/** The mark of a deleted record. */
const markBytes = 1;

/** Finds widths of texts with which the records of a file are not too long. */
export class RecordWidths {
  readonly #record: FixedRecord;
  readonly #columns: readonly FgbColumn[];
  readonly #lengthOf: (text: string) => number;
  readonly #longest: number[];

  constructor(record: FixedRecord, columns: readonly FgbColumn[], encoding: string) {
    this.#record = record;
    this.#columns = columns;
    this.#lengthOf = byteLengthIn(encoding);
    this.#longest = columns.map(() => 1);
  }

  look(values: readonly unknown[]): void {
    for (const [i, value] of values.entries()) {
      if (typeof value !== 'string') continue;
      const length = this.#lengthOf(value);
      if (length > this.#longest[i]!) this.#longest[i] = length;
    }
  }

  /**
   * The columns with the widths of their longest texts; undefined: the usual widths fit. Throws `too_large` where
   * nothing fits.
   */
  fitted(format: string): FgbColumn[] | undefined {
    const { limit, widths } = this.#record;
    const sizeOf = (columns: readonly FgbColumn[]): number =>
      columns.reduce((sum, { type, width }) => sum + (width ?? widths[type]), markBytes);
    if (sizeOf(this.#columns) <= limit) return undefined;
    const fitted = this.#columns.map((column, i) => {
      const width = Math.min(this.#longest[i]!, widths.string);
      return column.type === 'string' ? { ...column, width } : column;
    });
    const size = sizeOf(fitted);
    if (size <= limit) return fitted;
    throw tooWide(
      `${fitted.length} columns of ${size} bytes together`,
      format,
      limit,
      'csv, geojson, gpkg or xlsx',
    );
  }
}

/** The bytes of a text in an encoding; in those of East Asia the most that there may be. */
function byteLengthIn(encoding: string): (text: string) => number {
  if (encoding === 'utf-8') return (text) => Buffer.byteLength(text);
  const most = encoding.startsWith('windows-') ? 1 : 2;
  return (text) => text.length * most;
}
