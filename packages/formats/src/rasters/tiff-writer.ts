import type { FileHandle } from 'node:fs/promises';

/* Writes BigTIFF files, limited to what an uncompressed image needs. */

/** An entry of a directory, with values in little-endian order. */
export interface Entry {
  key: number;
  type: number;
  count: number;
  bytes: Buffer;
}

const [short, long8] = [3, 16];

export function shorts(key: number, values: readonly number[]): Entry {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value, 2 * i);
  return { key, type: short, count: values.length, bytes };
}

export function longs8(key: number, values: readonly number[]): Entry {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [i, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), 8 * i);
  return { key, type: long8, count: values.length, bytes };
}

/** The header of a BigTIFF: byte order, version, size of offsets, and the offset of the directory. */
function head(directory: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.write('II', 'latin1');
  bytes.writeUInt16LE(43, 2);
  bytes.writeUInt16LE(8, 4);
  bytes.writeBigUInt64LE(BigInt(directory), 8);
  return bytes;
}

/** Offset of the pixels in a file that `writeDirectories` completes; the space before them is for the header. */
export const startOfPixels = 16;

/** Writes the header, and at the end of the file (`at`) the directories with their values. */
export async function writeDirectories(
  file: FileHandle,
  at: number,
  directories: readonly (readonly Entry[])[],
): Promise<void> {
  const pieces: Buffer[] = [];
  let end = at;
  for (const [i, entries] of directories.entries()) {
    const piece = directoryOf(entries, end, i === directories.length - 1);
    pieces.push(piece);
    end += piece.length;
  }
  const tail = Buffer.concat(pieces);
  await file.write(tail, 0, tail.length, at);
  await file.write(head(at), 0, startOfPixels, 0);
}

/** A directory at an offset, followed by its values, and by another directory unless it is the last. */
function directoryOf(entries: readonly Entry[], at: number, isLast: boolean): Buffer {
  const sorted = entries.toSorted((a, b) => a.key - b.key);
  const values: Buffer[] = [];
  let end = at + 8 + 20 * sorted.length + 8;
  const rows = sorted.map(({ key, type, count, bytes }) => {
    const row = Buffer.alloc(20);
    row.writeUInt16LE(key, 0);
    row.writeUInt16LE(type, 2);
    row.writeBigUInt64LE(BigInt(count), 4);
    if (bytes.length <= 8) bytes.copy(row, 12);
    else {
      row.writeBigUInt64LE(BigInt(end), 12);
      values.push(bytes);
      end += bytes.length;
    }
    return row;
  });
  const [count, next] = [Buffer.alloc(8), Buffer.alloc(8)];
  count.writeBigUInt64LE(BigInt(sorted.length));
  if (!isLast) next.writeBigUInt64LE(BigInt(end));
  return Buffer.concat([count, ...rows, next, ...values]);
}
