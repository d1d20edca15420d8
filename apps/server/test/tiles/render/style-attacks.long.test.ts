import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { properties } from '@cartulary/cartocss/internal/properties.js';
import { refused } from '@cartulary/cartocss/test/attacks.js';
import { corpus } from '@cartulary/cartocss/test/corpus.js';
import { featuresAt } from '@cartulary/cartocss/test/features.js';
import { mutate, tame } from '@cartulary/cartocss/test/mutations.js';
import { styleWith, valuesOf } from '@cartulary/cartocss/test/property-styles.js';
import { pick, randomNumbers, randomStyle, randomWideStyle } from '@cartulary/cartocss/test/random-styles.js';
import type { Feature, Geometry, Position } from 'geojson';
import sharp from 'sharp';
import { rounds } from '../../support/rounds.js';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';
import { type Canary, namesOf, startCanary } from './canary.js';

/** Malicious and random styles, sent to the service as users send them. */
let server: TestServer;
let canary: Canary;
let names: string[];
let pids: number[];
let layerId: number;
const layer = '/attacks/layers/x/';

before(async () => {
  canary = await startCanary();
  // Without caches every picture is drawn, one tile at a time.
  server = await startServer({ CARTULARY_TILE_CACHE: '0', CARTULARY_RENDER_TIMEOUT: '20000' }, 'here');
  const { dataFolder } = server.server.services.config;
  const maki = join(dirname(createRequire(import.meta.url).resolve('@mapbox/maki/package.json')), 'icons');
  names = namesOf(canary, [maki, process.cwd(), join(dataFolder, 'icons')]);
  await server.admin('POST', '/', { code: 'attacks', css_style: 'Map { background-color: #eee; }' });
  layerId = (await server.admin('POST', '/attacks/layers/', { code: 'x' })).id;
  await server.admin('POST', `${layer}import/`, { type: 'FeatureCollection', features: features() });
  await upload(
    'stripe',
    await readFile(new URL('../../../../../../packages/cartocss/test/fixtures/stripe.svg', import.meta.url)),
  );
  // The renderer has started.
  await picture(tileAt(5, 16, 16));
  pids = server.server.services.renderers.processes();
});
after(async () => {
  await server?.stop();
  await canary?.close();
});

/** The features of the style tests, at zoom level 5 north-east of 0, 0; `path` names the canary. */
function features(): Feature[] {
  const degrees = ([x, y]: Position): Position => [
    (x! / 6_378_137) * (180 / Math.PI),
    Math.atan(Math.sinh(y! / 6_378_137)) * (180 / Math.PI),
  ];
  const moved = (coordinates: any): any =>
    typeof coordinates[0] === 'number' ? degrees(coordinates) : coordinates.map(moved);
  return featuresAt(5).map(({ geometry, properties: all, ...rest }) => ({
    ...rest,
    properties: { ...all, имя: undefined, path: canary.file },
    geometry: { ...geometry, coordinates: moved((geometry as any).coordinates) } as Geometry,
  }));
}

const upload = (name: string, body: Buffer | string): Promise<TestAnswer> =>
  server.request('PUT', `/icons/${encodeURIComponent(name)}/`, {
    token: server.adminToken,
    body,
    headers: { 'content-type': 'image/svg+xml', accept: 'application/json' },
  });
const ask = (method: string, path: string, body?: unknown): Promise<TestAnswer> =>
  server.request(method, path, {
    token: server.adminToken,
    body,
    headers: { accept: 'application/json' },
  });

const tileAt = (z: number, x: number, y: number): string =>
  `//tms/demo/attacks/?z=${z}&x=${x}&y=${y}&layers=${layerId}`;

/** The colour of the canary: 255, 0, 255, 255. */
const magenta = 0xffff00ff;

/** Requests a picture, asserts 200 and a PNG; returns whether it contains the canary's colour. */
async function picture(path: string, about = ''): Promise<boolean> {
  const { status, bytes, text } = await ask('GET', path);
  assert.equal(status, 200, `${path}: ${text}\n${about}`);
  const { buffer, byteOffset, length } = await sharp(bytes).ensureAlpha().raw().toBuffer();
  return new Uint32Array(buffer, byteOffset, length / 4).includes(magenta);
}

