import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tileExtent } from '@cartulary/geo/internal/tile.js';
import type { RenderJob, SmallFeaturePass } from '@cartulary/renderer/internal/messages.js';
import { decodeChunk } from '@cartulary/renderer/internal/small-features/chunk.js';
import { join, sql } from '@cartulary/sql/internal/sql.js';
import type { Geometry, Position } from 'geojson';
import sharp from 'sharp';
import { smallFeatureIndex, smallFeatureLevel } from '../../src/layers/indexes/small-feature-index.js';
import { layerTable } from '../../src/layers/layers.js';
import { SmallFeatureLayers } from '../../src/tiles/small-features/layers.js';
import { numbers } from '../support/hexagons.js';
import { startServer, type TestServer } from '../support/server.js';
import { freshDrawer, type Place, served, watchDrawings } from './cache/kept-support.js';

/** Degrees per pixel at zoom level 3, where the objects of these tests are large or small. */
const pixel = 360 / 256 / 8;
const tile: Place = [3, 4, 3];
const style = `#objects {
  [kind = 'wood'] { polygon-fill: #2a2; polygon-opacity: 0.8; line-width: 0.5; line-color: #050; }
  [kind = 'road'][n > 50] { line-width: 1.5; line-color: #a22; }
  [kind = 'road'][n <= 50] { line-width: 1; line-color: #22a; }
  [kind = 'spot'] { marker-width: 4; marker-fill: #fa0; marker-allow-overlap: true; }
}`;

const shapes: Record<string, (x: number, y: number, size: number) => Geometry> = {
  wood: (x, y, size) => ({
    type: 'Polygon',
    coordinates: [
      [
        [x - size / 2, y],
        [x, y - size / 3],
        [x + size / 2, y],
        [x, y + size / 3],
        [x - size / 2, y],
      ],
    ],
  }),
  road: (x, y, size) => ({
    type: 'LineString',
    coordinates: [
      [x - size / 2, y - size / 3],
      [x + size / 2, y + size / 3],
    ],
  }),
  spot: (x, y) => ({ type: 'Point', coordinates: [x, y] }),
};

/** Objects of all kinds in and around the tile, most of them smaller than a pixel; smaller ones lie above. */
function makeObjects(count: number): { geom: Geometry; fields: { kind: string; n: number } }[] {
  const next = numbers(7);
  for (let k = 0; k < 3; k++) next();
  const kinds = Object.keys(shapes);
  return Array.from({ length: count }, (_, i) => {
    const kind = kinds[i % kinds.length]!;
    const size = pixel * (i < 75 ? 12 * next() : 0.9 * (1 - i / count));
    return {
      geom: shapes[kind]!(-5 + 55 * next(), -5 + 50 * next(), size),
      fields: { kind, n: Math.floor(100 * next()) },
    };
  });
}

let server: TestServer;
let drawings: RenderJob[];
before(async () => {
  server = await startServer(
    {
      CARTULARY_SMALL_FEATURES_FROM: '1000',
      CARTULARY_TILES_TOGETHER: '1',
      // Enough on a busy machine.
      CARTULARY_RENDER_TIMEOUT: '60000',
      CARTULARY_RENDER_WAIT: '60000',
    },
    'here',
  );
  drawings = watchDrawings(server);
  await makeLayer('plain', style);
});
after(() => server?.stop());

async function makeLayer(map: string, css_style: string, objects = makeObjects(3000)): Promise<void> {
  const { admin } = server;
  const id = await makeEmpty(map, css_style);
  for (let i = 0; i < objects.length; i += 1000)
    await admin('POST', `/${map}/layers/objects/objects/batch/`, {
      create: objects.slice(i, i + 1000),
    });
  await server.server.services.db.transaction((tx) => tx.query(sql`analyze ${layerTable(id)}`));
}

