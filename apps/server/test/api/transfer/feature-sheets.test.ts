import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import test from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import sharp from 'sharp';
import { publicUser } from '../../../src/access/caller.js';
import type { Config } from '../../../src/config.js';
import { createFeatureSheetMaker, type PicturesOf } from '../../../src/feature-sheets/feature-sheets.js';
import { findLayer } from '../../../src/layers/layers.js';
import { type ReadPdf, readPdf } from '../../support/pdf.js';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';
import { hostileTexts, outcome, signIn } from '../access/people.js';

let server: TestServer;
test.before(async () => {
  server = await startServer({ CARTULARY_FEATURE_SHEET_PAGES: '12' }, 'here');
  await server.admin('POST', '/', { code: 'm', name: 'Карта' });
});
test.after(() => server.stop());

async function newLayer(columns: object[], map = 'm'): Promise<string> {
  const code = freshCode('l');
  await server.admin('POST', `/${map}/layers/`, { code, name: 'Places' });
  for (const column of columns) await server.admin('POST', `/${map}/layers/${code}/structure/`, column);
  return `/${map}/layers/${code}`;
}

async function create(layer: string, fields: object, geom: object | null = null): Promise<string> {
  const { id } = await server.admin('POST', `${layer}/objects/`, { fields, geom });
  return `${layer}/objects/${id}/`;
}

const ask = (path: string, query = ''): Promise<TestAnswer> =>
  server.request('GET', `${path}?f=pdf${query}`, { token: server.adminToken });

async function sheetOf(path: string, query = ''): Promise<ReadPdf> {
  const answer = await ask(path, query);
  assert.equal(answer.status, 200, answer.text.slice(0, 300));
  return readPdf(answer.bytes);
}

const text = { code: 'body', type: 'text', name: 'Body' };
const name = { code: 'name', type: 'string', name: 'Name' };

test('a feature sheet has the title, the names of map and layer, and the fields under their titles in the order of the structure', async () => {
  const layer = await newLayer([name, { code: 'g', type: 'title', name: 'Details' }]);
  const columns = await server.admin('GET', `${layer}/structure/`);
  const parent_id = columns.find(({ code }: { code: string }) => code === 'g').id;
  const format = { thousands: ' ', suffix: ' p.' };
  await server.admin('POST', `${layer}/structure/`, {
    code: 'pop',
    type: 'number',
    name: 'People',
    parent_id,
    format,
  });
  await server.admin('POST', `${layer}/structure/`, { code: 'none', type: 'string', name: 'Nothing' });
  await server.admin('POST', `${layer}/structure/`, { code: 'data', type: 'json', name: 'Data' });
  const path = await create(layer, { name: 'Łódź', pop: 1234567, none: '', data: { a: [1] } });

  const answer = await ask(path);
  assert.equal(answer.headers.get('content-type'), 'application/pdf');
  assert.match(
    answer.headers.get('content-disposition')!,
    /^inline; filename="__d_\.pdf"; filename\*=UTF-8''%C5%81%C3%B3d%C5%BA\.pdf$/,
  );
  assert.equal(answer.headers.get('etag'), null);
  const pdf = readPdf(answer.bytes);
  assert.equal(pdf.pages, 1);
  const [page] = pdf.texts as [string];
  assert.match(page, /^Карта · PlacesŁódźNameŁódźDetailsPeople1 234 567 p\.Data\{"a": ?\[1\]\}Карта/);
  assert.ok(!page.includes('Nothing'), 'fields without a value are left out');
  assert.match(page, /1 \/ 1$/);
  assert.deepEqual(pdf.images, [], 'without a geometry there is no map');
  assert.ok(answer.bytes.length < 60_000, 'fonts are embedded as far as they are used');
});

test('an object without a name is called as its layer and its id', async () => {
  const layer = await newLayer([{ code: 'n', type: 'number', name: 'N' }]);
  const path = await create(layer, { n: 5 });
  const [page] = (await sheetOf(path)).texts;
  assert.ok(page!.includes(`PlacesPlaces ${path.split('/').at(-2)}N5`), page);
});

