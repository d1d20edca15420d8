import { freshCode } from '../../client.js';
import { equal, has, rule, status } from '../../rules.js';
import { type Body, holds, refuses } from './names.js';

const itemKeys =
  'id type parent code parent_map sort show_pub css_style localized_name name names access json comment listDepended table_id ' +
  'style_mode render_settings publish group_layers has_publication locales';
const kinds: Record<string, string> = {
  id: 'number',
  code: 'string',
  name: 'string',
  css_style: 'string',
  group_layers: 'number',
  has_publication: 'boolean',
};

for (const [key, kind] of Object.entries(kinds))
  rule('Maps', `map object / ${key} is of the kind ${kind}`, async (c) =>
    equal(typeof (await c.send('GET', await c.map())).json?.[key], kind, 'kind'),
  );
rule('Maps', 'POST P/ / name is left empty and css_style is a default when absent', async (c) => {
  const { name, css_style } = (await c.send('GET', await c.map())).json;
  equal([name, css_style.length > 0], ['', true], 'name, whether there is a style');
});
rule('Maps', 'POST P/ / name, css_style', async (c) => {
  const map = await c.map();
  await c.send('DELETE', map);
  const body = { code: map.slice(1, -1), name: 'Rivers', css_style: 'Map { background-color: #fff; }' };
  holds(await c.make('/', body), body);
});
rule('Maps', 'decided: a new map has the languages of the project', async (c) => {
  const map = await c.map();
  const list = (await c.send('GET', '/maps/public/')).json as Body[];
  const locales = list.find(({ code }) => `/${code}/` === map)!.locales as Body[];
  equal(locales.length > 0, true, 'has locales');
});
for (const [key, value] of Object.entries({
  name: 'Rivers',
  css_style: 'Map { background-color: #fff; }',
  group_layers: 1,
  has_publication: false,
}))
  rule('Maps', `decided: PATCH P/<map>/ changes ${key}`, async (c) => {
    const map = await c.map();
    holds((await c.send('PATCH', map, { [key]: value })).json, { [key]: value });
    holds((await c.send('GET', map)).json, { [key]: value });
  });
for (const [key, value] of Object.entries({
  publish: true,
  json: { cartocss_mode: 'on' },
  comment: 'For walkers',
  sort: 3,
}))
  rule('Maps', `decided: PATCH P/<map>/ changes ${key}, shown in the published-maps list`, async (c) => {
    const map = await c.map();
    status(await c.send('PATCH', map, { [key]: value }), 200);
    const list = (await c.send('GET', '/maps/public/')).json as Body[];
    holds(
      list.find(({ code }) => `/${code}/` === map),
      { [key]: value },
    );
  });
rule('Maps', 'decided: PATCH P/<map>/ keeps what is absent', async (c) => {
  const map = await c.map();
  await c.send('PATCH', map, { name: 'Rivers' });
  holds((await c.send('PATCH', map, { group_layers: 1 })).json, { name: 'Rivers' });
});
rule('Maps', 'decided: PATCH P/<map>/ changes code', async (c) => {
  const [map, code] = [await c.map(), freshCode()];
  holds((await c.send('PATCH', map, { code })).json, { code });
  status(await c.send('GET', map), 404);
  equal((await c.send('DELETE', `/${code}/`)).json, true, 'delete by the new code');
});
rule('Maps', 'decided: DELETE P/<map>/ answers true, then 404', async (c) => {
  const map = await c.map();
  equal((await c.send('DELETE', map)).json, true, 'answer');
  status(await c.send('DELETE', map), 404);
});
rule(
  'Maps',
  'decided: the name of a map in the language of lng, else the main language, else any',
  async (c) => {
    const map = await c.map();
    const set = (name: Body) => c.send('PATCH', map, { localized_name: true, name });
    await set({ en: 'River', ru: 'Река' });
    const name = async (lng: string) => (await c.send('GET', `${map}?lng=${lng}`)).json.name;
    equal([await name('ru'), await name('en'), await name('fr')], ['Река', 'River', 'River'], 'names');
  },
);

for (const key of itemKeys.split(' '))
  rule('Maps', `GET P/maps/public/ / an item has ${key}`, async (c) => {
    const map = await c.map();
    const list = (await c.send('GET', '/maps/public/')).json as Body[];
    has(
      list.find(({ code }) => `/${code}/` === map),
      key,
    );
  });
