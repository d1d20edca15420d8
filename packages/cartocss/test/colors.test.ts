import assert from 'node:assert/strict';
import test from 'node:test';
import { compileLayerStyle } from '../src/compile.js';
import { cartoXml } from './carto.js';
import { pick, type Random, randomNumbers } from './random-styles.js';
import { layer } from './support.js';

const whole = (random: Random, most: number): number => Math.floor(random() * (most + 1));

/**
 * A random colour. `depth`: levels of nested functions. `perceptual`: with HSLuv, for which carto does not clamp the channels
 * of a sum.
 */
function randomColor(random: Random, depth: number, perceptual: boolean): string {
  const hex = (): string => `#${whole(random, 0xffffff).toString(16).padStart(6, '0')}`;
  if (depth === 0)
    return pick(random, [
      hex,
      () => `#${hex().slice(1, 4)}`,
      () => pick(random, ['red', 'navy', 'gray', 'tan']),
    ])();
  const inner = (): string => randomColor(random, depth - 1, perceptual);
  const standard = (): string => randomColor(random, depth - 1, false);
  const suffix = (): string => (perceptual ? pick(random, ['', 'p']) : '');
  const percent = (): string => `${whole(random, 100)}%`;
  return pick(random, [
    () => `rgb(${whole(random, 255)}, ${whole(random, 255)}, ${whole(random, 255)})`,
    () => `hsl(${whole(random, 360)}, ${percent()}, ${percent()})`,
    () => `${perceptual ? 'hsluv' : 'hsl'}(${whole(random, 360)}, ${percent()}, ${percent()})`,
    () =>
      `${pick(random, ['lighten', 'darken', 'saturate', 'desaturate'])}${suffix()}(${inner()}, ${percent()})`,
    () => `spin(${inner()}, ${whole(random, 720) - 360})`,
    () => `mix(${inner()}, ${inner()}, ${percent()})`,
    () => `greyscale${suffix()}(${inner()})`,
    () => `(${standard()} ${pick(random, ['+', '-', '*'])} ${standard()})`,
    () => `(${standard()} ${pick(random, ['*', '/'])} ${1 + whole(random, 30) / 10})`,
    inner,
  ])();
}

const fillsOf = (xml: string): string[] =>
  [...xml.matchAll(/<PolygonSymbolizer fill="([^"]*)"/g)].map((match) => match[1] as string);

test('colours equal those of carto exactly', () => {
  const random = randomNumbers(3);
  const colors = Array.from({ length: 1500 }, (_, i) => randomColor(random, i % 4, true));
  const style = `#x { ${colors.map((color, i) => `i${i}/polygon-fill: ${color};`).join('\n')} }`;
  const ours = fillsOf(compileLayerStyle(style, layer).styles[0]?.xml ?? '');
  const theirs = fillsOf(cartoXml(style, { type: 'geojson', inline: '{}' }, ''));
  assert.equal(ours.length, colors.length);
  for (const [i, color] of colors.entries()) assert.equal(ours[i], theirs[i], color);
});

test('transparency is kept to four decimals, where carto keeps two', () => {
  const style = '#x { polygon-fill: fadeout(red, 33.3%); b/polygon-fill: rgba(1, 2, 3, .25); }';
  assert.deepEqual(fillsOf(compileLayerStyle(style, layer).styles[0]?.xml ?? ''), [
    'rgba(255, 0, 0, 0.667)',
    'rgba(1, 2, 3, 0.25)',
  ]);
  assert.deepEqual(fillsOf(cartoXml(style, {}, '')), ['rgba(255, 0, 0, 0.67)', 'rgba(1, 2, 3, 0.25)']);
});

test('colours that carto cannot write or computes wrongly', () => {
  const cases: [written: string, fill: string][] = [
    ['#f008', 'rgba(255, 0, 0, 0.5333)'],
    ['#11223380', 'rgba(17, 34, 51, 0.502)'],
    ['rgb(100%, 50%, 0)', '#ff8000'],
    ['Red', '#ff0000'],
    ['husl(200, 80%, 50%)', '#378287'],
    ['tint(#000, 50%)', '#808080'],
    ['shade(#fff, 25%)', '#bfbfbf'],
    ['hsl(hue(hsluv(200, 80%, 50%)), saturation(red), lightness(red))', '#00eeff'],
    ['fadein(rgba(1, 2, 3, 0.5), 80%)', '#010203'],
    ['fade(#010203, 40%)', 'rgba(1, 2, 3, 0.4)'],
    ['fade(rgba(1, 2, 3, 0.2), 100%)', '#010203'],
    ['transparent', 'rgba(0, 0, 0, 0)'],
  ];
  for (const [written, fill] of cases) {
    const xml = compileLayerStyle(`#x { polygon-fill: ${written} }`, layer).styles[0]?.xml ?? '';
    assert.deepEqual(fillsOf(xml), [fill], written);
  }
});
