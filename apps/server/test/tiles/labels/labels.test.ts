import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { fromMercator } from '@cartulary/geo/internal/bbox.js';
import { tileExtent } from '@cartulary/geo/internal/tile.js';
import { PNG } from 'pngjs';
import type { TilePlan } from '../../../src/tiles/plan/plan.js';
import type { TileRequest } from '../../../src/tiles/plan/tile-request.js';
import { beside, colorAt } from '../../pictures/compare.js';
import { numbers } from '../../support/hexagons.js';
import { startServer, type TestServer } from '../../support/server.js';
import { planTile, tileRequest } from '../support.js';

let server: TestServer;
before(async () => {
  server = await startServer({}, 'here');
  await server.admin('POST', '/', { code: 'named', css_style: 'Map { background-color: #fff; }' });
});
after(() => server?.stop());

/** Longitude and latitude of a pixel of the tile. */
function at(x: number, y: number): [number, number] {
  const [west, , east, north] = tileExtent(tileRequest.z, tileRequest.x, tileRequest.y);
  const pixel = (east - west) / 256;
  return fromMercator(west + x * pixel, north - y * pixel);
}

type Properties = Record<string, string | number | null>;
const feature = (geometry: object, properties: Properties): object => ({
  type: 'Feature',
  properties,
  geometry,
});
const point = (x: number, y: number, properties: Properties): object =>
  feature({ type: 'Point', coordinates: at(x, y) }, properties);
const box = (x: number, y: number, half: number): number[][][] => [
  [
    at(x - half, y - half),
    at(x + half, y - half),
    at(x + half, y + half),
    at(x - half, y + half),
    at(x - half, y - half),
  ],
];

/** Makes a layer of the map, or replaces its content. */
async function layer(code: string, features: object[], css_style: string): Promise<number> {
  await server.admin('POST', '/named/layers/', { code });
  await server.admin('POST', `/named/layers/${code}/import/`, { type: 'FeatureCollection', features });
  await server.admin('PATCH', `/named/layers/${code}/`, { css_style });
  return (await server.admin('GET', `/named/layers/${code}/`)).id;
}

const planOf = (own: Partial<TileRequest>): Promise<TilePlan> => planTile(server, 'named', own);

/** Draws some columns of tiles from the tile on, side by side. */
async function drawn(own: Partial<TileRequest>, columns = 1): Promise<Buffer> {
  const { x, y, z, scale } = { ...tileRequest, ...own };
  const { xml, xmlKey, above, bufferSize } = await planOf(own);
  const job = { xml, xmlKey, above, bufferSize: bufferSize * scale, extent: tileExtent(z, x, y, columns) };
  const form = { columns, rows: 1, size: 256 * scale, scale, format: 'png' };
  const tiles = await server.server.services.renderers.render({ ...job, ...form });
  return PNG.sync.write(beside(tiles.map((tile) => Buffer.from(tile))));
}

const kindsOf = async (layers: number[]): Promise<string[]> =>
  (await planOf({ layers })).above.map(({ kind }) => kind);

/** A character that fills its box. */
const block = '█';
const face = 'text-face-name: "DejaVu Sans Book";';

/** The dark ink of two pictures, and the number of clearly different pixels. */
function compared(one: Buffer, other: Buffer): { inks: [number, number]; unlike: number } {
  const [a, b] = [PNG.sync.read(one).data, PNG.sync.read(other).data];
  const inks: [number, number] = [0, 0];
  let unlike = 0;
  for (let i = 0; i < a.length; i += 4) {
    inks[0] += 255 - a[i]!;
    inks[1] += 255 - b[i]!;
    if (Math.abs(a[i]! - b[i]!) > 160) unlike++;
  }
  return { inks: [inks[0] / 255, inks[1] / 255], unlike };
}

type Shape = (x: number, y: number) => object;

