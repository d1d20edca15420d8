import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { colorAt, pixel } from '../../pictures/compare.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { makeLayers } from '../../tiles/colors.js';
import { tile } from '../../tiles/scene.js';
import { outcome } from '../access/people.js';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server?.stop());

const [red, green, blue] = ['#ff0000', '#00ff00', '#0000ff'];
const sea = '#cceeff';
const place = [2, 2, 2] as const;

async function makeMap() {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map, css_style: `Map { background-color: ${sea}; }` });
  return { map, ids: await makeLayers(server, map, { red, green, blue }) };
}
const color = async (map: string, query = ''): Promise<string> => {
  const answer = await tile(server, map, place, query);
  assert.equal(answer.status, 200, answer.text);
  return colorAt(answer.bytes);
};
/** Whether a PNG has a palette (PNG, section 11.2.1: colour type 3). */
const hasPalette = async (map: string, query = ''): Promise<boolean> =>
  (await tile(server, map, place, query)).bytes[25] === 3;

test('the base layer of a map is drawn below all others, and not with base=0', async () => {
  const { map, ids } = await makeMap();
  await server.admin('PATCH', `/${map}/`, { json: { base_layer: ids.red } });
  assert.equal(await color(map), green, 'the red layer was on top');
  assert.equal(await color(map, 'layers='), red, 'drawn even where no layer is named');
  assert.equal(await color(map, `layers=${ids.blue},${ids.red}`), blue, 'wherever it is named');
  assert.equal(await color(map, `layers=${ids.red}&base=0`), 'clear');
  assert.equal(await color(map, 'base=0'), green);
  await server.admin('PUT', `/${map}/layers/red/rights/`, { user: 'public', right: 'none' });
  assert.equal(await color(map, 'layers='), sea, 'who may not view it does not see it');
  await server.admin('DELETE', `/${map}/layers/red/`);
  assert.equal(await color(map, 'layers='), sea);
  await server.admin('PATCH', `/${map}/`, { json: {} });
  assert.equal(await color(map), green);
});

test('a base layer is a layer of the map', async () => {
  const { map } = await makeMap();
  const other = await makeMap();
  const folder = await server.admin('POST', `/${map}/folders/`, {});
  const token = server.adminToken;
  for (const base_layer of [other.ids.red, folder.id, 'red', 1.5, -1, 2 ** 40, {}, true])
    assert.deepEqual(
      await outcome(server, 'PATCH', `/${map}/`, { token, body: { json: { base_layer } } }),
      [400, 'bad_request'],
      String(base_layer),
    );
  await server.admin('PATCH', `/${map}/`, { json: { base_layer: null } });
});

test('render_settings of a map apply to all of its layers', async () => {
  const { map } = await makeMap();
  const set = (render_settings: object) => server.admin('PATCH', `/${map}/`, { render_settings });
  await set({ minZoom: 3 });
  assert.equal(await color(map), sea);
  assert.equal(colorAt((await tile(server, map, [3, 4, 4])).bytes), red);
  await set({ maxZoom: 1 });
  assert.equal(await color(map), sea);
  await set({ opacity: 0.5 });
  await server.admin('PATCH', `/${map}/layers/red/`, { render_settings: { opacity: 0.5 } });
  const { id } = await server.admin('GET', `/${map}/layers/red/`);
  const alpha = pixel((await tile(server, map, place, `layers=${id}&base=0`)).bytes, 128, 128)[3];
  assert.ok(Math.abs(alpha - 64) <= 1, `a quarter: ${alpha}`);
  await set({ cache: false });
  assert.equal((await tile(server, map, place)).status, 200);
});

test('folders of quality 1: a limited palette if everything drawn is in them and the request asks for nothing else', async () => {
  const { map, ids } = await makeMap();
  const outer = await server.admin('POST', `/${map}/folders/`, { code: 'f', json: { tiles_quality: 1 } });
  assert.equal(outer.tiles_quality, 1);
  const inner = await server.admin('POST', `/${map}/folders/`, { code: 'g', parent_id: outer.id });
  await server.admin('PATCH', `/${map}/layers/red/`, { parent_id: outer.id });
  await server.admin('PATCH', `/${map}/layers/green/`, { parent_id: inner.id });
  assert.equal(await hasPalette(map), false, 'the blue layer lies outside');
  assert.equal(await hasPalette(map, `layers=${ids.red},${ids.green}`), true);
  assert.equal(await hasPalette(map, `layers=${ids.red},${ids.green}&q=0`), false);
  assert.equal(await hasPalette(map, 'layers='), false);
  const etag = async (): Promise<string | null> =>
    (await tile(server, map, place, `layers=${ids.red}`)).headers.get('etag');
  const before = await etag();
  await server.admin('PATCH', `/${map}/folders/f/`, { parent_id: outer.parent_id, json: {} });
  assert.equal(await hasPalette(map, `layers=${ids.red}`), false);
  assert.notEqual(await etag(), before);
});

test('the folder and the tree return the json of a folder', async () => {
  const { map } = await makeMap();
  const icon = '/api/2.8/demo/icons/park/';
  const json = { icon, tiles_quality: 1, view_format_type: 2, own: 'kept' };
  const made = await server.admin('POST', `/${map}/folders/`, { code: 'f', json });
  assert.deepEqual([made.icon, made.tiles_quality, made.view_format_type, made.json], [icon, 1, 2, json]);
  const item = (await server.admin('GET', `/${map}/layers/`)).find((one: any) => one.id === made.id);
  assert.deepEqual([item.icon, item.view_format_type], [icon, 2]);
  const change = (wanted: object) =>
    outcome(server, 'PATCH', `/${map}/folders/f/`, {
      token: server.adminToken,
      body: { parent_id: made.parent_id, json: wanted },
    });
  for (const wrong of [
    { tiles_quality: 2 },
    { tiles_quality: '1' },
    { view_format_type: 3 },
    { icon: 7 },
    { icon: '/api/2.8/demo/icons/nothing/' },
  ])
    assert.deepEqual(await change(wrong), [400, 'bad_request'], JSON.stringify(wrong));
  assert.deepEqual(await server.admin('GET', `/${map}/folders/f/`), made);
  assert.deepEqual(await change({ own: 1 }), [200, undefined]);
  const { icon: none, tiles_quality } = await server.admin('GET', `/${map}/folders/f/`);
  assert.deepEqual([none, tiles_quality], ['', 0]);
});
