import { deflateSync, inflateSync } from 'node:zlib';
import { crc32 } from './zip.js';

/** Red, green, blue, alpha; 0 to 255. */
export type Pixel = readonly [number, number, number, number];

export interface Picture {
  width: number;
  height: number;
  /** Four bytes per pixel, row by row from the top. */
  pixels: Uint8Array;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** Encodes a PNG (PNG specification, third edition) of 8 bits per channel with pixels from `colorAt`. */
export function writePng(width: number, height: number, colorAt: (x: number, y: number) => Pixel): Buffer {
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => colorAt(x, y)).flat()]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The chunks of a type in a PNG, joined. Throws for other files. */
function dataOf(bytes: Buffer, type: string): Buffer {
  if (!bytes.subarray(0, 8).equals(signature)) throw new Error('the answer is no PNG');
  const found: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === type)
      found.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  return Buffer.concat(found);
}

/** Channels by colour type: grey, colours, palette, grey with alpha, colours with alpha. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Decodes a PNG. Throws for other files, more than 8 bits per channel, and interlacing. */
export function readPng(bytes: Buffer): Picture {
  const header = dataOf(bytes, 'IHDR');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, color, , , interlace] = header.subarray(8);
  const perPixel = channels[color!];
  if (!perPixel || depth! > 8 || interlace) throw new Error(`a PNG of ${depth} bits, colour type ${color}`);
  const samples = unfiltered(inflateSync(dataOf(bytes, 'IDAT')), { width, height, bits: perPixel * depth! });
  const [palette, alphas] = [dataOf(bytes, 'PLTE'), dataOf(bytes, 'tRNS')];
  const sample = (row: Buffer, at: number): number => {
    if (depth === 8) return row[at]!;
    const value = (row[(at * depth!) >> 3]! >> (8 - depth! - ((at * depth!) & 7))) & ((1 << depth!) - 1);
    return color === 3 ? value : (value * 255) / ((1 << depth!) - 1);
  };
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const [row, x] = [samples[Math.floor(at / width)]!, at % width];
    const [a, b, c, d] = Array.from({ length: perPixel }, (_, i) => sample(row, x * perPixel + i));
    if (color === 3) pixels.set([...palette.subarray(a! * 3, a! * 3 + 3), alphas[a!] ?? 255], at * 4);
    else if (perPixel < 3) pixels.set([a!, a!, a!, b ?? 255], at * 4);
    else pixels.set([a!, b!, c!, d ?? 255], at * 4);
  }
  return { width, height, pixels };
}

interface Rows {
  width: number;
  height: number;
  /** Bits per pixel. */
  bits: number;
}

/** The rows without their filters (PNG specification, section 9.2). */
function unfiltered(data: Buffer, { width, height, bits }: Rows): Buffer[] {
  const length = Math.ceil((width * bits) / 8);
  const step = Math.max(1, bits >> 3);
  const rows: Buffer[] = [];
  let above = Buffer.alloc(length);
  for (let y = 0; y < height; y++) {
    const start = y * (length + 1);
    const row = Buffer.from(data.subarray(start + 1, start + 1 + length));
    for (let i = 0; i < length; i++) {
      const [left, up, corner] = [row[i - step] ?? 0, above[i]!, above[i - step] ?? 0];
      row[i] = row[i]! + predicted(data[start]!, { left, up, corner });
    }
    rows.push(row);
    above = row;
  }
  return rows;
}

interface Neighbours {
  left: number;
  up: number;
  corner: number;
}

function predicted(filter: number, { left, up, corner }: Neighbours): number {
  if (filter < 4) return [0, left, up, (left + up) >> 1][filter]!;
  const distances = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
  return [left, up, corner][distances.indexOf(Math.min(...distances))]!;
}

/** The pixel in a column and row, from the upper left. */
export const pixelAt = ({ pixels, width }: Picture, x: number, y: number): Pixel => {
  const at = (y * width + x) * 4;
  return [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!, pixels[at + 3]!];
};
