import type { Client } from '../client.js';
import { equal, has, rule, status } from '../rules.js';
import { shared } from './support.js';

/** A map with the layers `towns` (named Green hill) and `lakes` and their objects. */
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
rule('Search', 'stops when enough objects match exactly', async (c) => {
  const map = await c.map();
  for (const code of ['first', 'second']) {
    await c.make(`${map}layers/`, { code, name: code });
    await c.make(`${map}layers/${code}/structure/`, { code: 'title', type: 'string' });
    await c.make(`${map}layers/${code}/objects/`, { fields: { title: 'same' } });
  }
  equal(
    (await search(c, map, 'same', '&limit=1')).map((e: { layer: string }) => e.layer),
    ['first'],
    'layers',
  );
});
