import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { checkLayerStyle, compileLayerStyle, mapXml, type StyleLayer } from '../../src/styles/compile.js';
import { startDrawer } from './draw.js';
import { datasourceAt, extentAt, size } from './features.js';
import { difference, icons, options, ourXml } from './support.js';

const drawer = startDrawer();
after(() => drawer.close());

const picture = (style: string, zoom = 8) =>
  drawer.draw({ extent: extentAt(zoom), size, scale: 1, strict: true, xml: ourXml(style, zoom) });
const bare: StyleLayer = { code: 'x', classes: [], columns: undefined };

/** Style → what its first problem says. */
const refused: [style: string, message: RegExp][] = [
  // Files and addresses.
  ['#x { marker-file: url(/etc/passwd) }', /unknown icon/],
  ['#x { marker-file: url(../../star.svg) }', /unknown icon/],
  ['#x { marker-file: url(http://example.org/a.svg) }', /unknown icon/],
  ['#x { marker-file: url("file:///etc/passwd") }', /unknown icon/],
  ['#x { marker-file: [name] }', /takes the name of an icon/],
  ['#x { marker-file: "[name]" }', /unknown icon/],
  ['#x { marker-file: url(shape://ellipse) }', /unknown icon/],
  ['#x { marker-file: url(constructor) }', /unknown icon/],
  ['#x { marker-file: url(__proto__) }', /unknown icon/],
  ['#x { polygon-pattern-file: url(/tmp/a.png) }', /unknown icon/],
  ['#x { line-pattern-file: url(/tmp/a.png) }', /unknown icon/],
  ['#x { point-file: url(/tmp/a.png) }', /unknown icon/],
  ['#x { shield-file: url(/tmp/a.png) }', /unknown icon/],
  ['@import url(other.mss);', /@import is not part of CartoCSS/],
  ['Map { font-directory: url(/tmp) }', /Map has no property font-directory/],
  ['Map { base: "/tmp" }', /Map has no property base/],
  ['Map { background-image: url(/etc/passwd) }', /Map has no property background-image/],
  ['Map { srs: "+proj=longlat" }', /Map has no property srs/],
  // Text that would leave its place in the XML.
  ['#x { marker-file: url(\'x"/></Rule></Style><Layer name="y">\') }', /unknown icon/],
  ["#x { line-cap: 'x\"/></Rule>' }", /unexpected '"' in the expression/],
  ['#x { text-face-name: "a\\"/><Font face-name=\\"b" ; text-name: [name] }', /unknown font/],
  ['#x { text-placements: "N\\"/>" }', /is no value of text-placements/],
  ['#x { [name]/line-width: 3 }', /unexpected '\]' in a filter/],
  ['#x { text-name: "[a]\u0001" }', /U\+0001 is not allowed/],
  ['#x { text-name: "[na\\u0000me]" ; [name="\\u0000"] { line-width: 1 } }', /no column|cannot be compared/],
  // What Mapnik cannot bear.
  ['#x { line-dasharray: -1, .5 }', /line-dasharray must be from 0 to 1000/],
  ['#x { line-dasharray: 0, 0 }', /too short/],
  ['#x { line-dasharray: 0.001, 0.001 }', /too short/],
  [
    '#x { text-name: [name]; text-halo-radius: 1000; text-halo-rasterizer: fast }',
    /text-halo-radius must be from 0 to 20/,
  ],
  ['#x { polygon-pattern-file: url(star); polygon-pattern-transform: scale(.05) }', /scale\(\) is no value/],
  [
    '#x { polygon-pattern-file: url(star); polygon-pattern-transform: matrix(.01,0,0,.01,0,0) }',
    /matrix\(\) is no value/,
  ],
  [
    '#x { polygon-pattern-file: url(star); polygon-pattern-transform: "scale(.05)" }',
    /scale\(\) is no value/,
  ],
  [
    '#x { line-pattern-file: url(star); line-pattern-transform: rotate(3) scale(.05) }',
    /scale\(\) is no value/,
  ],
  [
    '#x { line-geometry-transform: scale(1000000); line-dasharray: 1, 1 }',
    /scale\(\) must be from -10 to 10/,
  ],
  ['#x { line-geometry-transform: scale(10) scale(10) scale(10) scale(10) }', /too many transforms/],
  [
    '#x { text-name: [name]; text-placement: grid; text-grid-cell-width: .01; text-grid-cell-height: .01 }',
    /text-grid-cell-width must be/,
  ],
  ['#x { raster-mesh-size: 0 }', /raster-mesh-size must be/],
  ['#x { image-filters: agg-stack-blur(1000, 1000) }', /agg-stack-blur\(\) must be from 0 to 100/],
  ['#x { marker-width: 1e300 }', /marker-width must be from 0 to 1000/],
  ['#x { marker-width: 1e999 }', /too large/],
  ['#x { text-name: [name]; text-size: 100000 }', /text-size must be/],
  ["#x[name =~ '(a+)+$'] { line-width: 1 }", /repeated group/],
  ["#x[name =~ '(a|a)*$'] { line-width: 1 }", /repeated group/],
  ["#x[name =~ '(.*)(.*)(.*)(.*)x'] { line-width: 1 }", /open repetitions/],
  ["#x[name =~ 'a?a?a?a?a?a?a?a?a?a?a?a?a?a?b'] { line-width: 1 }", /optional parts/],
  ["#x[name =~ '(?=a)b'] { line-width: 1 }", /not supported/],
  ["#x[name =~ '(a)\\1'] { line-width: 1 }", /not supported/],
  ["#x[name =~ 'a{1,5000}'] { line-width: 1 }", /count/],
  ["#x[name =~ '(?R)'] { line-width: 1 }", /not supported/],
  ["#x[name =~ '['] { line-width: 1 }", /not closed/],
  ["#x { text-name: \"[name].replace('(a+)+b', '')\" }", /repeated group/],
  ['#x[pop > 9007199254740993] { line-width: 1 }', /cannot be compared/],
  // What a compiler cannot bear.
  ['@a: @b; @b: @a; #x { line-width: @a }', /defined by itself/],
  ['@a: @a + 1; #x { line-width: @a }', /defined by itself/],
  [`#x { line-width: ${'('.repeat(5000)}1${')'.repeat(5000)} }`, /nested deeper/],
  [`#x { ${'[a=1] { '.repeat(100)} line-width: 1; ${'}'.repeat(100)} }`, /nested deeper/],
  [`#x { text-name: "${'('.repeat(500)}[name]${')'.repeat(500)}" }`, /nested too deeply/],
  [`#x { line-width: ${'1 + '.repeat(5000)} 1 }`, /calculation is too long/],
  [`#x { text-name: "${'[name] + '.repeat(400)} [name]" }`, /too long/],
  [
    `@a0: 'x'; ${Array.from({ length: 40 }, (_, i) => `@a${i + 1}: @a${i} + @a${i};`).join(' ')} #x { text-name: @a40 }`,
    /too large/,
  ],
  [
    `@a0: [name]; ${Array.from({ length: 40 }, (_, i) => `@a${i + 1}: @a${i} + @a${i};`).join(' ')} #x { text-name: @a40 }`,
    /too large/,
  ],
  [
    `@a0: 1, 2; ${Array.from({ length: 40 }, (_, i) => `@a${i + 1}: @a${i}, @a${i};`).join(' ')} #x { line-dasharray: @a40 }`,
    /too long|too large/,
  ],
  [
    `${Array.from({ length: 3000 }, (_, i) => `@a${i}: @a${i + 1};`).join(' ')} @a3000: 1; #x { line-width: @a0 }`,
    /too many variables lean/,
  ],
  [
    `#x { ${Array.from({ length: 14 }, (_, i) => `[c${i}=1] { line-${['color: red', 'width: 2', 'opacity: .5', 'cap: round', 'join: round', 'gamma: .5', 'offset: 3', 'smooth: .5', 'simplify: 1', 'clip: true', 'miterlimit: 3', 'rasterizer: full', 'dasharray: 3,3', 'dash-offset: 1'][i]} }`).join(' ')} }`,
    /too many rules/,
  ],
  [
    `${Array.from({ length: 12 }, (_, i) => `[a${i}=1],[b${i}=1],[c${i}=1] { `).join('')} line-width: 1 ${'}'.repeat(12)}`,
    /too many selectors/,
  ],
  [`#x${Array.from({ length: 3000 }, (_, i) => `[c${i}=1]`).join('')} { line-width: 1 }`, /too many filters/],
  ['#x { line-width: 1 }'.padEnd(300_000), /too long/],
];

test('every attack is refused, and told', () => {
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
  // A bracket in a column's name cannot be written.
  assert.ok(checkLayerStyle(style, own).length > 0);
  const good = style.replace('[CDATA[', 'CDATA');
  const compiled = compileLayerStyle(good, own, { icons });
  const xml = mapXml({
    layers: [{ name: nasty, srs: 'epsg:3857', datasource: datasourceAt(8), compiled }],
    bufferSize: 64,
    backgroundColor: '#ffffff',
  });
  assert.equal(xml.match(/<Layer/g)?.length, 1);
  await drawer.draw({ extent: extentAt(8), size, scale: 1, strict: true, xml });
});

test('expressions are held in the range of their property', async () => {
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
  // The logarithm of a negative number is no number: as a spacing it would hang Mapnik.
  await same(
    '#x { marker-placement: line; marker-spacing: "log(0 - 1 - [id])" }',
    '#x { marker-placement: line; marker-spacing: 0 }',
  );
});

test('a colour of the data that is none is not drawn and harms nothing', async () => {
  const { pixels } = difference(
    (await picture("#x[a=0] { polygon-fill: [name] } #x[a=1] { polygon-fill: 'red' }")).pixels,
    (await picture('#x[a=1] { polygon-fill: red }')).pixels,
  );
  assert.equal(pixels, 0);
  await picture(
    '#x { polygon-fill: [pop]; line-color: [none]; marker-fill: "[name] + \'\\nred\'"; text-name: [name]; text-fill: [digits]; text-halo-fill: [flag] }',
  );
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
