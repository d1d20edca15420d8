import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let other: string;
const tus = { 'tus-resumable': '1.0.0' };
const part = { ...tus, 'content-type': 'application/offset+octet-stream' };
const points = (count: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: 'FeatureCollection',
      features: Array.from({ length: count }, (_, n) => ({
        type: 'Feature',
        properties: { n, text: 'x'.repeat(50) },
        geometry: { type: 'Point', coordinates: [n % 180, 1] },
      })),
    }),
  );

test.before(async () => {
  server = await startServer({
    CARTULARY_UPLOADS: '4',
    CARTULARY_UPLOAD_LIMIT: '5000000',
    CARTULARY_UPLOAD_SPACE: '9000000',
  });
  await server.admin('POST', '/users/', { login: 'ann', password: 'long-enough' });
  await server.admin('PUT', '/rights/', { user: 'ann', right: 'edit' });
  other = (await server.request('POST', '/login/', { body: { login: 'ann', password: 'long-enough' } })).json
    .token;
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
});
test.after(() => server.stop());

const send = (method: string, path: string, headers: object, body?: Buffer, token = server.adminToken) =>
  server.request(method, path, { token, headers: { accept: 'application/json', ...headers }, body });
async function begin(size: number, name = 'towns.geojson'): Promise<string> {
  const made = await send('POST', '/files/uploads/', {
    ...tus,
    'upload-length': String(size),
    'upload-metadata': `filename ${Buffer.from(name).toString('base64')},kind x`,
  });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual([made.json.size, made.json.offset, made.json.name], [size, 0, name]);
  assert.equal(made.headers.get('location'), `/api/2.8/demo/files/uploads/${made.json.id}/`);
  return `/files/uploads/${made.json.id}/`;
}
const idOf = (path: string): string => path.split('/')[3]!;
const append = (path: string, offset: number, bytes: Buffer, more: object = {}) =>
  send('PATCH', path, { ...part, 'upload-offset': String(offset), ...more }, bytes);
/** The helper of other tests reads a body, which an answer to HEAD does not have. */
const head = (path: string, token = server.adminToken): Promise<Response> =>
  fetch(server.api + path, { method: 'HEAD', headers: { ...tus, authorization: `Bearer ${token}` } });
const remove = (path: string) => send('DELETE', path, tus);

/** Sends a part and cuts the connection in its middle. */
const cutOff = (path: string, offset: number, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const request = httpRequest(server.api + path, {
      method: 'PATCH',
      headers: {
        ...part,
        authorization: `Bearer ${server.adminToken}`,
        'upload-offset': String(offset),
        'content-length': String(bytes.length),
      },
    });
    request.on('error', () => resolve());
    request.on('close', () => resolve());
    request.write(bytes.subarray(0, bytes.length >> 1), () => setTimeout(() => request.destroy(), 200));
  });

