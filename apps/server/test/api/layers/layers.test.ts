import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { hostileTexts, outcome, signIn, unstorableTexts } from '../access/people.js';

let server: TestServer;
test.before(async () => {
  server = await startServer({ CARTULARY_STYLE_LIMIT: '2000' });
});
test.after(() => server.stop());

const admin = (method: string, path: string, body?: unknown) =>
  outcome(server, method, path, { token: server.adminToken, body });
const newMap = async (): Promise<string> => (await server.admin('POST', '/', { code: freshCode('m') })).code;
const point = (coordinates: number[]) => ({ fields: {}, geom: { type: 'Point', coordinates } });

/** Names of the tables, sequences and indexes that belong to layers. */
const relationsOf = async (...ids: number[]): Promise<string[]> => {
  const names = ids.map((id) => `^layer_${id}(_|$)`).join('|');
  const rows = await server.db.query<{ name: string }>(
    sql`select relname as name from pg_class where relname ~ ${names} order by 1`,
  );
  return rows.map(({ name }) => name);
};

test('a layer: every field, made, read, changed, deleted', async () => {
  const map = await newMap();
  const layer = await server.admin('POST', `/${map}/layers/`, { code: 'a', name: 'A' });
  const { id: mapId } = await server.admin('GET', `/${map}/`);
  assert.deepEqual(layer, {
    id: layer.id,
    type: 'layer',
    code: 'a',
    name: 'A',
    sort: 1,
    parent_id: mapId,
    selected: true,
    map_layer_id: layer.id,
    icon: '',
    css_style: layer.css_style,
    render_type: 0,
    style_mode: 0,
    meta: {},
    render_settings: {},
    json: {},
  });
  assert.match(
    layer.css_style,
    /#a\[.*polygon[\s\S]*#a\[.*linestring[\s\S]*#a\[.*point/,
    'a style for every kind',
  );
  assert.deepEqual((await server.request('GET', `/${map}/layers/a/`)).json, layer);
  const change = {
    code: 'b',
    name: 'B',
    css_style: '#b { line-width: 2; }',
    meta: { name: 'image', date: '2024-05-01', cloudy: 3 },
    json: { k: [1] },
    render_settings: { minZoom: 0, maxZoom: 24, opacity: 0.5, buffer: 128, cache: false, own: 'kept' },
    render_type: 1,
    selected: false,
    icon: '/icons/b.png',
  };
  const changed = await server.admin('PUT', `/${map}/layers/a/`, change);
  const { vectorSettings } = changed;
  assert.equal(vectorSettings.id, layer.id);
  assert.deepEqual(changed, { ...layer, ...change, style_mode: 2, vectorSettings });
  assert.deepEqual(
    await server.admin('PUT', `/${map}/layers/b/`, {}),
    changed,
    'what is absent keeps its value',
  );
  const partly = await server.admin('PATCH', `/${map}/layers/b/`, {
    name: '',
    render_type: 0,
    type: 'layer',
  });
  const { vectorSettings: _, ...raster } = changed;
  assert.deepEqual(partly, { ...raster, name: '', render_type: 0 });
  assert.deepEqual(await admin('GET', `/${map}/layers/a/`), [404, 'layer_not_found']);
  assert.equal(await server.admin('DELETE', `/${map}/layers/b/`), null);
  assert.deepEqual(await admin('DELETE', `/${map}/layers/b/`), [404, 'layer_not_found']);
});

test('a layer created with defaults only', async () => {
  const map = await newMap();
  const layer = await server.admin('POST', `/${map}/layers/`, {});
  assert.match(layer.code, /^layer_[0-9a-f]+$/);
  assert.ok(layer.css_style.includes(`#${layer.code}`));
  assert.equal((await server.admin('POST', `/${map}/layers/`)).type, 'layer', 'an empty body is {}');
});

