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
const newMap = (): Promise<any> => server.admin('POST', '/', { code: freshCode('m') });

test('a folder: every field, made, read, changed, deleted', async () => {
  const map = await newMap();
  const folders = `/${map.code}/folders/`;
  const folder = await server.admin('POST', folders, { code: 'a', name: 'First' });
  assert.deepEqual(folder, {
    id: folder.id,
    type: 'folder',
    code: 'a',
    name: 'First',
    sort: 1,
    icon: '',
    selected: true,
    parent_id: map.id,
    render_type: 0,
    map_layer_id: folder.id,
    style_mode: 0,
    tiles_quality: 0,
    json: {},
    view_format_type: 0,
  });
  assert.deepEqual(await server.admin('GET', `${folders}a/`), folder);
  const change = { parent_id: map.id, code: 'b', name: 'Second', json: { k: [1] } };
  const changed = await server.admin('PUT', `${folders}a/`, change);
  assert.deepEqual(changed, { ...folder, code: 'b', name: 'Second', json: { k: [1] } });
  assert.deepEqual(await server.admin('PATCH', `${folders}b/`, { parent_id: map.id }), changed);
  assert.deepEqual(
    await server.admin('PATCH', `${folders}b/`, {
      parent_id: map.id,
      selected: false,
      icon: 'x',
      type: 'layer',
    }),
    changed,
    'nothing else can be changed',
  );
  assert.equal(await server.admin('DELETE', `${folders}b/`), true);
  assert.deepEqual(await admin('GET', `${folders}b/`), [404, 'container_not_found']);
  assert.deepEqual(await admin('DELETE', `${folders}b/`), [404, 'container_not_found']);
});

test('a folder created with defaults gets a code', async () => {
  const map = await newMap();
  const { code, name } = await server.admin('POST', `/${map.code}/folders/`, {});
  assert.match(code, /^folder_[0-9a-f]+$/);
  assert.equal(name, '');
  assert.equal((await server.admin('POST', `/${map.code}/folders/`)).type, 'folder', 'an empty body is {}');
});

test('names: an object without lng, a text with it', async () => {
  const { code } = await newMap();
  const path = `/${code}/folders/f/`;
  const made = await server.admin('POST', `/${code}/folders/`, {
    code: 'f',
    localized_name: true,
    name: { en: 'Rivers', ru: 'Реки' },
  });
  assert.deepEqual(made.name, { en: 'Rivers', ru: 'Реки' });
  const name = async (lng?: string) =>
    (await server.admin('GET', lng === undefined ? path : `${path}?lng=${lng}`)).name;
  assert.deepEqual(
    [await name(), await name('ru'), await name('de'), await name('valueOf')],
    [{ en: 'Rivers', ru: 'Реки' }, 'Реки', 'Rivers', 'Rivers'],
  );
  const { parent_id } = made;
  const change = (body: object, lng = '') => server.admin('PATCH', path + lng, { parent_id, ...body });
  await change({ name: 'Flüsse' }, '?lng=de');
  assert.deepEqual(await name(), { en: 'Rivers', ru: 'Реки', de: 'Flüsse' }, 'a text sets one language');
  await change({ name: 'Streams' });
  assert.deepEqual(await name(), { en: 'Streams', ru: 'Реки', de: 'Flüsse' }, 'without lng the main one');
  await change({ name: { ru: 'Ручьи' } });
  assert.deepEqual([await name(), await name('en')], [{ ru: 'Ручьи' }, 'Ручьи'], 'an object sets them all');
  await change({ name: {} });
  assert.deepEqual([await name(), await name('en')], [{}, 'f'], 'the code where there is no name');
  const [item] = await server.admin('GET', `/${code}/layers/`);
  assert.equal(item.name, 'f', 'a text in trees');
  await change({ localized_name: false, name: 'Plain' });
  assert.deepEqual([await name(), await name('ru')], ['Plain', 'Plain']);
});

test('sort: siblings are renumbered', async () => {
  const map = await newMap();
  const make = (code: string, sort?: number) => server.admin('POST', `/${map.code}/folders/`, { code, sort });
  const order = async () =>
    (await server.admin('GET', `/${map.code}/layers/?type=full`)).map(
      (item: any) => `${item.code}${item.sort}`,
    );
  for (const code of ['a', 'b', 'c', 'd']) await make(code);
  assert.deepEqual(await order(), ['a1', 'b2', 'c3', 'd4']);
  assert.equal((await make('e', 2)).sort, 2);
  assert.deepEqual(await order(), ['a1', 'e2', 'b3', 'c4', 'd5']);
  await make('f', 1.5);
  assert.deepEqual(await order(), ['a1', 'f2', 'e3', 'b4', 'c5', 'd6']);
  /** Whose sort, which sort, the order after. */
  const moves: [string, number, string][] = [
    ['a', 3, 'f1 e2 a3 b4 c5 d6'],
    ['d', 1, 'd1 f2 e3 a4 b5 c6'],
    ['d', 1, 'd1 f2 e3 a4 b5 c6'],
    ['f', 4.5, 'd1 e2 a3 f4 b5 c6'],
    ['c', 0, 'c1 d2 e3 a4 f5 b6'],
    ['c', 100, 'd1 e2 a3 f4 b5 c6'],
    ['b', -1e300, 'b1 d2 e3 a4 f5 c6'],
    ['b', 1.5, 'b1 d2 e3 a4 f5 c6'],
  ];
  for (const [code, sort, after] of moves) {
    await server.admin('PATCH', `/${map.code}/folders/${code}/`, { parent_id: map.id, sort });
    assert.equal((await order()).join(' '), after, `${code} to ${sort}`);
  }
  const layer = await server.admin('POST', `/${map.code}/layers/`, { code: 'l', sort: 2 });
  assert.equal(layer.sort, 2, 'layers are siblings of folders');
  assert.equal((await order())[2], 'd3');
});

