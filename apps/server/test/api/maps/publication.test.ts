import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { hostileTexts, outcome, signIn, unstorableTexts } from '../access/people.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.stop());

const admin = (method: string, path: string, body?: unknown) =>
  outcome(server, method, path, { token: server.adminToken, body });

interface World {
  code: string;
  map: any;
  a: any;
  b: any;
  c: any;
  folder: any;
}

/** A map: folder g with layer b, and the layers a and c. */
async function world(): Promise<World> {
  const code = freshCode('m');
  const map = await server.admin('POST', '/', { code });
  const a = await server.admin('POST', `/${code}/layers/`, {
    code: 'a',
    name: 'A',
    css_style: '#a { line-width: 1; }',
  });
  const folder = await server.admin('POST', `/${code}/folders/`, {
    code: 'g',
    localized_name: true,
    name: { en: 'Group', ru: 'Группа' },
  });
  const b = await server.admin('POST', `/${code}/layers/`, {
    code: 'b',
    parent_id: folder.id,
    selected: false,
  });
  const c = await server.admin('POST', `/${code}/layers/`, { code: 'c', icon: '/c.png' });
  return { code, map, a, b, c, folder };
}

test('the whole tree: containers under their ids, each before its content', async () => {
  const { code, map, a, b, c, folder } = await world();
  const item = (container: any, rest: object) => ({
    id: container.id,
    type: 'layer',
    code: container.code,
    name: container.name,
    sort: container.sort,
    parent_id: container.parent_id,
    selected: container.selected,
    map_layer_id: container.id,
    icon: container.icon,
    render_type: 0,
    ...rest,
  });
  const full = [
    item(a, {}),
    item(folder, { type: 'folder', name: 'Group', view_format_type: 0 }),
    item(b, { parent_id: folder.id }),
    item(c, {}),
  ];
  assert.deepEqual((await server.request('GET', `/${code}/layers/?type=full`)).json, full);
  assert.deepEqual(
    full.map(({ parent_id, selected }) => [parent_id, selected]),
    [
      [map.id, true],
      [map.id, true],
      [folder.id, false],
      [map.id, true],
    ],
  );
  assert.deepEqual(
    (await server.request('GET', `/${code}/layers/`)).json,
    full.map((one) => ({ ...one, selected: true, parent_id: one.parent_id === map.id ? 0 : one.parent_id })),
    'before a tree was saved: all, each selected, under the root 0',
  );
  const names = (await server.request('GET', `/${code}/layers/?type=full&lng=ru`)).json.map(
    (one: any) => one.name,
  );
  assert.deepEqual(names, ['A', 'Группа', '', '']);
  assert.deepEqual((await server.request('GET', `/${freshCode()}/layers/`)).status, 404);
});

test('styles and extents of a tree', async () => {
  const { code } = await world();
  const point = (coordinates: number[]) => ({ fields: {}, geom: { type: 'Point', coordinates } });
  await server.admin('POST', `/${code}/layers/a/objects/`, point([10, 20]));
  await server.admin('POST', `/${code}/layers/a/objects/`, point([30, 40]));
  for (const type of ['full', 'publish']) {
    const get = async (query: string) =>
      Object.fromEntries(
        (await server.request('GET', `/${code}/layers/?type=${type}&${query}`)).json.map((item: any) => [
          item.code,
          item,
        ]),
      );
    const css = await get('returnCss=1');
    assert.equal(css.a.css_style, '#a { line-width: 1; }');
    assert.ok(css.b.css_style.includes('#b') && !('css_style' in css.g) && !('bbox' in css.a));
    const boxes = await get('returnBbox=1');
    assert.deepEqual(boxes.a.bbox, { sw: [20, 10], ne: [40, 30] });
    assert.equal(boxes.b.bbox, null);
    assert.ok(!('bbox' in boxes.g) && !('css_style' in boxes.a));
    const metres = (await get('returnBbox=true&bboxSR=3857')).a.bbox;
    for (const [actual, expected] of [
      [metres.sw[0], 2273030.92699],
      [metres.sw[1], 1113194.90793],
      [metres.ne[0], 4865942.2795],
      [metres.ne[1], 3339584.7238],
    ])
      assert.ok(Math.abs(actual - expected!) < 0.001, JSON.stringify(metres));
    assert.ok(!('bbox' in (await get('returnBbox=0')).a));
  }
  await server.admin('POST', `/${code}/layers/a/objects/`, point([50, 0]));
  const after = (await server.request('GET', `/${code}/layers/?returnBbox=1`)).json[0];
  assert.deepEqual(after.bbox, { sw: [0, 10], ne: [40, 50] }, 'an extent is never older than the last write');
});

