import type { Client } from '../../client.js';
import { equal, has, rule, status } from '../../rules.js';
import { raw } from '../support.js';

const section = 'Authentication and users';

async function session(c: Client): Promise<string> {
  const { login, password } = c.target;
  return (await c.send('POST', '/login/', { login, password }, '')).json.token;
}
const isAuthorized = async (c: Client, token: string): Promise<unknown> =>
  (await c.send('GET', `/authorized/?token=${token}`, undefined, '')).json;

const places: Record<string, (login: string, password: string) => [query: string, body: unknown]> = {
  'the query': (login, password) => [`?login=${login}&password=${encodeURIComponent(password)}`, undefined],
  'a JSON body': (login, password) => ['', { login, password }],
  'a multipart form': (login, password) => {
    const body = new FormData();
    body.set('login', login);
    body.set('password', password);
    return ['', body];
  },
};
for (const [place, make] of Object.entries(places))
  rule(section, `decided: POST P/login/ / parameters in ${place}`, async (c) => {
    const [query, body] = make(c.target.login, c.target.password);
    const answer = await raw(c, `/login/${query}`, { method: 'POST', body, token: '' });
    equal(typeof answer.json?.token, 'string', 'type of token');
  });
rule(section, 'decided: POST P/login/ / parameters in a form', async (c) => {
  const { login, password } = c.target;
  const answer = await raw(c, '/login/', {
    method: 'POST',
    token: '',
    body: new URLSearchParams({ login, password }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  equal(typeof answer.json?.token, 'string', 'type of token');
});
rule(section, 'POST P/login/ / 403 for a login that does not exist', async (c) =>
  status(await c.send('POST', '/login/', { login: 'no-such-login', password: 'x' }, ''), 403),
);
for (const missing of ['login', 'password'])
  rule(section, `POST P/login/ / ${missing} is required`, async (c) => {
    const { login, password } = c.target;
    const body = missing === 'login' ? { password } : { login };
    const answer = await c.send('POST', '/login/', body, '');
    equal(answer.status >= 400, true, `status ${answer.status} of an incomplete login`);
  });

rule(section, 'POST P/ext-login/ / token is required', async (c) =>
  equal((await c.send('POST', '/ext-login/', {}, '')).status >= 400, true, 'refused'),
);
rule(section, 'POST P/ext-login/ / no session for an invalid token', async (c) =>
  status(await c.send('POST', '/ext-login/', { token: 'not.a.token' }, ''), 403),
);
rule(section, 'POST P/ext-auth/ / a token of the user that login names', async (c) => {
  const own = await c.user();
  const { login } = (await c.send('GET', '/users/info/', undefined, own)).json;
  const { token } = await c.make('/ext-auth/', { login });
  equal((await c.send('GET', '/users/info/', undefined, token)).json?.login, login, 'login of the token');
});
rule(section, 'POST P/ext-auth/ / 403 without edit rights on the catalog', async (c) =>
  status(
    await c.send('POST', '/ext-auth/', { login: c.target.login }, await c.user({ '/rights/': 'view' })),
    403,
  ),
);
rule(section, 'POST P/ext-auth/ / 401 without a token', async (c) =>
  status(await c.send('POST', '/ext-auth/', { login: c.target.login }, ''), 401),
);

rule(section, 'GET P/authorized/ / true with a token', async (c) =>
  equal(await isAuthorized(c, await session(c)), true, 'authorized'),
);
rule(section, 'GET P/authorized/ / false with an unknown token', async (c) =>
  equal(await isAuthorized(c, 'unknown'), false, 'authorized'),
);
rule(section, 'GET P/authorized/ / false without a token', async (c) =>
  equal((await c.send('GET', '/authorized/', undefined, '')).json, false, 'authorized'),
);
rule(section, 'decided: POST P/logout/ / an unknown token answers the empty token', async (c) =>
  equal((await c.send('POST', '/logout/?token=unknown', {}, '')).json, { token: '' }, 'answer'),
);
rule('States', 'session destroyed / its token is 401 everywhere', async (c) => {
  const token = await session(c);
  await c.send('POST', '/logout/', { token }, '');
  for (const path of ['/users/info/', '/maps/available/'])
    status(await c.send('GET', path, undefined, token), 401);
});

rule(section, 'GET P/users/list/ / 403 for others than administrators', async (c) =>
  status(await c.send('GET', '/users/list/', undefined, await c.user({ '/rights/': 'edit' })), 403),
);
rule(section, 'GET P/users/list/ / strings', async (c) =>
  equal(
    (await c.send('GET', '/users/list/')).json.every((login: unknown) => typeof login === 'string'),
    true,
    'all strings',
  ),
);
rule(section, 'GET P/users/info/ / returns the owner of the token', async (c) => {
  const { json } = await c.send('GET', '/users/info/', undefined, await c.user());
  has(json, 'id login name email password groups publicAccess guiAccess');
  equal(
    [typeof json.id, typeof json.name, json.password, json.groups, json.publicAccess, typeof json.guiAccess],
    ['number', 'string', null, [], false, 'boolean'],
    'values',
  );
});
rule(section, 'GET P/maps/public/ / 403 for others than administrators', async (c) =>
  status(await c.send('GET', '/maps/public/', undefined, await c.user({ '/rights/': 'edit' })), 403),
);

const tokenPlaces: Record<string, (token: string) => [query: string, headers: Record<string, string>]> = {
  'the query': (token) => [`?token=${token}`, {}],
  Authorization: (token) => ['', { authorization: `Bearer ${token}` }],
  'X-Token': (token) => ['', { 'x-token': token }],
};
for (const [place, put] of Object.entries(tokenPlaces))
  rule('Authentication', `decided: the token in ${place}`, async (c) => {
    const [query, headers] = put(await session(c));
    equal((await raw(c, `/users/info/${query}`, { token: '', headers })).status, 200, 'status');
  });
rule('Authentication', 'decided: the token of the query goes before that of a header', async (c) => {
  const headers = { authorization: 'Bearer unknown' };
  equal(
    (await raw(c, `/users/info/?token=${await session(c)}`, { token: '', headers })).status,
    200,
    'status',
  );
});
rule('Authentication', 'decided: an unknown token is 401 where none is needed too', async (c) =>
  status(await c.send('GET', await c.map(), undefined, 'unknown'), 401),
);
