import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { RawFeature } from '../../raw-feature.js';
import type { Remarker } from '../../reading/summary.js';
import { createTextDecoder, type Decoded, type EncodingListener, type EncodingRules } from '../held.js';
import { type DbfHead, isDeleted } from './dbf.js';
import { openDbf, recordReader, textsOf } from './dbf-records.js';
import { shapeEwkb } from './shp-ewkb.js';
import { shapeGeometry } from './shp-geometry.js';
import { openRecords, type RecordPlaces } from './shp-records.js';
import { decodeShape, hasMeasures } from './shp-shape.js';

export interface ShapefileOptions {
  /** Path of the .shp. */
  shp: string;
  /** Path of the .shx; undefined: there is none. */
  shx: string | undefined;
  /** Path of the .dbf; undefined: the objects have no attributes. */
  dbf: string | undefined;
  encoding: EncodingRules;
  /** Whether its coordinates are longitude and latitude. */
  isWgs84: boolean;
  /** Number of its first feature. */
  first: number;
  /** Maximum size of a feature, bytes. */
  featureLimit: number;
  /** Receives the encoding of the texts once it is known. */
  found: EncodingListener;
  /** Receives records that are no features. */
  remark: Remarker;
  note(text: string): void;
}

export const noteDeleted = ({ remark }: Pick<ShapefileOptions, 'remark'>): void =>
  remark(noteOf('deletedRecord'), noteOf('noObject'));

/** Reads a file from disk, without receiving its bytes. */
export interface FileReader {
  /** Reads the next features; undefined at the end. */
  next(): RawFeature[] | undefined;
  close(): void;
}

export interface Row {
  shape: Buffer;
  /** Undefined if there is no .dbf. */
  record: Buffer | undefined;
}

/** The shapes of a shapefile with their records. */
export function openParts(options: Omit<ShapefileOptions, 'encoding'>) {
  const table = options.dbf === undefined ? undefined : openDbf(options.dbf, options.note);
  return { table, shapes: openRecords({ ...options, wanted: table?.head.count }) };
}

/**
 * Reads a shapefile record by record. Throws `import_failed` if a file is cut off. Notes a difference between the
 * numbers of records in .shp and .dbf.
 */
export function openShapefile(options: ShapefileOptions): FileReader {
  const { shapes, table } = openParts(options);
  const decoder = createTextDecoder<Row>(options.encoding, options.found);
  decoder.look(table?.head.fields.map(({ name }) => name) ?? []);
  const makeOne = featureMaker(options, table?.head);
  let number = options.first - 1;
  const make = (row: Decoded<Row>): RawFeature => makeOne(row, ++number);
  let isOver = false;
  const readAll = ({ bytes, places }: RecordPlaces): RawFeature[] => {
    const { recordSize = 0 } = table?.head ?? {};
    const records = table?.next(places.length) ?? Buffer.alloc(0);
    const features: RawFeature[] = [];
    for (const [i, { at, size }] of places.entries()) {
      const from = i * recordSize;
      const record = from < records.length ? records.subarray(from, from + recordSize) : undefined;
      if (record && isDeleted(record)) {
        noteDeleted(options);
        continue;
      }
      const shape = bytes.subarray(at, at + size);
      const said = table && record ? textsOf(table.head, record) : [];
      for (const row of decoder.take({ shape, record }, said)) features.push(make(row));
    }
    return features;
  };
  return {
    next() {
      if (isOver) return undefined;
      const found = shapes.next();
      if (found) return readAll(found);
      isOver = true;
      table?.noteShapes();
      table?.noteCount();
      return decoder.end().map(make);
    },
    close() {
      shapes.close();
      table?.close();
    },
  };
}

/** Makes a feature of a row and its number. */
export function featureMaker(
  { isWgs84, note, remark }: Pick<ShapefileOptions, 'isWgs84' | 'note' | 'remark'>,
  head: DbfHead | undefined,
): (row: Decoded<Row>, number: number) => RawFeature {
  const readRecord = head && recordReader(head);
  return ({ item: { shape, record }, decode }, number) => {
    const properties = Object.create(null) as Record<string, unknown>;
    try {
      if (record) readRecord?.(record, decode, properties);
      const decoded = decodeShape(shape, 0, shape.length);
      const ready = isWgs84 ? shapeEwkb(decoded) : undefined;
      if (!ready && hasMeasures(decoded)) note(noteOf('measuresOfShapes'));
      const misdirected = (): void => remark(noteOf('misdirectedRings'), noteOf('ringsByPlace'), number);
      const geometry = ready ? null : shapeGeometry(decoded, misdirected);
      if (!ready && !geometry && decoded.kind === 'point')
        remark(noteOf('pointWithoutNumbers'), noteOf('withoutGeometry'), number);
      return { number, id: undefined, geometry, ready, properties };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { number, id: undefined, geometry: null, properties, error };
    }
  };
}