for (const query of ['type=half', 'returnBbox=2', 'returnCss=yes', 'bboxSR=4325', 'lng=x', 'f=xml']) {
  test(`?${query} is refused`, async () => {
    const { code } = await world();
    assert.deepEqual(await admin('GET', `/${code}/layers/?${query}`), [400, 'bad_request']);
  });
}

test('a saved tree: own ids, order, check marks and icons', async () => {
  const { code, a, b, c, folder } = await world();
  const saved = await server.admin('POST', `/${code}/publish/?lng=ru`, [
    { id: 30, parent_id: 10, map_layer_id: b.id, sort: 2 },
    { id: 10, parent_id: 0, map_layer_id: folder.id, sort: 1.5, unknown: 'is ignored' },
    { id: 20, parent_id: 0, map_layer_id: c.id, sort: 1, selected: false },
    { id: 40, parent_id: 10, map_layer_id: a.id, sort: -1, icon: '/own.png' },
    { id: 9007199254740991, parent_id: 10, map_layer_id: a.id, sort: 3 },
  ]);
  assert.deepEqual(
    saved.map((item: any) => [
      item.id,
      item.code,
      item.parent_id,
      item.sort,
      item.selected,
      item.icon,
      item.map_layer_id,
    ]),
    [
      [20, 'c', 0, 1, false, '/c.png', c.id],
      [10, 'g', 0, 1.5, true, '', folder.id],
      [40, 'a', 10, -1, true, '/own.png', a.id],
      [30, 'b', 10, 2, true, '', b.id],
      [9007199254740991, 'a', 10, 3, true, '', a.id],
    ],
  );
  assert.equal(saved[1].name, 'Группа');
  assert.deepEqual((await server.request('GET', `/${code}/layers/?lng=ru`)).json, saved);
  assert.deepEqual(
    (await server.request('GET', `/${code}/layers/?type=full`)).json.length,
    4,
    'the tree of the map stays',
  );
  await server.admin('POST', `/${code}/layers/`, { code: 'later' });
  assert.equal(
    (await server.request('GET', `/${code}/layers/`)).json.length,
    5,
    'what is made later is not in it',
  );
  assert.deepEqual(await server.admin('POST', `/${code}/publish/`, []), [], 'an empty tree is one too');
  assert.deepEqual((await server.request('GET', `/${code}/layers/`)).json, []);
});

test('without sort the order of the array counts', async () => {
  const { code, a, b, c } = await world();
  const saved = await server.admin(
    'POST',
    `/${code}/publish/`,
    [c, a, b].map((layer, i) => ({ id: 100 - i, parent_id: 0, map_layer_id: layer.id })),
  );
  assert.deepEqual(
    saved.map((item: any) => [item.code, item.sort]),
    [
      ['c', 1],
      ['a', 2],
      ['b', 3],
    ],
  );
});

/** An item of a tree to publish. */
const itemOf = (id: number, parent_id: number, layer: any) => ({ id, parent_id, map_layer_id: layer.id });

