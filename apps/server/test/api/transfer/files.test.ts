import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { removeDeleted, sweepFiles } from '../../../src/files/sweep.js';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';
import { hostileTexts, outcome, signIn } from '../access/people.js';

let server: TestServer;
test.before(async () => {
  server = await startServer({ CARTULARY_FILE_LIMIT: '200000' });
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

const json = { accept: 'application/json' };

/** A new layer with the file columns `doc` and `photos` (localized) and one object: the path of the object. */
async function newObject(map = 'm'): Promise<{ layer: string; object: string }> {
  const code = freshCode('l');
  const layer = `/${map}/layers/${code}`;
  await server.admin('POST', `/${map}/layers/`, { code });
  for (const column of [
    { code: 'name', type: 'string' },
    { code: 'doc', type: 'file' },
    { code: 'photos', type: 'file', localized_value: true },
  ])
    await server.admin('POST', `${layer}/structure/`, column);
  await server.admin('POST', `${layer}/objects/`, { fields: {} });
  return { layer, object: `${layer}/objects/1` };
}

interface Sent {
  name?: string;
  content?: string | Uint8Array;
  field?: string;
  lng?: string;
  token?: string;
}

function send(object: string, sent: Sent = {}): Promise<TestAnswer> {
  const { name = 'a.txt', content = 'hello', field = 'doc', lng, token = server.adminToken } = sent;
  const body = new FormData();
  // Behind the file too: forms have their variables in any order.
  if (lng !== undefined) body.set('lng', lng);
  body.set('file', new Blob([content]), name);
  if (field) body.set('field', field);
  return server.request('POST', `${object}/files/`, { token, body, headers: json });
}

interface FileView {
  name: string;
  path: string;
  mime: string;
  id: number;
  uuid: string;
}

async function add(object: string, sent: Sent = {}): Promise<FileView> {
  const answer = await send(object, sent);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const get = (file: { uuid: string }, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  server.request('GET', `/files/${file.uuid}/`, { headers });

const fieldsOf = async (object: string, query = ''): Promise<any> =>
  (await server.admin('GET', `${object}/${query}`)).fields;

/** Contents on the disk. */
function stored(): string[] {
  const folder = join(services().config.dataFolder, 'files');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

const services = () => server.server.services;

test('a file is added, listed, read and deleted', async () => {
  const { layer, object } = await newObject();
  const before = stored().length;
  const first = await add(object, { name: 'Отчёт 1.txt', content: 'раз' });
  assert.deepEqual(first, {
    name: 'Отчёт 1.txt',
    path: `/api/2.8/demo/files/${first.uuid}/`,
    mime: 'text/plain',
    id: first.id,
    uuid: first.uuid,
  });
  const second = await add(object, { name: '照片.txt', content: '' });
  assert.equal((await fieldsOf(object)).doc, `${first.id},${second.id}`);
  assert.equal(stored().length, before + 2);
  assert.deepEqual(await server.admin('GET', `${object}/files/`), [
    { ...first, field: 'doc' },
    { ...second, field: 'doc' },
  ]);
  assert.deepEqual(await server.admin('GET', `${object}/files/?field=photos`), []);

  const answer = await server.request('GET', `//${first.path.slice(1)}`);
  assert.equal(answer.status, 200);
  assert.equal(answer.text, 'раз');
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(answer.headers.get('content-length'), '6');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.match(answer.headers.get('content-security-policy')!, /default-src 'none'.*sandbox/);
  assert.equal(
    answer.headers.get('content-disposition'),
    `inline; filename="_____ 1.txt"; filename*=UTF-8''%D0%9E%D1%82%D1%87%D1%91%D1%82%201.txt`,
  );
  assert.equal(answer.headers.get('cache-control'), 'public, no-cache');
  assert.equal((await get(second)).text, '');

  const path = `${object}/files/${first.id}/`;
  assert.equal(await server.admin('DELETE', `${path}?field=doc`), null);
  assert.equal((await fieldsOf(object)).doc, String(second.id));
  assert.equal((await get(first)).status, 404);
  assert.equal(stored().length, before + 1, 'its bytes are gone');
  assert.deepEqual(await outcome(server, 'DELETE', `${path}?field=doc`, { token: server.adminToken }), [
    404,
    'file_not_found',
  ]);
  await server.admin('DELETE', `${object}/files/${second.id}/`, { field: 'doc' });
  assert.equal((await fieldsOf(object)).doc, null);
  const [exported] = (await server.admin('GET', `${layer}/export/?format=geojson`)).features;
  assert.equal(exported.properties.doc, null);
});

test('a localized column has a list for each language', async () => {
  const { object } = await newObject();
  const en = await add(object, { field: 'photos' });
  const ru = await add(object, { field: 'photos', lng: 'ru' });
  const ru2 = await add(object, { field: 'photos', lng: 'RU' });
  assert.equal((await fieldsOf(object)).photos, String(en.id));
  assert.equal((await fieldsOf(object, '?lng=ru')).photos, `${ru.id},${ru2.id}`);
  assert.deepEqual(
    (await server.admin('GET', `${object}/files/?lng=ru`)).map(({ id }: FileView) => id),
    [ru.id, ru2.id],
  );
  assert.deepEqual(
    (await server.admin('GET', `${object}/files/?field=photos&lng=fr`)).map(({ id }: FileView) => id),
    [en.id],
    'those of the list that the object shows',
  );
  const wrong = await outcome(server, 'DELETE', `${object}/files/${ru.id}/?field=photos`, {
    token: server.adminToken,
  });
  assert.deepEqual(wrong, [404, 'file_not_found'], 'it is not in the main language');
  assert.equal((await fieldsOf(object, '?lng=ru')).photos, `${ru.id},${ru2.id}`, 'all or nothing');
  await server.admin('DELETE', `${object}/files/${ru.id}/?field=photos&lng=ru`);
  await server.admin('DELETE', `${object}/files/${en.id}/?field=photos`);
  assert.equal((await fieldsOf(object, '?lng=ru')).photos, String(ru2.id));
  await server.admin('DELETE', `${object}/files/${ru2.id}/?field=photos&lng=ru`);
  assert.equal((await fieldsOf(object)).photos, null);
});

test('errors in a request are reported, and nothing is stored', async () => {
  const { layer, object } = await newObject();
  const before = stored().length;
  const cases: [Promise<TestAnswer>, number, string][] = [
    [send(object, { field: '' }), 500, 'required_missing'],
    [send(object, { field: 'nowhere' }), 404, 'column_not_found'],
    [send(object, { field: 'name' }), 400, 'bad_request'],
    [send(object, { field: 'photos', lng: '<b>' }), 400, 'bad_request'],
    [send(`${layer}/objects/99`), 404, 'object_not_found'],
    [send('/m/layers/nowhere/objects/1'), 404, 'layer_not_found'],
    [send(object, { content: 'x'.repeat(200_001) }), 413, 'too_large'],
    [send(object, { content: 'x'.repeat(3_000_000) }), 413, 'too_large'],
    [send(object, { token: '' }), 401, 'not_authenticated'],
  ];
  for (const [answer, status, code] of cases) {
    const { status: got, json: error, text } = await answer;
    assert.deepEqual([got, error?.code], [status, code], text);
  }
  const request = { token: server.adminToken, headers: json };
  const withoutFile = new FormData();
  withoutFile.set('field', 'doc');
  const other = new FormData();
  other.set('upload', new Blob(['x']), 'x.txt');
  for (const body of [withoutFile, other, { field: 'doc' }, undefined]) {
    const answer = await server.request('POST', `${object}/files/?field=doc`, { ...request, body });
    assert.deepEqual([answer.status, answer.json.code], [500, 'required_missing'], answer.text);
    assert.deepEqual(answer.json.data, { required: ['file'] });
  }
  const plain = freshCode('l');
  await server.admin('POST', '/m/layers/', { code: plain });
  await server.admin('POST', `/m/layers/${plain}/objects/`, { fields: {} });
  assert.equal((await send(`/m/layers/${plain}/objects/1`)).status, 400, 'no file columns');
  for (const [method, path] of [
    ['GET', '/files/1/'],
    ['GET', `/files/${randomUUID()}/`],
    ['GET', `/files/${encodeURIComponent(`../../${randomUUID()}`)}/`],
  ] as const)
    assert.deepEqual(await outcome(server, method, path), [404, 'file_not_found'], path);
  assert.equal(stored().length, before);
  assert.equal((await fieldsOf(object)).doc, null);
  assert.equal((await add(object, { content: 'x'.repeat(200_000) })).mime, 'text/plain', 'the limit itself');
});

test('hostile names are data; hostile contents are saved, not run', async () => {
  const { object } = await newObject();
  const names = [
    ...hostileTexts,
    '../../x',
    '"><script>alert(1)</script>.png',
    'a\r\nX-Evil: 1.txt',
    '\u202etxt.exe',
  ];
  for (const name of names) {
    const file = await add(object, { name });
    const answer = await get(file);
    assert.equal(answer.status, 200, name);
    assert.equal(answer.headers.get('x-evil'), null);
    assert.match(answer.headers.get('content-disposition')!, /^inline; filename="[^"]+"/);
    assert.ok(!/[/\\\p{Cc}\u202e]/u.test(file.name), JSON.stringify(file.name));
  }
  assert.deepEqual(
    stored().filter((name) => !/^[0-9a-f-]{36}$/.test(name)),
    [],
    'no name reaches the disk',
  );
  const contents: [content: string, name: string, mime: string][] = [
    ['<!doctype html><script>alert(1)</script>', 'photo.jpg', 'text/html'],
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'a.png', 'image/svg+xml'],
    ['<?xml version="1.0"?><x/>', 'a.txt', 'application/xml'],
    ['alert(1)', 'a.js', 'text/plain; charset=utf-8'],
  ];
  for (const [content, name, mime] of contents) {
    const answer = await get(await add(object, { content, name }));
    assert.equal(answer.headers.get('content-type'), mime);
    const kind = mime.startsWith('text/plain') ? 'inline' : 'attachment';
    assert.ok(answer.headers.get('content-disposition')!.startsWith(kind), mime);
    assert.match(answer.headers.get('content-security-policy')!, /sandbox/);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  }
});

test('parts of a file, and what the client has already', async () => {
  const { object } = await newObject();
  const file = await add(object, { content: '0123456789' });
  const whole = await get(file);
  const etag = whole.headers.get('etag')!;
  assert.equal(whole.headers.get('accept-ranges'), 'bytes');
  const part = await get(file, { range: 'bytes=2-4' });
  assert.equal(part.status, 206);
  assert.equal(part.text, '234');
  assert.equal(part.headers.get('content-range'), 'bytes 2-4/10');
  assert.equal(part.headers.get('content-length'), '3');
  assert.equal(part.headers.get('etag'), etag);
  assert.equal((await get(file, { range: 'bytes=-2' })).text, '89');
  assert.equal((await get(file, { range: 'bytes=8-', 'if-range': etag })).text, '89');
  assert.equal((await get(file, { range: 'bytes=8-', 'if-range': '"old"' })).text, '0123456789');
  const beyond = await get(file, { range: 'bytes=10-' });
  assert.equal(beyond.status, 416);
  assert.equal(beyond.headers.get('content-range'), 'bytes */10');
  assert.equal(beyond.headers.get('etag'), null);
  const known = await get(file, { 'if-none-match': etag, range: 'bytes=2-4' });
  assert.equal(known.status, 304);
  assert.equal(known.text, '');
  assert.equal(known.headers.get('etag'), etag);
  const head = await server.request('HEAD', `/files/${file.uuid}/`);
  assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, '10', '']);
});

test('an object keeps the files that its list names; it cannot name others', async () => {
  const { layer, object } = await newObject();
  const [a, b, c] = [await add(object), await add(object), await add(object, { field: 'photos', lng: 'ru' })];
  const other = await newObject();
  const foreign = await add(other.object);
  const put = (fields: object, query = '') =>
    server.request('PUT', `${object}/${query}`, { token: server.adminToken, body: { fields } });

  for (const fields of [
    { doc: `${a.id},${foreign.id}` },
    { doc: String(c.id) },
    { doc: `${a.id},${a.id}` },
    { doc: 'x' },
    { doc: a.id },
    { photos: String(c.id) },
    { photos: { en: String(c.id) } },
    { photos: { ru: String(a.id) } },
  ]) {
    const answer = await put({ name: 'changed', ...fields });
    assert.deepEqual([answer.status, answer.json.code], [500, 'value_invalid'], JSON.stringify(fields));
    assert.deepEqual(answer.json.data.columns, [Object.keys(fields)[0]]);
  }
  assert.deepEqual(await fieldsOf(object, '?lng=ru'), {
    name: null,
    doc: `${a.id},${b.id}`,
    photos: String(c.id),
  });
  assert.equal(
    (await put({ doc: ` ${b.id} , ${a.id} ` })).json.fields.doc,
    `${b.id},${a.id}`,
    'another order',
  );
  const before = stored().length;
  assert.equal((await put({ doc: String(a.id) })).json.fields.doc, String(a.id));
  assert.equal((await get(b)).status, 404, 'what is left out is deleted');
  assert.equal((await put({ doc: `${b.id}` })).status, 500);
  await put({ photos: null }, '?lng=en');
  assert.equal((await get(c)).status, 200, 'the other language keeps its own');
  await put({ photos: '' }, '?lng=ru');
  assert.equal((await get(c)).status, 404);
  await removeDeleted(services());
  assert.equal(stored().length, before - 2);

  const made = await server.request('POST', `${layer}/objects/`, {
    token: server.adminToken,
    body: { fields: { doc: String(a.id) } },
  });
  assert.deepEqual([made.status, made.json.code], [500, 'value_invalid'], 'a new object has no files');
});

test('a copy has copies of the files; replaced and deleted files are removed', async () => {
  const { layer, object } = await newObject();
  const source = await newObject();
  const a = await add(source.object, { name: 'a.txt', content: 'A' });
  const b = await add(source.object, { name: 'b.txt', content: 'B' });
  const ru = await add(source.object, { field: 'photos', lng: 'ru', content: 'ру' });
  await server.admin('PUT', `${source.object}/`, { fields: { doc: `${b.id},${a.id}` } });
  const replaced = await add(object, { content: 'old' });
  const before = stored().length;
  const copy = (from: string, to: string) =>
    server.admin('POST', `${from}/copy/`, { map_code: 'm', layer_code: to.split('/').at(-1) });

  await copy(source.object, layer);
  const files: FileView[] = await server.admin('GET', `${object}/files/?field=doc`);
  assert.deepEqual(
    files.map(({ name }) => name),
    ['b.txt', 'a.txt'],
    'in the order of the list',
  );
  assert.equal((await fieldsOf(object)).doc, files.map(({ id }) => id).join(','));
  const ids = [a, b, ru, replaced].map(({ id }) => id);
  const [photo] = (await server.admin('GET', `${object}/files/?field=photos&lng=ru`)) as [FileView];
  for (const { id } of [...files, photo]) assert.ok(!ids.includes(id), 'new ids');
  assert.equal((await get(replaced)).status, 404);
  assert.equal((await get(photo)).text, 'ру');

  await server.admin('DELETE', `${source.object}/`);
  assert.equal((await get(a)).status, 404);
  await removeDeleted(services());
  assert.equal((await get(files[0]!)).text, 'B', 'the copy does not need the original');
  assert.equal(stored().length, before - 1, 'only the replaced file is gone');

  const own = await fieldsOf(object);
  await copy(object, layer);
  assert.deepEqual(await fieldsOf(object), own, 'onto itself: nothing changes');
  assert.equal((await get(files[0]!)).text, 'B');
  await server.admin('DELETE', `${layer}/objects/`, { delete_params: '1-5' });
  await removeDeleted(services());
  for (const file of files) assert.equal((await get(file)).status, 404);
  assert.equal(stored().length, before - 4);
});

test('a copy fits into columns with and without languages', async () => {
  const plain = await newObject();
  const code = freshCode('l');
  await server.admin('POST', '/m/layers/', { code });
  await server.admin('POST', `/m/layers/${code}/structure/`, {
    code: 'doc',
    type: 'file',
    localized_value: true,
  });
  await server.admin('POST', `/m/layers/${code}/structure/`, { code: 'photos', type: 'file' });
  const doc = await add(plain.object, { content: 'doc' });
  await add(plain.object, { field: 'photos', lng: 'ru', content: 'ru' });
  await server.admin('POST', `${plain.object}/copy/`, { map_code: 'm', layer_code: code });
  const files: FileView[] = await server.admin('GET', `/m/layers/${code}/objects/1/files/?lng=en`);
  assert.deepEqual(await Promise.all(files.map(async (file) => (await get(file)).text)), ['doc', 'ru']);
  assert.equal((await get(doc)).text, 'doc');
});

test('import: replace deletes the files, merge leaves them, and no file sets them', async () => {
  const { layer, object } = await newObject();
  const file = await add(object);
  const features = (await server.admin('GET', `${layer}/export/?format=geojson`)) as { features: any[] };
  assert.equal(features.features[0].properties.doc, String(file.id));
  await server.admin('POST', `${layer}/import/?action=2`, features);
  assert.equal((await fieldsOf(object)).doc, String(file.id), 'what was exported comes back');
  features.features[0].properties.doc = '99';
  features.features[0].properties.name = 'new';
  await server.admin('POST', `${layer}/import/?action=2`, features);
  assert.deepEqual(await fieldsOf(object), { name: 'new', doc: String(file.id), photos: null });
  assert.equal((await get(file)).status, 200);
  await server.admin('POST', `${layer}/import/?action=1`, features);
  assert.deepEqual(await fieldsOf(object), { name: 'new', doc: null, photos: null });
  assert.equal((await get(file)).status, 404);
});

test('with a column, layer or map its files are gone', async () => {
  await removeDeleted(services());
  const before = stored().length;
  const map = freshCode('map');
  await server.admin('POST', '/', { code: map });
  const objects = await Promise.all([newObject(map), newObject(map), newObject(map)]);
  const files = await Promise.all(objects.map(({ object }) => add(object)));
  const [first, second] = [objects[0]!, objects[1]!];
  await server.admin('DELETE', `${first.layer}/structure/doc/`);
  await server.admin('DELETE', `${second.layer}/`);
  assert.deepEqual(await Promise.all(files.map(async (file) => (await get(file)).status)), [404, 404, 200]);
  await server.admin('DELETE', `/${map}/`);
  assert.equal((await get(files[2]!)).status, 404);
  await removeDeleted(services());
  assert.equal(stored().length, before);
});

test('a change of the column keeps the files that its lists still name', async () => {
  const { layer, object } = await newObject();
  const doc = await add(object);
  const [en, ru] = [
    await add(object, { field: 'photos' }),
    await add(object, { field: 'photos', lng: 'ru' }),
  ];
  const change = (code: string, input: object) =>
    server.admin('PUT', `${layer}/structure/${code}/`, { type: 'file', ...input });
  await change('doc', { localized_value: true, required: true });
  assert.deepEqual((await server.admin('GET', `${object}/files/?field=doc&lng=en`))[0].id, doc.id);
  await server.admin('DELETE', `${object}/files/${doc.id}/?field=doc&lng=en`);
  await change('photos', { localized_value: false });
  assert.equal((await fieldsOf(object)).photos, String(en.id));
  assert.equal((await get(ru)).status, 404, 'no list names it');
  await server.admin('DELETE', `${object}/files/${en.id}/?field=photos`);
  const last = await add(object, { field: 'photos' });
  await change('photos', { type: 'text' });
  assert.equal((await get(last)).status, 404);
  const structure = await server.admin('GET', `${layer}/structure/`);
  assert.equal(
    structure.find(({ code }: any) => code === 'doc').required,
    false,
    'no object could begin with a file',
  );
});

test('callers who may view the layer read files, and those who may edit it write them', async () => {
  const map = freshCode('map');
  await server.admin('POST', '/', { code: map });
  const { layer, object } = await newObject(map);
  const file = await add(object);
  const viewer = await signIn(server, { [`/${map}/rights/`]: 'view' });
  const editor = await signIn(server, { [`${layer}/rights/`]: 'edit' });
  const read = async (token?: string): Promise<number> =>
    (await server.request('GET', `/files/${file.uuid}/`, token === undefined ? {} : { token })).status;
  const remove = (token: string) =>
    outcome(server, 'DELETE', `${object}/files/${file.id}/?field=doc`, { token });

  assert.deepEqual([await read(), await read(viewer), await read(editor)], [200, 200, 200]);
  const own = await server.request('GET', `/files/${file.uuid}/`, { token: viewer });
  assert.equal(own.headers.get('cache-control'), 'private, no-cache');
  assert.equal((await send(object, { token: viewer })).status, 403);
  assert.deepEqual(await remove(viewer), [403, 'forbidden']);
  assert.equal((await send(object, { token: editor })).status, 200);

  await server.admin('PUT', `${layer}/rights/`, { user: 'public', right: 'none' });
  const login = await signIn(server, { [`/${map}/rights/`]: 'view', [`${layer}/rights/`]: 'none' });
  assert.deepEqual(
    [await read(), await read(viewer), await read(login), await read(editor)],
    [403, 200, 403, 200],
  );
  const etag = own.headers.get('etag')!;
  assert.equal((await get(file, { 'if-none-match': etag })).status, 403, 'rights come before 304');
  assert.equal((await server.request('GET', `${object}/files/`)).status, 403);
  await server.admin('PUT', `${layer}/rights/`, { user: 'public', right: null });
  await server.admin('PATCH', `/${map}/`, { publish: false });
  assert.deepEqual([await read(), await read(viewer), await read(server.adminToken)], [403, 200, 200]);
  assert.deepEqual(await remove(editor), [200, undefined]);
  assert.deepEqual(await outcome(server, 'GET', `/files/${file.uuid}/`), [404, 'file_not_found']);
});

test('a file of one project is not found in another', async () => {
  const { object } = await newObject();
  const file = await add(object);
  const code = freshCode('p');
  await server.request('POST', '//api/2.8/', { token: server.adminToken, body: { code } });
  const answer = await server.request('GET', `//api/2.8/${code}/files/${file.uuid}/`);
  assert.equal(answer.status, 404);
});

test('an upload that is cut off leaves nothing', async () => {
  const { object } = await newObject();
  const before = stored().length;
  const url = new URL(`${server.api}${object}/files/?field=doc&token=${server.adminToken}`);
  const headers = { 'content-type': 'multipart/form-data; boundary=xxx', 'content-length': '150000' };
  const start = '--xxx\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
  const request = httpRequest(url, { method: 'POST', headers });
  request.on('error', () => {});
  request.write(`${start}${'x'.repeat(100_000)}`);
  while (stored().length === before) await sleep(10);
  request.destroy();
  while (stored().length > before) await sleep(10);

  const broken = await server.request('POST', `${object}/files/?field=doc`, {
    token: server.adminToken,
    body: `${start}half`,
    headers: { 'content-type': headers['content-type'], ...json },
  });
  assert.equal(broken.status, 400);
  assert.equal(stored().length, before);
  assert.equal((await fieldsOf(object)).doc, null);
});

test('files that are added at once are all in the list', async () => {
  const { object } = await newObject();
  const files = await Promise.all(Array.from({ length: 12 }, (_, i) => add(object, { content: `${i}` })));
  const ids = (await fieldsOf(object)).doc.split(',').map(Number);
  assert.deepEqual(ids.toSorted(), files.map(({ id }) => id).toSorted());
  await Promise.all(
    files.slice(1).map(({ id }) => server.admin('DELETE', `${object}/files/${id}/?field=doc`)),
  );
  assert.equal((await fieldsOf(object)).doc, String(files[0]!.id));
});

test('leftovers of a crash are removed, and nothing else', async () => {
  const { layer, object } = await newObject();
  const kept = await add(object, { content: 'kept' });
  const { db, storage } = services();
  // As if the process had ended between the bytes and the row.
  const orphan = randomUUID();
  await storage.put(
    orphan,
    (async function* () {
      yield Buffer.from('x');
    })(),
  );
  await sweepFiles({ db, storage }, Date.now() - 60_000);
  assert.equal(await storage.size(orphan), 1, 'an upload may still be on its way');
  await sweepFiles({ db, storage }, Date.now() + 1_000);
  assert.equal(await storage.size(orphan), undefined);
  assert.equal((await get(kept)).text, 'kept');

  const [row] = await db.query<{ table: string }>(
    sql`select 'layer_' || id as table from cartulary.container where code = ${layer.split('/').at(-1)!}`,
  );
  await db.transaction((tx) => tx.query(sql`delete from ${ident('cartulary_data', row!.table)}`));
  await sweepFiles({ db, storage }, Date.now());
  assert.equal((await get(kept)).status, 404, 'its object is gone');
});
