import type { FileHandle } from 'node:fs/promises';
import { ServiceError } from '@cartulary/errors';

/* Reads TIFF 6.0 and BigTIFF as far as the properties of an image require, before anything is decoded. */

/** An entry of a directory as in the file. */
export interface TiffEntry {
  type: number;
  count: number;
  /** The bytes of its values. */
  bytes: Buffer;
}

export interface Tiff {
  isLittle: boolean;
  isBig: boolean;
  /** The first directory: tag → entry, for the tags that are read. */
  entries: ReadonlyMap<number, TiffEntry>;
  /** Number of directories that are images; masks and overviews do not count. */
  pages: number;
}

/** Tags that are read. */
export const tag = {
  subfile: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  strips: 273,
  samples: 277,
  rows: 278,
  stripSizes: 279,
  planar: 284,
  colors: 320,
  tileWidth: 322,
  tileHeight: 323,
  extra: 338,
  format: 339,
  /** XML of GDAL: scale and offset of values. */
  metadata: 42_112,
  nodata: 42_113,
  /** Rational polynomials ("RPCs in GeoTIFF", http://geotiff.maptools.org/rpc_prop.html). */
  polynomials: 50_844,
} as const;

/** Tags of the georeference: scale, tie points, matrix, keys with numbers and texts (OGC GeoTIFF 1.1, 7.1.2). */
export const georeferenceTags = [33_550, 33_922, 34_264, 34_735, 34_736, 34_737] as const;

/** Offsets of pixel blocks, which can be numerous and are not needed here. */
const passedOver = new Set<number>([tag.strips, tag.stripSizes]);
const wanted = new Set<number>(
  [...Object.values(tag), ...georeferenceTags].filter((key) => !passedOver.has(key)),
);

/** Size of a value in bytes, by type. */
const sizes: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
};

/** Limits: directories of a file, entries of a directory, and bytes of an entry's values. */
const mostDirectories = 1_000;
const mostEntries = 5_000;
const mostBytes = 1_048_576;

const damaged = (what: string): ServiceError =>
  new ServiceError('import_failed', `The TIFF is damaged: ${what}`);

/** Reads the header of a TIFF. Throws `import_failed`. */
export async function readTiff(file: FileHandle): Promise<Tiff> {
  const head = await bytesAt(file, 0, 16);
  const isLittle = head.toString('latin1', 0, 2) === 'II';
  const read = readerOf(isLittle);
  const isBig = read.short(head, 2) === 43;
  const seen = new Set<number>();
  let first: ReadonlyMap<number, TiffEntry> | undefined;
  let pages = 0;
  let at = isBig ? read.long8(head, 8) : read.long(head, 4);
  while (at !== 0) {
    if (seen.has(at)) throw damaged('its directories form a ring');
    if (seen.size >= mostDirectories) throw damaged(`it has more than ${mostDirectories} directories`);
    seen.add(at);
    const { entries, next } = await directoryAt(file, at, { read, isBig });
    first ??= entries;
    if (((numbers({ isLittle }, entries.get(tag.subfile))[0] ?? 0) & 5) === 0) pages += 1;
    at = next;
  }
  if (!first) throw damaged('it has no directory');
  return { isLittle, isBig, entries: first, pages };
}

/** The values of an entry as numbers; empty for an absent entry. */
export function numbers({ isLittle }: Pick<Tiff, 'isLittle'>, entry: TiffEntry | undefined): number[] {
  if (!entry) return [];
  const read = readerOf(isLittle);
  const { type, bytes } = entry;
  const size = sizes[type] ?? 1;
  const one = (at: number): number =>
    size === 8
      ? read.long8(bytes, at)
      : size === 4
        ? read.long(bytes, at)
        : size === 2
          ? read.short(bytes, at)
          : bytes[at]!;
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => one(i * size));
}

/** The same entry with values in little-endian order. */
export function littleEndian({ isLittle }: Pick<Tiff, 'isLittle'>, entry: TiffEntry): TiffEntry {
  const size = sizes[entry.type] ?? 1;
  if (isLittle || size === 1) return entry;
  const bytes = Buffer.from(entry.bytes);
  if (size === 2) bytes.swap16();
  else if (size === 4) bytes.swap32();
  else bytes.swap64();
  return { ...entry, bytes };
}

interface Reader {
  short(bytes: Buffer, at: number): number;
  long(bytes: Buffer, at: number): number;
  long8(bytes: Buffer, at: number): number;
}

const readerOf = (isLittle: boolean): Reader =>
  isLittle
    ? {
        short: (bytes, at) => bytes.readUInt16LE(at),
        long: (bytes, at) => bytes.readUInt32LE(at),
        long8: (bytes, at) => Number(bytes.readBigUInt64LE(at)),
      }
    : {
        short: (bytes, at) => bytes.readUInt16BE(at),
        long: (bytes, at) => bytes.readUInt32BE(at),
        long8: (bytes, at) => Number(bytes.readBigUInt64BE(at)),
      };

interface Layout {
  read: Reader;
  isBig: boolean;
}

async function directoryAt(
  file: FileHandle,
  at: number,
  layout: Layout,
): Promise<{ entries: Map<number, TiffEntry>; next: number }> {
  const { read, isBig } = layout;
  const head = isBig ? 8 : 2;
  const entrySize = isBig ? 20 : 12;
  const countBytes = await bytesAt(file, at, head);
  const count = isBig ? read.long8(countBytes, 0) : read.short(countBytes, 0);
  if (count === 0 || count > mostEntries) throw damaged('the number of entries of a directory is wrong');
  const bytes = await bytesAt(file, at + head, count * entrySize + (isBig ? 8 : 4));
  const entries = new Map<number, TiffEntry>();
  for (let i = 0; i < count; i++) {
    const own = bytes.subarray(i * entrySize, (i + 1) * entrySize);
    const key = read.short(own, 0);
    if (key === tag.metadata && isLong(own, layout)) continue;
    if (wanted.has(key) && !entries.has(key)) entries.set(key, await entryOf(file, own, layout));
  }
  const end = count * entrySize;
  return { entries, next: isBig ? read.long8(bytes, end) : read.long(bytes, end) };
}

/** Whether an entry has more values than are read: of metadata that is no damage. */
const isLong = (own: Buffer, { read, isBig }: Layout): boolean =>
  (isBig ? read.long8(own, 4) : read.long(own, 4)) > mostBytes;

async function entryOf(file: FileHandle, own: Buffer, { read, isBig }: Layout): Promise<TiffEntry> {
  const type = read.short(own, 2);
  const count = isBig ? read.long8(own, 4) : read.long(own, 4);
  const size = (sizes[type] ?? 0) * count;
  const inline = own.subarray(isBig ? 12 : 8);
  if (size === 0 || size > mostBytes)
    throw damaged(`an entry says that it has ${count} values of type ${type}`);
  if (size <= inline.length) return { type, count, bytes: Buffer.from(inline.subarray(0, size)) };
  const at = isBig ? read.long8(inline, 0) : read.long(inline, 0);
  return { type, count, bytes: await bytesAt(file, at, size) };
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  if (!Number.isSafeInteger(at)) throw damaged('it points beyond its end');
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw damaged('it is cut off, or points beyond its end');
  return buffer;
}
