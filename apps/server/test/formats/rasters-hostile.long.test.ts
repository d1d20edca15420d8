import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { sql } from '@cartulary/sql/internal/sql.js';
import { startServer, type TestServer } from '../support/server.js';
import { zipOf } from './archives.js';
import { image, middle, type Rasters, rastersOn } from './raster-support.js';

let server: TestServer;
let rasters: Rasters;
before(async () => {
  server = await startServer({ CARTULARY_RASTER_PIXELS: '4000000', CARTULARY_RASTER_SIDE: '3000' });
  await server.admin('POST', '/', { code: 'm' });
  rasters = rastersOn(server);
});
after(() => server?.stop());

/** A PNG of gray zeros, as small as it can be. */
function pngOf(width: number, height: number, rows = height): Buffer {
  const chunk = (type: string, content: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
    const around = [Buffer.alloc(4), Buffer.alloc(4)] as const;
    around[0].writeUInt32BE(content.length);
    around[1].writeUInt32BE(crc32(body));
    return Buffer.concat([around[0], body, around[1]]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(rows * (Math.min(width, 100_000) + 1)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Offset of the value of a tag in a small classic TIFF in little-endian order. */
function entryAt(tiff: Buffer, wanted: number): number {
  const at = tiff.readUInt32LE(4);
  for (let i = 0; i < tiff.readUInt16LE(at); i++) {
    const entry = at + 2 + 12 * i;
    if (tiff.readUInt16LE(entry) === wanted) return entry;
  }
  throw new Error(`no tag ${wanted}`);
}

function changed(name: string, change: (tiff: Buffer) => void): Buffer {
  const tiff = Buffer.from(image(name));
  change(tiff);
  return tiff;
}

const withNumber = (tag: number, value: number) => (tiff: Buffer) => {
  const entry = entryAt(tiff, tag);
  tiff.writeUInt16LE(4, entry + 2);
  tiff.writeUInt32LE(value, entry + 8);
};

const placed = `raster_bbox=${encodeURIComponent('BOX(10 20,11 21)')}`;

/** A classic TIFF with these entries alone. */
function tiffOf(entries: [tag: number, type: number, count: number, value: number][], next = 0): Buffer {
  const bytes = Buffer.alloc(8 + 2 + 12 * entries.length + 4);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(entries.length, 8);
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + 12 * i;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  bytes.writeUInt32LE(next, bytes.length - 4);
  return bytes;
}

const vrt =
  '<VRTDataset rasterXSize="4" rasterYSize="4"><VRTRasterBand dataType="Byte" band="1"><SimpleSource><SourceFilename>/etc/passwd</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>';

/** The pixels of a strip end in the middle. */
function cutPixels(tiff: Buffer): Buffer {
  const copy = Buffer.from(tiff);
  const entry = entryAt(copy, 273);
  const [count, value] = [copy.readUInt32LE(entry + 4), copy.readUInt32LE(entry + 8)];
  const first = count === 1 ? value : copy.readUInt32LE(value);
  return copy.fill(0, first + 20, first + 60);
}

const good = image('rgb-32637.tif');
const png = image('rgb.png');
/** Hostile and broken images with the query of their import, and the status, code and message of the error. */
const hostileImages: [
  what: string,
  file: Buffer,
  query: string,
  status: number,
  error: string,
  says: RegExp,
][] = [
  ['nothing', Buffer.alloc(0), '', 500, 'import_failed', /no image/],
  ['a text', Buffer.from('hello'), '', 500, 'import_failed', /no image/],
  ['a VRT', Buffer.from(vrt), '', 500, 'import_failed', /no image/],
  ['a head alone', good.subarray(0, 8), '', 500, 'import_failed', /damaged/],
  [
    'cut off in its directory',
    good.subarray(0, entryAt(good, 256) + 20),
    '',
    500,
    'import_failed',
    /damaged|cut/,
  ],
  ['cut off in its pixels', cutPixels(good), '', 500, 'import_failed', /cut off|damaged/],
  [
    'a ring of directories',
    tiffOf(
      [
        [256, 4, 1, 10],
        [257, 4, 1, 10],
      ],
      8,
    ),
    '',
    500,
    'import_failed',
    /ring/,
  ],
  [
    'a directory of millions',
    changed('rgb-32637.tif', (tiff) => tiff.writeUInt16LE(65_535, tiff.readUInt32LE(4))),
    '',
    500,
    'import_failed',
    /damaged/,
  ],
  [
    'an entry of billions',
    changed('rgb-32637.tif', (tiff) => tiff.writeUInt32LE(0xffffffff, entryAt(tiff, 258) + 4)),
    '',
    500,
    'import_failed',
    /damaged/,
  ],
  ['no pixels', changed('rgb-32637.tif', withNumber(256, 0)), '', 500, 'import_failed', /pixels/],
  [
    '2^31 pixels',
    changed('rgb-32637.tif', (tiff) => {
      withNumber(256, 65_536)(tiff);
      withNumber(257, 32_768)(tiff);
    }),
    '',
    413,
    'too_large',
    /65536 × 32768/,
  ],
  [
    '2^62 pixels',
    changed('rgb-32637.tif', (tiff) => {
      withNumber(256, 2 ** 31)(tiff);
      withNumber(257, 2 ** 31)(tiff);
    }),
    '',
    413,
    'too_large',
    /pixels/,
  ],
  [
    'a size that it does not have',
    changed('rgb-32637.tif', withNumber(257, 2_000)),
    '',
    500,
    'import_failed',
    /./,
  ],
  ['a bomb of a PNG', pngOf(30_000, 30_000, 10), placed, 413, 'too_large', /30000 × 30000/],
  ['a PNG that says less than it is', pngOf(100, 100, 50), placed, 500, 'import_failed', /./],
  ['a PNG without a head', png.subarray(0, 10), placed, 500, 'import_failed', /PNG/],
  ['a PNG that is cut off', png.subarray(0, 120), placed, 500, 'import_failed', /./],
  ['a JPEG that is cut off', image('rgb.jpg').subarray(0, 100), placed, 500, 'import_failed', /./],
  [
    'a JPEG that is huge',
    changed('rgb.jpg', (jpeg) => {
      const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
      jpeg.writeUInt16BE(65_535, at + 5);
      jpeg.writeUInt16BE(65_535, at + 7);
    }),
    placed,
    413,
    'too_large',
    /65535/,
  ],
  ['LZMA', image('codec-lzma.tif'), '', 500, 'import_failed', /LZMA.*DEFLATE/],
  [
    'a compression of nobody',
    changed('rgb-32637.tif', (tiff) => tiff.writeUInt16LE(777, entryAt(tiff, 259) + 8)),
    '',
    500,
    'import_failed',
    /777/,
  ],
  [
    'CMYK',
    changed('rgb-32637.tif', (tiff) => tiff.writeUInt16LE(5, entryAt(tiff, 262) + 8)),
    '',
    500,
    'import_failed',
    /CMYK/,
  ],
  ['ZSTD that is cut off', image('codec-zstd.tif').subarray(0, -40), '', 500, 'import_failed', /./],
  [
    'ZSTD that is damaged',
    changed('codec-zstd.tif', (tiff) => tiff.fill(0xaa, 100, 140)),
    '',
    500,
    'import_failed',
    /./,
  ],
  [
    'ZSTD with one block that is damaged',
    changed('codec-zstd.tif', (tiff) => {
      const start = tiff.indexOf('28b52ffd', 'hex');
      tiff.fill(0, start, start + 4);
    }),
    '',
    500,
    'import_failed',
    /a block of its pixels is damaged/,
  ],
  [
    'blocks beyond all size',
    changed('codec-zstd.tif', (tiff) => {
      withNumber(322, 65_536)(tiff);
      withNumber(323, 65_536)(tiff);
    }),
    '',
    500,
    'import_failed',
    /./,
  ],
  ['no place', png, '', 500, 'import_georeference_missing', /raster_bbox/],
  [
    'a place in a projection that has none',
    image('rgb-3857.tif'),
    'srs=4326',
    500,
    'import_failed',
    /no place|reach/,
  ],
  ['a wrong srs', good, 'srs=rubbish', 400, 'bad_request', /srs/],
  ['an srs that is none', good, 'srs=EPSG:999999', 400, 'bad_request', /srs/],
  [
    'an srs that names a file',
    good,
    `srs=${encodeURIComponent('+proj=longlat +nadgrids=/etc/passwd')}`,
    400,
    'bad_request',
    /srs/,
  ],
  ['a wrong box', png, 'raster_bbox=1,2,3,4', 400, 'bad_request', /raster_bbox/],
  [
    'a box turned round',
    png,
    `raster_bbox=${encodeURIComponent('BOX(11 20,10 21)')}`,
    400,
    'bad_request',
    /raster_bbox/,
  ],
  [
    'a box without end',
    png,
    `raster_bbox=${encodeURIComponent('BOX(-Infinity 20,10 21)')}`,
    400,
    'bad_request',
    /raster_bbox/,
  ],
  [
    'an option in the place of a number',
    png,
    `raster_bbox=${encodeURIComponent('BOX(-oo 20,10 21)')}`,
    400,
    'bad_request',
    /raster_bbox/,
  ],
  ['two images', await zipOf({ 'a.png': png, 'b.png': png }), placed, 500, 'import_failed', /2 images/],
  ['no image in an archive', await zipOf({ 'a.txt': 'x' }), placed, 500, 'import_failed', /no image/],
  [
    'another file by the name of an image',
    await zipOf({ 'a.tif': vrt }),
    placed,
    500,
    'import_failed',
    /no image/,
  ],
  [
    'a world file of words',
    await zipOf({ 'a.png': png, 'a.pgw': 'a b c d e f' }),
    '',
    500,
    'import_failed',
    /world file/,
  ],
  [
    'a world file without area',
    await zipOf({ 'a.png': png, 'a.wld': '0 0 0 0 10 20' }),
    '',
    500,
    'import_failed',
    /world file/,
  ],
  [
    'a world file without a projection',
    await zipOf({ 'a.png': png, 'a.pgw': '100 0 0 -100 410000 6174800' }),
    '',
    500,
    'import_georeference_missing',
    /srs/,
  ],
];

test('hostile and broken images end with a clear error, and change nothing', async () => {
  const { code, id } = await rasters.newLayer();
  await rasters.load(code, 'rgb-32637.tif');
  const state = async (): Promise<unknown> =>
    server.db.query(sql`select r.*, s.data_version from cartulary.raster r join cartulary.layer_state s
      on s.layer_id = r.layer_id where r.layer_id = ${id}`);
  const before = await state();
  for (const [what, file, query, status, error, says] of hostileImages) {
    const answer = await rasters.send(code, file, 'x.tif', query);
    assert.deepEqual([answer.status, answer.json?.code], [status, error], `${what}: ${answer.text}`);
    assert.match(answer.json.message, says, what);
    assert.doesNotMatch(answer.text, /\/job|\/tmp|\/work|node_modules/, what);
  }
  assert.deepEqual(await state(), before);
  const { dataFolder } = server.server.services.config;
  const left = join(dataFolder, 'tmp');
  assert.deepEqual(existsSync(left) ? readdirSync(left) : [], []);
  const named = await server.db.query(sql`select from cartulary.named_content`);
  const stored = readdirSync(join(dataFolder, 'files'), { recursive: true, withFileTypes: true });
  assert.equal(stored.filter((entry) => entry.isFile()).length, named.length);
});

test('an archive with names that lead out is refused; files that belong to no import are passed over', async () => {
  const { code, id } = await rasters.newLayer();
  const slip = (await zipOf({ 'aa/evil.tif': image('rgb-32637.tif') }))
    .toString('latin1')
    .replaceAll('aa/evil', '../evil');
  const answer = await rasters.send(code, Buffer.from(slip, 'latin1'), 'x.zip');
  assert.deepEqual([answer.status, answer.json.code], [500, 'import_failed']);
  assert.match(answer.json.message, /leads out/);
  // Metadata that name other files: none of them is opened, and the colours stay.
  const pam = `<PAMDataset><SRS>EPSG:4326</SRS><GeoTransform>0,1,0,0,0,-1</GeoTransform><PAMRasterBand band="1"><Metadata domain="xml:x">${vrt}</Metadata></PAMRasterBand></PAMDataset>`;
  const file = await zipOf({
    'a.tif': image('rgb-32637.tif'),
    'a.tif.aux.xml': pam,
    'a.aux.xml': pam,
    'a.tif.ovr': vrt,
    'a.tif.msk': vrt,
    'a.ovr': vrt,
    'a.msk': vrt,
    'a.tfw': '1 0 0 -1 0 0',
  });
  const report = await rasters.load(code, file);
  assert.equal(report.projection, 'EPSG:32637');
  assert.equal(await rasters.colorAt(id, [middle[0] - 0.02, middle[1] + 0.003]), '#dc2828');
});

test('metadata within a TIFF say nothing and reach nothing', async () => {
  const { code } = await rasters.newLayer();
  const metadata = `<GDALMetadata><Item name="SourceFilename" domain="vrt_0">/etc/passwd</Item><Item name="OVERVIEW_FILE" domain="OVERVIEWS">/etc/passwd</Item><Item name="x">${'y'.repeat(1000)}</Item></GDALMetadata>\0`;
  const base = image('rgb-32637.tif');
  const at = base.readUInt32LE(4);
  const count = base.readUInt16LE(at);
  // The directory with one entry more, at the end of the file.
  const entries = Array.from({ length: count }, (_, i) => base.subarray(at + 2 + 12 * i, at + 14 + 12 * i));
  const own = Buffer.alloc(12);
  own.writeUInt16LE(42_112, 0);
  own.writeUInt16LE(2, 2);
  own.writeUInt32LE(metadata.length, 4);
  own.writeUInt32LE(base.length, 8);
  const all = [...entries, own].sort((a, b) => a.readUInt16LE(0) - b.readUInt16LE(0));
  const head = Buffer.alloc(2);
  head.writeUInt16LE(all.length);
  const file = Buffer.concat([base, Buffer.from(metadata, 'latin1'), head, ...all, Buffer.alloc(4)]);
  file.writeUInt32LE(base.length + metadata.length, 4);
  await rasters.load(code, file);
  const made = await server.request('GET', `/m/layers/${code}/export/?format=geotif&orig=0`, {
    token: server.adminToken,
  });
  assert.equal(made.status, 200);
  assert.ok(!made.bytes.includes('passwd'));
});
