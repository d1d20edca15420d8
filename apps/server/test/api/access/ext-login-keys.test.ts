import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { parseConfig } from '../../../src/config.js';
import {
  claimsOf,
  makeKey,
  setOf,
  signed,
  startProvider,
  type TestProvider,
} from '../../support/identity-provider.js';
import { startServer } from '../../support/server.js';
import { addUser, externalSite, good, refused, settingsOf, tryToken } from '../maps/external-site.js';

const site = externalSite();

test('a provider that is down, slow or sends invalid data is 503, and known keys still sign in', async () => {
  const known = await signed(site.keys.RS256, claimsOf('ann'));
  const next = await makeKey('ES256', 'second');
  const token = await signed(next, claimsOf('ann'));
  assert.deepEqual(await tryToken(site.server, known), good);
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
    site.provider.instead = instead;
    assert.deepEqual(await tryToken(site.server, token), expected, what);
    const { text } = await site.server.request('POST', '/ext-login/', { body: { token } });
    assert.ok(!text.includes('127.0.0.1') && !text.includes('keys:'), text);
    assert.deepEqual(await tryToken(site.server, known), good, what);
  }
  site.provider.instead = undefined;
  site.provider.keys = [...site.provider.keys, next];
  assert.deepEqual(await tryToken(site.server, token), good, 'a new key signs in as soon as it is shown');
});

test('within the cooldown an unknown key causes no new request for keys; another claim; failures are counted', async (t) => {
  const own = await startProvider([site.keys.RS256]);
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
  const token = await signed(site.keys.RS256, { ...claimsOf('x'), preferred_username: 'bob@example.org' });
  assert.equal(own.asked, 0);
  const together = await Promise.all(Array.from({ length: 5 }, () => tryToken(other, token)));
  assert.deepEqual(together, Array(5).fill(good));
  const rotated = await makeKey('ES256', 'rotated');
  own.keys = [rotated];
  const unknown = await signed(rotated, claimsOf('bob@example.org'));
  for (let i = 0; i < 3; i++) assert.deepEqual(await tryToken(other, unknown), refused);
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

test('after a failure the provider is not asked during the cooldown, and the token is not counted as a failure', async (t) => {
  const own = await startProvider([site.keys.RS256]);
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
  const token = await signed(site.keys.RS256, claimsOf('ann'));
  for (let i = 0; i < 4; i++) assert.deepEqual(await tryToken(other, token), [503, 'busy']);
  assert.equal(own.asked, 1);
});

test('keys in a file: a change is effective at once; only the configured algorithms are accepted', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-keys-'));
  const file = join(folder, 'keys.json');
  await writeFile(file, setOf([site.keys.ES256, site.keys.RS256]));
  const settings = { ...settingsOf(file), CARTULARY_EXT_LOGIN_ALGORITHMS: ' ES256 , PS256' };
  const other = await startServer(settings);
  t.after(async () => {
    await other.stop();
    await rm(folder, { recursive: true });
  });
  await addUser(other, 'ann');
  const token = await signed(site.keys.ES256, claimsOf('ann'));
  const later = await signed(site.keys.PS256, claimsOf('ann'));
  assert.deepEqual(await tryToken(other, token), good);
  assert.deepEqual(await tryToken(other, await signed(site.keys.RS256, claimsOf('ann'))), refused, 'RS256');
  assert.deepEqual(await tryToken(other, later), refused);
  await writeFile(file, setOf([site.keys.PS256]));
  assert.deepEqual(await tryToken(other, later), good);
  assert.deepEqual(await tryToken(other, token), refused, 'a key that was taken out');
  for (const text of ['', '{"keys": 7}', `{"keys": []${' '.repeat(300_000)}}`]) {
    await writeFile(file, text);
    assert.deepEqual(await tryToken(other, later), [503, 'busy']);
    await assert.rejects(
      startServer(settings),
      /CARTULARY_EXT_LOGIN_JWKS: there are no keys in .*keys\.json/,
    );
  }
  await rm(file);
  assert.deepEqual(await tryToken(other, later), [503, 'busy']);
  await assert.rejects(
    startServer(settings),
    /CARTULARY_EXT_LOGIN_JWKS: there are no keys in .*keys\.json: there is no such file/,
  );
});

test('wrong settings are reported at the start', () => {
  const wrong = (settings: Record<string, string>, ...sentences: RegExp[]): void => {
    for (const sentence of sentences)
      assert.throws(() => parseConfig({ ...settingsOf('/keys.json'), ...settings }), sentence);
  };
  wrong({ CARTULARY_EXT_LOGIN_ISSUER: '' }, /ISSUER: is required with CARTULARY_EXT_LOGIN_JWKS/);
  wrong({ CARTULARY_EXT_LOGIN_AUDIENCE: '' }, /AUDIENCE: is required with CARTULARY_EXT_LOGIN_JWKS/);
  for (const name of ['none', 'None', 'HS256', 'HS512', 'RS256,HS256', 'RS256, none'])
    wrong({ CARTULARY_EXT_LOGIN_ALGORITHMS: name }, /would let anybody sign tokens/);
  for (const name of ['RS1', 'rs256', ',', 'RS256,', 'toString'])
    wrong({ CARTULARY_EXT_LOGIN_ALGORITHMS: name }, /ALGORITHMS=.*must be one of RS256/);
  wrong({ CARTULARY_EXT_LOGIN_JWKS: 'ftp://x/keys' }, /must be a file or an http\(s\) URL/);
  wrong({ CARTULARY_EXT_LOGIN_JWKS: 'http://' }, /must be a file or an http\(s\) URL/);
  wrong({ CARTULARY_EXT_LOGIN_JWKS: 'https://me:secret@x/keys' }, /JWKS=…: must have no user/);
  wrong({ CARTULARY_EXT_LOGIN_COOLDOWN: '-1', CARTULARY_EXT_LOGIN_TIMEOUT: '0' }, /COOLDOWN/, /TIMEOUT/);
  assert.equal(parseConfig({}).extLoginJwks, '');
});
