import type { Client } from '../../client.js';
import { equal, rule, status } from '../../rules.js';
import { raw } from '../support.js';

const section = 'decided: Rights';

/** Creates a map with the layers `a` and `b`. */
async function place(c: Client): Promise<string> {
  const layer = await c.layer();
  const map = layer.replace('layers/a/', '');
  await c.make(`${map}layers/`, { code: 'b' });
  return map;
}
const see = (c: Client, path: string, token = ''): Promise<number> =>
  c.send('GET', path, undefined, token).then((answer) => answer.status);
const grant = (c: Client, path: string, right: string | null, user = 'public') =>
  c.send('PUT', `${path}rights/`, { user, right });

rule('Errors', 'map not published and caller not authorized / 403', async (c) => {
  const map = await c.map();
  await c.send('PATCH', map, { publish: false });
  status(await c.send('GET', map, undefined, ''), 403);
});
rule('Authentication', 'without a token a request has the rights of the public user', async (c) => {
  const map = await c.map();
  equal(
    [await see(c, map), (await grant(c, map, 'none')).status, await see(c, map)],
    [200, 200, 403],
    'statuses',
  );
});
rule('Authentication', 'with a token a request has the rights of its user', async (c) => {
  const map = await c.map();
  const user = await c.user({ [`${map}rights/`]: 'view' });
  await grant(c, map, 'none');
  equal([await see(c, map, user), await see(c, map)], [200, 403], 'statuses');
});
rule(section, 'a withdrawn map is for those with a grant of their own', async (c) => {
  const map = await c.map();
  const [own, stranger] = [await c.user({ [`${map}rights/`]: 'view' }), await c.user()];
  await c.send('PATCH', map, { publish: false });
  equal([await see(c, map, own), await see(c, map, stranger)], [200, 403], 'statuses');
});
rule(section, 'levels: view does not edit, edit does not administer', async (c) => {
  const map = await c.map();
  const [viewer, editor] = [
    await c.user({ [`${map}rights/`]: 'view' }),
    await c.user({ [`${map}rights/`]: 'edit' }),
  ];
  const statuses = [
    (await c.send('POST', `${map}layers/`, {}, viewer)).status,
    (await c.send('POST', `${map}layers/`, {}, editor)).status,
    (await c.send('GET', `${map}rights/`, undefined, editor)).status,
  ];
  equal(statuses, [403, 200, 403], 'statuses');
});
rule(section, 'the nearest grant counts: layer, then map, then project', async (c) => {
  const map = await place(c);
  const user = await c.user({
    '/rights/': 'none',
    [`${map}rights/`]: 'view',
    [`${map}layers/b/rights/`]: 'none',
  });
  equal(
    [await see(c, map, user), await see(c, `${map}layers/a/`, user), await see(c, `${map}layers/b/`, user)],
    [200, 200, 403],
    'statuses',
  );
});
rule(section, 'the highest right over the user and its groups', async (c) => {
  const map = await c.map();
  const user = await c.user();
  const { login } = (await c.send('GET', '/users/info/', undefined, user)).json;
  await c.send('PATCH', `/users/${login}/`, { groups: [`${login}_group`] });
  await c.send('PUT', `${map}rights/`, { group: `${login}_group`, right: 'edit' });
  equal((await c.send('POST', `${map}layers/`, {}, user)).status, 200, 'status');
});
rule(section, 'null takes a grant away', async (c) => {
  const map = await c.map();
  await grant(c, map, 'none');
  await grant(c, map, null);
  equal(
    (await c.send('GET', `${map}rights/`)).json.some((one: { user: string }) => one.user === 'public'),
    false,
    'listed',
  );
});
rule(section, 'a hidden layer is left out of trees and 403 where it is named', async (c) => {
  const map = await place(c);
  await grant(c, `${map}layers/b/`, 'none');
  const tree = await c.send('GET', `${map}layers/?type=full`, undefined, '');
  equal(
    tree.json.map(({ code }: { code: string }) => code),
    ['a'],
    'tree',
  );
  for (const path of [
    '',
    'structure/',
    'count/',
    'objects/?fields=*',
    'bbox/',
    'icon/',
    'export/?format=geojson',
  ])
    equal(await see(c, `${map}layers/b/${path}`), 403, path);
});
rule(section, 'a hidden layer is left out of tiles and 403 where it is named', async (c) => {
  const map = await place(c);
  const { id } = (await c.send('GET', `${map}layers/b/`)).json;
  await grant(c, `${map}layers/b/`, 'none');
  const path = `//tms/${c.target.project}${map}?z=0&x=0&y=0`;
  equal(
    [
      (await raw(c, path, { token: '' })).status,
      (await raw(c, `${path}&layers=${id}`, { token: '' })).status,
    ],
    [200, 403],
    'statuses',
  );
});
rule(section, 'GET P/rights/explain/ / the right and the grant that decides it', async (c) => {
  const map = await c.map();
  const user = await c.user({ [`${map}rights/`]: 'edit' });
  const path = `/rights/explain/?map=${map.slice(1, -1)}`;
  const { json } = await c.send('GET', path, undefined, user);
  equal([json.right, json.grant?.on, json.grant?.right], ['edit', 'map', 'edit'], 'answer');
  const { login } = (await c.send('GET', '/users/info/', undefined, user)).json;
  equal((await c.send('GET', `${path}&login=${login}`)).json.right, 'edit', 'for an administrator');
  status(await c.send('GET', `${path}&login=${c.target.login}`, undefined, user), 403);
});
rule(section, 'GET P/rights/overview/ / users, groups and grants of the project', async (c) => {
  const map = await c.map();
  const user = await c.user({ [`${map}rights/`]: 'edit' });
  const { login } = (await c.send('GET', '/users/info/', undefined, user)).json;
  const { users, grants } = (await c.send('GET', '/rights/overview/')).json;
  equal(
    users.some((one: { login: string }) => one.login === login),
    true,
    'the user',
  );
  equal(
    grants.filter((one: { user?: string }) => one.user === login),
    [{ user: login, right: 'edit', map: map.slice(1, -1) }],
    'the grant',
  );
  status(await c.send('GET', '/rights/overview/', undefined, user), 403);
});
rule(section, 'POST P/ needs edit on the project', async (c) =>
  status(await c.send('POST', '/', { code: 'never_made' }, await c.user({ '/rights/': 'view' })), 403),
);

