import type { Client } from '../../client.js';
import { equal, rule } from '../../rules.js';
import { type Raw, raw } from '../support.js';

type Ask = (c: Client, headers: Record<string, string>) => Promise<Raw>;
/** A request below the project, and one below a new layer. */
const at =
  (path: string, sent: { method?: string; body?: unknown; token?: string } = {}): Ask =>
  (c, headers) =>
    raw(c, path, { ...sent, headers });
const below =
  (path: string, sent: { method?: string; body?: unknown; token?: string } = {}): Ask =>
  async (c, headers) =>
    raw(c, (await c.layer()) + path, { ...sent, headers });

const codes: [code: string, status: number, ask: Ask][] = [
  [
    'project_not_found',
    500,
    (c, headers) => raw(c, '//api/2.8/no_such_project/some_map/', { headers, token: '' }),
  ],
  ['map_not_found', 404, at('/no_such_map/')],
  ['container_not_found', 404, below('../../folders/none/')],
  ['layer_not_found', 404, below('../none/')],
  ['column_not_found', 404, below('structure/none/', { method: 'DELETE' })],
  ['object_not_found', 404, below('objects/999/geom/')],
  ['file_not_found', 404, at('/files/00000000-0000-4000-8000-000000000000/')],
  ['not_authenticated', 401, at('/users/info/', { token: '' })],
  ['login_failed', 403, at('/login/', { body: { login: 'no-such-login', password: 'x' }, token: '' })],
  ['bad_request', 400, below('objects/?fields=none')],
  ['required_missing', 500, below('structure/', { body: { type: 'string' } })],
  ['type_missing', 500, below('structure/', { body: { code: 'x' } })],
  ['code_taken', 500, below('../', { body: { code: 'a' } })],
  ['code_invalid', 500, below('../', { body: { code: 'a b' } })],
  ['code_reserved', 500, at('/', { body: { code: 'maps' } })],
  ['style_invalid', 500, below('', { method: 'PATCH', body: { css_style: '#a {' } })],
  ['format_invalid', 500, below('export/?format=nonsense')],
  ['filter_column_not_selected', 500, below('objects/?fields=title&fcode=size&fval=1')],
  ['value_invalid', 500, below('objects/', { body: { fields: { size: 'many' } } })],
  ['import_failed', 500, below('import/', { body: { type: 'FeatureCollection', features: 5 } })],
  ['not_materialized', 500, below('refresh/', { method: 'POST' })],
  ['method_not_allowed', 405, below('count/', { method: 'DELETE' })],
  [
    'forbidden',
    403,
    async (c, headers) => {
      const token = await c.user({ '/rights/': 'view' });
      return await raw(c, `${await c.map()}layers/`, { token, body: {}, headers });
    },
  ],
  [
    'constraint_violated',
    500,
    async (c, headers) => {
      const layer = await c.layer();
      await c.make(`${layer}constraints/`, { type: 'check', columns: ['title'], definition: ['a'] });
      return await raw(c, `${layer}objects/`, { body: { fields: { title: 'b' } }, headers });
    },
  ],
];
for (const [code, status, ask] of codes)
  rule(
    'Errors',
    `decided: ${status} ${code}, as the error object for a client that asks for JSON`,
    async (c) => {
      const answer = await ask(c, { accept: 'application/json' });
      equal([answer.status, answer.json?.error, answer.json?.code], [status, 'error', code], 'answer');
      equal([typeof answer.json.message, typeof answer.json.data], ['string', 'object'], 'message and data');
      equal(
        /select |insert |\bat .*:\d+:\d+|\/node_modules\//i.test(answer.text),
        false,
        `what is inside is shown: ${answer.text}`,
      );
    },
  );
for (const accept of ['text/html', 'application/json, text/html', '*/*'])
  rule('Errors', `decided: 404 with Accept: ${accept} is HTML`, async (c) => {
    const answer = await raw(c, '/no_such_map/', { headers: { accept } });
    equal([answer.status, answer.type.includes('html')], [404, true], 'status, HTML');
  });
