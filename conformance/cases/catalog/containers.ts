import { equal, has, rule, status } from '../../rules.js';

rule('Authentication and users', 'POST P/login/ / 403 on a wrong password', async (c) =>
  status(await c.send('POST', '/login/', { login: c.target.login, password: 'not-it' }, ''), 403),
);
for (const [login, password] of [
  ['login', 'password'],
  ['user', 'pass'],
] as const)
  rule('Authentication and users', `POST P/login/ / by ${login} and ${password}`, async (c) => {
    const body = { [login]: c.target.login, [password]: c.target.password };
    equal(typeof (await c.send('POST', '/login/', body, '')).json?.token, 'string', 'type of token');
  });
rule('States', 'session active / logout destroys it and answers an empty token', async (c) => {
  const { login, password } = c.target;
  const { token } = (await c.send('POST', '/login/', { login, password }, '')).json;
  equal((await c.send('GET', `/authorized/?token=${token}`, undefined, '')).json, true, 'before');
  equal((await c.send('POST', '/logout/', undefined, token)).json, { token: '' }, 'logout');
  equal((await c.send('GET', `/authorized/?token=${token}`, undefined, '')).json, false, 'after');
});
rule('Authentication and users', 'POST P/ext-auth/ / 403 when the login does not exist', async (c) =>
  status(await c.send('POST', '/ext-auth/', { login: 'no-such-login' }), 403),
);
rule('Authentication and users', 'GET P/users/list/ / array of logins', async (c) =>
  equal((await c.send('GET', '/users/list/')).json?.includes(c.target.login), true, 'own login in the list'),
);
rule('Authentication and users', 'GET P/users/info/ / fields, password null', async (c) => {
  const { json } = await c.send('GET', '/users/info/');
  has(json, 'id login name email password groups publicAccess guiAccess');
  equal(json.password, null, 'password');
});
for (const path of ['/users/list/', '/users/info/', '/maps/available/', '/maps/public/'])
  rule('Authentication', `GET P${path} / 401 without a token`, async (c) =>
    status(await c.send('GET', path, undefined, ''), 401),
  );

rule('Maps', 'POST P/ / map object', async (c) =>
  has((await c.send('GET', await c.map())).json, 'id code name css_style group_layers has_publication'),
);
rule('Maps', 'GET P/<map>/ / the languages on request', async (c) =>
  has((await c.send('GET', `${await c.map()}?returnLanguages=1`)).json, 'id languages'),
);
rule('States', 'map publication / create map publishes it', async (c) => {
  const code = (await c.map()).slice(1, -1);
  const list = (await c.send('GET', '/maps/available/')).json as { code: string }[];
  equal(list.filter((map) => map.code === code).length, 1, 'times in the list of available maps');
});
for (const path of ['', 'layers/'])
  rule('Maps', `GET P/<map>/${path} / 404 when the map does not exist`, async (c) =>
    status(await c.send('GET', `/no_such_map/${path}`), 404),
  );
rule('Folders', 'create, get, change and delete', async (c) => {
  const map = await c.map();
  const made = await c.make(`${map}folders/`, { code: 'f', name: 'One' });
  has(made, 'id type code name sort icon selected parent_id render_type map_layer_id style_mode json');
  const body = { name: 'Two', parent_id: made.parent_id };
  equal((await c.send('PATCH', `${map}folders/f/`, body)).json?.name, 'Two', 'name');
  equal((await c.send('DELETE', `${map}folders/f/`)).json, true, 'delete');
  status(await c.send('GET', `${map}folders/f/`), 404);
});
for (const container of ['folders', 'layers'])
  rule('Errors', `POST P/<map>/${container}/ / 404 when parent_id belongs to another map`, async (c) => {
    const [map, other] = [await c.map(), await c.map()];
    const { id } = await c.make(`${other}folders/`, {});
    status(await c.send('POST', `${map}${container}/`, { parent_id: id }), 404);
  });
rule('Layers', 'GET P/<map>/layers/<layer>/ / fields', async (c) => {
  const keys = 'id type code name sort parent_id selected map_layer_id icon css_style render_type style_mode';
  has((await c.send('GET', await c.layer())).json, `${keys} render_settings json`);
});
rule('Layers', 'POST P/<map>/layers/ / 500 when css_style is not valid CartoCSS', async (c) =>
  status(await c.send('POST', `${await c.map()}layers/`, { css_style: '#a { ' }), 500),
);
rule('Layers', 'DELETE P/<map>/layers/<layer>/ / null, then 404', async (c) => {
  const layer = await c.layer();
  equal((await c.send('DELETE', layer)).json, null, 'answer');
  status(await c.send('DELETE', layer), 404);
});
rule('Layers', 'legend / 404 when the layer is not a visualization', async (c) =>
  status(await c.send('GET', `${await c.layer()}legend/`), 404),
);
rule('Layers', 'refresh / 500 when the layer is not materialized', async (c) =>
  status(await c.send('POST', `${await c.layer()}refresh/`), 500),
);
rule('Layers', 'bbox / 404 when the container is a folder', async (c) => {
  const map = await c.map();
  await c.make(`${map}folders/`, { code: 'f' });
  status(await c.send('GET', `${map}layers/f/bbox/`), 404);
});
rule('Errors', 'project code does not exist / 500', async (c) =>
  status(await c.send('GET', '/../no_such_project/some_map/', undefined, ''), 500),
);
