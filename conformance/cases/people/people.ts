import { freshCode } from '../../client.js';
import { equal, rule, status } from '../../rules.js';
import { holds } from '../catalog/names.js';
import { raw } from '../support.js';

const section = 'decided: Users';

rule(section, 'POST P/users/ / as users/info/, with groups that are made', async (c) => {
  const token = await c.user();
  const { login } = (await c.send('GET', '/users/info/', undefined, token)).json;
  const body = {
    name: 'Ann',
    email: 'ann@example.org',
    groups: [`${login}_g`],
    publicAccess: true,
    guiAccess: true,
  };
  const expected = { login, password: null, ...body };
  holds((await c.send('PATCH', `/users/${login}/`, body)).json, expected);
  holds((await c.send('GET', '/users/info/', undefined, token)).json, expected);
});
rule(section, 'PATCH P/users/<login>/ / a new password replaces the old one', async (c) => {
  const token = await c.user();
  const { login } = (await c.send('GET', '/users/info/', undefined, token)).json;
  await c.send('PATCH', `/users/${login}/`, { password: 'another-password' });
  const signIn = async (password: string) =>
    (await c.send('POST', '/login/', { login, password }, '')).status;
  equal([await signIn(`pass-${login}`), await signIn('another-password')], [403, 200], 'old, new');
});
rule(section, 'PATCH P/users/<login>/ / an absent attribute keeps its value', async (c) => {
  const token = await c.user();
  const { login } = (await c.send('GET', '/users/info/', undefined, token)).json;
  await c.send('PATCH', `/users/${login}/`, { name: 'Ann', email: 'ann@example.org' });
  holds((await c.send('PATCH', `/users/${login}/`, { name: 'Bob' })).json, {
    name: 'Bob',
    email: 'ann@example.org',
  });
});
rule(section, 'DELETE P/users/<login>/ / true, and neither login nor sessions are left', async (c) => {
  const token = await c.user();
  const { login } = (await c.send('GET', '/users/info/', undefined, token)).json;
  equal((await c.send('DELETE', `/users/${login}/`)).json, true, 'answer');
  status(await c.send('GET', '/users/info/', undefined, token), 401);
  status(await c.send('POST', '/login/', { login, password: `pass-${login}` }, ''), 403);
  status(await c.send('DELETE', `/users/${login}/`), 404);
});
rule(section, 'a login that is taken is refused', async (c) => {
  const token = await c.user();
  const { login } = (await c.send('GET', '/users/info/', undefined, token)).json;
  equal(
    (await c.send('POST', '/users/', { login, password: 'another-password' })).status >= 400,
    true,
    'refused',
  );
});
for (const [method, path] of [
  ['POST', '/users/'],
  ['PATCH', '/users/nobody/'],
  ['DELETE', '/users/nobody/'],
  ['GET', '/rights/'],
  ['PUT', '/rights/'],
] as const) {
  const body =
    path === '/rights/' ? { user: 'public', right: 'none' } : { login: freshCode(), password: 'x'.repeat(9) };
  const sent = method === 'GET' || method === 'DELETE' ? undefined : body;
  rule(section, `${method} P${path} / 401 without a token, 403 for others than administrators`, async (c) => {
    status(await c.send(method, path, sent, ''), 401);
    status(await c.send(method, path, sent, await c.user({ '/rights/': 'edit' })), 403);
  });
}