const shapes: readonly Shape[] = [
  (x, y) => ({ type: 'Point', coordinates: at(x, y) }),
  (x, y) => ({ type: 'MultiPoint', coordinates: [at(x, y), at(x + 60, y + 40)] }),
  (x, y) => ({ type: 'LineString', coordinates: [at(x, y), at(x + 30, y), at(x + 30, y + 10)] }),
  (x, y) => ({
    type: 'MultiLineString',
    coordinates: [
      [at(x, y), at(x + 9, y)],
      [at(x, y + 60), at(x + 20, y + 70)],
    ],
  }),
  (x, y) => ({ type: 'Polygon', coordinates: [...box(x, y, 9), ...box(x + 3, y + 3, 3)] }),
  (x, y) => ({ type: 'MultiPolygon', coordinates: [box(x, y, 2), box(x + 70, y, 12), box(x, y + 30, 5)] }),
];

/** Objects of all kinds of geometry at random places. */
function scattered(count: number, nameOf: (i: number) => string): object[] {
  const next = numbers(5);
  const random = (): number => Math.round(340 * next()) - 40;
  return Array.from({ length: count }, (_, i) =>
    feature(shapes[i % shapes.length]!(random(), random()), { name: nameOf(i), kind: i % 3 }),
  );
}

let comparisons = 0;

const plainText = (name: string): string => `text-name: ${name}; ${face} text-size: 12; text-fill: #000;`;

/**
 * Compares the labels of a style, at `TEXT` or before it, with those that Mapnik draws. `tolerance`: the share of clearly different pixels. `passes`: over
 * the shapes. `text`: of the labels; `mapnikOnly`: a property that leaves them to Mapnik.
 */
async function comparedWithMapnik(
  features: object[],
  style: string,
  { tolerance = 0.1, passes = 1, text = plainText('[name]'), mapnikOnly = 'text-avoid-edges: false;' } = {},
): Promise<void> {
  const sheet = (text: string): string =>
    style.includes('TEXT') ? style.replace('TEXT', text) : text + style;
  const [own, other] = [`own${++comparisons}`, `mapnik${comparisons}`];
  const ours = await layer(own, features, `#${own} { ${sheet(text)} }`);
  const mapniks = await layer(other, features, `#${other} { ${sheet(`${text} ${mapnikOnly}`)} }`);
  const kinds = Array.from({ length: passes }, () => 'labels');
  assert.deepEqual([await kindsOf([ours]), await kindsOf([mapniks])], [kinds, []], style);
  for (const scale of [1, 2]) {
    const [one, other] = [await drawn({ layers: [ours], scale }), await drawn({ layers: [mapniks], scale })];
    const { inks, unlike } = compared(one, other);
    const said = `${text} ${style} scale ${scale}: ink ${inks.map(Math.round)}, ${unlike} pixels are not alike`;
    assert.ok(inks[1] > 500 && Math.abs(inks[0] / inks[1] - 1) < 0.1, said);
    assert.ok(unlike < inks[1] * tolerance, said);
  }
}

test('labels lie where Mapnik places them, for all kinds of geometry', async () => {
  const features = scattered(400, (i) => `Ärea ${i}`);
  for (const style of ['', 'text-transform: uppercase;', 'text-transform: lowercase;'])
    await comparedWithMapnik(features, style);
});

test('labels and markers of each part of a collection lie where Mapnik places them', async () => {
  const next = numbers(4);
  const features = Array.from({ length: 60 }, (_, i) => {
    const [x, y] = [Math.round(300 * next()) - 20, Math.round(300 * next()) - 20];
    const made = (j: number): object => shapes[j % shapes.length]!(x + 15 * j, y + 9 * j);
    // A single part may have several parts itself.
    const geometries = i % 4 ? [made(i), made(i + 3), made(i + 4)] : [made(3)];
    return feature({ type: 'GeometryCollection', geometries }, { name: `Part ${i}` });
  });
  for (const style of ['', 'text-allow-overlap: true;'])
    await comparedWithMapnik(features, style, { tolerance: 0.15 });
  await comparedWithMapnik(features, 'marker-fill: #333;', { text: '', mapnikOnly: 'marker-clip: false;' });
  const line = (y: number): number[][] => [at(20, y), at(240, y)];
  const geometries = [
    { type: 'LineString', coordinates: line(30) },
    { type: 'MultiLineString', coordinates: [line(70), line(110)] },
    { type: 'Polygon', coordinates: box(120, 190, 40) },
  ];
  const roads = [feature({ type: 'GeometryCollection', geometries }, { name: 'Avenida Sur' })];
  await comparedWithMapnik(roads, 'text-placement: line;', { tolerance: 0.15 });
});