/** Makes a map with an empty layer; returns its id. */
async function makeEmpty(map: string, css_style: string): Promise<number> {
  const { admin } = server;
  await admin('POST', '/', { code: map, css_style: 'Map { background-color: #fff; }' });
  const { id } = await admin('POST', `/${map}/layers/`, { code: 'objects' });
  await admin('POST', `/${map}/layers/objects/structure/`, { code: 'kind', type: 'string' });
  await admin('POST', `/${map}/layers/objects/structure/`, { code: 'n', type: 'number' });
  await admin('PATCH', `/${map}/layers/objects/`, { css_style });
  return id;
}

/** The passes of sprites of a job; none on the general path. */
const spritePassesOf = (job: RenderJob | undefined): SmallFeaturePass[] =>
  (job?.above ?? []).flatMap((pass) => (pass.kind === 'small-features' ? pass : []));
const countOf = (passes: readonly SmallFeaturePass[]): number =>
  passes
    .flatMap(({ chunks }) => chunks)
    .reduce((sum, { bytes }) => sum + decodeChunk(bytes).features.length, 0);

/** Draws a tile again and again until statistics and index allow sprites. */
async function drawnWithSprites(map: string, place: Place, query = ''): Promise<Buffer> {
  const end = Date.now() + 60_000;
  for (;;) {
    await repaint(map);
    const { bytes } = await served(server, map, place, query);
    if (spritePassesOf(drawings.at(-1)).length) return bytes;
    if (Date.now() > end) throw new Error('no sprites were drawn');
    await sleep(250);
  }
}

let painted = 0;
const white = [255, 255, 255];
/** The background of maps that are painted again, red, green and blue: nearly. */
let ground = white;
/** Gives a map a background of another colour, which differs by 3 of 255 at most, so that none of its tiles is kept. */
async function repaint(map: string): Promise<void> {
  painted += 1;
  const color = ground.map((value, i) => value - ((painted >> (2 * i)) & 3));
  await server.admin('PATCH', `/${map}/`, { css_style: `Map { background-color: rgb(${color}); }` });
}

/** The passes of sprites of a new drawing. */
async function passesOfNewDrawing(): Promise<SmallFeaturePass[]> {
  await repaint('plain');
  await served(server, 'plain', tile);
  return spritePassesOf(drawings.at(-1));
}

async function pixelsOf(png: Buffer, blurred = 0): Promise<Buffer> {
  const picture = sharp(png).removeAlpha();
  return (blurred ? picture.blur(blurred) : picture).raw().toBuffer();
}

function difference(a: Buffer, b: Buffer): { mean: number; most: number } {
  let [sum, most] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    const far = Math.abs(a[i]! - b[i]!);
    sum += far;
    most = Math.max(most, far);
  }
  return { mean: sum / a.length, most };
}

async function assertSame(one: Buffer, other: Buffer, when: string): Promise<void> {
  const found = difference(await pixelsOf(one), await pixelsOf(other));
  assert.deepEqual(found, { mean: 0, most: 0 }, when);
}

for (const [query, scale] of [
  ['', 1],
  ['retina=2', 2],
] as const) {
  test(`objects smaller than a pixel look the same as sprites: ${query || 'plain'}`, async () => {
    const apart = await drawnWithSprites('plain', tile, query);
    assert.ok(countOf(spritePassesOf(drawings.at(-1))) > 500);
    const usual = await (await freshDrawer(server))()('plain', tile, scale);
    assert.equal(spritePassesOf(drawings.at(-1)).length, 0);
    // Positions are exact to a quarter of a pixel, and points lie above larger objects.
    const near = difference(await pixelsOf(apart, 1.5), await pixelsOf(usual, 1.5));
    assert.ok(near.mean < 1.5 && near.most < 100, JSON.stringify(near));
    const empty = difference(await pixelsOf(usual), Buffer.alloc(3 * (256 * scale) ** 2, 255));
    assert.ok(empty.mean > 5, 'something is drawn');
  });
}

