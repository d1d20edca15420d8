import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { checkLayerStyle, type StyleLayer } from '../src/check.js';
import { compileLayerStyle } from '../src/compile.js';
import { mapXml } from '../src/mapnik/xml.js';
import { refused } from './attacks.js';
import { startDrawer } from './draw.js';
import { datasourceAt, extentAt, size } from './features.js';
import { difference, icons, options, ourXml } from './support.js';

const drawer = startDrawer();
after(() => drawer.close());

const picture = (style: string, zoom = 8) =>
  drawer.draw({ extent: extentAt(zoom), size, scale: 1, strict: true, xml: ourXml(style, zoom) });
const bare: StyleLayer = { code: 'x', classes: [], columns: undefined };

test('every attack is refused and reported', () => {
  for (const [style, message] of refused) {
    const problems = checkLayerStyle(style, bare, options);
    assert.ok(problems.length > 0, style.slice(0, 200));
    assert.match(problems.map((problem) => problem.message).join('\n'), message, style.slice(0, 200));
    assert.throws(() => compileLayerStyle(style, bare, options), { code: 'style_invalid' });
  }
});

test('prototypes stay as they are', () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const words = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
  for (const word of words) {
    for (const style of [
      `#x::${word} { line-width: 1 }`,
      `#x { ${word}/line-width: 1 }`,
      `#x { ${word}: 1 }`,
      `@${word}: 3; #x { line-width: @${word} }`,
      `#x[${word}=1] { line-width: 1 }`,
      `#x.${word} { line-width: 1 }`,
      `#${word} { line-width: 1 }`,
      `#x { line-width: ${word}(1) }`,
      `#x { line-width: @${word} }`,
      `#x { line-cap: ${word} }`,
      `#x { line-color: ${word} }`,
      `#x { text-name: "${word}([a])" }`,
      `#x { marker-transform: ${word}(1) }`,
      `#x { image-filters: ${word} }`,
      `#x { a{${word}:1} }`,
    ]) {
      checkLayerStyle(style, bare, options);
    }
  }
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), before);
  assert.equal(({} as Record<string, unknown>).attachment, undefined);
  const attachment = compileLayerStyle(
    '#x::__proto__ { line-width: 1 } @constructor: 3; #x { line-width: @constructor }',
    bare,
  );
  assert.equal(attachment.styles.length, 2);
});

test('names, texts and paths with markup stay in their places', async () => {
  const nasty = `a"/><Layer name='q'>&amp;<![CDATA[`;
  const style = `#layer::t["${nasty.replaceAll('"', '\\"')}" = 'x]]>'] { text-name: "'<b>' + [name] + '&lt;\\'\\"'"; line-width: 1 }`;
  const own: StyleLayer = { code: nasty, classes: [], columns: undefined };
  // The name of a column cannot contain a bracket.
  assert.ok(checkLayerStyle(style, own).length > 0);
  const good = style.replace('[CDATA[', 'CDATA');
  const compiled = compileLayerStyle(good, own, { icons });
  const xml = mapXml({
    layers: [{ name: nasty, srs: 'epsg:3857', datasource: datasourceAt(8), compiled }],
    bufferSizePx: 64,
    backgroundColor: '#ffffff',
  });
  assert.equal(xml.match(/<Layer/g)?.length, 1);
  await drawer.draw({ extent: extentAt(8), size, scale: 1, strict: true, xml });
});

test('expressions are clamped to the range of their property', async () => {
  const same = async (a: string, b: string): Promise<void> => {
    const { pixels } = difference((await picture(a)).pixels, (await picture(b)).pixels);
    assert.equal(pixels, 0, `${a}\n${b}`);
  };
  const marker = 'marker-allow-overlap: true; marker-placement: interior; marker-width';
  await same(`#x[pop>0] { ${marker}: [pop] * 1e9 }`, `#x[pop>0] { ${marker}: 1000 }`);
  await same(`#x { ${marker}: 0 - [id] - 5 }`, `#x { ${marker}: 0 }`);
  await same(
    '#x { text-name: [name]; text-halo-rasterizer: fast; text-halo-radius: [id]*1000 + 1000 }',
    '#x { text-name: [name]; text-halo-radius: 20 }',
  );
  await same(
    '#x { line-width: 1; line-geometry-transform: scale([id] + 1000) }',
    '#x { line-width: 1; line-geometry-transform: scale(10) }',
  );
  // The logarithm of a negative number is NaN, which as a spacing would hang Mapnik.
  await same(
    '#x { marker-placement: line; marker-spacing: "log(0 - 1 - [id])" }',
    '#x { marker-placement: line; marker-spacing: 0 }',
  );
});

test('an invalid colour from the data is not drawn and causes no error', async () => {
  const { pixels } = difference(
    (await picture("#x[a=0] { polygon-fill: [name] } #x[a=1] { polygon-fill: 'red' }")).pixels,
    (await picture('#x[a=1] { polygon-fill: red }')).pixels,
  );
  assert.equal(pixels, 0);
  await picture(
    '#x { polygon-fill: [pop]; line-color: [none]; marker-fill: "[name] + \'\\nred\'"; text-name: [name]; text-fill: [digits]; text-halo-fill: [flag] }',
  );
});

test('colours from the data are written in every form that Mapnik reads, and no other', async () => {
  const fill = async (color: string) =>
    (await picture(`#x { polygon-fill: "[type].replace('^.*$', '${color}')" }`)).pixels;
  for (const color of [
    'rgb(1,200,3)',
    'rgb( 255 , 0 , 25 )',
    'rgba(1, 200, 3, 0.5)',
    'rgba(1, 200, 3, .25)',
    'rgba(1, 200, 3, 1)',
    '#0c8',
    '#0c8a',
    '#00Cc88',
    'SteelBlue',
  ]) {
    const constant = (await picture(`#x { polygon-fill: ${color} }`)).pixels;
    assert.equal(difference(await fill(color), constant).pixels, 0, color);
  }
  const empty = (await picture('#x { polygon-fill: transparent }')).pixels;
  for (const color of [
    'rgb(256,0,0)',
    'rgb(1,2)',
    'rgba(1,2,3)',
    'rgba(1,2,3,50%)',
    'RGB(1,2,3)',
    '#12345',
    'rgb(1,2,3)x',
  ])
    assert.equal(difference(await fill(color), empty).pixels, 0, color);
});

test('null, texts and other kinds in every expression are borne', async () => {
  const columns = ['val', 'none', 'name', 'flag', 'digits'];
  for (const column of columns) {
    const c = `[${column}]`;
    await picture(`#x { line-width: ${c}; line-cap: ${c}; line-join: ${c}; line-offset: ${c}; line-smooth: ${c}; line-simplify: ${c}; line-comp-op: ${c}; line-opacity: ${c};
      marker-width: ${c}; marker-transform: rotate(${c}) scale(${c}); marker-placement: ${c}; marker-spacing: ${c}; marker-allow-overlap: ${c};
      polygon-opacity: ${c}; polygon-gamma: ${c}; polygon-gamma-method: ${c}; building-height: ${c};
      text-name: ${c}; text-size: ${c}; text-dx: ${c}; text-wrap-width: ${c}; text-placement: ${c}; text-spacing: ${c}; text-orientation: ${c}; text-halo-radius: ${c}; text-transform: ${c}; text-align: ${c}; text-label-position-tolerance: ${c}; text-character-spacing: ${c} }`);
  }
});
