import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { PNG } from 'pngjs';
import { assertPicture } from '../../pictures/compare.js';
import { startServer, type TestServer } from '../../support/server.js';

/** A label of each script, all of four characters, so that replacement boxes would look alike. */
const scripts: Record<string, string> = {
  simplified: '东京广岛',
  traditional: '臺灣廣東',
  rare: '畲垟龢栟',
  japanese: 'さカ駅辻',
  korean: '서울부산',
  hindi: 'दमनप',
  thai: 'กรงท',
  arabic: 'دمشق',
  hebrew: 'חיפה',
  georgian: 'აბგდ',
  armenian: 'ԵՐԱՆ',
};
/** Characters that no font has. */
const missing = '\u{e123}'.repeat(4);

let server: TestServer;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartulary-fonts-'));
  const noto = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans'));
  await copyFile(join(noto, '800ExtraBold/NotoSans_800ExtraBold.ttf'), join(folder, 'heavy.ttf'));
  await writeFile(join(folder, 'broken.ttf'), 'no font');
  server = await startServer({ CARTULARY_FONTS: folder });
  await server.admin('POST', '/', { code: 'fonts', css_style: 'Map { background-color: #fff; }' });
});
after(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const styleOf = (layer: string, face: string): string =>
  `#${layer} { text-name: [name]; text-face-name: "${face}"; text-size: 24; text-fill: #222; text-allow-overlap: true; }`;

/** A layer with a column of names and one object in the middle of a tile. */
async function label(code: string, name: string, face = 'DejaVu Sans Book'): Promise<Buffer> {
  await server.admin('POST', '/fonts/layers/', { code });
  const layer = `/fonts/layers/${code}`;
  await server.admin('POST', `${layer}/structure/`, { code: 'name', type: 'string' });
  await server.admin('PUT', `${layer}/`, { css_style: styleOf(code, face) });
  await server.admin('POST', `${layer}/objects/`, {
    fields: { name },
    geom: { type: 'Point', coordinates: [90, 60] },
  });
  const { id } = await server.admin('GET', `${layer}/`);
  return picture(`layers=${id}`);
}

/** Latitude of a row of pixels of the tile of zoom level 0. */
const latitudeAt = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - row / 128))) * 180) / Math.PI;

async function picture(query: string, place = 'z=1&x=1&y=1'): Promise<Buffer> {
  const answer = await server.request('GET', `//tms/demo/fonts/?${place}&${query}`, {
    token: server.adminToken,
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.bytes;
}

/** Number of different pixels. */
function difference(one: Buffer, other: Buffer): number {
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)];
  const isOther = (_: unknown, i: number): boolean => Math.abs(a.data[4 * i]! - b.data[4 * i]!) > 60;
  return Array.from({ length: a.width * a.height }).filter(isOther).length;
}

test('every script is drawn, without replacement boxes, in regular and bold labels', async () => {
  const boxes = await label('missing', missing);
  const nothing = await label('nothing', ' ');
  assert.ok(difference(boxes, nothing) > 40, 'what no font has is drawn as boxes');
  const drawn = new Map<string, Buffer>();
  for (const [script, text] of Object.entries(scripts)) drawn.set(script, await label(script, text));
  for (const [script, bytes] of drawn)
    for (const other of [boxes, nothing])
      assert.ok(difference(bytes, other) > 40, `${script}: ${difference(bytes, other)}`);
  for (const [i, [one, bytes]] of [...drawn].entries())
    for (const [other, others] of [...drawn].slice(i + 1))
      assert.ok(difference(bytes, others) > 40, `${one} is not ${other}`);
  for (const script of ['simplified', 'korean', 'thai']) {
    const bold = await label(`${script}_bold`, scripts[script]!, 'DejaVu Sans Bold');
    assert.ok(difference(bold, drawn.get(script)!) > 20, `${script} is bold`);
  }
});

test('a label of all scripts equals its stored picture', async () => {
  await server.admin('POST', '/fonts/layers/', { code: 'all' });
  await server.admin('POST', '/fonts/layers/all/structure/', { code: 'name', type: 'string' });
  await server.admin('PUT', '/fonts/layers/all/', { css_style: styleOf('all', 'DejaVu Sans Book') });
  const texts = ['दिल्ली नमस्ते', 'กรุงเทพฯ ใต้', '서울특별시', '北京东京', 'ニセコ町', 'دمشق الشام', 'Ёлкино'];
  for (const [i, name] of texts.entries())
    await server.admin('POST', '/fonts/layers/all/objects/', {
      fields: { name },
      geom: { type: 'Point', coordinates: [0, latitudeAt(22 + 35 * i)] },
    });
  const { id } = await server.admin('GET', '/fonts/layers/all/');
  assertPicture('scripts', await picture(`layers=${id}`, 'z=0&x=0&y=0'));
});

test('styles can name fonts of the folder and of packages; other names are refused', async () => {
  const usual = await label('word', 'Word');
  const heavy = await label('word_heavy', 'Word', 'Noto Sans ExtraBold');
  assert.ok(difference(usual, heavy) > 40);
  await label('word_jp', '辻', 'Noto Sans JP Bold');
  const answer = await server.request('PUT', '/fonts/layers/word/', {
    token: server.adminToken,
    body: { css_style: styleOf('word', 'Noto Sans ExtraBald') },
  });
  assert.equal(answer.json.code, 'style_invalid');
  assert.match(answer.json.data.problems[0].expected, /Noto Sans ExtraBold/);
  assert.equal((await server.request('GET', '//readyz')).status, 200);
});