test('names, values and lengths are in the language of lng', async () => {
  const layer = await newLayer([
    {
      code: 'name',
      type: 'string',
      localized_value: true,
      localized_name: true,
      name: { en: 'Name', ru: 'Имя' },
    },
    { code: 'day', type: 'datetime', name: 'Day', format: { pattern: 'd MMMM yyyy' } },
  ]);
  const value = { name: { en: 'Moscow', ru: 'Москва' }, day: '2024-05-01T00:00:00Z' };
  const path = await create(layer, value, { type: 'Point', coordinates: [37.6, 55.75] });
  const [russian] = (await sheetOf(path, '&lng=ru')).texts;
  assert.ok(
    russian!.includes('Москва') && russian!.includes('Имя') && russian!.includes('1 мая 2024'),
    russian,
  );
  assert.match(russian!, /\d м\b|\d м5/);
  const [english] = (await sheetOf(path, '&lng=en')).texts;
  assert.ok(english!.includes('Moscow') && english!.includes('1 May 2024'), english);
  assert.ok(english!.includes('55.75000° N, 37.60000° E'), english);
});

test('points, lines, areas and whole worlds are shown on a map', async () => {
  const layer = await newLayer([name]);
  const shapes: [geometry: object, across: boolean][] = [
    [{ type: 'Point', coordinates: [180, 90] }, false],
    [{ type: 'MultiPoint', coordinates: [[1, 1], [1.001, 1.001]] }, false], // biome-ignore format: short
    [{ type: 'LineString', coordinates: [[10, 50], [14, 50.1]] }, true], // biome-ignore format: short
    [{ type: 'Polygon', coordinates: [[[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]] }, false], // biome-ignore format: short
    [{ type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [0, 0] }] }, false],
    [{ type: 'Point', coordinates: [13.4, 52.5, 34] }, false],
  ];
  for (const [geometry, across] of shapes) {
    const pdf = await sheetOf(await create(layer, { name: 'x' }, geometry));
    const [picture] = pdf.images;
    assert.deepEqual(
      picture,
      across ? { width: 2160, height: 780 } : { width: 1440, height: 860 },
      JSON.stringify(geometry),
    );
    assert.match(pdf.texts[0]!, /\d (km|m)/);
  }
});

/** Characters of scripts that run from right to left come in the order in which they are drawn, from the left. */
const turned = (word: string): string => [...word].reverse().join('');

test('texts of all scripts can be extracted', async () => {
  const layer = await newLayer([text]);
  const sample = 'Ελληνικά Ёж Việt दिन 地图，かな 臺灣 서울 กรุงเทพ';
  const [page] = (await sheetOf(await create(layer, { body: sample }))).texts;
  for (const word of ['Ελληνικά', 'Ёж', 'Việt', '地图，かな', '臺灣', '서울', 'กรุงเทพ'])
    assert.ok(page!.includes(word), `${word}: ${page}`);
  const [arabic] = (await sheetOf(await create(layer, { body: 'العربية والتاريخ 12 شلوم שלום (א)' }))).texts;
  for (const word of ['العربية', 'والتاريخ', 'שלום'])
    assert.ok(arabic!.includes(turned(word)), `${word}: ${arabic}`);
  assert.ok(arabic!.includes('12') && arabic!.includes('(א)'), 'numbers stay, brackets are mirrored');
  const [emoji] = (await sheetOf(await create(layer, { body: 'a👍🏽👨‍👩‍👧b' }))).texts;
  assert.match(emoji!, /a\u25a1+b/);
});

test('hostile texts break neither a feature sheet nor its surroundings', async () => {
  const layer = await newLayer([name, text]);
  const many = [
    ...hostileTexts,
    '\u202eevil\u202c \u2066x\u2069 \u0001\u0007\u001b[31m',
    `e${'\u0301'.repeat(2_000)}`,
    '\u0301\u200d\u200c\ufeff',
    '\ufffe\uffff\u{10ffff}\u{e0001}',
    '(['.repeat(2_000),
    '\n'.repeat(5_000),
    `${'א'.repeat(500)}${'a'.repeat(500)}`,
  ];
  for (const value of many) {
    const path = await create(layer, { name: value.slice(0, 3_000), body: `${value} The end` });
    const answer = await ask(path);
    assert.equal(answer.status, 200, value.slice(0, 50));
    const whole = readPdf(answer.bytes).texts.join('');
    assert.ok(whole.includes('end'), value.slice(0, 50));
    assert.ok(!/[\u202a-\u202e\u2066-\u2069]|\p{Cc}/u.test(whole), value.slice(0, 50));
    assert.match(
      answer.headers.get('content-disposition')!,
      /^inline; filename="[ !#-[\]-~]+"(; filename\*=UTF-8''[\w.%~!-]+)?$/,
    );
  }
});

