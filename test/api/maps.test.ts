import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.stop());
const refused = (method: string, path: string, body?: unknown) =>
  server.request(method, path, { token: server.adminToken, body, headers: { accept: 'application/json' } });

test('maps: make, read, change, list, delete', async () => {
  const map = await server.admin('POST', '/', { code: 'm', name: 'A map' });
  assert.deepEqual(Object.keys(map).sort(), [
    'code',
    'css_style',
    'group_layers',
    'has_publication',
    'id',
    'name',
  ]);
  assert.deepEqual([map.code, map.name, map.group_layers, map.has_publication], ['m', 'A map', 0, true]);
  assert.deepEqual((await server.request('GET', '/m/')).json, map, 'the public may view it');
  assert.equal((await server.admin('POST', '/', { code: 'unnamed' })).name, '');

  const changed = await server.admin('PATCH', '/m/', {
    code: 'n',
    localized_name: true,
    name: { en: 'Map', ru: 'Карта' },
    group_layers: 1,
    comment: 'c',
  });
  assert.deepEqual([changed.code, changed.name, changed.group_layers, changed.id], ['n', 'Map', 1, map.id]);
  assert.equal((await server.request('GET', '/n/?lng=ru')).json.name, 'Карта');
  assert.equal(
    (await server.request('GET', '/n/?lng=de')).json.name,
    'Map',
    'the main language where the asked one is missing',
  );
  await server.admin('PATCH', '/n/?lng=ru', { name: 'Другая' });
  assert.equal((await server.request('GET', '/n/?lng=ru')).json.name, 'Другая');
  assert.equal((await server.request('GET', '/n/')).json.name, 'Map');

  assert.deepEqual(
    (await server.admin('GET', '/maps/available/')).map((item: any) => item.code),
    ['n', 'unnamed'],
  );
  const [item] = await server.admin('GET', '/maps/public/');
  for (const key of [
    'id',
    'type',
    'parent',
    'code',
    'parent_map',
    'sort',
    'show_pub',
    'css_style',
    'localized_name',
    'name',
    'names',
    'access',
    'json',
    'comment',
    'listDepended',
    'table_id',
    'style_mode',
    'render_settings',
    'publish',
    'group_layers',
    'has_publication',
    'locales',
  ]) {
    assert.ok(key in item, key);
  }
  assert.deepEqual([item.type, item.access, item.names], ['map', 3, [{ en: 'Map' }, { ru: 'Другая' }]]);
  assert.equal((await refused('PATCH', '/n/', { css_style: '#x {' })).json.code, 'style_invalid');
  assert.equal(await server.admin('DELETE', '/n/'), true);
  assert.equal((await server.request('GET', '/n/')).status, 404);
});

test('two requests at once for one code: one gets it', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => refused('POST', '/', { code: 'race' })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 500, 500, 500]);
});

test('folders: names, sort, parents, contents', async () => {
  await server.admin('POST', '/', { code: 'f' });
  const { id: mapId } = await server.admin('GET', '/f/');
  const a = await server.admin('POST', '/f/folders/', { code: 'a', name: 'First' });
  assert.deepEqual(
    [a.type, a.parent_id, a.sort, a.map_layer_id, a.name],
    ['folder', mapId, 1, a.id, 'First'],
  );
  const b = await server.admin('POST', '/f/folders/', {
    localized_name: true,
    name: { en: 'B', ru: 'Б' },
    parent_id: mapId,
    sort: 0.5,
  });
  assert.match(b.code, /^folder_/);
  assert.deepEqual([b.sort, b.name], [1, { en: 'B', ru: 'Б' }]);
  assert.equal((await server.admin('GET', `/f/folders/${b.code}/?lng=ru`)).name, 'Б');
  assert.equal((await server.admin('GET', '/f/folders/a/')).sort, 2, 'siblings are numbered anew');
  const inner = await server.admin('POST', '/f/folders/', { code: 'inner', parent_id: a.id });
  const layer = await server.admin('POST', '/f/layers/', { code: 'deep', parent_id: inner.id });
  assert.equal(layer.parent_id, inner.id);

  assert.equal(
    (await refused('PATCH', '/f/folders/a/', { name: 'x' })).json.code,
    'container_not_found',
    'parent_id must be there',
  );
  assert.equal((await refused('PATCH', '/f/folders/a/', { name: 'x', parent_id: inner.id })).status, 404);
  const moved = await server.admin('PUT', '/f/folders/a/', {
    parent_id: mapId,
    name: 'Renamed',
    sort: 1,
    json: { k: 1 },
  });
  assert.deepEqual([moved.name, moved.sort, moved.json], ['Renamed', 1, { k: 1 }]);
  assert.equal(
    (await refused('POST', '/f/folders/', { parent_id: layer.id })).status,
    404,
    'a layer holds no folder',
  );
  assert.equal((await refused('GET', '/f/folders/deep/')).status, 404);
  assert.equal((await server.request('GET', '/f/folders/a/')).status, 401);

  const tree = await server.admin('GET', '/f/layers/?type=full');
  assert.deepEqual(
    tree.map((item: any) => item.code),
    ['a', 'inner', 'deep', b.code],
  );
  assert.equal(await server.admin('DELETE', '/f/folders/a/'), true);
  assert.equal((await server.request('GET', '/f/layers/deep/')).status, 404);
});

