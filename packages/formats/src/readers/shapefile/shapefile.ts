import { ServiceError } from '../../errors.js';
import type { RawFeature } from '../geojson.js';
import type { Remarker } from '../tally.js';
import { type DbfHead, dbfValue, isDeleted, isElsewhere } from './dbf.js';
import { openDbf } from './dbf-records.js';
import { distinct } from './distinct.js';
import type { Decode } from './encodings.js';
import { createTextDecoder, type Decoded, type EncodingRules, type Found } from './held.js';
import { hasMeasures, shapeOf } from './shp-geometry.js';
import { readyShape } from './shp-ready.js';
import { openRecords, type Places } from './shp-records.js';

export interface ShapefileOptions {
  /** Path of the .shp. */
  shp: string;
  /** Path of the .shx; undefined: there is none. */
  shx: string | undefined;
  /** Path of the .dbf; undefined: its objects have no attributes. */
  dbf: string | undefined;
  encoding: EncodingRules;
  /** Whether its coordinates are longitude and latitude. */
  isWgs84: boolean;
  /** The number of its first feature. */
  first: number;
  /** Bytes. */
  featureLimit: number;
  /** Told the encoding of the texts when it is known. */
  found: Found;
  /** Told of records that are no features. */
  remark: Remarker;
  note(text: string): void;
}

export const noteDeleted = ({ remark }: Pick<ShapefileOptions, 'remark'>): void =>
  remark('record marked as deleted', 'no object, left out');

/** Reads a file by itself. */
export interface FileReader {
  /** The next features; undefined: there are no more. */
  next(): RawFeature[] | undefined;
  close(): void;
}

export interface Row {
  shape: Buffer;
  /** Undefined where there is no .dbf. */
  record: Buffer | undefined;
}

/** The shapes of a shapefile, and the records that belong to them. */
export function openParts(options: Omit<ShapefileOptions, 'encoding'>) {
  const table = options.dbf === undefined ? undefined : openDbf(options.dbf, options.note);
  return { table, shapes: openRecords({ ...options, wanted: table?.head.count }) };
}

/**
 * Reads a shapefile record by record. Throws `import_failed` when a file is cut off; where .shp and .dbf have different numbers of
 * records it is noted.
 */
export function openShapefile(options: ShapefileOptions): FileReader {
  const { shapes, table } = openParts(options);
  const decoder = createTextDecoder<Row>(options.encoding, options.found);
  const texts = table ? table.head.fields.filter(({ type }) => type === 'C') : [];
  decoder.look(table?.head.fields.map(({ name }) => name) ?? []);
  const makeOne = featureMaker(options, table?.head);
  let number = options.first - 1;
  const make = (row: Decoded<Row>): RawFeature => makeOne(row, ++number);
  let isOver = false;
  const readAll = ({ bytes, places }: Places): RawFeature[] => {
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
      const said = record ? texts.map(({ at, length }) => record.toString('latin1', at, at + length)) : [];
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
      table?.end();
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
  { isWgs84, note }: Pick<ShapefileOptions, 'isWgs84' | 'note'>,
  head: DbfHead | undefined,
): (row: Decoded<Row>, number: number) => RawFeature {
  const fields = head?.fields.filter((field) => !isElsewhere(field, head)) ?? [];
  let names: string[] = [];
  let namedBy: Decode | undefined;
  return ({ item: { shape, record }, decode }, number) => {
    const properties = Object.create(null) as Record<string, unknown>;
    try {
      if (namedBy !== decode) {
        names = distinct(fields.map(({ name }) => decode(name)));
        namedBy = decode;
      }
      if (record)
        for (const [i, field] of fields.entries()) properties[names[i]!] = dbfValue(field, record, decode);
      const ready = isWgs84 ? readyShape(shape) : undefined;
      if (!ready && hasMeasures(shape)) note('The measures (M) of its positions were left out');
      return { number, id: undefined, geometry: ready ? null : shapeOf(shape), ready, properties };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { number, id: undefined, geometry: null, properties, error };
    }
  };
}