test('symbols that multiply what is below them are drawn as sprites, too', async () => {
  const all = 'polygon-fill: #9c6; polygon-comp-op: multiply; line-color: #69c; line-comp-op: multiply;';
  await makeLayer('multiplied', `#objects { ${all} }`);
  const apart = await drawnWithSprites('multiplied', tile);
  assert.deepEqual(
    spritePassesOf(drawings.at(-1)).map(({ blending }) => blending),
    ['multiply'],
  );
  const usual = await (await freshDrawer(server))()('multiplied', tile);
  const near = difference(await pixelsOf(apart, 1.5), await pixelsOf(usual, 1.5));
  assert.ok(near.mean < 1.5 && near.most < 60, JSON.stringify(near));
});

test('closed lines look like outlines, not like strokes', async () => {
  const rings = makeObjects(3000).map(({ geom, fields }) => {
    const [ring] = (geom.type === 'Polygon' ? geom.coordinates : []) as Position[][];
    return { geom: ring ? ({ type: 'LineString', coordinates: ring } as const) : geom, fields };
  });
  await makeLayer('rings', '#objects[kind = "wood"] { line-width: 1.5; line-color: #050; }', rings);
  const apart = await drawnWithSprites('rings', tile);
  const usual = await (await freshDrawer(server))()('rings', tile);
  const ink = async (png: Buffer): Promise<number> =>
    (await pixelsOf(png)).reduce((sum, value) => sum + 255 - value, 0);
  const [one, other] = [await ink(apart), await ink(usual)];
  // The outline of a box is longer than that of the diamond in it; a stroke has about half of its ink.
  assert.ok(Math.abs(one / other - 1) < 0.3, `ink ${one} and ${other}`);
});

test('a picture between two levels, anywhere, looks the same with the small features of the next level', async () => {
  await drawnWithSprites('plain', tile);
  const [west, south, east] = tileExtent(...tile);
  // The last is on the pixels of a level, whose plan the one before may share but for its small features.
  for (const part of [0.52, 0.7, 1.9, 0.93, 1]) {
    const pixel = ((east - west) / 256) * part;
    const [left, bottom] = [west + 17.3 * pixel, south + 30.6 * pixel];
    const bbox = [left, bottom, left + 300 * pixel, bottom + 200 * pixel];
    const passes = await assertSpritesInWms('plain', `crs=EPSG:3857&bbox=${bbox}&width=300&height=200`);
    assert.ok(
      passes.every(({ ratio }) => (part === 1 ? Math.abs(ratio - 1) < 1e-6 : ratio > 0.5 && ratio < 1)),
      `${part}: ${passes.map(({ ratio }) => ratio)}`,
    );
  }
});

/** Asserts that a picture by WMS has sprites, and looks as without them; returns the passes. */
async function assertSpritesInWms(map: string, place: string): Promise<SmallFeaturePass[]> {
  const address = `//wms/demo/${map}/?service=WMS&request=GetMap&version=1.3.0&layers=map.all&styles=&format=image/png&${place}`;
  const pictures: Buffer[] = [];
  const passes: SmallFeaturePass[] = [];
  // Chunks have all objects of a layer, so that a picture with a filter has no sprites.
  for (const filter of ['', '&cql_filter=n >= 0']) {
    const { status, bytes, text } = await server.request('GET', address + filter, {
      token: server.adminToken,
    });
    assert.equal(status, 200, text);
    const found = spritePassesOf(drawings.at(-1));
    assert.equal(countOf(found) > 300, filter === '', `${place}: ${countOf(found)}`);
    passes.push(...found);
    pictures.push(await pixelsOf(bytes, 1.5));
  }
  const near = difference(pictures[0]!, pictures[1]!);
  assert.ok(near.mean < 1.5 && near.most < 100, `${place}: ${JSON.stringify(near)}`);
  const blank = Buffer.alloc(pictures[1]!.length, 255);
  assert.ok(difference(pictures[1]!, blank).mean > 2, `${place}: something is drawn`);
  return passes;
}

