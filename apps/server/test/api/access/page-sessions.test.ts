import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import { adminPassword, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
before(async () => {
  server = await startServer({ CARTULARY_LOGIN_FAILURES: '3', CARTULARY_TRUST_PROXY: '1' });
  const { admin } = server;
  await admin('POST', '/', { code: 'secret', name: 'Secret' });
  await admin('PATCH', '/secret/', { has_publication: false });
  await admin('POST', '/secret/layers/', { code: 'places', name: 'Places' });
  const geom = { type: 'Point', coordinates: [10, 50] };
  await admin('POST', '/secret/layers/places/objects/', { fields: {}, geom });
  await admin('POST', '/', { code: 'open', name: 'Open' });
  for (const login of ['ann', 'bob', 'eve'])
    await admin('POST', '/users/', { login, password: `${login}-battery-horse`, publicAccess: false });
  await admin('PUT', '/secret/rights/', { user: 'ann', right: 'view' });
});
after(() => server.stop());

const ours = { 'sec-fetch-site': 'same-origin' };

interface SignedIn {
  cookie: string;
  csrf: string;
  setCookie: string;
}

async function signIn(login: string, password = `${login}-battery-horse`): Promise<SignedIn> {
  const body = { project: 'demo', login, password };
  const answer = await server.request('POST', '//pages/session/', { body, headers: ours });
  assert.equal(answer.status, 200, answer.text);
  const setCookie = answer.headers.get('set-cookie')!;
  return { setCookie, cookie: setCookie.split(';')[0]!, csrf: answer.json.csrf };
}

const tile = `//tms/demo/secret/?z=5&x=16&y=21`;
const isSeen = async (path: string, headers: Record<string, string>): Promise<number> =>
  (await server.request('GET', path, { headers })).status;

test('a cookie gives access to what its user may view, on pages of the service only', async () => {
  const { cookie, setCookie } = await signIn('ann');
  assert.match(setCookie, /^cartulary-session-demo=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  const paths = [
    tile,
    '//mvt/demo/secret/5/16/10.pbf',
    '/secret/layers/',
    '/secret/layers/places/objects/1/',
    '/secret/layers/places/icon/',
    '/secret/search/?phrase=x',
  ];
  for (const path of paths) {
    const answer = await server.request('GET', path, { headers: { ...ours, cookie } });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    assert.match(answer.headers.get('cache-control')!, /^private, no-(cache|store)$/, path);
    assert.match(answer.headers.get('vary')!, /\bCookie\b/, path);
    assert.equal(await isSeen(path, {}), 403, path);
    for (const site of ['cross-site', 'same-site'])
      assert.equal(await isSeen(path, { cookie, 'sec-fetch-site': site }), 403, `${path} from ${site}`);
    assert.equal(await isSeen(path, { cookie }), 403, 'nobody says who asks');
    assert.equal(await isSeen(path, { cookie, origin: 'http://evil.example' }), 403);
    assert.equal(await isSeen(path, { cookie, origin: server.url }), 200);
    assert.equal(await isSeen(path, { cookie, referer: `${server.url}/maps/demo/secret/` }), 200);
  }
  // A typed address.
  assert.equal(await isSeen('/secret/', { cookie, 'sec-fetch-site': 'none' }), 200);
  assert.equal(await isSeen('/open/', { ...ours, cookie }), 200, 'what everybody sees, she sees, too');
});

test('the page and the list know the user, and the public does not learn of the map', async () => {
  const { cookie } = await signIn('ann');
  const page = await server.request('GET', '//maps/demo/secret/', {
    headers: { cookie, 'sec-fetch-site': 'cross-site' },
  });
  assert.equal(page.status, 200);
  assert.match(page.text, /<title>Secret/);
  assert.equal(page.headers.get('cache-control'), 'private, no-cache');
  const closed = await server.request('GET', '//maps/demo/secret/');
  assert.equal(closed.status, 403);
  assert.doesNotMatch(closed.text, /Secret/);
  const list = async (headers: Record<string, string>) =>
    (await server.request('GET', '//pages/maps.json', { headers })).json.map(
      ({ code, is_public }: { code: string; is_public: boolean }) => [code, is_public],
    );
  assert.deepEqual(await list({ ...ours, cookie }), [
    ['secret', false],
    ['open', true],
  ]);
  assert.deepEqual(await list({}), [['open', true]]);
  assert.deepEqual(await list({ cookie, 'sec-fetch-site': 'cross-site' }), [['open', true]]);
  const bob = await signIn('bob');
  assert.deepEqual(await list({ ...ours, cookie: bob.cookie }), [['open', true]]);
  assert.equal(await isSeen(tile, { ...ours, cookie: bob.cookie }), 403);
});

test('cached public responses are not sent to signed-in users, nor their responses to the public', async () => {
  await server.admin('POST', '/open/layers/', { code: 'hidden', name: 'Hidden' });
  await server.admin('POST', '/open/layers/hidden/objects/', {
    fields: {},
    geom: { type: 'Point', coordinates: [10, 50] },
  });
  await server.admin('PUT', '/open/layers/hidden/rights/', [
    { user: 'public', right: 'none' },
    { user: 'ann', right: 'view' },
  ]);
  const { cookie } = await signIn('ann');
  const open = '//tms/demo/open/?z=5&x=16&y=21';
  const read = async (headers: Record<string, string>) =>
    (await server.request('GET', open, { headers })).bytes;
  const anybody = await read({});
  assert.deepEqual(await read({}), anybody);
  const own = await read({ ...ours, cookie });
  assert.notDeepEqual(own, anybody);
  assert.deepEqual(await read({}), anybody);
  assert.deepEqual(await read({ ...ours, cookie: 'other=1' }), anybody);
});

test('changes need the CSRF token beside the cookie', async () => {
  const { cookie, csrf } = await signIn('admin', adminPassword);
  const create = (headers: Record<string, string>) =>
    server.request('POST', '/', { body: { code: 'made', name: 'Made' }, headers: { cookie, ...headers } });
  assert.equal((await create(ours)).status, 403);
  assert.equal((await create({ ...ours, 'x-csrf-token': (await signIn('ann')).csrf })).status, 403);
  assert.equal((await create({ 'sec-fetch-site': 'cross-site', 'x-csrf-token': csrf })).status, 401);
  assert.equal((await create({ 'sec-fetch-site': 'none', 'x-csrf-token': csrf })).status, 401);
  assert.equal((await create({ ...ours, 'x-csrf-token': csrf })).status, 200);
});

test('a page session is no token of programs: authorized/ is false, logout/ and login/ ignore it', async () => {
  const { cookie } = await signIn('ann');
  const headers = { ...ours, cookie };
  assert.equal((await server.request('GET', '/authorized/', { headers })).json, false);
  const value = cookie.split('=')[1]!;
  assert.equal((await server.request('GET', `/authorized/?token=${value}`)).json, false);
  assert.equal((await server.request('POST', '/logout/', { headers })).status, 401);
  // The token of a program is no cookie either.
  const stranger = `cartulary-session-demo=${server.adminToken}`;
  assert.equal(await isSeen('/secret/', { ...ours, cookie: stranger }), 403);
});

test('other sites can sign nobody in or out', async () => {
  const body = { project: 'demo', login: 'ann', password: 'ann-battery-horse' };
  const others: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'http://evil.example' },
    {},
  ];
  for (const headers of others) {
    const answer = await server.request('POST', '//pages/session/', { body, headers });
    assert.equal(answer.status, 403);
    assert.equal(answer.headers.get('set-cookie'), null);
  }
  const { cookie } = await signIn('ann');
  const out = (headers: Record<string, string>) =>
    server.request('DELETE', '//pages/session/?project=demo', { headers: { cookie, ...headers } });
  assert.equal((await out({ 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await out(ours)).status, 403, 'without the CSRF token');
  assert.equal(await isSeen(tile, { ...ours, cookie }), 200);
});

test('signing out ends the session at once, also for tiles that the browser revalidates', async () => {
  const { cookie, csrf } = await signIn('ann');
  const headers = { ...ours, cookie };
  const { headers: sent } = await server.request('GET', tile, { headers });
  const again = { ...headers, 'if-none-match': sent.get('etag')! };
  assert.equal(await isSeen(tile, again), 304);
  const out = await server.request('DELETE', '//pages/session/?project=demo', {
    headers: { ...headers, 'x-csrf-token': csrf },
  });
  assert.equal(out.status, 200);
  assert.match(out.headers.get('set-cookie')!, /^cartulary-session-demo=; .*Max-Age=0/);
  assert.equal(out.headers.get('clear-site-data'), '"cache"');
  assert.equal(await isSeen(tile, again), 403);
  assert.equal(await isSeen('//tms/demo/open/?z=0&x=0&y=0', headers), 200, 'what is public is not refused');
});

test('a page session ends by idle time, by a new password and with the rights of its user; signing in again ends the earlier one', async () => {
  const first = await signIn('eve');
  await server.admin('PUT', '/secret/rights/', { user: 'eve', right: 'view' });
  const seen = (cookie: string) => isSeen(tile, { ...ours, cookie });
  assert.equal(await seen(first.cookie), 200);
  const body = { project: 'demo', login: 'eve', password: 'eve-battery-horse' };
  const next = await server.request('POST', '//pages/session/', {
    body,
    headers: { ...ours, cookie: first.cookie },
  });
  const second = next.headers.get('set-cookie')!.split(';')[0]!;
  assert.deepEqual([await seen(first.cookie), await seen(second)], [403, 200]);
  await server.admin('PUT', '/secret/rights/', { user: 'eve', right: 'none' });
  assert.equal(await seen(second), 403);
  await server.admin('PUT', '/secret/rights/', { user: 'eve', right: 'view' });
  await server.admin('PATCH', '/users/eve/', { password: 'another-battery' });
  assert.equal(await seen(second), 403);
  const third = await signIn('eve', 'another-battery');
  assert.equal(await seen(third.cookie), 200);
  await server.db.query(
    sql`update cartulary.session set last_used = last_used - interval '1 hour' where kind = 'console'`,
  );
  assert.equal(await seen(third.cookie), 403);
});

test('sign-in of each kind of user, and too many attempts', async () => {
  const { cookie, csrf } = await signIn('ann');
  const known = await server.request('GET', '//pages/session/', { headers: { ...ours, cookie } });
  assert.deepEqual(known.json, {
    sessions: [{ project: 'demo', login: 'ann', name: '', guiAccess: false, csrf }],
    project: 'demo',
  });
  assert.equal(known.headers.get('cache-control'), 'private, no-store');
  assert.equal((await server.request('GET', '//pages/session/', { headers: { cookie } })).status, 403);
  const attempt = async (password: string, project = 'demo') => {
    const body = { project, login: 'bob', password };
    return (await server.request('POST', '//pages/session/', { body, headers: ours })).status;
  };
  assert.deepEqual([await attempt('1'), await attempt('2'), await attempt('3')], [403, 403, 403]);
  assert.equal(await attempt('bob-battery-horse'), 429);
  assert.equal(await attempt('x', 'nowhere'), 500);
});

test('over https no other host and no plain connection can set the cookie', async () => {
  const body = { project: 'demo', login: 'admin', password: adminPassword };
  const headers = { ...ours, 'x-forwarded-proto': 'https' };
  const answer = await server.request('POST', '//pages/session/', { body, headers });
  const setCookie = answer.headers.get('set-cookie')!;
  assert.match(
    setCookie,
    /^__Host-cartulary-session-demo=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  const cookie = setCookie.split(';')[0]!;
  assert.equal(await isSeen('/secret/', { ...headers, cookie }), 200);
  assert.equal(await isSeen('/secret/', { ...headers, cookie: cookie.replace('__Host-', '') }), 403);
});
