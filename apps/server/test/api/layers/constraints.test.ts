import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';
import { hostileTexts, signIn } from '../access/people.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

const columns = [
  { code: 'name', type: 'string' },
  { code: 'size', type: 'number' },
  { code: 'day', type: 'datetime' },
  { code: 'open', type: 'bool' },
  { code: 'label', type: 'string', localized_value: true },
  { code: 'data', type: 'json' },
];

async function newLayer(): Promise<string> {
  const code = freshCode('l');
  await server.admin('POST', '/m/layers/', { code });
  for (const column of columns) await server.admin('POST', `/m/layers/${code}/structure/`, column);
  return code;
}

const token = (): { token: string } => ({ token: server.adminToken });
const constrain = (layer: string, body: object): Promise<TestAnswer> =>
  server.request('POST', `/m/layers/${layer}/constraints/`, { ...token(), body });
const create = (layer: string, fields: object): Promise<TestAnswer> =>
  server.request('POST', `/m/layers/${layer}/objects/`, { ...token(), body: { fields } });
const update = (layer: string, id: number, fields: object): Promise<TestAnswer> =>
  server.request('PUT', `/m/layers/${layer}/objects/${id}/`, { ...token(), body: { fields } });
const count = (layer: string): Promise<number> =>
  server.admin('GET', `/m/layers/${layer}/count/?precise=true`);
const load = (layer: string, rows: object[], action = 2): Promise<TestAnswer> =>
  server.request('POST', `/m/layers/${layer}/import/?action=${action}`, {
    ...token(),
    body: {
      type: 'FeatureCollection',
      features: rows.map((properties) => ({ type: 'Feature', geometry: null, properties })),
    },
  });

function violated(answer: TestAnswer, ...codes: string[]): void {
  assert.deepEqual(
    [answer.status, answer.json?.code, answer.json?.data.columns],
    [500, 'constraint_violated', codes],
  );
}
const done = (answer: TestAnswer): void => assert.equal(answer.status, 200, answer.text);

/** Kind, definition, a fitting value, another one, a value that does not fit. */
const kinds: [
  type: string,
  column: string,
  definition: unknown[],
  fits: unknown,
  also: unknown,
  wrong: unknown,
][] = [
  ['check', 'name', ['a', 'b', `o'b`], 'a', `o'b`, 'c'],
  ['check', 'size', [1, 2.5, 1e15], 1, 2.5, 3],
  [
    'check',
    'day',
    ['2024-05-01', '2024-05-02T10:00:00Z'],
    '2024-05-01T00:00:00Z',
    '2024-05-02T12:00:00+02:00',
    '2024-05-03',
  ],
  ['check', 'open', [true], true, 1, false],
  ['range', 'size', [-1, 10], -1, 10, 10.001],
  ['range', 'size', [null, 10], -1e9, 0, 11],
  ['range', 'day', ['2024-01-01', null], '2024-01-01', '2030-01-01', '2023-12-31T23:59:59Z'],
  ['range', 'name', ['b', 'd'], 'b', 'c', 'e'],
];
for (const [type, column, definition, fits, also, wrong] of kinds) {
  test(`${type} over ${column} ${JSON.stringify(definition)}`, async () => {
    const layer = await newLayer();
    const made = await constrain(layer, { type, columns: [column], definition });
    done(made);
    assert.deepEqual([made.json[0].name, made.json[0].validated], [`${column}_${type}`, true]);
    const { id } = (await create(layer, { [column]: fits })).json;
    done(await create(layer, { [column]: null }));
    done(await create(layer, {}));
    violated(await create(layer, { [column]: wrong }), column);
    violated(await update(layer, id, { [column]: wrong }), column);
    done(await update(layer, id, { [column]: also }));
    violated(await load(layer, [{ [column]: fits }, { [column]: wrong }]), column);
    violated(await load(layer, [{ [column]: wrong }], 1), column);
    assert.equal(await count(layer), 3);
    done(await load(layer, [{ [column]: fits }, { [column]: null }]));
    const filter = JSON.parse(made.json[0].raw_definition);
    const invalid = await server.admin('POST', `/m/layers/${layer}/filter/`, { fields: [column], filter });
    assert.deepEqual(invalid, []);
    const removed = await server.request('DELETE', `/m/layers/${layer}/constraints/`, {
      ...token(),
      body: { name: made.json[0].name },
    });
    assert.deepEqual(removed.json, []);
    done(await create(layer, { [column]: wrong }));
    assert.equal(
      (await server.admin('POST', `/m/layers/${layer}/filter/`, { fields: [column], filter })).length,
      1,
    );
  });
}