test('an error in a tree is named, and the old tree stays', async () => {
  const { code, a, b, c, folder, map } = await world();
  const other = await world();
  const saved = await server.admin('POST', `/${code}/publish/`, [
    { id: 1, parent_id: 0, map_layer_id: a.id },
  ]);
  const item = (id: number, parent_id: number, layer: any = a) => itemOf(id, parent_id, layer);
  /** A tree, the item that is named. */
  const wrong: [object[], number][] = [
    [[item(1, 0, { id: 999_999 })], 1],
    [[item(1, 0, { id: 1e300 })], 1],
    [[item(1, 0, map)], 1],
    [[item(1, 0), item(2, 0, other.a)], 2],
    [[item(1, 0), item(1, 0, b)], 1],
    [[item(1, 0), item(2, 7)], 2],
    [[item(2, -1)], 2],
    [[item(0, 0)], 0],
    [[item(-5, 0)], -5],
    [[item(1e300, 0)], 1e300],
    [[item(5, 5)], 5],
    [[item(3, 4), item(4, 3, b)], 3],
    [[item(1, 0), item(6, 8, folder), item(7, 6, b), item(8, 7, c)], 6],
    ...unstorableTexts.map((icon): [object[], number] => [[{ ...item(1, 0), icon }], 1]),
  ];
  for (const [tree, named] of wrong) {
    const answer = await server.request('POST', `/${code}/publish/`, {
      token: server.adminToken,
      body: tree,
      headers: { accept: 'application/json' },
    });
    assert.deepEqual([answer.status, answer.json.code], [400, 'bad_request'], JSON.stringify(tree));
    if (!('icon' in tree[0]!)) {
      assert.equal(answer.json.data.item, named, JSON.stringify(tree));
      assert.match(answer.json.message, new RegExp(`Item ${String(named).replace('+', '\\+')}:`));
    }
    assert.deepEqual((await server.request('GET', `/${code}/layers/`)).json, saved);
  }
});

