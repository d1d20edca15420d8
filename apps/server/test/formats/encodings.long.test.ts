import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import iconv from 'iconv-lite';
import { zipOf } from './archives.js';
import { dbfOf, shpOf, shpPoint } from './shapefiles/shapefile-bytes.js';
import { type Formats, startFormats } from './support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

const russian = ['Москва', 'Нижний Новгород', 'Щёлково', 'Ульяновск'];
const german = ['Zürich', 'München', 'Gießen', 'Köln'];
const polish = ['Łódź', 'Świnoujście', 'Gdańsk', 'Żywiec'];

/** A shapefile of places, packed: with a language driver id in its .dbf, and a .cpg where there is one. */
function shapefileOf(
  names: readonly string[],
  encoding: string,
  driver: number,
  cpg?: string,
): Promise<Buffer> {
  const dbf = dbfOf(
    [['name', 'C', 40]],
    names.map((name) => ({ mark: ' ', values: [iconv.encode(name, encoding)] })),
  );
  dbf[29] = driver;
  return zipOf({
    'x.shp': shpOf(names.map((_, i) => shpPoint(i, i))),
    'x.dbf': dbf,
    ...(cpg === undefined ? {} : { 'x.cpg': Buffer.from(cpg) }),
  });
}

const cases: readonly [
  names: readonly string[],
  encoding: string,
  driver: number,
  cpg: string | undefined,
][] = [
  [german, 'windows-1252', 0, undefined],
  [german, 'windows-1252', 0x57, undefined],
  [german, 'cp850', 0, undefined],
  [german, 'cp850', 2, undefined],
  [german, 'utf-8', 0x57, undefined],
  [german, 'windows-1252', 0, 'ISO 88591'],
  [german, 'windows-1252', 0, 'LATIN1'],
  [german, 'windows-1252', 0xc9, '1252'],
  [german, 'utf-8', 0x57, 'UTF8'],
  [german, 'utf-8', 0x57, 'ISO-8859-1'],
  [german, 'windows-1252', 0, 'system'],
  [polish, 'windows-1250', 0, undefined],
  [polish, 'iso-8859-2', 0, undefined],
  [polish, 'windows-1250', 0xc8, undefined],
  [russian, 'windows-1251', 0, undefined],
  [russian, 'windows-1251', 0x57, undefined],
  [russian, 'windows-1251', 0xc9, undefined],
  [russian, 'windows-1251', 0, 'ANSI 1251'],
  [russian, 'windows-1251', 0x57, '1252'],
  [russian, 'cp866', 0, undefined],
  [russian, 'cp866', 0x65, 'OEM'],
  [russian, 'koi8-r', 0, undefined],
  [russian, 'iso-8859-5', 0, '88595'],
  [russian, 'utf-8', 0, undefined],
];

for (const [names, encoding, driver, cpg] of cases) {
  test(`shapefile in ${encoding}, driver ${driver}, .cpg '${cpg}': ${names[0]}`, async () => {
    const layer = await formats.newLayer();
    const report = await formats.load(layer, await shapefileOf(names, encoding, driver, cpg), 'x.zip');
    const found = (await formats.objects(layer)).map(({ fields }) => fields.name);
    assert.deepEqual(found, names, JSON.stringify(report));
    if (report.encoding_certainty === 'said') assert.ok(cpg, 'only the .cpg says it for certain');
    else assert.match(report.notes.join(), /give encoding/);
  });
}

test('assumed encodings can be overridden', async () => {
  const layer = await formats.newLayer();
  const file = await shapefileOf(['Эжва'], 'cp866', 0);
  const guess = await formats.load(layer, file, 'x.zip', 'dry_run=1');
  assert.match(
    guess.notes.join(),
    new RegExp(`${guess.encoding} was taken \\((likely|uncertain), else [\\w-]+\\)`),
  );
  const report = await formats.load(layer, file, 'x.zip', 'encoding=cp866');
  assert.deepEqual([report.encoding, report.encoding_certainty], ['cp866', 'said']);
  assert.equal((await formats.objects(layer))[0]!.fields.name, 'Эжва');
});

