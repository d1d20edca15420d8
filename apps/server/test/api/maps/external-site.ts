import test from 'node:test';
import {
  audience,
  issuer,
  makeKey,
  type SigningKey,
  startProvider,
  type TestProvider,
} from '../../support/identity-provider.js';
import { startServer, type TestServer } from '../../support/server.js';
import { outcome } from '../access/people.js';

/** A server that takes the tokens of a provider, and has the user `ann`. */
export interface ExternalSite {
  /** By algorithm. */
  keys: Record<'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'ES384', SigningKey>;
  provider: TestProvider;
  /** Fetches the keys again for each unknown key. */
  server: TestServer;
}

export const settingsOf = (jwks: string): Record<string, string> => ({
  CARTULARY_EXT_LOGIN_JWKS: jwks,
  CARTULARY_EXT_LOGIN_ISSUER: issuer,
  CARTULARY_EXT_LOGIN_AUDIENCE: audience,
});

/** Starts it before the tests of a file, and stops it after them. It may be used only within tests. */
export function externalSite(): ExternalSite {
  const site = { keys: {} } as ExternalSite;
  test.before(async () => {
    for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA', 'ES384'] as const)
      site.keys[alg] = await makeKey(alg, `first-${alg}`);
    site.provider = await startProvider(Object.values(site.keys));
    site.server = await startServer({
      ...settingsOf(site.provider.url),
      CARTULARY_EXT_LOGIN_COOLDOWN: '0',
      CARTULARY_EXT_LOGIN_TIMEOUT: '300',
      CARTULARY_LOGIN_FAILURES: '1000000',
    });
    await addUser(site.server, 'ann');
  });
  test.after(async () => {
    await site.server.stop();
    site.provider.stop();
  });
  test.beforeEach(() => {
    site.provider.instead = undefined;
  });
  return site;
}

export const addUser = (at: TestServer, login: string): Promise<unknown> =>
  at.admin('POST', '/users/', { login, password: 'long-enough' });

export const tryToken = (at: TestServer, token: string): Promise<[number, string | undefined]> =>
  outcome(at, 'POST', '/ext-login/', { body: { token } });

export const good: [number, undefined] = [200, undefined];
export const refused: [number, string] = [403, 'login_failed'];
