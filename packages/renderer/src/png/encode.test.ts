import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { encodePng } from './encode.js';
import type { PicturePart, WordPicture } from './filter.js';

/** A picture as words; `color` gives each pixel. */
function picture(width: number, height: number, color: (x: number, y: number) => number): WordPicture {
  const words = Int32Array.from({ length: width * height }, (_, i) =>
    color(i % width, Math.floor(i / width)),
  );
  return { words, width };
}

const whole = ({ words, width }: WordPicture): PicturePart => ({
  x: 0,
  y: 0,
  width,
  height: words.length / width,
});

function cut({ words, width: stride }: WordPicture, { x, y, width, height }: PicturePart): Int32Array {
  return Int32Array.from(
    { length: width * height },
    (_, i) => words[(y + Math.floor(i / width)) * stride + x + (i % width)]!,
  );
}

/** The filtered rows. Throws for a wrong checksum. */
const rowsOf = (png: Buffer): Buffer => inflateSync(png.subarray(41, png.length - 16));

/** Decodes a PNG with another program. */
async function read(png: Buffer): Promise<{ words: Int32Array; width: number; channels: number }> {
  const { channels } = await sharp(png).metadata();
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { words: new Int32Array(new Uint8Array(data).buffer), width: info.width, channels };
}

async function demandSame(of: WordPicture, part: PicturePart = whole(of)): Promise<Buffer> {
  const png = encodePng(of, part)!;
  const found = await read(png);
  assert.equal(found.width, part.width);
  assert.equal(found.channels, 3);
  assert.equal(rowsOf(png).length, part.height * (1 + 3 * part.width));
  assert.ok(Buffer.from(found.words.buffer).equals(Buffer.from(cut(of, part).buffer)), 'other pixels');
  return png;
}

const opaque = (rgb: number): number => rgb | (0xff << 24);

/** A reproducible sequence of 32-bit numbers. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state ^ (state >>> 15);
  };
}

test('the pixels of a PNG are those of the picture', async (t) => {
  const next = numbers(7);
  const cases: [name: string, picture: WordPicture][] = [
    ['one colour', picture(256, 256, () => opaque(0xffffff))],
    ['black', picture(256, 256, () => opaque(0))],
    ['a dot now and then', picture(64, 48, () => opaque(next() & 31 ? 9 : next() & 0xffffff))],
    ['columns', picture(100, 30, (x) => opaque(x * 0x010203))],
    ['rows', picture(100, 30, (_, y) => opaque(y % 12 ? 5 : y * 0x070503))],
    ['a wide row', picture(4_099, 1, (x) => opaque(x % 1_000 < 500 ? 1 : 2))],
    ['channels that wrap around', picture(90, 9, (x, y) => opaque((x + y) % 40 ? 0xff00ff : 0x00ff00))],
    ['a pixel', picture(6, 1, (x) => opaque(x === 5 ? 0x123456 : 0))],
  ];
  for (const [name, of] of cases) await t.test(name, async () => void (await demandSame(of)));
});

test('transparency is left to Mapnik', () => {
  const pictures = [
    picture(1, 1, () => 0),
    picture(256, 256, () => 0),
    picture(50, 50, (x, y) => (x + y === 98 ? 5 : opaque(5))),
    picture(50, 50, (x, y) => (x + y === 0 ? 0xfe << 24 : opaque(0))),
  ];
  for (const of of pictures) assert.equal(encodePng(of, whole(of)), undefined);
});

test('patterns and images are left to Mapnik', () => {
  const next = numbers(5);
  const noise = picture(64, 48, () => opaque(next() & 0xffffff));
  const checks = picture(64, 64, (x, y) => opaque((x + y) % 2 ? 0 : 0xffffff));
  for (const of of [noise, checks]) assert.equal(encodePng(of, whole(of)), undefined);
});

test('runs of all lengths', async () => {
  // A changed pixel, then growing runs of unchanged ones: their remainders include some too short for a run.
  for (let length = 10; length < 280; length++)
    await demandSame(picture(length + 2, 3, (x, y) => opaque(x === (y ? length + 1 : 0) ? 77 : 3)));
});

test('a part of a picture contains nothing of its surroundings', async () => {
  const next = numbers(3);
  const isInside = (x: number, y: number): boolean => x >= 20 && x < 60 && y >= 10 && y < 50;
  const of = picture(90, 70, (x, y) => (isInside(x, y) ? opaque((x & y) >> 3) : next()));
  await demandSame(of, { x: 20, y: 10, width: 40, height: 40 });
  await demandSame(of, { x: 30, y: 20, width: 30, height: 30 });
  for (const [x, y] of [
    [19, 10],
    [20, 9],
    [21, 10],
    [20, 11],
  ] as const)
    assert.equal(encodePng(of, { x, y, width: 40, height: 40 }), undefined);
});

test('a later encoding does not change an earlier result', async () => {
  const one = picture(40, 40, (x, y) => opaque((x + y) >> 4));
  const other = picture(300, 300, (x, y) => opaque((x ^ y) >> 4));
  const first = encodePng(one, whole(one))!;
  const kept = Buffer.from(first);
  await demandSame(other);
  assert.ok(first.equals(kept));
});

test('the rarest bytes have codes within the limit', async () => {
  // Fibonacci counts make the Huffman tree as deep as possible. A changed pixel follows unchanged ones.
  const fibonacci = [1, 1];
  while (fibonacci.length < 18) fibonacci.push(fibonacci.at(-1)! + fibonacci.at(-2)!);
  const bytes = fibonacci.flatMap((count, i) => Array.from({ length: count }, () => i + 1));
  let sum = 0;
  const of = picture(8 * bytes.length, 1, (x) => {
    if (x % 8 === 7) sum = (sum + bytes[(x - 7) / 8]!) & 255;
    return opaque(sum * 0x010101);
  });
  await demandSame(of);
});

test('a picture of few colours is small', () => {
  const plain = picture(256, 256, () => opaque(0xffffff));
  assert.ok(encodePng(plain, whole(plain))!.length < 1_000);
});