test('pictures in longitude and latitude, of other pixels, and beyond the world of EPSG:3857 have the sprites of its chunks', async () => {
  await drawnWithSprites('plain', tile);
  for (const place of [
    'crs=CRS:84&bbox=-3,-4,47,41&width=300&height=270',
    'crs=EPSG:4326&bbox=-4,-3,41,47&width=500&height=450&dpi=192',
    'crs=CRS:84&bbox=-60,-120,90,95&width=400&height=600',
    'crs=EPSG:3857&bbox=-10000000,-25000000,15000000,25000000&width=500&height=1000',
    'crs=EPSG:3857&bbox=-100000,-300000,5200000,5200000&width=390&height=300',
  ])
    await assertSpritesInWms('plain', place);
});

test('what lies north of the world of EPSG:3857 is drawn beside its sprites', async () => {
  const northern = makeObjects(3000)
    .slice(75)
    .map(({ geom, fields }) => ({ geom: northward(geom, 43), fields }));
  await makeLayer('northern', style, northern);
  await drawnWithSprites('northern', [3, 4, 1]);
  for (const place of [
    'crs=CRS:84&bbox=-5,38,50,90&width=400&height=400',
    'crs=EPSG:3857&bbox=-500000,5000000,5500000,30000000&width=300&height=1250',
  ])
    await assertSpritesInWms('northern', place);
});

/** A geometry moved by degrees of latitude. */
function northward(geom: Geometry, degrees: number): Geometry {
  const moved = (value: unknown): unknown =>
    Array.isArray(value) && typeof value[0] === 'number'
      ? [value[0], value[1] + degrees]
      : (value as unknown[]).map(moved);
  return geom.type === 'GeometryCollection'
    ? geom
    : ({ ...geom, coordinates: moved(geom.coordinates) } as Geometry);
}

test('the size of the chunks does not change the picture', async () => {
  // One colour: objects of one slice are drawn chunk by chunk, so their order depends on the chunks.
  await makeLayer(
    'even',
    '#objects { polygon-fill: #060; line-color: #060; line-width: 1; marker-fill: #060; marker-width: 3; marker-line-width: 0; marker-allow-overlap: true; marker-ignore-placement: true; }',
  );
  const pictures: Buffer[] = [];
  for (const depth of [1, 3, 4]) {
    const worthAt: SmallFeatureLayers['worthAt'] = async (level, layers) =>
      new Map(layers.map(({ id }) => [id, { level, depth, hasSprites: true, hasLarger: true }]));
    const draw = (await freshDrawer(server, { smallFeatures: { worthAt } }))();
    pictures.push(await pixelsOf(await draw('even', tile)));
    const passes = spritePassesOf(drawings.at(-1));
    assert.ok(passes[0]!.chunks.length >= 4 ** depth, `${passes[0]!.chunks.length} chunks`);
    assert.ok(countOf(passes) > 500);
  }
  for (const other of pictures.slice(1)) {
    const { most } = difference(pictures[0]!, other);
    // Colours are rounded after each sprite.
    assert.ok(most <= 3, String(most));
  }
});

test('Mapnik reads no layer whose objects are all small, until one of them is larger', async () => {
  await makeLayer('small', style, makeObjects(3000).slice(75));
  const before = await drawnWithSprites('small', tile);
  const mapnikReads = (): boolean => drawings.at(-1)!.xml.includes('<Layer');
  assert.ok(!mapnikReads());
  const usual = await (await freshDrawer(server))()('small', tile);
  assert.ok(mapnikReads());
  const near = difference(await pixelsOf(before, 1.5), await pixelsOf(usual, 1.5));
  assert.ok(near.mean < 1.5 && near.most < 100, JSON.stringify(near));

  const { admin } = server;
  const path = '/small/layers/objects/objects';
  const large = { geom: shapes.wood!(22, 20, 60 * pixel), fields: { kind: 'wood', n: 1 } };
  const { id } = await admin('POST', `${path}/`, large);
  const { bytes } = await served(server, 'small', tile);
  assert.ok(mapnikReads());
  assert.ok(difference(await pixelsOf(before), await pixelsOf(bytes)).mean > 1, 'the larger object is seen');
  await admin('DELETE', `${path}/${id}/`);
  await assertSame(before, (await served(server, 'small', tile)).bytes, 'without the larger object');
  assert.ok(!mapnikReads());
});

