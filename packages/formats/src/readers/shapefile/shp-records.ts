import { ServiceError } from '../../errors.js';
import { type OpenFile, openFile } from './open-file.js';

/*
 * The records of a .shp (ESRI Shapefile Technical Description, July 1998, pages 4 and 23). Programs that change a file in place
 * leave bytes between its records, and write longer ones at its end: then only the .shx says where they are.
 */

/** Where the content of a record lies. */
export interface Place {
  at: number;
  size: number;
}

/** Bytes that were read, and the records among them. */
export interface Places {
  bytes: Buffer;
  places: Place[];
}

export interface ShapeRecords {
  /** The next records; undefined at the end. Throws `import_failed` where the file is damaged, `too_large`. */
  next(): Places | undefined;
  close(): void;
}

export interface ShapeFiles {
  /** Path of the .shp. */
  shp: string;
  /** Path of the .shx, which may be absent or wrong. */
  shx: string | undefined;
  /** Records of the .dbf; undefined: there is none. */
  wanted: number | undefined;
  /** The number of the first record's feature. */
  first: number;
  /** Bytes. */
  featureLimit: number;
  note(text: string): void;
}

/** Bytes of the head of a .shp and of a .shx. */
const headSize = 100;
/** Bytes before the content of a record: its number and length. */
const recordHead = 8;
/** Bytes of an entry of the .shx. */
const entrySize = 8;
/** Bytes of shapes that are read at once. */
const portion = 512 * 1024;

const cutOff = (): ServiceError => new ServiceError('import_failed', 'The .shp is cut off or damaged');

const tooLarge = (feature: number): ServiceError =>
  new ServiceError('too_large', `Feature ${feature} is larger than allowed`, { feature });

/** Opens the records of a .shp, in the order of the .dbf. */
export function openRecords(files: ShapeFiles): ShapeRecords {
  const shp = openFile(files.shp);
  // The length of the whole, in words of 16 bits.
  const told = lengthIn(shp);
  if (told === undefined) throw cutOff();
  const index = files.shx === undefined ? undefined : readIndex(files.shx);
  const isUsed = index && (index.isDense ? index.count >= (files.wanted ?? 0) : fits(index, shp));
  if (!isUsed) return scan(shp, told, files);
  const unused = Math.min(told, shp.size) - headSize - index.bytes;
  if (unused > 0) files.note(`${unused} bytes of the .shp belong to none of its records, by the .shx`);
  return index.isDense ? scan(shp, index.end, { ...files, wanted: index.count }) : byIndex(shp, index, files);
}

/** The length that the head of a .shp or .shx tells, bytes; undefined: it is none. */
function lengthIn(file: OpenFile): number | undefined {
  const head = file.read(0, headSize);
  if (head.length < headSize || head.readInt32BE(0) !== 9994) return undefined;
  return Math.max(headSize, head.readUInt32BE(24) * 2);
}

interface Index {
  count: number;
  /** Bytes of the records, with their heads. */
  bytes: number;
  /** Of the last record. */
  end: number;
  /** Whether the records lie one behind the other: they are found without it. */
  isDense: boolean;
  place(i: number): Place;
}

/** What a .shx says; undefined where it is damaged. */
function readIndex(path: string): Index | undefined {
  const file = openFile(path);
  const told = lengthIn(file);
  const entries = told === undefined || told > file.size ? undefined : file.read(headSize, told - headSize);
  file.close();
  if (!entries) return undefined;
  const count = Math.floor(entries.length / entrySize);
  const place = (i: number): Place => ({
    at: entries.readUInt32BE(entrySize * i) * 2 + recordHead,
    size: entries.readUInt32BE(entrySize * i + 4) * 2,
  });
  let bytes = 0;
  let end = headSize;
  let isDense = true;
  for (let i = 0; i < count; i++) {
    const { at, size } = place(i);
    if (at - recordHead !== end) isDense = false;
    bytes += recordHead + size;
    end = at + size;
  }
  return { count, bytes, end, isDense, place };
}

/** Whether all records lie where an index says, each being as long as it says. */
function fits({ count, place }: Index, shp: OpenFile): boolean {
  for (let i = 0; i < count; i++) {
    const { at, size } = place(i);
    if (at < headSize + recordHead || at + size > shp.size) return false;
    if (shp.read(at - 4, 4).readUInt32BE(0) * 2 !== size) return false;
  }
  return true;
}

type Limits = Pick<ShapeFiles, 'first' | 'featureLimit' | 'wanted'>;

/** The records of an index: those that lie near each other are read together. */
function byIndex(shp: OpenFile, { count, place }: Index, { first, featureLimit }: Limits): ShapeRecords {
  let next = 0;
  return {
    next() {
      if (next === count) return undefined;
      const start = place(next).at;
      let end = start;
      const found: Place[] = [];
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
 * The records one behind the other. The file ends where its head or index tells; where that is wrong, with as many records as the
 * .dbf has, or with its last byte.
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
      const places: Place[] = [];
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
