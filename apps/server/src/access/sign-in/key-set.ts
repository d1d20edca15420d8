import { readFile, stat } from 'node:fs/promises';
import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import type { Config } from '../config.js';
import { ServiceError } from '../errors.js';
import type { Log } from '../http/service.js';

/** The largest set of keys that is read, bytes. */
const largestSet = 256 * 1024;

/** How long keys from a URL are believed, ms: a key that the provider has withdrawn signs nobody in for longer. */
const keysKept = 10 * 60_000;

/** What is wrong with the token, not with the set of keys. */
const faultsOfTokens = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
] as const;

/**
 * The public keys of an identity provider (a JSON Web Key Set, RFC 7517) by the headers of tokens, from the URL or file of
 * the settings. A key throws 503 `timeout` or `busy` when the set cannot be read, and jose's errors for a token that fits
 * none. A file is read once here: throws an Error for the operator when it holds no set.
 */
export async function openKeySet(config: Config, log: Log): Promise<JWTVerifyGetKey> {
  const { extLoginJwks } = config;
  const isUrl = /^https?:/i.test(extLoginJwks);
  if (!isUrl) await checkFile(extLoginJwks);
  const keys = isUrl ? keysAtUrl(config, log) : keysInFile(extLoginJwks, log);
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      throw faultsOfTokens.some((fault) => error instanceof fault) ? error : unavailable(error);
    }
  };
}

const unavailable = (error: unknown): ServiceError =>
  error instanceof errors.JWKSTimeout
    ? new ServiceError('timeout', 'The identity provider did not answer in time; try again')
    : new ServiceError('busy', 'The keys of the identity provider cannot be read now; try again');

/** Throws where a text is no set of keys. */
const parseSet = (text: string): JWTVerifyGetKey => createLocalJWKSet(JSON.parse(text));

/** Keys at a URL: kept, and fetched anew for a key that is not among them, but not again within the cooldown. */
function keysAtUrl(config: Config, log: Log): JWTVerifyGetKey {
  const cooldown = config.extLoginCooldown * 1000;
  let failure: unknown;
  let restUntil = 0;
  return createRemoteJWKSet(new URL(config.extLoginJwks), {
    timeoutDuration: config.extLoginTimeout,
    cooldownDuration: cooldown,
    cacheMaxAge: keysKept,
    async [customFetch](url, options) {
      if (performance.now() < restUntil) throw failure;
      try {
        return await fetchSet(url, options);
      } catch (error) {
        log.warn({ err: error }, 'the keys of the identity provider could not be fetched');
        failure = error;
        restUntil = performance.now() + cooldown;
        throw error;
      }
    },
  });
}

/** `options` bring the time limit, and that redirects are not followed. */
async function fetchSet(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The status is ${response.status}, not 200`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > largestSet) throw new Error(`The set is larger than ${largestSet} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  parseSet(text);
  return new Response(text);
}

/** Keys in a file, which is read each time: it is small, and what has been changed holds at once. */
function keysInFile(path: string, log: Log): JWTVerifyGetKey {
  let known: { text: string; keys: JWTVerifyGetKey } | undefined;
  return async (header, token) => {
    try {
      const text = await readSet(path);
      if (text !== known?.text) known = { text, keys: parseSet(text) };
    } catch (error) {
      log.warn({ err: error }, 'the keys of the identity provider could not be read');
      throw error;
    }
    return known.keys(header, token);
  };
}

async function readSet(path: string): Promise<string> {
  if ((await stat(path)).size > largestSet) throw new Error(`The file is larger than ${largestSet} bytes`);
  return readFile(path, 'utf8');
}

async function checkFile(path: string): Promise<void> {
  try {
    parseSet(await readSet(path));
  } catch (error) {
    throw new Error(`CARTULARY_EXT_LOGIN_JWKS: there are no keys in ${path}: ${(error as Error).message}`);
  }
}
