import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { journalActionOf, unrecorded } from '../../../src/administration/journal/actions.js';
import { adminPassword, freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
const json = { accept: 'application/json' };
const as = (token: string, method: string, path: string, body?: unknown) =>
  server.request(method, path, { token, body, headers: json });
const signIn = async (login: string): Promise<string> =>
  (await server.request('POST', '/login/', { body: { login, password: 'long-enough' } })).json.token;

test.before(async () => {
  server = await startServer({ CARTULARY_JOURNAL_ENTRIES: '40' });
  for (const login of ['ann', 'bob'])
    await server.admin('POST', '/users/', { login, password: 'long-enough' });
  await server.admin('PUT', '/rights/', { user: 'ann', right: 'administer' });
});
test.after(() => server.stop());

interface Entry {
  id: number;
  at: string;
  login: string | null;
  action: string;
  map: string | null;
  layer: string | null;
  item: string | null;
  count: number;
}

/** Asks for the journal until it has an entry. */
async function journalWith(query: string, isWanted: (entry: Entry) => boolean): Promise<Entry[]> {
  for (;;) {
    const entries = await server.admin<Entry[]>('GET', `/administration/journal/?${query}`);
    if (entries.some(isWanted)) return entries;
    await sleep(50);
  }
}

test('the journal tells who changed what; equal changes are one entry', async () => {
  const token = await signIn('ann');
  const map = freshCode('m');
  await as(token, 'POST', '/', { code: map });
  await as(token, 'POST', `/${map}/layers/`, { code: 'wells' });
  await as(token, 'POST', `/${map}/layers/wells/structure/`, { code: 'depth', type: 'number' });
  const features = { type: 'Point', coordinates: [1, 2] };
  assert.equal((await as(token, 'POST', `/${map}/layers/wells/import/?dry_run=1`, features)).status, 200);
  const objects = Array.from({ length: 5 }, () =>
    as(token, 'POST', `/${map}/layers/wells/objects/`, { fields: {} }),
  );
  for (const { status } of await Promise.all(objects)) assert.equal(status, 200);
  assert.equal(
    (await as(token, 'POST', `/${map}/layers/wells/objects/`, { fields: { none: 1 } })).status,
    400,
  );
  await as(token, 'PUT', `/${map}/rights/`, [{ user: 'bob', right: 'view' }]);
  await as(token, 'GET', `/${map}/`);
  const entries = await journalWith(`map=${map}`, ({ action }) => action === 'rights_changed');
  const told = entries.map(({ login, action, layer, item }) => [login, action, layer, item]);
  assert.deepEqual(told.filter(([, action]) => action !== 'object_made').reverse(), [
    ['ann', 'map_made', null, null],
    ['ann', 'layer_made', 'wells', null],
    ['ann', 'column_made', 'wells', 'depth'],
    ['ann', 'rights_changed', null, 'bob'],
  ]);
  const made = entries.filter(({ action }) => action === 'object_made');
  assert.equal(
    made.reduce((sum, { count }) => sum + count, 0),
    5,
  );
  const older = await server.admin<Entry[]>(
    'GET',
    `/administration/journal/?map=${map}&limit=1&before=${entries[0]!.id}`,
  );
  assert.deepEqual(older, [entries[1]]);
  assert.ok(Math.abs(Date.parse(entries[0]!.at) - Date.now()) < 600_000);
  assert.deepEqual(await server.admin('GET', '/administration/journal/?login=%00&map=a%00'), []);
  const { status } = await server.request('GET', '/administration/journal/?before=Infinity', {
    token: server.adminToken,
  });
  assert.equal(status, 400);
});

test('the journal keeps as many entries as the setting says', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  for (let i = 0; i < 60; i++) await server.admin('POST', `/${map}/folders/`, { code: `f${i}` });
  await journalWith(`map=${map}`, ({ item }) => item === 'f59');
  for (;;) {
    const { length } = await server.admin<Entry[]>('GET', '/administration/journal/?limit=1000');
    if (length <= 40) break;
    await sleep(50);
  }
});

test('every function that writes is recorded, or is on the list of those that are not', async () => {
  const { paths } = (await server.request('GET', '//api/2.8/openapi.json')).json;
  const writes = Object.entries(paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => !['get', 'parameters'].includes(method))
      .map((method) => [method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ':$1')] as const),
  );
  const named = writes.map(([method, url]) => {
    const path = url.replace('/api/2.8/:project', '').replace(/\/$/, '');
    return { name: `${method} ${path || '/'}`, isRecorded: journalActionOf(method, url) !== undefined };
  });
  // The functions above the projects record what they do themselves.
  const own = ['POST /api/2.8', 'PATCH /', 'DELETE /'];
  const missing = named.filter(
    ({ name, isRecorded }) => !isRecorded && ![...unrecorded, ...own].includes(name),
  );
  assert.deepEqual(missing, []);
  const twice = named.filter(({ name, isRecorded }) => isRecorded && unrecorded.includes(name));
  assert.deepEqual(twice, []);
});