test('texts of several parts are joined as Mapnik joins them', async () => {
  const features = scattered(300, (i) => `No. ${i}`);
  for (const name of [
    "[name] + ' (' + [kind] + ')'",
    "[kind] + '\\n' + [name]",
    "'it\\'s ' + [missing] + [name]",
  ])
    await comparedWithMapnik([...features, point(9, 9, { name: 'x', kind: 1, missing: null })], '', {
      text: plainText(`"${name}"`),
    });
});

test('labels that try several places, keep a distance and are broken into lines lie where Mapnik places them', async () => {
  const names = ['Republic of the Upper Valley', 'São Tomé and Príncipe', 'Oak', 'Bosnia-Herzegovina'];
  const features = scattered(200, (i) => names[i % names.length]!);
  for (const style of [
    'text-placement-type: simple; text-placements: "E,W,N,S,NE,SE,NW,SW"; text-dx: 6; text-dy: 7; text-margin: 2;',
    'text-placement-type: simple; text-placements: "N,S,X,9,7"; text-dx: 3; text-dy: -7; text-min-distance: 4;',
    'text-wrap-width: 60; text-line-spacing: 2;',
    'text-wrap-width: 60; text-wrap-before: true; text-character-spacing: 1.5; text-dy: 5;',
    'text-character-spacing: 3; text-margin: 10;',
    'text-placement: interior; text-wrap-width: 40;',
  ])
    await comparedWithMapnik(features, style);
});

test('properties with the values that they have by themselves change nothing', async () => {
  const names = ['Republic of the Upper Valley', 'Oak', 'Bosnia-Herzegovina'];
  const features = scattered(200, (i) => names[i % names.length]!);
  const unchanged =
    'text-min-padding: 0; text-clip: false; text-largest-bbox-only: true; text-orientation: 0; text-upright: auto; text-smooth: 0;';
  for (const style of [
    `text-wrap-width: 60; text-align: center; text-vertical-alignment: middle; ${unchanged}`,
    'text-dy: 6; text-vertical-alignment: bottom; text-horizontal-alignment: middle; text-comp-op: src-over;',
    'text-dx: -6; text-dy: -3; text-vertical-alignment: top; text-horizontal-alignment: left; text-simplify: 0;',
  ])
    await comparedWithMapnik(features, style);
});

test('labels lie above shapes of every kind', async () => {
  const features = scattered(200, (i) => `Ärea ${i}`);
  for (const style of [
    'line-opacity: 0.1; line-width: [kind]; line-offset: 2;',
    'line-pattern-file: url(star); line-pattern-opacity: 0.1;',
    'polygon-pattern-file: url(star); polygon-pattern-opacity: 0.1;',
    'polygon-fill: #eee; polygon-opacity: 0.2; polygon-comp-op: multiply;',
    'building-fill: #eee; building-fill-opacity: 0.2; building-height: 3;',
  ])
    await comparedWithMapnik(features, style);
});