test('unique: over one column, over several, over a localized one; with changes that swap', async () => {
  const layer = await newLayer();
  done(await constrain(layer, { type: 'unique', columns: ['name'], name: 'one' }));
  done(await constrain(layer, { type: 'unique', columns: ['size', 'open'] }));
  done(await constrain(layer, { type: 'unique', columns: ['label'] }));
  const first = (await create(layer, { name: 'a', size: 1, open: true, label: { en: 'x', ru: 'y' } })).json
    .id;
  violated(await create(layer, { name: 'a' }), 'name');
  violated(await create(layer, { size: 1, open: 1 }), 'size', 'open');
  violated(await create(layer, { label: { ru: 'y' } }), 'label');
  done(await create(layer, { name: 'A', size: 1, open: false, label: { en: 'y' } }));
  done(await create(layer, { name: null, size: 1 }));
  const second = (await create(layer, { name: 'b', size: 1 })).json.id;
  violated(await update(layer, second, { name: 'a' }), 'name');
  done(await update(layer, first, { name: 'a' }));
  done(
    await load(layer, [
      { svc_id: first, name: 'b' },
      { svc_id: second, name: 'a' },
    ]),
  );
  violated(await load(layer, [{ name: 'n' }, { name: 'n' }]), 'name');
  violated(await load(layer, [{ name: 'n' }, { name: 'n' }], 1), 'name');
  const long = 'x'.repeat(4_000);
  done(await create(layer, { name: long }));
  violated(await create(layer, { name: long }), 'name');
});

test('the error names the columns of all violated constraints, and the values of the first', async () => {
  const layer = await newLayer();
  done(await constrain(layer, { type: 'check', columns: ['name'], definition: ['a', 'b'] }));
  done(await constrain(layer, { type: 'range', columns: ['size'], definition: [0, 10] }));
  done(await constrain(layer, { type: 'unique', columns: ['name', 'size'] }));
  const refused = await create(layer, { name: 'c', size: 11 });
  violated(refused, 'name', 'size');
  assert.deepEqual([refused.json.data.constraint, refused.json.data.values], ['name_check', ['c']]);
  violated(await create(layer, { name: 'a', size: 11 }), 'size');
  assert.equal(await count(layer), 0);
});

test('of many simultaneous writes of the same value one succeeds', async () => {
  const layer = await newLayer();
  done(await constrain(layer, { type: 'unique', columns: ['name'] }));
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(layer, { name: 'same' })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200)) violated(answer, 'name');
  assert.equal(await count(layer), 1);
});

test('a constraint made during writes: each violation existed before it or is refused', async () => {
  const layer = await newLayer();
  const [made, ...written] = await Promise.all([
    constrain(layer, { type: 'check', columns: ['name'], definition: ['good'] }),
    ...Array.from({ length: 8 }, () => create(layer, { name: 'bad' })),
  ]);
  const stored = await count(layer);
  assert.equal(written.filter(({ status }) => status === 200).length, stored);
  if (made!.status === 200) assert.equal(stored, 0);
  else violated(made!, 'name');
});