test('a localized name is a text everywhere', async () => {
  const map = await newMap();
  const made = await server.admin('POST', `/${map}/layers/?lng=ru`, {
    code: 'l',
    localized_name: true,
    name: { en: 'Rivers', ru: 'Реки' },
  });
  assert.equal(made.name, 'Реки');
  const name = async (query = '') => (await server.request('GET', `/${map}/layers/l/${query}`)).json.name;
  assert.deepEqual(
    [await name(), await name('?lng=ru'), await name('?lng=de')],
    ['Rivers', 'Реки', 'Rivers'],
  );
  await server.admin('PATCH', `/${map}/layers/l/?lng=de`, { name: 'Flüsse' });
  assert.deepEqual([await name(), await name('?lng=de')], ['Rivers', 'Flüsse']);
  await server.admin('PATCH', `/${map}/layers/l/`, { name: {} });
  assert.equal(await name('?lng=toString'), 'l', 'the code where there is no name');
  assert.equal((await server.request('GET', `/${map}/layers/`)).json[0].name, 'l');
});

test('places: parents, moves, numbers', async () => {
  const map = await newMap();
  const other = await newMap();
  const layers = `/${map}/layers/`;
  const f = await server.admin('POST', `/${map}/folders/`, { code: 'f' });
  const g = await server.admin('POST', `/${map}/folders/`, { code: 'g', parent_id: f.id });
  const foreign = await server.admin('POST', `/${other}/folders/`, {});
  for (const code of ['a', 'b', 'c']) await server.admin('POST', layers, { code });
  assert.equal((await server.admin('POST', layers, { code: 'd', parent_id: g.id, sort: 7 })).sort, 1);
  const tree = async () =>
    (await server.admin('GET', `${layers}?type=full`))
      .map((item: any) => `${item.code}${item.sort}`)
      .join(' ');
  assert.equal(await tree(), 'f1 g1 d1 a2 b3 c4');
  /** Layer, body, the tree after. */
  const moves: [string, object, string][] = [
    ['a', { sort: 4 }, 'f1 g1 d1 b2 c3 a4'],
    ['a', { sort: 1.5 }, 'f1 g1 d1 a2 b3 c4'],
    ['b', { parent_id: g.id }, 'f1 g1 d1 b2 a2 c4'],
    ['c', { parent_id: g.id, sort: 1 }, 'f1 g1 c1 d2 b3 a2'],
    ['c', { parent_id: f.id, sort: 0 }, 'f1 c1 g2 d2 b3 a2'],
    ['a', { sort: -3 }, 'a1 f2 c1 g2 d2 b3'],
    ['d', { parent_id: f.parent_id }, 'a1 f2 c1 g2 b3 d3'],
    ['d', { parent_id: f.parent_id, sort: 2 }, 'a1 d2 f3 c1 g2 b3'],
  ];
  for (const [code, body, after] of moves) {
    await server.admin('PATCH', `${layers}${code}/`, body);
    assert.equal(await tree(), after, `${code} ${JSON.stringify(body)}`);
  }
  const a = await server.admin('GET', `${layers}a/`);
  for (const parent_id of [0, 999_999, 1e300, -1, a.id, foreign.id, foreign.parent_id]) {
    assert.deepEqual(
      await admin('POST', layers, { parent_id }),
      [404, 'container_not_found'],
      String(parent_id),
    );
    assert.deepEqual(await admin('PATCH', `${layers}b/`, { parent_id }), [404, 'container_not_found']);
  }
  assert.equal(await tree(), moves.at(-1)![2]);
});

