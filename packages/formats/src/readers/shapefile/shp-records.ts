import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { type OpenFile, openFile } from '../open-file.js';

/*
 * The records of a .shp (ESRI Shapefile Technical Description, July 1998, pages 4 and 23). Programs that change a file
 * in place leave gaps between its records and write longer records at its end. Then only the .shx gives their positions.
 */

/** The location of a record's content. */
export interface RecordPlace {
  at: number;
  size: number;
}

/** A buffer with complete records. */
export interface RecordPlaces {
  bytes: Buffer;
  places: RecordPlace[];
}

export interface ShapeRecords {
  /** Reads the next records; undefined at the end. Throws `import_failed` if the file is damaged, `too_large`. */
  next(): RecordPlaces | undefined;
  close(): void;
}

export interface ShapeFiles {
  /** Path of the .shp. */
  shp: string;
  /** Path of the .shx, which may be absent or wrong. */
  shx: string | undefined;
  /** Number of records in the .dbf; undefined: there is none. */
  wanted: number | undefined;
  /** Number of the first record's feature. */
  first: number;
  /** Maximum size of a record, bytes. */
  featureLimit: number;
  note(text: string): void;
}

/** Header size of a .shp and of a .shx, bytes. */
const headSize = 100;
/** Bytes before the content of a record: its number and length. */
const recordHead = 8;
/** Size of an entry of the .shx, bytes. */
const entrySize = 8;
/** Number of bytes that one read requests. */
const portion = 512 * 1024;

const cutOff = (): ServiceError => new ServiceError('import_failed', noteOf('shpDamaged'));

const tooLarge = (feature: number): ServiceError =>
  new ServiceError('too_large', `Feature ${feature} is larger than allowed`, { feature });

/** Opens the records of a .shp, in the order of the .dbf. */
export function openRecords(files: ShapeFiles): ShapeRecords {
  const shp = openFile(files.shp);
  // The length of the whole file in 16-bit words.
  const told = lengthIn(shp);
  if (told === undefined) throw cutOff();
  const index = files.shx === undefined ? undefined : readIndex(files.shx, told > shp.size ? told : shp.size);
  if (index?.beyond) files.note(noteOf('shxBeyond', { count: index.beyond }));
  const isUsed = index && (index.isDense ? index.count >= (files.wanted ?? 0) : fits(index, shp));
  if (!isUsed) return scan(shp, told, files);
  const unused = Math.min(told, shp.size) - headSize - index.bytes;
  if (unused > 0) files.note(noteOf('shpUnused', { count: unused }));
  return index.isDense ? scan(shp, index.end, { ...files, wanted: index.count }) : byIndex(shp, index, files);
}

/** The length that the header of a .shp or .shx declares, bytes; undefined for other files. */
function lengthIn(file: OpenFile): number | undefined {
  const head = file.read(0, headSize);
  if (head.length < headSize || head.readInt32BE(0) !== 9994) return undefined;
  return Math.max(headSize, head.readUInt32BE(24) * 2);
}

interface Index {
  count: number;
  /** Last entries that point behind the .shp, which are not counted. */
  beyond: number;
  /** Bytes of the records, with their heads. */
  bytes: number;
  /** End of the last record. */
  end: number;
  /** Whether the records are adjacent, so that they are found without the index. */
  isDense: boolean;
  place(i: number): RecordPlace;
}

/** The content of a .shx beside a .shp of `length` bytes; undefined where it is damaged. */
function readIndex(path: string, length: number): Index | undefined {
  const file = openFile(path);
  const told = lengthIn(file);
  const entries = told === undefined || told > file.size ? undefined : file.read(headSize, told - headSize);
  file.close();
  if (!entries) return undefined;
  const all = Math.floor(entries.length / entrySize);
  const place = (i: number): RecordPlace => ({
    at: entries.readUInt32BE(entrySize * i) * 2 + recordHead,
    size: entries.readUInt32BE(entrySize * i + 4) * 2,
  });
  let count = all;
  while (count && place(count - 1).at - recordHead >= length) count--;
  let bytes = 0;
  let end = headSize;
  let isDense = true;
  for (let i = 0; i < count; i++) {
    const { at, size } = place(i);
    if (at - recordHead !== end) isDense = false;
    bytes += recordHead + size;
    end = at + size;
  }
  return { count, beyond: all - count, bytes, end, isDense, place };
}

/**
 * Whether all records have the positions and lengths of the index. Together they are no longer than the file: a small file could
 * name one record a million times.
 */
function fits({ count, bytes, place }: Index, shp: OpenFile): boolean {
  if (headSize + bytes > shp.size) return false;
  for (let i = 0; i < count; i++) {
    const { at, size } = place(i);
    if (at < headSize + recordHead || at + size > shp.size) return false;
    if (shp.read(at - 4, 4).readUInt32BE(0) * 2 !== size) return false;
  }
  return true;
}

type Limits = Pick<ShapeFiles, 'first' | 'featureLimit' | 'wanted'>;

/** Reads the records of an index. Records close to each other are read together. */
function byIndex(shp: OpenFile, { count, place }: Index, { first, featureLimit }: Limits): ShapeRecords {
  let next = 0;
  return {
    next() {
      if (next === count) return undefined;
      const start = place(next).at;
      let end = start;
      const found: RecordPlace[] = [];
      for (; next < count; next++) {
        const { at, size } = place(next);
        if (size > featureLimit) throw tooLarge(first + next);
        if (found.length && (at < end || at + size > start + portion)) break;
        found.push({ at: at - start, size });
        end = at + size;
      }
      return { bytes: shp.read(start, end - start), places: found };
    },
    close: shp.close,
  };
}

/**
 * Reads adjacent records. The file ends where its header or index says. If that is wrong, it ends after as many records
 * as the .dbf has, or with its last byte.
 */
function scan(shp: OpenFile, told: number, { first, featureLimit, wanted }: Limits): ShapeRecords {
  let at = headSize;
  let count = 0;
  const isEnough = (): boolean => !!wanted && count >= wanted;
  const isOver = (): boolean =>
    (at === told && (!wanted || isEnough())) || (at === shp.size && (told <= shp.size || isEnough()));
  return {
    next() {
      const start = at;
      let bytes = shp.read(start, portion);
      const places: RecordPlace[] = [];
      while (!isOver()) {
        const from = at - start;
        if (from + recordHead > bytes.length) break;
        const size = bytes.readInt32BE(from + 4) * 2;
        const end = from + recordHead + size;
        if (size < 4 || start + end > shp.size) break;
        if (size > featureLimit) throw tooLarge(first + count);
        if (end > bytes.length) {
          if (places.length) break;
          bytes = shp.read(start, end);
        }
        places.push({ at: from + recordHead, size });
        count++;
        at = start + end;
      }
      if (places.length) return { bytes, places };
      if (isOver() || isEnough()) return undefined;
      throw cutOff();
    },
    close: shp.close,
  };
}
