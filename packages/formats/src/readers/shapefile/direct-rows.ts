import { ServiceError } from '@cartulary/errors';
import type { BufferRange, PackedValue } from '@cartulary/sql';
import { isDatetime } from '../../datetimes.js';
import { type Decode, decoderOf } from '../../encodings/encodings.js';
import { type FeatureProperty, valueKinds } from '../../properties.js';
import type { RowMaker } from '../../reading/rows.js';
import type { ReadyGeometry } from '../../tables/ready-geometry.js';
import {
  type DirectLoadColumn,
  type DirectLoadType,
  isStoredUnchanged,
  NotDirectlyLoadable,
} from '../direct-load.js';
import { distinct } from '../distinct.js';
import { type DbfField, type DbfHead, isElsewhere } from './dbf.js';
import { decodeAscii, directTypeOf, directValue, type ValueReader, valueReader } from './direct-values.js';
import { featureMaker, type ShapefileOptions } from './shapefile.js';
import { shapeEwkbInto } from './shp-ewkb.js';
import type { RecordPlace } from './shp-records.js';
import { decodeShape } from './shp-shape.js';

/** A record as a table row. One object is reused for all rows. */
export interface DirectRow {
  geometry: Pick<ReadyGeometry, 'type' | 'box' | 'isMoved'> | null;
  /** Space for the id, the geometry, and a value for each column. */
  values: PackedValue[];
}

/** Values of a row before those of the columns: the id and the geometry. */
const leadingValues = 2;

/** The location of a record in the bytes read. */
export interface DirectRecord {
  shapes: Buffer;
  /** Offset of its shape. */
  place: RecordPlace;
  records: Buffer;
  /** Offset of its values among `records`. */
  recordAt: number;
  featureNumber: number;
}

/**
 * Turns records into rows. Records of simple shapes and values are copied. All others are made into features by the general
 * reader and the row maker, so that both paths store the same and refuse with the same words.
 */
export class DirectRowReader {
  readonly columns: readonly DirectLoadColumn[];
  readonly #names: readonly string[];
  readonly #decode: Decode;
  readonly #recordSize: number;
  readonly #maker: RowMaker;
  readonly #makeFeature: ReturnType<typeof featureMaker>;
  readonly #valueReaders: readonly ValueReader[];
  /** Columns of the table, in order. */
  readonly #properties: readonly FeatureProperty[];
  readonly #ewkb: BufferRange = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  readonly #row: DirectRow;

  constructor(options: ShapefileOptions, head: DbfHead, maker: RowMaker) {
    const { known } = options.encoding;
    const fields = head.fields.filter((field) => !isElsewhere(field, head));
    const decode = known === undefined ? decodeAscii : decoderOf(known);
    if (known !== undefined) options.found(known);
    this.#decode = decode;
    this.#names = distinct(fields.map(({ name }) => decode(name)));
    this.columns = columnsOf(fields, this.#names, maker);
    this.#properties = this.columns.map(({ index }) => maker.properties[index]!);
    this.#recordSize = head.recordSize;
    this.#maker = maker;
    this.#makeFeature = featureMaker(options, head);
    this.#valueReaders = fields.map((field) => valueReader(field, { encoding: known, decode }));
    this.#row = { geometry: null, values: [null, null, ...this.columns.map(() => null)] };
  }

  /** Makes the row of a record. Throws the errors of the record, and `NotDirectlyLoadable`. */
  read(record: DirectRecord): DirectRow {
    if (!this.#copyRecord(record)) this.#readFeature(record);
    return this.#row;
  }

  /** Whether the shape and all values of the record can be copied. */
  #copyRecord({ shapes, place, records, recordAt }: DirectRecord): boolean {
    const geometry = this.#copyShape(shapes, place);
    if (!geometry) return false;
    const { values } = this.#row;
    this.#row.geometry = geometry;
    values[1] = this.#ewkb;
    for (let i = 0; i < this.#valueReaders.length; i++) {
      const value = this.#valueReaders[i]!(records, recordAt);
      if (value === undefined) return false;
      values[leadingValues + i] = value;
    }
    this.#noteKinds(values);
    return true;
  }

  #copyShape(shapes: Buffer, { at, size }: RecordPlace): DirectRow['geometry'] | undefined {
    try {
      return shapeEwkbInto(decodeShape(shapes, at, size), this.#ewkb);
    } catch (error) {
      // The general reader throws the error, which names the feature.
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  #readFeature({ shapes, place, records, recordAt, featureNumber }: DirectRecord): void {
    const record = records.subarray(recordAt, recordAt + this.#recordSize);
    const item = { shape: shapes.subarray(place.at, place.at + place.size), record };
    const feature = this.#makeFeature({ item, decode: this.#decode }, featureNumber);
    const { row: staged, geometry } = this.#maker.row(feature);
    const { values } = this.#row;
    this.#row.geometry = geometry;
    values[1] = staged[2];
    for (const [i, { type }] of this.columns.entries())
      values[leadingValues + i] = directValue(feature.properties[this.#names[i]!], type);
  }

  /** Records the kinds of the values in a copied row. The row maker does it for all others. */
  #noteKinds(values: readonly PackedValue[]): void {
    for (let i = 0; i < this.columns.length; i++) {
      const { type } = this.columns[i]!;
      const value = values[leadingValues + i]!;
      const property = this.#properties[i]!;
      if (value !== null && !(property.kinds & kindOf[type])) noteFirst(property, type, value);
    }
  }
}

function columnsOf(
  fields: readonly DbfField[],
  names: readonly string[],
  maker: RowMaker,
): DirectLoadColumn[] {
  if (names.includes('svc_id')) throw new NotDirectlyLoadable();
  try {
    maker.expect(names);
  } catch {
    // The general reader reports an invalid name with the first feature that has it.
    throw new NotDirectlyLoadable();
  }
  return fields.map((field, i) => {
    const index = maker.properties.findIndex(({ name }) => name === names[i]);
    const { target } = maker.properties[index]!;
    const type = directTypeOf(field);
    if (target && !isStoredUnchanged(type, target.column)) throw new NotDirectlyLoadable();
    return { index, type };
  });
}

/** The bit of a type in the kinds of a property. */
const kindOf: Readonly<Record<DirectLoadType, number>> = {
  text: valueKinds.string,
  'double precision': valueKinds.number,
  boolean: valueKinds.bool,
  timestamptz: valueKinds.datetime,
};

/** Records the kind of the first value of a property. A property whose first text is a datetime may become a column of datetimes. */
function noteFirst(property: FeatureProperty, type: DirectLoadType, value: PackedValue): void {
  if (type === 'text' && !property.target && isDatetime(textOf(value as string | BufferRange)))
    throw new NotDirectlyLoadable();
  property.kinds |= kindOf[type];
}

const textOf = (value: string | BufferRange): string =>
  typeof value === 'string' ? value : value.bytes.toString('utf8', value.start, value.end);
