import { ServiceError } from '@cartulary/errors';
import type { RawFeature } from '../../raw-feature.js';
import { createTextDecoder, type Decoded } from '../held.js';
import { isDeleted } from './dbf.js';
import { openDbf, recordReader, textsOf } from './dbf-records.js';
import { type FileReader, noteDeleted, type ShapefileOptions } from './shapefile.js';

/** Number of records that are read at once. */
const batchRecords = 1_000;

export interface DbfTableOptions
  extends Pick<ShapefileOptions, 'encoding' | 'first' | 'found' | 'remark' | 'note'> {
  /** Path of the .dbf. */
  dbf: string;
}

/** Reads a .dbf without shapes: each record is a feature without a geometry. Throws `import_failed` if it is cut off. */
export function openDbfTable(options: DbfTableOptions): FileReader {
  const table = openDbf(options.dbf, options.note);
  const { head } = table;
  const decoder = createTextDecoder<Buffer>(options.encoding, options.found);
  decoder.look(head.fields.map(({ name }) => name));
  const readRecord = recordReader(head);
  let number = options.first - 1;
  const make = ({ item, decode }: Decoded<Buffer>): RawFeature => {
    const feature = { number: ++number, id: undefined, geometry: null, properties: Object.create(null) };
    try {
      readRecord(item, decode, feature.properties);
      return feature;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { ...feature, error };
    }
  };
  const taken = (record: Buffer): Decoded<Buffer>[] => {
    if (!isDeleted(record)) return decoder.take(record, textsOf(head, record));
    noteDeleted(options);
    return [];
  };
  let isOver = false;
  return {
    next() {
      if (isOver) return undefined;
      const records = table.next(batchRecords);
      const count = records.length / head.recordSize;
      isOver = count < batchRecords;
      const features = Array.from({ length: count }, (_, i) =>
        records.subarray(i * head.recordSize, (i + 1) * head.recordSize),
      ).flatMap((record) => taken(record).map(make));
      if (!isOver) return features;
      table.noteCount();
      return [...features, ...decoder.end().map(make)];
    },
    close: table.close,
  };
}