/** Body of POST, status, code. */
const mistakes: [object, number, string][] = [
  [{ code: '' }, 500, 'code_invalid'],
  [{ code: '1a' }, 500, 'code_invalid'],
  [{ code: 'a.b' }, 500, 'code_invalid'],
  [{ code: 'слой' }, 500, 'code_invalid'],
  [{ code: 'x'.repeat(64) }, 500, 'code_invalid'],
  [{ code: '__proto__' }, 500, 'code_reserved'],
  [{ code: 'taken' }, 500, 'code_taken'],
  [{ code: 'folder' }, 500, 'code_taken'],
  [{ code: ['x'] }, 400, 'bad_request'],
  [{ name: { en: 'x' } }, 400, 'bad_request'],
  [{ css_style: '#taken { line-width: 1; }' }, 500, 'style_invalid'],
  [{ css_style: '#layer { line-width: ; }' }, 500, 'style_invalid'],
  [{ css_style: '#layer { marker-file: url(/etc/passwd); }' }, 500, 'style_invalid'],
  [{ css_style: 'a\u0000b' }, 400, 'bad_request'],
  [{ css_style: `/*${'x'.repeat(2000)}*/` }, 413, 'too_large'],
  [{ css_style: 7 }, 400, 'bad_request'],
  [{ meta: [] }, 400, 'bad_request'],
  [{ json: 7 }, 400, 'bad_request'],
  [{ render_type: 2 }, 400, 'bad_request'],
  [{ render_type: '1' }, 400, 'bad_request'],
  [{ selected: 'yes' }, 400, 'bad_request'],
  [{ icon: 7 }, 400, 'bad_request'],
  [{ sort: null }, 400, 'bad_request'],
  [{ render_settings: [] }, 400, 'bad_request'],
  ...[
    { minZoom: -1 },
    { minZoom: 25 },
    { maxZoom: 24.5 },
    { minZoom: '3' },
    { minZoom: 5, maxZoom: 4 },
    { opacity: 1.1 },
    { opacity: -0.1 },
    { opacity: null },
    { buffer: -1 },
    { buffer: 513 },
    { cache: 1 },
  ].map((render_settings): [object, number, string] => [{ render_settings }, 400, 'bad_request']),
  ...unstorableTexts.flatMap((text): [object, number, string][] => [
    [{ name: text }, 400, 'bad_request'],
    [{ icon: text }, 400, 'bad_request'],
    [{ meta: { text } }, 400, 'bad_request'],
  ]),
];

test('mistakes are refused, and nothing is changed', async () => {
  const map = await newMap();
  const layers = `/${map}/layers/`;
  for (const code of ['taken', 'own']) await server.admin('POST', layers, { code });
  await server.admin('POST', `/${map}/folders/`, { code: 'folder' });
  const state = async () =>
    JSON.stringify([
      await server.admin('GET', `${layers}?type=full&returnCss=1`),
      await server.admin('GET', `${layers}own/`),
    ]);
  const before = await state();
  for (const [body, status, code] of mistakes) {
    const what = JSON.stringify(body).slice(0, 100);
    assert.deepEqual(await admin('POST', layers, { code: 'x', ...body }), [status, code], what);
    for (const method of ['PUT', 'PATCH'])
      assert.deepEqual(
        await admin(method, `${layers}own/`, { name: 'Changed', ...body }),
        [status, code],
        what,
      );
  }
  for (const type of ['vector', 'map', 'folder', '']) {
    const answer = await server.request('POST', layers, {
      token: server.adminToken,
      body: { type },
      headers: { accept: 'application/json' },
    });
    assert.deepEqual(
      [answer.status, answer.json.code, answer.json.data.allowed],
      [400, 'bad_request', ['layer', 'virtual', 'material', 'raster', 'external']],
    );
  }
  assert.deepEqual(await admin('PATCH', `${layers}own/`, { type: 'raster' }), [400, 'bad_request']);
  assert.equal(await state(), before);
});

test('every address of a layer that is not there is 404', async () => {
  const map = await newMap();
  await server.admin('POST', `/${map}/folders/`, { code: 'folder' });
  const paths: [string, string, unknown][] = [
    ['GET', '', undefined],
    ['PUT', '', {}],
    ['PATCH', '', {}],
    ['DELETE', '', undefined],
    ['GET', 'bbox/', undefined],
    ['POST', 'refresh/', {}],
    ['GET', 'legend/', undefined],
    ['GET', 'structure/', undefined],
    ['POST', 'structure/', { code: 'x', type: 'string' }],
    ['PUT', 'structure/x/', { type: 'string' }],
    ['DELETE', 'structure/x/', undefined],
  ];
  for (const [method, path, body] of paths) {
    for (const layer of ['none', 'folder', '%00', encodeURIComponent(`'; drop table x`)]) {
      const at = `/${map}/layers/${layer}/${path}`;
      assert.deepEqual(await admin(method, at, body), [404, 'layer_not_found'], `${method} ${at}`);
    }
    assert.deepEqual(await admin(method, `/none/layers/l/${path}`, body), [404, 'map_not_found']);
  }
});