test('over data that violates it: refused with the objects, or kept unvalidated', async () => {
  const layer = await newLayer();
  for (const name of ['a', 'x', 'a']) await create(layer, { name });
  const check = { type: 'check', columns: ['name'], definition: ['a'] };
  const refused = await constrain(layer, check);
  violated(refused, 'name');
  assert.deepEqual([refused.json.data.objects, refused.json.data.values], [[2], ['x']]);
  violated(await constrain(layer, { type: 'unique', columns: ['name'] }), 'name');
  assert.deepEqual(await server.admin('GET', `/m/layers/${layer}/constraints/`), []);
  const kept = await constrain(layer, { ...check, validate: false });
  assert.equal(kept.json[0].validated, false);
  done(await update(layer, 1, { size: 1 }));
  violated(await update(layer, 2, { size: 1 }), 'name');
  violated(await create(layer, { name: 'x' }), 'name');
  done(await load(layer, [{ name: 'a' }]));
});

test('a copy keeps the constraints of the layer that it goes into', async () => {
  const [from, to] = [await newLayer(), await newLayer()];
  done(await constrain(to, { type: 'range', columns: ['size'], definition: [0, 1] }));
  for (const size of [5, 1]) await create(from, { size });
  const copy = (id: number): Promise<TestAnswer> =>
    server.request('POST', `/m/layers/${from}/objects/${id}/copy/`, {
      ...token(),
      body: { map_code: 'm', layer_code: to },
    });
  violated(await copy(1), 'size');
  done(await copy(2));
  assert.equal(await count(to), 1);
});

test('columns: a constraint goes with its column and keeps its type', async () => {
  const layer = await newLayer();
  done(await constrain(layer, { type: 'check', columns: ['name'], definition: ['a'] }));
  const change = (body: object): Promise<TestAnswer> =>
    server.request('PATCH', `/m/layers/${layer}/structure/name/`, { ...token(), body });
  const refused = await change({ type: 'number' });
  assert.deepEqual([refused.status, /name_check/.test(refused.text)], [400, true]);
  done(await change({ type: 'string', name: 'Name' }));
  done(
    await server.request('PATCH', `/m/layers/${layer}/structure/name/`, {
      ...token(),
      body: { type: 'string', code: 'title' },
    }),
  );
  violated(await create(layer, { title: 'b' }), 'title');
  done(await server.request('DELETE', `/m/layers/${layer}/structure/title/`, token()));
  assert.deepEqual(await server.admin('GET', `/m/layers/${layer}/constraints/`), []);
  done(await create(layer, { size: 1 }));
});

const mistakes: [body: object, status: number, code: string][] = [
  [{ type: 'fancy', columns: ['name'] }, 400, 'bad_request'],
  [{ type: 'unique', columns: [] }, 400, 'bad_request'],
  [{ type: 'unique', columns: ['nothing'] }, 404, 'column_not_found'],
  [{ type: 'unique', columns: ['name', 'name'] }, 400, 'bad_request'],
  [{ type: 'unique', columns: ['data'] }, 400, 'bad_request'],
  [{ type: 'unique', columns: ['geom'] }, 400, 'bad_request'],
  [{ type: 'unique', columns: ['svc_id'] }, 400, 'bad_request'],
  [{ type: 'unique', columns: ['name'], definition: ['a'] }, 400, 'bad_request'],
  [{ type: 'check', columns: ['name', 'size'], definition: ['a'] }, 400, 'bad_request'],
  [{ type: 'check', columns: ['name'] }, 400, 'bad_request'],
  [{ type: 'check', columns: ['size'], definition: ['many'] }, 500, 'value_invalid'],
  [{ type: 'check', columns: ['name'], definition: Array(10_001).fill('a') }, 400, 'bad_request'],
  [{ type: 'range', columns: ['size'], definition: [1] }, 400, 'bad_request'],
  [{ type: 'range', columns: ['size'], definition: [null, null] }, 400, 'bad_request'],
  [{ type: 'dictionary', columns: ['name'] }, 500, 'required_missing'],
  [{ type: 'unique', columns: ['name'], name: '' }, 400, 'bad_request'],
  [{ type: 'unique', columns: ['name'], name: 'a\u0000b' }, 400, 'bad_request'],
  [{ columns: ['name'] }, 500, 'required_missing'],
];
test('mistakes are refused, and nothing is made', async () => {
  const layer = await newLayer();
  for (const [body, status, code] of mistakes) {
    const answer = await server.request('POST', `/m/layers/${layer}/constraints/`, {
      ...token(),
      body,
      headers: { accept: 'application/json' },
    });
    assert.deepEqual([answer.status, answer.json.code], [status, code], JSON.stringify(body).slice(0, 200));
  }
  assert.deepEqual(await server.admin('GET', `/m/layers/${layer}/constraints/`), []);
});

