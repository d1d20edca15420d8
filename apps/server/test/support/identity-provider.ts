import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

/** A key pair with a name, by which tokens are signed. */
export interface SigningKey {
  alg: string;
  kid: string;
  privateKey: CryptoKey;
  publicJwk: JWK;
}

export async function makeKey(alg: string, kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export const issuer = 'https://provider.example/';
export const audience = 'cartulary';
export const now = (): number => Math.floor(Date.now() / 1000);

/** Claims of a valid token; a claim that is undefined is omitted. */
export const claimsOf = (login: unknown): JWTPayload => ({
  iss: issuer,
  aud: audience,
  sub: login as string,
  iat: now(),
  exp: now() + 300,
});

export const signed = (key: SigningKey, claims: JWTPayload): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid }).sign(key.privateKey);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestProvider {
  /** Where its keys are. */
  url: string;
  /** How often they were asked for. */
  asked: number;
  keys: SigningKey[];
  /** Answers instead of the keys. */
  instead: Answer | undefined;
  stop(): void;
}

/** An identity provider on loopback that shows its keys, or whatever a test lets it answer. */
export async function startProvider(keys: SigningKey[]): Promise<TestProvider> {
  const provider: TestProvider = { url: '', asked: 0, keys, instead: undefined, stop: () => {} };
  const show: Answer = (_request, response) =>
    response.setHeader('content-type', 'application/json').end(setOf(provider.keys));
  const server = createServer((request, response) => {
    if (request.url === '/elsewhere') return show(request, response);
    provider.asked += 1;
    (provider.instead ?? show)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  provider.stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return provider;
}

/** The public halves as a JSON Web Key Set. */
export const setOf = (keys: SigningKey[]): string =>
  JSON.stringify({ keys: keys.map((key) => key.publicJwk) });