test('parents: the map or a folder of it', async () => {
  const map = await newMap();
  const other = await newMap();
  const folders = `/${map.code}/folders/`;
  const a = await server.admin('POST', folders, { code: 'a', parent_id: map.id });
  const inner = await server.admin('POST', folders, { code: 'inner', parent_id: a.id });
  const layer = await server.admin('POST', `/${map.code}/layers/`, { code: 'l' });
  const foreign = await server.admin('POST', `/${other.code}/folders/`, {});
  const notFound = [404, 'container_not_found'];
  for (const parent_id of [0, -1, 999_999, 1e15, 1e300, layer.id, other.id, foreign.id]) {
    assert.deepEqual(await admin('POST', folders, { parent_id }), notFound, `POST ${parent_id}`);
    assert.deepEqual(await admin('PUT', `${folders}a/`, { parent_id }), notFound, `PUT ${parent_id}`);
  }
  assert.deepEqual(await admin('PATCH', `${folders}a/`, { name: 'x' }), notFound, 'parent_id must be there');
  assert.deepEqual(await admin('PATCH', `${folders}a/`, undefined), notFound);
  assert.deepEqual(await admin('PATCH', `${folders}a/`, { parent_id: a.id }), notFound, 'not in itself');
  assert.deepEqual(
    await admin('PATCH', `${folders}a/`, { parent_id: inner.id }),
    notFound,
    'not in what it holds',
  );
  assert.deepEqual(
    await admin('PATCH', `${folders}inner/`, { parent_id: map.id }),
    notFound,
    'not elsewhere',
  );
  assert.deepEqual(await admin('PATCH', `${folders}inner/`, { parent_id: '1' }), [400, 'bad_request']);
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { parent_id: map.id } : undefined;
    assert.deepEqual(await admin(method, `${folders}none/`, body), notFound);
    assert.deepEqual(await admin(method, `${folders}l/`, body), notFound, 'a layer is no folder');
    assert.deepEqual(await admin(method, `/${other.code}/folders/a/`, body), notFound, 'of another map');
    assert.deepEqual(await admin(method, '/none/folders/a/', body), [404, 'map_not_found']);
    assert.deepEqual(await admin(method, `${folders}%00/`, body), notFound);
  }
});

/** Body of POST, status, code. */
const mistakes: [object, number, string][] = [
  [{ code: '' }, 500, 'code_invalid'],
  [{ code: 'a b' }, 500, 'code_invalid'],
  [{ code: 'папка' }, 500, 'code_invalid'],
  [{ code: 'x'.repeat(64) }, 500, 'code_invalid'],
  [{ code: '__proto__' }, 500, 'code_reserved'],
  [{ code: 'taken' }, 500, 'code_taken'],
  [{ code: 'layer' }, 500, 'code_taken'],
  [{ code: 7 }, 400, 'bad_request'],
  [{ name: 7 }, 400, 'bad_request'],
  [{ name: { en: 'x' } }, 400, 'bad_request'],
  [{ name: { 'no language': 'x' }, localized_name: true }, 400, 'bad_request'],
  [{ name: { en: null }, localized_name: true }, 400, 'bad_request'],
  [{ localized_name: 1 }, 400, 'bad_request'],
  [{ sort: '1' }, 400, 'bad_request'],
  [{ json: [] }, 400, 'bad_request'],
  ...unstorableTexts.flatMap((text): [object, number, string][] => [
    [{ name: text }, 400, 'bad_request'],
    [{ name: { en: text }, localized_name: true }, 400, 'bad_request'],
    [{ json: { k: text } }, 400, 'bad_request'],
  ]),
];