test('a long text goes over pages up to the limit of the service, one word too', async () => {
  const layer = await newLayer([name, text]);
  const words = Array.from({ length: 3_000 }, (_, i) => `word${i}`).join(' ');
  const pdf = await sheetOf(await create(layer, { name: 'Long', body: words }));
  assert.ok(pdf.pages > 3 && pdf.pages <= 12, String(pdf.pages));
  const whole = pdf.texts.join('');
  for (const i of [0, 777, 2_999]) assert.ok(whole.includes(`word${i}`), `word${i}`);
  for (const [i, page] of pdf.texts.entries()) assert.ok(page.includes(`${i + 1} / ${pdf.pages}`));
  const cut = await sheetOf(await create(layer, { name: 'Cut', body: 'x'.repeat(100_000) }));
  assert.equal(cut.pages, 12);
  assert.ok(cut.texts[11]!.includes('[…]'), 'a sign says that something is left out');
});

test('unknown objects, unknown formats and missing rights are refused', async () => {
  const layer = await newLayer([name]);
  const path = await create(layer, { name: 'x' });
  const as = (token?: string, query = '?f=pdf', at = path) =>
    outcome(server, 'GET', `${at}${query}`, token === undefined ? {} : { token });
  const admin = server.adminToken;
  assert.deepEqual(await as(admin, '?f=pdf', `${layer}/objects/999999/`), [404, 'object_not_found']);
  assert.deepEqual(await as(admin, '?f=pdf', '/m/layers/nothing/objects/1/'), [404, 'layer_not_found']);
  for (const wrong of ['?f=xml', '?f=PDF', '?f=', '?f=pdf&lng=%3Cb%3E'])
    assert.deepEqual(await as(admin, wrong), [400, 'bad_request'], wrong);
  for (const at of [`${layer}/objects/`, `${layer}/`, `${layer}/structure/`, `${layer}/count/`, '/m/'])
    assert.deepEqual(await as(admin, '?f=pdf', at), [400, 'bad_request'], at);
  await server.admin('PUT', `${layer}/rights/`, { user: 'public', right: 'none' });
  assert.deepEqual(await as(), [403, 'forbidden']);
  assert.deepEqual(await as(await signIn(server)), [403, 'forbidden']);
});

test('a feature sheet shows the part of the map that its reader may view', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  const shown = await newLayer([name], map);
  const hidden = await newLayer([name], map);
  const area = { type: 'Polygon', coordinates: [[[9, 49], [12, 49], [12, 52], [9, 52], [9, 49]]] }; // biome-ignore format: short
  const path = await create(shown, { name: 'x' }, { type: 'Point', coordinates: [10, 50] });
  await server.admin('PUT', `${hidden}/rights/`, { user: 'public', right: 'none' });
  const reader = await signIn(server, { [`${shown}/rights/`]: 'view' });
  const pictureOf = async (token: string): Promise<string> => {
    const { bytes, status } = await server.request('GET', `${path}?f=pdf`, { token });
    assert.equal(status, 200);
    const source = bytes.toString('latin1');
    const at = source.indexOf('/Subtype /Image');
    return createHash('sha256')
      .update(source.slice(source.indexOf('stream', at), source.indexOf('endstream', at)))
      .digest('hex');
  };
  const before = await pictureOf(reader);
  assert.equal(await pictureOf(server.adminToken), before);
  await create(hidden, { name: 'secret' }, area);
  assert.equal(await pictureOf(reader), before);
  assert.notEqual(await pictureOf(server.adminToken), before);
  // A caller who may view the layer but not its map sees only the layer.
  await server.admin('PUT', `/${map}/rights/`, { user: 'public', right: 'none' });
  assert.equal(await pictureOf(reader), before);
});

const installer = {
  ...publicUser({ id: 0, code: 'demo', languages: ['en', 'ru'] }),
  isInstaller: true,
};