test('what a project and its maps take', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map, name: 'Wells' });
  await server.admin('POST', `/${map}/layers/`, { code: 'a' });
  await server.admin('POST', `/${map}/layers/a/structure/`, { code: 'photo', type: 'file' });
  await server.admin('POST', `/${map}/layers/a/objects/batch/`, { create: [{ fields: {} }, { fields: {} }] });
  const form = new FormData();
  form.set('file', new Blob(['hello']), 'hello.txt');
  await server.admin('POST', `/${map}/layers/a/objects/1/files/?field=photo`, form);
  // The copy shares the bytes of its file.
  await server.admin('POST', `/${map}/layers/`, { code: 'b' });
  await server.admin('POST', `/${map}/layers/b/structure/`, { code: 'photo', type: 'file' });
  await server.admin('POST', `/${map}/layers/a/objects/1/copy/`, { map_code: map, layer_code: 'b' });
  const usage = await server.admin('GET', '/administration/storage/');
  const own = usage.maps.find(({ code }: { code: string }) => code === map);
  assert.deepEqual(own.files, { count: 2, bytes: 5 });
  assert.deepEqual([own.name, own.layers, own.objects, own.images.count], ['Wells', 2, 3, 0]);
  assert.equal(own.bytes, own.tables + 5);
  assert.ok(own.tables > 0);
  const bytes = [...usage.maps, usage.icons, usage.uploads, usage.exports].map((part) => part.bytes);
  assert.equal(
    usage.bytes,
    bytes.reduce((sum, part) => sum + part, 0),
  );
  const [project] = await server.admin('GET', '//api/2.8/?project=demo&returnUsage=1');
  assert.equal(project.bytes, usage.bytes);
});

test('the list of maps tells the last change and the objects, where it is asked to', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/layers/`, { code: 'a' });
  const listed = async (query = '?returnChanged=1&returnObjects=1') =>
    (await server.admin('GET', `/maps/${query}`)).find(({ code }: { code: string }) => code === map);
  assert.equal('changed' in (await listed('')), false);
  const before = await listed();
  await server.admin('POST', `/${map}/layers/a/objects/`, { fields: {} });
  const after = await listed();
  assert.deepEqual([before.objects, after.objects], [0, 1]);
  assert.ok(after.changed > before.changed);
  await server.admin('PATCH', `/${map}/`, { name: 'New' });
  assert.ok((await listed()).changed > after.changed);
});

test('settings in force are shown without secrets', async () => {
  const settings = await server.admin('GET', '/administration/settings/');
  const named = (name: string) => settings.find((one: { name: string }) => one.name === name);
  assert.deepEqual(
    [named('CARTULARY_JOURNAL_ENTRIES').value, named('CARTULARY_JOURNAL_ENTRIES').isChanged],
    [40, true],
  );
  for (const name of ['CARTULARY_ADMIN_PASSWORD', 'DATABASE_URL'])
    assert.deepEqual([named(name).value, named(name).isSecret], [null, true]);
  assert.ok(!JSON.stringify(settings).includes(adminPassword));
  assert.ok(settings.every(({ subject }: { subject: string }) => subject));
});

test('administrators see and end the sessions of users, and no token is in the list', async () => {
  const [ann, bob, other] = [await signIn('ann'), await signIn('bob'), await signIn('bob')];
  const { json: list, text } = await as(ann, 'GET', '/users/bob/sessions/');
  assert.equal(list.length, 2);
  assert.ok(!text.includes(bob));
  assert.deepEqual((await as(bob, 'GET', '/users/bob/sessions/')).status, 403);
  assert.equal((await as(ann, 'DELETE', `/users/bob/sessions/${list[0].id}/`)).json, true);
  assert.equal((await as(ann, 'DELETE', `/users/bob/sessions/${list[0].id}/`)).status, 404);
  assert.deepEqual((await as(ann, 'DELETE', '/users/bob/sessions/')).json, { ended: 1 });
  for (const token of [bob, other]) assert.equal((await as(token, 'GET', '/users/info/')).status, 401);
  // The session of the request stays; those of administrators of the installation are not theirs.
  assert.equal((await as(ann, 'DELETE', '/users/ann/sessions/')).status, 200);
  assert.equal((await as(ann, 'GET', '/users/info/')).status, 200);
  assert.equal((await as(ann, 'DELETE', '/users/admin/sessions/')).status, 403);
});

test('jobs of all users are listed for administrators', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/layers/`, { code: 'a' });
  const [ann, bob] = [await signIn('ann'), await signIn('bob')];
  const job = (await as(bob, 'GET', `/${map}/layers/a/export/?format=geojson&async=1`)).json;
  const all = (await as(ann, 'GET', '/jobs/?all=1')).json;
  assert.equal(all.find(({ id }: { id: string }) => id === job.id).login, 'bob');
  assert.deepEqual((await as(ann, 'GET', '/jobs/')).json, []);
  assert.equal('login' in (await as(bob, 'GET', '/jobs/')).json[0], false);
  assert.equal((await as(bob, 'GET', '/jobs/?all=1')).status, 403);
});

