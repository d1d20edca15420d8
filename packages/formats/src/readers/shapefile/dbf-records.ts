import { ServiceError } from '@cartulary/errors';
import { openFile } from '../open-file.js';
import { type DbfHead, dbfHead, dbfHeadSize, dbfStart, deletedMark } from './dbf.js';

/** The records of a .dbf that belong to the shapes of a .shp. */
export interface DbfRecords {
  readonly head: DbfHead;
  /** Reads the records of the next shapes into one buffer; fewer if the table ends. Throws `import_failed` if it is cut off. */
  next(count: number): Buffer;
  /** Notes the difference between the numbers of records and shapes, after all shapes are read. */
  end(): void;
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
  /** Uses records beyond the declared number if there are shapes for them. */
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
    end() {
      const missing = taken - present;
      if (missing > 0)
        note(`The .dbf has ${present} records, the .shp ${taken}: ${missing} objects have no attributes`);
      if (missing < 0) note(`${-missing} records of the .dbf have no shape in the .shp, and were left out`);
      if (present > head.count)
        note(`The head of the .dbf tells ${head.count} records; ${present} were found and read`);
    },
    close: file.close,
  };
}

/** Whether a byte begins a record, present or deleted. */
const isMark = (byte: number | undefined): boolean => byte === 0x20 || byte === deletedMark;

const cutOff = (told: number, present: number): ServiceError =>
  new ServiceError(
    'import_failed',
    `The .dbf should have ${told} records, but ends after ${present}: it is cut off or damaged`,
  );