test('labels keep off markers as Mapnik keeps them', async () => {
  const next = numbers(3);
  const features = Array.from({ length: 150 }, (_, i) =>
    point(400 * next() - 70, 400 * next() - 70, { name: `Stop ${i}`, kind: i % 3 }),
  );
  const free = 'marker-fill: #eee; marker-line-color: #eee; marker-allow-overlap: true;';
  const dot = `${free} marker-line-width: 0;`;
  await comparedWithMapnik(features, `${dot} marker-width: 12; text-dy: 7;`);
  await comparedWithMapnik(features, `${dot} marker-width: 12; TEXT text-dy: 7;`);
  await comparedWithMapnik(features, `${free} TEXT text-dy: 7;`);
  const shaped = scattered(150, (i) => `Stop ${i}`);
  await comparedWithMapnik(shaped, `::dot { ${dot} marker-width: 14; } ::name { TEXT text-dy: 8; }`, {
    passes: 2,
  });
  await comparedWithMapnik(features, `${dot} text-dx: 8; [kind = 1] { marker-width: 30; marker-height: 4; }`);
  await comparedWithMapnik(features, `::dot { ${dot} marker-width: 14; } ::name { TEXT text-dy: 8; }`, {
    passes: 2,
  });
  await comparedWithMapnik(
    features,
    `::dot { ${free} marker-line-width: 16; marker-width: 3; [kind = 2] { marker-width: 20; } }
      ::name { TEXT text-dx: -12; }`,
    { passes: 2 },
  );
});

test('markers that avoid others lie where Mapnik places them', async () => {
  const next = numbers(7);
  const features = Array.from({ length: 400 }, (_, i) =>
    point(400 * next() - 70, 400 * next() - 70, { name: `Stop ${i}`, kind: i % 3 }),
  );
  const shaped = scattered(150, (i) => `Stop ${i}`);
  const dark = 'marker-fill: #333; marker-line-color: #000;';
  for (const style of [
    `${dark} marker-width: 12; text-dy: 7;`,
    `${dark} marker-width: 12; TEXT text-dy: 7;`,
    `${dark} TEXT text-dy: 7; [kind = 1] { marker-width: 24; marker-height: 5; marker-line-width: 4; } [kind = 2] { marker-opacity: 0.4; }`,
  ]) {
    await comparedWithMapnik(features, style);
    await comparedWithMapnik(shaped, style);
  }
  const apart = `::dot { ${dark} marker-width: 14; } ::name { TEXT text-dy: 8; }`;
  await comparedWithMapnik(features, apart, { passes: 2 });
  // Without letters, whose edges differ, hardly a pixel does.
  const alone = { text: '', mapnikOnly: 'marker-clip: false;', tolerance: 0.01 };
  for (const style of [
    dark,
    `${dark} marker-width: 9; marker-line-width: 3; [kind = 2] { marker-width: 15; }`,
  ])
    await comparedWithMapnik(features, style, alone);
  await comparedWithMapnik(shaped, `${dark} marker-multi-policy: each;`, { ...alone, tolerance: 0.1 });
});

test('icons and labels keep off each other as Mapnik keeps them', async () => {
  const next = numbers(8);
  const features = Array.from({ length: 300 }, (_, i) =>
    point(400 * next() - 70, 400 * next() - 70, { name: `Stop ${i}`, kind: i % 3 }),
  );
  const free = 'marker-allow-overlap: true;';
  for (const style of [
    'marker-file: url(star); marker-width: 14; text-dy: 9;',
    'marker-file: url(city); TEXT text-dy: 9; [kind = 1] { marker-file: url(star); marker-width: 60; marker-opacity: 0.6; }',
  ])
    await comparedWithMapnik(features, style);
  await comparedWithMapnik(
    features,
    `::icon { marker-file: url(town-hall); marker-width: 14; marker-fill: #eee; ${free} } ::name { TEXT text-dy: 9; }`,
    { passes: 2 },
  );
  await comparedWithMapnik(features, 'marker-file: url(village); marker-fill: #b55; marker-width: 22;', {
    text: '',
    mapnikOnly: 'marker-clip: false;',
  });
});

