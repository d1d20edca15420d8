import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as XLSX from '@e965/xlsx';
import iconv from 'iconv-lite';
import Papa from 'papaparse';
import { type Formats, startFormats } from '../support.js';

let formats: Formats;
let layer: string;

const nasty = [
  'Щёлково, "Заря"; дом\t1',
  'line\r\nbreak\nand\rreturn',
  '=1+1',
  '@SUM(A1)',
  ' blanks ',
  '_x000D_ and \u0001',
  '𝄞 & <b>漢字</b>',
  '',
  'a,b;c',
  '-5',
];
const features = [
  { name: nasty[0], n: 9007199254740991, at: '2024-05-01T12:30:00.250Z', yes: true, info: { a: [1, 'ы'] } },
  { name: nasty[1], n: -0.1, at: '1147-04-04T00:00:00.000Z', yes: false, info: 'text' },
  { name: nasty[2], n: 1e-7, at: '1900-02-28T00:00:00.000Z', yes: null, info: null },
  { name: nasty[3], n: 123456789012345, at: '1900-03-01T00:00:00.000Z', yes: null, info: null },
  { name: nasty[4], n: 0, at: '9999-12-31T23:59:59.000Z', yes: true, info: 5 },
  { name: nasty[5], n: null, at: null, yes: true, info: true },
  { name: nasty[6], n: 5, at: null, yes: true, info: null },
  { name: nasty[7], n: 6, at: null, yes: true, info: null },
  { name: nasty[8], n: 7, at: null, yes: true, info: null },
  { name: nasty[9], n: 8, at: null, yes: true, info: null },
  { name: null, n: 9, at: null, yes: null, info: null },
];
const position = (i: number): number[] => (i === 1 ? [37.6173, 55.7558, 156.5] : [i + 0.1, 50 + 0.1 + 0.2]);

async function put(of: string, properties: readonly object[], geometryOf: (i: number) => unknown) {
  const all = properties.map((own, i) => ({
    type: 'Feature',
    id: 100 + i,
    geometry: geometryOf(i),
    properties: own,
  }));
  await formats.load(
    of,
    JSON.stringify({ type: 'FeatureCollection', features: all }),
    'x.geojson',
    'localized=title',
  );
}

