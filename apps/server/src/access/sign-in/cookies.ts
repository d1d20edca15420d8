/**
 * Session cookies of the pages: one for each project. The value is the token of a session of the kind
 * `console`.
 */
import { timingSafeEqual } from 'node:crypto';
import { digestOf } from '@cartulary/runtime';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.js';
import { sessionCookieMark } from '../../http/origin.js';
import { basePath } from '../../http/params.js';
import { isProjectCode } from '../users/projects.js';

type Asked = Pick<FastifyRequest, 'headers' | 'protocol'>;
type Place = Pick<Config, 'baseUrl'>;

/** Further session cookies are ignored. */
const maxProjects = 20;

/** Whether browsers reach the service by https only. */
const isSecure = ({ protocol }: Asked, { baseUrl }: Place): boolean =>
  protocol === 'https' || baseUrl.startsWith('https:');

/**
 * The prefix of a cookie name. Browsers enforce it: no other host and no plain http response can set a cookie
 * with such a name.
 */
function prefixOf(request: Asked, config: Place): string {
  if (!isSecure(request, config)) return sessionCookieMark;
  return `${basePath(config.baseUrl) ? '__Secure-' : '__Host-'}${sessionCookieMark}`;
}

/** The tokens of the browser's sessions, by project. */
export function tokensInCookies(request: Asked, config: Place): Map<string, string> {
  const prefix = prefixOf(request, config);
  const tokens = new Map<string, string>();
  for (const cookie of (request.headers.cookie ?? '').split(';')) {
    const at = cookie.indexOf('=');
    const name = cookie.slice(0, Math.max(0, at)).trim();
    const project = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    const value = cookie.slice(at + 1).trim();
    // Browsers send the cookie of the most specific path first.
    if (isProjectCode(project) && /^[\w-]{20,200}$/.test(value) && !tokens.has(project))
      tokens.set(project, value);
    if (tokens.size === maxProjects) break;
  }
  return tokens;
}

/**
 * `Set-Cookie` of a session; an empty token removes the cookie. The cookie ends with the browser, if the
 * session does not end earlier.
 */
export function sessionCookie(
  request: Asked,
  config: Place,
  session: { project: string; token: string },
): string {
  const parts = [
    `${prefixOf(request, config)}${session.project}=${session.token}`,
    `Path=${basePath(config.baseUrl) || '/'}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  if (isSecure(request, config)) parts.push('Secure');
  if (!session.token) parts.push('Max-Age=0');
  return parts.join('; ');
}

/** The value of the header `X-CSRF-Token`, which only our own pages can know. */
export const csrfTokenOf = (token: string): string => digestOf(`csrf ${token}`);

/** Whether a request carries the CSRF token of a session. */
export function hasCsrfToken({ headers }: Pick<FastifyRequest, 'headers'>, token: string): boolean {
  const [sent, expected] = [
    Buffer.from(String(headers['x-csrf-token'] ?? '')),
    Buffer.from(csrfTokenOf(token)),
  ];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
