import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.js';

/**
 * The origin of absolute addresses, without a slash at the end: the base address or, without one, the host of
 * the request when it is on the list of hosts. Otherwise it is empty, so that addresses are relative. The
 * header `Host` is under the client's control, and a response with it could be cached for others.
 */
export function originOf(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  { baseUrl, hosts }: Pick<Config, 'baseUrl' | 'hosts'>,
): string {
  if (baseUrl) return baseUrl;
  const asked = host.toLowerCase();
  const name = asked.replace(/:\d{1,5}$/, '');
  return hosts.split(',').some((known) => known === asked || known === name) ? `${protocol}://${asked}` : '';
}

/** The query of an address, '' without one. Only the first question mark begins it: others are part of it (RFC 3986, section 3.4). */
export function searchOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** Prefix of the names of session cookies. */
export const sessionCookieMark = 'cartulary-session-';

/**
 * Whether a browser confirms that one of our own pages sent a request, or for a read that the user typed the
 * address. A request without such headers is not accepted. Browsers omit `Sec-Fetch-Site` over http to other
 * machines and send `Origin` or `Referer` instead.
 */
export function isFromOwnPage(
  { protocol, host, method, headers }: Pick<FastifyRequest, 'protocol' | 'host' | 'method' | 'headers'>,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isReading(method));
  const said = headers.origin ?? headers.referer;
  if (said === undefined || !URL.canParse(said)) return false;
  const { origin } = new URL(said);
  return (
    origin === `${protocol}://${host.toLowerCase()}` || (baseUrl !== '' && origin === new URL(baseUrl).origin)
  );
}

/** Whether a method only reads. */
export const isReading = (method: string): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