test('hostile values and names are stored as ordinary ones', async () => {
  const layer = await newLayer();
  const texts = hostileTexts.filter((text) => !/\p{C}/u.test(text));
  for (const name of texts)
    done(await constrain(layer, { type: 'check', columns: ['name'], definition: texts, name }));
  for (const name of texts) done(await create(layer, { name }));
  violated(await create(layer, { name: `${texts[0]} ` }), 'name');
  assert.deepEqual(
    (await server.admin('GET', `/m/layers/${layer}/constraints/`)).map((one: any) => one.name).toSorted(),
    texts.toSorted(),
  );
});

const link = (layer: string, body: object): Promise<TestAnswer> =>
  server.request('POST', `/m/dictionaries/${layer}/`, { ...token(), body });

test('a strict dictionary: values must exist, and used values cannot be removed', async () => {
  const [layer, kinds] = [await newLayer(), await newLayer()];
  for (const name of ['park', 'lake', 'hill']) await create(kinds, { name });
  const made = await link(layer, { column_code: 'name', dict_layer_code: kinds, dict_column_code: 'name' });
  assert.deepEqual(made.json, [
    {
      constraint_name: 'name_dictionary',
      map_code: 'm',
      layer_code: layer,
      column_code: 'name',
      dict_map_code: 'm',
      dict_layer_code: kinds,
      dict_column_code: 'name',
    },
  ]);
  const { id } = (await create(layer, { name: 'park' })).json;
  done(await create(layer, { name: null }));
  violated(await create(layer, { name: 'sea' }), 'name');
  violated(await load(layer, [{ name: 'lake' }, { name: 'sea' }]), 'name');
  done(await load(layer, [{ name: 'lake' }]));

  const remove = (path: string): Promise<TestAnswer> => server.request('DELETE', path, token());
  violated(await remove(`/m/layers/${kinds}/objects/1/`), 'name');
  violated(await update(kinds, 1, { name: 'garden' }), 'name');
  violated(await load(kinds, [{ name: 'park' }], 1), 'name');
  done(await remove(`/m/layers/${kinds}/objects/3/`));
  done(await update(layer, id, { name: 'lake' }));
  done(await update(kinds, 1, { name: 'garden' }));
  done(await load(kinds, [{ name: 'lake' }, { name: 'sea' }], 1));

  const [shown] = await server.admin('GET', `/m/layers/${layer}/constraints/`);
  assert.deepEqual([shown.type, shown.definition], ['dictionary', ['lake', 'sea']]);
  for (const path of [`/m/layers/${kinds}/structure/name/`, `/m/layers/${kinds}/`])
    assert.equal((await remove(path)).status, 400, path);
  done(await remove(`/m/layers/${kinds}/?force=1`));
  done(await create(layer, { name: 'anything' }));
  assert.deepEqual(await server.admin('GET', '/m/dictionaries/'), []);
});

test('removal of a value while another request writes it: one of the two is refused', async () => {
  const [layer, kinds] = [await newLayer(), await newLayer()];
  for (let round = 0; round < 6; round++) {
    const name = `kind ${round}`;
    const { id } = (await create(kinds, { name })).json;
    if (!round)
      done(await link(layer, { column_code: 'name', dict_layer_code: kinds, dict_column_code: 'name' }));
    const [written, removed] = await Promise.all([
      create(layer, { name }),
      server.request('DELETE', `/m/layers/${kinds}/objects/${id}/`, token()),
    ]);
    assert.equal([written, removed].filter(({ status }) => status === 200).length, 1);
  }
});

