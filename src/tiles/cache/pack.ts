import { tileFileLength } from './tile-file.js';

/** Bytes of the name of a tile before its file. */
const nameLength = 32;

/** Where a tile lies in a pack: its file and the name before it, bytes. */
export interface PackedTile {
  start: number;
  length: number;
}

/** A tile as it is appended to a pack; `name` is hexadecimal. */
export const packed = (name: string, file: Buffer): Buffer => Buffer.concat([Buffer.from(name, 'hex'), file]);

/** The file of a tile that was read where an index says it is; undefined: something else is there now. */
export const unpacked = (name: string, bytes: Buffer): Buffer | undefined =>
  bytes.toString('hex', 0, nameLength) === name ? bytes.subarray(nameLength) : undefined;

/**
 * Notes in an index what a part of a pack holds, whose first byte is at `start`: of two tiles of one name the last. Answers where the
 * last whole tile ends, which is before the end of what somebody is writing; undefined for what is no pack.
 */
export function indexPart(index: Map<string, PackedTile>, part: Buffer, start: number): number | undefined {
  for (let at = 0; ; ) {
    const file = tileFileLength(part.subarray(at + nameLength));
    if (file === undefined) return undefined;
    const length = nameLength + file;
    if (at + length > part.length) return start + at;
    index.set(part.toString('hex', at, at + nameLength), { start: start + at, length });
    at += length;
  }
}