/** Lines and areas of several bends at random places. */
function windings(count: number, nameOf: (i: number) => string): object[] {
  const next = numbers(9);
  const winding = (): [number, number][] => {
    let [x, y, angle] = [400 * next() - 70, 400 * next() - 70, 7 * next()];
    return Array.from({ length: 12 }, () => {
      angle += next() - 0.5;
      [x, y] = [x + 14 * Math.cos(angle), y + 14 * Math.sin(angle)];
      return at(x, y);
    });
  };
  const kinds: (() => object)[] = [
    () => ({ type: 'LineString', coordinates: winding() }),
    () => ({ type: 'LineString', coordinates: [at(400 * next() - 70, 0), at(400 * next() - 70, 256)] }),
    () => ({ type: 'MultiLineString', coordinates: [winding(), winding()] }),
    () => ({ type: 'Polygon', coordinates: box(256 * next(), 256 * next(), 60) }),
    () => ({ type: 'Point', coordinates: at(256 * next(), 256 * next()) }),
  ];
  return Array.from({ length: count }, (_, i) => feature(kinds[i % kinds.length]!(), { name: nameOf(i) }));
}

test('labels along lines lie where Mapnik places them', async () => {
  const names = ['High Street', 'Avenida de la Constitución', 'شارع النصر', 'A 7'];
  const features = windings(60, (i) => names[i % names.length]!);
  for (const style of [
    'text-placement: line;',
    'text-placement: line; text-spacing: 80; text-halo-radius: 1; text-halo-fill: #ddd;',
    'text-placement: line; text-spacing: 50; text-max-char-angle-delta: 10; text-margin: 5;',
    'text-placement: line; text-min-distance: 60; text-label-position-tolerance: 30; text-min-path-length: 100;',
    'text-placement: line; text-character-spacing: 2;',
  ])
    await comparedWithMapnik(features, style, { tolerance: 0.15 });
});

test('numbers are written with all their digits, by the renderer and by Mapnik', async () => {
  const counts = [8_804_190, 1_234_567.5, 100_000.1, 0.00012345, -25.5, 1e15];
  const texts = ['8804190', '1234567.5', '100000.1', '0.00012345', '-25.5', '1000000000000000'];
  const features = counts.map((count, i) => point(128, 20 + 40 * i, { count, text: texts[i]!, id: i + 1 }));
  const id = await layer('counts', features, '#counts { line-width: 1; }');
  const picture = async (name: string, rest: string): Promise<Buffer> => {
    const css_style = `#counts { text-name: ${name}; ${face} text-size: 14; text-fill: #000; ${rest} }`;
    await server.admin('PATCH', '/named/layers/counts/', { css_style });
    return drawn({ layers: [id] });
  };
  const byMapnik = 'text-avoid-edges: false;';
  for (const rest of ['', byMapnik])
    assert.deepEqual(await picture('[count]', rest), await picture('[text]', rest));
  for (const [one, other] of [
    ["[count] + ' km'", "[text] + ' km'"],
    ["[count] - [count] + ' km'", "'0 km'"],
    ["[svc_id] + ' km'", "[id] + ' km'"],
  ])
    assert.deepEqual(await picture(`"${one}"`, byMapnik), await picture(`"${other}"`, byMapnik));
});

test('labels across two tiles fit together, in one picture and in two', async () => {
  const features = [20, 60, 100, 140, 180].map((y, i) =>
    point(240 + 5 * i, y + 0.3 * i, { name: `Across the edge ${i}` }),
  );
  const id = await layer(
    'across',
    features,
    `#across { text-name: [name]; ${face} text-size: 14; text-halo-radius: 2; }`,
  );
  for (const scale of [1, 2]) {
    const of = { layers: [id], scale };
    const apart = beside([await drawn(of), await drawn({ ...of, x: tileRequest.x + 1 })]);
    assert.ok(apart.data.equals(PNG.sync.read(await drawn(of, 2)).data), `scale ${scale}`);
  }
});