test('an upload goes on after a broken connection, and an import takes it whole', async () => {
  const bytes = points(20_000);
  const path = await begin(bytes.length);
  assert.equal((await append(path, 0, bytes.subarray(0, 100_000))).headers.get('upload-offset'), '100000');
  await cutOff(path, 100_000, bytes.subarray(100_000));
  let offset = 0;
  for (let i = 0; i < 100 && offset <= 100_000; i++) {
    await sleep(50);
    const { status, headers } = await head(path);
    assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store']);
    offset = Number(headers.get('upload-offset'));
    assert.equal(headers.get('upload-length'), String(bytes.length));
  }
  assert.ok(
    offset > 100_000 && offset < bytes.length,
    `what came before the connection broke stays: ${offset}`,
  );

  const early = await server.request('POST', `/m/layers/l/import/?upload=${idOf(path)}`, {
    token: server.adminToken,
    headers: { accept: 'application/json' },
  });
  assert.deepEqual([early.status, early.json.data], [400, { parameters: ['upload'] }]);
  // The old connection may still write: the client asks again where it goes on, as the protocol says.
  for (let done = false; !done; ) {
    offset = Number((await head(path)).headers.get('upload-offset'));
    const rest = await append(path, offset, bytes.subarray(offset));
    done = rest.status === 204;
    assert.ok(done || rest.status === 409, rest.text);
  }
  const imported = async (query: string, token = server.adminToken) =>
    server.request('POST', `/m/layers/l/import/?upload=${idOf(path)}${query}`, {
      token,
      headers: { accept: 'application/json' },
    });
  assert.equal((await imported('', other)).status, 404, 'the upload of somebody else');
  const planned = await imported('&dry_run=1');
  assert.deepEqual([planned.status, planned.json.import.read], [200, 20_000], planned.text);
  assert.equal(await server.admin('GET', '/m/layers/l/count/?precise=1'), 0);
  const stored = await imported('');
  assert.deepEqual([stored.status, stored.json.import.stored], [200, 20_000], stored.text);
  const job = await imported('&async=1&action=1');
  assert.equal(job.status, 202);
  let state = '';
  while (!['done', 'failed'].includes(state)) {
    await sleep(50);
    state = (await server.admin('GET', `/jobs/${job.json.id}/`)).state;
  }
  assert.equal(state, 'done');
  assert.equal(await server.admin('GET', '/m/layers/l/count/?precise=1'), 20_000);
  assert.equal((await remove(path)).status, 204);
  assert.equal((await head(path)).status, 404);
});

test('a file of an object is taken from an upload', async () => {
  await server.admin('POST', '/m/layers/', { code: 'f' });
  await server.admin('POST', '/m/layers/f/structure/', { code: 'photo', type: 'file' });
  const { id } = await server.admin('POST', '/m/layers/f/objects/', { fields: {} });
  const path = await begin(5, 'notes.txt');
  await append(path, 0, Buffer.from('hello'));
  const at = `/m/layers/f/objects/${id}/files/?field=photo&upload=${idOf(path)}`;
  const added = await server.admin('POST', at);
  assert.deepEqual([added.name, added.mime], ['notes.txt', 'text/plain']);
  assert.equal((await send('GET', `/files/${added.uuid}/`, {})).text, 'hello');
  await remove(path);
});

test('a part is refused at another place, without its checksum, or beyond the end of the file', async () => {
  const path = await begin(10);
  const checksum = (bytes: string, algorithm = 'sha1') =>
    `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`;
  const wrong = await append(path, 0, Buffer.from('hello'), { 'upload-checksum': checksum('other') });
  assert.equal(wrong.status, 460);
  assert.equal((await head(path)).headers.get('upload-offset'), '0', 'nothing of it is stored');
  assert.equal((await append(path, 0, Buffer.from('hello'), { 'upload-checksum': 'crc9 abc' })).status, 400);
  assert.equal(
    (await append(path, 0, Buffer.from('hello'), { 'upload-checksum': checksum('hello') })).status,
    204,
  );
  const again = await append(path, 0, Buffer.from('hello'));
  assert.deepEqual([again.status, again.json.data.offset], [409, 5]);
  assert.equal((await append(path, 5, Buffer.from('too long'))).status, 413);
  const last = await append(path, 5, Buffer.from('world'), {
    'upload-checksum': checksum('world', 'sha256'),
  });
  assert.deepEqual([last.status, last.headers.get('upload-offset')], [204, '10']);
  assert.equal((await send('PATCH', path, { ...tus, 'upload-offset': '10' }, Buffer.from('x'))).status, 415);
  assert.equal((await send('PATCH', path, part, Buffer.from('x'))).status, 500, 'Upload-Offset is missing');
  await remove(path);
});

test('the protocol is told, and another version of it is refused', async () => {
  const told = await server.request('OPTIONS', '/files/uploads/');
  assert.deepEqual(
    [
      told.status,
      told.headers.get('tus-version'),
      told.headers.get('tus-extension'),
      told.headers.get('tus-max-size'),
    ],
    [204, '1.0.0', 'creation,termination,expiration,checksum', '5000000'],
  );
  const old = await send('POST', '/files/uploads/', { 'tus-resumable': '0.2.0', 'upload-length': '5' });
  assert.deepEqual([old.status, old.headers.get('tus-version')], [412, '1.0.0']);
  assert.equal((await send('POST', '/files/uploads/', tus)).status, 500, 'Upload-Length is missing');
  assert.equal((await send('POST', '/files/uploads/', { ...tus, 'upload-length': '-1' })).status, 400);
  assert.equal(
    (await send('POST', '/files/uploads/', { ...tus, 'upload-length': '5' }, undefined, '')).status,
    401,
  );
});