test('a body of the wrong form is refused, and the old tree stays', async () => {
  const { code, a } = await world();
  const saved = await server.admin('POST', `/${code}/publish/`, [
    { id: 1, parent_id: 0, map_layer_id: a.id },
  ]);
  /** Bodies of the wrong form: status. */
  const malformed: [unknown, number][] = [
    [{}, 400],
    ['[', 400],
    [[{ id: 1, parent_id: 0 }], 500],
    [[{ id: 1, map_layer_id: a.id }], 500],
    [[{ parent_id: 0, map_layer_id: a.id }], 500],
    [[{ ...itemOf(1, 0, a), id: '1' }], 400],
    [[{ ...itemOf(1, 0, a), id: 1.5 }], 400],
    [[{ ...itemOf(1, 0, a), selected: 1 }], 400],
    [[{ ...itemOf(1, 0, a), sort: 'first' }], 400],
    [[null], 400],
  ];
  for (const [body, status] of malformed) {
    const answer = await server.request('POST', `/${code}/publish/`, {
      token: server.adminToken,
      body,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(answer.status, status, JSON.stringify(body));
    assert.equal(
      answer.headers.get('content-type')?.split(';')[0],
      status === 500 ? 'application/json' : 'text/html',
    );
    if (status === 500) assert.equal(answer.json.code, 'required_missing');
  }
  assert.deepEqual((await server.request('GET', `/${code}/layers/`)).json, saved);
});

test('a tree is as deep and as long as it likes', async () => {
  const { code, a } = await world();
  const deep = Array.from({ length: 10_000 }, (_, i) => ({ id: i + 1, parent_id: i, map_layer_id: a.id }));
  const saved = await server.admin('POST', `/${code}/publish/`, deep);
  assert.deepEqual(
    saved.map((item: any) => item.id),
    deep.map(({ id }) => id),
  );
  const long = deep.map((item) => ({ ...item, parent_id: 0 }));
  assert.equal((await server.admin('POST', `/${code}/publish/`, long.reverse()))[0].id, 10_000);
});

test('a deleted layer leaves the tree, and what lay below it comes up', async () => {
  const { code, a, b, c, folder } = await world();
  await server.admin('POST', `/${code}/publish/`, [
    { id: 1, parent_id: 0, map_layer_id: folder.id },
    { id: 2, parent_id: 1, map_layer_id: a.id },
    { id: 3, parent_id: 2, map_layer_id: c.id },
    { id: 4, parent_id: 3, map_layer_id: b.id },
  ]);
  await server.admin('DELETE', `/${code}/layers/a/`);
  const tree = async () =>
    (await server.request('GET', `/${code}/layers/`)).json.map((item: any) => [item.id, item.parent_id]);
  assert.deepEqual(await tree(), [
    [1, 0],
    [3, 0],
    [4, 3],
  ]);
  await server.admin('DELETE', `/${code}/folders/g/`);
  assert.deepEqual(await tree(), [[3, 0]], 'b lay in the folder');
});

test('layers that the caller may not view are left out of both trees; a folder stays', async () => {
  const { code, a, b, c, folder } = await world();
  await server.admin('PUT', `/${code}/layers/b/rights/`, { user: 'public', right: 'none' });
  const friend = await signIn(server, { [`/${code}/layers/b/rights/`]: 'view' });
  const codes = async (type: string, token?: string) =>
    (
      await server.request('GET', `/${code}/layers/?type=${type}&returnBbox=1`, token ? { token } : {})
    ).json.map((item: any) => `${item.code}${item.parent_id === 0 ? '' : `<${item.parent_id}`}`);
  const m = (await server.admin('GET', `/${code}/`)).id;
  assert.deepEqual(await codes('full'), [`a<${m}`, `g<${m}`, `c<${m}`]);
  assert.deepEqual(await codes('full', friend), [`a<${m}`, `g<${m}`, `b<${folder.id}`, `c<${m}`]);
  assert.deepEqual(await codes('publish'), ['a', 'g', 'c']);
  await server.admin('POST', `/${code}/publish/`, [
    { id: 1, parent_id: 0, map_layer_id: folder.id },
    { id: 2, parent_id: 1, map_layer_id: b.id },
    { id: 3, parent_id: 2, map_layer_id: c.id },
    { id: 4, parent_id: 0, map_layer_id: a.id },
  ]);
  assert.deepEqual(await codes('publish'), ['g', 'c<1', 'a'], 'c comes up to the nearest item that is shown');
  assert.deepEqual(await codes('publish', friend), ['g', 'b<1', 'c<2', 'a']);
  assert.equal((await server.request('GET', `/${code}/layers/b/`)).status, 403);
});

test('rights to save, and the version increases', async () => {
  const { code, a, map } = await world();
  const tree = [{ id: 1, parent_id: 0, map_layer_id: a.id }];
  const viewer = await signIn(server);
  const editor = await signIn(server, { [`/${code}/rights/`]: 'edit' });
  const version = async () =>
    (
      await server.db.query<{ version: number }>(
        sql`select version from cartulary.container where id = ${map.id}`,
      )
    )[0]!.version;
  const before = await version();
  assert.deepEqual(await outcome(server, 'POST', `/${code}/publish/`, { body: tree }), [
    401,
    'not_authenticated',
  ]);
  assert.deepEqual(await outcome(server, 'POST', `/${code}/publish/`, { body: tree, token: viewer }), [
    403,
    'forbidden',
  ]);
  assert.equal(await version(), before);
  assert.equal((await outcome(server, 'POST', `/${code}/publish/`, { body: tree, token: editor }))[0], 200);
  assert.ok((await version()) > before);
  assert.deepEqual(await admin('POST', '/none/publish/', tree), [404, 'map_not_found']);
  await server.admin('PATCH', `/${code}/`, { has_publication: false });
  assert.equal((await server.request('GET', `/${code}/layers/`)).status, 403);
  assert.equal((await server.request('GET', `/${code}/layers/`, { token: editor })).status, 200);
});

test('hostile icons come back as they are', async () => {
  const { code, a } = await world();
  const tree = hostileTexts.map((icon, i) => ({ id: i + 1, parent_id: 0, map_layer_id: a.id, icon }));
  const saved = await server.admin('POST', `/${code}/publish/`, tree);
  assert.deepEqual(
    saved.map((item: any) => item.icon),
    hostileTexts,
  );
});

test('a map with hundreds of layers: its tree with extents, and its deletion', async () => {
  const code = freshCode('m');
  await server.admin('POST', '/', { code });
  const layers = Array.from({ length: 300 }, (_, i) => `l${i}`);
  for (const layer of layers) await server.admin('POST', `/${code}/layers/`, { code: layer });
  const tree = await server.admin('GET', `/${code}/layers/?returnBbox=1`);
  assert.deepEqual(
    tree.map((item: any) => [item.code, item.bbox]),
    layers.map((layer) => [layer, null]),
  );
  assert.equal(await server.admin('DELETE', `/${code}/`), true);
});
