import type { Client } from '../../client.js';
import { equal, rule, status } from '../../rules.js';
import { abc, raw } from '../support.js';

/** The parts of a layer that are written with If-Match: where the ETag is read, and a write. */
const parts: [what: string, read: string, method: string, write: string, body: object][] = [
  ['a layer', '', 'PUT', '', { css_style: '#a { marker-width: 7; }' }],
  ['the columns', 'structure/', 'POST', 'structure/', { code: 'more', type: 'number' }],
  ['an object', 'objects/1/', 'PUT', 'objects/1/', { fields: { size: 9 } }],
];

const json = { accept: 'application/json' };
const tagOf = async (c: Client, path: string): Promise<string> =>
  (await raw(c, path, { headers: json })).headers.get('etag') ?? '';

for (const [what, read, method, write, body] of parts)
  rule('Requests', `If-Match / decided: ${what}`, async (c) => {
    const layer = await abc(c);
    const first = await tagOf(c, layer + read);
    equal(/^"[^"]+"$/.test(first), true, 'the answer has an ETag');
    const send = (tag: string) =>
      raw(c, layer + write, { method, body, headers: { ...json, 'if-match': tag } });
    const refused = await send('"another"');
    equal([refused.status, refused.json?.code], [412, 'changed_meanwhile'], 'another version');
    equal(refused.json?.data?.etag, first, 'the ETag of the present version');
    equal(typeof refused.json?.data?.present, 'object', 'the present version');
    status(await send(first), 200);
    equal((await tagOf(c, layer + read)) !== first, true, 'a new ETag');
  });
