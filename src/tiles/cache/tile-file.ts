import { createHash } from 'node:crypto';
import { type KeptTile, tagOf } from './memory.js';

/** The first bytes of a file; raised with its form. */
const magic = Buffer.from('CTILE 2\n');
const hashLength = 32;
/** Column, row, columns and rows of the block. */
const blockLength = 16;
/** Layers of a tile, and bytes of a picture: what says more is no tile. */
const mostVersions = 100_000;
const mostBytes = 2 ** 26;
const headLength = magic.length + 8 + blockLength;

/** The whole of what a file holds beside the picture, whose hash is the tag. */
const check = (head: Uint8Array, tag: string): Buffer =>
  createHash('sha256').update(head).update(tag).digest();

/** A tile as a file: how many versions and bytes there are, the block, the versions, a hash over these and the picture, the picture. */
export function encodeTileFile({ bytes, tag, versions, drawn }: KeptTile): Buffer {
  const head = Buffer.alloc(headLength + 8 * versions.length);
  magic.copy(head);
  const numbers = [versions.length, bytes.length, drawn.x, drawn.y, drawn.columns, drawn.rows];
  for (const [i, number] of numbers.entries()) head.writeUInt32LE(number, magic.length + 4 * i);
  for (const [i, version] of versions.entries()) head.writeDoubleLE(version, headLength + 8 * i);
  return Buffer.concat([head, check(head, tag), bytes]);
}

const isCutOff = (file: Buffer): boolean => file.length < headLength;

/** The numbers in the head of a file; undefined for another file. */
function readHead(file: Buffer): number[] | undefined {
  if (isCutOff(file) || !file.subarray(0, magic.length).equals(magic)) return undefined;
  return Array.from({ length: 6 }, (_, i) => file.readUInt32LE(magic.length + 4 * i));
}

/** How long the file is that begins here; infinite where too little of it is there to say, undefined where none begins. */
export function tileFileLength(file: Buffer): number | undefined {
  if (isCutOff(file)) return Number.POSITIVE_INFINITY;
  const [count = Number.POSITIVE_INFINITY, length = 0] = readHead(file) ?? [];
  // What was cut off is followed by something else, of which the numbers are read then.
  return count > mostVersions || length > mostBytes
    ? undefined
    : headLength + 8 * count + hashLength + length;
}

/** The tile in a file; undefined for one that is cut off or not as it was written. */
export function decodeTileFile(file: Buffer): KeptTile | undefined {
  const head = readHead(file);
  if (!head || file.length !== tileFileLength(file)) return undefined;
  const [count, length, x, y, columns, rows] = head as [number, number, number, number, number, number];
  const end = file.length - hashLength - length;
  const bytes = new Uint8Array(file.subarray(end + hashLength));
  const tag = tagOf(bytes);
  if (!check(file.subarray(0, end), tag).equals(file.subarray(end, end + hashLength))) return undefined;
  const versions = Array.from({ length: count }, (_, i) => file.readDoubleLE(headLength + 8 * i));
  return { bytes, tag, versions, drawn: { x, y, columns, rows }, stored: versions };
}