test('layers: make, change, extent, delete', async () => {
  await server.admin('POST', '/', { code: 'l' });
  const made = await server.admin('POST', '/l/layers/', {
    code: 'a',
    name: 'A',
    css_style: '#a { marker-width: 5; }',
  });
  assert.deepEqual(
    [made.type, made.code, made.style_mode, made.sort, made.map_layer_id],
    ['layer', 'a', 2, 1, made.id],
  );
  assert.match((await server.admin('POST', '/l/layers/')).code, /^layer_/);
  const renamed = await server.admin('PATCH', '/l/layers/a/', {
    code: 'b-2',
    meta: { date: '2024' },
    json: { x: 1 },
    render_settings: { minZoom: 2 },
  });
  assert.deepEqual(
    [renamed.code, renamed.css_style, renamed.meta, renamed.name],
    ['b-2', '#b-2 { marker-width: 5; }', { date: '2024' }, 'A'],
  );
  assert.equal((await refused('PATCH', '/l/layers/b-2/', { render_settings: { opacity: 3 } })).status, 400);
  assert.equal((await refused('POST', '/l/layers/', { type: 'raster' })).status, 400);
  const style = await refused('PATCH', '/l/layers/b-2/', { css_style: '#b-2 {\n  marker-width: red;\n}' });
  assert.deepEqual(
    [style.status, style.json.code, style.json.data.problems[0].line],
    [500, 'style_invalid', 2],
  );

  assert.equal((await server.request('GET', '/l/layers/b-2/bbox/')).json, null);
  for (const coordinates of [
    [10, 20],
    [30, 40],
  ])
    await server.admin('POST', '/l/layers/b-2/objects/', {
      fields: {},
      geom: { type: 'Point', coordinates },
    });
  assert.deepEqual((await server.request('GET', '/l/layers/b-2/bbox/')).json, { sw: [20, 10], ne: [40, 30] });
  const metres = (await server.request('GET', '/l/layers/b-2/bbox/?bboxSR=3857')).json;
  assert.ok(
    Math.abs(metres.sw[0] - 2273030.93) < 0.01 && Math.abs(metres.sw[1] - 1113194.91) < 0.01,
    JSON.stringify(metres),
  );
  assert.deepEqual((await server.request('GET', '/l/layers/b-2/?returnBbox=1')).json.bbox, {
    sw: [20, 10],
    ne: [40, 30],
  });
  assert.equal((await server.request('GET', '/l/layers/b-2/legend/')).status, 404);
  assert.equal((await refused('POST', '/l/layers/b-2/refresh/')).json.code, 'not_materialized');
  assert.equal(await server.admin('DELETE', '/l/layers/b-2/'), null);
  const again = await server.admin('POST', '/l/layers/', { code: 'b-2' });
  assert.notEqual(again.id, made.id, 'ids are never used again');
  assert.deepEqual(await server.admin('GET', '/l/layers/b-2/objects/'), []);
});

test('publication: the saved tree, and what is wrong with one', async () => {
  await server.admin('POST', '/', { code: 'p' });
  const [a, b] = [
    await server.admin('POST', '/p/layers/', { code: 'a' }),
    await server.admin('POST', '/p/layers/', { code: 'b' }),
  ];
  const folder = await server.admin('POST', '/p/folders/', { code: 'g' });
  const before = await server.admin('GET', '/p/layers/');
  assert.deepEqual(
    before.map((item: any) => [item.code, item.parent_id, item.selected]),
    [
      ['a', 0, true],
      ['b', 0, true],
      ['g', 0, true],
    ],
  );
  const saved = await server.admin('POST', '/p/publish/', [
    { id: 10, parent_id: 0, map_layer_id: folder.id },
    { id: 11, parent_id: 10, map_layer_id: b.id, selected: false, icon: '/i.png' },
  ]);
  assert.deepEqual(
    saved.map((item: any) => [item.id, item.code, item.parent_id, item.selected, item.map_layer_id]),
    [
      [10, 'g', 0, true, folder.id],
      [11, 'b', 10, false, b.id],
    ],
  );
  assert.equal(saved[1].icon, '/i.png');
  const wrong: [object[], number][] = [
    [[{ id: 1, parent_id: 0, map_layer_id: 999_999 }], 1],
    [
      [
        { id: 1, parent_id: 0, map_layer_id: a.id },
        { id: 1, parent_id: 0, map_layer_id: b.id },
      ],
      1,
    ],
    [[{ id: 2, parent_id: 7, map_layer_id: a.id }], 2],
    [
      [
        { id: 3, parent_id: 4, map_layer_id: a.id },
        { id: 4, parent_id: 3, map_layer_id: b.id },
      ],
      3,
    ],
  ];
  for (const [tree, item] of wrong) {
    const answer = await refused('POST', '/p/publish/', tree);
    assert.deepEqual([answer.status, answer.json.data.item], [400, item]);
  }
  assert.deepEqual(await server.admin('GET', '/p/layers/'), saved, 'the old tree stays');
});
