import type { Answer, Sent } from '../client.js';
import type { Operation } from './valid.js';

const inside =
  /\b(?:select|insert into|delete from|update \w+ set)\s+[\w".]+|cartulary_data|cartulary\.\w|node_modules|\/src\/|\.js:\d+|\bat \w+ \(|SQLSTATE|syntax error at|pg_catalog|\/work\/|\/tmp\/|\/home\//i;

/** What the document does not say of the answers of a function: a status, or a media type. */
export function undeclared({ status, type, bytes }: Answer, { responses }: Operation): string | undefined {
  const declared = responses[status];
  if (!declared) return `the status ${status} is not declared`;
  const types = Object.keys(declared.content ?? {});
  const [own = ''] = type.split(';');
  const isDeclared = !bytes.length || !types.length || types.includes(own) || types.includes('*/*');
  return isDeclared ? undefined : `the media type ${own} is not declared`;
}

/** What is wrong with an answer to what was sent, if anything is. */
export function faultOf({ status, text, type }: Answer, sent: Sent): string | undefined {
  if (status < 400) return undefined;
  if (/"code":\s*"internal"|<code>internal</.test(text)) return 'internal';
  if (status >= 500 && status !== 503 && sent.method !== 'HEAD' && codeOf({ status, text }) === undefined)
    return `${status} without a code`;
  const [told] = (type.startsWith('image/') ? null : inside.exec(text)) ?? [];
  // Who writes a query is told what the parser says of it.
  const isOfQuery =
    /"code":\s*"query_invalid"|<code>query_invalid/.test(text) && /^syntax error at$/i.test(told ?? '');
  if (told !== undefined && !isOfQuery && !textSent(sent).includes(told))
    return `the answer tells of the inside: ${told}`;
  return undefined;
}

/** An error may repeat what the caller has sent. */
function textSent({ path, body = '' }: Sent): string {
  const sent = Buffer.from(body as Uint8Array | string).toString();
  try {
    return decodeURIComponent(path) + sent;
  } catch {
    return path + sent;
  }
}

/** The code of an error, in JSON or on a page. */
export const codeOf = ({ status, text }: Pick<Answer, 'status' | 'text'>): string | undefined =>
  status < 400 ? undefined : (/"code":\s*"(\w+)"/.exec(text)?.[1] ?? /<code>(\w+)</.exec(text)?.[1]);
