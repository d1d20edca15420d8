import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { exportSPKI, importJWK, UnsecuredJWT } from 'jose';
import { parseConfig } from '../../src/config.js';
import {
  audience,
  claimsOf,
  issuer,
  makeKey,
  now,
  type SigningKey,
  setOf,
  signed,
  startProvider,
  type TestProvider,
} from '../support/identity-provider.js';
import { startServer, type TestServer } from '../support/server.js';
import { hostileTexts, outcome, unstorableTexts } from './people.js';

const keysOf: Record<string, SigningKey> = {};
let key: SigningKey;
let provider: TestProvider;
/** Fetches the keys anew for each key that it does not know. */
let server: TestServer;

const settingsOf = (jwks: string): Record<string, string> => ({
  CARTULARY_EXT_LOGIN_JWKS: jwks,
  CARTULARY_EXT_LOGIN_ISSUER: issuer,
  CARTULARY_EXT_LOGIN_AUDIENCE: audience,
});

test.before(async () => {
  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA', 'ES384'])
    keysOf[alg] = await makeKey(alg, `first-${alg}`);
  key = keysOf.RS256!;
  provider = await startProvider(Object.values(keysOf));
  server = await startServer({
    ...settingsOf(provider.url),
    CARTULARY_EXT_LOGIN_COOLDOWN: '0',
    CARTULARY_EXT_LOGIN_TIMEOUT: '300',
    CARTULARY_LOGIN_FAILURES: '1000000',
  });
  await addUser(server, 'ann');
});
test.after(async () => {
  await server.stop();
  provider.stop();
});
test.beforeEach(() => {
  provider.instead = undefined;
});

const addUser = (at: TestServer, login: string): Promise<unknown> =>
  at.admin('POST', '/users/', { login, password: 'long-enough' });

const tryToken = (token: string, at = server): Promise<[number, string | undefined]> =>
  outcome(at, 'POST', '/ext-login/', { body: { token } });

const good: [number, undefined] = [200, undefined];
const refused: [number, string] = [403, 'login_failed'];

test('a token of each algorithm opens a session of the user whom it names', async () => {
  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA']) {
    const body = { token: await signed(keysOf[alg]!, claimsOf('ann')) };
    const { status, json } = await server.request('POST', '/ext-login/', { body });
    assert.equal(status, 200, alg);
    assert.deepEqual(Object.keys(json), ['token']);
    assert.equal((await server.request('GET', `/users/info/?token=${json.token}`)).json.login, 'ann');
    assert.equal((await server.request('GET', `/authorized/?token=${json.token}`)).json, true);
    assert.deepEqual((await server.request('POST', '/logout/', { token: json.token })).json, { token: '' });
    assert.equal((await server.request('GET', `/authorized/?token=${json.token}`)).json, false);
  }
});

test('the token comes in the query, a form, multipart, JSON or a header', async () => {
  const token = await signed(key, claimsOf('ann'));
  const multipart = new FormData();
  multipart.set('token', token);
  const answers = [
    await server.request('POST', `/ext-login/?token=${token}`),
    await server.request('POST', '/ext-login', { body: new URLSearchParams({ token }) }),
    await server.request('POST', '/ext-login/', { body: multipart }),
    await server.request('POST', '/ext-login/', { body: { token } }),
    await server.request('POST', '/ext-login/', { token }),
  ];
  for (const { status, json } of answers) {
    assert.equal(status, 200);
    assert.match(json.token, /^[\w-]{43}$/);
  }
  const missing = await server.request('POST', '/ext-login/');
  assert.deepEqual([missing.status, missing.json.data], [500, { required: ['token'] }]);
  for (const body of [{ token: 7 }, { token: [token] }, { token: null }])
    assert.deepEqual(await outcome(server, 'POST', '/ext-login/', { body }), [400, 'bad_request']);
  assert.equal((await server.request('GET', `/ext-login/?token=${token}`)).status, 405);
  assert.equal((await server.request('POST', `//api/2.8/nothing/ext-login/?token=${token}`)).status, 500);
});

