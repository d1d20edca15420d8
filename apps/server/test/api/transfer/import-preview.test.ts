/* A preview of an import keeps its file, and the import takes it with the choices that the preview showed. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let editor: string;
test.before(async () => {
  server = await startServer({ CARTULARY_UPLOADS: '3', CARTULARY_UPLOAD_SPACE: '2000' });
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/users/', { login: 'ann', password: 'long-enough' });
  await server.admin('PUT', '/rights/', { user: 'ann', right: 'edit' });
  const session = await server.request('POST', '/login/', {
    body: { login: 'ann', password: 'long-enough' },
  });
  editor = session.json.token;
});
test.after(() => server.stop());

const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });
const feature = (properties: object, geometry: object | null = null) => ({
  type: 'Feature',
  properties,
  geometry,
});
const collection = (...features: object[]) => ({ type: 'FeatureCollection', features });

async function layerOf(): Promise<string> {
  const code = freshCode('layer');
  await server.admin('POST', '/m/layers/', { code });
  return `/m/layers/${code}/`;
}
const uploadsOf = async (token = server.adminToken): Promise<{ id: string; name: string; size: number }[]> =>
  (await server.request('GET', '/files/uploads/', { token })).json;
const removeUploads = async (): Promise<void> => {
  for (const { id } of await uploadsOf())
    await server.request('DELETE', `/files/uploads/${id}/`, {
      token: server.adminToken,
      headers: { 'tus-resumable': '1.0.0' },
    });
};

test('a preview keeps its file, and an import takes it by its id', async () => {
  const layer = await layerOf();
  const file = JSON.stringify(collection(feature({ name: 'a' }, point(1, 2)), feature({ name: 'b' })));
  const preview = await server.request('POST', `${layer}import/?dry_run=1&keep=1&rows=1`, {
    token: server.adminToken,
    headers: { 'x-filename': 'towns.geojson' },
    body: file,
  });
  const { upload, read, rows } = preview.json.import;
  assert.deepEqual([read, rows.length], [2, 1]);
  const listed = await uploadsOf();
  assert.deepEqual(
    listed.map((one) => [one.id, one.name, one.size]),
    [[upload, 'towns.geojson', file.length]],
  );
  assert.deepEqual(await uploadsOf(editor), [], 'uploads of others are not listed');
  assert.equal(await server.admin('GET', `${layer}count/`), 0);
  const done = await server.admin('POST', `${layer}import/?upload=${upload}`);
  assert.deepEqual([done.import.stored, done.import.upload], [2, undefined]);
  assert.equal(
    (await server.admin('POST', `${layer}import/?upload=${upload}&dry_run=1`)).import.upload,
    upload,
  );
  assert.equal((await uploadsOf()).length, 1, 'the upload stays');
  await removeUploads();
});

test('a preview as a job, and one of a form, keep their file too', async () => {
  const layer = await layerOf();
  const file = JSON.stringify(collection(feature({ name: 'a' })));
  const form = new FormData();
  for (const [name, value] of [
    ['dry_run', '1'],
    ['keep', '1'],
  ])
    form.set(name!, value!);
  form.set('file', new Blob([file]), 'form.geojson');
  const ofForm = await server.request('POST', `${layer}import/`, { token: server.adminToken, body: form });
  const job = await server.request('POST', `${layer}import/?dry_run=1&keep=1&async=1`, {
    token: server.adminToken,
    headers: { 'x-filename': 'job.geojson' },
    body: file,
  });
  assert.equal(job.status, 202, job.text);
  const events = await server.request('GET', `/jobs/${job.json.id}/events/`, { token: server.adminToken });
  assert.match(events.text, /done/);
  const { result } = await server.admin('GET', `/jobs/${job.json.id}/`);
  assert.deepEqual(
    (await uploadsOf()).map(({ id, name }) => [id, name]),
    [
      [ofForm.json.import.upload, 'form.geojson'],
      [result.import.upload, 'job.geojson'],
    ],
  );
  await removeUploads();
});

test('kept files count as uploads: number, space, rights', async () => {
  const layer = await layerOf();
  const keep = (bytes: number, token = server.adminToken) =>
    server.request('POST', `${layer}import/?dry_run=1&keep=1`, {
      token,
      headers: { accept: 'application/json', 'x-filename': 'x.geojson' },
      body: JSON.stringify(collection(feature({ name: 'x'.repeat(bytes) }))),
    });
  assert.equal((await keep(2_000)).status, 429, 'space');
  for (let i = 0; i < 3; i++) assert.equal((await keep(10)).status, 200);
  const refused = await keep(10);
  assert.deepEqual([refused.status, refused.json.code], [429, 'too_many_requests']);
  assert.equal((await uploadsOf()).length, 3);
  await removeUploads();
  const wrong = await server.request('POST', `${layer}import/?keep=1`, {
    token: server.adminToken,
    headers: { accept: 'application/json' },
    body: '{}',
  });
  assert.deepEqual([wrong.status, wrong.json.data.parameters], [400, ['keep']]);
  await server.admin('PUT', '/rights/', { user: 'ann', right: 'view' });
  assert.equal((await keep(10, editor)).status, 403, 'a viewer previews no import');
  await server.admin('PUT', '/rights/', { user: 'ann', right: 'edit' });
  assert.equal((await server.request('GET', '/files/uploads/')).status, 401);
});

test('a preview sketches the first geometries, simplified, in the order of the file', async () => {
  const layer = await layerOf();
  const circle = (x: number) => ({
    type: 'Polygon',
    coordinates: [
      Array.from({ length: 721 }, (_, i) => {
        const angle = ((i % 720) * Math.PI) / 360;
        return [x + Math.cos(angle), Math.sin(angle)];
      }),
    ],
  });
  const file = collection(
    feature({}, circle(0)),
    feature({}),
    feature({}, point(9, 9)),
    feature({}, circle(5)),
  );
  const sketchFor = async (count: string) =>
    (await server.admin('POST', `${layer}import/?dry_run=1&sketch=${count}`, file)).import.sketch;
  const { type, features } = await sketchFor('2');
  assert.equal(type, 'FeatureCollection');
  assert.deepEqual(
    features.map(({ id, geometry }: any) => [id, geometry.type]),
    [
      [1, 'Polygon'],
      [3, 'Point'],
    ],
  );
  const [ring] = features[0].geometry.coordinates;
  assert.ok(ring.length > 10 && ring.length < 200, `${ring.length} positions`);
  for (const [x, y] of ring) assert.ok(Math.abs(Math.hypot(x, y) - 1) < 0.02, 'on the circle');
  assert.equal((await sketchFor('1000')).features.length, 3);
  assert.equal(await sketchFor('0'), undefined);
  const wrong = await server.request('POST', `${layer}import/?dry_run=1&sketch=1001`, {
    token: server.adminToken,
    headers: { accept: 'application/json' },
    body: file,
  });
  assert.deepEqual([wrong.status, wrong.json.data.parameters], [400, ['sketch']]);
});