/** Requests everything that a layer shows: tiles, icons, legend pictures. */
async function showAll(about: string, path = layer): Promise<boolean> {
  const found = [
    await picture(tileAt(5, 16, 16), about),
    await picture(`${tileAt(2, 2, 2)}&retina=2&q=1`, about),
    await picture(`${path}icon/?size=48`, about),
  ];
  const legend = await ask('GET', `${path}legend/`);
  if (legend.status === 404) return found.includes(true);
  assert.equal(legend.status, 200, `${legend.text}\n${about}`);
  for (const { swatch } of legend.json.classificators.slice(0, 4))
    found.push(await picture(`${swatch.replace('/api/2.8/demo', '')}?size=24`, about));
  return found.includes(true);
}

/** Codes of refusals that name the problem. */
const told = ['style_invalid', 'bad_request', 'column_invalid', 'too_large'];

/** Sends settings of the layer and requests its pictures; returns whether they were refused, drawn, or show the canary. */
async function attempt(body: object): Promise<'refused' | 'drawn' | 'canary'> {
  const about = JSON.stringify(body).slice(0, 1_000);
  const answer = await ask('PUT', layer, body);
  if (answer.status !== 200) {
    assert.ok(told.includes(answer.json?.code), `${answer.text}\n${about}`);
    assert.ok(!answer.text.includes(server.server.services.config.dataFolder), answer.text);
    return 'refused';
  }
  return (await showAll(about)) ? 'canary' : 'drawn';
}

/** Asserts that nothing was read or called, no renderer ended, and the service is ready. */
async function assertUnharmed(): Promise<void> {
  assert.deepEqual(await canary.touched(), []);
  assert.deepEqual(server.server.services.renderers.processes(), pids, 'the renderers are the same');
  assert.equal((await ask('GET', '//readyz')).status, 200);
}

const css = (css_style: string): object => ({ css_style });

test('attacks in CartoCSS are refused with a reason', async () => {
  for (const [style] of refused) assert.equal(await attempt(css(style)), 'refused', style.slice(0, 300));
  await assertUnharmed();
});

test('files and addresses are no icons, in any property that takes one', async () => {
  const taking = [...properties.values()].filter(({ type }) => type.kind === 'icon');
  assert.ok(taking.length >= 5);
  for (const [i, name] of names.entries()) {
    const property = taking[i % taking.length]!;
    const text = JSON.stringify(name);
    for (const value of [`url(${name})`, `url(${text})`, text])
      assert.notEqual(await attempt(css(styleWith(property, value))), 'canary', `${property.name}: ${value}`);
    assert.equal(await attempt(css(styleWith(property, `url(${text})`))), 'refused', name);
  }
  await assertUnharmed();
});

test('icon names reach no files, and uploaded icons load nothing', async () => {
  for (const name of names) {
    const { text, json } = await upload(
      name,
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    );
    assert.ok(['code_invalid', 'not_found', 'bad_request'].includes(json?.code), `${name}: ${text}`);
  }
  const drawings = names.slice(0, 16).flatMap((name) => {
    const text = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
    return [
      `<image width="9" height="9" xlink:href="${text}"/><use href="${text}#a"/>`,
      `<style>@import url("${text}"); rect { fill: url("${text}#a"); }</style><rect width="9" height="9" style="fill:url(${text}#b)"/>`,
    ];
  });
  const entity = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${canary.file}">]>`;
  let taken = 0;
  for (const [i, content] of ['&x;', ...drawings].entries()) {
    const svg = `${i ? '' : entity}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">${content}<circle cx="4" cy="4" r="3"/></svg>`;
    const name = `attack${i}`;
    const { status } = await upload(name, svg);
    if (status !== 200) assert.ok(status >= 400 && status < 500, `${content}: ${status}`);
    else {
      taken += 1;
      assert.equal(
        await attempt(css(`#x { marker-file: url(${name}); marker-width: 40; }`)),
        'drawn',
        content,
      );
      assert.equal((await ask('DELETE', `/icons/${name}/?force=1`)).status < 500, true);
    }
  }
  assert.ok(taken < drawings.length, 'what is refused is refused here');
  await assertUnharmed();
});