const mif = (charset: string): string =>
  `Version 300\r\n${charset}Delimiter ","\r\nCoordSys Earth Projection 1, 104\r\nColumns 1\r\n  name Char(40)\r\nData\r\n\r\n`;

function mifOf(names: readonly string[], encoding: string, charset: string): Promise<Buffer> {
  const places = names.map((_, i) => `Point ${i} ${i}\r\n`).join('');
  const texts = iconv.encode(names.map((name) => `"${name}"\r\n`).join(''), encoding);
  return zipOf({ 'x.mif': Buffer.from(mif(charset) + places), 'x.mid': texts });
}

const dxf = (page: string, names: readonly string[]): string =>
  `0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1015\n${page}0\nENDSEC\n0\nSECTION\n2\nENTITIES\n${names
    .map((name, i) => `0\nTEXT\n8\n${name}\n10\n${i}\n20\n${i}\n40\n1\n1\n${name}\n`)
    .join('')}0\nENDSEC\n0\nEOF\n`;

for (const [names, encoding] of [
  [german, 'windows-1252'],
  [polish, 'windows-1250'],
  [russian, 'windows-1251'],
  [russian, 'utf-8'],
] as const) {
  test(`mif, csv and dxf that do not say ${encoding}, or say another`, async () => {
    const files: [name: string, file: Buffer, column: string, query: string][] = [
      ['x.zip', await mifOf(names, encoding, ''), 'name', ''],
      ['x.zip', await mifOf(names, encoding, 'Charset "Neutral"\r\n'), 'name', ''],
      ['x.zip', await mifOf(names, encoding, 'Charset "WindowsLatin1"\r\n'), 'name', ''],
      [
        'x.csv',
        iconv.encode(`name;n\r\n${names.map((name) => `${name};1`).join('\r\n')}\r\n`, encoding),
        'name',
        '',
      ],
      ['x.dxf', iconv.encode(dxf('', names), encoding), 'Text', 'srs=4326'],
      ['x.dxf', iconv.encode(dxf('9\n$DWGCODEPAGE\n3\nANSI_1252\n', names), encoding), 'Text', 'srs=4326'],
    ];
    for (const [name, file, column, query] of files) {
      const layer = await formats.newLayer();
      const report = await formats.load(layer, file, name, query);
      const found = (await formats.objects(layer)).map(({ fields }) => fields[column]);
      assert.deepEqual(found, names, `${name}: ${JSON.stringify(report)}`);
      assert.match(report.notes.join(), /give encoding/);
    }
  });
}

test('an encoding that the file declares and its letters confirm is not said to be undeclared', async () => {
  const cases: [name: string, file: Buffer, query?: string][] = [
    ['x.zip', await mifOf(russian, 'windows-1251', 'Charset "WindowsCyrillic"\r\n')],
    ['x.zip', await mifOf(russian, 'utf-8', 'Charset "UTF-8"\r\n')],
    ['x.dxf', iconv.encode(dxf('9\n$DWGCODEPAGE\n3\nANSI_1251\n', russian), 'windows-1251'), 'srs=4326'],
  ];
  for (const [name, file, query] of cases) {
    const layer = await formats.newLayer();
    const report = await formats.load(layer, file, name, query);
    assert.equal(report.encoding_certainty, 'certain');
    assert.match(
      report.notes.join('\n'),
      /^The file says that its texts are in [\w-]+; by their letters that is certain\. If that is wrong, give encoding$/,
    );
  }
  const few = await mifOf(['Да'], 'windows-1251', 'Charset "WindowsCyrillic"\r\n');
  const { notes, encoding } = await formats.load(await formats.newLayer(), few, 'x.zip');
  assert.equal(encoding, 'windows-1251');
  assert.doesNotMatch(notes.join(), /does not say/);
});