test('a dictionary of another map prevents deletion of that map and its folders until the link is removed', async () => {
  const other = freshCode('d');
  await server.admin('POST', '/', { code: other });
  const folder = await server.admin('POST', `/${other}/folders/`, { code: 'f' });
  await server.admin('POST', `/${other}/layers/`, { code: 'words', parent_id: folder.id });
  await server.admin('POST', `/${other}/layers/words/structure/`, { code: 'word', type: 'text' });
  const layer = await newLayer();
  const body = {
    column_code: 'name',
    dict_map_code: other,
    dict_layer_code: 'words',
    dict_column_code: 'word',
  };
  done(await link(layer, body));
  for (const path of [`/${other}/layers/words/`, `/${other}/folders/f/`, `/${other}/`]) {
    const { status, text } = await server.request('DELETE', path, token());
    assert.equal(status, 400);
    assert.match(text, new RegExp(`take their values from here: m\\.${layer}\\.name; remove`));
  }
  const wrong = await link(layer, { ...body, column_code: 'size' });
  assert.equal(wrong.status, 400);
  const gone = await server.request('DELETE', `/m/dictionaries/${layer}/`, {
    ...token(),
    body: { constraint_name: 'name_dictionary' },
  });
  assert.deepEqual(gone.json, []);
  done(await server.request('DELETE', `/${other}/`, token()));
});

test('a non-strict dictionary only suggests values', async () => {
  const [layer, kinds] = [await newLayer(), await newLayer()];
  const post = (body: object): Promise<TestAnswer> =>
    server.request('POST', `/m/dictionaries_f/${layer}/`, { ...token(), body });
  const body = { column_code: 'name', dict_layer_code: kinds, dict_column_code: 'name' };
  done(await post(body));
  const made = await post({ ...body, match_type: 'prefix', multi_delimiter: ',;' });
  const ids = await Promise.all([
    server.admin('GET', '/m/'),
    server.admin('GET', `/m/layers/${layer}/`),
    server.admin('GET', `/m/layers/${layer}/structure/`),
  ]);
  const column = ids[2].find(({ code }: { code: string }) => code === 'name');
  assert.deepEqual(made.json.length, 1);
  const { id, match_type, multi_delimiter } = made.json[0];
  assert.deepEqual(
    [id, match_type, multi_delimiter],
    [`${ids[0].id}_${ids[1].id}_${column.id}`, 'prefix', ',;'],
  );
  assert.deepEqual(await server.admin('GET', '/m/dictionaries_f/'), made.json);
  done(await create(layer, { name: 'whatever' }));
  assert.equal((await post({ ...body, match_type: 'sounds like' })).status, 400);
  done(await server.request('DELETE', `/m/layers/${kinds}/`, token()));
  assert.deepEqual(await server.admin('GET', `/m/dictionaries_f/${layer}/`), []);
});