test('styles: a new code is carried into the style, which is checked against the columns', async () => {
  const map = await newMap();
  const layers = `/${map}/layers/`;
  await server.admin('POST', layers, {
    code: 'old',
    css_style: '/* #old */ #old { line-color: #0ld; }'.replace('#0ld', '#abc'),
  });
  const renamed = await server.admin('PATCH', `${layers}old/`, { code: 'new' });
  assert.deepEqual([renamed.css_style, renamed.style_mode], ['/* #old */ #new { line-color: #abc; }', 2]);
  const both = await server.admin('PATCH', `${layers}new/`, {
    code: 'newer',
    css_style: '#newer { line-width: 1; }',
  });
  assert.equal(both.css_style, '#newer { line-width: 1; }');
  assert.deepEqual(
    await admin('PATCH', `${layers}newer/`, { code: 'other', css_style: '#newer { line-width: 1; }' }),
    [500, 'style_invalid'],
  );
  const unset = await server.admin('PATCH', `${layers}newer/`, { css_style: '' });
  assert.deepEqual([unset.css_style, unset.style_mode], ['', 0]);

  const style = '#newer[size > 5] { line-width: 1; }';
  assert.equal(
    (await server.admin('PATCH', `${layers}newer/`, { css_style: style })).css_style,
    style,
    'the columns come with the data',
  );
  await server.admin('POST', `${layers}newer/structure/`, { code: 'size', type: 'number' });
  await server.admin('PATCH', `${layers}newer/`, { css_style: style });
  const answer = await server.request('PATCH', `${layers}newer/`, {
    token: server.adminToken,
    body: { css_style: '#newer {\n  line-width: [siz];\n}' },
  });
  assert.equal(answer.json.code, 'style_invalid');
  assert.deepEqual([answer.json.data.problems[0].line, answer.json.data.problems[0].column], [2, 15]);
  assert.match(answer.json.message, /line 2, column 15: the layer has no column 'siz'/);
});

test('the extent: of objects as they are, in both projections, null without geometry', async () => {
  const map = await newMap();
  const layers = `/${map}/layers/`;
  await server.admin('POST', layers, { code: 'l' });
  const bbox = async (query = '') => (await server.request('GET', `${layers}l/bbox/${query}`)).json;
  assert.equal((await server.request('GET', `${layers}l/bbox/`)).text, 'null');
  const first = await server.admin('POST', `${layers}l/objects/`, point([10, 20]));
  await server.admin('POST', `${layers}l/objects/`, { fields: {} });
  assert.deepEqual(await bbox(), { sw: [20, 10], ne: [20, 10] });
  await server.admin('POST', `${layers}l/objects/`, point([-179.5, -89.5]));
  assert.deepEqual(await bbox(), { sw: [-89.5, -179.5], ne: [20, 10] });
  const { sw, ne } = await bbox('?bboxSR=3857');
  const near = (actual: number, expected: number) =>
    assert.ok(Math.abs(actual - expected) < 1, `${actual} ${expected}`);
  near(ne[0], 2_273_031);
  near(ne[1], 1_113_195);
  near(sw[1], -19_981_849);
  near(sw[0], -6_378_137 * Math.asinh(Math.tan((89.5 * Math.PI) / 180)));
  const layer = (await server.request('GET', `${layers}l/?returnBbox=1`)).json;
  assert.deepEqual(layer.bbox, { sw: [-89.5, -179.5], ne: [20, 10] });
  assert.ok(!('bbox' in (await server.request('GET', `${layers}l/`)).json));
  await server.admin('DELETE', `${layers}l/objects/${first.id}/`);
  assert.deepEqual(await bbox(), { sw: [-89.5, -179.5], ne: [-89.5, -179.5] });
  assert.deepEqual(await admin('GET', `${layers}l/bbox/?bboxSR=4325`), [400, 'bad_request']);
  assert.deepEqual(await admin('GET', `${layers}l/?returnBbox=yes`), [400, 'bad_request']);
});

