import { isUtf8 } from 'node:buffer';
import type { PackedValue } from '../../db/copy-binary.js';
import { isDatetime } from '../datetimes.js';
import { kinds, type Property } from '../properties.js';
import type { RowMaker } from '../rows.js';
import type { ReadyGeometry } from '../tables/ready-geometry.js';
import { type DbfField, dbfValue, isDeleted, isElsewhere } from './dbf.js';
import { plainNumber, plainText } from './dbf-plain.js';
import { distinct } from './distinct.js';
import { decoderOf, isAscii } from './encodings.js';
import { featureMaker, openShapes, openTable, type ShapefileOptions } from './shapefile.js';
import { readyShape } from './shp-ready.js';
import { isTakenBy, NotStraight, type StraightColumn, type StraightType } from './straight.js';

/** A record as a row of the table. */
export interface StraightRow {
  geometry: ReadyGeometry | null;
  /** By the columns; the same list each time. */
  values: readonly PackedValue[];
}

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
  const { known } = options.encoding;
  if (options.dbf === undefined) throw new NotStraight();
  const shapes = openShapes(options);
  const table = openTable(options.dbf);
  const fields = table.head.fields.filter((field) => !isElsewhere(field, table.head));
  if (known === undefined && !fields.every(({ name }) => isAscii(name))) throw new NotStraight();
  if (known !== undefined) options.found(known);
  const decode = known === undefined ? (bytes: string): string => bytes : decoderOf(known);
  const names = distinct(fields.map(({ name }) => decode(name)));
  const columns = columnsOf(fields, names, maker);
  const properties = columns.map(({ index }) => maker.properties[index]!);
  const makeFeature = featureMaker(options, table.head);
  const strict = demandAscii(known, decode);
  const readers = fields.map((field, i) =>
    valueReader(field, { type: columns[i]!.type, encoding: known, decode: strict }),
  );
  const row: { geometry: ReadyGeometry | null; values: PackedValue[] } = {
    geometry: null,
    values: columns.map(() => null),
  };
  let number = options.first - 1;

  /** Whether the record is a usual one. */
  const isRead = (shape: Buffer, record: Buffer): boolean => {
    const geometry = readyShape(shape);
    if (!geometry) return false;
    row.geometry = geometry;
    for (let i = 0; i < readers.length; i++) {
      const value = readers[i]!(record);
      if (value === undefined) return false;
      row.values[i] = value;
    }
    for (let i = 0; i < readers.length; i++) {
      const { type } = columns[i]!;
      if (row.values[i] !== null && !(properties[i]!.kinds & kindOf[type]))
        noteFirst(properties[i]!, type, row.values[i]!);
    }
    return true;
  };
  const readSlowly = (shape: Buffer, record: Buffer): void => {
    const feature = makeFeature({ item: { shape, record }, decode: strict }, number);
    row.geometry = maker.row(feature).geometry;
    for (const [i, { type }] of columns.entries())
      row.values[i] = straightValue(feature.properties[names[i]!], type);
  };
  return {
    columns,
    next(taken, refused) {
      const list = shapes.take();
      if (!list) {
        table.end();
        return false;
      }
      for (const [i, record] of table.take(list.length).entries()) {
        if (isDeleted(record)) continue;
        number++;
        try {
          if (!isRead(list[i]!, record)) readSlowly(list[i]!, record);
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

interface Values {
  type: StraightType;
  encoding: string | undefined;
  decode(bytes: string): string;
}

/** Takes the value of a field out of a record; undefined: it is an unusual one. */
function valueReader(field: DbfField, values: Values): (record: Buffer) => PackedValue | undefined {
  const { type, at, length } = field;
  if (type === 'C') return textReader(field, values);
  if (type === 'N' || type === 'F') return (record) => plainNumber(record, at, length);
  return (record) => {
    try {
      return straightValue(dbfValue(field, record, values.decode), values.type);
    } catch {
      return undefined;
    }
  };
}

function textReader(
  { at, length }: DbfField,
  { encoding, decode }: Values,
): (record: Buffer) => PackedValue | undefined {
  const isUnicode = encoding === 'utf-8';
  return (record) => {
    const text = plainText(record, at, length);
    if (!text || (!text.isAscii && encoding === undefined)) return undefined;
    if (text.end === at) return null;
    const bytes = record.subarray(at, text.end);
    if (text.isAscii || (isUnicode && isUtf8(bytes))) return bytes;
    return isUnicode ? undefined : decode(bytes.toString('latin1'));
  };
}

/** What a type is in `kinds`. */
const kindOf: Readonly<Record<StraightType, number>> = {
  text: kinds.string,
  'double precision': kinds.number,
  boolean: kinds.bool,
  timestamptz: kinds.datetime,
};

/** Takes notice of the first value of a property: one whose first text is a datetime may turn out to have no others. */
function noteFirst(property: Property, type: StraightType, value: PackedValue): void {
  if (type === 'text' && !property.target && isDatetime(Buffer.from(value as string | Uint8Array).toString()))
    throw new NotStraight();
  property.kinds |= kindOf[type];
}

/** Without a known encoding all must be ASCII: else the whole file has to tell it. */
const demandAscii = (encoding: string | undefined, decode: (bytes: string) => string) =>
  encoding === undefined
    ? (bytes: string): string => {
        if (!isAscii(bytes)) throw new NotStraight();
        return bytes;
      }
    : decode;

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
