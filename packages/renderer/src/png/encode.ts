import { crc32 } from 'node:zlib';
import { deflated } from './deflate.js';
import { filterPart, type Part, type Picture } from './filter.js';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const headerBytes = 13;
/** Of a chunk beside its data: their length and its kind before them, a checksum behind them. */
const [chunkHead, chunkEnd] = [8, 4];
const dataStart = signature.length + chunkHead + headerBytes + chunkEnd + chunkHead;
const behindData = chunkEnd + chunkHead + chunkEnd;

/** Bits of a channel, the kind of colours, and what there is but one of. */
const rgb = [8, 2, 0, 0, 0];

/** The part of the pixels that may be other than those above: of patterns and images zlib makes less. */
const changedPart = 1 / 5;

/**
 * A part of a picture as a PNG of 8-bit RGB; undefined where something is transparent, or so much is told that zlib would tell it in fewer bytes. Of a
 * map it is as large as one by the lowest level of zlib, in two thirds of the time: all that is looked for is what is the same as in the row above.
 */
export function encodePng(picture: Picture, part: Part): Buffer | undefined {
  const filtered = filterPart(picture, part, changedPart * part.width * part.height);
  if (!filtered) return undefined;
  const png = deflated(filtered, { before: dataStart, behind: behindData });
  signature.copy(png);
  const header = signature.length + chunkHead;
  png.writeUInt32BE(part.width, header);
  png.writeUInt32BE(part.height, header + 4);
  png.set(rgb, header + 8);
  frame(png, 'IHDR', header, headerBytes);
  frame(png, 'IDAT', dataStart, png.length - dataStart - behindData);
  frame(png, 'IEND', png.length - chunkEnd, 0);
  return png;
}

/** Writes what is before and behind the data of a chunk. */
function frame(png: Buffer, kind: string, start: number, length: number): void {
  png.writeUInt32BE(length, start - chunkHead);
  png.write(kind, start - 4, 'latin1');
  png.writeUInt32BE(crc32(png.subarray(start - 4, start + length)), start + length);
}