test('only callers who may view both sides see links; only administrators see constraints', async () => {
  const [layer, kinds] = [await newLayer(), await newLayer()];
  const body = { column_code: 'name', dict_layer_code: kinds, dict_column_code: 'name' };
  done(await link(layer, body));
  const viewer = await signIn(server, { '/m/rights/': 'view', [`/m/layers/${kinds}/rights/`]: 'none' });
  await server.admin('PUT', `/m/layers/${kinds}/rights/`, { user: 'public', right: 'none' });
  assert.deepEqual((await server.request('GET', `/m/dictionaries/${layer}/`, { token: viewer })).json, []);
  const editor = await signIn(server, { '/m/rights/': 'edit' });
  assert.equal(
    (await server.request('GET', `/m/layers/${layer}/constraints/`, { token: editor })).status,
    403,
  );
  const outsider = await signIn(server, { '/m/rights/': 'edit', [`/m/layers/${kinds}/rights/`]: 'none' });
  const tried = await server.request('POST', `/m/dictionaries/${layer}/`, {
    token: outsider,
    body: { ...body, column_code: 'label' },
  });
  assert.equal(tried.status, 403);

  // Without the right to view the dictionary, a write would reveal its values.
  done(
    await server.request('POST', `/m/layers/${kinds}/objects/`, {
      ...token(),
      body: { fields: { name: 'a' } },
    }),
  );
  const objects = `/m/layers/${layer}/objects/`;
  const write = (fields: object) => server.request('POST', objects, { token: outsider, body: { fields } });
  const collection = {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { name: 'a' }, geometry: null }],
  };
  const asked = [
    await write({ name: 'a' }),
    await write({ name: 'none' }),
    await server.request('POST', `/m/layers/${layer}/import/`, { token: outsider, body: collection }),
  ];
  for (const { status, text } of asked) {
    assert.equal(status, 403, text);
    assert.match(text, new RegExp(`m\\.${kinds}`));
  }
  const made = await write({ label: 'x', name: null });
  done(made);
  done(
    await server.request('PUT', `${objects}${made.json.id}/`, {
      ...token(),
      body: { fields: { name: 'a' } },
    }),
  );
  const other = await server.request('PUT', `${objects}${made.json.id}/`, {
    token: outsider,
    body: { fields: { label: 'y' } },
  });
  assert.equal(other.status, 200, other.text);
});

test('violations/ counts what a constraint of each type would refuse, and changes nothing', async () => {
  const [layer, kinds] = [await newLayer(), await newLayer()];
  for (const [name, size] of [
    ['a', 1],
    ['a', 2],
    ['b', 30],
    [null, null],
  ] as const)
    done(await create(layer, { name, size, label: name }));
  done(await create(kinds, { name: 'b' }));
  const violations = (body: object, by = server.adminToken) =>
    server.request('POST', `/m/layers/${layer}/constraints/violations/`, { token: by, body });
  const dictionary = {
    type: 'dictionary',
    columns: ['name'],
    dict_layer_code: kinds,
    dict_column_code: 'name',
  };
  for (const [body, refused] of [
    [{ type: 'unique', columns: ['name'] }, ['1 a', '2 a']],
    [{ type: 'unique', columns: ['label'] }, ['1 a', '2 a']],
    [{ type: 'unique', columns: ['name', 'size'] }, []],
    [{ type: 'range', columns: ['size'], definition: [null, 10] }, ['3 30']],
    [{ type: 'check', columns: ['name'], definition: ['a'] }, ['3 b']],
    [dictionary, ['1 a', '2 a']],
  ] as [object, string[]][]) {
    const { status, json, text } = await violations(body);
    assert.equal(status, 200, text);
    const examples = json.examples.map(({ id, value }: { id: number; value: string }) => `${id} ${value}`);
    assert.deepEqual(
      [json.values, json.violations, examples],
      [3, refused.length, refused],
      JSON.stringify(body),
    );
  }
  assert.deepEqual(await server.admin('GET', `/m/layers/${layer}/constraints/`), []);
  assert.equal((await violations({ type: 'range', columns: ['size'], definition: ['x', null] })).status, 500);
  assert.equal((await violations({ type: 'dictionary', columns: ['name'] })).json.code, 'required_missing');
  for (const text of hostileTexts)
    assert.equal(
      (await violations({ type: 'check', columns: ['name'], definition: [text] })).status,
      200,
      text,
    );
  await server.admin('PUT', `/m/layers/${kinds}/rights/`, { user: 'public', right: 'none' });
  const outsider = await signIn(server, { '/m/rights/': 'edit', [`/m/layers/${kinds}/rights/`]: 'none' });
  assert.equal((await violations(dictionary, outsider)).status, 403);
});
