import type { Client } from '../../client.js';
import { equal, has, rule, status } from '../../rules.js';
import { raw, shared } from '../support.js';

/** Creates a map with the layers `towns` (named Green hill) and `lakes` and their objects. */
async function words(c: Client): Promise<string> {
  const map = await c.map();
  const layers = {
    towns: ['Green hill', 'Green lake', 'Green'],
    lakes: ['Green hill', 'Hill', 'Zürich', 'Орёл'],
  };
  for (const [code, names] of Object.entries(layers)) {
    await c.make(`${map}layers/`, { code, name: code === 'towns' ? 'Green hill' : 'Waters' });
    await c.make(`${map}layers/${code}/structure/`, { code: 'title', type: 'string' });
    for (const title of names) await c.make(`${map}layers/${code}/objects/`, { fields: { title } });
  }
  return map;
}
const reading = shared(words);
const search = async (c: Client, map: string, phrase: string, rest = '') =>
  (await c.send('GET', `${map}search/?phrase=${encodeURIComponent(phrase)}${rest}`, undefined, '')).json;

rule(
  'Search',
  'an object has its keys',
  reading(async (c, map) => {
    const [found] = await search(c, map, 'zürich');
    has(found, 'svc_id priority type layer layer_name layer_icon name name_column search_column value');
    equal(
      [found.type, found.layer, found.name_column, found.search_column, found.value],
      ['object', 'lakes', 'title', 'title', 'Zürich'],
      'values',
    );
  }),
);
rule(
  'Search',
  'a layer has its keys',
  reading(async (c, map) => {
    const [found] = await search(c, map, 'waters');
    has(found, 'id code name priority type icon');
    equal([found.type, found.code, found.name, found.priority], ['layer', 'lakes', 'Waters', 30], 'values');
  }),
);
for (const [phrase, limit, expected] of [
  ['zürich', '', [30]],
  ['green hill', '', [30, 30, 30]],
  ['hill green', '&limit=10', [20, 20, 20, 10, 10, 10]],
  ['zur', '', [20]],
  ['zürich nowhere', '', [10]],
  ['nowhere', '', []],
] as const)
  rule(
    'Search',
    `priorities of '${phrase}'${limit}`,
    reading(async (c, map) =>
      equal(
        (await search(c, map, phrase, limit)).map((e: { priority: number }) => e.priority),
        expected,
        'priorities',
      ),
    ),
  );
rule(
  'Search',
  'layers rank above objects of the same priority',
  reading(async (c, map) =>
    equal(
      (await search(c, map, 'green hill')).map((e: { type: string }) => e.type),
      ['layer', 'object', 'object'],
      'types',
    ),
  ),
);
rule(
  'Search',
  'ordered by value at last',
  reading(async (c, map) => {
    const found = await search(c, map, 'hill green', '&limit=10');
    const values = found
      .filter((e: { priority: number }) => e.priority === 10)
      .map((e: { value: string }) => e.value);
    equal(values, ['Green', 'Green lake', 'Hill'], 'values of priority 10');
  }),
);
rule(
  'Search',
  'limit is 3 by default',
  reading(async (c, map) => equal((await search(c, map, 'green')).length, 3, 'items')),
);
rule(
  'Search',
  'limit',
  reading(async (c, map) => equal((await search(c, map, 'green', '&limit=2')).length, 2, 'items')),
);
rule(
  'Search',
  '500 without phrase',
  reading(async (c, map) => status(await c.send('GET', `${map}search/`), 500)),
);
for (const phrase of ['ZURICH', 'орел', 'ОРЁЛ'])
  rule(
    'Search',
    `decided: case, diacritics and ё do not count: ${phrase}`,
    reading(async (c, map) => equal((await search(c, map, phrase))[0]?.priority, 30, 'priority')),
  );
