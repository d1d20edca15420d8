import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test from 'node:test';
import { exportSPKI, importJWK, UnsecuredJWT } from 'jose';
import {
  audience,
  claimsOf,
  makeKey,
  now,
  type SigningKey,
  signed,
} from '../../support/identity-provider.js';
import { externalSite, good, refused, tryToken } from '../maps/external-site.js';
import { hostileTexts, outcome, unstorableTexts } from './people.js';

const site = externalSite();

test('a token of each algorithm opens a session of the user whom it names', async () => {
  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) {
    const body = { token: await signed(site.keys[alg], claimsOf('ann')) };
    const { status, json } = await site.server.request('POST', '/ext-login/', { body });
    assert.equal(status, 200, alg);
    assert.deepEqual(Object.keys(json), ['token']);
    assert.equal((await site.server.request('GET', `/users/info/?token=${json.token}`)).json.login, 'ann');
    assert.equal((await site.server.request('GET', `/authorized/?token=${json.token}`)).json, true);
    assert.deepEqual((await site.server.request('POST', '/logout/', { token: json.token })).json, {
      token: '',
    });
    assert.equal((await site.server.request('GET', `/authorized/?token=${json.token}`)).json, false);
  }
});

test('the token comes in the query, a form, multipart, JSON or a header', async () => {
  const token = await signed(site.keys.RS256, claimsOf('ann'));
  const multipart = new FormData();
  multipart.set('token', token);
  const answers = [
    await site.server.request('POST', `/ext-login/?token=${token}`),
    await site.server.request('POST', '/ext-login', { body: new URLSearchParams({ token }) }),
    await site.server.request('POST', '/ext-login/', { body: multipart }),
    await site.server.request('POST', '/ext-login/', { body: { token } }),
    await site.server.request('POST', '/ext-login/', { token }),
  ];
  for (const { status, json } of answers) {
    assert.equal(status, 200);
    assert.match(json.token, /^[\w-]{43}$/);
  }
  const missing = await site.server.request('POST', '/ext-login/');
  assert.deepEqual([missing.status, missing.json.data], [500, { required: ['token'] }]);
  for (const body of [{ token: 7 }, { token: [token] }, { token: null }])
    assert.deepEqual(await outcome(site.server, 'POST', '/ext-login/', { body }), [400, 'bad_request']);
  assert.equal((await site.server.request('GET', `/ext-login/?token=${token}`)).status, 405);
  assert.equal(
    (await site.server.request('POST', `//api/2.8/nothing/ext-login/?token=${token}`)).status,
    500,
  );
});