/** Tokens that are not good, by what is wrong with them. */
async function badTokens(): Promise<Record<string, string>> {
  const claims = claimsOf('ann');
  const token = await signed(key, claims);
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const pem = await exportSPKI((await importJWK(key.publicJwk, 'RS256')) as never);
  const withSecret = (secret: string): string => {
    const text = `${encoded({ alg: 'HS256', kid: key.kid })}.${payload}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const impostor = { ...(await makeKey('RS256', key.kid)) };
  return {
    'no token': 'x',
    'two parts': `${header}.${payload}`,
    'five parts': `${token}.a.b`,
    'a very long one': 'a'.repeat(100_000),
    'a long claim': await signed(key, { ...claims, more: 'a'.repeat(20_000) }),
    expired: await signed(key, { ...claims, exp: now() - 60 }),
    'not yet valid': await signed(key, { ...claims, nbf: now() + 60 }),
    'no exp': await signed(key, { ...claims, exp: undefined }),
    'exp as text': await signed(key, { ...claims, exp: '9999999999' as never }),
    'another issuer': await signed(key, { ...claims, iss: 'https://other.example/' }),
    'no issuer': await signed(key, { ...claims, iss: undefined }),
    'another audience': await signed(key, { ...claims, aud: 'other' }),
    'no audience': await signed(key, { ...claims, aud: undefined }),
    'an algorithm that is not allowed': await signed(keysOf.ES384!, claims),
    'alg none': new UnsecuredJWT(claims).encode(),
    'alg none with a signature': `${encoded({ alg: 'none', kid: key.kid })}.${payload}.${signature}`,
    'HS256 with the public key as PEM': withSecret(pem),
    'HS256 with the public key as JWK': withSecret(JSON.stringify(key.publicJwk)),
    'another signature': `${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`,
    'a session of ours': server.adminToken,
    'another payload': `${header}.${encoded({ ...claims, sub: 'admin' })}.${signature}`,
    'no signature': `${header}.${payload}.`,
    'a key of somebody else': await signed(impostor, claims),
    'an unknown key': await signed({ ...impostor, kid: 'unknown' }, claims),
    'its own key in the header': await selfSigned(impostor, claims),
    'the claim is missing': await signed(key, { ...claims, sub: undefined }),
    'the claim is no text': await signed(key, { ...claims, sub: 7 as never }),
    'the claim is an array': await signed(key, { ...claims, sub: ['ann'] as never }),
    'an empty login': await signed(key, { ...claims, sub: '' }),
    'an unknown user': await signed(key, { ...claims, sub: 'nobody' }),
    'an administrator of the installation': await signed(key, { ...claims, sub: 'admin' }),
    'the public user': await signed(key, { ...claims, sub: 'public' }),
    'other capitals': await signed(key, { ...claims, sub: 'ANN' }),
  };
}

async function selfSigned(own: SigningKey, claims: object): Promise<string> {
  const { SignJWT } = await import('jose');
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: own.alg, kid: 'unknown', jwk: own.publicJwk })
    .sign(own.privateKey);
}

test('every token that is not good, and every user who is not there, gets one and the same answer', async () => {
  const answers = new Set<string>();
  for (const [what, token] of Object.entries(await badTokens())) {
    assert.deepEqual(await tryToken(token), refused, what);
    answers.add((await server.request('POST', '/ext-login/', { body: { token } })).text);
  }
  assert.equal(answers.size, 1);
  assert.ok(![...answers][0]!.includes('ann'));
  for (const login of [...hostileTexts, ...unstorableTexts])
    assert.deepEqual(await tryToken(await signed(key, claimsOf(login))), refused, login);
  assert.deepEqual(await tryToken(await signed(key, claimsOf('ann'))), good);
});

test('clocks may differ a little; one of several audiences is enough', async () => {
  const claims = claimsOf('ann');
  for (const near of [{ exp: now() - 5 }, { nbf: now() + 5 }, { nbf: now() - 60 }, { aud: ['x', audience] }])
    assert.deepEqual(await tryToken(await signed(key, { ...claims, ...near })), good, JSON.stringify(near));
});

test('a token signs in to the project that has the user, and to no other', async () => {
  await server.request('POST', '//api/2.8/', { token: server.adminToken, body: { code: 'other' } });
  const admin = await server.request('POST', '//api/2.8/other/login/', {
    body: { login: 'admin', password: 'correct-horse-battery' },
  });
  const body = { login: 'olga', password: 'long-enough' };
  await server.request('POST', '//api/2.8/other/users/', { token: admin.json.token, body });
  const token = await signed(key, claimsOf('olga'));
  assert.deepEqual(await tryToken(token), refused);
  const session = await server.request('POST', '//api/2.8/other/ext-login/', { body: { token } });
  assert.equal(session.status, 200);
  assert.equal((await server.request('GET', `/users/info/?token=${session.json.token}`)).status, 401);
});

test('a provider that is down, slow or talks nonsense is 503, and signs in with known keys all the same', async () => {
  const known = await signed(key, claimsOf('ann'));
  const next = await makeKey('ES256', 'second');
  const token = await signed(next, claimsOf('ann'));
  assert.deepEqual(await tryToken(known), good);
  const busy = [503, 'busy'];
  const hang = [503, 'timeout'];
  const cases: [string, (typeof busy)[], TestProvider['instead']][] = [
    ['says nothing', [hang], () => {}],
    ['stops in the middle', [hang], (_request, response) => void response.write('{"keys":')],
    ['breaks off', [busy], (request) => request.socket.destroy()],
    ['500', [busy], (_request, response) => response.writeHead(500).end(setOf([next]))],
    ['a redirect', [busy], (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['no JSON', [busy], (_request, response) => response.end('<html>')],
    ['no set', [busy], (_request, response) => response.end('{"keys": 7}')],
    ['huge', [busy], (_request, response) => response.end(`{"keys":[]${' '.repeat(300_000)}}`)],
  ];
  for (const [what, [expected], instead] of cases) {
    provider.instead = instead;
    assert.deepEqual(await tryToken(token), expected, what);
    const { text } = await server.request('POST', '/ext-login/', { body: { token } });
    assert.ok(!text.includes('127.0.0.1') && !text.includes('keys:'), text);
    assert.deepEqual(await tryToken(known), good, what);
  }
  provider.instead = undefined;
  provider.keys = [...provider.keys, next];
  assert.deepEqual(await tryToken(token), good, 'a new key signs in as soon as it is shown');
});

test('within the cooldown unknown keys do not have the keys fetched again; another claim; failures are counted', async (t) => {
  const own = await startProvider([key]);
  const other = await startServer({
    ...settingsOf(own.url),
    CARTULARY_EXT_LOGIN_COOLDOWN: '3600',
    CARTULARY_EXT_LOGIN_CLAIM: 'preferred_username',
    CARTULARY_LOGIN_FAILURES: '3',
  });
  t.after(async () => {
    await other.stop();
    own.stop();
  });
  await addUser(other, 'bob@example.org');
  const token = await signed(key, { ...claimsOf('x'), preferred_username: 'bob@example.org' });
  assert.equal(own.asked, 0);
  const together = await Promise.all(Array.from({ length: 5 }, () => tryToken(token, other)));
  assert.deepEqual(together, Array(5).fill(good));
  const rotated = await makeKey('ES256', 'rotated');
  own.keys = [rotated];
  const unknown = await signed(rotated, claimsOf('bob@example.org'));
  for (let i = 0; i < 3; i++) assert.deepEqual(await tryToken(unknown, other), refused);
  assert.equal(own.asked, 1);
  const answer = await other.request('POST', '/ext-login/', { body: { token } });
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.equal(own.asked, 1);
  const login = { login: 'bob@example.org', password: 'long-enough' };
  assert.equal(
    (await other.request('POST', '/login/', { body: login })).status,
    200,
    'passwords count apart',
  );
});

test('after a failure the provider is left alone for the cooldown; that is no failure of the token', async (t) => {
  const own = await startProvider([key]);
  own.instead = (_request, response) => response.writeHead(500).end();
  const other = await startServer({
    ...settingsOf(own.url),
    CARTULARY_EXT_LOGIN_COOLDOWN: '3600',
    CARTULARY_LOGIN_FAILURES: '2',
  });
  t.after(async () => {
    await other.stop();
    own.stop();
  });
  const token = await signed(key, claimsOf('ann'));
  for (let i = 0; i < 4; i++) assert.deepEqual(await tryToken(token, other), [503, 'busy']);
  assert.equal(own.asked, 1);
});

test('keys in a file: what is changed holds at once; only the algorithms that are set', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-keys-'));
  const file = join(folder, 'keys.json');
  await writeFile(file, setOf([keysOf.ES256!, key]));
  const settings = { ...settingsOf(file), CARTULARY_EXT_LOGIN_ALGORITHMS: ' ES256 , PS256' };
  const other = await startServer(settings);
  t.after(async () => {
    await other.stop();
    await rm(folder, { recursive: true });
  });
  await addUser(other, 'ann');
  const token = await signed(keysOf.ES256!, claimsOf('ann'));
  const later = await signed(keysOf.PS256!, claimsOf('ann'));
  assert.deepEqual(await tryToken(token, other), good);
  assert.deepEqual(await tryToken(await signed(key, claimsOf('ann')), other), refused, 'RS256');
  assert.deepEqual(await tryToken(later, other), refused);
  await writeFile(file, setOf([keysOf.PS256!]));
  assert.deepEqual(await tryToken(later, other), good);
  assert.deepEqual(await tryToken(token, other), refused, 'a key that was taken out');
  for (const text of ['', '{"keys": 7}', `{"keys": []${' '.repeat(300_000)}}`]) {
    await writeFile(file, text);
    assert.deepEqual(await tryToken(later, other), [503, 'busy']);
    await assert.rejects(
      startServer(settings),
      /CARTULARY_EXT_LOGIN_JWKS: there are no keys in .*keys\.json/,
    );
  }
  await rm(file);
  assert.deepEqual(await tryToken(later, other), [503, 'busy']);
  await assert.rejects(startServer(settings), /CARTULARY_EXT_LOGIN_JWKS/);
});

test('wrong settings are told at the start', () => {
  const wrong = (settings: Record<string, string>, ...sentences: RegExp[]): void => {
    for (const sentence of sentences)
      assert.throws(() => parseConfig({ ...settingsOf('/keys.json'), ...settings }), sentence);
  };
  wrong({ CARTULARY_EXT_LOGIN_ISSUER: '' }, /ISSUER: is required with CARTULARY_EXT_LOGIN_JWKS/);
  wrong({ CARTULARY_EXT_LOGIN_AUDIENCE: '' }, /AUDIENCE: is required with CARTULARY_EXT_LOGIN_JWKS/);
  for (const name of ['none', 'None', 'HS256', 'HS512', 'RS256,HS256', 'RS256, none'])
    wrong({ CARTULARY_EXT_LOGIN_ALGORITHMS: name }, /would let anybody sign tokens/);
  for (const name of ['RS1', 'rs256', ',', 'RS256,', 'toString'])
    wrong({ CARTULARY_EXT_LOGIN_ALGORITHMS: name }, /ALGORITHMS=.*must be out of RS256/);
  wrong({ CARTULARY_EXT_LOGIN_JWKS: 'ftp://x/keys' }, /must be a file or an http\(s\) URL/);
  wrong({ CARTULARY_EXT_LOGIN_JWKS: 'http://' }, /must be a file or an http\(s\) URL/);
  wrong({ CARTULARY_EXT_LOGIN_JWKS: 'https://me:secret@x/keys' }, /JWKS=…: must have no user/);
  wrong({ CARTULARY_EXT_LOGIN_COOLDOWN: '-1', CARTULARY_EXT_LOGIN_TIMEOUT: '0' }, /COOLDOWN/, /TIMEOUT/);
  assert.equal(parseConfig({}).extLoginJwks, '');
});
