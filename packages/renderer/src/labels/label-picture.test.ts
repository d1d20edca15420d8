import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test from 'node:test';
import { findFonts } from '@cartulary/fonts/internal/files.js';
import type { Mapnik, MapnikImage } from '../mapnik.js';
import type { LabelLook } from '../messages.js';
import { type Label, LabelPainter, noPlaces, type RgbaPicture } from './label-picture.js';

const mapnik = createRequire(import.meta.url)('@mapnik/mapnik') as Mapnik & {
  fontFiles(): Record<string, string>;
};
mapnik.register_default_fonts();
mapnik.registerDatasource(join(mapnik.settings.paths.input_plugins, 'geojson.input'));

/** Our own fonts by the first part of their files' names, DejaVu by the names of its fonts. */
const files = new Map([
  ...findFonts('').map(({ regular }) => [basename(regular).split('_')[0]!, regular] as const),
  ...Object.entries(mapnik.fontFiles()),
]);
const painter = new LabelPainter((face) => files.get(face));

const look: LabelLook = {
  faces: ['NotoSans', 'NotoSansHebrew', 'NotoSansArabic', 'NotoSansSC'],
  sizes: [11],
  fill: [20, 40, 80, 1],
  halo: { fill: [255, 230, 200, 1], radius: 1 },
  offsets: [{ dx: 0, dy: 0 }],
  margin: 0,
  repeatDistance: 0,
  wrapWidth: 0,
  wrapBefore: false,
  characterSpacing: 0,
  lineSpacing: 0,
  letters: 'none',
  allowOverlap: false,
};

/** A label at one point, and a look with one size at one offset. */
type OneLabel = Partial<Label> & { x?: number; y?: number };
type OneLook = Partial<LabelLook> & { size?: number; dx?: number; dy?: number };

const lookOf = ({ size = 11, dx = 0, dy = 0, ...rest }: OneLook): LabelLook => ({
  ...look,
  sizes: [size],
  offsets: [{ dx, dy }],
  ...rest,
});
const without = { fill: look.halo.fill, radius: 0 };

/** A picture of 200 × 100 pixels. */
function paint(
  labels: readonly OneLabel[],
  looks: readonly OneLook[] = [{}],
  { background = [255, 255, 255, 255], width = 200, height = 100, scale = 1, taken = noPlaces() } = {},
): RgbaPicture {
  const pixels = new Uint8Array(4 * width * height);
  for (let i = 0; i < pixels.length; i++) pixels[i] = background[i % 4]!;
  const picture = { width, height, pixels };
  const whole = labels.map(({ x = 100, y = 50, ...label }) => ({
    points: [[x, y] as const],
    text: 'Zaragoza',
    kind: 0,
    ...label,
  }));
  painter.paint(
    picture,
    whole,
    looks.map((one) => ({ look: lookOf(one) })),
    { scale, taken },
  );
  return picture;
}

interface Ink {
  /** Pixels of full black, and the pixel of their middle. */
  amount: number;
  x: number;
  y: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How much a picture differs from white, and where. */
function inkOf({ width, height, pixels }: RgbaPicture): Ink {
  let [amount, x, y] = [0, 0, 0];
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const at = 4 * (row * width + column);
      const ink = 1 - (pixels[at]! + pixels[at + 1]! + pixels[at + 2]!) / 765;
      if (ink === 0) continue;
      amount += ink;
      x += ink * column;
      y += ink * row;
      [left, top] = [Math.min(left, column), Math.min(top, row)];
      [right, bottom] = [Math.max(right, column), Math.max(bottom, row)];
    }
  return { amount, x: x / amount, y: y / amount, left, top, right, bottom };
}

const amountOf = (text: string, one: OneLook = {}): number =>
  inkOf(paint([{ text }], [{ halo: without, ...one }])).amount;

/** A part of a picture. */
function cut({ width, pixels }: RgbaPicture, x: number, y: number, wide: number, tall: number): RgbaPicture {
  const part = new Uint8Array(4 * wide * tall);
  for (let row = 0; row < tall; row++) {
    const from = 4 * ((y + row) * width + x);
    part.set(pixels.subarray(from, from + 4 * wide), 4 * row * wide);
  }
  return { width: wide, height: tall, pixels: part };
}

