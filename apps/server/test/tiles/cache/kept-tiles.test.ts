import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { box } from '../colors.js';
import { allTiles, freshDrawer, type Place, served, watchDrawings } from './kept-support.js';

let server: TestServer;
let drawFresh: Awaited<ReturnType<typeof freshDrawer>>;
let drawn: ReturnType<typeof watchDrawings>;
before(async () => {
  server = await startServer({}, 'here');
  drawFresh = await freshDrawer(server);
  drawn = watchDrawings(server);
});
after(() => server?.stop());

/** Makes a map with a layer of small areas, one in each corner of the world. */
async function makeMap(css: string): Promise<{ map: string; layer: string }> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/layers/`, { code: 'l', css_style: css });
  const layer = `/${map}/layers/l`;
  await server.admin('POST', `${layer}/structure/`, { code: 'name', type: 'string' });
  const corners = [
    [-100, -50],
    [100, -50],
    [100, 50],
    [-100, 50],
  ] as const;
  await server.admin('POST', `${layer}/objects/batch/`, {
    create: corners.map(([x, y], i) => ({ fields: { name: `no ${i}` }, geom: box(x, y, x + 4, y + 4) })),
  });
  return { map, layer };
}

/**
 * Returns a function that requests all tiles up to a level and tells which changed since the last call. It compares
 * those, and a quarter of the others, in rotation, with new renders.
 */
function watchTiles(map: string, most: number, scale = 1) {
  const known = new Map<string, string>();
  let round = 0;
  return async (): Promise<{ count: number; changed: string[] }> => {
    drawn.length = 0;
    const changed: string[] = [];
    const tiles = new Map<Place, Buffer>();
    for (const place of allTiles(most)) {
      const { bytes, etag } = await served(server, map, place, `retina=${scale}`);
      tiles.set(place, bytes);
      if (known.get(place.join('/')) !== etag) changed.push(place.join('/'));
      known.set(place.join('/'), etag);
    }
    const count = drawn.length;
    const fresh = drawFresh();
    round += 1;
    for (const [i, [place, bytes]] of [...tiles].entries()) {
      const isDue =
        (i + round) % 4 === 0 || (changed.length < tiles.size && changed.includes(place.join('/')));
      if (!isDue) continue;
      assert.ok(bytes.equals(await fresh(map, place, scale)), `${place.join('/')} is as if drawn now`);
    }
    return { count, changed };
  };
}

const areas = '#l { polygon-fill: #c33; line-color: #333; line-width: 3; line-join: round; }';

test('a write makes exactly the tiles stale that it touches, at each zoom level', async () => {
  const { map, layer } = await makeMap(areas);
  const look = watchTiles(map, 3);
  assert.equal((await look()).count, 1 + 4 + 16 + 64);
  assert.deepEqual(await look(), { count: 0, changed: [] }, 'nothing has changed');

  await server.admin('PUT', `${layer}/objects/2/`, { geom: box(100, -50, 103, -47) });
  const after = await look();
  assert.equal(after.count, 4, 'one of each level');
  const column = (z: number): number => Math.floor((101.5 / 360 + 0.5) * 2 ** z);
  const row = (z: number): number =>
    Math.floor((0.5 + Math.asinh(Math.tan(49 * (Math.PI / 180))) / (2 * Math.PI)) * 2 ** z);
  assert.deepEqual(
    after.changed,
    [0, 1, 2, 3].map((z) => `${z}/${column(z)}/${row(z)}`),
  );
});

test('a moved object disappears from its old place and appears at its new one', async () => {
  const { map, layer } = await makeMap(areas);
  const look = watchTiles(map, 3);
  await look();
  await server.admin('PUT', `${layer}/objects/1/`, { geom: box(20, 20, 24, 24) });
  const { changed } = await look();
  assert.deepEqual(changed.filter((place) => place.startsWith('3/')).sort(), ['3/1/5', '3/4/3']);
  await server.admin('DELETE', `${layer}/objects/`, { delete_params: '1' });
  assert.deepEqual(
    (await look()).changed.filter((place) => place.startsWith('3/')),
    ['3/4/3'],
  );
  await server.admin('POST', `${layer}/objects/`, { fields: {}, geom: box(20, 20, 24, 24) });
  assert.deepEqual(
    (await look()).changed.filter((place) => place.startsWith('3/')),
    ['3/4/3'],
  );
});

test('a copy invalidates its place; a file invalidates the place of its object', async () => {
  const { map, layer } = await makeMap(
    areas.replace('line-width: 3', '[doc != null] { line-width: 3 } line-width: 9'),
  );
  await server.admin('POST', `${layer}/structure/`, { code: 'doc', type: 'file' });
  const from = await makeMap(areas);
  await server.admin('PUT', `${from.layer}/objects/1/`, { geom: box(20, 20, 24, 24) });
  const look = watchTiles(map, 3);
  await look();
  await server.admin('POST', `${from.layer}/objects/1/copy/`, { map_code: map, layer_code: 'l' });
  assert.deepEqual((await look()).changed, ['0/0/0', '1/1/0', '1/0/1', '2/2/1', '2/0/2', '3/4/3', '3/1/5']);
  const body = new FormData();
  body.set('file', new Blob(['x']), 'a.txt');
  body.set('field', 'doc');
  const sent = await server.request('POST', `${layer}/objects/1/files/`, { token: server.adminToken, body });
  assert.equal(sent.status, 200, sent.text);
  assert.deepEqual((await look()).changed, ['0/0/0', '1/1/0', '2/2/1', '3/4/3']);
});

test('an object without a geometry touches no tile until it gets one', async () => {
  const { map, layer } = await makeMap(areas);
  const look = watchTiles(map, 2);
  await look();
  const { id } = await server.admin('POST', `${layer}/objects/`, { fields: { name: 'nowhere' } });
  await server.admin('PUT', `${layer}/objects/${id}/`, { fields: { name: 'still nowhere' } });
  assert.deepEqual(await look(), { count: 0, changed: [] });
  await server.admin('PUT', `${layer}/objects/${id}/`, { geom: box(-10, 60, -5, 65) });
  assert.deepEqual((await look()).changed, ['0/0/0', '1/0/0', '2/1/1']);
});

test('a wide line reaches beyond its geometry: neighbouring tiles become stale, too', async () => {
  const wide = (width: number): string => `#l { line-width: ${width}; line-join: round; line-color: #36c; }`;
  for (const [width, reached] of [
    [2, ['3/4/3']],
    [40, ['3/3/3', '3/4/3', '3/4/4']],
  ] as const) {
    const { map, layer } = await makeMap(wide(width));
    const look = watchTiles(map, 3);
    await look();
    // 3 degrees from the corner of four tiles: 17 pixels.
    await server.admin('POST', `${layer}/objects/`, { fields: {}, geom: box(3, 3, 8, 8) });
    const { changed } = await look();
    assert.deepEqual(changed.filter((place) => place.startsWith('3/')).sort(), reached, `width ${width}`);
  }
});