rule('Search', 'lang selects the name of a layer, ru by default', async (c) => {
  const map = await c.map();
  await c.make(`${map}layers/`, { code: 'a', localized_name: true, name: { en: 'River', ru: 'Река' } });
  equal((await search(c, map, 'река'))[0]?.name, 'Река', 'without lang');
  equal((await search(c, map, 'river', '&lang=en'))[0]?.name, 'River', 'lang=en');
});
rule(
  'Search',
  'decided: json.search says what is searched, from the saving of the publication tree',
  async (c) => {
    const map = await words(c);
    const settings = [{ layer: 'towns', columns: ['title'], name_column: 'title' }];
    await c.send('PATCH', map, { json: { search: settings } });
    equal((await search(c, map, 'zürich')).length, 1, 'before');
    const tree = (await c.send('GET', `${map}layers/`)).json as { id: number; map_layer_id: number }[];
    await c.make(
      `${map}publish/`,
      tree.map(({ id, map_layer_id }) => ({ id, parent_id: 0, map_layer_id })),
    );
    equal((await search(c, map, 'zürich')).length, 0, 'after');
  },
);
/** Creates a map with the layers `first` and `second`, whose objects have these titles. */
async function twoLayers(c: Client, titles: Record<'first' | 'second', string[]>): Promise<string> {
  const map = await c.map();
  for (const [code, texts] of Object.entries(titles)) {
    await c.make(`${map}layers/`, { code, name: code });
    await c.make(`${map}layers/${code}/structure/`, { code: 'title', type: 'string' });
    for (const title of texts) await c.make(`${map}layers/${code}/objects/`, { fields: { title } });
  }
  return map;
}
const layersOf = (found: { layer: string }[]): string[] => found.map(({ layer }) => layer);
rule('Search', 'stops when enough objects match exactly: lower layers are not searched', async (c) => {
  // Without the stop, results of the lower layer come first: `same` in both, ordered by value.
  const map = await twoLayers(c, { first: ['Same', 'Same'], second: ['SAME', 'SAME', 'SAME'] });
  equal(layersOf(await search(c, map, 'same', '&limit=2')), ['first', 'first'], 'layers with limit 2');
  const settings = ['second', 'first'].map((layer) => ({ layer, columns: ['title'], name_column: 'title' }));
  await c.send('PATCH', map, { json: { search: settings } });
  const tree = (await c.send('GET', `${map}layers/`)).json as { id: number; map_layer_id: number }[];
  const items = tree.map(({ id, map_layer_id }) => ({ id, parent_id: 0, map_layer_id }));
  await c.make(`${map}publish/`, items);
  const found = await search(c, map, 'same', '&limit=2');
  equal(layersOf(found), ['second', 'second'], 'layers with the other order in the settings');
});
rule('Search', 'goes on to lower layers while too few objects match exactly', async (c) => {
  const map = await twoLayers(c, { first: ['same', 'same as that'], second: ['same'] });
  const found = await search(c, map, 'same', '&limit=2');
  equal(layersOf(found), ['first', 'second'], 'layers');
  equal(
    found.map(({ priority }: { priority: number }) => priority),
    [30, 30],
    'priorities',
  );
});
rule('Search', 'ordered by priority, then type, then value', async (c) => {
  const map = await twoLayers(c, {
    first: ['green way', 'green', 'a green'],
    second: ['zebra green', 'green'],
  });
  for (const [code, name] of [
    ['first', 'Green'],
    ['second', 'Great green'],
  ])
    await c.send('PATCH', `${map}layers/${code}/`, { name });
  const found = await search(c, map, 'green', '&limit=20');
  const shown = found.map((e: { type: string; priority: number; value: string; name: string }) =>
    [e.priority, e.type, e.value ?? e.name].join(' '),
  );
  const expected = [
    '30 layer Green',
    '30 object green',
    '30 object green',
    '20 layer Great green',
    '20 object a green',
    '20 object green way',
    '20 object zebra green',
  ];
  equal(shown, expected, 'results');
});
rule('Search', 'an object with an exact match is not found a second time by another column', async (c) => {
  const map = await c.map();
  await c.make(`${map}layers/`, { code: 'a' });
  for (const code of ['title', 'other']) await c.make(`${map}layers/a/structure/`, { code, type: 'string' });
  await c.make(`${map}layers/a/objects/`, { fields: { title: 'green hill', other: 'green' } });
  const found = await search(c, map, 'green', '&limit=20');
  equal(
    found.map((e: { priority: number; search_column: string }) => [e.priority, e.search_column]),
    [[30, 'other']],
    'results',
  );
});
rule('Search', 'decided: name_column of json.search is the name of what is found', async (c) => {
  const map = await c.map();
  const { id } = await c.make(`${map}layers/`, { code: 'a' });
  for (const code of ['title', 'other']) await c.make(`${map}layers/a/structure/`, { code, type: 'string' });
  await c.make(`${map}layers/a/objects/`, { fields: { title: 'hill', other: 'green' } });
  const settings = [{ layer: 'a', columns: ['other'], name_column: 'title' }];
  await c.send('PATCH', map, { json: { search: settings } });
  await c.make(`${map}publish/`, [{ id: 1, parent_id: 0, map_layer_id: id }]);
  const [{ name, name_column, search_column, value }] = await search(c, map, 'green');
  equal([name, name_column, search_column, value], ['hill', 'title', 'other', 'green'], 'result');
  equal(await search(c, map, 'hill'), [], 'of a column that is not searched');
});
rule(
  'Search',
  'icon and layer_icon can be requested, decided: as paths',
  reading(async (c, map) => {
    const [layer] = await search(c, map, 'waters');
    const [object] = await search(c, map, 'zürich');
    for (const path of [layer.icon, object.layer_icon])
      equal((await raw(c, `/${path}`, { token: '' })).type, 'image/png', path);
  }),
);
for (const [limit, items] of [
  ['1', 1],
  ['100', 4],
] as const)
  rule(
    'Search',
    `limit=${limit} of four`,
    reading(async (c, map) =>
      equal((await search(c, map, 'hill', `&limit=${limit}`)).length, items, 'items'),
    ),
  );
for (const query of ['limit=x', 'limit=-1'])
  rule(
    'Search',
    `decided: ${query} is 400`,
    reading(async (c, map) => status(await c.send('GET', `${map}search/?phrase=x&${query}`), 400)),
  );
rule('Search', '404 when the map does not exist, 403 when it is not published', async (c) => {
  status(await c.send('GET', '/no_such_map/search/?phrase=x'), 404);
  const map = await c.map();
  await c.send('PATCH', map, { publish: false });
  status(await c.send('GET', `${map}search/?phrase=x`, undefined, ''), 403);
});