/** Without the numbers of all pixels in the message. */
const same = (a: RgbaPicture, b: RgbaPicture): void =>
  assert.ok(Buffer.compare(a.pixels, b.pixels) === 0, 'the pictures differ');
const differ = (a: RgbaPicture, b: RgbaPicture): void =>
  assert.ok(Buffer.compare(a.pixels, b.pixels) !== 0, 'the pictures are the same');

test('labels moved by whole pixels have the same pixels', () => {
  const labels = Array.from({ length: 60 }, (_, i) => ({
    x: ((i * 37) % 200) + i / 7,
    y: ((i * 53) % 100) + i / 9,
    text: `Calle ${i}`,
  }));
  const whole = paint(labels);
  for (const [x, y] of [
    [64, 32],
    [1, 3],
  ] as const) {
    const moved = paint(labels.map((label) => ({ ...label, x: label.x - x, y: label.y - y })));
    const [wide, tall] = [200 - x, 100 - y];
    same(cut(moved, 0, 0, wide, tall), cut(whole, x, y, wide, tall));
  }
});

test('a label across an edge has the pixels of the whole label', () => {
  const whole = paint([{ x: 100.3, y: 50.6 }], [{ size: 30, halo: { ...without, radius: 3 } }]);
  for (const [x, y] of [
    [100, 50],
    [90, 45],
    [0, 47],
    [63, 0],
  ] as const) {
    const part = paint([{ x: 100.3 - x, y: 50.6 - y }], [{ size: 30, halo: { ...without, radius: 3 } }], {
      width: 80,
      height: 30,
    });
    same(part, cut(whole, x, y, 80, 30));
  }
});

test('a label is left out where an earlier one lies, in any pass of the picture', () => {
  const [first, second, third] = [
    { text: 'first' },
    { text: 'second', x: 110, y: 53 },
    { text: 'third', y: 70 },
  ];
  same(paint([first, second, third]), paint([first, third]));
  same(paint([second, first, third]), paint([second, third]));

  const taken = noPlaces();
  paint([first], [{}], { taken });
  same(paint([second, third], [{}], { taken }), paint([third]));
});

test('a label that may overlap is always drawn, and claims its place', () => {
  const labels = [{ text: 'first' }, { text: 'second', kind: 1, y: 53 }, { text: 'third', y: 60 }];
  const looks = [{}, { allowOverlap: true }];
  differ(paint(labels.slice(0, 2), looks), paint(labels.slice(0, 1), looks));
  same(paint(labels, looks), paint(labels.slice(0, 2), looks));
  differ(paint([labels[0]!, labels[2]!], looks), paint([labels[0]!], looks));
});

test('a label outside of the picture claims its place, too', () => {
  const outside = { text: 'XXXX', y: -8 };
  assert.equal(inkOf(paint([outside])).amount, 0);
  assert.equal(inkOf(paint([outside, { y: -1 }])).amount, 0);
  assert.ok(inkOf(paint([{ y: -1 }])).amount > 0);
});

test('the letters X are in the middle of their point, or on the side to which they are moved', () => {
  const place = (one: OneLook): Ink =>
    inkOf(paint([{ text: 'XX' }], [{ size: 40, fill: [0, 0, 0, 1], halo: without, ...one }]));
  const middle = place({});
  assert.ok(Math.abs(middle.x - 99.5) < 0.3 && Math.abs(middle.y - 49.5) < 0.3, JSON.stringify(middle));
  const [half, tall] = [(middle.right - middle.left) / 2, middle.bottom - middle.top + 1];
  const right = place({ dx: 10, dy: 10 });
  assert.ok(right.left >= 109 && right.left <= 112, `${right.left}`);
  assert.ok(right.top === 59 || right.top === 60, `${right.top}`);
  const left = place({ dx: -10, dy: -10 });
  assert.ok(left.right >= 87 && left.right <= 90, `${left.right}`);
  assert.ok(left.bottom === 39 || left.bottom === 40, `${left.bottom}`);
  assert.ok(Math.abs(left.bottom - left.top + 1 - tall) <= 1);
  assert.ok(Math.abs((left.right - left.left) / 2 - half) <= 1);
});

