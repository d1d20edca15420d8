import { readFile, stat } from 'node:fs/promises';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { Config } from '../config.js';
import { ServiceError } from '../errors.js';
import { isLogin } from './logins.js';

/**
 * The login that a token of the identity provider names. Throws `login_failed` for every token that is not good, whatever is
 * wrong with it, `forbidden` where no provider is configured, 503 when the provider does not answer.
 */
export type VerifyExternal = (token: string) => Promise<string>;

/** Characters of a token; ms that the provider may take; bytes of its keys; s between its clock and ours. */
const limits = { token: 16_384, patience: 5_000, keys: 1_048_576, clock: 30 };
/** ms: how long keys are kept, and at the least between two requests for an unknown key. */
const kept = { keys: 600_000, pause: 10_000 };

/** Reads the settings of the identity provider. Throws an Error for the operator when they do not fit together. */
export function createExternalVerifier(config: Config): VerifyExternal {
  const { extLoginJwks, extLoginIssuer, extLoginAudience, extLoginClaim, extLoginAlgorithms } = config;
  if (!extLoginJwks) {
    return async () => {
      throw new ServiceError('forbidden', 'No identity provider is configured');
    };
  }
  if (!extLoginIssuer || !extLoginAudience)
    throw new Error(
      'CARTULARY_EXT_LOGIN_JWKS needs CARTULARY_EXT_LOGIN_ISSUER and CARTULARY_EXT_LOGIN_AUDIENCE',
    );
  const keys = /^https?:/.test(extLoginJwks) ? remoteKeys(extLoginJwks) : fileKeys(extLoginJwks);
  const options = {
    issuer: extLoginIssuer,
    audience: extLoginAudience,
    algorithms: extLoginAlgorithms.split(','),
    requiredClaims: ['exp'],
    clockTolerance: limits.clock,
  };
  return async (token) => {
    if (token.length > limits.token) throw new ServiceError('login_failed');
    const { payload } = await jwtVerify(token, keys, options).catch((error) => {
      throw isTokenFault(error)
        ? new ServiceError('login_failed')
        : new ServiceError('busy', 'The identity provider does not answer; try again', { retry_after: 10 });
    });
    const login = payload[extLoginClaim];
    if (typeof login !== 'string' || !isLogin(login)) throw new ServiceError('login_failed');
    return login;
  };
}

/** Whether the token is at fault, and not the keys that it is checked with. */
const isTokenFault = (error: unknown): boolean =>
  error instanceof errors.JWTInvalid ||
  error instanceof errors.JWTExpired ||
  error instanceof errors.JWTClaimValidationFailed ||
  error instanceof errors.JWSInvalid ||
  error instanceof errors.JWSSignatureVerificationFailed ||
  error instanceof errors.JOSEAlgNotAllowed ||
  error instanceof errors.JOSENotSupported ||
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys;

/** Keys behind an address, asked for again when a token names one that is not known. */
const remoteKeys = (address: string): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(address), {
    timeoutDuration: limits.patience,
    cooldownDuration: kept.pause,
    cacheMaxAge: kept.keys,
    [customFetch]: boundedFetch,
  });

/** Follows no redirect, and reads no more than keys can be. */
async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...options, redirect: 'error' });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limits.keys) throw new Error('the keys of the identity provider are too large');
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: answer.status, headers: answer.headers });
}

/** Keys in a file, read again when it has changed. */
function fileKeys(path: string): JWTVerifyGetKey {
  let since = -1;
  let keys: JWTVerifyGetKey | undefined;
  return async (header, token) => {
    const { mtimeMs } = await stat(path);
    if (!keys || mtimeMs !== since) {
      keys = createLocalJWKSet(JSON.parse(await readFile(path, 'utf8')));
      since = mtimeMs;
    }
    return keys(header, token);
  };
}