test('an import is drawn as sprites at once, even on a map that was drawn before', async () => {
  const id = await makeEmpty('imported', style);
  await served(server, 'imported', tile);
  const features = makeObjects(3000).map(({ geom, fields }) => ({
    type: 'Feature',
    geometry: geom,
    properties: fields,
  }));
  await server.admin('POST', '/imported/layers/objects/import/', { type: 'FeatureCollection', features });
  const end = Date.now() + 60_000;
  for (let isReady = false; !isReady; ) {
    const { db } = server.server.services;
    const rows = await db.query(sql`select from pg_stats where tablename = ${`layer_${id}_small_features`}`);
    isReady = rows.length > 0;
    if (Date.now() > end) throw new Error('the import asked for no index');
    await sleep(50);
  }
  await served(server, 'imported', tile);
  assert.ok(countOf(spritePassesOf(drawings.at(-1))) > 500);
});

test('after each write a tile shows the stored objects, and only the affected chunks are read again', async () => {
  await drawnWithSprites('plain', tile);
  const { admin } = server;
  const path = '/plain/layers/objects/objects';
  const next = numbers(11);
  for (let k = 0; k < 3; k++) next();
  const { db, indexer, config } = server.server.services;
  const drawer = await freshDrawer(server, {
    smallFeatures: new SmallFeatureLayers({ db, indexer, config }),
  });
  const { raw } = db.long;
  const read: number[] = [];
  db.long.raw = (statement, how) => {
    // The first of its lists contains the columns of the chunks.
    const lists = statement.values.filter(Array.isArray);
    read.push(lists[0]!.length);
    return raw(statement, how);
  };
  try {
    for (let i = 0; i < 15; i++) {
      const kind = Object.keys(shapes)[i % 3]!;
      const geom = shapes[kind]!(1 + 40 * next(), 1 + 38 * next(), pixel * (i % 4 === 0 ? 6 : 0.7));
      const fields = { kind, n: Math.floor(100 * next()) };
      const id = 1 + Math.floor(2500 * next());
      if (i % 5 === 0) await admin('POST', `${path}/`, { fields, geom });
      else if (i % 5 === 1) await admin('DELETE', `${path}/${id}/`).catch(() => {});
      else if (i % 5 === 2)
        await admin('PUT', `${path}/${id}/`, { fields: { n: 99 - fields.n } }).catch(() => {});
      else await admin('PUT', `${path}/${id}/`, { fields, geom }).catch(() => {});
      read.length = 0;
      const { bytes } = await served(server, 'plain', tile);
      const touched = read.reduce((sum, one) => sum + one, 0);
      // The old and the new place, each at the edges of at most four chunks.
      assert.ok(touched <= 8, `${touched} chunks were read`);
      assert.ok(spritePassesOf(drawings.at(-1)).length);
      // A drawer without a cache reads all chunks.
      const anew = await drawer()('plain', tile);
      assert.ok(read.reduce((sum, one) => sum + one, 0) > touched + 8);
      assert.ok(spritePassesOf(drawings.at(-1)).length);
      await assertSame(bytes, anew, `write ${i}`);
    }
    const { bytes } = await served(server, 'plain', tile);
    // A changed style that looks the same needs new sprites.
    await admin('PATCH', '/plain/layers/objects/', {
      css_style: style.replace('n > 50', 'n > 50.01').replace('n <= 50', 'n <= 50.01'),
    });
    await assertSame(bytes, (await served(server, 'plain', tile)).bytes, 'after all of them');
    assert.ok(spritePassesOf(drawings.at(-1)).length);
  } finally {
    db.long.raw = raw;
  }
});