test('a scale makes everything larger', () => {
  const parts = { dx: 3, dy: -4, halo: { ...without, radius: 2 } };
  const scaled = { dx: 6, dy: -8, halo: { ...without, radius: 4 }, size: 22 };
  same(paint([{}], [parts], { scale: 2 }), paint([{}], [scaled]));
});

test('lines lie below each other, around one middle', () => {
  const black: OneLook = { fill: [0, 0, 0, 1], halo: without };
  const two = inkOf(paint([{ text: 'XXXX\r\nXXXX' }], [black]));
  const one = inkOf(paint([{ text: 'XXXX' }], [black]));
  assert.ok(Math.abs(two.amount - 2 * one.amount) < 0.05 * two.amount);
  assert.ok(Math.abs(two.y - one.y) < 0.3 && Math.abs(two.x - one.x) < 0.1);
  const apart = two.bottom - two.top - (one.bottom - one.top);
  assert.ok(apart >= 12 && apart <= 16, `${apart} pixels`);
  const narrow = inkOf(paint([{ text: 'XXXXXXXX\nX' }], [black]));
  assert.ok(Math.abs(narrow.x - one.x) < 0.2);
});

test('a text of blanks draws nothing and claims no place', () => {
  for (const text of ['', ' ', '\n\t \r\n', '\u0001\u0002']) {
    assert.equal(inkOf(paint([{ text }])).amount, 0);
    same(paint([{ text }, {}]), paint([{}]));
  }
  same(paint([{ text: 'Zara\u0001goza\u0000' }]), paint([{}]));
  same(paint([{ text: 'Zaragoza\tx' }]), paint([{ text: 'Zaragoza x' }]));
  assert.ok(inkOf(paint([{ text: 'x'.repeat(100_000) }])).amount > 0);
});

test('every script is drawn in the first font that has it', () => {
  const alone = (text: string, face: string): number => amountOf(text, { faces: [face] });
  for (const [text, face] of [
    ['שלום', 'NotoSansHebrew'],
    ['مرحبا', 'NotoSansArabic'],
    ['东京', 'NotoSansSC'],
    ['दिल्ली', 'NotoSans'],
  ] as const) {
    const amount = amountOf(text);
    assert.ok(amount > 10, `${text}: ${amount}`);
    assert.ok(Math.abs(amount - alone(text, face)) < 0.01 * amount, text);
    assert.ok(face === 'NotoSans' || Math.abs(amount - alone(text, 'NotoSans')) > 1, text);
  }
});

