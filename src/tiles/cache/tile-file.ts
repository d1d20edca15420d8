import { createHash } from 'node:crypto';
import { type KeptTile, tagOf } from './memory.js';

/** The first bytes of a file; raised with its form. */
const magic = Buffer.from('CTILE 1\n');
const hashLength = 32;

/** The whole of what a file holds beside the picture, whose hash is the tag. */
const check = (head: Uint8Array, tag: string): Buffer =>
  createHash('sha256').update(head).update(tag).digest();

/** A tile as a file: how many versions and bytes there are, the versions, a hash over these and the picture, the picture. */
export function encodeTileFile({ bytes, tag, versions }: KeptTile): Buffer {
  const head = Buffer.alloc(magic.length + 8 + 8 * versions.length);
  magic.copy(head);
  head.writeUInt32LE(versions.length, magic.length);
  head.writeUInt32LE(bytes.length, magic.length + 4);
  for (const [i, version] of versions.entries()) head.writeDoubleLE(version, magic.length + 8 + 8 * i);
  return Buffer.concat([head, check(head, tag), bytes]);
}

/** The tile in a file; undefined for one that is cut off or not as it was written. */
export function decodeTileFile(file: Buffer): KeptTile | undefined {
  const start = magic.length + 8;
  if (file.length < start || !file.subarray(0, magic.length).equals(magic)) return undefined;
  const count = file.readUInt32LE(magic.length);
  const length = file.readUInt32LE(magic.length + 4);
  const end = start + 8 * count;
  if (file.length !== end + hashLength + length) return undefined;
  const bytes = new Uint8Array(file.subarray(end + hashLength));
  const tag = tagOf(bytes);
  if (!check(file.subarray(0, end), tag).equals(file.subarray(end, end + hashLength))) return undefined;
  const versions = Array.from({ length: count }, (_, i) => file.readDoubleLE(start + 8 * i));
  return { bytes, tag, versions, stored: versions };
}
