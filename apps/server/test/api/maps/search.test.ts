import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { hostileTexts, outcome, signIn } from '../access/people.js';

let server: TestServer;
test.before(async () => {
  server = await startServer({ CARTULARY_SEARCH_LIMIT: '20' });
});
test.after(() => server.stop());

interface LayerSetup {
  code: string;
  name?: unknown;
  columns?: Record<string, unknown>[];
  objects?: Record<string, unknown>[];
}

/** A map with layers: its code. The first layer is the first in the tree. */
async function world(...layers: LayerSetup[]): Promise<string> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  for (const { code, name = code, columns = [{ code: 'name', type: 'string' }], objects = [] } of layers) {
    await server.admin('POST', `/${map}/layers/`, {
      code,
      name,
      localized_name: typeof name === 'object',
    });
    for (const column of columns) await server.admin('POST', `/${map}/layers/${code}/structure/`, column);
    for (const fields of objects) await server.admin('POST', `/${map}/layers/${code}/objects/`, { fields });
  }
  return map;
}

const named = (...names: string[]): Record<string, unknown>[] => names.map((name) => ({ name }));

const path = (map: string, phrase: string, rest = ''): string =>
  `/${map}/search/?phrase=${encodeURIComponent(phrase)}${rest}`;

async function find(map: string, phrase: string, rest = '&limit=20', token?: string): Promise<any[]> {
  const answer = await server.request('GET', path(map, phrase, rest), token === undefined ? {} : { token });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Results in short: `30 cities/Berlin`, a layer as `20 /Cities`. */
const inShort = (results: any[]): string[] =>
  results.map((one) =>
    one.type === 'layer' ? `${one.priority} /${one.name}` : `${one.priority} ${one.layer}/${one.value}`,
  );

const short = async (...args: Parameters<typeof find>): Promise<string[]> => inShort(await find(...args));

/** Saves the whole tree as it is, which takes the search settings into use. */
async function publish(map: string, ...codes: string[]): Promise<void> {
  const tree = await server.admin('GET', `/${map}/layers/`);
  const kept = tree.filter(({ code }: any) => !codes.length || codes.includes(code));
  await server.admin(
    'POST',
    `/${map}/publish/`,
    kept.map(({ map_layer_id }: any, i: number) => ({ id: i + 1, parent_id: 0, map_layer_id })),
  );
}

test('on request objects have their searched values and extent', async () => {
  const map = await world({
    code: 'towns',
    columns: ['name', 'land', 'note'].map((code) => ({ code, type: 'string' })),
    objects: [
      { name: 'Paris', land: 'France', note: '€'.repeat(500) },
      { name: 'Paris', land: 'Ontario', note: '' },
    ],
  });
  await server.admin('PUT', `/${map}/layers/towns/objects/1/geom/`, {
    type: 'Point',
    coordinates: [2.35, 48.85],
  });
  const results = await find(map, 'paris', '&limit=5&returnValues=1&returnBbox=1');
  assert.deepEqual(
    results.map(({ values, bbox }) => ({ values, bbox })),
    [
      {
        values: { name: 'Paris', land: 'France', note: '€'.repeat(200) },
        bbox: { sw: [48.85, 2.35], ne: [48.85, 2.35] },
      },
      { values: { name: 'Paris', land: 'Ontario' }, bbox: null },
    ],
  );
  const towns = await find(map, 'paris');
  assert.equal(towns.length, 2);
  for (const one of towns) assert.ok(!('values' in one) && !('bbox' in one));
});

test('elements have every field of the interface, the icons are paths that answer', async () => {
  const map = await world({
    code: 'cities',
    name: 'Berlin and others',
    columns: [
      { code: 'name', type: 'string' },
      { code: 'note', type: 'text' },
    ],
    objects: [{ name: 'Spree', note: 'flows through Berlin' }],
  });
  const [layer] = await server.admin('GET', `/${map}/layers/`);
  const icon = `/api/2.8/demo/${map}/layers/cities/icon/`;
  const results = await find(map, 'berlin');
  assert.deepEqual(results, [
    {
      type: 'layer',
      id: layer.map_layer_id,
      code: 'cities',
      name: 'Berlin and others',
      priority: 20,
      icon,
    },
    {
      type: 'object',
      svc_id: 1,
      priority: 20,
      layer: 'cities',
      layer_name: 'Berlin and others',
      layer_icon: icon,
      name: 'Spree',
      name_column: 'name',
      search_column: 'note',
      value: 'flows through Berlin',
    },
  ]);
  const answer = await server.request('GET', `/${icon}`);
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png']);
});

test('priority goes first, then layers, then the value; three results unless a limit says otherwise', async () => {
  const map = await world(
    {
      code: 'a',
      name: 'New York',
      objects: named('Yorkshire', 'New York', 'York, the new one', 'new-york!'),
    },
    { code: 'b', name: 'York and new', objects: named('NEW YORK', 'A new York', 'Newport', 'Nowhere') },
    { code: 'c', name: 'Newest', objects: [] },
  );
  const all = [
    '30 /New York',
    '30 b/NEW YORK',
    '30 a/New York',
    '30 a/new-york!',
    '20 /York and new',
    '20 b/A new York',
    '20 a/York, the new one',
    '10 /Newest',
    '10 b/Newport',
    '10 a/Yorkshire',
  ];
  assert.deepEqual(await short(map, 'new york'), all);
  assert.deepEqual((await short(map, ' york,NEW')).slice(0, 3), [
    '20 /New York',
    '20 /York and new',
    '20 b/A new York',
  ]);
  assert.deepEqual(await short(map, 'new york', ''), all.slice(0, 3));
  assert.deepEqual(await short(map, 'new york', '&limit=0'), []);
  for (const limit of [1, 5, 9])
    assert.deepEqual(await short(map, 'new york', `&limit=${limit}`).then((l) => l.length), limit);
});

test('words are found whole and in part, short ones at the start of a word', async () => {
  const names = ['Saint-Denis', 'Denis Saint', 'Ad Astra', 'Madras', 'Adelaide', 'L’Aquila'];
  const map = await world({ code: 'l', name: '-', objects: named(...names) });
  const cases: [string, string[]][] = [
    ['denis saint', ['30 l/Denis Saint', '20 l/Saint-Denis']],
    ['aint', ['20 l/Denis Saint', '20 l/Saint-Denis']],
    ['ad', ['20 l/Ad Astra', '20 l/Adelaide']],
    ['ad as', ['20 l/Ad Astra', '10 l/Adelaide']],
    ['adr', ['20 l/Madras']],
    ['l', ['20 l/L’Aquila']],
    ["l'aquila", ['30 l/L’Aquila']],
    ['aquila', ['20 l/L’Aquila']],
    ['nothing', []],
    ['saint nothing', ['10 l/Denis Saint', '10 l/Saint-Denis']],
  ];
  for (const [phrase, expected] of cases) assert.deepEqual(await short(map, phrase), expected, phrase);
});

test('capitals, diacritics and ё do not count, in any script', async () => {
  const names = [
    'Zürich',
    'Королёв',
    'İzmir',
    'Gießen',
    'Αθήνα',
    '東京都',
    'Łódź',
    'Йошкар-Ола',
    'Đà Nẵng',
    'Ørsted',
    'القاهرة',
  ];
  const map = await world({ code: 'l', name: '-', objects: named(...names) });
  const cases: [phrase: string, found: string, priority?: number][] = [
    ['zurich', 'Zürich'],
    ['ZÜRICH', 'Zürich'],
    ['Zu\u0308rich', 'Zürich'],
    ['королев', 'Королёв'],
    ['КОРОЛЁВ', 'Королёв'],
    ['izmir', 'İzmir'],
    ['ızmır', 'İzmir'],
    ['GIESSEN', 'Gießen'],
    ['gieß', 'Gießen', 20],
    ['ΑΘΗΝΑ', 'Αθήνα'],
    ['東京都', '東京都'],
    ['京都', '東京都', 20],
    ['lodz', 'Łódź'],
    ['йошкар ола', 'Йошкар-Ола'],
    ['da nang', 'Đà Nẵng'],
    ['orsted', 'Ørsted'],
    ['القَاهِرة', 'القاهرة'],
  ];
  for (const [phrase, found, priority = 30] of cases)
    assert.deepEqual(await short(map, phrase), [`${priority} l/${found}`], phrase);
  assert.deepEqual(await short(map, 'иошкар'), [], 'й is a letter of its own');
  assert.deepEqual(await short(map, '東都'), [], 'signs that do not stand together');
});

test('all words may be spread over the columns of an object, which is found once', async () => {
  const map = await world({
    code: 'l',
    name: '-',
    columns: [
      { code: 'street', type: 'string' },
      { code: 'city', type: 'string' },
    ],
    objects: [
      { street: 'Main Street', city: 'Springfield' },
      { street: 'Main Road', city: null },
      { street: 'Berlin', city: 'Berlin' },
    ],
  });
  const results = await find(map, 'springfield main');
  assert.deepEqual(
    results.map((one) => [one.priority, one.svc_id, one.search_column, one.name]),
    [
      [20, 1, 'street', 'Main Street'],
      [10, 2, 'street', 'Main Road'],
    ],
  );
  assert.deepEqual(
    (await find(map, 'berlin')).map((one) => [one.priority, one.svc_id, one.search_column]),
    [[30, 3, 'street']],
  );
});

test('when enough objects match exactly, lower layers are not searched', async () => {
  const map = await world(
    { code: 'upper', objects: named('berlin', 'berlin') },
    { code: 'lower', objects: named('BERLIN', 'Berlin') },
  );
  assert.deepEqual(await short(map, 'Berlin', '&limit=3'), [
    '30 lower/BERLIN',
    '30 lower/Berlin',
    '30 upper/berlin',
  ]);
  // By value those of the lower layer would be first.
  assert.deepEqual(await short(map, 'Berlin', '&limit=2'), ['30 upper/berlin', '30 upper/berlin']);
  assert.deepEqual(await short(map, 'Berlin', '&limit=1'), ['30 upper/berlin']);
  await server.admin('PATCH', `/${map}/`, {
    json: {
      search: [
        { layer: 'lower', columns: ['name'] },
        { layer: 'upper', columns: ['name'] },
      ],
    },
  });
  await publish(map);
  assert.deepEqual(await short(map, 'Berlin', '&limit=1'), ['30 lower/BERLIN'], 'the order of the settings');
});

test('the settings saved with the publication tree are used; wrong names in them are ignored', async () => {
  const map = await world(
    {
      code: 'a',
      columns: [
        { code: 'name', type: 'string' },
        { code: 'code', type: 'string' },
        { code: 'size', type: 'number' },
      ],
      objects: [{ name: 'Berlin', code: 'xyz', size: 5 }],
    },
    { code: 'b', objects: named('xyz') },
  );
  const both = ['30 a/xyz', '30 b/xyz'];
  assert.deepEqual(await short(map, 'xyz'), both, 'without settings');
  const setting = async (search: unknown): Promise<void> => {
    await server.admin('PATCH', `/${map}/`, { json: { search } });
  };
  await setting([
    { layer: 'none', columns: ['name'] },
    { layer: 'a', columns: ['nothing', 'code', 'size'], name_column: 'size' },
  ]);
  assert.deepEqual(await short(map, 'xyz'), both, 'not before they are published');
  await publish(map);
  const [hit, ...more] = await find(map, 'xyz');
  assert.deepEqual(
    [hit.layer, hit.search_column, hit.name_column, hit.name, hit.value, more],
    ['a', 'code', 'size', 5, 'xyz', []],
  );
  assert.deepEqual(await short(map, 'berlin'), [], 'a column that is not named');
  await setting([]);
  assert.deepEqual((await find(map, 'xyz')).length, 1, 'the copy stays');
  await publish(map);
  assert.deepEqual(await short(map, 'xyz'), [], 'no layer is named');
  assert.deepEqual(await short(map, 'a'), ['30 /a'], 'layers are found all the same');
  await setting(null);
  await publish(map);
  assert.deepEqual(await short(map, 'xyz'), both, 'no settings');
  await setting([{ layer: 'b' }]);
  await publish(map, 'a');
  assert.deepEqual(await short(map, 'xyz'), [], 'a layer that is not published');
  assert.deepEqual(await short(map, 'b'), []);
});

test('settings of a wrong form are refused with the place: the search would read more than they name', async () => {
  const map = await world({ code: 'a', columns: [{ code: 'name', type: 'string' }], objects: [] });
  for (const [search, place] of [
    ['a', ''],
    [{ layer: 'a' }, ''],
    [['a'], '[0].layer'],
    [[null], '[0].layer'],
    [[{ columns: ['name'] }], '[0].layer'],
    [[{ layer: 'a' }, { layer: 'a', columns: 'name' }], '[1].columns'],
    [[{ layer: 'a', columns: ['name', 5] }], '[0].columns'],
    [[{ layer: 'a', name_column: 5 }], '[0].name_column'],
  ] as const) {
    const answer = await server.request('PATCH', `/${map}/`, {
      token: server.adminToken,
      body: { json: { search } },
      headers: { accept: 'application/json' },
    });
    assert.deepEqual([answer.status, answer.json.data], [400, { parameters: [`json.search${place}`] }]);
  }
});

test('the settings follow new codes of layers and columns, in use and before they are', async () => {
  const columns = ['name', 'code', 'size'].map((code) => ({ code, type: 'string' }));
  const objects = [{ name: 'Berlin', code: 'xyz', size: 'large' }];
  const map = await world({ code: 'a', columns, objects }, { code: 'b', columns, objects });
  const settings = (layer: string, ...columns: string[]): unknown[] => [
    { layer, columns, name_column: columns[0], extra: 1 },
    { layer: 'b', columns: ['code'] },
  ];
  await server.admin('PATCH', `/${map}/`, { json: { search: settings('a', 'name', 'code') } });
  await publish(map);
  await server.admin('PATCH', `/${map}/layers/a/structure/name/`, { type: 'string', code: 'title' });
  await server.admin('PUT', `/${map}/layers/a/structure/code/`, { type: 'string', code: 'sign' });
  await server.admin('PATCH', `/${map}/layers/a/`, { code: 'towns' });
  const of = (hit: any): unknown[] => [hit.layer, hit.search_column, hit.name_column, hit.name];
  assert.deepEqual((await find(map, 'xyz')).map(of), [
    ['towns', 'sign', 'title', 'Berlin'],
    ['b', 'code', 'name', 'Berlin'],
  ]);
  const [stored] = (await server.admin('GET', '/maps/public/')).filter(({ code }: any) => code === map);
  assert.deepEqual(stored.json.search, settings('towns', 'title', 'sign'));
  await publish(map);
  assert.deepEqual(await short(map, 'berlin'), ['30 towns/Berlin']);
});

test('names and values are in the requested language, by default ru, else in the main one', async () => {
  const map = await world({
    code: 'l',
    name: { en: 'Towns', ru: 'Города' },
    columns: [{ code: 'name', type: 'string', localized_value: true }],
    objects: [{ name: { en: 'Moscow', ru: 'Москва' } }, { name: { en: 'Tver' } }, { name: { de: 'Wien' } }],
  });
  const cases: [phrase: string, rest: string, found: string[]][] = [
    ['москва', '', ['30 l/Москва']],
    ['moscow', '', []],
    ['moscow', '&lang=en', ['30 l/Moscow']],
    ['mosc', '&lng=en', ['20 l/Moscow']],
    ['москва', '&lang=en', []],
    ['tver', '', ['30 l/Tver']],
    ['tver', '&lang=fr', ['30 l/Tver']],
    ['wien', '&lang=en', ['30 l/Wien']],
    ['города', '', ['30 /Города']],
    ['towns', '', []],
    ['towns', '&lang=en', ['30 /Towns']],
    ['towns', '&lang=de', ['30 /Towns']],
    ['mo', '&lang=en', ['20 l/Moscow']],
    ['moscow tver', '&lang=en', ['10 l/Moscow', '10 l/Tver']],
  ];
  for (const [phrase, rest, found] of cases)
    assert.deepEqual(await short(map, phrase, rest), found, phrase + rest);
  assert.equal((await find(map, 'москва'))[0].layer_name, 'Города');
  assert.equal((await find(map, 'moscow', '&lang=en'))[0].layer_name, 'Towns');
});

test('a search finds earlier writes, and no deleted objects', async () => {
  const map = await world({ code: 'l', name: '-', objects: named('Berlin') });
  const layer = `/${map}/layers/l`;
  assert.equal((await find(map, 'berlin')).length, 1);
  await server.admin('PUT', `${layer}/objects/1/`, { fields: { name: 'Bonn' } });
  assert.deepEqual(await short(map, 'berlin'), []);
  assert.deepEqual(await short(map, 'bonn'), ['30 l/Bonn']);
  await server.admin('DELETE', `${layer}/objects/1/`);
  assert.deepEqual(await short(map, 'bonn'), []);
  await server.admin('POST', `${layer}/structure/`, { code: 'extra', type: 'string' });
  await server.admin('POST', `${layer}/objects/`, { fields: { name: null, extra: 'Köln' } });
  const [hit] = await find(map, 'koln');
  assert.deepEqual([hit.name, hit.name_column, hit.search_column], [null, 'name', 'extra']);
  await server.admin('DELETE', `${layer}/structure/extra/`);
  assert.deepEqual(await short(map, 'koln'), []);
  await server.admin('DELETE', `${layer}/`);
  assert.deepEqual(await find(map, 'l'), []);
});

test('f=fjson shows values by the format of their columns', async () => {
  const map = await world({
    code: 'l',
    name: '-',
    columns: [
      { code: 'name', type: 'string', format: { template: '«{value}»' } },
      { code: 'at', type: 'datetime', format: { pattern: 'd MMMM' } },
    ],
    objects: [{ name: 'Berlin', at: '2024-05-01' }],
  });
  await server.admin('PATCH', `/${map}/`, {
    json: { search: [{ layer: 'l', columns: ['name'], name_column: 'at' }] },
  });
  await publish(map);
  const values = async (rest: string): Promise<unknown[]> => {
    const [{ name, value }] = await find(map, 'berlin', rest);
    return [name, value];
  };
  assert.deepEqual(await values(''), ['2024-05-01T00:00:00.000Z', 'Berlin']);
  assert.deepEqual(await values('&f=fjson'), ['1 мая', '«Berlin»']);
  assert.deepEqual(await values('&f=fjson&lang=en'), ['1 May', '«Berlin»']);
});

test('only what the caller may view is found: no name, value or count of another layer', async () => {
  const map = await world(
    { code: 'secret', name: 'Berlin secrets', objects: named('Berlin', 'Berlin', 'Berlin') },
    { code: 'open', name: 'x', objects: named('Berliner') },
  );
  await server.admin('PATCH', `/${map}/`, {
    json: {
      search: [
        { layer: 'secret', columns: ['name'] },
        { layer: 'open', columns: ['name'] },
      ],
    },
  });
  await publish(map);
  const hide = { user: 'public', right: 'none' };
  await server.admin('PUT', `/${map}/layers/secret/rights/`, hide);
  const insider = await signIn(server, { [`/${map}/layers/secret/rights/`]: 'view' });
  const outsider = await signIn(server);
  assert.equal((await find(map, 'berlin', '&limit=20', insider)).length, 5);
  for (const token of [undefined, outsider]) {
    assert.deepEqual(await short(map, 'berlin', '&limit=20', token), ['20 open/Berliner']);
    assert.deepEqual(
      await short(map, 'berlin', '&limit=1', token),
      ['20 open/Berliner'],
      'no early stop by hidden objects',
    );
    assert.deepEqual(await short(map, 'secrets', '', token), []);
  }
  await server.admin('PUT', `/${map}/rights/`, hide);
  assert.deepEqual(await outcome(server, 'GET', path(map, 'berlin')), [403, 'forbidden']);
  await server.admin('PUT', `/${map}/rights/`, { user: 'public', right: 'view' });
  await server.admin('PATCH', `/${map}/`, { publish: false });
  assert.deepEqual(await outcome(server, 'GET', path(map, 'berlin')), [403, 'forbidden'], 'a withdrawn map');
  assert.equal((await find(map, 'berlin', '&limit=20', server.adminToken)).length, 5);
  assert.deepEqual(await outcome(server, 'GET', path(map, 'x'), { token: 'wrong' }), [
    401,
    'not_authenticated',
  ]);
});

test('hostile and wrong requests', async () => {
  const map = await world({ code: 'l', name: 'l', objects: named('100% a_b \\ "c"', ...hostileTexts) });
  const refused: [string, number, string][] = [
    [`/${map}/search/`, 500, 'required_missing'],
    [path(map, 'x'.repeat(10_000)), 400, 'bad_request'],
    [path(map, 'x'.repeat(401)), 400, 'bad_request'],
    [path(map, 'x', '&limit=-1'), 400, 'bad_request'],
    [path(map, 'x', '&limit=many'), 400, 'bad_request'],
    [path(map, 'x', '&lang=%27'), 400, 'bad_request'],
    [path(map, 'x', '&f=pdf'), 400, 'bad_request'],
    [path('none', 'x'), 404, 'map_not_found'],
  ];
  for (const [at, status, code] of refused)
    assert.deepEqual(await outcome(server, 'GET', at), [status, code], at.slice(0, 80));
  for (const nothing of ['', '   ', '%', '_', '\\', '\u0000', "'", '…', '🎉', '\u0301'])
    assert.deepEqual(await find(map, nothing), [], JSON.stringify(nothing));
  assert.deepEqual(await find(map, 'zzz%', '&limit=9'), []);
  assert.deepEqual(await find(map, 'a%b'), await find(map, 'a b'));
  const raw = await server.request('GET', `/${map}/search/?phrase=%ff%ed%a0%80`);
  assert.ok([200, 400].includes(raw.status), raw.text);
  for (const phrase of [
    ...hostileTexts,
    'x'.repeat(400),
    'x '.repeat(200),
    '東'.repeat(400),
    Array.from({ length: 100 }, (_, i) => `w${i}`)
      .join(' ')
      .slice(0, 400),
    '(a|b)* & !c:*',
    "a' & 'b",
    '[[:alpha:]]+$',
    'a\u0000b',
  ]) {
    const found = await find(map, phrase);
    if (hostileTexts.includes(phrase))
      assert.ok(
        found.some(({ value }) => value === phrase),
        phrase,
      );
  }
  assert.equal((await find(map, 'a', '&limit=999999')).length <= 20, true, 'the limit of the settings');
  const post = await server.request('POST', path(map, 'x'));
  assert.deepEqual([post.status, post.headers.get('allow')?.includes('GET')], [405, true]);
});
