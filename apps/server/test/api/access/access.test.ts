import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import { adminPassword, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer({ CARTULARY_SESSION_IDLE: '60', CARTULARY_LOGIN_FAILURES: '3' });
});
test.after(() => server.stop());

const login = async (name = 'admin', password = adminPassword): Promise<string> =>
  (await server.request('POST', '/login/', { body: { login: name, password } })).json?.token;

test('login takes its parameters in the query, a form, multipart or JSON, under both names', async () => {
  const multipart = new FormData();
  multipart.set('user', 'admin');
  multipart.set('pass', adminPassword);
  const answers = await Promise.all([
    server.request('POST', `/login/?login=admin&password=${adminPassword}`),
    server.request('POST', '/login/', {
      body: new URLSearchParams({ user: 'admin', password: adminPassword }),
    }),
    server.request('POST', '/login', { body: { login: 'admin', pass: adminPassword } }),
    server.request('POST', '/login/', { body: multipart }),
  ]);
  for (const { status, json } of answers) {
    assert.equal(status, 200);
    assert.match(json.token, /^[\w-]{40,}$/);
  }
});

test('login fails in the same way for a wrong password and an unknown login, and names missing parameters', async () => {
  const wrong = await server.request('POST', '/login/', { body: { login: 'nobody1', password: 'x' } });
  const unknown = await server.request('POST', '/login/', { body: { login: 'nobody2', password: 'y' } });
  assert.equal(wrong.status, 403);
  assert.equal(wrong.text, unknown.text);
  const missing = await server.request('POST', '/login/', { body: { login: 'admin' } });
  assert.deepEqual(
    [missing.status, missing.json.code, missing.json.data],
    [500, 'required_missing', { required: ['password'] }],
  );
});

test('too many failures of one login are answered 429 with Retry-After, others may sign in', async () => {
  for (let i = 0; i < 3; i++)
    assert.equal(
      (await server.request('POST', '/login/', { body: { login: 'eve', password: 'guess' } })).status,
      403,
    );
  const refused = await server.request('POST', '/login/', { body: { login: 'eve', password: 'guess' } });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.ok(await login());
});

test('attempts that a killed process could not decide count for half a minute, not as failures', async () => {
  await server.admin('POST', '/users/', { login: 'kim', password: 'long-enough' });
  const right = { body: { login: 'kim', password: 'long-enough' } };
  const key = createHash('sha256').update('kim').digest('base64url');
  const leave = (isDecided: boolean, ageS: number) =>
    server.db.transaction((tx) =>
      tx.query(sql`
        insert into cartulary.login_failure (login, address, is_decided, failed_at)
        select ${key}, '127.0.0.1', ${isDecided}, clock_timestamp() - ${ageS}::integer * interval '1 second'
        from generate_series(1, 3)`),
    );
  const status = async () => (await server.request('POST', '/login/', right)).status;
  await leave(false, 31);
  assert.equal(await status(), 200);
  await leave(false, 1);
  const refused = await server.request('POST', '/login/', right);
  assert.equal(refused.status, 429, 'guesses that are being judged are counted');
  assert.ok(Number(refused.headers.get('retry-after')) <= 30);
  await server.db.transaction((tx) => tx.query(sql`delete from cartulary.login_failure`));
  await leave(true, 31);
  assert.equal(await status(), 429, 'failures count longer');
});

test('a wrong password is a failure, a right one is not', async () => {
  await server.db.transaction((tx) => tx.query(sql`delete from cartulary.login_failure`));
  const count = async () =>
    (await server.db.query(sql`select is_decided from cartulary.login_failure order by id`)).map(
      (row) => row.is_decided,
    );
  const attempt = (password: string) =>
    server.request('POST', '/login/', { body: { login: 'kim', password } });
  await attempt('wrong-password');
  assert.deepEqual(await count(), [true]);
  await attempt('long-enough');
  assert.deepEqual(await count(), [true]);
  const guesses = await Promise.all(Array.from({ length: 12 }, () => attempt('wrong-password')));
  assert.equal(guesses.filter(({ status }) => status === 403).length, 2, 'guesses at once are bounded');
  await server.admin('DELETE', '/users/kim/');
});

