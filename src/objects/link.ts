/**
 * The `Link` to the rest of a list (RFC 8288): the request's own address with the next `offset`, without the token.
 * After a POST the body is sent again with it.
 */
export function nextLink(origin: string, requestUrl: string, offset: number): string {
  const [path = '', query] = requestUrl.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.delete('token');
  parameters.set('offset', String(offset));
  return `<${origin.replace(/\/$/, '')}${path.replace(/\/?$/, '/')}?${parameters}>; rel="next"`;
}
