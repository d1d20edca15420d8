import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ServiceError } from '../../errors.js';
import type { RawFeature } from '../geojson.js';
import { type DbfHead, dbfHead, dbfHeadSize, dbfStart, dbfValue, isDeleted, isElsewhere } from './dbf.js';
import { distinct } from './distinct.js';
import type { Decode } from './encodings.js';
import { createTextDecoder, type Decoded, type EncodingRules } from './held.js';
import { shapeOf } from './shp-geometry.js';
import { readyShape } from './shp-ready.js';

export interface ShapefileOptions {
  /** Path of the .shp. */
  shp: string;
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
  found(encoding: string): void;
}

/** Reads a file by itself. */
export interface FileReader {
  /** The next features; undefined: there are no more. */
  next(): RawFeature[] | undefined;
  close(): void;
}

/** Bytes of shapes that are read at once. */
const portion = 512 * 1024;

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);
const cutOff = (): ServiceError => failed('The .shp is cut off or damaged');

/** Bytes before the first record of a .shp. */
const headSize = 100;

export interface Row {
  shape: Buffer;
  /** Undefined where there is no .dbf. */
  record: Buffer | undefined;
}

/**
 * Reads a shapefile record by record; the .shx is not needed for it. Throws `import_failed` when a file is cut off, or .shp and
 * .dbf have different numbers of records.
 */
export function openShapefile(options: ShapefileOptions): FileReader {
  const shapes = openShapes(options);
  const table = options.dbf === undefined ? undefined : openTable(options.dbf);
  const decoder = createTextDecoder<Row>(options.encoding, options.found);
  const texts = table ? table.head.fields.filter(({ type }) => type === 'C') : [];
  decoder.look(table?.head.fields.map(({ name }) => name) ?? []);
  const makeOne = featureMaker(options, table?.head);
  let number = options.first - 1;
  const make = (row: Decoded<Row>): RawFeature => makeOne(row, ++number);
  let isOver = false;
  const readAll = (list: readonly Buffer[]): RawFeature[] => {
    const records = table?.take(list.length);
    const features: RawFeature[] = [];
    for (const [i, shape] of list.entries()) {
      const record = records?.[i];
      if (record && isDeleted(record)) continue;
      const bytes = record ? texts.map(({ at, length }) => record.toString('latin1', at, at + length)) : [];
      for (const row of decoder.take({ shape, record }, bytes)) features.push(make(row));
    }
    return features;
  };
  return {
    next() {
      if (isOver) return undefined;
      const list = shapes.take();
      if (list) return readAll(list);
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
  { isWgs84 }: Pick<ShapefileOptions, 'isWgs84'>,
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
      return { number, id: undefined, geometry: ready ? null : shapeOf(shape), ready, properties };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { number, id: undefined, geometry: null, properties, error };
    }
  };
}

/** Files that are being read. */
const opened = new Set<number>();

/** Closes what is still open when a reading has failed or was left. */
export function closeFiles(): void {
  for (const file of opened) closeSync(file);
  opened.clear();
}

/** Reads a file from its start to its end. */
function openSequence(path: string) {
  const file = openSync(path, 'r');
  opened.add(file);
  const { size } = fstatSync(file);
  let at = 0;
  return {
    /** Bytes that are left. */
    get left() {
      return size - at;
    },
    /** The next bytes: fewer at the end of the file. */
    read(length: number): Buffer {
      const bytes = Buffer.allocUnsafe(Math.min(length, size - at));
      let done = 0;
      while (done < bytes.length) {
        const got = readSync(file, bytes, done, bytes.length - done, at + done);
        if (!got) break;
        done += got;
      }
      at += done;
      return bytes.subarray(0, done);
    },
    close() {
      if (opened.delete(file)) closeSync(file);
    },
  };
}

/** Where a record lies. */
export interface Place {
  at: number;
  size: number;
}

/** The contents of the records of a .shp. */
export function openShapes({
  shp,
  featureLimit,
  first,
}: Pick<ShapefileOptions, 'shp' | 'featureLimit' | 'first'>) {
  const file = openSequence(shp);
  const head = file.read(headSize);
  if (head.length < headSize || head.readInt32BE(0) !== 9994) throw cutOff();
  // The length of the whole, in words of 16 bits; what stands behind it belongs to nothing.
  let left = head.readUInt32BE(24) * 2 - headSize;
  if (left > file.left || left < 0) throw cutOff();
  let rest: Buffer = Buffer.alloc(0);
  let count = 0;
  return {
    /** Those of the next portion; undefined at the end. */
    take(): Buffer[] | undefined {
      const found = this.places();
      return found?.places.map(({ at, size }) => found.bytes.subarray(at, at + size));
    },
    /** Where they lie among the bytes that were read. */
    places(): { bytes: Buffer; places: Place[] } | undefined {
      for (;;) {
        if (!left) {
          if (rest.length) throw cutOff();
          return undefined;
        }
        const more = file.read(Math.min(portion, left));
        if (!more.length) throw cutOff();
        left -= more.length;
        const bytes = Buffer.concat([rest, more]);
        const places: Place[] = [];
        let from = 0;
        while (from + 8 <= bytes.length) {
          const size = bytes.readInt32BE(from + 4) * 2;
          if (size < 4) throw cutOff();
          if (size > featureLimit) throw tooLarge(first + count);
          if (from + 8 + size > bytes.length) break;
          places.push({ at: from + 8, size });
          count++;
          from += 8 + size;
        }
        rest = bytes.subarray(from);
        if (places.length) return { bytes, places };
      }
    },
    close: file.close,
  };
}

const tooLarge = (feature: number): ServiceError =>
  new ServiceError('too_large', `Feature ${feature} is larger than allowed`, { feature });

/** The records of a .dbf. */
export function openTable(dbf: string) {
  const file = openSequence(dbf);
  const start = file.read(dbfStart);
  const head = dbfHead(Buffer.concat([start, file.read(dbfHeadSize(start) - dbfStart)]));
  let taken = 0;
  return {
    head,
    take(count: number): Buffer[] {
      const bytes = this.bytes(count);
      return Array.from({ length: count }, (_, i) =>
        bytes.subarray(i * head.recordSize, (i + 1) * head.recordSize),
      );
    },
    /** The same in one piece. */
    bytes(count: number): Buffer {
      const bytes = file.read(count * head.recordSize);
      taken += count;
      if (bytes.length < count * head.recordSize) {
        throw failed(
          `The .dbf should have ${taken} records, as the .shp has, but it ends before: it is cut off or damaged`,
        );
      }
      return bytes;
    },
    /** Throws when there are further ones: each would be lost. */
    end() {
      if (head.count <= taken) return;
      throw failed(
        `The .dbf has ${head.count} records, but the .shp only ${taken}: it is cut off or damaged`,
      );
    },
    close: file.close,
  };
}