test('the token is accepted in the query, Authorization, X-Token and form fields; the first found wins', async () => {
  const token = await login();
  const form = new FormData();
  form.set('token', token);
  form.set('code', 'by_form');
  const answers = [
    await server.request('GET', `/users/info/?token=${token}`),
    await server.request('GET', '/users/info/', { headers: { authorization: `Bearer ${token}` } }),
    await server.request('GET', '/users/info/', { headers: { 'x-token': token } }),
    await server.request('POST', '/', { body: form }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.equal(answers[0]!.json.password, null);
  const mixed = await server.request('GET', '/users/info/?token=wrong', { headers: { 'x-token': token } });
  assert.equal(mixed.status, 401);
});

test('authorized, logout, and answers to an unknown token', async () => {
  const token = await login();
  const authorized = async (value: string): Promise<unknown> =>
    (await server.request('GET', `/authorized/?token=${value}`)).json;
  assert.equal(await authorized(token), true);
  assert.deepEqual((await server.request('POST', '/logout/', { body: { token } })).json, { token: '' });
  assert.equal(await authorized(token), false);
  assert.equal(await authorized('unknown'), false);
  assert.deepEqual((await server.request('POST', '/logout/?token=unknown')).json, { token: '' });
  assert.equal((await server.request('GET', `/users/info/?token=${token}`)).status, 401);
  assert.equal((await server.request('GET', '/users/info/')).status, 401);
});

/** Moves the last use of all sessions into the past. */
const ageSessions = (seconds: number): Promise<unknown> =>
  server.db.transaction((tx) =>
    tx.query(
      sql`update cartulary.session set last_used = last_used - ${seconds}::integer * interval '1 second'`,
    ),
  );

test('a session ends after its idle time and lives on when it is used', async () => {
  const token = await login();
  for (let i = 0; i < 3; i++) {
    await ageSessions(50);
    assert.equal((await server.request('GET', `/users/info/?token=${token}`)).status, 200);
  }
  await ageSessions(61);
  assert.equal((await server.request('GET', `/users/info/?token=${token}`)).status, 401);
});

test('users: make, show, change, delete; a token for another user; projects keep apart', async () => {
  const token = await login();
  const as = (method: string, path: string, body?: unknown) => server.request(method, path, { token, body });
  const made = await as('POST', '/users/', {
    login: 'bob',
    password: 'long-enough',
    groups: ['staff'],
    email: 'bob@example.org',
  });
  assert.deepEqual([made.json.login, made.json.groups, made.json.publicAccess], ['bob', ['staff'], true]);
  assert.equal(
    (await as('POST', '/users/', { login: 'bob', password: 'long-enough' })).json.code,
    'code_taken',
  );
  assert.equal(
    (await as('POST', '/users/', { login: 'a b', password: 'long-enough' })).json.code,
    'code_invalid',
  );
  assert.equal((await as('POST', '/users/', { login: 'carl', password: 'short' })).status, 400);
  assert.deepEqual((await as('GET', '/users/list/')).json, ['admin', 'bob']);
  const forBob = await as('POST', '/ext-auth/', { login: 'bob' });
  assert.equal((await server.request('GET', `/users/info/?token=${forBob.json.token}`)).json.login, 'bob');
  assert.equal((await as('POST', '/ext-auth/', { login: 'nobody' })).status, 403);
  assert.equal((await server.request('GET', `/users/list/?token=${forBob.json.token}`)).status, 403);
  assert.equal((await server.request('POST', '/ext-login/?token=x')).status, 403);

  const project = await as('POST', '//api/2.8/', { code: 'other', name: 'Other', languages: ['fr'] });
  assert.deepEqual([project.status, project.json.languages], [200, ['fr']]);
  assert.equal(
    (await server.request('GET', `//api/2.8/other/users/info/?token=${token}`)).status,
    401,
    'a token of another project',
  );
  assert.equal((await as('PATCH', '/users/bob/', { password: 'another-long-one' })).status, 200);
  assert.equal(
    (await server.request('GET', `/users/info/?token=${forBob.json.token}`)).status,
    401,
    'a new password ends the sessions',
  );
  assert.ok(await login('bob', 'another-long-one'));
  assert.equal((await as('DELETE', '/users/bob/')).json, true);
  assert.equal((await as('DELETE', '/users/admin/')).status, 400);
  assert.equal(
    (await server.request('POST', '/login/', { body: { login: 'bob', password: 'another-long-one' } }))
      .status,
    403,
  );
});
