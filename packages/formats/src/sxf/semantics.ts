import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import iconv from 'iconv-lite';
import { BeyondEnd, type ByteCursor, untilZero } from './cursor.js';

/** A value of an object by the code of its characteristic. */
export interface Semantic {
  code: number;
  value: string | number;
}

const wrong = (why: string): ServiceError => new ServiceError('value_invalid', why);

/**
 * Reads the values after an object's metric: code, type and scale, then the value. `encoding` is the given encoding of
 * byte texts; by default their type determines it. Throws `value_invalid` for truncated values and unknown types.
 */
export function readSemantics(at: ByteCursor, encoding: string | undefined): Semantic[] {
  const found: Semantic[] = [];
  // A remainder shorter than the header of a value is padding.
  while (at.left >= 4) {
    const code = at.u16();
    const type = at.u8();
    try {
      const value = readValue(at, type, encoding);
      if (value !== '') found.push({ code, value });
    } catch (error) {
      if (error instanceof BeyondEnd) throw wrong(noteOf('sxfLongValue', { code }));
      throw error;
    }
  }
  return found;
}

function readValue(at: ByteCursor, type: number, encoding: string | undefined): string | number {
  switch (type) {
    case 0:
      return textOf(at.bytes(at.u8() + 1), encoding ?? 'cp866');
    case 126:
      return textOf(at.bytes(at.u8() + 1), encoding ?? 'windows-1251');
    case 127:
      return wideText(at);
    case 128:
      at.skip(1);
      return textOf(at.bytes(at.u32()), 'utf-16le');
    case 1:
    case 2:
    case 4:
    case 8: {
      const exponent = at.i8();
      const read = { 1: at.u8, 2: at.i16, 4: at.i32, 8: at.f64 }[type];
      return scaled(read(), exponent);
    }
    default:
      throw wrong(noteOf('sxfValueType', { type }));
  }
}

/** A number times a power of ten, computed in decimal notation so that 1234 with scale -2 is exactly 12.34. */
function scaled(value: number, exponent: number): number {
  if (!Number.isFinite(value)) throw wrong(noteOf('sxfValue'));
  const digits = String(value);
  return digits.includes('e') ? value * 10 ** exponent : Number(`${digits}e${exponent}`);
}

const textOf = (bytes: Buffer, encoding: string): string => untilZero(iconv.decode(bytes, encoding));

/**
 * Reads a zero-terminated UTF-16 text. Programs declare its length in characters or bytes, with or without the zero; the
 * first zero at one of these positions ends the text.
 */
function wideText(at: ByteCursor): string {
  const length = at.u8();
  const rest = at.rest();
  const zero = zeroIn(rest);
  if (![2 * length, 2 * length - 2, length, length - 2].includes(zero)) throw new BeyondEnd();
  at.skip(zero + 2);
  return rest.toString('utf16le', 0, zero).trim();
}

function zeroIn(bytes: Buffer): number {
  for (let i = 0; i + 1 < bytes.length; i += 2) if (bytes.readUInt16LE(i) === 0) return i;
  return -1;
}
