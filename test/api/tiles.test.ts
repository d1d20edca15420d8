import assert from 'node:assert/strict';
import test from 'node:test';
import { PNG } from 'pngjs';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer({ CARTULARY_RENDER_TIMEOUT: '1500', CARTULARY_RENDERERS: '2' });
  await server.admin('POST', '/', { code: 'm', css_style: 'Map { background-color: #102030; }' });
});
test.after(() => server.stop());

const tile = (query: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  server.request('GET', `//tms/demo/m/?${query}`, { headers });

/** The colour of a pixel as [red, green, blue, alpha]. */
function pixel(answer: TestAnswer, x: number, y: number): number[] {
  assert.equal(answer.status, 200, answer.text.slice(0, 300));
  const { data, width } = PNG.sync.read(answer.bytes);
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

async function makeLayer(code: string, style: string, geometry?: object): Promise<number> {
  const { id } = await server.admin('POST', '/m/layers/', { code, css_style: style });
  if (geometry) await server.admin('POST', `/m/layers/${code}/objects/`, { fields: {}, geom: geometry });
  return id;
}
const square = (west: number, south: number, east: number, north: number): object => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});

test('an empty map: its background, or transparent with base=0; rows count from the south', async () => {
  assert.deepEqual(pixel(await tile('z=0&x=0&y=0'), 128, 128), [16, 32, 48, 255]);
  assert.deepEqual(pixel(await tile('z=0&x=0&y=0&base=0'), 128, 128), [0, 0, 0, 0]);
  const id = await makeLayer('north', '#north { polygon-fill: #ff0000; }', square(10, 10, 80, 60));
  assert.deepEqual(
    pixel(await tile(`z=1&x=1&y=1&layers=${id}`), 60, 220),
    [255, 0, 0, 255],
    'the north-east tile is x=1, y=1',
  );
  assert.deepEqual(pixel(await tile(`z=1&x=1&y=0&layers=${id}`), 60, 220), [16, 32, 48, 255]);
});

test('layers are drawn in the order in which they are named; a folder stands for what it holds', async () => {
  const blue = await makeLayer('blue', '#blue { polygon-fill: #0000ff; }', square(-80, 10, -10, 60));
  const green = await makeLayer('green', '#green { polygon-fill: #00ff00; }', square(-80, 10, -10, 60));
  const at = async (layers: string): Promise<number[]> =>
    pixel(await tile(`z=1&x=0&y=1&layers=${layers}`), 180, 220);
  assert.deepEqual(await at(`${blue},${green}`), [0, 255, 0, 255]);
  assert.deepEqual(await at(`${green},${blue}`), [0, 0, 255, 255]);
  assert.deepEqual(await at(''), [16, 32, 48, 255]);
  assert.deepEqual(
    pixel(await tile('z=1&x=0&y=1'), 180, 220),
    [0, 0, 255, 255],
    'the first of the tree lies on top',
  );
  const folder = await server.admin('POST', '/m/folders/', { code: 'f' });
  await server.admin('PATCH', '/m/layers/green/', { parent_id: folder.id });
  assert.deepEqual(await at(String(folder.id)), [0, 255, 0, 255]);
  await server.admin('PATCH', '/m/layers/blue/', { render_settings: { minZoom: 2 } });
  assert.deepEqual(await at(String(blue)), [16, 32, 48, 255]);
  await server.admin('PATCH', '/m/layers/blue/', { render_settings: { opacity: 0.5 } });
  const mixed = await at(String(blue));
  assert.ok(Math.abs(mixed[2]! - 152) <= 2, String(mixed));
});

test('retina, palette and media type', async () => {
  const retina = await tile('z=1&x=1&y=1&retina=2');
  assert.deepEqual(
    [PNG.sync.read(retina.bytes).width, retina.headers.get('content-type')],
    [512, 'image/png'],
  );
  const palette = await tile('z=1&x=1&y=1&q=1');
  assert.equal(palette.bytes[25], 3, 'the colour type of the PNG is palette');
  assert.notEqual((await tile('z=1&x=1&y=1&q=0')).bytes[25], 3);
});

test('the ETag answers 304 until the map or its data change', async () => {
  const first = await tile('z=3&x=4&y=4');
  const etag = first.headers.get('etag')!;
  const again = await tile('z=3&x=4&y=4', { 'if-none-match': etag });
  assert.deepEqual([again.status, again.bytes.length, again.headers.get('etag')], [304, 0, etag]);
  await server.admin('POST', '/m/layers/north/objects/', {
    fields: {},
    geom: { type: 'Point', coordinates: [0, 0] },
  });
  assert.equal((await tile('z=3&x=4&y=4', { 'if-none-match': etag })).status, 200);
});

test('what is no tile is refused by name', async () => {
  for (const query of [
    'z=25&x=0&y=0',
    'z=-1&x=0&y=0',
    'z=1&x=2&y=0',
    'z=1&x=0&y=-1',
    'z=1&x=0.5&y=0',
    'x=0&y=0',
    'z=0&x=0&y=0&retina=9',
    'z=0&x=0&y=0&layers=a',
    'z=0&x=0&y=0&layers=999999',
    'z=0&x=0&y=0&q=2',
  ]) {
    const { status } = await tile(query);
    assert.ok(status === 400 || (query === 'x=0&y=0' && status === 500), `${query}: ${status}`);
  }
  assert.equal((await server.request('GET', '//tms/demo/none/?z=0&x=0&y=0')).status, 404);
  assert.equal((await server.request('GET', '//tms/none/m/?z=0&x=0&y=0')).json.code, 'project_not_found');
});