test('refresh and legend of an ordinary layer', async () => {
  const map = await newMap();
  await server.admin('POST', `/${map}/layers/`, { code: 'l' });
  assert.deepEqual(await admin('POST', `/${map}/layers/l/refresh/`, {}), [500, 'not_materialized']);
  assert.deepEqual(await admin('GET', `/${map}/layers/l/legend/`), [404, 'layer_not_found']);
});

test('deleting a layer drops its table; its id is never used again', async () => {
  const map = await newMap();
  const layers = `/${map}/layers/`;
  const first = await server.admin('POST', layers, { code: 'l' });
  const kept = await server.admin('POST', layers, { code: 'kept' });
  assert.deepEqual(await relationsOf(first.id), [
    `layer_${first.id}`,
    `layer_${first.id}_geom`,
    `layer_${first.id}_pkey`,
    `layer_${first.id}_svc_id_seq`,
  ]);
  await server.admin('POST', `${layers}l/objects/`, point([1, 1]));
  const answers = await Promise.all([1, 2, 3].map(() => admin('DELETE', `${layers}l/?force=1`)));
  assert.deepEqual(answers.map(([status]) => status).sort(), [200, 404, 404]);
  assert.deepEqual(await relationsOf(first.id), []);
  assert.equal((await relationsOf(kept.id)).length, 4);
  const second = await server.admin('POST', layers, { code: 'l' });
  assert.ok(second.id > first.id);
  assert.deepEqual(await server.admin('GET', `${layers}l/objects/`), []);
  assert.equal((await server.request('GET', `${layers}l/bbox/`)).json, null);
});

test('hostile texts are stored and returned as they are', async () => {
  const map = await newMap();
  for (const text of hostileTexts) {
    const layer = await server.admin('POST', `/${map}/layers/`, {
      name: text,
      icon: text,
      meta: { text },
      json: { text },
    });
    assert.deepEqual([layer.name, layer.icon, layer.meta, layer.json], [text, text, { text }, { text }]);
    assert.deepEqual((await server.request('GET', `/${map}/layers/${layer.code}/`)).json, layer);
    assert.deepEqual(await admin('PATCH', `/${map}/layers/${layer.code}/`, { css_style: text }), [
      500,
      'style_invalid',
    ]);
  }
});

test('simultaneous requests: one gets the code, all changes are kept', async () => {
  const map = await newMap();
  const layers = `/${map}/layers/`;
  const race = await Promise.all([1, 2, 3].map(() => admin('POST', layers, { code: 'race' })));
  assert.deepEqual(race.map(([status, code]) => code ?? status).sort(), [200, 'code_taken', 'code_taken']);
  const folderOrLayer = await Promise.all([
    admin('POST', layers, { code: 'both' }),
    admin('POST', `/${map}/folders/`, { code: 'both' }),
  ]);
  assert.deepEqual(folderOrLayer.map(([, code]) => code).sort(), ['code_taken', undefined]);
  const bodies = [
    { name: 'N' },
    { json: { j: 1 } },
    { meta: { m: 1 } },
    { icon: '/i' },
    { sort: 2 },
    { selected: false },
  ];
  await Promise.all(bodies.map((body) => server.admin('PATCH', `${layers}race/`, body)));
  const layer = await server.admin('GET', `${layers}race/`);
  assert.deepEqual(
    [layer.name, layer.json, layer.meta, layer.icon, layer.sort, layer.selected],
    ['N', { j: 1 }, { m: 1 }, '/i', 2, false],
  );
  await server.admin('POST', layers, { code: 'second' });
  const renames = await Promise.all(
    ['race', 'second'].map((code) => admin('PATCH', `${layers}${code}/`, { code: 'one' })),
  );
  assert.deepEqual(renames.map(([status]) => status).sort(), [200, 500]);
});