test('projects are listed, changed and deleted, with counts of what goes', async () => {
  const code = freshCode('p');
  const { adminToken } = server;
  const above = (method: string, path: string, body?: unknown) =>
    as(adminToken, method, `//api/2.8/${path}`, body);
  assert.equal((await above('POST', '', { code, name: 'Parks', languages: ['fr'] })).status, 200);
  const login = await server.request('POST', `//api/2.8/${code}/login/`, {
    body: { login: 'admin', password: adminPassword },
  });
  const own = (method: string, path: string, body: unknown) =>
    as(login.json.token, method, `//api/2.8/${code}${path}`, body);
  await own('POST', '/', { code: 'm' });
  await own('POST', '/m/layers/', { code: 'a' });
  await own('POST', '/m/layers/a/objects/', { fields: {} });
  await own('POST', '/users/', { login: 'zoe', password: 'long-enough' });
  const changed = await above('PATCH', `${code}/`, { name: 'Gardens' });
  assert.deepEqual([changed.json.name, changed.json.languages], ['Gardens', ['fr']]);
  // Values could not be asked for in the last: `lng` refuses it.
  for (const languages of [[], ['abcd'], ['en-bad-bad']])
    assert.equal((await above('PATCH', `${code}/`, { languages })).status, 400, languages[0]);
  const spelled = await above('PATCH', `${code}/`, { languages: ['fr', 'en', 'FR', 'EN'] });
  assert.deepEqual(spelled.json.languages, ['fr', 'en']);
  const {
    json: [one],
  } = await above('GET', `?project=${code}&returnCounts=1`);
  assert.deepEqual([one.holds.maps, one.holds.layers, one.holds.objects, one.holds.users], [1, 1, 1, 1]);
  assert.equal('holds' in (await above('GET', `?project=${code}`)).json[0], false);
  const listed = (await above('GET', '?returnUsage=1')).json.find((of: { code: string }) => of.code === code);
  assert.deepEqual([listed.name, listed.maps, listed.users], ['Gardens', 1, 1]);
  assert.ok(listed.bytes > 0);
  assert.equal(listed.bytes, (await own('GET', '/administration/storage/', undefined)).json.bytes);
  assert.equal((await above('DELETE', `${code}/`)).json, true);
  assert.deepEqual((await above('DELETE', `${code}/`)).json.code, 'project_not_found');
  assert.equal((await own('GET', '/maps/', undefined)).json.code, 'project_not_found');
  const entries = await journalWith('', ({ action, item }) => action === 'project_deleted' && item === code);
  assert.ok(entries.some(({ action, item }) => action === 'project_made' && item === code));
  const ofAnn = await as(await signIn('ann'), 'GET', '/administration/journal/');
  assert.ok(!ofAnn.text.includes('project_'), 'administrators of a project do not see other projects');
});

test('the console calls them with its cookie; other sites cannot', async () => {
  const ours = { 'sec-fetch-site': 'same-origin', ...json };
  const body = { project: 'demo', login: 'admin', password: adminPassword };
  const session = await server.request('POST', '//pages/session/', { body, headers: ours });
  const cookie = session.headers.get('set-cookie')!.split(';')[0]!;
  const send = async (method: string, headers: Record<string, string>) => {
    const options = {
      headers: { ...json, cookie, ...headers },
      body: method === 'POST' ? { code: freshCode('p') } : undefined,
    };
    return (await server.request(method, '//api/2.8/', options)).status;
  };
  assert.equal(await send('GET', ours), 200);
  assert.equal(await send('GET', { 'sec-fetch-site': 'cross-site' }), 401);
  assert.equal(await send('POST', ours), 401);
  assert.equal(await send('POST', { ...ours, 'x-csrf-token': session.json.csrf }), 200);
  assert.equal(
    await send('POST', { 'sec-fetch-site': 'cross-site', 'x-csrf-token': session.json.csrf }),
    401,
  );
  assert.equal(await send('GET', { ...ours, cookie: `cartulary-session-demo=${server.adminToken}` }), 401);
});
