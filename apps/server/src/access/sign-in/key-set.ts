import { readFile, stat } from 'node:fs/promises';
import { ServiceError } from '@cartulary/errors';
import { accessProblem, type Log } from '@cartulary/runtime';
import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import type { Config } from '../../config.js';

/** Largest key set, bytes. */
const maxSetBytes = 256 * 1024;

/** How long keys from a URL are cached: the longest time that a withdrawn key is accepted. */
const keyCacheMs = 10 * 60_000;

/** Errors about the token rather than about the key set. */
const faultsOfTokens = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
] as const;

/**
 * The public keys of an identity provider (a JSON Web Key Set, RFC 7517), selected by the headers of tokens.
 * They come from the URL or the file of the settings. The selection throws 503 `timeout` or `busy` when the
 * set cannot be read, and jose's errors for a token that no key fits. A file is checked here once: throws an
 * Error for the operator when it holds no key set.
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

/** Throws unless the text is a key set. */
const parseSet = (text: string): JWTVerifyGetKey => createLocalJWKSet(JSON.parse(text));

/** Keys at a URL, cached. A token with an unknown key causes another fetch, but not within the cooldown. */
function keysAtUrl(config: Config, log: Log): JWTVerifyGetKey {
  const cooldown = config.extLoginCooldownS * 1000;
  let failure: unknown;
  let restUntil = 0;
  return createRemoteJWKSet(new URL(config.extLoginJwks), {
    timeoutDuration: config.extLoginTimeoutMs,
    cooldownDuration: cooldown,
    cacheMaxAge: keyCacheMs,
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

/** `options` set the timeout and forbid redirects. */
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
    if (size > maxSetBytes) throw new Error(`The set is larger than ${maxSetBytes} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  parseSet(text);
  return new Response(text);
}

/** Keys in a file. The file is read for each token, so that a change takes effect at once; it is small. */
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
  if ((await stat(path)).size > maxSetBytes) throw new Error(`The file is larger than ${maxSetBytes} bytes`);
  return readFile(path, 'utf8');
}

async function checkFile(path: string): Promise<void> {
  try {
    parseSet(await readSet(path));
  } catch (error) {
    throw new Error(
      `CARTULARY_EXT_LOGIN_JWKS: there are no keys in ${path}: ${accessProblem(error, 'file')}`,
    );
  }
}