test('rights of each caller', async () => {
  const map = await newMap();
  const layers = `/${map}/layers/`;
  for (const code of ['l', 'closed']) await server.admin('POST', layers, { code });
  await server.admin('PUT', `${layers}closed/rights/`, { user: 'public', right: 'none' });
  const viewer = await signIn(server);
  const ofLayer = await signIn(server, { [`${layers}l/rights/`]: 'edit' });
  const ofMap = await signIn(server, { [`/${map}/rights/`]: 'edit' });
  const column = { code: freshCode('c'), type: 'string' };
  /** Method, path, body; status without a token, of a viewer, of an editor of the layer l, of an editor of the map. */
  const cases: [string, string, unknown, number, number, number, number][] = [
    ['GET', 'l/', undefined, 200, 200, 200, 200],
    ['GET', 'l/bbox/', undefined, 200, 200, 200, 200],
    ['GET', 'l/structure/', undefined, 200, 200, 200, 200],
    ['GET', 'l/legend/', undefined, 404, 404, 404, 404],
    ['GET', 'closed/', undefined, 403, 403, 403, 200],
    ['GET', 'closed/bbox/', undefined, 403, 403, 403, 200],
    ['GET', 'closed/structure/', undefined, 403, 403, 403, 200],
    ['POST', '', { code: 'l' }, 401, 403, 403, 500],
    ['PATCH', 'l/', {}, 401, 403, 200, 200],
    ['PUT', 'l/', {}, 401, 403, 200, 200],
    ['POST', 'l/refresh/', {}, 401, 500, 500, 500],
    ['POST', 'closed/refresh/', {}, 401, 403, 403, 500],
    ['POST', 'l/structure/', column, 401, 403, 200, 500],
    ['PATCH', `l/structure/${column.code}/`, { type: 'string' }, 401, 403, 200, 200],
    ['DELETE', `l/structure/${column.code}/`, undefined, 401, 403, 200, 404],
    ['DELETE', 'closed/', undefined, 401, 403, 403, 200],
    ['DELETE', 'l/', undefined, 401, 403, 200, 404],
  ];
  for (const [method, path, body, ...expected] of cases) {
    const statuses: number[] = [];
    for (const token of [undefined, viewer, ofLayer, ofMap]) {
      const options = token === undefined ? { body } : { token, body };
      statuses.push((await outcome(server, method, layers + path, options))[0]);
    }
    assert.deepEqual(statuses, expected, `${method} ${path}`);
  }
});

test('every write raises the version of the map', async () => {
  const code = await newMap();
  const version = async () =>
    (
      await server.db.query<{ version: number }>(
        sql`select version from cartulary.container where code = ${code}`,
      )
    )[0]!.version;
  const writes: [string, string, unknown][] = [
    ['POST', `/${code}/layers/`, { code: 'l' }],
    ['PATCH', `/${code}/layers/l/`, { css_style: '#l { line-width: 1; }' }],
    ['POST', `/${code}/layers/l/structure/`, { code: 'c', type: 'string' }],
    ['PUT', `/${code}/layers/l/structure/c/`, { type: 'number' }],
    ['DELETE', `/${code}/layers/l/structure/c/`, undefined],
    ['POST', `/${code}/folders/`, { code: 'f' }],
    ['DELETE', `/${code}/folders/f/`, undefined],
    ['DELETE', `/${code}/layers/l/`, undefined],
  ];
  for (const [method, path, body] of writes) {
    const before = await version();
    await server.admin(method, path, body);
    assert.ok((await version()) > before, `${method} ${path}`);
  }
});
