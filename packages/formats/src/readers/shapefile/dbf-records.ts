import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { Decode } from '../../encodings/encodings.js';
import { distinct } from '../distinct.js';
import { openFile } from '../open-file.js';
import { type DbfHead, dbfHead, dbfHeadSize, dbfStart, dbfValue, deletedMark, isElsewhere } from './dbf.js';

/** The records of a .dbf, alone or belonging to the shapes of a .shp. */
export interface DbfRecords {
  readonly head: DbfHead;
  /** Reads the next records into one buffer; fewer if the table ends. Throws `import_failed` if it is cut off. */
  next(count: number): Buffer;
  /** Notes a wrong number of records in the header, after all are read. */
  noteCount(): void;
  /** Notes the difference between the numbers of records and shapes, after all shapes are read. */
  noteShapes(): void;
  close(): void;
}

/** Opens the records of a .dbf. The number in its header may be wrong, so the records in the file count. */
export function openDbf(path: string, note: (text: string) => void): DbfRecords {
  const file = openFile(path);
  const head = dbfHead(file.read(0, dbfHeadSize(file.read(0, dbfStart))));
  const { recordSize, size } = head;
  const whole = Math.max(0, Math.floor((file.size - size) / recordSize));
  let present = Math.min(head.count, whole);
  let taken = 0;
  /** Uses records beyond the declared number if they are wanted. */
  const extend = (wanted: number): void => {
    const most = Math.min(wanted, whole);
    while (present < most && isMark(file.read(size + present * recordSize, 1)[0])) present++;
  };
  return {
    head,
    next(count) {
      extend(taken + count);
      const found = Math.max(0, Math.min(count, present - taken));
      const bytes = file.read(size + taken * recordSize, found * recordSize);
      taken += count;
      if (taken > present && head.count > present) throw cutOff(head.count, present);
      return bytes;
    },
    noteCount() {
      if (present > head.count) note(noteOf('dbfCount', { told: head.count, present }));
    },
    noteShapes() {
      const missing = taken - present;
      if (missing > 0) note(noteOf('dbfTooShort', { present, shapes: taken, missing }));
      if (missing < 0) note(noteOf('dbfTooLong', { count: -missing }));
    },
    close: file.close,
  };
}

/** Whether a byte begins a record, present or deleted. */
const isMark = (byte: number | undefined): boolean => byte === 0x20 || byte === deletedMark;

const cutOff = (told: number, present: number): ServiceError =>
  new ServiceError('import_failed', noteOf('dbfCutOff', { told, present }));

/** The bytes of the texts of a record as latin1, from which the encoding is detected. */
export const textsOf = ({ fields }: DbfHead, record: Buffer): string[] =>
  fields.flatMap(({ type, at, length }) =>
    type === 'C' || type === 'V' ? record.toString('latin1', at, at + length) : [],
  );

/** Reads the values of a record into `properties`. Throws `value_invalid`; the values before the invalid one are read. */
export type DbfRecordReader = (record: Buffer, decode: Decode, properties: Record<string, unknown>) => void;

export function recordReader(head: DbfHead): DbfRecordReader {
  const fields = head.fields.filter((field) => !isElsewhere(field, head));
  let names: string[] = [];
  let namedBy: Decode | undefined;
  return (record, decode, properties) => {
    if (namedBy !== decode) {
      names = distinct(fields.map(({ name }) => decode(name)));
      namedBy = decode;
    }
    for (const [i, field] of fields.entries()) properties[names[i]!] = dbfValue(field, record, decode);
  };
}
