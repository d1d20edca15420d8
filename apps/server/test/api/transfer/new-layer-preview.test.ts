import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { outcome, signIn } from '../access/people.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.stop());

const csv = 'name,people,lon,lat\nLyon,520000,4.83,45.76\nNice,340000,7.26,43.70\n';

/** Sends a text as a whole upload; gives its id. */
async function upload(name: string, text: string, token = server.adminToken): Promise<string> {
  const headers = { 'tus-resumable': '1.0.0' };
  const made = await server.request('POST', '/files/uploads/', {
    token,
    headers: {
      ...headers,
      'upload-length': String(Buffer.byteLength(text)),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
  const { id } = made.json;
  await server.request('PATCH', `/files/uploads/${id}/`, {
    token,
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: Buffer.from(text),
  });
  return id;
}

test('the preview of a new layer tells what the import then does, and stores nothing', async () => {
  const map = (await server.admin('POST', '/', { code: freshCode('m') })).code;
  const id = await upload('towns.csv', csv);
  const query = `upload=${id}&dry_run=1&rows=1`;
  const { import: plan } = await server.admin('POST', `/${map}/import/?${query}`);
  assert.equal(plan.format, 'csv');
  assert.equal(plan.read, 2);
  assert.deepEqual(plan.extent, [4.83, 43.7, 7.26, 45.76]);
  assert.deepEqual(plan.rows[0].fields, { name: 'Lyon', people: 520000 });
  assert.deepEqual(await server.admin('GET', `/${map}/layers/?type=full`), []);
  await server.admin('POST', `/${map}/layers/`, { code: 'towns' });
  const same = await server.admin('POST', `/${map}/layers/towns/import/?${query}`);
  const { upload: _, ...planOfLayer } = same.import;
  const { upload: __, ...planOfMap } = plan;
  assert.deepEqual(planOfMap, planOfLayer);
  const done = await server.admin('POST', `/${map}/layers/towns/import/?upload=${id}`);
  assert.equal(done.import.stored, 2);
});

test('a file with ids, with mistakes, or of no known format', async () => {
  const map = (await server.admin('POST', '/', { code: freshCode('m') })).code;
  const features = [7, 7].map((id) => ({
    type: 'Feature',
    id,
    properties: { svc_id: id, a: 1 },
    geometry: null,
  }));
  const twins = await upload('a.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
  const plan = await server.admin('POST', `/${map}/import/?upload=${twins}&dry_run=1`);
  assert.deepEqual([plan.import.read, plan.import.refused], [2, 1]);
  const unknown = await upload('a.bin', 'nothing of any kind');
  const preview = (query: string, token = server.adminToken) =>
    outcome(server, 'POST', `/${map}/import/?${query}`, { token });
  assert.deepEqual(await preview(`upload=${unknown}&dry_run=1`), [500, 'import_failed']);
  assert.deepEqual(await preview(`upload=${twins}`), [400, 'bad_request']);
  assert.deepEqual(await preview('dry_run=1'), [400, 'bad_request']);
});

test('it needs the right to edit the map, and an upload of the caller', async () => {
  const map = (await server.admin('POST', '/', { code: freshCode('m') })).code;
  const id = await upload('towns.csv', csv);
  const preview = (token: string) =>
    outcome(server, 'POST', `/${map}/import/?upload=${id}&dry_run=1`, { token });
  assert.deepEqual(await preview(await signIn(server, { [`/${map}/rights/`]: 'view' })), [403, 'forbidden']);
  const editor = await signIn(server, { [`/${map}/rights/`]: 'edit' });
  assert.equal((await preview(editor))[0], 404);
});