test('the first rule that matches gives a label its look; without a match there is no label', async () => {
  const rows: [number, string, Properties][] = [
    [30, '#ff0000', { kind: "it's !bbox!", n: 1 }],
    [70, '#0000ff', { kind: 'b', n: 9 }],
    [110, '#00ff00', { kind: 'b', n: 3 }],
    [150, '#ffffff', { kind: 'b', n: null }],
    [190, '#ffffff', { kind: null, n: 9 }],
    [230, '#ff0000', { kind: "it's !bbox!", n: null }],
  ];
  const id = await layer(
    'ruled',
    rows.map(([y, , properties]) => point(128, y, { ...properties, name: block })),
    `#ruled { [kind = "it's !bbox!"] { text-name: [name]; ${face} text-fill: #f00; text-size: 20; }
      [kind = 'b'][n > 5] { text-name: [name]; ${face} text-fill: #00f; text-size: 20; }
      [kind = 'b'][n <= 5] { text-name: [name]; ${face} text-fill: #0f0; text-size: 20; } }`,
  );
  assert.deepEqual(await kindsOf([id]), ['labels']);
  const picture = await drawn({ layers: [id] });
  assert.deepEqual(
    rows.map(([y]) => colorAt(picture, 128, y)),
    rows.map(([, color]) => color),
  );
});

test('labels lie above the shapes of their layer and below the next layer, and avoid labels of other layers', async () => {
  const areas = [40, 90, 140].map((x) =>
    feature({ type: 'Polygon', coordinates: box(x, 60, 40) }, { name: block }),
  );
  const low = await layer(
    'low',
    areas,
    `#low { polygon-fill: #eee; text-name: [name]; ${face} text-fill: #f00; text-size: 20; }`,
  );
  const high = await layer(
    'high',
    [feature({ type: 'Polygon', coordinates: box(90, 60, 20) }, { name: block })],
    `#high { polygon-fill: #0f0; }`,
  );
  const late = await layer(
    'late',
    [point(40, 60, { name: block }), point(200, 60, { name: block })],
    `#late { text-name: [name]; ${face} text-fill: #00f; text-size: 20; }`,
  );
  const picture = await drawn({ layers: [low, high, late] });
  const colors = [40, 90, 140, 200].map((x) => colorAt(picture, x, 60));
  assert.deepEqual(colors, ['#ff0000', '#00ff00', '#ff0000', '#0000ff']);
  assert.deepEqual(await kindsOf([low, high, late]), ['labels', 'map', 'labels']);
  assert.deepEqual(await kindsOf([late, low]), ['labels', 'map', 'labels']);
});

test('Mapnik draws the labels where other symbols look for room', async () => {
  const text = `text-name: [name]; ${face}`;
  const plain = await layer('plain', [point(50, 50, { name: 'x' })], `#plain { ${text} }`);
  const marked = await layer('marked', [point(60, 60, { name: 'x' })], '#marked { marker-width: 9; }');
  const clipped = await layer(
    'clipped',
    [point(60, 60, { name: 'x' })],
    '#clipped { marker-width: 9; marker-clip: true; }',
  );
  const free = 'marker-allow-overlap: true; marker-ignore-placement: true;';
  const freely = await layer(
    'freely',
    [point(60, 60, { name: 'x' })],
    `#freely { marker-width: 9; ${free} }`,
  );
  assert.deepEqual(await kindsOf([plain, clipped]), []);
  assert.deepEqual(await kindsOf([plain, marked]), ['labels', 'labels']);
  assert.deepEqual(await kindsOf([plain, freely]), ['labels', 'map']);
  const shaped = await layer(
    'shaped',
    [feature({ type: 'Polygon', coordinates: box(60, 60, 9) }, { width: 2 })],
    '#shaped { line-width: [width]; polygon-pattern-file: url(star); image-filters: agg-stack-blur(1, 1); }',
  );
  assert.deepEqual(await kindsOf([shaped, plain]), ['labels']);
});