test('a tile is never older than the last acknowledged write, while others read', async () => {
  const id = await makeLayer(
    'fresh',
    '#fresh { polygon-fill: #ffffff; [c = 1] { polygon-fill: #ff0000; } [c = 2] { polygon-fill: #00ff00; } }',
  );
  await server.admin('POST', '/m/layers/fresh/structure/', { code: 'c', type: 'number' });
  const object = await server.admin('POST', '/m/layers/fresh/objects/', {
    fields: { c: 1 },
    geom: square(10, -60, 80, -10),
  });
  const query = `z=1&x=1&y=0&layers=${id}`;
  const colours: Record<number, number[]> = {
    1: [255, 0, 0, 255],
    2: [0, 255, 0, 255],
    3: [255, 255, 255, 255],
  };
  let done = false;
  const readers = [1, 2, 3].map(async () => {
    while (!done) assert.equal((await tile(query)).status, 200);
  });
  for (let i = 0; i < 25; i++) {
    const c = (i % 3) + 1;
    await server.admin('PUT', `/m/layers/fresh/objects/${object.id}/`, { fields: { c } });
    assert.deepEqual(pixel(await tile(query), 60, 60), colours[c], `write ${i}`);
  }
  await server.admin('PATCH', '/m/layers/fresh/', { css_style: '#fresh { polygon-fill: #0000ff; }' });
  assert.deepEqual(pixel(await tile(query), 60, 60), [0, 0, 255, 255], 'a new style');
  await server.admin('DELETE', `/m/layers/fresh/objects/${object.id}/`);
  assert.deepEqual(pixel(await tile(query), 60, 60), [16, 32, 48, 255], 'deleted');
  done = true;
  await Promise.all(readers);
});

test('labels follow the language', async () => {
  const id = await makeLayer(
    'places',
    '#places { text-name: [name]; text-size: 30; text-fill: #fff; text-allow-overlap: true; }',
  );
  await server.admin('POST', '/m/layers/places/structure/', {
    code: 'name',
    type: 'string',
    localized_value: true,
  });
  await server.admin('POST', '/m/layers/places/objects/', {
    fields: { name: { en: 'Rome', ru: 'Рим' } },
    geom: { type: 'Point', coordinates: [0, 0] },
  });
  const [en, ru, none] = await Promise.all(
    ['&lng=en', '&lng=ru', ''].map((lng) => tile(`z=0&x=0&y=0&layers=${id}${lng}`)),
  );
  assert.notDeepEqual(en!.bytes, ru!.bytes);
  assert.deepEqual(none!.bytes, en!.bytes);
});

test('values that look like tokens of the renderer stay values', async () => {
  const id = await makeLayer('tokens', '#tokens { polygon-fill: #ffffff; }');
  await server.admin('POST', '/m/layers/tokens/structure/', { code: 'name', type: 'string' });
  const hostile = ['!bbox!', "it's !bbox! or true; --", '!@name!', '\\!pixel_width!'];
  for (const name of hostile) {
    const object = await server.admin('POST', '/m/layers/tokens/objects/', {
      fields: { name },
      geom: square(10, -60, 80, -10),
    });
    const text = name.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
    const changed = await server.request('PATCH', '/m/layers/tokens/', {
      token: server.adminToken,
      body: { css_style: `#tokens[name = "${text}"] { polygon-fill: #ff0000; }` },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(pixel(await tile(`z=1&x=1&y=0&layers=${id}`), 60, 60), [255, 0, 0, 255], name);
    await server.admin('DELETE', `/m/layers/tokens/objects/${object.id}/`);
  }
});

test('a renderer that hangs costs one answer and is replaced; so does one that crashes', async () => {
  const { renderers } = server.server.services;
  const before = renderers.processes();
  assert.equal(before.length, 2);
  for (const pid of before) process.kill(pid, 'SIGSTOP');
  const hung = await Promise.all([tile('z=6&x=1&y=1'), tile('z=7&x=1&y=1')]);
  assert.deepEqual(
    hung.map(({ status }) => status),
    [503, 503],
  );
  assert.equal(hung[0]!.headers.get('cache-control'), 'no-store');
  const recovered = await tile('z=8&x=1&y=1');
  assert.equal(recovered.status, 200);
  for (const pid of renderers.processes()) process.kill(pid, 'SIGKILL');
  const after = await tile('z=9&x=1&y=1');
  assert.ok([200, 500].includes(after.status));
  assert.equal((await tile('z=10&x=1&y=1')).status, 200);
  assert.equal((await server.request('GET', '//readyz')).status, 200);
});

test('icons show the style of the layer', async () => {
  const icon = await server.request('GET', '/m/layers/north/icon/?size=64');
  const { width, height } = PNG.sync.read(icon.bytes);
  assert.deepEqual([width, height, icon.headers.get('content-type')], [64, 64, 'image/png']);
  assert.deepEqual(pixel(icon, 32, 32), [255, 0, 0, 255]);
  assert.equal((await server.request('GET', '/m/layers/north/icon/?size=7')).status, 400);
  assert.equal((await server.request('GET', '/m/layers/north/icon/?size=513')).status, 400);
});
