import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { createExternalVerifier } from '../../src/access/external.js';
import { parseConfig } from '../../src/config.js';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
const pairs = new Map<string, Pair>();
const keys: JWK[] = [];
/** What the provider answers. */
let behave: 'well' | 'slowly' | 'hugely' | 'badly' = 'well';
let provider: Server;
let server: TestServer;

async function newKey(alg: string, kid: string): Promise<void> {
  const pair = await generateKeyPair(alg, { extractable: true });
  pairs.set(kid, pair);
  keys.push({ ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' });
}

test.before(async () => {
  for (const alg of ['RS256', 'ES256', 'EdDSA']) await newKey(alg, alg);
  provider = createServer((_request, response) => {
    if (behave === 'slowly') return;
    if (behave === 'badly') response.statusCode = 500;
    response.setHeader('content-type', 'application/json');
    response.end(behave === 'hugely' ? ' '.repeat(3_000_000) : JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  server = await startServer(settings());
  await server.admin('POST', '/users/', { login: 'bob', password: 'long-enough' });
});
test.after(async () => {
  await server.stop();
  provider.closeAllConnections();
  provider.close();
});

const settings = (jwks?: string): Record<string, string> => ({
  CARTULARY_EXT_LOGIN_JWKS: jwks ?? `http://127.0.0.1:${(provider.address() as AddressInfo).port}/keys`,
  CARTULARY_EXT_LOGIN_ISSUER: 'https://id.example',
  CARTULARY_EXT_LOGIN_AUDIENCE: 'maps',
});

interface Claims {
  sub?: unknown;
  iss?: string;
  aud?: string;
  exp?: string | number | null;
  nbf?: number;
}
function sign(
  kid: string,
  { iss = 'https://id.example', aud = 'maps', exp = '1m', ...claims }: Claims = {},
): Promise<string> {
  const alg = kid.replace(/-.*/, '');
  const token = new SignJWT({ sub: 'bob', ...claims } as never)
    .setProtectedHeader({ alg, kid })
    .setIssuer(iss)
    .setAudience(aud);
  return (exp === null ? token : token.setExpirationTime(exp)).sign(pairs.get(kid)!.privateKey);
}
const ask = (token: string): Promise<TestAnswer> =>
  server.request('POST', '/ext-login/', { body: { token }, headers: { accept: 'application/json' } });
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = (): number => Math.floor(Date.now() / 1000);

for (const alg of ['RS256', 'ES256', 'EdDSA']) {
  test(`a token signed with ${alg} opens a session, sent in the query, a form or JSON`, async () => {
    const token = await sign(alg);
    for (const answer of await Promise.all([
      ask(token),
      server.request('POST', `/ext-login/?token=${token}`),
      server.request('POST', '/ext-login/', { body: new URLSearchParams({ token }) }),
    ])) {
      assert.equal(answer.status, 200, answer.text);
      const info = await server.request('GET', '/users/info/', { token: answer.json.token });
      assert.equal(info.json.login, 'bob');
    }
  });
}

test('every token that is not good gets the same 403', async () => {
  const good = await sign('ES256');
  const [head, body, signature] = good.split('.') as [string, string, string];
  const claims = { sub: 'bob', iss: 'https://id.example', aud: 'maps', exp: now() + 60 };
  const pem = await exportSPKI(pairs.get('RS256')!.publicKey);
  const asSecret = `${encode({ alg: 'HS256', kid: 'RS256' })}.${encode(claims)}`;
  const bad: Record<string, string> = {
    expired: await sign('ES256', { exp: now() - 60 }),
    'not yet valid': await sign('ES256', { nbf: now() + 600 }),
    'without end': await sign('ES256', { exp: null }),
    'of another issuer': await sign('ES256', { iss: 'https://evil.example' }),
    'for another audience': await sign('ES256', { aud: 'mail' }),
    'without a login': await sign('ES256', { sub: undefined }),
    'whose login is no text': await sign('ES256', { sub: 7 }),
    'of nobody': await sign('ES256', { sub: 'nobody' }),
    'of the administrator of the installation': await sign('ES256', { sub: 'admin' }),
    'with another content': `${head}.${encode({ ...claims, sub: 'eve' })}.${signature}`,
    'with another signature': `${head}.${body}.${signature.slice(0, -4)}AAAA`,
    'without a signature': `${encode({ alg: 'none' })}.${encode(claims)}.`,
    'signed with the public key as a secret': `${asSecret}.${createHmac('sha256', pem).update(asSecret).digest('base64url')}`,
    'no token at all': 'x',
    'too long': `${head}.${body}.${'A'.repeat(20_000)}`,
    'of a session of ours': server.adminToken,
  };
  for (const [name, token] of Object.entries(bad)) {
    const answer = await ask(token);
    assert.deepEqual([answer.status, answer.json.code], [403, 'login_failed'], name);
    assert.ok(!answer.text.includes('evil') && !answer.text.includes(token), name);
  }
  assert.equal((await server.request('POST', '/ext-login/', { body: {} })).json.code, 'required_missing');
});

test('keys of a file, read again when it changes; settings that do not fit are told', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-keys-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'keys.json');
  writeFileSync(file, JSON.stringify({ keys }));
  const verify = createExternalVerifier(parseConfig(settings(file)));
  assert.equal(await verify(await sign('RS256')), 'bob');
  await newKey('ES256', 'ES256-new');
  const rotated = await sign('ES256-new');
  await assert.rejects(verify(rotated), { code: 'login_failed' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  writeFileSync(file, JSON.stringify({ keys }));
  assert.equal(await verify(rotated), 'bob');
  writeFileSync(file, 'broken');
  await assert.rejects(verify(rotated), { code: 'busy' });

  const { CARTULARY_EXT_LOGIN_ISSUER: _, ...rest } = settings(file);
  assert.throws(() => createExternalVerifier(parseConfig(rest)), /ISSUER/);
  for (const names of ['none', 'HS256', 'RS256,none', ''])
    assert.throws(() => parseConfig({ CARTULARY_EXT_LOGIN_ALGORITHMS: names || ' ' }), /ALGORITHMS/, names);
  await assert.rejects(createExternalVerifier(parseConfig({}))('x'), { code: 'forbidden' });
});

test('a provider that fails, stands still or sends too much is told as busy', async () => {
  for (const way of ['badly', 'hugely', 'slowly'] as const) {
    behave = way;
    const verify = createExternalVerifier(parseConfig(settings()));
    await assert.rejects(verify(await sign('RS256')), { code: 'busy', status: 503 }, way);
  }
  behave = 'well';
  const gone = createExternalVerifier(parseConfig(settings('http://127.0.0.1:1/keys')));
  await assert.rejects(gone(await sign('RS256')), { code: 'busy' });
});