const labels =
  '#l { text-name: [name]; text-face-name: "DejaVu Sans Book"; text-size: 40; text-placement: interior; }';

test('labels avoid each other, so neighbouring tiles become stale, too', async () => {
  const { map, layer } = await makeMap(labels);
  const look = watchTiles(map, 3);
  await look();
  await server.admin('PUT', `${layer}/objects/3/`, { fields: { name: 'a name that is much longer' } });
  const { count, changed } = await look();
  assert.ok(changed.length > 4, 'the label lies across several tiles');
  assert.ok(count > changed.length && count < 85, `${count} tiles`);
});

/** Holds back all renderers until this many tiles wait. */
async function whenAllWait(count: number, ask: () => Promise<unknown>): Promise<unknown> {
  const { renderers } = server.server.services;
  const { render } = renderers;
  let arrived = 0;
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  renderers.render = async (...job) => {
    arrived += 1;
    if (arrived === count) open();
    await opened;
    return render(...job);
  };
  try {
    return await ask();
  } finally {
    renderers.render = render;
  }
}

test('tiles requested together are drawn as one picture, with the tiles between them', async () => {
  const { map, layer } = await makeMap(labels);
  const places = [
    [5, 12, 10],
    [5, 13, 10],
    [5, 14, 10],
    [5, 13, 11],
    [5, 14, 11],
    [5, 30, 30],
  ] as const;
  const askAll = (): Promise<unknown> =>
    whenAllWait(places.length, () => Promise.all(places.map((place) => served(server, map, place))));
  const jobsOf = async (ask: () => Promise<unknown>): Promise<string[]> => {
    drawn.length = 0;
    await ask();
    return drawn.map(({ columns, rows }) => `${columns}x${rows}`).sort();
  };
  assert.deepEqual(await jobsOf(askAll), ['1x1', '3x2']);
  assert.deepEqual(await jobsOf(() => served(server, map, [5, 12, 11])), [], 'it was drawn with the others');
  // Within 192 pixels of the picture, but further from this tile.
  const [lon, lat] = [(15.2 / 32) * 360 - 180, 51];
  await server.admin('POST', `${layer}/objects/`, {
    fields: { name: 'far' },
    geom: box(lon, lat, lon + 1, lat + 1),
  });
  assert.deepEqual(
    await jobsOf(() => served(server, map, [5, 12, 10])),
    ['1x1'],
    'a label of the picture may be another',
  );
  assert.deepEqual(await jobsOf(() => served(server, map, [5, 12, 10])), []);
  await server.admin('PUT', `${layer}/objects/5/`, { fields: { name: 'farther' } });
  assert.deepEqual(await jobsOf(() => served(server, map, [5, 12, 10])), [], 'now it was drawn alone');
  await server.admin('PATCH', `${layer}/`, { render_settings: { cache: false } });
  await jobsOf(askAll);
  const tiles = drawn.reduce((sum, { columns, rows }) => sum + columns * rows, 0);
  assert.equal(tiles, places.length, 'only requested tiles are drawn');
  assert.ok(drawn.length < tiles, 'but neighbours together');
});