test('characters that a dxf names are those of every encoding', async () => {
  const names = [
    'Угол 45%%d',
    'Труба %%c100',
    'Допуск %%P5',
    '\\U+2300 \\U+0416',
    '100%%%',
    '\\U+D83D\\U+DE00 \\U+D83D',
  ];
  const texts = ['Угол 45°', 'Труба ⌀100', 'Допуск ±5', '⌀ Ж', '100%%%', '😀 \ufffd'];
  for (const encoding of ['windows-1251', 'cp866', 'utf-8']) {
    const layer = await formats.newLayer();
    const page = encoding === 'cp866' ? '9\n$DWGCODEPAGE\n3\nDOS866\n' : '';
    const report = await formats.load(layer, iconv.encode(dxf(page, names), encoding), 'x.dxf', 'srs=4326');
    assert.equal(report.encoding, encoding);
    assert.deepEqual(
      (await formats.objects(layer)).map(({ fields }) => fields.Text),
      texts,
    );
  }
});

const chinese = ['北京', '上海', '广州市', '哈尔滨', '内蒙古自治区'];
const japanese = ['東京', '大阪', '横浜', 'さいたま', 'ニセコ町'];
const korean = ['서울특별시', '부산', '인천', '대전', '전주'];

for (const [names, encoding] of [
  [chinese, 'gbk'],
  [japanese, 'shift_jis'],
  [korean, 'euc-kr'],
] as const) {
  test(`csv and a shapefile in ${encoding}`, async () => {
    const csv = iconv.encode(`name,n\r\n${names.map((name) => `${name},1`).join('\r\n')}\r\n`, encoding);
    for (const [name, file] of [
      ['x.csv', csv],
      ['x.zip', await shapefileOf(names, encoding, 0)],
    ] as const) {
      const layer = await formats.newLayer();
      const report = await formats.load(layer, file, name);
      assert.deepEqual(
        (await formats.objects(layer)).map(({ fields }) => fields.name),
        names,
        JSON.stringify(report),
      );
    }
  });
}

const hasOgr = spawnSync('ogrinfo', ['--version']).status === 0;

for (const format of ['mif', 'tab', 'shp']) {
  for (const names of [
    german,
    polish,
    russian,
    ['Αθήνα', 'Θεσσαλονίκη'],
    ['İstanbul', 'Muğla'],
    ['Šiauliai', 'Jēkabpils'],
    ['القاهرة', 'بغداد'],
    ['北京', '哈尔滨'],
    ['Zürich', 'Москва'],
  ]) {
    test(`${format}: ${names[0]} as GDAL reads it`, { skip: !hasOgr }, async () => {
      const layer = await formats.newLayer({ code: 'name', type: 'string' });
      const features = names.map((name, i) => ({
        type: 'Feature',
        properties: { name },
        geometry: { type: 'Point', coordinates: [i, i] },
      }));
      await formats.load(layer, JSON.stringify({ type: 'FeatureCollection', features }), 'x.geojson');
      const answer = await fetch(`${formats.server.api}/m/layers/${layer}/export/?format=${format}`);
      const folder = mkdtempSync(join(tmpdir(), 'formats-'));
      try {
        writeFileSync(join(folder, 'x.zip'), Buffer.from(await answer.arrayBuffer()));
        const list = execFileSync('ogrinfo', ['-ro', '-al', `/vsizip/${join(folder, 'x.zip')}`]).toString();
        assert.deepEqual(
          [...list.matchAll(/ name \(String\) = (.*)/g)]
            .map(([, name]) => name)
            .filter((name) => names.includes(name!)),
          names,
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
}

test('characters that no code page contains are reported', async () => {
  const layer = await formats.newLayer({ code: 'name', type: 'string' });
  const features = ['Łódź', 'Москва', 'Göteborg', 'Gdańsk'].map((name) => ({
    type: 'Feature',
    properties: { name },
    geometry: null,
  }));
  await formats.load(layer, JSON.stringify({ type: 'FeatureCollection', features }), 'x.geojson');
  const answer = await fetch(`${formats.server.api}/m/layers/${layer}/export/?format=mif`);
  assert.equal(answer.headers.get('x-changed-texts'), '1');
  await answer.arrayBuffer();
  const accepted = await formats.server.request('GET', `/m/layers/${layer}/export/?format=mif&async=1`);
  let job = accepted.json;
  while (job.state === 'queued' || job.state === 'running') {
    job = (await formats.server.request('GET', `/jobs/${job.id}/`)).json;
  }
  assert.equal(job.result?.changed_texts, 1, JSON.stringify(job));
});
