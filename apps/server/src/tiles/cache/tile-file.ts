import { createHash } from 'node:crypto';
import { type KeptTile, tagOf } from './memory-cache.js';

/** First bytes of a file, with the version of its format. */
const magic = Buffer.from('CTILE 2\n');
const hashLength = 32;
/** Column, row, columns and rows of the block. */
const blockLength = 16;
const headLength = magic.length + 8 + blockLength;

/** Hash of everything in a file but the picture, and of the picture's tag. */
const check = (head: Uint8Array, tag: string): Buffer =>
  createHash('sha256').update(head).update(tag).digest();

/** Encodes a tile: number of versions and of bytes, block, versions, hash of these and the tag, picture. */
export function encodeTileFile({ bytes, tag, versions, drawn }: KeptTile): Buffer {
  const head = Buffer.alloc(headLength + 8 * versions.length);
  magic.copy(head);
  const numbers = [versions.length, bytes.length, drawn.x, drawn.y, drawn.columns, drawn.rows];
  for (const [i, number] of numbers.entries()) head.writeUInt32LE(number, magic.length + 4 * i);
  for (const [i, version] of versions.entries()) head.writeDoubleLE(version, headLength + 8 * i);
  return Buffer.concat([head, check(head, tag), bytes]);
}

/** The numbers in the head of a file; undefined for a file of another format. */
function readHead(file: Buffer): number[] | undefined {
  if (file.length < headLength || !file.subarray(0, magic.length).equals(magic)) return undefined;
  return Array.from({ length: 6 }, (_, i) => file.readUInt32LE(magic.length + 4 * i));
}

/** Decodes a tile; undefined for truncated or damaged files. */
export function decodeTileFile(file: Buffer): KeptTile | undefined {
  const head = readHead(file);
  if (!head) return undefined;
  const [count, length, x, y, columns, rows] = head as [number, number, number, number, number, number];
  if (file.length !== headLength + 8 * count + hashLength + length) return undefined;
  const end = file.length - hashLength - length;
  const bytes = new Uint8Array(file.subarray(end + hashLength));
  const tag = tagOf(bytes);
  if (!check(file.subarray(0, end), tag).equals(file.subarray(end, end + hashLength))) return undefined;
  const versions = Array.from({ length: count }, (_, i) => file.readDoubleLE(headLength + 8 * i));
  return { bytes, tag, versions, drawn: { x, y, columns, rows }, stored: versions };
}
