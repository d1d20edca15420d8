import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';

/** A column of a dBase table. */
export interface DbfField {
  /** Bytes as latin1. */
  name: string;
  /** C and V text, N and F numbers, D date, L logical, and those of later versions: I, O, B, Y, T, @, +, M … */
  type: string;
  /** Offset of its first byte in a record. */
  at: number;
  length: number;
  /** Visual FoxPro: the bit that says that the value is null. */
  nullBit?: FlagBit | undefined;
  /** Visual FoxPro: the bit that says that the last byte of a text is its length. */
  lengthBit?: FlagBit | undefined;
}

/** A bit in the hidden field `_NullFlags` of a record. */
interface FlagBit {
  at: number;
  mask: number;
}

export interface DbfHead {
  /** Number of records, including deleted ones. */
  count: number;
  /** Number of bytes before the first record. */
  size: number;
  /** Size of a record, bytes. */
  recordSize: number;
  fields: DbfField[];
  /** Whether Visual FoxPro wrote it, where B is a number. */
  isFoxPro: boolean;
}

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

/** Number of bytes that give the size of the header. */
export const dbfStart = 32;

/** Bytes of the head, from its first 32; some programs write 0 where there are no columns. */
export const dbfHeadSize = (start: Buffer): number => {
  const size = start.length < dbfStart ? -1 : start.readUInt16LE(8);
  if (size === 0) return dbfStart;
  if (size < dbfStart) throw failed(noteOf('dbfDamaged'));
  return size;
};

/** Parses the header of a dBase III to V or FoxPro table (dBase: "Structure of .DBF files"). Throws `import_failed`. */
export function dbfHead(head: Buffer): DbfHead {
  const fields: DbfField[] = [];
  const recordSize = head.readUInt16LE(10);
  let at = 1;
  for (let from = dbfStart; from + 32 <= head.length && head[from] !== 0x0d; from += 32) {
    const length = head[from + 16]!;
    const name = head
      .toString('latin1', from, from + 11)
      .replace(/\0[\s\S]*/, '')
      // Only ASCII: other bytes may belong to letters.
      .replace(/^ +| +$/g, '');
    fields.push({ name, type: String.fromCharCode(head[from + 11]!), at, length });
    at += length;
  }
  const isFoxPro = head[0]! >= 0x30 && head[0]! <= 0x32;
  if (at > recordSize) throw failed('The .dbf is damaged: its columns are longer than its records');
  return {
    count: head.readUInt32LE(4),
    size: head.length,
    recordSize,
    fields: (isFoxPro ? withFlags(fields, head) : fields).filter(({ type }) => type !== '0'),
    isFoxPro,
  };
}

/** The option "may be null" in the description of a field. */
const nullable = 0x02;

/** Fields with their bits in `_NullFlags`, which follow the order of the fields (Visual FoxPro: "Table File Structure"). */
function withFlags(fields: readonly DbfField[], head: Buffer): DbfField[] {
  const flags = fields.find(({ type }) => type === '0');
  if (!flags) return [...fields];
  let bit = 0;
  const next = (): FlagBit | undefined => {
    const [at, mask] = [flags.at + (bit >> 3), 1 << (bit & 7)];
    bit++;
    return at < flags.at + flags.length ? { at, mask } : undefined;
  };
  return fields.map((field, i) => ({
    ...field,
    lengthBit: 'VQ'.includes(field.type) ? next() : undefined,
    nullBit: head[dbfStart + 32 * i + 18]! & nullable ? next() : undefined,
  }));
}

const isSet = (bit: FlagBit | undefined, record: Buffer): boolean =>
  bit !== undefined && (record[bit.at]! & bit.mask) !== 0;

/** The first byte of a deleted record. */
export const deletedMark = 0x2a;
export const isDeleted = (record: Buffer): boolean => record[0] === deletedMark;

/** Whether a column contains positions in another file, or bytes, instead of values. */
export const isElsewhere = ({ type, length }: DbfField, { isFoxPro }: DbfHead): boolean =>
  'MGPWQ'.includes(type) || (type === 'B' && !(isFoxPro && length === 8));

/** Bytes of the types with binary values. With another length a field holds text. */
const binarySizes: Readonly<Record<string, number>> = { I: 4, '+': 4, O: 8, B: 8, Y: 8, T: 8, '@': 8 };

/** A value of a record; null if empty. `decode` turns its bytes into text. Throws `value_invalid`. */
export function dbfValue(field: DbfField, record: Buffer, decode: (bytes: string) => string): unknown {
  const { name, type, at, length } = field;
  if (isSet(field.nullBit, record)) return null;
  switch (binarySizes[type] === length ? type : undefined) {
    case 'I':
    case '+':
      return record.readInt32LE(at);
    case 'O':
    case 'B':
      return finite(record.readDoubleLE(at));
    case 'Y':
      return Number(record.readBigInt64LE(at)) / 10_000;
    case 'T':
      // FoxPro has whole seconds, and writes some of them a millisecond short.
      return momentOf(record.readInt32LE(at), 1_000 * Math.round(record.readInt32LE(at + 4) / 1_000));
    case '@':
      return momentOf(record.readInt32LE(at), record.readInt32LE(at + 4));
  }
  const last = at + length - 1;
  const end = isSet(field.lengthBit, record) ? at + Math.min(record[last]!, length) : at + length;
  const bytes = record.toString('latin1', at, end).replace(/[\0 ]+$/, '');
  if (type === 'N' || type === 'F') return numberOf(bytes.trim(), decode(name));
  if (type === 'D') return dateOf(bytes.trim());
  if (type === 'L') return logicalOf(bytes.trim());
  return bytes === '' ? null : decode(bytes);
}

const finite = (number: number): number | null => (Number.isFinite(number) ? number : null);

/** An integer that JavaScript cannot hold exactly stays a text. Asterisks mean a number that was too long. */
function numberOf(text: string, name: string): number | string | null {
  if (text === '' || text.startsWith('*')) return null;
  const number = Number(text.replace(',', '.'));
  if (Number.isNaN(number)) {
    if (/^[-+]?nan$/i.test(text)) return null;
    throw new ServiceError(
      'value_invalid',
      noteOf('ofProperty', { property: name, reason: noteOf('noNumber', { text: text.slice(0, 50) }) }),
      {
        columns: [name],
      },
    );
  }
  return Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(text) ? text : number;
}

/** A question mark means "not set". Other letters, as of other languages, stay a text. */
function logicalOf(text: string): boolean | string | null {
  if (text === '' || text === '?') return null;
  return /^[TYty]/.test(text) ? true : /^[FNfn]/.test(text) ? false : text;
}

function dateOf(text: string): string | null {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  if (text === '' || /^0+$/.test(text)) return null;
  return year ? `${year}-${month}-${day}` : text;
}

/** From Julian day 0 to that of 1970-01-01. */
const epochDay = 2_440_588;

/** 9999-12-31. */
const lastDay = 5_373_484;

const momentOf = (day: number, milliseconds: number): string | null =>
  day <= 0 || day > lastDay
    ? null
    : new Date((day - epochDay) * 86_400_000 + milliseconds).toISOString().replace('.000Z', '');