for (const scale of [2, 4])
  test(`retina=${scale}: the same`, async () => {
    const { map, layer } = await makeMap(areas);
    const look = watchTiles(map, 2, scale);
    await look();
    await server.admin('PUT', `${layer}/objects/4/`, { geom: box(-100, 50, -97, 53) });
    assert.deepEqual((await look()).changed, ['0/0/0', '1/0/0', '2/0/1']);
    await server.admin('PATCH', `/${map}/layers/l/`, {
      css_style: '#l { marker-width: 60; marker-line-width: 20; }',
    });
    await look();
    await server.admin('POST', `${layer}/objects/`, {
      fields: {},
      geom: { type: 'Point', coordinates: [1, 1] },
    });
    await look();
  });

test('imports, columns and makevalid count as changes of everything', async () => {
  const { map, layer } = await makeMap(areas);
  const look = watchTiles(map, 2);
  await look();
  const collection = {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry: box(0, 0, 9, 9) }],
  };
  await server.admin('POST', `${layer}/import/?action=2`, collection);
  assert.equal((await look()).count, 1 + 4 + 16);
  await server.admin('POST', `${layer}/structure/`, { code: 'more', type: 'number' });
  assert.equal((await look()).count, 1 + 4 + 16);
});

test('a large batch touches its places; styles, trees and languages have other tiles', async () => {
  const { map, layer } = await makeMap(areas);
  const look = watchTiles(map, 3);
  await look();
  const create = Array.from({ length: 300 }, (_, i) => ({
    fields: {},
    geom: box(
      10 + (i % 20) / 10,
      10 + Math.floor(i / 20) / 10,
      10.05 + (i % 20) / 10,
      10.05 + Math.floor(i / 20) / 10,
    ),
  }));
  await server.admin('POST', `${layer}/objects/batch/`, { create, delete: [1] });
  const { changed, count } = await look();
  assert.deepEqual(changed.filter((place) => place.startsWith('3/')).sort(), ['3/1/5', '3/4/3']);
  assert.equal(count, changed.length);
  await server.admin('DELETE', `${layer}/objects/`, { delete_params: '5-1000' });
  assert.deepEqual((await look()).changed, ['0/0/0', '1/1/0', '2/2/1', '3/4/3']);
  await server.admin('PATCH', `/${map}/layers/l/`, { css_style: areas.replace('#c33', '#3c3') });
  assert.ok((await look()).count > 0);
  await server.admin('PATCH', `/${map}/layers/l/`, { css_style: areas });
  assert.equal((await look()).count, 0, 'the old style is known still');
});