test('sprites are worth it where objects lie together, though there are few on average', async () => {
  const next = numbers(23);
  const make = async (map: string, spread: number): Promise<boolean | undefined> => {
    await makeLayer(
      map,
      style,
      Array.from({ length: 3000 }, (_, i) => ({
        geom: shapes.spot!(20 * (i & 1) + spread * next(), 10 * (i & 2) + spread * next(), 0),
        fields: { kind: 'spot', n: 1 },
      })),
    );
    const { db, indexer, config } = server.server.services;
    const [layer] = await db.query<{ id: number }>(
      sql`select l.id from cartulary.container l join cartulary.container m on m.id = l.map_id where m.code = ${map} and l.code = 'objects'`,
    );
    await indexer.make([smallFeatureIndex(layer!.id, config.smallFeaturesFrom)]);
    const layers = new SmallFeatureLayers({ db, indexer, config });
    const found = await layers.worthAt(8, [{ id: layer!.id, version: 1 }], new AbortController().signal);
    return found.get(layer!.id)?.hasSprites;
  };
  assert.equal(await make('clusters', 0.1), true);
  assert.equal(await make('scattered', 20), false);
});

test('features of too many kinds are drawn on the general path', async () => {
  const spots = 'marker-width: 4; marker-allow-overlap: true; marker-ignore-placement: true;';
  const kinds = `#objects { line-width: [n] / 50; [kind = "spot"] { ${spots} } [n > 3] { line-opacity: [n] / 100; } }`;
  await server.admin('PATCH', '/plain/layers/objects/', { css_style: kinds });
  assert.equal((await passesOfNewDrawing()).length, 0);
  const { bytes } = await served(server, 'plain', tile);
  assert.deepEqual(bytes, await (await freshDrawer(server))()('plain', tile));
  await server.admin('PATCH', '/plain/layers/objects/', { css_style: style });
  assert.ok((await passesOfNewDrawing()).length);
});

test('plain labels lie above the sprites of their layer, as without sprites', async () => {
  const open = style.replace('allow-overlap: true;', '$& marker-ignore-placement: true;');
  const css_style = `${open} #objects { [n > 90] { text-name: [kind]; text-face-name: "DejaVu Sans Book"; } }`;
  await server.admin('PATCH', '/plain/layers/objects/', { css_style });
  const apart = await drawnWithSprites('plain', tile);
  const kinds = drawings.at(-1)!.above!.map(({ kind }) => kind);
  assert.deepEqual(kinds, ['small-features', 'labels']);
  const usual = await (await freshDrawer(server))()('plain', tile);
  const near = difference(await pixelsOf(apart, 1.5), await pixelsOf(usual, 1.5));
  assert.ok(near.mean < 1.5 && near.most < 100, JSON.stringify(near));
  await server.admin('PATCH', '/plain/layers/objects/', { css_style: style });
});

test('borders of an attachment of their own, and classes of a visualization, lie above all areas, as without sprites', async () => {
  const visualSettings = {
    type: 1,
    columnCode: 'n',
    classesCount: 3,
    classesSettings: {
      minColor: '#fee5d9',
      midColor: '#fb6a4a',
      maxColor: '#a50f15',
      limits: [0, 30, 60, 100],
    },
    borderSettings: { color: '#0000ff', width: 0.5 },
    showBorder: true,
    pointSettings: { allowOverlap: true },
  };
  for (const change of [
    { css_style: `${style} #objects::second { line-width: 0.4; line-color: #00f; }` },
    { visualSettings },
  ]) {
    await server.admin('PATCH', '/plain/layers/objects/', change);
    const apart = await drawnWithSprites('plain', tile);
    const kinds = drawings.at(-1)!.above!.map(({ kind }) => kind);
    assert.ok(kinds.length > 1 && kinds.every((kind) => kind === 'small-features'), kinds.join());
    const usual = await (await freshDrawer(server))()('plain', tile);
    const near = difference(await pixelsOf(apart, 1.5), await pixelsOf(usual, 1.5));
    assert.ok(
      near.mean < 2 && near.most < 160,
      `${JSON.stringify(Object.keys(change))} ${JSON.stringify(near)}`,
    );
  }
  await server.admin('PATCH', '/plain/layers/objects/', { css_style: style, visualSettings: null });
});