/** Invalid tokens, by the reason. */
async function badTokens(): Promise<Record<string, string>> {
  const claims = claimsOf('ann');
  const token = await signed(site.keys.RS256, claims);
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const pem = await exportSPKI((await importJWK(site.keys.RS256.publicJwk, 'RS256')) as never);
  const withSecret = (secret: string): string => {
    const text = `${encoded({ alg: 'HS256', kid: site.keys.RS256.kid })}.${payload}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const impostor = { ...(await makeKey('RS256', site.keys.RS256.kid)) };
  return {
    'no token': 'x',
    'two parts': `${header}.${payload}`,
    'five parts': `${token}.a.b`,
    'a very long one': 'a'.repeat(60_000),
    'a long claim': await signed(site.keys.RS256, { ...claims, more: 'a'.repeat(20_000) }),
    expired: await signed(site.keys.RS256, { ...claims, exp: now() - 60 }),
    'not yet valid': await signed(site.keys.RS256, { ...claims, nbf: now() + 60 }),
    'no exp': await signed(site.keys.RS256, { ...claims, exp: undefined }),
    'exp as text': await signed(site.keys.RS256, { ...claims, exp: '9999999999' as never }),
    'another issuer': await signed(site.keys.RS256, { ...claims, iss: 'https://other.example/' }),
    'no issuer': await signed(site.keys.RS256, { ...claims, iss: undefined }),
    'another audience': await signed(site.keys.RS256, { ...claims, aud: 'other' }),
    'no audience': await signed(site.keys.RS256, { ...claims, aud: undefined }),
    'an algorithm that is not allowed': await signed(site.keys.ES384, claims),
    'alg none': new UnsecuredJWT(claims).encode(),
    'alg none with a signature': `${encoded({ alg: 'none', kid: site.keys.RS256.kid })}.${payload}.${signature}`,
    'HS256 with the public key as PEM': withSecret(pem),
    'HS256 with the public key as JWK': withSecret(JSON.stringify(site.keys.RS256.publicJwk)),
    'another signature': `${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`,
    'a session of ours': site.server.adminToken,
    'another payload': `${header}.${encoded({ ...claims, sub: 'admin' })}.${signature}`,
    'no signature': `${header}.${payload}.`,
    'a key of somebody else': await signed(impostor, claims),
    'an unknown key': await signed({ ...impostor, kid: 'unknown' }, claims),
    'its own key in the header': await selfSigned(impostor, claims),
    'the claim is missing': await signed(site.keys.RS256, { ...claims, sub: undefined }),
    'the claim is no text': await signed(site.keys.RS256, { ...claims, sub: 7 as never }),
    'the claim is an array': await signed(site.keys.RS256, { ...claims, sub: ['ann'] as never }),
    'an empty login': await signed(site.keys.RS256, { ...claims, sub: '' }),
    'an unknown user': await signed(site.keys.RS256, { ...claims, sub: 'nobody' }),
    'an administrator of the installation': await signed(site.keys.RS256, { ...claims, sub: 'admin' }),
    'the public user': await signed(site.keys.RS256, { ...claims, sub: 'public' }),
    'other capitals': await signed(site.keys.RS256, { ...claims, sub: 'ANN' }),
  };
}

async function selfSigned(own: SigningKey, claims: object): Promise<string> {
  const { SignJWT } = await import('jose');
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: own.alg, kid: 'unknown', jwk: own.publicJwk })
    .sign(own.privateKey);
}

test('every invalid token and every unknown user get the same answer', async () => {
  const answers = new Set<string>();
  for (const [what, token] of Object.entries(await badTokens())) {
    assert.deepEqual(await tryToken(site.server, token), refused, what);
    answers.add((await site.server.request('POST', '/ext-login/', { body: { token } })).text);
  }
  assert.equal(answers.size, 1);
  assert.ok(![...answers][0]!.includes('ann'));
  for (const login of [...hostileTexts, ...unstorableTexts])
    assert.deepEqual(
      await tryToken(site.server, await signed(site.keys.RS256, claimsOf(login))),
      refused,
      login,
    );
  assert.deepEqual(await tryToken(site.server, await signed(site.keys.RS256, claimsOf('ann'))), good);
});

test('clocks may differ a little; one of several audiences is enough', async () => {
  const claims = claimsOf('ann');
  for (const near of [{ exp: now() - 5 }, { nbf: now() + 5 }, { nbf: now() - 60 }, { aud: ['x', audience] }])
    assert.deepEqual(
      await tryToken(site.server, await signed(site.keys.RS256, { ...claims, ...near })),
      good,
      JSON.stringify(near),
    );
});

test('a token signs in to the project that has the user, and to no other', async () => {
  await site.server.request('POST', '//api/2.8/', { token: site.server.adminToken, body: { code: 'other' } });
  const admin = await site.server.request('POST', '//api/2.8/other/login/', {
    body: { login: 'admin', password: 'correct-horse-battery' },
  });
  const body = { login: 'olga', password: 'long-enough' };
  await site.server.request('POST', '//api/2.8/other/users/', { token: admin.json.token, body });
  const token = await signed(site.keys.RS256, claimsOf('olga'));
  assert.deepEqual(await tryToken(site.server, token), refused);
  const session = await site.server.request('POST', '//api/2.8/other/ext-login/', { body: { token } });
  assert.equal(session.status, 200);
  assert.equal((await site.server.request('GET', `/users/info/?token=${session.json.token}`)).status, 401);
});