for (const accept of ['text/html', '*/*'])
  rule('Errors', `500 with Accept: ${accept} is the JSON error object`, async (c) => {
    const answer = await raw(c, `${await c.layer()}structure/`, { body: { code: 'x' }, headers: { accept } });
    equal([answer.status, answer.json?.code], [500, 'type_missing'], 'status, code');
  });
rule('Errors', 'decided: more than 10 failures to sign in are 429 with Retry-After', async (c) => {
  const token = await c.user();
  const { login } = (await c.send('GET', '/users/info/', undefined, token)).json;
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 10; attempt++)
    statuses.push((await c.send('POST', '/login/', { login, password: 'wrong' }, '')).status);
  equal(statuses, Array(10).fill(403), 'statuses of the first ten');
  const answer = await raw(c, '/login/', { body: { login, password: 'wrong' }, token: '' });
  equal([answer.status, Number(answer.headers.get('retry-after')) > 0], [429, true], 'status, Retry-After');
  equal(
    (await c.send('GET', '/users/info/', undefined, token)).status,
    200,
    'with the session that there is',
  );
});

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
const emptyBodies: [what: string, sent: { body?: string; headers?: Record<string, string> }][] = [
  ['no body', {}],
  ['no body, said to be JSON', { body: '', headers: { 'content-type': 'application/json' } }],
  ['an empty form', { body: '', headers: urlencoded }],
];
const optional: [method: string, path: string][] = [
  ['POST', 'layers/'],
  ['POST', 'folders/'],
  ['PUT', 'layers/a/'],
  ['PATCH', 'layers/a/'],
  ['POST', 'layers/a/makevalid/'],
  ['POST', 'layers/a/filter/'],
];
for (const [method, path] of optional)
  for (const [what, sent] of emptyBodies)
    rule('Requests', `decided: ${method} P/<map>/${path} with ${what} is like {}`, async (c) => {
      const map = (await c.layer()).replace('layers/a/', '');
      const answer = await raw(c, map + path, { method, ...sent });
      equal([answer.status, answer.status === 200 || answer.text], [200, true], 'status');
    });

const session = async (c: Client): Promise<string> =>
  (await c.make('/login/', { login: c.target.login, password: c.target.password })).token;
rule('Authentication', 'decided: the token in a field of a form', async (c) => {
  const layer = await c.layer();
  await c.make(`${layer}objects/`, { fields: { title: 'x' } });
  await c.send('PATCH', layer.replace('layers/a/', ''), { publish: false });
  const filter = async (token: string) =>
    (await raw(c, `${layer}filter/`, { body: `fields=title${token}`, headers: urlencoded, token: '' }))
      .status;
  equal([await filter(''), await filter(`&token=${await session(c)}`)], [403, 200], 'without, with');
});
rule('Authentication', 'decided: the token in a field of a multipart form', async (c) => {
  const layer = await c.layer();
  await c.make(`${layer}structure/`, { code: 'docs', type: 'file' });
  const { id } = await c.make(`${layer}objects/`, { fields: {} });
  const body = new FormData();
  body.set('token', await session(c));
  body.set('field', 'docs');
  body.set('file', new Blob(['hello']), 'a.txt');
  equal((await raw(c, `${layer}objects/${id}/files/`, { body, token: '' })).status, 200, 'status');
});
for (const [what, body, headers] of [
  ['a form', (token: string) => `token=${token}`, urlencoded],
  ['a JSON body', (token: string) => JSON.stringify({ token }), { 'content-type': 'application/json' }],
] as const)
  rule('Authentication', `decided: POST P/logout/ with the token in ${what}`, async (c) => {
    const token = await session(c);
    const answer = await raw(c, '/logout/', { body: body(token), headers, token: '' });
    equal([answer.status, answer.json], [200, { token: '' }], 'answer');
    equal((await c.send('GET', '/users/info/', undefined, token)).status, 401, 'status afterwards');
  });
rule('Authentication', 'decided: the token of Authorization goes before X-Token', async (c) => {
  const headers = { authorization: `Bearer ${await session(c)}`, 'x-token': 'unknown' };
  equal((await raw(c, '/users/info/', { token: '', headers })).status, 200, 'status');
});
