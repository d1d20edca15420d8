import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import { adminPassword, freshCode, startServer, type TestServer } from '../../support/server.js';
import { outcome, signIn } from './people.js';

// The table "Authentication and users" and the section "Authentication" of the interface, line by line.

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/users/', { login: 'ann', password: 'long-enough' });
});
test.after(() => server.stop());

const get = async (path: string, token: string): Promise<any> =>
  (await server.request('GET', path, { token })).json;

test('login: the answer is an object with the token alone; a failure is 403, as a page', async () => {
  const login = (body: object) => server.request('POST', '/login/', { body });
  const { status, json } = await login({ login: 'ann', password: 'long-enough' });
  assert.deepEqual([status, Object.keys(json)], [200, ['token']]);
  const wrong = await login({ login: 'ann', password: 'wrong' });
  assert.equal(wrong.status, 403);
  assert.match(wrong.headers.get('content-type')!, /^text\/html/);
});

test('login: missing parameters are named, and a parameter must be a single text', async () => {
  const post = (body: object) => server.request('POST', '/login/', { body });
  for (const [body, ...names] of [
    [{}, 'login', 'password'],
    [{ password: 'x' }, 'login'],
    [{ user: 'ann' }, 'password'],
  ] as const) {
    const { status, json } = await post(body);
    assert.deepEqual([status, json.code, json.data], [500, 'required_missing', { required: names }]);
  }
  for (const body of [
    { login: 7, password: 'x' },
    { user: null, pass: 'x' },
    { login: 'ann', password: ['x'] },
  ])
    assert.deepEqual(await outcome(server, 'POST', '/login/', { body }), [400, 'bad_request']);
  assert.equal((await server.request('POST', '/login/?login=ann&login=bob&password=x')).status, 400);
});

test('ext-auth: a token for the named user alone, by whom may edit the project', async () => {
  const editor = await signIn(server, { '/rights/': 'edit' });
  const viewer = await signIn(server, { '/rights/': 'view' });
  const at = '/ext-auth/';
  const form = new URLSearchParams({ login: 'ann', token: editor });
  for (const answer of [
    await server.request('POST', `${at}?login=ann&token=${editor}`),
    await server.request('POST', at, { body: { login: 'ann', token: editor } }),
    await server.request('POST', at, { body: form }),
    await server.request('POST', at, { body: { login: 'ann' }, token: editor }),
  ]) {
    assert.deepEqual([answer.status, Object.keys(answer.json)], [200, ['token']]);
    assert.equal((await get('/users/info/', answer.json.token)).login, 'ann');
    assert.equal(await get('/authorized/', answer.json.token), true);
  }
  const as = (token: string | undefined, login?: unknown) =>
    outcome(server, 'POST', at, { ...(token ? { token } : {}), body: { login } });
  assert.deepEqual(await as(undefined, 'ann'), [401, 'not_authenticated']);
  assert.deepEqual(await as('unknown', 'ann'), [401, 'not_authenticated']);
  assert.deepEqual(await as(viewer, 'ann'), [403, 'forbidden']);
  assert.deepEqual(await as(viewer, 'nobody'), [403, 'forbidden'], 'who may not, learns nothing of logins');
  for (const login of ['nobody', 'admin', 'public', '', 'a b', "'; --"])
    assert.deepEqual(await as(editor, login), [403, 'login_failed'], login);
  assert.deepEqual(await as(editor), [500, 'required_missing']);
  assert.deepEqual(await as(editor, 7), [400, 'bad_request']);
});

test('ext-auth: never for a user with a higher right on the project, always for oneself', async () => {
  const at = '/ext-auth/';
  const person = async (right: string): Promise<{ token: string; login: string }> => {
    const token = await signIn(server, { '/rights/': right });
    return { token, login: (await get('/users/info/', token)).login };
  };
  const [editor, second, chief] = [await person('edit'), await person('edit'), await person('administer')];
  await server.admin('POST', '/users/', { login: 'deputy', password: 'long-enough', groups: ['chiefs'] });
  await server.admin('PUT', '/rights/', { group: 'chiefs', right: 'administer' });
  for (const login of [chief.login, 'deputy']) {
    const as = { token: editor.token, body: { login } };
    assert.deepEqual(await outcome(server, 'POST', at, as), [403, 'forbidden'], login);
    assert.match((await server.request('POST', at, as)).text, /higher right/);
  }
  for (const [token, login] of [
    [editor.token, editor.login],
    [editor.token, second.login],
    [chief.token, 'deputy'],
    [chief.token, editor.login],
    [server.adminToken, 'admin'],
    [server.adminToken, chief.login],
  ] as const) {
    const { status, json } = await server.request('POST', at, { token, body: { login } });
    assert.equal(status, 200, login);
    assert.equal((await get('/users/info/', json.token)).login, login);
  }
});

test('authorized: true for a session of the interface; false without one, and for one of the console', async () => {
  const token = await signIn(server);
  for (const answer of [
    await server.request('GET', `/authorized/?token=${token}`),
    await server.request('GET', '/authorized', { token }),
  ]) {
    assert.deepEqual([answer.status, answer.text], [200, 'true']);
    assert.match(answer.headers.get('content-type')!, /^application\/json/);
  }
  for (const path of ['/authorized/', '/authorized/?token=', '/authorized/?token=unknown'])
    assert.deepEqual([(await server.request('GET', path)).text], ['false'], path);
  await server.db.transaction((tx) =>
    tx.query(sql`
      update cartulary.session set kind = 'console'
      where token_hash = sha256(${token}::text::bytea)`),
  );
  assert.equal(await get('/authorized/', token), false);
  assert.equal((await server.request('GET', '/authorized/?token=a&token=b')).status, 400);
});

