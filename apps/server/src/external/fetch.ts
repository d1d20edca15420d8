/** Fetches pictures of other servers: from allowed hosts at public addresses, within limits. */
import { type LookupAddress, lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { hostOf, isPublicAddress, type Policy } from './policy.js';

/** The reason of a failed request, for the log. */
export class FetchError extends Error {}
/** The server did not answer. */
export class SilenceError extends FetchError {}

export interface FetchLimits {
  /** Timeout of the whole request, ms. */
  time: number;
  bytes: number;
}

export interface Fetched {
  status: number;
  bytes: Buffer;
  /** How long it may be cached, ms; undefined when the server does not say. */
  freshness: number | undefined;
}

const agents = {
  'http:': new http.Agent({ keepAlive: true, maxSockets: 8, timeout: 30_000 }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: 8, timeout: 30_000 }),
} as const;

/**
 * Sends one GET. The name is resolved once, and the connection goes to the checked address. Redirects are not
 * followed. Rejects with `FetchError`, or with the reason of the signal.
 */
export async function fetchPicture(
  url: URL,
  { policy, limits }: { policy: Policy; limits: FetchLimits },
  signal: AbortSignal,
): Promise<Fetched> {
  if (!policy.allows(url)) throw new FetchError(`the host ${url.host} is not on the list`);
  const mayBePrivate = policy.mayBePrivate(url);
  const host = hostOf(url);
  if (isIP(host) && !mayBePrivate && !isPublicAddress(host)) throw new FetchError(`${host} is not public`);
  const late = AbortSignal.timeout(limits.time);
  const options: https.RequestOptions = {
    agent: agents[url.protocol as 'http:' | 'https:'],
    lookup: judging(mayBePrivate),
    signal: AbortSignal.any([late, signal]),
    headers: { accept: 'image/png,image/webp,image/jpeg,image/*;q=0.5', 'user-agent': 'Cartulary' },
  };
  try {
    const answer = await get(url, options);
    const bytes = await readAll(answer, limits.bytes);
    return { status: answer.statusCode ?? 0, bytes, freshness: freshnessOf(answer.headers) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (late.aborted) throw new SilenceError(`no whole answer within ${limits.time} ms`);
    throw error instanceof FetchError ? error : new SilenceError((error as Error).message);
  }
}

/** Resolves names to public addresses only, unless private ones are allowed. */
const judging =
  (mayBePrivate: boolean): LookupFunction =>
  (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return done(error, '');
      const wrong = addresses.find(({ address }) => !mayBePrivate && !isPublicAddress(address));
      if (wrong || !addresses.length)
        return done(new FetchError(`${hostname} does not lie at a public address`), '');
      if (options.all) return done(null, addresses);
      done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };

const get = (url: URL, options: https.RequestOptions): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? https.get : http.get;
    send(url, options, resolve).once('error', reject);
  });

async function readAll(answer: http.IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) {
      answer.destroy();
      throw new FetchError(`the answer has more than ${most} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** How long a shared cache may keep a response, ms (RFC 9111, 4.2.1 and 5.2.2); 0: not at all. */
export function freshnessOf(headers: http.IncomingHttpHeaders, now = Date.now()): number | undefined {
  const control = String(headers['cache-control'] ?? '').toLowerCase();
  if (/\b(no-store|no-cache|private)\b/.test(control)) return 0;
  const [, seconds] = /\bs-maxage="?(\d+)/.exec(control) ?? /\bmax-age="?(\d+)/.exec(control) ?? [];
  const age = Number(headers.age ?? 0) || 0;
  if (seconds !== undefined) return Math.max(0, Number(seconds) - age) * 1000;
  if (headers.expires === undefined) return undefined;
  return Math.max(0, (Date.parse(headers.expires) || 0) - now);
}