test('a translucent layer with labels is laid over the others as a whole, as by Mapnik', async () => {
  const ground = await layer(
    'ground',
    [feature({ type: 'Polygon', coordinates: box(64, 128, 64) }, { name: 'x' })],
    '#ground { polygon-fill: #08f; }',
  );
  // Apart from each other: Mapnik draws areas over the labels of earlier ones.
  const features = Array.from({ length: 24 }, (_, i) =>
    feature(
      { type: 'Polygon', coordinates: box(20 + 43 * (i % 6), 32 + 64 * Math.floor(i / 6), 18) },
      { name: `Å${i}` },
    ),
  );
  const look = `polygon-fill: #fa0; line-color: #a00; ${plainText('[name]')} text-halo-radius: 2; text-halo-fill: #ff0;`;
  const pictures: Buffer[] = [];
  for (const [code, rest, kinds] of [
    ['whole', '', ['begin-layer', 'map', 'labels', 'end-layer']],
    ['byMapnik', 'text-avoid-edges: false;', []],
  ] as const) {
    const id = await layer(code, features, `#${code} { ${look} ${rest} }`);
    await server.admin('PATCH', `/named/layers/${code}/`, { render_settings: { opacity: 0.4 } });
    assert.deepEqual(await kindsOf([ground, id]), kinds);
    pictures.push(await drawn({ layers: [ground, id] }));
  }
  const [own, mapniks] = pictures.map((picture) => PNG.sync.read(picture).data);
  const far = own!.map((value, i) => Math.abs(value - mapniks![i]!));
  const unlike = far.filter((one) => one > 2).length;
  const most = far.reduce((a, b) => Math.max(a, b));
  // Letters have other edges.
  assert.ok(unlike < far.length / 50 && most < 80, `${unlike} of ${far.length}, ${most}`);
  // Orange over blue and over white.
  assert.deepEqual(
    [8, 212].map((x) => colorAt(pictures[0]!, x, 128 + 32 - 14)),
    [8, 212].map((x) => colorAt(pictures[1]!, x, 128 + 32 - 14)),
  );
});

test('a layer that blends with what lies below it, or cuts it out, does so with labels, on transparent maps too', async () => {
  const below = await layer(
    'below',
    [feature({ type: 'Polygon', coordinates: box(90, 128, 60) }, { name: 'x' })],
    '#below { polygon-fill: #08f; polygon-opacity: 0.5; line-width: 30; line-opacity: 0.5; line-comp-op: dst-out; }',
  );
  const blending = await layer(
    'blending',
    [feature({ type: 'Polygon', coordinates: box(150, 128, 60) }, { name: 'x' })],
    '#blending { polygon-fill: #fa0; polygon-comp-op: multiply; ::b { line-width: 9; line-color: #0a0; comp-op: screen; } }',
  );
  const names = [100, 128, 150].map((y) => point(118, y, { name: block.repeat(2) }));
  const text = `text-name: [name]; ${face} text-size: 14; text-fill: #c33;`;
  const [own, mapniks] = [
    await layer('blended', names, `#blended { ${text} }`),
    await layer('blendedByMapnik', names, `#blendedByMapnik { ${text} text-avoid-edges: false; }`),
  ];
  for (const css_style of ['Map { background-color: #9b6; }', '']) {
    await server.admin('PATCH', '/named/', { css_style });
    const pictures = [own, mapniks].map((id) => drawn({ layers: [below, id, blending] }));
    const [one, other] = (await Promise.all(pictures)).map((picture) => PNG.sync.read(picture).data);
    const far = one!.map((value, i) => Math.abs(value - other![i]!)).filter((value) => value > 2);
    // The edges of letters.
    assert.ok(far.length < 1500, `${css_style} ${far.length}`);
  }
  await server.admin('PATCH', '/named/', { css_style: 'Map { background-color: #fff; }' });
});

test('labels wider than a tile are read with a sufficient margin', async () => {
  const id = await layer(
    'wide',
    [point(-150, 100, { name: block.repeat(24) })],
    `#wide { text-name: [name]; ${face} text-size: 20; text-fill: #000; }`,
  );
  assert.equal(colorAt(await drawn({ layers: [id] }), 5, 100), '#000000');
  const plan = await planOf({ layers: [id] });
  assert.deepEqual([plan.around, plan.bufferSize], [208, 8]);
});