test.before(async () => {
  formats = await startFormats({ CARTULARY_WORKBOOK_LIMIT: '12000000' });
  const column = (code: string, type: string) => ({ code, type, name: `Title of ${code}` });
  layer = await formats.newLayer(
    column('name', 'text'),
    column('n', 'number'),
    column('at', 'datetime'),
    column('yes', 'bool'),
    column('info', 'json'),
    { ...column('title', 'string'), localized_value: true },
  );
  const named = features.map((own, i) => (i ? own : { ...own, title_ru: 'Москва', title_en: 'Moscow' }));
  await put(layer, named, (i) => (i === 10 ? null : { type: 'Point', coordinates: position(i) }));
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

async function get(format: string, query = '', of = layer) {
  const url = `${formats.server.api}/m/layers/${of}/export/?format=${format}&${query}`;
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const text = bytes.toString();
  return { status: answer.status, headers: answer.headers, bytes, text };
}

/** A file of these bytes, for other programs. */
function withFile<T>(name: string, bytes: Buffer, use: (path: string, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'formats-'));
  try {
    writeFileSync(join(folder, name), bytes);
    return use(join(folder, name), folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const wkt = (i: number): string => {
  const [x, y, z] = position(i);
  return z === undefined ? `POINT(${x} ${y})` : `POINT Z (${x} ${y} ${z})`;
};

const shown = (value: unknown): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

const csvRow = (i: number): string[] => {
  const { name, n, at, yes, info } = features[i]!;
  const titles = i ? ['', '', ''] : ['Moscow', 'Moscow', 'Москва'];
  const json = info === null ? '' : JSON.stringify(info);
  const row = [100 + i, name, n, at, yes, json, ...titles, i === 10 ? '' : wkt(i)];
  return row.map((value) => shown(value ?? null));
};
const header = ['svc_id', 'name', 'n', 'at', 'yes', 'info', 'title', 'title_en', 'title_ru', 'geom'];

const parsed = (text: string, delimiter: string): string[][] =>
  Papa.parse<string[]>(text, { delimiter, newline: '\r\n', skipEmptyLines: 'greedy' }).data;

/** JSON as the database writes it has blanks. */
const compact = (row: string[]): string[] =>
  row.map((text, i) => (i === 5 && text.startsWith('{') ? JSON.stringify(JSON.parse(text)) : text));

for (const [dialect, delimiter] of [
  ['', ';'],
  ['semicolon', ';'],
  ['comma', ','],
  ['tab', '\t'],
] as const) {
  test(`csv, dialect '${dialect}': every value as it is`, async () => {
    const { status, text, headers } = await get('csv', `dialect=${dialect}&langs=`);
    assert.equal(status, 200, text);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(headers.get('content-disposition'), `attachment; filename="${layer}.csv"`);
    const rows = parsed(text, delimiter);
    assert.deepEqual(rows[0]!.filter((name) => header.includes(name)).sort(), [...header].sort());
    const order = header.map((name) => rows[0]!.indexOf(name));
    assert.deepEqual(
      rows.slice(1).map((row) => compact(order.map((place) => row[place]!))),
      features.map((_, i) => csvRow(i)),
    );
    // An empty text is not nothing.
    assert.match(text, new RegExp(`107${delimiter}""${delimiter}6`));
    assert.match(text, new RegExp(`110${delimiter}${delimiter}9`));
  });
}

test('csv: encodings, and characters that they lack', async () => {
  const marked = await get('csv', 'encoding=utf-8-sig');
  assert.equal(marked.bytes.toString('hex', 0, 3), 'efbbbf');
  assert.notEqual((await get('csv')).bytes[0], 0xef);
  assert.equal((await get('csv', 'encoding=UTF-8-BOM')).bytes.toString('hex', 0, 3), 'efbbbf');

  const cyrillic = await get('csv', 'encoding=cp1251');
  assert.equal(cyrillic.headers.get('content-type'), 'text/csv; charset=windows-1251');
  const rows = parsed(iconv.decode(cyrillic.bytes, 'windows-1251'), ';');
  assert.equal(rows[1]![1], nasty[0]);
  assert.equal(rows[7]![1], '?? & <b>??</b>');
  const dos = await get('csv', 'encoding=866');
  assert.equal(parsed(iconv.decode(dos.bytes, 'cp866'), ';')[1]![1], nasty[0]);
  const chinese = await get('csv', 'encoding=gb18030');
  assert.equal(parsed(iconv.decode(chinese.bytes, 'gb18030'), ';')[7]![1], nasty[6]);

  const zip = await get('csv', 'encoding=cp1251&zip=1');
  withFile('x.zip', zip.bytes, (path) => {
    const list = execFileSync('unzip', ['-Z1', path]).toString().trim().split('\n');
    assert.deepEqual(list, [`${layer}.csv`, 'README.txt', 'fields.csv', 'whole_texts.csv']);
    assert.match(execFileSync('unzip', ['-p', path, 'whole_texts.csv']).toString(), /"106";"name";"𝄞 & /);
    assert.match(execFileSync('unzip', ['-p', path, 'README.txt']).toString(), /1 texts have characters/);
  });
  const whole = await get('csv', 'zip=1');
  withFile('x.zip', whole.bytes, (path) => {
    assert.equal(execFileSync('unzip', ['-Z1', path]).toString().trim(), `${layer}.csv`);
  });
  const trailers = await new Promise<NodeJS.Dict<string>>((resolve, reject) => {
    const url = `${formats.server.api}/m/layers/${layer}/export/?format=csv&encoding=cp1251`;
    request(url, (incoming) => incoming.resume().on('end', () => resolve(incoming.trailers)))
      .on('error', reject)
      .end();
  });
  assert.equal(trailers['x-changed-texts'], '1');
  const accepted = await formats.server.request(
    'GET',
    `/m/layers/${layer}/export/?format=csv&encoding=cp1251&async=1`,
  );
  let job = accepted.json;
  while (job.state === 'queued' || job.state === 'running') {
    await sleep(20);
    job = (await formats.server.request('GET', `/jobs/${job.id}/`)).json;
  }
  assert.equal(job.result?.changed_texts, 1, JSON.stringify(job));
});

test('csv: wrong parameters', async () => {
  for (const query of [
    'dialect=pipe',
    'dialect=__proto__',
    'encoding=klingon',
    'encoding=utf-16',
    'encoding=hex',
  ]) {
    const answer = await get('csv', query);
    assert.equal(answer.status, 400, query);
    assert.match(answer.text, new RegExp(query.split('=')[0]!), query);
  }
  assert.match((await get('csv', 'dialect=pipe')).text, /semicolon, comma, tab/);
});

test('tables: a part of the objects, one language, no objects', async () => {
  const filter = encodeURIComponent(JSON.stringify({ op: '>=', args: [{ property: 'n' }, 8] }));
  const ids = async (query: string) =>
    parsed((await get('csv', query)).text, ';')
      .slice(1)
      .map(([id]) => Number(id));
  assert.deepEqual(await ids('feature_ids=105,103'), [105, 103]);
  assert.deepEqual(await ids(`filter=${filter}`), [100, 103, 109, 110]);
  assert.deepEqual(await ids(`filter=${filter}&fbbox=50,9,51,10`), [109]);
  assert.deepEqual((await get('csv', 'feature_ids=999')).status, 404);
  const [names] = parsed((await get('csv', 'langs=ru')).text, ';');
  assert.deepEqual(names!.slice(-3), ['title', 'title_ru', 'geom']);
  const empty = await formats.newLayer({ code: 'a', type: 'number' });
  assert.equal((await get('csv', '', empty)).text, 'svc_id;a;geom\r\n');
  for (const format of ['xls', 'xlsx']) {
    const book = XLSX.read((await get(format, '', empty)).bytes, { type: 'buffer' });
    assert.deepEqual(book.SheetNames, [empty]);
    assert.deepEqual(sheetRows(book, empty), [['svc_id', 'a', 'geom']]);
  }
});

test('a language whose column would have the code of another', async () => {
  const own = await formats.newLayer(
    { code: 'title', type: 'string', localized_value: true },
    { code: 'title_ru', type: 'string' },
  );
  await put(own, [{ 'title:ru': 'Тула', title_ru: 'other' }], () => null);
  const [names] = parsed((await get('csv', 'langs=ru', own)).text, ';');
  assert.deepEqual(names, ['svc_id', 'title', 'title:ru', 'title_ru', 'geom']);
});

const sheetRows = (book: XLSX.WorkBook, name: string): unknown[][] =>
  XLSX.utils.sheet_to_json(book.Sheets[name]!, { header: 1, raw: true, defval: null, UTC: true });

const hasOffice = spawnSync('soffice', ['--version']).status === 0;

/** A layer of more objects than a sheet of an xls holds, for both formats. */
let large: Promise<string> | undefined;
async function makeLarge(): Promise<string> {
  const code = await formats.newLayer({ code: 'n', type: 'number' }, { code: 'name', type: 'string' });
  const objects = Array.from({ length: 70_000 }, (_, i) => ({ n: i / 2, name: `имя ${i % 100}` }));
  await put(code, objects, () => null);
  return code;
}

const types = {
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

for (const format of ['xls', 'xlsx'] as const) {
  test(`${format}: every value as it is`, async () => {
    const { status, bytes, text, headers } = await get(format, 'langs=ru');
    assert.equal(status, 200, text);
    assert.equal(headers.get('content-type'), types[format]);
    assert.equal(headers.get('content-disposition'), `attachment; filename="${layer}.${format}"`);
    const book = XLSX.read(bytes, { type: 'buffer', cellNF: true });
    // Readers of an xlsx change some line breaks.
    assert.deepEqual(book.SheetNames, format === 'xls' ? [layer] : [layer, 'whole_texts']);
    const rows = sheetRows(book, layer);
    const names = ['svc_id', 'name', 'n', 'at', 'yes', 'info', 'title', 'title_ru', 'geom'];
    assert.deepEqual(rows[0], names);
    for (const [i, { name, n, at, yes, info }] of features.entries()) {
      const [id, ...cells] = rows[i + 1]!;
      const time = at === null ? null : new Date(at);
      const isDay = time !== null && at! >= '1900-03-01' && at! < '9999-12-31';
      assert.equal(id, 100 + i);
      // The reader makes one sign of the two of a line break in an xlsx.
      assert.equal(
        cells[0],
        format === 'xls' ? name : (name?.replace('\r\n', '\n') ?? null),
        `name of ${id}`,
      );
      assert.equal(cells[1], n);
      // Days since 1899-12-30.
      const days = (book.Sheets[layer]![`D${i + 2}`] as XLSX.CellObject | undefined)?.v as number;
      const ms = Math.round(days * 86_400_000) + Date.UTC(1899, 11, 30);
      if (isDay) assert.equal(ms, time.getTime(), `at of ${id}`);
      else assert.equal(cells[2], at);
      assert.equal(cells[3], yes);
      assert.deepEqual(cells[4] === null ? null : JSON.parse(cells[4] as string), info);
      assert.deepEqual(cells.slice(5, 7), i ? [null, null] : ['Moscow', 'Москва']);
      assert.deepEqual(cells.slice(7), [i === 10 ? null : wkt(i)]);
    }
    // What looks like a formula is text, and stays text.
    const cell = book.Sheets[layer]!.B4 as XLSX.CellObject;
    assert.deepEqual([cell.t, cell.v, cell.f, cell.z], ['s', '=1+1', undefined, '@']);
    const date = book.Sheets[layer]!.D2 as XLSX.CellObject;
    assert.equal(XLSX.SSF.format(date.z!, date.v), '2024-05-01 12:30:00');
  });

  test(`${format}: texts that exceed a cell go to a separate sheet`, async () => {
    const own = await formats.newLayer({ code: 'name', type: 'text' });
    const texts = ['x'.repeat(32_767), `${'ы'.repeat(32_766)}𝄞 and more`, 'z'.repeat(70_000)];
    const ring = Array.from({ length: 3_000 }, (_, i) => [
      Math.cos((i * Math.PI) / 1500),
      Math.sin((i * Math.PI) / 1500),
    ]);
    ring.push(ring[0]!);
    await put(
      own,
      texts.map((name) => ({ name })),
      (i) => (i ? null : { type: 'Polygon', coordinates: [ring] }),
    );
    const answer = await get(format, '', own);
    const book = XLSX.read(answer.bytes, { type: 'buffer' });
    assert.deepEqual(book.SheetNames, [own, 'whole_texts']);
    const rows = sheetRows(book, own);
    const [narrow, wide] = format === 'xls' ? [16_384, 8_192] : [32_767, 32_766];
    assert.equal(rows[1]![1], 'x'.repeat(narrow));
    assert.equal(rows[2]![1], 'ы'.repeat(wide));
    assert.equal(rows[3]![1], 'z'.repeat(narrow));
    assert.match(rows[1]![2] as string, /^POLYGON of \d+ characters: see whole_texts$/);
    const [names, ...rest] = sheetRows(book, 'whole_texts');
    assert.deepEqual(names, ['svc_id', 'code', 'part', 'text']);
    const whole = (id: number, code: string) =>
      rest
        .filter((row) => row[0] === id && row[1] === code)
        .map(([, , , text]) => text)
        .join('');
    assert.equal(whole(101, 'name'), texts[1]);
    assert.equal(whole(102, 'name'), texts[2]);
    const [, line] = parsed((await get('csv', '', own)).text, ';');
    assert.equal(whole(100, 'geom'), line![2]);
  });

  test(`${format}: 70,000 objects`, async () => {
    large ??= makeLarge();
    const own = await large;
    const { bytes, text, status } = await get(format, '', own);
    assert.equal(status, 200, text);
    const book = XLSX.read(bytes, { type: 'buffer', dense: true });
    assert.deepEqual(book.SheetNames, format === 'xls' ? [own, `${own}_2`] : [own]);
    const sheets = book.SheetNames.map((name) => sheetRows(book, name));
    if (format === 'xls') assert.deepEqual([sheets[0]!.length, sheets[1]!.length], [65_536, 4_466]);
    for (const [names] of sheets) assert.deepEqual(names, ['svc_id', 'n', 'name', 'geom']);
    const rows = sheets.flatMap(([, ...own]) => own);
    assert.equal(rows.length, 70_000);
    for (const i of [0, 1, 65_534, 65_535, 69_999]) {
      assert.deepEqual(rows[i]!.slice(0, 3), [100 + i, i / 2, `имя ${i % 100}`]);
    }
    if (format === 'xls')
      withOffice(`${own}.xls`, bytes, ([first, second]) => {
        assert.equal(first!.length, 65_536);
        assert.equal(second!.length, 4_466);
        assert.equal(second!.at(-1)![2], 'имя 99');
      });
  });

  test(`${format} as LibreOffice reads it`, { skip: !hasOffice }, async () => {
    const { bytes } = await get(format, 'langs=ru');
    withOffice(`x.${format}`, bytes, ([rows]) => {
      for (const [i, { name, at }] of features.entries()) {
        // A return alone is a line break there.
        const plain = (text: string | null | undefined) => (text ?? '').replace(/\r\n?/g, '\n');
        assert.equal(plain(rows![i + 1]![1]), plain(name), `name of ${i}`);
        const day = (at ?? '').slice(0, 10);
        if (day > '1900-02-28') assert.equal(rows![i + 1]![3]!.slice(0, 10), day);
        assert.equal(rows![i + 1]!.at(-1), i === 10 ? '' : wkt(i));
      }
      assert.equal(rows![1]![3], '2024-05-01 12:30:00');
      assert.equal(rows![1]![7], 'Москва');
    });
  });
}

/** The sheets of a workbook as LibreOffice shows them. */
function withOffice(name: string, bytes: Buffer, use: (sheets: string[][][]) => void): void {
  if (!hasOffice) return;
  withFile(name, bytes, (path, folder) => {
    const how = 'csv:Text - txt - csv (StarCalc):59,34,76,1,,0,false,true,false,false,false,-1';
    const own = `-env:UserInstallation=file://${folder}/profile`;
    execFileSync('soffice', [own, '--headless', '--convert-to', how, '--outdir', folder, path], {
      stdio: 'pipe',
    });
    const sheets = readdirSync(folder)
      .filter((file) => file.endsWith('.csv'))
      .sort()
      .map(
        (file) =>
          Papa.parse<string[]>(readFileSync(join(folder, file), 'utf8').trimEnd(), { delimiter: ';' }).data,
      );
    use(sheets);
  });
}

test('a layer of points has x and y', async () => {
  const names = async (of: string): Promise<unknown[][]> =>
    sheetRows(XLSX.read((await get('xlsx', '', of)).bytes, { type: 'buffer' }), of);
  const points = await formats.newLayer({ code: 'a', type: 'number' });
  await put(points, [{ a: 1 }, { a: 2 }], (i) =>
    i ? null : { type: 'Point', coordinates: [37.6173, -0.1] },
  );
  assert.deepEqual(await names(points), [
    ['svc_id', 'a', 'x', 'y'],
    [100, 1, 37.6173, -0.1],
    [101, 2, null, null],
  ]);
  const taken = await formats.newLayer({ code: 'x', type: 'number' });
  await put(taken, [{ x: 1 }], () => ({ type: 'Point', coordinates: [1, 2] }));
  assert.deepEqual(await names(taken), [
    ['svc_id', 'x', 'geom'],
    [100, 1, 'POINT(1 2)'],
  ]);
  for (const geometry of [
    { type: 'MultiPoint', coordinates: [[1, 2]] },
    { type: 'Point', coordinates: [1, 2, 3] },
    {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
  ]) {
    const mixed = await formats.newLayer({ code: 'a', type: 'number' });
    await put(mixed, [{ a: 1 }, { a: 2 }], (i) => (i ? geometry : { type: 'Point', coordinates: [1, 2] }));
    assert.deepEqual((await names(mixed))[0], ['svc_id', 'a', 'geom']);
  }
});

test('xls: limits of the format', async () => {
  const wide = await formats.newLayer();
  await put(wide, [Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`c${i}`, true]))], () => null);
  const refused = await get('xls', '', wide);
  assert.equal(refused.status, 413);
  assert.match(refused.text, /257 columns, xls holds 256: export xlsx or csv/);
  assert.equal((await get('xlsx', '', wide)).status, 200);
  const heavy = await formats.newLayer({ code: 'name', type: 'text' });
  const texts = Array.from({ length: 1_000 }, (_, i) => ({ name: `${i} `.padEnd(8_000, 'ы') }));
  await put(heavy, texts, () => null);
  const answer = await get('xls', '', heavy);
  assert.equal(answer.status, 413);
  assert.match(answer.text, /12000000 bytes/);
  assert.equal((await get('xlsx', '', heavy)).status, 200);
  // With this many texts the list of sectors exceeds the header of the file.
  const half = await get('xls', `feature_ids=${Array.from({ length: 500 }, (_, i) => 100 + i)}`, heavy);
  assert.ok(half.bytes.length > 109 * 128 * 512, 'more than the head lists');
  const book = XLSX.read(half.bytes, { type: 'buffer' });
  assert.equal(sheetRows(book, heavy)[500]![1], texts[499]!.name);
});

const hasOgr = spawnSync('ogrinfo', ['--version']).status === 0;

test('xls with long texts as GDAL reads it', { skip: !hasOgr }, async () => {
  const own = await formats.newLayer({ code: 'name', type: 'text' });
  const texts = Array.from(
    { length: 24 },
    (_, i) => `${'zжé𝄞'.charAt(i % 3).repeat(700 * i)}${'𝄞'.repeat(i * 100)}!`,
  );
  await put(
    own,
    texts.map((name) => ({ name })),
    () => null,
  );
  withFile('x.xls', (await get('xls', '', own)).bytes, (path) => {
    const found = spawnSync('ogr2ogr', ['-f', 'GeoJSONSeq', '/vsistdout/', path, own], { encoding: 'utf8' });
    const read = found.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).properties.name as string);
    assert.equal(read.length, texts.length, found.stderr);
    for (const [i, text] of texts.entries())
      assert.ok(read[i] === text || (read[i]!.length > 4_000 && text.startsWith(read[i]!)), `text ${i}`);
  });
});

test('csv as GDAL reads it', { skip: !hasOgr }, async () => {
  const { bytes } = await get('csv');
  withFile('x.csv', bytes, (path) => {
    const found = spawnSync('ogrinfo', ['-ro', '-al', '-oo', 'GEOM_POSSIBLE_NAMES=geom', path]);
    const out = found.stdout.toString();
    assert.match(out, /Feature Count: 11/);
    assert.match(out, /POINT Z? ?\(37\.6173 55\.7558 156\.5\)/);
    assert.match(out, /name \(String\) = Щёлково, "Заря"; дом\t1/);
  });
});

test('only callers with the right export a layer that is not public', async () => {
  await formats.server.admin('PATCH', '/m/', { publish: false });
  for (const format of ['csv', 'xls', 'xlsx']) assert.equal((await get(format)).status, 403);
  await formats.server.admin('PATCH', '/m/', { publish: true });
});