test('every property, and random styles, are drawn or refused with a reason', async () => {
  const random = randomNumbers(4);
  const all = [...properties.values()].filter(({ symbolizer }) => symbolizer !== 'map');
  const styles = [
    ...all.map((property) => styleWith(property, pick(random, valuesOf(property)))),
    ...Array.from({ length: rounds(12) }, () => mutate(random, pick(random, corpus).style)),
    ...Array.from({ length: rounds(16) }, () => tame(random, tame(random, pick(random, corpus).style))),
    ...Array.from({ length: rounds(10) }, () => randomStyle(random, false)),
    ...Array.from({ length: rounds(2) }, () => randomWideStyle(random)),
  ];
  const outcomes = { refused: 0, drawn: 0, canary: 0 };
  for (const style of styles) outcomes[await attempt(css(style))] += 1;
  assert.ok(outcomes.refused > 15 && outcomes.drawn > 150, JSON.stringify(outcomes));
  await assertUnharmed();
});

/** Texts that try to escape from CartoCSS, XML or SQL, and wrong values. */
const texts = [
  'red; marker-file: url(star)',
  '#fff; } Map { background-color: red; } #x {',
  '"/><Layer name="y">',
  "'; drop table cartulary.account; --",
  '[path]',
  'url(star)',
  '#ff00ff00ff',
  'rgb(1,2,3); line-width: 900',
  'constructor',
  '\u0000',
];
const values: unknown[] = [...texts, 1e308, -1, [], {}, true, [null], { toString: 1 }];

/** Copies of an object with a wrong value in one place. */
function* spoiled(whole: object, at: (place: number) => unknown[]): Generator<object> {
  const places = (value: unknown, path: string[] = []): string[][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) => [[...path, key], ...places(one, [...path, key])])
      : [];
  for (const [i, path] of places(whole).entries())
    for (const value of at(i)) {
      const copy = structuredClone(whole) as any;
      path.slice(0, -1).reduce((one, key) => one[key], copy)[path.at(-1)!] = value;
      yield copy;
    }
}
const two = (place: number): unknown[] => [
  values[place % values.length],
  values[(place * 7 + 3) % values.length],
];

test('malicious simple styles are refused or drawn as plain values', async () => {
  const simpleStyle = {
    fill: '#00ff00',
    fillOpacity: 1,
    stroke: '#000000',
    strokeWidth: 1,
    strokeDash: [1, 2],
    marker: { shape: 'star', icon: 'cafe', size: 20, color: '#0000ff', stroke: '#ffffff', strokeWidth: 1 },
    label: {
      column: 'name',
      font: 'DejaVu Sans Bold',
      size: 12,
      color: '#333333',
      halo: '#ffffff',
      minZoom: 1,
    },
  };
  assert.equal(await attempt({ simpleStyle }), 'drawn');
  for (const one of spoiled(simpleStyle, two)) assert.notEqual(await attempt({ simpleStyle: one }), 'canary');
  for (const name of names) {
    const marker = { ...simpleStyle.marker, icon: name };
    assert.equal(await attempt({ simpleStyle: { ...simpleStyle, marker } }), 'refused', name);
  }
  await assertUnharmed();
});

test('malicious visualizations are refused or drawn as plain values, legends too', async () => {
  const borders = { borderSettings: { color: '#ffffff', width: 1, pattern: 'dash', opacity: 1 } };
  const labels = {
    showText: true,
    textSettings: {
      column: 'name',
      fontFamily: 'DejaVu Sans Book',
      fontColor: '#333333',
      haloColor: '#ffffff',
    },
  };
  const kinds: Record<string, unknown>[] = [
    { type: 1, columnCode: 'pop', classesSettings: { minColor: '#ffffff', midColor: null, limits: [0, 10, 99] }, ...borders, ...labels },
    { type: 2, columnCode: 'type', classesSettings: { classes: [{ value: 'road', color: '#ff0000', icon: 'cafe', useIcon: true }] }, legendNames: [{ en: 'x' }] },
    { type: 3, columnCode: 'pop', classesSettings: { pointSizeMin: 4, pointSizeMax: 40, color: '#e6550d', icon: 'star', useIcon: true } },
    { type: 4, classesSettings: { columns: [{ code: 'a', color: '#ff0000' }, { code: 'b' }], sizeType: 3, sizeColumnCode: 'pop' } },
    { type: 5, classesSettings: { columns: [{ code: 'a', label: 'A' }, { code: 'val' }], showScale: true } },
    { type: 6, classesSettings: { columns: [{ code: 'a' }, { code: 'b' }, { code: 'c' }] } },
    { type: 7, classesSettings: { useWeight: true, useWeightField: 'pop', colors: ['#ffff00', '#ff0000'] } },
  ]; // biome-ignore format: a table
  for (const whole of kinds) {
    assert.equal(await attempt({ visualSettings: whole }), 'drawn', JSON.stringify(whole));
    const once = (place: number): unknown[] => two(place + Number(whole.type)).slice(0, 1);
    for (const one of spoiled(whole, once)) assert.notEqual(await attempt({ visualSettings: one }), 'canary');
  }
  for (const name of names)
    for (const type of [2, 3]) {
      const look = { icon: name, useIcon: true };
      const classesSettings = type === 2 ? { classes: [{ value: 'road', ...look }] } : look;
      const columnCode = type === 2 ? 'type' : 'pop';
      assert.equal(await attempt({ visualSettings: { type, columnCode, classesSettings } }), 'refused', name);
    }
  await server.admin('PATCH', layer, { visualSettings: null });
  await assertUnharmed();
});

