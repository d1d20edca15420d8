import type { Answer, Sent } from '../client.js';
import type { Operation } from './operation.js';

const inside =
  /\b(?:select|insert into|delete from|update \w+ set)\s+[\w".]+|cartulary_data|cartulary\.\w|node_modules|\/src\/|\.js:\d+|\bat \w+ \(|SQLSTATE|syntax error at|pg_catalog|\/work\/|\/tmp\/|\/home\//i;

/** A status or media type that the document does not declare for the operation. */
export function undeclared({ status, type, bytes }: Answer, { responses }: Operation): string | undefined {
  const declared = responses[status];
  if (!declared) return `the status ${status} is not declared`;
  const types = Object.keys(declared.content ?? {});
  const [own = ''] = type.split(';');
  const isDeclared = !bytes.length || !types.length || types.includes(own) || types.includes('*/*');
  return isDeclared ? undefined : `the media type ${own} is not declared`;
}

/** The fault in a response; undefined without one. */
export function faultOf({ status, text, type }: Answer, sent: Sent): string | undefined {
  if (status < 400) return undefined;
  if (/"code":\s*"internal"|<code>internal</.test(text)) return 'internal';
  if (status >= 500 && status !== 503 && sent.method !== 'HEAD' && codeOf({ status, text }) === undefined)
    return `${status} without a code`;
  const [told] = (type.startsWith('image/') ? null : inside.exec(text)) ?? [];
  // Errors of users' queries contain the parser's message.
  const isOfQuery =
    /"code":\s*"query_invalid"|<code>query_invalid/.test(text) && /^syntax error at$/i.test(told ?? '');
  if (told !== undefined && !isOfQuery && !textSent(sent).includes(told))
    return `the answer tells of the inside: ${told}`;
  return undefined;
}

/** Text of the request, which an error may repeat. */
function textSent({ path, body = '' }: Sent): string {
  const sent = Buffer.from(body as Uint8Array | string).toString();
  // A path with wrong escapes cannot be decoded whole; what a fault looks like is ASCII.
  return (
    path.replace(/%([0-7][0-9a-f])/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16))) + sent
  );
}

/** The error code in a JSON or HTML response. */
export const codeOf = ({ status, text }: Pick<Answer, 'status' | 'text'>): string | undefined =>
  status < 400 ? undefined : (/"code":\s*"(\w+)"/.exec(text)?.[1] ?? /<code>(\w+)</.exec(text)?.[1]);