/** Every editing function requires a token. */
const writes: [method: string, path: string][] = [
  ['POST', '/'],
  ['POST', 'publish/'],
  ['POST', 'folders/'],
  ['POST', 'layers/'],
  ['PUT', 'layers/a/'],
  ['PATCH', 'layers/a/'],
  ['DELETE', 'layers/a/'],
  ['POST', 'layers/a/refresh/'],
  ['POST', 'layers/a/structure/'],
  ['PUT', 'layers/a/structure/title/'],
  ['PATCH', 'layers/a/structure/title/'],
  ['DELETE', 'layers/a/structure/title/'],
  ['POST', 'layers/a/import/'],
  ['POST', 'layers/a/makevalid/'],
  ['POST', 'layers/a/objects/'],
  ['PUT', 'layers/a/objects/1/'],
  ['DELETE', 'layers/a/objects/1/'],
  ['DELETE', 'layers/a/objects/'],
  ['POST', 'layers/a/objects/1/copy/'],
  ['PUT', 'layers/a/objects/1/geom/'],
  ['POST', 'layers/a/objects/1/files/'],
  ['DELETE', 'layers/a/objects/1/files/1/'],
];
rule('What the service does', 'every function that edits needs a token: 401', async (c) => {
  const map = (await c.layer()).replace('layers/a/', '');
  const wrong: string[] = [];
  for (const [method, path] of writes) {
    const answer = await c.send(method, path === '/' ? path : map + path, {}, '');
    if (answer.status !== 401) wrong.push(`${method} ${path}: ${answer.status}`);
  }
  equal(wrong, [], 'without 401');
});