test('icons and transformed symbols are sprites where they fit, and are drawn whole where they do not', async () => {
  for (const [marker, fits] of [
    ['marker-file: url(star); marker-width: 12; marker-fill: #a22;', true],
    ['marker-file: url(marker); marker-fill: #22a;', true],
    ['marker-type: arrow; marker-width: 9; marker-transform: rotate(30);', true],
    ['point-file: url(star); point-allow-overlap: true;', true],
    ['marker-file: url(star); marker-width: 8; marker-transform: scale(7, 7);', false],
    ['line-color: #a22; line-width: 4; line-smooth: 0.5; line-clip: true; line-simplify: 0.1;', true],
  ] as const) {
    const kind = marker.startsWith('line') ? 'road' : 'spot';
    const css_style = `#objects[kind = '${kind}'] { ${marker} ${marker.startsWith('m') ? 'marker-allow-overlap: true;' : ''} }`;
    await server.admin('PATCH', '/plain/layers/objects/', { css_style });
    await repaint('plain');
    const from = drawings.length;
    const { bytes } = await served(server, 'plain', tile);
    const jobs = drawings.slice(from).map((job) => spritePassesOf(job).length > 0);
    assert.deepEqual(jobs, fits ? [true] : [true, false], `${marker} ${jobs}`);
    const usual = await (await freshDrawer(server))()('plain', tile);
    const near = difference(await pixelsOf(bytes, 1.5), await pixelsOf(usual, 1.5));
    assert.ok(fits ? near.mean < 2 && near.most < 100 : near.most === 0, `${marker} ${JSON.stringify(near)}`);
    assert.ok(difference(await pixelsOf(usual), Buffer.alloc(3 * 256 ** 2, 255)).mean > 6, marker);
    await repaint('plain');
    await served(server, 'plain', tile);
    assert.equal(spritePassesOf(drawings.at(-1)).length > 0, fits, `${marker}, later`);
  }
  await server.admin('PATCH', '/plain/layers/objects/', { css_style: style });
});

test('styles that do not draw each object by itself have no sprites', async () => {
  for (const css_style of [
    `${style} #objects { text-name: [kind]; text-face-name: "DejaVu Sans Book"; text-transform: capitalize; }`,
    `${style} #objects { opacity: 0.5; } #objects::above { line-width: 1; }`,
    '#objects { marker-width: 4; }',
    '#objects { line-width: 90; }',
  ]) {
    await server.admin('PATCH', '/plain/layers/objects/', { css_style });
    assert.equal((await passesOfNewDrawing()).length, 0, css_style);
  }
  await server.admin('PATCH', '/plain/layers/objects/', { css_style: style });
  assert.ok((await passesOfNewDrawing()).length);
});