test('styles of maps and render settings change only their own properties', async () => {
  await server.admin('PUT', layer, css('#x { line-width: 2; marker-width: 9; }'));
  const maps = [
    ...names.map((name) => `Map { background-image: url(${JSON.stringify(name)}); }`),
    ...texts.map((text) => `Map { background-color: ${text}; }`),
    `Map { base: "${dirname(canary.file)}"; font-directory: "/"; srs: "+init=epsg:1 +nadgrids=${canary.file}"; }`,
    '#x { line-width: 3; }',
    'Map { buffer-size: 1e9; }',
  ];
  for (const style of maps) {
    const answer = await ask('PATCH', '/attacks/', css(style));
    if (answer.status !== 200) assert.ok(told.includes(answer.json?.code), `${style}: ${answer.text}`);
    assert.equal(await picture(tileAt(5, 16, 16), style), false);
  }
  const settings = { minZoom: 1, maxZoom: 20, opacity: 0.5, buffer: 20, cache: true };
  for (const path of [layer, '/attacks/'])
    for (const render_settings of [
      settings,
      ...spoiled(settings, () => [...values, 1e9, -0.1, 0.1, 1e-300]),
    ]) {
      const answer = await ask('PATCH', path, { render_settings });
      if (answer.status !== 200) assert.ok(told.includes(answer.json?.code), answer.text);
      else await picture(tileAt(5, 16, 16), JSON.stringify(render_settings));
    }
  await assertUnharmed();
});

test('the style of an image reaches nothing but the image', async () => {
  const random = randomNumbers(9);
  const code = freshCode('r');
  const { id } = await server.admin('POST', '/attacks/layers/', { code, type: 'raster' });
  const pixels = Uint8Array.from({ length: 60 * 60 * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * 7) % 256));
  const image = sharp(pixels, { raw: { width: 60, height: 60, channels: 4 } });
  const path = `/attacks/layers/${code}/`;
  const sent = await server.request('POST', `${path}import/?raster_bbox=BOX(0 0,20 20)`, {
    token: server.adminToken,
    body: await image.png().toBuffer(),
    headers: { 'x-filename': 'image.png', 'content-type': 'application/octet-stream' },
  });
  assert.equal(sent.status, 200, sent.text);
  const own = [...properties.values()].filter(({ symbolizer }) => symbolizer === 'raster');
  assert.ok(own.length > 5);
  const styles = own.flatMap((property) => [
    ...valuesOf(property).map((value) => styleWith(property, value)),
    ...[pick(random, texts), pick(random, names)].map((value) => styleWith(property, value)),
    styleWith(property, `url(${JSON.stringify(canary.file)})`),
  ]);
  for (const style of styles) {
    const answer = await ask('PATCH', path, css(style.replace('#x', `#${code}`)));
    if (answer.status !== 200) assert.ok(told.includes(answer.json?.code), `${style}: ${answer.text}`);
    await picture(`//tms/demo/attacks/?z=5&x=16&y=16&layers=${id}`, style);
    await picture(`${path}icon/`, style);
  }
  await assertUnharmed();
});
