import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer({ CARTULARY_LOGIN_FAILURES: '4' });
});
test.after(() => server.stop());

const json = { accept: 'application/json' };
const send = (method: string, path: string, token: string, body?: unknown) =>
  server.request(method, path, { token, body, headers: json });
async function newUser(): Promise<{ login: string; signIn: (password?: string) => Promise<string> }> {
  const login = freshCode('user');
  await server.admin('POST', '/users/', { login, password: 'first-password' });
  const signIn = async (password = 'first-password'): Promise<string> => {
    const answer = await server.request('POST', '/login/', { body: { login, password }, headers: json });
    return answer.status === 200 ? answer.json.token : String(answer.status);
  };
  return { login, signIn };
}
const isGood = async (token: string): Promise<boolean> =>
  (await send('GET', '/users/info/', token)).status === 200;

test('a user sees the own sessions, and no token is in the list', async () => {
  const { signIn } = await newUser();
  const tokens = [await signIn(), await signIn(), await signIn()];
  const { json: list, headers, text } = await send('GET', '/login/sessions/', tokens[1]!);
  assert.equal(headers.get('cache-control'), 'private, no-store');
  assert.equal(list.length, 3);
  assert.equal(list.filter(({ current }: { current: boolean }) => current).length, 1);
  for (const one of list) {
    assert.deepEqual(Object.keys(one).toSorted(), [
      'current',
      'ends',
      'id',
      'kind',
      'last_used',
      'name',
      'project',
    ]);
    assert.deepEqual([one.kind, one.name, one.project], ['rest', '', 'demo']);
    assert.match(one.id, /^[0-9a-f]{24}$/);
    assert.ok(Date.parse(one.ends) > Date.parse(one.last_used));
  }
  for (const token of tokens) assert.ok(!text.includes(token));
});

test('one session is ended by its id, and all others at once', async () => {
  const { signIn } = await newUser();
  const [own, second, third] = [await signIn(), await signIn(), await signIn()];
  const currentOf = async (token: string): Promise<string> =>
    (await send('GET', '/login/sessions/', token)).json.find((one: { current: boolean }) => one.current).id;
  assert.equal((await send('DELETE', `/login/sessions/${await currentOf(second)}/`, own)).json, true);
  assert.deepEqual([await isGood(own), await isGood(second), await isGood(third)], [true, false, true]);
  assert.deepEqual((await send('DELETE', '/login/sessions/', own)).json, { ended: 1 });
  assert.deepEqual([await isGood(own), await isGood(third)], [true, false]);
  const other = await (await newUser()).signIn();
  assert.equal((await send('DELETE', `/login/sessions/${await currentOf(own)}/`, other)).status, 404);
  assert.ok(await isGood(own), 'a session of somebody else is not ended');
  assert.equal((await send('DELETE', `/login/sessions/${await currentOf(own)}/`, own)).status, 200);
  assert.equal(await isGood(own), false);
});

test('a user changes the own password with the present one; the other sessions end', async () => {
  const { signIn } = await newUser();
  const [own, other] = [await signIn(), await signIn()];
  const change = (password: string, new_password: string) =>
    send('PUT', '/login/password/', own, { password, new_password });
  const wrong = await change('wrong', 'second-password');
  assert.deepEqual([wrong.status, wrong.json.code], [403, 'login_failed']);
  assert.equal((await change('first-password', 'short')).status, 400);
  assert.equal((await send('PUT', '/login/password/', own, { password: 'first-password' })).status, 500);
  assert.ok(await isGood(other), 'nothing has changed');
  assert.equal((await change('first-password', 'second-password')).json, true);
  assert.deepEqual([await isGood(own), await isGood(other)], [true, false]);
  assert.equal(await signIn(), '403');
  assert.ok(await isGood(await signIn('second-password')));
});

test('a key for a program works for days, and ends by itself, by its user and with the password', async () => {
  const { signIn } = await newUser();
  const own = await signIn();
  const make = (body: object) =>
    send('POST', '/login/keys/', own, { password: 'first-password', name: 'QGIS', ...body });
  const wrong = await make({ password: 'wrong' });
  assert.deepEqual([wrong.status, wrong.json.code], [403, 'login_failed']);
  for (const bad of [{ days: 0 }, { days: 367 }, { name: '' }, { name: 'x'.repeat(101) }])
    assert.equal((await make(bad)).status, 400, JSON.stringify(bad));
  const { headers, json: made } = await make({ days: 30 });
  assert.equal(headers.get('cache-control'), 'private, no-store');
  const key: string = made.token;
  assert.equal((await send('GET', '/authorized/', key)).json, true);
  const list: { id: string; kind: string; name: string; ends: string; last_used: string }[] = (
    await send('GET', '/login/sessions/', own)
  ).json;
  const listed = list.find(({ kind }) => kind === 'key')!;
  assert.equal(listed.name, 'QGIS');
  assert.equal(Date.parse(listed.ends) - Date.parse(listed.last_used), 30 * 86_400_000);
  assert.equal((await send('DELETE', `/login/sessions/${listed.id}/`, own)).json, true);
  assert.equal(await isGood(key), false);
  const [next, another] = [(await make({})).json.token, (await make({})).json.token];
  await send('PUT', '/login/password/', next, {
    password: 'first-password',
    new_password: 'second-password',
  });
  assert.deepEqual([await isGood(next), await isGood(another), await isGood(own)], [true, false, false]);
});

test('of two changes from one password one succeeds', async () => {
  const { signIn } = await newUser();
  const own = await signIn();
  const answers = await Promise.all(
    ['one-password', 'two-password'].map((new_password) =>
      send('PUT', '/login/password/', own, { password: 'first-password', new_password }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403]);
});

test('guesses of the present password are counted like those of login/', async () => {
  const { signIn } = await newUser();
  const own = await signIn();
  const guess = () =>
    send('PUT', '/login/password/', own, { password: 'guess', new_password: 'long-enough' });
  for (let i = 0; i < 4; i++) assert.equal((await guess()).status, 403);
  const refused = await guess();
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal(await signIn(), '429');
});

test('the public has neither a password nor sessions', async () => {
  for (const [method, path] of [
    ['GET', '/login/sessions/'],
    ['DELETE', '/login/sessions/'],
    ['PUT', '/login/password/'],
    ['POST', '/login/keys/'],
  ] as const) {
    const bodies: Record<string, object> = {
      PUT: { password: 'a', new_password: 'long-enough' },
      POST: { password: 'a', name: 'QGIS' },
    };
    assert.equal((await server.request(method, path, { body: bodies[method] })).status, 401, path);
  }
});
