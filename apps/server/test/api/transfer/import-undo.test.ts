/* The last import of a layer is undone: objects, files and columns are as before. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

type Properties = Record<string, unknown>;
const collection = (...rows: Properties[]) => ({
  type: 'FeatureCollection',
  features: rows.map(({ id, ...properties }, i) => ({
    type: 'Feature',
    ...(id === undefined ? {} : { id }),
    properties,
    geometry: { type: 'Point', coordinates: [i % 180, 1] },
  })),
});
const many = (count: number, name: string) => Array.from({ length: count }, (_, i) => ({ number: i, name }));

/** Creates a layer with objects; gives its path. */
async function layerOf(...rows: Properties[]): Promise<string> {
  const code = freshCode('layer');
  await server.admin('POST', '/m/layers/', { code });
  const path = `/m/layers/${code}/`;
  await server.admin('POST', `${path}import/`, collection(...rows));
  return path;
}

/** All that a reader sees of a layer. */
const stateOf = async (layer: string) => ({
  objects: await server.admin('GET', `${layer}objects/?fields=*&returnGeom=1`),
  columns: (await server.admin('GET', `${layer}structure/`)).map(({ code }: { code: string }) => code),
});
const undo = (layer: string, headers: Record<string, string> = {}) =>
  server.request('POST', `${layer}import/undo/`, {
    token: server.adminToken,
    headers: { accept: 'application/json', ...headers },
  });
const last = (layer: string) => server.request('GET', `${layer}import/undo/`, { token: server.adminToken });

/** Imports rows and undoes it; the layer is as before. */
async function undone(layer: string, query: string, ...rows: Properties[]) {
  const before = await stateOf(layer);
  await server.admin('POST', `${layer}import/${query}`, collection(...rows));
  assert.notDeepEqual(await stateOf(layer), before);
  const { json, headers } = await last(layer);
  assert.equal(json.state, 'possible');
  const { status, json: answer } = await undo(layer, { 'if-match': headers.get('etag')! });
  assert.equal(status, 200, JSON.stringify(answer));
  assert.deepEqual(await stateOf(layer), before, query);
  assert.deepEqual((await last(layer)).json, { state: 'none', import: null });
  return { kept: json.import, answer };
}

test('what was added, changed and replaced is as before, few objects and many', async () => {
  const layer = await layerOf({ number: 1, name: 'one' }, { number: 2, name: 'two' });
  const added = await undone(layer, '', { number: 3, name: 'three', news: true });
  assert.deepEqual([added.kept.added, added.kept.columns, added.kept.login], [1, ['news'], 'admin']);
  assert.deepEqual([added.answer.deleted, added.answer.columns], [1, ['news']]);
  const merged = await undone(layer, '?key=number', { number: 2, name: 'changed' }, { number: 4 });
  assert.deepEqual([merged.kept.added, merged.kept.changed, merged.answer.restored], [1, 1, 1]);
  await undone(layer, '', { id: 1, name: 'by id' }, { id: 900, name: 'an id of the file' });
  const replaced = await undone(layer, '?action=1', { name: 'only', more: 5 });
  assert.deepEqual([replaced.kept.removed, replaced.kept.replaced, replaced.answer.restored], [2, true, 2]);
  // New tables take the place of the layer's, and queries go on reading it.
  await server.admin('POST', '/m/layers/', {
    code: freshCode('reader'),
    type: 'virtual',
    json: { query: `select svc_id, geom, name from m.${layer.split('/')[3]}` },
  });
  await undone(layer, '?action=1', ...many(5_001, 'many'));
  await server.admin('POST', `${layer}import/?action=1`, collection(...many(5_001, 'many')));
  await undone(layer, '?action=1', { number: 0, name: 'few' });
  await undone(layer, '?key=number', ...many(10, 'merged'));
  assert.equal(await server.admin('GET', `${layer}count/?precise=1`), 5_001);
});

test('an import into an empty layer leaves it empty; a column that the style reads stays', async () => {
  const layer = await layerOf({ kind: 'school' }, { kind: 'cafe' });
  await server.admin('PATCH', layer, { visualSettings: { type: 2, columnCode: 'kind' } });
  const { status, json } = await undo(layer);
  assert.deepEqual([status, json], [200, { deleted: 2, restored: 0, columns: [], kept_columns: ['kind'] }]);
  assert.equal(await server.admin('GET', `${layer}count/`), 0);
});

test('files of replaced objects come back with their contents', async () => {
  const layer = await layerOf({ name: 'one' });
  await server.admin('POST', `${layer}structure/`, { code: 'photo', type: 'file' });
  const [{ id }] = await server.admin('GET', `${layer}objects/`);
  const form = new FormData();
  form.set('field', 'photo');
  form.set('file', new Blob(['a picture']), 'photo.txt');
  const sent = await server.request('POST', `${layer}objects/${id}/files/`, {
    token: server.adminToken,
    body: form,
  });
  assert.equal(sent.status, 200, sent.text);
  await undone(layer, '?action=1', { name: 'other' });
  const [file] = await server.admin('GET', `${layer}objects/${id}/files/`);
  await sleep(50); // the sweep of files may look at it meanwhile
  assert.equal(
    (await server.request('GET', file.path.replace(/^.*\/api\/2\.8\/demo/, ''))).text,
    'a picture',
  );
});

test('an import is not undone over later changes, twice, without the right, or as another one', async () => {
  const layer = await layerOf({ name: 'one' });
  const first = await last(layer);
  await server.admin('POST', `${layer}import/`, collection({ name: 'two' }));
  const other = await undo(layer, { 'if-match': first.headers.get('etag')! });
  assert.deepEqual([other.status, other.json.code], [412, 'changed_meanwhile']);
  const [{ id }] = await server.admin('GET', `${layer}objects/`);
  await server.admin('PUT', `${layer}objects/${id}/`, { fields: { name: 'corrected' } });
  assert.equal((await last(layer)).json.state, 'changed');
  const changed = await undo(layer);
  assert.deepEqual([changed.status, changed.json.code], [412, 'changed_meanwhile']);
  const empty = await layerOf({ name: 'one' });
  assert.equal((await undo(empty)).status, 200);
  const again = await undo(empty);
  assert.deepEqual([again.status, again.json.code], [400, 'bad_request']);
  // What is kept goes with its layer.
  await server.admin('POST', `${layer}import/?action=1`, collection({ name: 'three' }));
  await server.admin('DELETE', layer);
});
