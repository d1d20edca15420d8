import { isUtf8 } from 'node:buffer';
import type { ByteRange, PackedValue } from '../../db/copy-binary.js';
import { isDatetime } from '../datetimes.js';
import { kinds, type Property } from '../properties.js';
import type { RowMaker } from '../rows.js';
import type { ReadyGeometry } from '../tables/ready-geometry.js';
import { type DbfField, type DbfHead, dbfValue, deletedMark, isElsewhere } from './dbf.js';
import { plainNumber, plainText } from './dbf-plain.js';
import { distinct } from './distinct.js';
import { type Decode, decoderOf, isAscii } from './encodings.js';
import { featureMaker, noteDeleted, openParts, type ShapefileOptions } from './shapefile.js';
import { readyRange } from './shp-ready.js';
import type { Place } from './shp-records.js';
import { isTakenBy, NotStraight, type StraightColumn, type StraightType } from './straight.js';

/** A record as a row of the table; the same object each time. */
export interface StraightRow {
  geometry: Pick<ReadyGeometry, 'type' | 'box' | 'isMoved'> | null;
  /** Room for the id, the geometry, then by the columns. */
  values: PackedValue[];
}

/** Values of a row before those of the columns. */
const ahead = 2;

export interface StraightReader {
  columns: readonly StraightColumn[];
  /** Hands over the next rows; false: there are no more. `refused` may throw. Throws `NotStraight`. */
  next(row: (row: StraightRow) => void, refused: (error: unknown, feature: number) => void): boolean;
  close(): void;
}

const typeOf = ({ type }: DbfField): StraightType =>
  'NFIOBY+'.includes(type)
    ? 'double precision'
    : 'DT@'.includes(type)
      ? 'timestamptz'
      : type === 'L'
        ? 'boolean'
        : 'text';

/**
 * Reads a shapefile in longitude and latitude row by row, without a feature between its bytes and the row: for that its types of
 * columns must be what the values will turn out to be, and it says `NotStraight` as soon as they are not. What is unusual in a record
 * is judged as `openShapefile` and the row maker do it.
 */
export function openStraight(options: ShapefileOptions, maker: RowMaker): StraightReader {
  const { shapes, table } = openParts(options);
  if (!table) throw new NotStraight();
  const { recordSize } = table.head;
  const { columns, read } = createRowReader(options, table.head, maker);
  let number = options.first - 1;
  return {
    columns,
    next(taken, refused) {
      const next = shapes.next();
      if (!next) {
        table.end();
        return false;
      }
      const records = table.next(next.places.length);
      if (records.length < next.places.length * recordSize) throw new NotStraight();
      let at = -recordSize;
      for (const place of next.places) {
        at += recordSize;
        if (records[at] === deletedMark) {
          noteDeleted(options);
          continue;
        }
        number++;
        let row: StraightRow;
        try {
          row = read({ shapes: next.bytes, place, records, at, number });
        } catch (error) {
          refused(error, number);
          continue;
        }
        taken(row);
      }
      return true;
    },
    close() {
      shapes.close();
      table.close();
    },
  };
}

/** A record among the bytes that were read. */
interface RecordPlace {
  shapes: Buffer;
  /** Of its shape. */
  place: Place;
  records: Buffer;
  /** Of its values. */
  at: number;
  /** Of the feature. */
  number: number;
}

function createRowReader(options: ShapefileOptions, head: DbfHead, maker: RowMaker) {
  const { known } = options.encoding;
  const fields = head.fields.filter((field) => !isElsewhere(field, head));
  const decode = known === undefined ? asciiAlone : decoderOf(known);
  if (known !== undefined) options.found(known);
  const names = distinct(fields.map(({ name }) => decode(name)));
  const columns = columnsOf(fields, names, maker);
  const noteKinds = kindsNoter(columns, maker.properties);
  const makeFeature = featureMaker(options, head);
  const readers = fields.map((field) => valueReader(field, { encoding: known, decode }));
  const shape: ByteRange = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  const row: StraightRow = { geometry: null, values: [null, null, ...columns.map(() => null)] };
  const { values } = row;

  /** Whether the record is a usual one. */
  const isRead = ({ shapes, place, records, at }: RecordPlace): boolean => {
    const geometry = readyRange(shapes, place, shape);
    if (!geometry) return false;
    row.geometry = geometry;
    values[1] = shape;
    for (let i = 0; i < readers.length; i++) {
      const value = readers[i]!(records, at);
      if (value === undefined) return false;
      values[ahead + i] = value;
    }
    noteKinds(values);
    return true;
  };
  const readSlowly = ({ shapes, place, records, at, number }: RecordPlace): void => {
    const record = records.subarray(at, at + head.recordSize);
    const item = { shape: shapes.subarray(place.at, place.at + place.size), record };
    const feature = makeFeature({ item, decode }, number);
    const { row: staged, geometry } = maker.row(feature);
    row.geometry = geometry;
    values[1] = staged[2];
    for (const [i, { type }] of columns.entries())
      values[ahead + i] = straightValue(feature.properties[names[i]!], type);
  };
  const read = (record: RecordPlace): StraightRow => {
    if (!isRead(record)) readSlowly(record);
    return row;
  };
  return { columns, read };
}

