import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Feature } from 'geojson';
import { compileLayerStyle } from '../src/compile.js';
import { mapXml } from '../src/mapnik/xml.js';
import { startDrawer } from './draw.js';

const drawer = startDrawer();
after(() => drawer.close());

/** Draws one square per row, side by side, and returns which of them are painted. */
async function matching(rows: readonly Record<string, unknown>[], filter: string): Promise<number[]> {
  const features = rows.map((properties, i): Feature => {
    const [west, east] = [i * 10, i * 10 + 10];
    const ring = [
      [west, 0],
      [east, 0],
      [east, 10],
      [west, 10],
      [west, 0],
    ];
    return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
  });
  const compiled = compileLayerStyle(`#x${filter} { polygon-fill: red; polygon-gamma: 0 }`, {
    code: 'x',
    classes: [],
    columns: undefined,
  });
  const inline = JSON.stringify({ type: 'FeatureCollection', features });
  const xml = mapXml({
    layers: [{ name: 'x', srs: 'epsg:3857', datasource: { type: 'geojson', inline }, compiled }],
    bufferSizePx: 0,
  });
  const side = rows.length * 10;
  const { pixels } = await drawer.draw({
    xml,
    extent: [0, 0, side, side],
    size: side,
    scale: 1,
    strict: true,
  });
  // The squares are at the bottom of the image.
  return rows.flatMap((_, i) => (pixels[((side - 5) * side + i * 10 + 5) * 4 + 3] === 255 ? [i] : []));
}

const nasty = [
  'a & b',
  '<tag>',
  "it's",
  'say "x"',
  'a>b',
  '&amp;',
  ']]>',
  'Москва',
  'Ж\'"<&>',
  'back\\slash',
  'тире — и ё',
  '日本',
  '😀',
  'line\nbreak',
  ' x ',
  '',
];

/** A text as a literal of a style. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;

test('texts with any characters match themselves and nothing else', async () => {
  const rows = nasty.map((v) => ({ v }));
  for (const [i, text] of nasty.entries()) {
    assert.deepEqual(await matching(rows, `[v=${quoted(text)}]`), [i], text);
    assert.equal((await matching(rows, `[v!=${quoted(text)}]`)).length, nasty.length - 1, text);
  }
});

test('columns with any letters can be named, with and without quotes', async () => {
  const names = ['имя', 'größe', 'a-b', 'a_1', '2nd', '名前'];
  for (const name of names) {
    const rows = [{ [name]: 'x' }, { [name]: 'y' }];
    assert.deepEqual(await matching(rows, `[${name}='y']`), [1], name);
    assert.deepEqual(await matching(rows, `["${name}"='y']`), [1], name);
  }
  for (const name of ['with blank', 'a&b', 'a<b', 'say "x"', "it's", 'a.b', 'zoom', 'a/b%']) {
    const rows = [{ [name]: 'x' }, { [name]: 'y' }];
    assert.deepEqual(await matching(rows, `[${quoted(name)}='y']`), [1], name);
  }
});

test('arithmetic in filters', async () => {
  const rows = [1, 2, 3, 4, 5, 6].map((pop) => ({ pop, b: 4 }));
  assert.deepEqual(await matching(rows, '[pop%2=1]'), [0, 2, 4]);
  assert.deepEqual(await matching(rows, '[[pop]*2>8]'), [4, 5]);
  assert.deepEqual(await matching(rows, '[[pop]>[b]]'), [4, 5]);
  assert.deepEqual(await matching(rows, '[pop >= [b] - 1]'), [2, 3, 4, 5]);
  assert.deepEqual(await matching(rows, '[(pop + b) * 2 <= 12]'), [0, 1]);
  assert.deepEqual(await matching(rows, '[pop - b = -1]'), [2]);
  assert.deepEqual(await matching(rows, '[pop > -1]'), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(await matching(rows, '[pop > 2 + 1]'), [3, 4, 5]);
  assert.deepEqual(await matching(rows, '[-[pop] > -3]'), [0, 1]);
  assert.deepEqual(await matching(rows, '[pow([pop], 2) > 16]'), [4, 5]);
});

test('null, true, numbers and texts', async () => {
  const rows = [
    { v: null },
    { v: 0 },
    { v: 1 },
    { v: '1' },
    { v: true },
    { v: false },
    { v: 'true' },
    { v: 1.5 },
    {},
  ];
  assert.deepEqual(await matching(rows, '[v=null]'), [0, 8]);
  assert.deepEqual(await matching(rows, '[v!=null]'), [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(await matching(rows, '[v=1]'), [2, 4]);
  assert.deepEqual(await matching(rows, "[v='1']"), [3]);
  assert.deepEqual(await matching(rows, '[v=true]'), [2, 4]);
  assert.deepEqual(await matching(rows, '[v>=1]'), [2, 4, 7]);
  assert.deepEqual(await matching(rows, '[v<1.5]'), [1, 2, 4, 5]);
  assert.deepEqual(await matching(rows, "[v>'0']"), [3, 6]);
});

test('patterns', async () => {
  const rows = ['road', 'Road', 'broad', 'река 5', 'a.b', "it's", 'a\\b', ''].map((v) => ({ v }));
  assert.deepEqual(await matching(rows, "[v=~'road']"), [0]);
  assert.deepEqual(await matching(rows, "[v=~'.*road']"), [0, 2]);
  assert.deepEqual(await matching(rows, "[v=~'(?i)ROAD']"), [0, 1]);
  assert.deepEqual(await matching(rows, "[v=~'\\w+ \\d']"), [3]);
  assert.deepEqual(await matching(rows, "[v=~'\\\\w+ \\\\d']"), [3]);
  assert.deepEqual(await matching(rows, "[v=~'[а-я]+ [0-9]']"), [3]);
  assert.deepEqual(await matching(rows, "[v=~'a\\.b']"), [4]);
  assert.deepEqual(await matching(rows, "[v=~'.*\\'.*']"), [5]);
  assert.deepEqual(await matching(rows, "[v=~'.*\\broad\\b.*']"), [0]);
  assert.deepEqual(await matching(rows, "[v=~'(road|Road|broad)?']"), [0, 1, 2, 7]);
});

test('several filters hold together', async () => {
  const rows = [0, 1, 2, 3].map((i) => ({ a: i % 2, b: i >> 1 }));
  assert.deepEqual(await matching(rows, '[a=1][b=1]'), [3]);
  assert.deepEqual(await matching(rows, '[a=1][b!=1]'), [1]);
  assert.deepEqual(await matching(rows, '[a>=0][a<=0][b>=1]'), [2]);
});