test('mistakes are refused, and nothing is changed', async () => {
  const map = await newMap();
  const folders = `/${map.code}/folders/`;
  await server.admin('POST', folders, { code: 'taken' });
  await server.admin('POST', `/${map.code}/layers/`, { code: 'layer' });
  await server.admin('POST', folders, { code: 'own', name: 'Own' });
  const state = async () => JSON.stringify(await server.admin('GET', `/${map.code}/layers/?type=full`));
  const before = await state();
  for (const [body, status, code] of mistakes) {
    assert.deepEqual(await admin('POST', folders, body), [status, code], JSON.stringify(body));
    const change = { parent_id: map.id, ...body };
    assert.deepEqual(await admin('PUT', `${folders}own/`, change), [status, code], JSON.stringify(body));
    assert.equal(await state(), before);
  }
  const numeric = await server.admin('POST', folders, { code: '2024-05_x' });
  assert.equal(numeric.code, '2024-05_x', 'a folder may begin with a digit');
});

test('hostile names are stored and returned as they are', async () => {
  const map = await newMap();
  for (const text of hostileTexts) {
    const folder = await server.admin('POST', `/${map.code}/folders/`, { name: text, json: { text } });
    assert.deepEqual([folder.name, folder.json], [text, { text }]);
    assert.deepEqual(await server.admin('GET', `/${map.code}/folders/${folder.code}/`), folder);
  }
});

test('deleting a folder deletes its content', async () => {
  const map = await newMap();
  const folders = `/${map.code}/folders/`;
  const outer = await server.admin('POST', folders, { code: 'outer' });
  const inner = await server.admin('POST', folders, { code: 'inner', parent_id: outer.id });
  const deep = await server.admin('POST', `/${map.code}/layers/`, { code: 'deep', parent_id: inner.id });
  const kept = await server.admin('POST', `/${map.code}/layers/`, { code: 'kept' });
  assert.equal(await server.admin('DELETE', `${folders}outer/`), true);
  const tree = await server.admin('GET', `/${map.code}/layers/?type=full`);
  assert.deepEqual(
    tree.map((item: any) => item.code),
    ['kept'],
  );
  const tables = await server.db.query<{ name: string }>(
    sql`select relname as name from pg_class where relname = any(${[deep.id, kept.id].map((id) => `layer_${id}`)}::text[])`,
  );
  assert.deepEqual(
    tables.map(({ name }) => name),
    [`layer_${kept.id}`],
  );
});

test('rights of each caller', async () => {
  const map = await newMap();
  const folders = `/${map.code}/folders/`;
  const folder = await server.admin('POST', folders, { code: 'f' });
  await server.admin('POST', `/${map.code}/layers/`, { code: 'l', parent_id: folder.id });
  const viewer = await signIn(server);
  const editor = await signIn(server, {
    [`/${map.code}/rights/`]: 'edit',
    [`/${map.code}/layers/l/rights/`]: 'view',
  });
  const change = { parent_id: map.id };
  /** Method, path, body; status without a token, of a viewer, of an editor of the map who may only view the layer. */
  const cases: [string, string, unknown, number, number, number][] = [
    ['GET', `${folders}f/`, undefined, 401, 200, 200],
    ['POST', folders, {}, 401, 403, 200],
    ['PUT', `${folders}f/`, change, 401, 403, 200],
    ['PATCH', `${folders}f/`, change, 401, 403, 200],
    ['DELETE', `${folders}f/`, undefined, 401, 403, 403],
  ];
  for (const [method, path, body, ...expected] of cases) {
    const statuses = [
      (await outcome(server, method, path, { body }))[0],
      (await outcome(server, method, path, { token: viewer, body }))[0],
      (await outcome(server, method, path, { token: editor, body }))[0],
    ];
    assert.deepEqual(statuses, expected, `${method} ${path}`);
  }
  await server.admin('PATCH', `/${map.code}/`, { has_publication: false });
  assert.equal((await server.request('GET', `${folders}f/`, { token: viewer })).status, 403);
  await server.admin('PUT', `/${map.code}/layers/l/rights/`, { user: 'public', right: null });
  const page = await server.request('GET', `${folders}f/`);
  assert.deepEqual([page.status, page.headers.get('content-type')], [401, 'text/html; charset=utf-8']);
});

test('many writes of one tree at once: none is lost, none waits for ever', async () => {
  const map = await newMap();
  const folders = `/${map.code}/folders/`;
  const codes = Array.from({ length: 12 }, (_, i) => `f${i}`);
  await Promise.all(codes.map((code, i) => server.admin('POST', folders, { code, sort: i % 3 })));
  await Promise.all(
    codes.map((code, i) => server.admin('PATCH', `${folders}${code}/`, { parent_id: map.id, sort: 12 - i })),
  );
  const tree = await server.admin('GET', `/${map.code}/layers/?type=full`);
  assert.deepEqual(
    tree.map((item: any) => item.sort),
    codes.map((_, i) => i + 1),
  );
  assert.deepEqual(tree.map((item: any) => item.code).sort(), [...codes].sort());
  const race = await Promise.all([1, 2, 3].map(() => admin('POST', folders, { code: 'race' })));
  assert.deepEqual(race.map(([status]) => status).sort(), [200, 500, 500]);
});