/** The maker of feature sheets itself, with other files and settings. */
async function maker(path: string, picturesOf: PicturesOf, settings: Partial<Config> = {}) {
  const { config, db, storage, readContent, renderers } = server.server.services;
  const [project] = await db.query<{ id: number }>(sql`select id from cartulary.project where code = 'demo'`);
  const caller = { ...installer, project: { ...installer.project, id: project!.id } };
  const [, map, , layer, , id] = path.split('/') as string[];
  const found = await findLayer(db, caller, { map: map!, layer: layer! }, 'view');
  const make = createFeatureSheetMaker({
    config: { ...config, ...settings },
    db,
    storage,
    readContent,
    renderers,
    picturesOf,
  });
  return (signal: AbortSignal) => make({ caller, layer: found, id: Number(id) }, signal);
}

async function bytesOf(pdf: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of pdf) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('pictures among the files of an object are shown upright and of moderate size, others are passed over', async () => {
  const path = await create(await newLayer([name, { code: 'files', type: 'file', name: 'Files' }]), {
    name: 'x',
  });
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 4, background: '#ff000080' } });
  const files = [
    { name: 'wide.png', bytes: await picture(3000, 1000).png().toBuffer() },
    {
      name: 'turned.jpg',
      bytes: await picture(300, 100).flatten().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    },
    { name: 'x.svg', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>') },
    { name: 'broken.png', bytes: (await picture(300, 100).png().toBuffer()).subarray(0, 60) },
    { name: 'text.txt', bytes: Buffer.from('no picture') },
    { name: 'empty', bytes: Buffer.alloc(0) },
    { name: '\u202e<b>.webp', bytes: await picture(20, 20).webp().toBuffer() },
  ];
  const asked: number[] = [];
  const make = await maker(path, async function* (_layer, { objectId }) {
    asked.push(objectId);
    yield* files;
  });
  const { pdf } = await make(new AbortController().signal);
  const read = readPdf(await bytesOf(pdf));
  assert.deepEqual(read.images, [
    { width: 1400, height: 467 },
    { width: 100, height: 300 },
    { width: 20, height: 20 },
  ]);
  assert.ok(
    ['wide.png', 'turned.jpg', '<b>.webp'].every((file) => read.texts[0]!.includes(file)),
    read.texts[0],
  );
  assert.equal(asked.length, 1);
});

test('a feature sheet that takes too long is stopped, and so is one whose reader has gone; the next one is made', async () => {
  const path = await create(await newLayer([name, text, { code: 'files', type: 'file' }]), {
    name: 'x',
    body: 'خريطة'.repeat(20_000),
  });
  const none: PicturesOf = async function* () {};
  const signal = new AbortController().signal;
  const late = await maker(path, none, { featureSheetTimeoutMs: 150, featureSheetPages: 1_000 });
  await assert.rejects(late(signal), { code: 'timeout' });

  const leaving = new AbortController();
  const gone = new Error('gone');
  const make = await maker(
    path,
    async function* () {
      leaving.abort(gone);
      yield* [];
    },
    { featureSheetsAtOnce: 1, featureSheetPages: 1 },
  );
  await assert.rejects(make(leaving.signal), gone);
  await assert.rejects(make(AbortSignal.abort(gone)), gone);
  const { pdf } = await make(signal);
  assert.equal(readPdf(await bytesOf(pdf)).pages, 1);
});

test('fonts of the folder are used for characters that built-in fonts lack; invalid font files are ignored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-fonts-'));
  await writeFile(join(folder, 'a.ttf'), 'no font');
  const path = await create(await newLayer([text]), { body: 'ქართული' });
  const pageWith = async (): Promise<string> => {
    const fontFolder = `./${relative(process.cwd(), folder)}/`;
    const make = await maker(path, async function* () {}, { fontFolder });
    const { pdf } = await make(new AbortController().signal);
    return readPdf(await bytesOf(pdf)).texts[0]!;
  };
  assert.ok((await pageWith()).includes('□'.repeat(7)));
  const mapnik = dirname(createRequire(import.meta.url).resolve('@mapnik/mapnik'));
  const font = join(mapnik, 'lib/mapnik/fonts/DejaVuSans.ttf');
  const incomplete = await readFile(font);
  incomplete.write('none', incomplete.indexOf('post'), 'latin1');
  await writeFile(join(folder, 'aa.ttf'), incomplete);
  assert.ok(
    (await pageWith()).includes('□'.repeat(7)),
    'a font that has the letters, but cannot be embedded',
  );
  await copyFile(font, join(folder, 'b.ttf'));
  assert.ok((await pageWith()).includes('ქართული'));
  await rm(folder, { recursive: true });
  assert.ok((await pageWith()).includes('□'.repeat(7)), 'a folder that went away while the service runs');
});
