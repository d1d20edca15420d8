import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { sql } from '@cartulary/sql/internal/sql.js';
import sharp, { type Sharp } from 'sharp';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';
import { outcome, signIn } from '../access/people.js';

let server: TestServer;
const object = '/m/layers/l/objects/1';
test.before(async () => {
  server = await startServer({}, 'here');
  await server.admin('POST', '/', { code: 'm' });
  await newLayer('m');
});
test.after(() => server.stop());

async function newLayer(map: string): Promise<void> {
  await server.admin('POST', `/${map}/layers/`, { code: 'l' });
  await server.admin('POST', `/${map}/layers/l/structure/`, { code: 'photo', type: 'file' });
  await server.admin('POST', `/${map}/layers/l/objects/`, { fields: {} });
}

/** Adds a file: its uuid. */
async function add(content: Uint8Array | string, name = 'a.png', at = object): Promise<string> {
  const body = new FormData();
  body.set('file', new Blob([content]), name);
  const answer = await server.request('POST', `${at}/files/?field=photo`, { token: server.adminToken, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.uuid;
}

const image = (uuid: string, query = '', headers: Record<string, string> = {}): Promise<TestAnswer> =>
  server.request('GET', `/image/${uuid}/${query}`, { headers });

type Pixel = [r: number, g: number, b: number, alpha: number];
const red: Pixel = [255, 0, 0, 255];
const green: Pixel = [0, 255, 0, 255];
const blue: Pixel = [0, 0, 255, 255];
const white: Pixel = [255, 255, 255, 255];
const clear: Pixel = [0, 0, 0, 0];

/** A picture of vertical stripes of equal width. */
function stripes(width: number, height: number, ...colours: Pixel[]): Sharp {
  const data = Buffer.alloc(width * height * 4);
  for (let i = 0; i < width * height; i++)
    Buffer.from(colours[Math.floor(((i % width) * colours.length) / width)]!).copy(data, i * 4);
  return sharp(data, { raw: { width, height, channels: 4 } });
}

interface Pixels {
  width: number;
  height: number;
  at(x: number, y: number): Pixel;
}

async function pixelsOf(answer: TestAnswer): Promise<Pixels> {
  assert.equal(answer.status, 200, answer.text.slice(0, 500));
  const { data, info } = await sharp(answer.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const at = (x: number, y: number): Pixel => [...data.subarray((y * width + x) * 4).subarray(0, 4)] as Pixel;
  return { width, height, at };
}

/** Equal within the loss of an encoder. The colour of transparent pixels is ignored. */
function assertPixel(actual: Pixel, expected: Pixel, message: string): void {
  const isNear = actual.every((value, i) => Math.abs(value - expected[i]!) <= 12);
  const isClear = expected[3] === 0 && actual[3] === 0;
  assert.ok(isNear || isClear, `${message}: ${actual} instead of ${expected}`);
}

const sizeOf = ({ width, height }: Pixels): [number, number] => [width, height];

type Box = [query: string, size: [number, number], pixels: [x: number, y: number, colour: Pixel][]];

/** Of a picture of 90 × 30 pixels with a red, a green and a blue stripe. */
const boxes: Box[] = [
  [
    '',
    [90, 30],
    [
      [5, 5, red],
      [45, 15, green],
      [85, 25, blue],
    ],
  ],
  [
    '?w=45',
    [45, 15],
    [
      [5, 5, red],
      [22, 7, green],
      [40, 10, blue],
    ],
  ],
  [
    '?h=60',
    [180, 60],
    [
      [10, 5, red],
      [90, 30, green],
      [170, 50, blue],
    ],
  ],
  ['?w=45&fit=none', [45, 15], [[5, 5, red]]],
  [
    '?w=60&h=60',
    [60, 60],
    [
      [5, 5, red],
      [30, 55, green],
      [55, 5, blue],
    ],
  ],
  [
    '?w=60&h=60&fit=fill',
    [60, 60],
    [
      [5, 55, red],
      [55, 55, blue],
    ],
  ],
  [
    '?w=60&h=60&fit=cover',
    [60, 60],
    [
      [2, 2, green],
      [30, 30, green],
      [57, 57, green],
    ],
  ],
  [
    '?w=60&h=60&fit=contain',
    [60, 60],
    [
      [30, 5, clear],
      [30, 55, clear],
      [5, 30, red],
      [55, 30, blue],
    ],
  ],
  [
    '?w=180&h=100&fit=contain',
    [180, 100],
    [
      [90, 10, clear],
      [90, 90, clear],
      [5, 50, red],
      [175, 50, blue],
    ],
  ],
  [
    '?w=30&h=30&fit=none',
    [30, 30],
    [
      [1, 1, green],
      [28, 28, green],
    ],
  ],
  [
    '?w=100&h=20&fit=none',
    [100, 20],
    [
      [2, 10, clear],
      [97, 10, clear],
      [8, 1, red],
      [92, 18, blue],
    ],
  ],
  [
    '?w=100&h=50&fit=none',
    [100, 50],
    [
      [50, 5, clear],
      [50, 44, clear],
      [50, 25, green],
      [10, 25, red],
    ],
  ],
  [
    '?w=100&h=50&fit=scale-down',
    [100, 50],
    [
      [50, 5, clear],
      [2, 25, clear],
      [10, 25, red],
    ],
  ],
  [
    '?w=60&h=60&fit=scale-down',
    [60, 60],
    [
      [30, 5, clear],
      [5, 30, red],
      [55, 30, blue],
    ],
  ],
  ['?w=3&h=3&fit=cover', [3, 3], [[1, 1, green]]],
  [
    '?w=60&h=60&fit=contain&f=jpg',
    [60, 60],
    [
      [30, 5, white],
      [30, 55, white],
      [5, 30, red],
    ],
  ],
  [
    '?w=100&h=50&fit=none&f=jpeg',
    [100, 50],
    [
      [50, 4, white],
      [2, 25, white],
      [50, 25, green],
    ],
  ],
];

test('each way into a box, by its pixels', async () => {
  // Three stripes, 90 × 30: red, green, blue.
  const uuid = await add(await stripes(90, 30, red, green, blue).png().toBuffer());
  for (const [query, size, pixels] of boxes) {
    const answer = await image(uuid, query);
    const picture = await pixelsOf(answer);
    assert.equal(
      answer.headers.get('content-type'),
      query.includes('f=jp') ? 'image/jpeg' : 'image/png',
      query,
    );
    assert.deepEqual(sizeOf(picture), size, query);
    for (const [x, y, colour] of pixels) assertPixel(picture.at(x, y), colour, `${query} at ${x}, ${y}`);
  }
});

/** Of a photo stored as 90 × 30 pixels and shown as 30 × 90 with red at the top. */
const rotatedBoxes: Box[] = [
  [
    '',
    [30, 90],
    [
      [15, 10, red],
      [15, 45, green],
      [15, 80, blue],
    ],
  ],
  [
    '?w=60',
    [60, 180],
    [
      [30, 20, red],
      [30, 160, blue],
    ],
  ],
  [
    '?h=45',
    [15, 45],
    [
      [7, 5, red],
      [7, 40, blue],
    ],
  ],
  [
    '?w=30&h=30&fit=none',
    [30, 30],
    [
      [2, 2, green],
      [27, 27, green],
    ],
  ],
  [
    '?w=40&h=100&fit=none',
    [40, 100],
    [
      [1, 50, white],
      [20, 1, white],
      [20, 12, red],
      [20, 88, blue],
    ],
  ],
  [
    '?w=40&h=100&fit=scale-down',
    [40, 100],
    [
      [1, 50, white],
      [20, 12, red],
    ],
  ],
  [
    '?w=90&h=90&fit=contain',
    [90, 90],
    [
      [5, 45, white],
      [45, 5, red],
      [45, 85, blue],
    ],
  ],
  ['?w=30&h=30&fit=cover', [30, 30], [[15, 2, green]]],
  [
    '?w=90&h=90&fit=contain&f=png',
    [90, 90],
    [
      [5, 45, clear],
      [45, 5, red],
    ],
  ],
];

test('a photo is turned as its EXIF says, in every way into a box', async () => {
  // Stored 90 × 30, seen 30 × 90 with red at the top (orientation 6: turned clockwise).
  const photo = await stripes(90, 30, red, green, blue)
    .jpeg({ quality: 100 })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const uuid = await add(photo, 'photo.jpg');
  for (const [query, size, pixels] of rotatedBoxes) {
    const answer = await image(uuid, query);
    const picture = await pixelsOf(answer);
    assert.deepEqual(sizeOf(picture), size, query);
    for (const [x, y, colour] of pixels) assertPixel(picture.at(x, y), colour, `${query} at ${x}, ${y}`);
    const { orientation, exif } = await sharp(answer.bytes).metadata();
    assert.deepEqual(
      [orientation, exif],
      [undefined, undefined],
      'nothing is turned twice, no metadata is given away',
    );
  }
});

test('transparency is kept, and white in JPEG', async () => {
  const uuid = await add(await stripes(40, 20, [255, 0, 0, 128], clear).png().toBuffer());
  const kept = await pixelsOf(await image(uuid, '?w=20'));
  assertPixel(kept.at(4, 5), [255, 0, 0, 128], 'half');
  assertPixel(kept.at(16, 5), clear, 'all');
  const flat = await pixelsOf(await image(uuid, '?w=20&f=jpg'));
  assertPixel(flat.at(4, 5), [255, 127, 127, 255], 'over white');
  assertPixel(flat.at(16, 5), white, 'white');
});

test('each format comes back as itself; of an animated picture the first frame', async () => {
  const source = stripes(60, 20, red, green, blue);
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const) {
    const uuid = await add(await source.clone().toFormat(format).toBuffer(), 'x');
    const answer = await image(uuid, '?w=30');
    assert.equal(answer.headers.get('content-type'), `image/${format}`);
    const picture = await pixelsOf(answer);
    assert.deepEqual(sizeOf(picture), [30, 10]);
    assert.ok(picture.at(4, 5)[0] > 200 && picture.at(26, 5)[2] > 200, format);
    assert.equal((await image(uuid, '?w=30&f=png')).headers.get('content-type'), 'image/png');
  }
  const frames = Buffer.concat(
    await Promise.all([red, blue].map((colour) => stripes(20, 20, colour).raw().toBuffer())),
  );
  for (const format of ['gif', 'webp'] as const) {
    const animated = await sharp(frames, { raw: { width: 20, height: 40, channels: 4, pageHeight: 20 } })
      .toFormat(format, { delay: [100, 100], loop: 0 })
      .toBuffer();
    assert.equal(
      (await sharp(animated, { animated: true }).metadata()).pages,
      2,
      'the test has an animation',
    );
    const answer = await image(await add(animated, 'x'), '?w=10&h=10&fit=contain');
    const picture = await pixelsOf(answer);
    assert.deepEqual(sizeOf(picture), [10, 10], format);
    assertPixel(picture.at(5, 5), red, format);
    assert.equal((await sharp(answer.bytes, { animated: true }).metadata()).pages ?? 1, 1);
  }
});

test('colours of another profile and of CMYK come in sRGB', async () => {
  const wide = await stripes(20, 20, [200, 50, 50, 255])
    .removeAlpha()
    .withIccProfile('p3')
    .jpeg({ quality: 100 })
    .toBuffer();
  const answer = await image(await add(wide, 'a.jpg'), '?f=png');
  const { icc, space } = await sharp(answer.bytes).metadata();
  assert.deepEqual([icc, space], [undefined, 'srgb']);
  assertPixel((await pixelsOf(answer)).at(10, 10), [200, 50, 50, 255], 'the same colour as it was made from');
  const cmyk = await stripes(20, 20, red)
    .removeAlpha()
    .toColourspace('cmyk')
    .jpeg({ quality: 100 })
    .toBuffer();
  assert.equal((await sharp(cmyk).metadata()).space, 'cmyk', 'the test has CMYK');
  const shown = await image(await add(cmyk, 'a.jpg'));
  assert.equal((await sharp(shown.bytes).metadata()).space, 'srgb');
  const [r, g, b] = (await pixelsOf(shown)).at(10, 10);
  assert.ok(r > 200 && g < 80 && b < 80, `${[r, g, b]}`);
});

/** A PNG of one colour whose header declares any size. */
function png(width: number, height: number, rows = height): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8); // one bit grey
  const data = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('bombs are refused before they are decoded', async () => {
  const before = process.memoryUsage.rss();
  const bombs: [string, Uint8Array][] = [
    ['30,000 × 30,000', png(30_000, 30_000, 100)],
    ['a line of a thousand million', png(1_000_000_000, 1)],
    ['the largest that a header can say', png(2 ** 31 - 1, 2 ** 31 - 1, 0)],
    [
      'a GIF of 65,535 × 65,535',
      Buffer.from('47494638396160eaffff800000000000ffffff2c0000000060eaffff0002024401003b', 'hex'),
    ],
  ];
  for (const [what, bomb] of bombs) {
    const answer = await image(await add(bomb), '?w=10', { accept: 'application/json' });
    assert.deepEqual([answer.status, answer.json.code], [400, 'bad_request'], what);
  }
  assert.ok(process.memoryUsage.rss() - before < 150e6, 'nothing was decoded');
  const wide = await add(png(4000, 1));
  assert.equal((await image(wide, '?h=10')).status, 400, 'nor may the other side be endless');
});

test('images of any shape are resized; a side that would be too long is reported', async () => {
  const blank = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
  const wide = await add(await blank(70_000, 10));
  const tall = await add(await blank(10, 20_000));
  for (const [uuid, query, size] of [
    [wide, '?w=4096', [4096, 1]],
    [wide, '?w=100&h=100&fit=contain', [100, 100]],
    [wide, '?w=100&h=100&fit=cover&f=jpg', [100, 100]],
    [wide, '', [70_000, 10]],
    [tall, '?h=4096', [2, 4096]],
    [tall, '?w=2', [2, 4000]],
    [tall, '?f=jpg', [10, 20_000]],
  ] as const) {
    const answer = await image(uuid, query);
    assert.equal(answer.status, 200, query);
    const { width, height } = await sharp(answer.bytes).metadata();
    assert.deepEqual([width, height], size, query);
  }
  for (const [uuid, query, data] of [
    [wide, '?h=10', { width: 70_000, height: 10, limit: 4096 }],
    [tall, '?w=3', { width: 3, height: 6000, limit: 4096 }],
    [wide, '?f=jpg', { width: 70_000, height: 10, limit: 65_500 }],
  ] as const) {
    const { status, json } = await image(uuid, query, { accept: 'application/json' });
    assert.deepEqual([status, json.code, json.data], [400, 'bad_request', data], query);
    assert.match(json.message, new RegExp(`${data.width} × ${data.height} pixels.*${data.limit}`));
    assert.doesNotMatch(json.message, /damaged/);
  }
});

test('invalid and damaged images are answered 400', async () => {
  const jpeg = await stripes(400, 400, red, green, blue).jpeg().toBuffer();
  const contents: [string, Uint8Array | string][] = [
    ['a text', 'hello'],
    ['nothing', ''],
    [
      'an SVG',
      '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><image href="file:///etc/passwd"/></svg>',
    ],
    ['a PDF', '%PDF-1.7'],
    ['a header alone', '\x89PNG\r\n\x1a\n'],
    ['half a JPEG', jpeg.subarray(0, jpeg.length / 2)],
    ['noise behind a signature', Buffer.concat([jpeg.subarray(0, 4), Buffer.alloc(2000, 0x5a)])],
  ];
  for (const [what, content] of contents) {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
    const answer = await image(await add(bytes, 'a.png'), '?w=10', { accept: 'application/json' });
    assert.deepEqual([answer.status, answer.json?.code], [400, 'bad_request'], what);
    assert.ok(!/vips|sharp|\/tmp/i.test(answer.text), answer.text);
    assert.equal(answer.headers.get('etag'), null);
  }
  const uuid = await add(jpeg);
  for (const query of ['w=0', 'w=4097', 'h=4097', 'w=1.5', 'w=x', 'w=-1', 'fit=stretch', 'f=svg', 'f=json'])
    assert.deepEqual(await outcome(server, 'GET', `/image/${uuid}/?${query}`), [400, 'bad_request'], query);
  assert.deepEqual(await outcome(server, 'GET', '/image/x/'), [404, 'file_not_found']);
});

test('a picture whose bytes are lost is answered 404', async () => {
  const uuid = await add(await stripes(40, 40, red).png().toBuffer());
  const { db, storage } = server.server.services;
  const [file] = await db.query<{ content: string }>(
    sql`select content from cartulary.file where uuid = ${uuid}::uuid`,
  );
  await storage.delete(file!.content);
  const answer = await image(uuid, '?w=10', { accept: 'application/json' });
  assert.deepEqual([answer.status, answer.json?.code], [404, 'file_not_found']);
  assert.ok(!answer.text.includes(file!.content), answer.text);
  assert.equal(answer.headers.get('etag'), null);
});

test('what the client has is not sent again, and rights come before every cache', async () => {
  const map = freshCode('map');
  await server.admin('POST', '/', { code: map });
  await newLayer(map);
  const uuid = await add(readFileSync('docs/img/viewer.png'), 'viewer.png', `/${map}/layers/l/objects/1`);
  const first = await image(uuid, '?w=100');
  assert.equal(first.status, 200);
  assert.equal(first.headers.get('cache-control'), 'public, no-cache');
  assert.equal(first.headers.get('x-content-type-options'), 'nosniff');
  assert.match(first.headers.get('content-security-policy')!, /default-src 'none'/);
  const etag = first.headers.get('etag')!;
  const again = await image(uuid, '?w=100&fit=cover&h=', {}); // an empty h is none
  assert.equal(again.status, 200);
  assert.deepEqual(
    (await image(uuid, '?w=100&fit=cover')).headers.get('etag'),
    etag,
    'fit has no meaning here',
  );
  assert.equal((await image(uuid, '?w=100', { 'if-none-match': etag })).status, 304);
  assert.notEqual((await image(uuid, '?w=101')).headers.get('etag'), etag);
  const token = await signIn(server, { [`/${map}/rights/`]: 'view' });
  const own = await server.request('GET', `/image/${uuid}/?w=100`, { token });
  assert.equal(own.headers.get('cache-control'), 'private, no-cache');

  await server.admin('PUT', `/${map}/layers/l/rights/`, { user: 'public', right: 'none' });
  assert.equal((await image(uuid, '?w=100')).status, 403);
  assert.equal((await image(uuid, '?w=100', { 'if-none-match': etag })).status, 403);
  assert.equal((await server.request('GET', `/image/${uuid}/?w=100`, { token })).status, 200);
  await server.admin('DELETE', `/${map}/layers/l/objects/1/`);
  assert.equal((await server.request('GET', `/image/${uuid}/?w=100`, { token })).status, 404);
});

test('requests beyond the queue are asked to try again later', async () => {
  const own = await startServer({
    CARTULARY_IMAGES_AT_ONCE: '1',
    CARTULARY_IMAGE_QUEUE: '1',
    CARTULARY_IMAGE_CACHE: '0',
  });
  try {
    await own.admin('POST', '/', { code: 'm' });
    await own.admin('POST', '/m/layers/', { code: 'l' });
    await own.admin('POST', '/m/layers/l/structure/', { code: 'photo', type: 'file' });
    await own.admin('POST', '/m/layers/l/objects/', { fields: {} });
    const body = new FormData();
    body.set(
      'file',
      new Blob([await stripes(3000, 3000, red, green).png({ compressionLevel: 1 }).toBuffer()]),
      'a',
    );
    const { json } = await own.request('POST', `${object}/files/?field=photo`, {
      token: own.adminToken,
      body,
    });
    const leaving = new AbortController();
    const waits = (w: number, signal?: AbortSignal) =>
      own.request('GET', `/image/${json.uuid}/?w=${w}`, signal ? { signal } : {});
    const all = await Promise.all(Array.from({ length: 10 }, (_, i) => waits(2000 + i)));
    const statuses = all.map(({ status }) => status);
    assert.ok(statuses.includes(200) && statuses.includes(503), `${statuses}`);
    const busy = all.find(({ status }) => status === 503)!;
    assert.equal(busy.headers.get('retry-after'), '2');
    assert.equal(busy.headers.get('etag'), null);
    const gone = assert.rejects(waits(1000, leaving.signal));
    leaving.abort();
    await gone;
    assert.equal((await waits(100)).status, 200, 'free again');
  } finally {
    await own.stop();
  }
});
