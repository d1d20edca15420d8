import { searchOf } from '../http/origin.js';

/**
 * The `Link` to the rest of a list (RFC 8288): the address of the request with the new offset or cursor, without the token.
 * After a POST the client sends the body again.
 */
export function nextLink(
  origin: string,
  requestUrl: string,
  next: { offset?: number; cursor?: string },
): string {
  const [path = ''] = requestUrl.split('?', 1);
  const parameters = new URLSearchParams(searchOf(requestUrl));
  parameters.delete('token');
  for (const [name, value] of Object.entries(next)) parameters.set(name, String(value));
  return `<${origin.replace(/\/$/, '')}${path.replace(/\/?$/, '/')}?${parameters}>; rel="next"`;
}
