import { isUtf8 } from 'node:buffer';
import type { BufferRange, PackedValue } from '@cartulary/sql';
import { isDatetime } from '../../datetimes.js';
import { type Decode, isAscii } from '../../encodings/encodings.js';
import { type DirectLoadType, NotDirectlyLoadable } from '../direct-load.js';
import { type DbfField, dbfValue } from './dbf.js';
import { asciiText, plainNumber } from './dbf-plain.js';

/** The type of the table column that a field of a .dbf fills. */
export function directTypeOf({ type }: DbfField): DirectLoadType {
  if ('NFIOBY+'.includes(type)) return 'double precision';
  if ('DT@'.includes(type)) return 'timestamptz';
  return type === 'L' ? 'boolean' : 'text';
}

/** How the texts of a .dbf are decoded. */
export interface TextDecoding {
  /** Undefined if unknown: then only ASCII is accepted. */
  encoding: string | undefined;
  decode: Decode;
}

/** Reads the value of a field from the record that begins at an offset. Undefined: `dbfValue` must handle it. */
export type ValueReader = (records: Buffer, recordAt: number) => PackedValue | undefined;

export function valueReader(field: DbfField, decoding: TextDecoding): ValueReader {
  const { type, at: offset, length, nullBit } = field;
  if (type === 'C' && !nullBit) return textReader(field, decoding);
  if ((type === 'N' || type === 'F') && !nullBit)
    return (records, recordAt) => plainNumber(records, recordAt + offset, length);
  return (records, recordAt) => {
    try {
      return directValue(dbfValue(field, records.subarray(recordAt), decoding.decode), directTypeOf(field));
    } catch {
      return undefined;
    }
  };
}

function textReader({ at: offset, length }: DbfField, { encoding, decode }: TextDecoding): ValueReader {
  const isUnicode = encoding === 'utf-8';
  // Reused for each record: its value is packed before the next one is read.
  const range: BufferRange = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  return (records, recordAt) => {
    const start = recordAt + offset;
    const text = asciiText(records, start, length);
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

/** Decodes ASCII. Throws `NotDirectlyLoadable` for other bytes, because an unknown encoding is detected from the whole file. */
export const decodeAscii: Decode = (bytes) => {
  if (!isAscii(bytes)) throw new NotDirectlyLoadable();
  return bytes;
};

/** Converts a valid value of a feature to a table column's type. Throws `NotDirectlyLoadable` if it does not fit. */
export function directValue(value: unknown, type: DirectLoadType): PackedValue {
  if (value === null || value === undefined) return null;
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'boolean' && typeof value === 'boolean') return value;
  if (type === 'double precision' && typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
    return value + 0; // -0 becomes 0
  if (type === 'timestamptz' && typeof value === 'string' && isDatetime(value)) {
    const ms = Date.parse(value.length === 10 || value.endsWith('Z') ? value : `${value}Z`);
    if (Number.isFinite(ms)) return ms;
  }
  throw new NotDirectlyLoadable();
}