test('unknown and unreadable fonts are skipped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'labels-'));
  try {
    const broken = join(folder, 'broken.ttf');
    const cutOff = join(folder, 'cut.woff');
    writeFileSync(broken, 'this is no font');
    writeFileSync(cutOff, 'wOFF');
    files.set('broken', broken).set('cut', cutOff).set('gone', join(folder, 'gone.ttf'));
    for (const face of ['broken', 'cut', 'gone', 'unknown']) {
      assert.equal(amountOf('Zaragoza', { faces: [face] }), 0, face);
      assert.equal(amountOf('Zaragoza', { faces: [face, 'NotoSans'] }), amountOf('Zaragoza'), face);
    }
    assert.equal(amountOf('Zaragoza', { faces: [] }), 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the text of a label is not read where none finds room', () => {
  const unread = {
    points: [[100, 50] as const],
    kind: 0,
    get text(): string {
      throw new Error('the text was read');
    },
  };
  const labels = [{ points: [[100, 50] as const], kind: 0, text: 'Zaragoza' }, unread];
  const picture = { width: 200, height: 100, pixels: new Uint8Array(80_000) };
  const draw = (own: OneLook): void =>
    painter.paint(picture, labels, [{ look: lookOf(own) }], { scale: 1, taken: noPlaces() });
  draw({});
  assert.throws(() => draw({ allowOverlap: true }), /the text was read/);
});

test('labels at NaN or distant positions are ignored', () => {
  for (const x of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
    same(paint([{ x }, {}]), paint([{}]));
    same(paint([{ y: x }, {}]), paint([{}]));
    same(paint([{ kind: 1 }, {}], [{}, { dx: x }]), paint([{}]));
  }
  assert.equal(inkOf(paint([{ kind: 7 }])).amount, 0);
  assert.equal(inkOf(paint([{}], [{ size: Number.NaN }])).amount, 0);
});

test('on a transparent picture a label has its own colours', () => {
  for (const clear of [
    [0, 0, 0, 0],
    [255, 0, 255, 0],
  ]) {
    const { pixels } = paint([{}], [{ halo: without }], { background: clear });
    const seen = Array.from({ length: pixels.length / 4 }, (_, i) => [
      ...pixels.subarray(4 * i, 4 * i + 4),
    ]).filter(([, , , alpha]) => alpha! > 0);
    assert.ok(seen.length > 50);
    for (const [red, green, blue] of seen) assert.deepEqual([red, green, blue], [20, 40, 80]);
  }
});

test('opacity lets through what is below', () => {
  const ink = (opacity: number): number => amountOf('Zaragoza', { fill: [0, 0, 0, opacity] });
  assert.ok(Math.abs(ink(0.5) / ink(1) - 0.5) < 0.02);
  assert.equal(ink(0), 0);
});

test('a halo surrounds the letters and does not cover them', () => {
  const black: OneLook = { size: 40, fill: [0, 0, 0, 1] };
  const plain = paint([{ text: 'HO' }], [{ ...black, halo: without }]);
  const haloed = paint([{ text: 'HO' }], [{ ...black, halo: { fill: [255, 0, 0, 1], radius: 2 } }]);
  const [a, b] = [inkOf(plain), inkOf(haloed)];
  assert.ok(b.left <= a.left - 1 && b.left >= a.left - 3 && b.bottom >= a.bottom + 1, JSON.stringify([a, b]));
  let around = 0;
  for (let i = 0; i < plain.pixels.length; i += 4) {
    if (plain.pixels[i] === 0) assert.equal(haloed.pixels[i], 0);
    if (plain.pixels[i] === 255 && haloed.pixels[i + 1] === 0) {
      assert.equal(haloed.pixels[i], 255);
      around++;
    }
  }
  assert.ok(around > 200);
});

const drawMap = (xml: string): Promise<RgbaPicture> =>
  new Promise((resolve, reject) => {
    const map = new mapnik.Map(200, 100);
    map.fromStringSync(xml, { strict: true });
    map.extent = [0, 0, 200, 100];
    map.render(new mapnik.Image(200, 100), { scale: 1 }, (error: Error | null, image: MapnikImage) =>
      error ? reject(error) : resolve({ width: 200, height: 100, pixels: image.data() }),
    );
  });

/** What Mapnik draws at 100.3, 50.6. */
const besides = (text: string, halo: 'full' | 'fast'): Promise<RgbaPicture> =>
  drawMap(`<Map background-color="white" srs="epsg:3857"><Style name="s"><Rule>
    <TextSymbolizer face-name="DejaVu Sans Book" size="11" halo-radius="1" halo-fill="black" halo-rasterizer="${halo}">'${text}'</TextSymbolizer>
    </Rule></Style><Layer name="l" srs="epsg:3857"><StyleName>s</StyleName><Datasource><Parameter name="type">geojson</Parameter>
    <Parameter name="inline">{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[100.3,49.4]}}</Parameter>
    </Datasource></Layer></Map>`);

test('labels look like those of Mapnik', async () => {
  const black: OneLook = {
    faces: ['DejaVu Sans Book'],
    fill: [0, 0, 0, 1],
    halo: { fill: [0, 0, 0, 1], radius: 1 },
  };
  for (const text of ['Zaragoza 123456', 'AVATAR', 'minimum', 'first line\nand second'])
    for (const halo of ['full', 'fast'] as const) {
      const own = inkOf(paint([{ x: 100.3, y: 50.6, text }], [black]));
      const other = inkOf(await besides(text, halo));
      const said = JSON.stringify({ text, halo, own, other });
      assert.ok(Math.abs(own.x - other.x) < 0.5 && Math.abs(own.y - other.y) < 0.5, said);
      assert.ok(Math.abs(own.amount / other.amount - 1) < (halo === 'full' ? 0.03 : 0.15), said);
    }
});