test('logout: ends only this session, wherever the token is sent; without a token it is 401', async () => {
  const sendings: ((token: string) => Promise<{ status: number; json: unknown }>)[] = [
    (token) => server.request('POST', `/logout/?token=${token}`),
    (token) => server.request('POST', '/logout', { body: { token } }),
    (token) => server.request('POST', '/logout/', { body: new URLSearchParams({ token }) }),
    (token) => server.request('POST', '/logout/', { token }),
  ];
  const bystander = await signIn(server);
  for (const send of sendings) {
    const token = await signIn(server);
    const { status, json } = await send(token);
    assert.deepEqual([status, json], [200, { token: '' }]);
    assert.equal(await get('/authorized/', token), false);
    assert.equal((await server.request('GET', '/users/info/', { token })).status, 401);
  }
  assert.equal(await get('/authorized/', bystander), true);
  assert.deepEqual(await outcome(server, 'POST', '/logout/'), [401, 'not_authenticated']);
  assert.deepEqual(await outcome(server, 'POST', '/logout/?token='), [401, 'not_authenticated']);
});

test('logout under another project leaves the session', async () => {
  const code = freshCode('p');
  await server.request('POST', '//api/2.8/', { token: server.adminToken, body: { code } });
  const token = await signIn(server);
  const answer = await server.request('POST', `//api/2.8/${code}/logout/?token=${token}`);
  assert.deepEqual([answer.status, answer.json], [200, { token: '' }]);
  assert.equal(await get('/authorized/', token), true);
});

test('users/list: logins as texts, for administrators alone', async () => {
  const logins = await get('/users/list/', server.adminToken);
  assert.ok(Array.isArray(logins) && logins.every((login) => typeof login === 'string'));
  assert.ok(logins.includes('ann') && logins.includes('admin') && !logins.includes('public'));
  const administrator = await signIn(server, { '/rights/': 'administer' });
  assert.equal((await server.request('GET', `/users/list/?token=${administrator}`)).status, 200);
  const editor = await signIn(server, { '/rights/': 'edit' });
  assert.deepEqual(await outcome(server, 'GET', '/users/list/', { token: editor }), [403, 'forbidden']);
  assert.deepEqual(await outcome(server, 'GET', '/users/list/'), [401, 'not_authenticated']);
});

test('users/info: the caller, with these keys and no password', async () => {
  await server.admin('POST', '/users/', {
    login: 'bea',
    password: 'long-enough',
    name: 'Bea',
    email: 'bea@example.org',
    groups: ['staff', 'night'],
    publicAccess: false,
    guiAccess: true,
  });
  const { json } = await server.request('POST', '/login/', {
    body: { user: 'bea', pass: 'long-enough' },
  });
  const { id, ...rest } = await get('/users/info/', json.token);
  assert.ok(Number.isInteger(id));
  assert.deepEqual(rest, {
    login: 'bea',
    name: 'Bea',
    email: 'bea@example.org',
    password: null,
    groups: ['night', 'staff'],
    publicAccess: false,
    guiAccess: true,
  });
  assert.deepEqual((await get('/users/info/', await signIn(server))).groups, []);
  assert.deepEqual(await outcome(server, 'GET', '/users/info/'), [401, 'not_authenticated']);
});

test("the result of an operation depends on the rights of the token's user, and without a token on those of the public", async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('PATCH', `/${map}/`, { publish: false });
  const editor = await signIn(server, { [`/${map}/rights/`]: 'edit' });
  const stranger = await signIn(server);
  const seen = async (token?: string): Promise<number> =>
    (await server.request('GET', `/${map}/`, token ? { token } : {})).status;
  assert.deepEqual([await seen(editor), await seen(stranger), await seen()], [200, 403, 403]);
  const body = { code: 'x' };
  for (const [token, expected] of [
    [editor, 200],
    [stranger, 403],
    [undefined, 401],
  ] as const) {
    const answer = await server.request('POST', `/${map}/layers/`, { ...(token ? { token } : {}), body });
    assert.equal(answer.status, expected);
  }
});

test('the password of an administrator of the installation signs in to every project', async () => {
  const code = freshCode('p');
  await server.request('POST', '//api/2.8/', { token: server.adminToken, body: { code } });
  const body = { login: 'admin', password: adminPassword };
  assert.equal((await server.request('POST', `//api/2.8/${code}/login/`, { body })).status, 200);
  assert.equal((await server.request('POST', '//api/2.8/nothing/login/', { body })).status, 500);
});

test('a token is also the password of Basic, which many programs only know; other passwords count as none', async () => {
  const token = await signIn(server);
  const ask = async (password: string, more: Record<string, string> = {}): Promise<number> => {
    const authorization = `Basic ${Buffer.from(`any name:${password}`).toString('base64')}`;
    return (await server.request('GET', '/users/info/', { headers: { authorization, ...more } })).status;
  };
  assert.equal(await ask(token), 200);
  assert.equal(await ask(`${token.slice(1)}x`), 401, 'an unknown token');
  const { text } = await server.request('GET', '/maps/available/', {
    headers: { authorization: `basic ${Buffer.from(`:${token}`).toString('base64')}` },
  });
  assert.ok(Array.isArray(JSON.parse(text)));
  for (const [name, value] of [
    ['origin', 'https://elsewhere.example'],
    ['sec-fetch-site', 'cross-site'],
  ] as const)
    assert.equal(await ask(token, { [name]: value }), 401, 'a browser sends it by itself');
  const proxied = `Basic ${Buffer.from('proxy:secret').toString('base64')}`;
  const open = await server.request('GET', '//ogc/demo/', { headers: { authorization: proxied } });
  assert.equal(open.status, 200, 'a password of a proxy');
});