rule('Maps', 'decided: type, parent_map, access, table_id, listDepended of a published map', async (c) => {
  const code = (await c.map()).slice(1, -1);
  const list = (await c.send('GET', '/maps/public/')).json as Body[];
  const expected = { type: 'map', parent_map: code, access: 3, table_id: 0, listDepended: [] };
  holds(
    list.find((map) => map.code === code),
    { ...expected, publish: true, has_publication: true },
  );
});
rule('Maps', 'GET P/maps/public/ / names: objects, each a language code to a name', async (c) => {
  const map = await c.map();
  await c.send('PATCH', map, { localized_name: true, name: { en: 'River', ru: 'Река' } });
  const list = (await c.send('GET', '/maps/public/')).json as Body[];
  const { names, localized_name } = list.find(({ code }) => `/${code}/` === map)!;
  equal([names, localized_name], [[{ en: 'River' }, { ru: 'Река' }], true], 'names, localized_name');
});
rule('Maps', 'GET P/maps/public/ / locales: id, code, name, sort, container', async (c) => {
  const map = await c.map();
  const locales = [
    { code: 'en', name: 'English' },
    { code: 'ru', name: 'Русский' },
  ];
  status(await c.send('PATCH', map, { locales }), 200);
  const list = (await c.send('GET', '/maps/public/')).json as Body[];
  const item = list.find(({ code }) => `/${code}/` === map)!;
  const shown = item.locales as Body[];
  for (const locale of shown) has(locale, 'id code name sort container');
  equal(
    shown.map(({ code, name, container }) => [code, name, container]),
    [
      ['en', 'English', item.id],
      ['ru', 'Русский', item.id],
    ],
    'locales',
  );
});
rule('Maps', 'decided: GET P/maps/ lists the maps that the caller may view, with rights', async (c) => {
  const map = await c.map();
  const { id, has_publication } = (await c.send('GET', map)).json;
  const list = (await c.send('GET', '/maps/')).json as Body[];
  const item = list.find((one) => one.id === id);
  equal(
    [item?.code, item?.access, item?.has_publication, item?.layers],
    [map.slice(1, -1), 3, has_publication, 0],
    'item',
  );
});
rule('Maps', 'GET P/maps/available/ / objects with id and code', async (c) => {
  const map = await c.map();
  const { id } = (await c.send('GET', map)).json;
  const list = (await c.send('GET', '/maps/available/')).json as Body[];
  equal(
    list.find((one) => one.id === id),
    { id, code: map.slice(1, -1) },
    'item',
  );
});
rule('Maps', 'decided: a map that the public may not view is not in the published-maps list', async (c) => {
  const map = await c.map();
  await c.send('PATCH', map, { has_publication: false });
  const list = (await c.send('GET', '/maps/public/')).json as Body[];
  equal(
    list.some(({ code }) => `/${code}/` === map),
    false,
    'in the list',
  );
});
rule('States', 'map publication / a created map is open to the public user', async (c) => {
  const answer = await c.send('GET', await c.map(), undefined, '');
  status(answer, 200);
  equal(answer.json.has_publication, true, 'has_publication');
});
rule('States', 'map publication / the public user draws tiles of a created map', async (c) => {
  const map = await c.map();
  const tile = `/../../../tms/${c.target.project}${map}?z=0&x=0&y=0`;
  const answer = await c.send('GET', tile, undefined, '');
  equal([answer.status, answer.type], [200, 'image/png'], 'status and type');
});

refuses('Maps', [
  ['POST P/ / 401 without a token', 401, (c) => c.send('POST', '/', { code: freshCode() }, '')],
  ['PATCH P/<map>/ / 401 without a token', 401, async (c) => c.send('PATCH', await c.map(), {}, '')],
  ['DELETE P/<map>/ / 401 without a token', 401, async (c) => c.send('DELETE', await c.map(), undefined, '')],
  ['POST P/ / code is required', 500, (c) => c.send('POST', '/', { name: 'x' })],
  [
    'POST P/ / 500 when css_style is not valid CartoCSS',
    500,
    (c) => c.send('POST', '/', { code: freshCode(), css_style: 'Map { ' }),
  ],
  [
    'decided: a taken code is 500',
    500,
    async (c) => c.send('POST', '/', { code: (await c.map()).slice(1, -1) }),
  ],
  ['decided: malformed kind of name is 400', 400, (c) => c.send('POST', '/', { code: freshCode(), name: 5 })],
  [
    'GET P/<map>/layers/?type=other / decided: an unknown value of a parameter is 400',
    400,
    async (c) => c.send('GET', `${await c.map()}layers/?type=other`),
  ],
  [
    'GET P/<map>/ / 403 when the map is not published and the caller is not authorized',
    403,
    async (c) => {
      const map = await c.map();
      await c.send('PATCH', map, { has_publication: false, publish: false });
      return c.send('GET', map, undefined, '');
    },
  ],
]);
const reserved = 'maps users image login logout authorized ext-login ext-auth rights jobs files'.split(' ');
refuses(
  'Maps',
  reserved.map(
    (code) => [`decided: the code ${code} is reserved`, 500, (c) => c.send('POST', '/', { code })] as const,
  ),
);
refuses(
  'Maps',
  [
    ['a blank', 'a b'],
    ['another letter', 'карта'],
    ['64 characters', 'x'.repeat(64)],
    ['nothing', ''],
  ].map(
    ([what, code]) =>
      [`decided: a code of ${what} is refused`, 500, (c) => c.send('POST', '/', { code })] as const,
  ),
);

rule('Maps', 'POST P/ / decided: with has_publication false the public never sees the map', async (c) => {
  const code = (await c.map()).split('/').at(-2);
  const own = { code: `${code}-own`, has_publication: false };
  holds((await c.send('POST', '/', own)).json, own);
  try {
    status(await c.send('GET', `/${own.code}/`, undefined, ''), 403);
    status(await c.send('GET', `/${own.code}/layers/`, undefined, ''), 403);
    status(await c.send('GET', `/${own.code}/`), 200);
  } finally {
    await c.send('DELETE', `/${own.code}/`);
  }
});