test('uploads belong to their creator, and have limits of size, number and space', async () => {
  const paths = [await begin(4_000_000), await begin(4_000_000)];
  assert.equal((await head(paths[0]!, other)).status, 404);
  for (const method of ['GET', 'DELETE'])
    assert.equal((await send(method, paths[0]!, tus, undefined, other)).status, 404, method);
  const create = (size: number) => send('POST', '/files/uploads/', { ...tus, 'upload-length': String(size) });
  assert.equal((await create(5_000_001)).status, 413);
  assert.equal((await create(2_000_000)).status, 429, 'space');
  paths.push(await begin(1), await begin(1));
  assert.equal((await create(1)).status, 429, 'number');
  for (const path of paths) assert.equal((await remove(path)).status, 204);
  assert.equal((await remove(await begin(1))).status, 204);
});

test('an abandoned upload is removed when its time is over', async (t) => {
  const own = await startServer({ CARTULARY_UPLOAD_TIME: '1' }, 'here');
  t.after(() => own.stop());
  const options = { token: own.adminToken, headers: { ...tus, 'upload-length': '5' } };
  const { json } = await own.request('POST', '/files/uploads/', options);
  const folder = join(own.server.services.config.dataFolder, 'resumable');
  assert.ok(statSync(join(folder, json.id)).isFile());
  await sleep(1_200);
  assert.equal(
    (await own.request('GET', `/files/uploads/${json.id}/`, { token: own.adminToken })).status,
    404,
  );
  const { sweepUploads } = await import('../../../src/uploads/store.js');
  await sweepUploads(own.db, own.server.services.config, {
    names: readdirSync(folder),
    before: Date.now() + 1_000,
  });
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(
    await own.db.query((await import('@cartulary/sql')).sql`select from cartulary.upload`),
    [],
  );
});

test('a dry run of an upload shows the first features as they would be stored; another encoding needs no new upload', async () => {
  const text =
    'id;город;площадь;когда;lon;lat\n1;Псков;95,6;2024-05-01;28.3;57.8\n2;Луга;18,25;2024-05-02;29.8;58.7\n3;без;x;;;\n';
  const cp1251 = Buffer.from(
    [...text].map((one) => (one.charCodeAt(0) > 127 ? one.charCodeAt(0) - 0x410 + 0xc0 : one.charCodeAt(0))),
  );
  await server.admin('POST', '/m/layers/', { code: 'p' });
  const path = await begin(cp1251.length, 'города.csv');
  await append(path, 0, cp1251);
  const planned = (more: string) =>
    server.request('POST', `/m/layers/p/import/?upload=${idOf(path)}&dry_run=1${more}`, {
      token: server.adminToken,
      headers: { accept: 'application/json' },
    });
  const shown = (await planned('&rows=2&encoding=windows-1251')).json.import;
  assert.equal(shown.rows.length, 2);
  const [first] = shown.rows;
  assert.equal(first.feature, 1);
  assert.deepEqual(first.geom, { type: 'Point', coordinates: [28.3, 57.8] });
  assert.ok(Object.values(first.fields).includes('Псков'), JSON.stringify(first));
  assert.deepEqual(
    Object.keys(first.fields).toSorted(),
    shown.columns.map(({ code }: { code: string }) => code).toSorted(),
  );
  const other = (await planned('&rows=1&encoding=cp866')).json.import;
  assert.ok(!Object.values(other.rows[0].fields).includes('Псков'));
  assert.equal('rows' in (await planned('')).json.import, false, 'only where they are asked for');
  assert.equal((await planned('&rows=101')).status, 400);
  await remove(path);
});
