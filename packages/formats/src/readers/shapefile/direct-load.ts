import type { RowMaker } from '../../reading/rows.js';
import { type DirectLoadColumn, NotDirectlyLoadable } from '../direct-load.js';
import { deletedMark } from './dbf.js';
import type { DbfRecords } from './dbf-records.js';
import { type DirectRecord, type DirectRow, DirectRowReader } from './direct-rows.js';
import { noteDeleted, openParts, type ShapefileOptions } from './shapefile.js';
import type { ShapeRecords } from './shp-records.js';

/** Receives the rows of a file, and the features that cannot be stored. */
export interface DirectRowListener {
  row(row: DirectRow): void;
  /** May throw, which ends the reading. */
  refused(error: unknown, featureNumber: number): void;
}

/**
 * Reads a shapefile in longitude and latitude as table rows, without intermediate features. The fields of the .dbf
 * determine the types of the columns. Throws `NotDirectlyLoadable` as soon as a value does not fit its column.
 */
export class DirectShapefileReader {
  readonly #options: ShapefileOptions;
  readonly #shapes: ShapeRecords;
  readonly #table: DbfRecords;
  readonly #rows: DirectRowReader;
  #featureNumber: number;

  /** Opens the files, which `close` closes. Throws `NotDirectlyLoadable`. */
  constructor(options: ShapefileOptions, maker: RowMaker) {
    const { shapes, table } = openParts(options);
    if (!table) throw new NotDirectlyLoadable();
    this.#options = options;
    this.#shapes = shapes;
    this.#table = table;
    this.#rows = new DirectRowReader(options, table.head, maker);
    this.#featureNumber = options.first - 1;
  }

  get columns(): readonly DirectLoadColumn[] {
    return this.#rows.columns;
  }

  /** Emits the next rows; returns false at the end. Throws `NotDirectlyLoadable`. */
  next(listener: DirectRowListener): boolean {
    const found = this.#shapes.next();
    if (!found) {
      this.#table.noteShapes();
      this.#table.noteCount();
      return false;
    }
    const { bytes: shapes, places } = found;
    const { recordSize } = this.#table.head;
    const records = this.#table.next(places.length);
    if (records.length < places.length * recordSize) throw new NotDirectlyLoadable();
    let recordAt = 0;
    for (const place of places) {
      if (records[recordAt] === deletedMark) noteDeleted(this.#options);
      else this.#take({ shapes, place, records, recordAt, featureNumber: ++this.#featureNumber }, listener);
      recordAt += recordSize;
    }
    return true;
  }

  #take(record: DirectRecord, listener: DirectRowListener): void {
    let row: DirectRow;
    try {
      row = this.#rows.read(record);
    } catch (error) {
      listener.refused(error, record.featureNumber);
      return;
    }
    listener.row(row);
  }

  close(): void {
    this.#shapes.close();
    this.#table.close();
  }
}