const rights = 'decided: Rights';
rule(rights, 'PUT rights/ / an array of grants, to users and groups, and the list of them', async (c) => {
  const map = await c.map();
  const { login } = (await c.send('GET', '/users/info/', undefined, await c.user())).json;
  await c.send('PATCH', `/users/${login}/`, { groups: [`${login}_g`] });
  const grants = [
    { user: login, right: 'view' },
    { group: `${login}_g`, right: 'edit' },
  ];
  const list = (await c.send('PUT', `${map}rights/`, grants)).json as object[];
  for (const grant of grants)
    equal(
      list.some((one) => Object.entries(grant).every(([key, value]) => (one as never)[key] === value)),
      true,
      JSON.stringify(grant),
    );
  equal((await c.send('GET', `${map}rights/`)).json, list, 'the list that GET answers');
});
rule(rights, 'PUT rights/ / an array with an invalid grant changes nothing', async (c) => {
  const map = await c.map();
  const before = (await c.send('GET', `${map}rights/`)).json;
  const wrong = [
    { user: 'public', right: 'edit' },
    { user: 'public', right: 'everything' },
  ];
  status(await c.send('PUT', `${map}rights/`, wrong), 400);
  equal((await c.send('GET', `${map}rights/`)).json, before, 'grants');
});
rule(rights, 'edit on one layer changes its objects, not those of another, nor the map', async (c) => {
  const layer = await c.layer();
  const map = layer.replace('layers/a/', '');
  await c.make(`${map}layers/`, { code: 'b' });
  const user = await c.user({ [`${map}rights/`]: 'view', [`${layer}rights/`]: 'edit' });
  const statuses = [
    (await c.send('POST', `${layer}objects/`, { fields: {} }, user)).status,
    (await c.send('POST', `${map}layers/b/objects/`, { fields: {} }, user)).status,
    (await c.send('POST', `${map}folders/`, {}, user)).status,
    (await c.send('DELETE', map, undefined, user)).status,
  ];
  equal(statuses, [200, 403, 403, 403], 'statuses');
});
rule(rights, 'a hidden layer is left out of search', async (c) => {
  const layer = await c.layer();
  const map = layer.replace('layers/a/', '');
  await c.make(`${layer}objects/`, { fields: { title: 'secret' } });
  const found = async () => (await c.send('GET', `${map}search/?phrase=secret`, undefined, '')).json.length;
  equal(await found(), 1, 'found before');
  await c.send('PUT', `${layer}rights/`, { user: 'public', right: 'none' });
  equal(await found(), 0, 'found afterwards');
});
rule(rights, 'copy needs edit on the target, and view on the source', async (c) => {
  const [from, to] = [await c.layer(), await c.layer()];
  const { id } = await c.make(`${from}objects/`, { fields: {} });
  const body = { map_code: to.split('/')[1], layer_code: 'a' };
  const copy = async (user: string) =>
    (await c.send('POST', `${from}objects/${id}/copy/`, body, user)).status;
  const [both, viewer, blind] = [
    await c.user({ [`${from}rights/`]: 'view', [`${to}rights/`]: 'edit' }),
    await c.user({ [`${from}rights/`]: 'view', [`${to}rights/`]: 'view' }),
    await c.user({ [`${from}rights/`]: 'none', [`${to}rights/`]: 'edit' }),
  ];
  equal([await copy(both), await copy(viewer), await copy(blind)], [200, 403, 403], 'statuses');
});

rule(rights, 'publicAccess: whether a user has the rights of the public user too', async (c) => {
  const map = await c.map();
  const token = await c.user();
  const { login } = (await c.send('GET', '/users/info/', undefined, token)).json;
  const see = async () => (await c.send('GET', map, undefined, token)).status;
  const before = await see();
  await c.send('PATCH', `/users/${login}/`, { publicAccess: true });
  equal([before, await see()], [403, 200], 'without, with');
});
rule(rights, 'publication needs the right to administer the map, all else to edit it', async (c) => {
  const map = await c.map();
  const editor = await c.user({ [`${map}rights/`]: 'edit' });
  const change = async (body: object) => (await c.send('PATCH', map, body, editor)).status;
  const statuses = [
    await change({ name: 'x' }),
    await change({ publish: false }),
    await change({ has_publication: false }),
  ];
  equal(statuses, [200, 403, 403], 'statuses');
});
rule(rights, 'GET P/maps/available/ names the maps that the caller may view, no others', async (c) => {
  const [own, other] = [await c.map(), await c.map()];
  const user = await c.user({ '/rights/': 'none', [`${own}rights/`]: 'view' });
  const list = (await c.send('GET', '/maps/available/', undefined, user)).json as { code: string }[];
  const codes = list.map(({ code }) => `/${code}/`);
  equal([codes.includes(own), codes.includes(other)], [true, false], 'own, other');
});
rule(rights, 'POST {base_url}/api/2.8/ is for an administrator of the installation', async (c) => {
  const body = { code: freshCode() };
  const ask = async (token: string) => (await raw(c, '//api/2.8/', { body, token })).status;
  equal([await ask(''), await ask(await c.user({ '/rights/': 'administer' }))], [401, 403], 'statuses');
});