test('a translucent layer with sprites is laid over the others as a whole', async () => {
  await server.admin('PATCH', '/plain/layers/objects/', { render_settings: { opacity: 0.4 } });
  const apart = await drawnWithSprites('plain', tile);
  assert.deepEqual(
    drawings.at(-1)!.above!.map(({ kind }) => kind),
    ['begin-layer', 'map', 'small-features', 'end-layer'],
  );
  const usual = await (await freshDrawer(server))()('plain', tile);
  assert.deepEqual(drawings.at(-1)!.above, []);
  const near = difference(await pixelsOf(apart, 1.5), await pixelsOf(usual, 1.5));
  assert.ok(near.mean < 0.7 && near.most < 45, JSON.stringify(near));
  await server.admin('PATCH', '/plain/layers/objects/', {
    render_settings: {},
    css_style: `${style} #objects { opacity: 0.4; }`,
  });
  const byStyle = difference(await pixelsOf(apart), await pixelsOf(await drawnWithSprites('plain', tile)));
  assert.ok(byStyle.most <= 5, `by the style: ${JSON.stringify(byStyle)}`);
  await server.admin('PATCH', '/plain/layers/objects/', { css_style: `${style} #objects { opacity: 1; }` });
  await drawnWithSprites('plain', tile);
  assert.deepEqual(
    drawings.at(-1)!.above!.map(({ kind }) => kind),
    ['small-features'],
    'an opacity of 1 needs no layer of its own',
  );
  await server.admin('PATCH', '/plain/layers/objects/', { css_style: style });
  const opaque = await drawnWithSprites('plain', tile);
  assert.ok(difference(await pixelsOf(opaque), await pixelsOf(apart)).mean > 3, 'it was translucent');
});

for (const rest of ['comp-op: multiply;', 'comp-op: screen; opacity: 0.6;', 'comp-op: darken;'])
  test(`a style with sprites is laid over what is below it as a whole: ${rest}`, async () => {
    ground = [190, 140, 70];
    await server.admin('PATCH', '/plain/layers/objects/', { css_style: `${style} #objects { ${rest} }` });
    const apart = await drawnWithSprites('plain', tile);
    assert.deepEqual(drawings.at(-1)!.above!.at(-1), {
      kind: 'end-layer',
      opacity: rest.includes('opacity') ? 0.6 : 1,
      blending: rest.match(/comp-op: (\w+)/)![1],
    });
    const usual = await (await freshDrawer(server))()('plain', tile);
    assert.deepEqual(drawings.at(-1)!.above, []);
    const near = difference(await pixelsOf(apart, 1.5), await pixelsOf(usual, 1.5));
    assert.ok(near.mean < 1.5 && near.most < 45, JSON.stringify(near));
    await server.admin('PATCH', '/plain/layers/objects/', { css_style: style });
    const plain = await drawnWithSprites('plain', tile);
    const unlike = difference(await pixelsOf(plain), await pixelsOf(apart));
    assert.ok(unlike.mean > 1.5 && unlike.most > 60, `it was not blended: ${JSON.stringify(unlike)}`);
    ground = white;
  });

test('the deepest level at which a shape is a small feature', async () => {
  const side = (level: number): number => (1.5 * 360) / 256 / 2 ** level;
  const cases: [geometry: string, level: number | null][] = [
    ['POINT(30 50)', 24],
    [`LINESTRING(0 0, ${side(5) * 0.99} 0)`, 5],
    [`LINESTRING(0 0, ${side(5) * 1.01} 0)`, 4],
    // At 60 degrees a degree of latitude is twice as high on the map.
    [`LINESTRING(0 60, 0 ${60 + side(5) * 0.505})`, 4],
    [`LINESTRING(0 -60, 0 ${-60 + side(5) * 0.495})`, 5],
    [`MULTIPOINT(0 0, 170 10)`, -1],
    [`GEOMETRYCOLLECTION(POINT(1 1))`, -1],
    ['LINESTRING(-1e300 -1e300, 1e300 1e300)', -1],
    ['LINESTRING(0 -90, 0 90)', -1],
  ];
  const geoms = cases.map(([text]) => sql`(st_geomfromtext(${text}, 4326))`);
  const found = await server.server.services.db.query<{ level: number }>(
    sql`select ${smallFeatureLevel(sql`g`)} as level from (values ${join(geoms)}) shapes(g)`,
  );
  assert.deepEqual(
    found.map(({ level }) => level),
    cases.map(([, level]) => level),
  );
});