function columnsOf(fields: readonly DbfField[], names: readonly string[], maker: RowMaker): StraightColumn[] {
  if (names.includes('svc_id')) throw new NotStraight();
  try {
    maker.expect(names);
  } catch {
    // What is wrong with a name is said of the first feature that has it.
    throw new NotStraight();
  }
  return fields.map((field, i) => {
    const index = maker.properties.findIndex(({ name }) => name === names[i]);
    const { target } = maker.properties[index]!;
    const type = typeOf(field);
    if (target && !isTakenBy(type, target.column)) throw new NotStraight();
    return { index, type };
  });
}

interface Texts {
  encoding: string | undefined;
  decode: Decode;
}

/** Takes the value of a field out of a record that lies at a place; undefined: it is an unusual one. */
type ValueReader = (records: Buffer, at: number) => PackedValue | undefined;

function valueReader(field: DbfField, texts: Texts): ValueReader {
  const { type, at: offset, length } = field;
  if (type === 'C') return textReader(field, texts);
  if (type === 'N' || type === 'F') return (records, at) => plainNumber(records, at + offset, length);
  return (records, at) => {
    try {
      return straightValue(dbfValue(field, records.subarray(at), texts.decode), typeOf(field));
    } catch {
      return undefined;
    }
  };
}

function textReader({ at: offset, length }: DbfField, { encoding, decode }: Texts): ValueReader {
  const isUnicode = encoding === 'utf-8';
  const range: ByteRange = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  return (records, at) => {
    const start = at + offset;
    const text = plainText(records, start, length);
    if (!text) return undefined;
    const { end } = text;
    if (end === start) return null;
    if (!text.isAscii && !(isUnicode && isUtf8(records.subarray(start, end)))) {
      return isUnicode || encoding === undefined ? undefined : decode(records.toString('latin1', start, end));
    }
    range.bytes = records;
    range.start = start;
    range.end = end;
    return range;
  };
}

/** What a type is in `kinds`. */
const kindOf: Readonly<Record<StraightType, number>> = {
  text: kinds.string,
  'double precision': kinds.number,
  boolean: kinds.bool,
  timestamptz: kinds.datetime,
};

/** Takes notice of the kinds of values that a usual row has. */
function kindsNoter(columns: readonly StraightColumn[], properties: RowMaker['properties']) {
  const own = columns.map(({ index }) => properties[index]!);
  return (values: readonly PackedValue[]): void => {
    for (let i = 0; i < columns.length; i++) {
      const { type } = columns[i]!;
      const value = values[ahead + i]!;
      if (value !== null && !(own[i]!.kinds & kindOf[type])) noteFirst(own[i]!, type, value);
    }
  };
}

/** Takes notice of the first value of a property: one whose first text is a datetime may turn out to have no others. */
function noteFirst(property: Property, type: StraightType, value: PackedValue): void {
  if (type === 'text' && !property.target && isDatetime(textOf(value as string | ByteRange)))
    throw new NotStraight();
  property.kinds |= kindOf[type];
}

const textOf = (value: string | ByteRange): string =>
  typeof value === 'string' ? value : value.bytes.toString('utf8', value.start, value.end);

/** Without a known encoding all must be ASCII: else the whole file has to tell it. */
const asciiAlone: Decode = (bytes) => {
  if (!isAscii(bytes)) throw new NotStraight();
  return bytes;
};

/** A value of a feature, which was found right, for a column of the type. */
function straightValue(value: unknown, type: StraightType): PackedValue {
  if (value === null || value === undefined) return null;
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'boolean' && typeof value === 'boolean') return value;
  if (type === 'double precision' && typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
    return value + 0;
  if (type === 'timestamptz' && typeof value === 'string' && isDatetime(value)) {
    const ms = Date.parse(value.length === 10 || value.endsWith('Z') ? value : `${value}Z`);
    if (Number.isFinite(ms)) return ms;
  }
  throw new NotStraight();
}
