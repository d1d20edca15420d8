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
/** A new map with a unique code. */
let made = 0;
const newMap = (body: object = {}): Promise<any> =>
  server.admin('POST', '/', { code: `m${++made}`, ...body });

test('maps: make, read, change, list, delete', async () => {
  const map = await server.admin('POST', '/', { code: 'm', name: 'A map' });
  const keys = ['code', 'css_style', 'group_layers', 'has_publication', 'id', 'name'];
  assert.deepEqual(Object.keys(map).sort(), keys);
  assert.deepEqual([map.code, map.name, map.group_layers, map.has_publication], ['m', 'A map', 0, true]);
  assert.match(map.css_style, /^Map \{ background-color: /);
  assert.deepEqual((await server.request('GET', '/m/')).json, map, 'the public may view it');
  assert.deepEqual((await server.request('GET', '/m')).json, map, 'with and without a slash');
  const { languages } = await server.admin('GET', '/m/?returnLanguages=1');
  assert.deepEqual(languages, ['en', 'ru']);
  const json = { ground: false, note: 'for editors' };
  await server.admin('PATCH', '/m/', { json });
  assert.deepEqual((await server.admin('GET', '/m/?returnJson=1')).json, json);
  assert.deepEqual((await server.request('GET', '/m/?returnJson=1')).json.json, { ground: false });
  assert.equal((await server.admin('POST', '/', { code: 'unnamed' })).name, '');

  const changed = await server.admin('PATCH', '/m/', {
    code: 'n',
    localized_name: true,
    name: { en: 'Map', ru: 'Карта' },
    group_layers: 1,
    comment: 'c',
  });
  assert.deepEqual([changed.code, changed.name, changed.group_layers, changed.id], ['n', 'Map', 1, map.id]);
  assert.deepEqual(
    (await server.admin('GET', '/maps/available/')).map((item: any) => [item.code, Object.keys(item)]),
    [
      ['n', ['id', 'code']],
      ['unnamed', ['id', 'code']],
    ],
  );
  const listed = (await server.admin<{ code: string }[]>('GET', '/maps/?lng=ru')).find(
    ({ code }) => code === 'n',
  );
  assert.deepEqual(listed, {
    id: map.id,
    code: 'n',
    name: 'Карта',
    access: 3,
    publish: true,
    has_publication: true,
    layers: 0,
    extent: null,
  });
  assert.equal((await server.request('GET', '/m/')).status, 404);
  assert.equal(await server.admin('DELETE', '/n/'), true);
  assert.deepEqual(await admin('DELETE', '/n/'), [404, 'map_not_found']);
});

test('a localized name: the asked language, the main one, any, the code', async () => {
  await newMap({ code: 'names', localized_name: true, name: { en: 'Map', ru: 'Карта' } });
  const name = async (query = '') => (await server.request('GET', `/names/${query}`)).json.name;
  assert.deepEqual([await name(), await name('?lng=ru'), await name('?lng=de')], ['Map', 'Карта', 'Map']);
  await server.admin('PATCH', '/names/?lng=ru', { name: 'Другая' });
  assert.deepEqual([await name(), await name('?lng=ru')], ['Map', 'Другая']);
  await server.admin('PATCH', '/names/', { name: { fr: 'Carte' } });
  assert.deepEqual([await name(), await name('?lng=ru')], ['Carte', 'Carte'], 'an object replaces all');
  assert.equal(await name('?lng=toString'), 'Carte', 'no method is taken for a name');
  await server.admin('PATCH', '/names/', { name: {} });
  assert.equal(await name(), 'names');
  await server.admin('PATCH', '/names/', { name: 'Text' });
  await server.admin('PATCH', '/names/', { localized_name: false });
  assert.equal(await name('?lng=ru'), 'Text');
  await server.admin('PATCH', '/names/?lng=ru', { localized_name: true });
  assert.equal(await name('?lng=ru'), 'Text', 'the one name becomes that of the language of the request');
});

test('the list of published maps has every field', async () => {
  const map = await newMap({
    code: 'fields',
    localized_name: true,
    name: { en: 'Map', ru: 'Карта' },
    json: { cartocss_mode: 1 },
    comment: 'c',
    css_style: 'Map { background-color: red; }',
    render_settings: { minZoom: 1 },
    show_pub: false,
    sort: -2.4,
  });
  const [item] = await server.admin('GET', '/maps/public/?lng=ru');
  assert.deepEqual(item, {
    id: map.id,
    type: 'map',
    parent: 0,
    code: 'fields',
    parent_map: 'fields',
    sort: -2,
    show_pub: false,
    css_style: 'Map { background-color: red; }',
    localized_name: true,
    name: 'Карта',
    names: [{ en: 'Map' }, { ru: 'Карта' }],
    access: 3,
    json: { cartocss_mode: 1 },
    comment: 'c',
    listDepended: [],
    table_id: 0,
    style_mode: 2,
    render_settings: { minZoom: 1 },
    publish: true,
    group_layers: 0,
    has_publication: true,
    locales: [
      { id: 1, code: 'en', name: 'English', sort: 1, container: map.id },
      { id: 2, code: 'ru', name: 'русский', sort: 2, container: map.id },
    ],
  });
});

test('languages of a map: given, wrong, inherited again', async () => {
  const { id } = await newMap({ code: 'locales' });
  const locales = async () =>
    (await server.admin('GET', '/maps/public/')).find((map: any) => map.id === id).locales;
  await server.admin('PATCH', '/locales/', {
    locales: ['de', { code: 'pt-BR', name: 'Brasil', sort: 0.5 }, 'abcdefgh', 'qqq'],
  });
  assert.deepEqual(
    (await locales()).map((locale: any) => [locale.id, locale.code, locale.name, locale.sort]),
    [
      [1, 'pt-BR', 'Brasil', 0.5],
      [2, 'de', 'Deutsch', 1],
      [3, 'abcdefgh', 'abcdefgh', 3],
      [4, 'qqq', 'qqq', 4],
    ],
  );
  for (const wrong of [['de', 'de'], ['de', 'DE'], ['d'], ['qqqq'], ['abcdefgh-1'], [{}], [7], 'de', {}])
    assert.deepEqual(await admin('PATCH', '/locales/', { locales: wrong }), [400, 'bad_request']);
  await server.admin('PATCH', '/locales/', { locales: null });
  assert.deepEqual(
    (await locales()).map((locale: any) => locale.code),
    ['en', 'ru'],
  );
});

/** Body of POST, status, code. */
const mistakes: [unknown, number, string][] = [
  [{}, 500, 'required_missing'],
  [undefined, 500, 'required_missing'],
  [[], 400, 'bad_request'],
  ['{"code": "x"', 400, 'bad_request'],
  [{ code: 7 }, 400, 'bad_request'],
  [{ code: null }, 400, 'bad_request'],
  [{ code: '' }, 500, 'code_invalid'],
  [{ code: 'a b' }, 500, 'code_invalid'],
  [{ code: 'a\n' }, 500, 'code_invalid'],
  [{ code: 'карта' }, 500, 'code_invalid'],
  [{ code: 'x'.repeat(64) }, 500, 'code_invalid'],
  ...[
    'maps',
    'users',
    'image',
    'login',
    'logout',
    'authorized',
    'ext-login',
    'ext-auth',
    '__proto__',
    'rights',
    'jobs',
    'files',
  ].map((code): [unknown, number, string] => [{ code }, 500, 'code_reserved']),
  [{ code: 'x', name: 7 }, 400, 'bad_request'],
  [{ code: 'x', name: { en: 'x' } }, 400, 'bad_request'],
  [{ code: 'x', name: { en: 7 }, localized_name: true }, 400, 'bad_request'],
  [{ code: 'x', name: { 'no language': 'x' }, localized_name: true }, 400, 'bad_request'],
  [{ code: 'x', name: 'x'.repeat(1001) }, 400, 'bad_request'],
  [{ code: 'x', localized_name: 'yes' }, 400, 'bad_request'],
  [{ code: 'x', css_style: 'Map { background-color: ; }' }, 500, 'style_invalid'],
  [{ code: 'x', css_style: '#layer { line-width: 1; }' }, 500, 'style_invalid'],
  [{ code: 'x', css_style: `/*${'x'.repeat(300_000)}*/` }, 413, 'too_large'],
  [{ code: 'x', group_layers: 2 }, 400, 'bad_request'],
  [{ code: 'x', group_layers: '1' }, 400, 'bad_request'],
  [{ code: 'x', json: [] }, 400, 'bad_request'],
  [{ code: 'x', json: 'text' }, 400, 'bad_request'],
  [{ code: 'x', json: { deep: JSON.parse('['.repeat(500) + ']'.repeat(500)) } }, 400, 'bad_request'],
  [{ code: 'x', render_settings: { opacity: 1.5 } }, 400, 'bad_request'],
  [{ code: 'x', sort: 1e300 }, 400, 'bad_request'],
  ...unstorableTexts.flatMap((text): [unknown, number, string][] => [
    [{ code: 'x', name: text }, 400, 'bad_request'],
    [{ code: 'x', comment: text }, 400, 'bad_request'],
    [{ code: 'x', json: { a: [text] } }, 400, 'bad_request'],
    [{ code: 'x', json: { [text]: 1 } }, 400, 'bad_request'],
  ]),
];

test('mistakes are refused in both forms, and nothing is made', async () => {
  const before = await server.admin('GET', '/maps/public/');
  for (const [body, status, code] of mistakes) {
    const what = JSON.stringify(body)?.slice(0, 200);
    const options = { token: server.adminToken, body };
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const sent = body === undefined ? { token: options.token } : options;
    const json = await server.request('POST', '/', { ...sent, headers });
    assert.deepEqual([json.status, json.json.code], [status, code], what);
    const page = await server.request('POST', '/', {
      ...sent,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(page.status, status);
    assert.equal(
      page.headers.get('content-type')?.split(';')[0],
      status === 500 ? 'application/json' : 'text/html',
      what,
    );
  }
  assert.deepEqual(await server.admin('GET', '/maps/public/'), before);
});

test('a wrong change leaves the map as it was', async () => {
  await newMap({ code: 'taken' });
  const { code } = await newMap({ name: 'Stays', json: { a: 1 } });
  const all = async () => JSON.stringify(await server.admin('GET', '/maps/public/'));
  const before = await all();
  for (const [body, status, error] of [
    ...mistakes.filter(
      ([body]) => body && !Array.isArray(body) && typeof body === 'object' && Object.keys(body).length,
    ),
    [{ name: 'Changed', code: 'taken' }, 500, 'code_taken'],
    [{ name: 'Changed', css_style: 'Map { x }' }, 500, 'style_invalid'],
  ] as typeof mistakes) {
    const sent = { ...(body as any), ...((body as any).code === 'x' ? { code: undefined } : {}) };
    assert.deepEqual(
      await admin('PATCH', `/${code}/`, sent),
      [status, error],
      JSON.stringify(body).slice(0, 200),
    );
  }
  assert.equal(await all(), before);
  assert.deepEqual(await admin('PATCH', '/none/', {}), [404, 'map_not_found']);
  assert.equal((await server.admin('PATCH', `/${code}/`, {})).name, 'Stays', 'nothing said, nothing changed');
  assert.equal((await server.admin('PATCH', `/${code}/`, { code })).code, code, 'its own code is not taken');
});

test('style_invalid says where and what', async () => {
  const { status, json } = await server.request('POST', '/', {
    token: server.adminToken,
    body: { code: 'styled', css_style: 'Map {\n  background-colour: red;\n}' },
  });
  assert.deepEqual(
    [status, json.code, json.data.problems[0].line, json.data.problems[0].column],
    [500, 'style_invalid', 2, 3],
  );
  assert.match(json.message, /line 2, column 3/);
});

test('hostile texts are stored and returned as they are', async () => {
  for (const text of hostileTexts) {
    const { code, name } = await newMap({
      name: text,
      comment: text,
      json: { text, [text === '__proto__' ? 'k' : text]: [text] },
    });
    assert.equal(name, text);
    assert.equal((await server.request('GET', `/${code}/`)).json.name, text);
    const item = (await server.admin('GET', '/maps/public/')).find((map: any) => map.code === code);
    assert.deepEqual([item.comment, item.json.text], [text, text]);
    const path = `/${encodeURIComponent(text)}/`;
    assert.deepEqual(await outcome(server, 'GET', path), [404, 'map_not_found'], text);
  }
  assert.deepEqual(await outcome(server, 'GET', '/%00/'), [404, 'map_not_found']);
  assert.deepEqual(await outcome(server, 'GET', `/${'x'.repeat(400)}/`), [404, 'map_not_found']);
});

test('a name in an error page is escaped', async () => {
  const page = await server.request('GET', `/${encodeURIComponent('<b>x')}/`);
  assert.equal(page.status, 404);
  assert.ok(page.text.includes('&lt;b&gt;x') && !page.text.includes('<b>x'));
});

test('an error page is in the language of the reader, its message in English', async () => {
  for (const [path, header, language, heading] of [
    ['//nothing', 'ru-RU,ru;q=0.9,en;q=0.8', 'ru', 'По этому адресу ничего нет'],
    ['//nothing', 'de,en;q=0.8', 'en', 'Not found'],
    ['/no-map/?lng=ru', 'en', 'ru', 'По этому адресу ничего нет'],
  ] as const) {
    const headers = { accept: 'text/html', 'accept-language': header };
    const { status, text } = await server.request('GET', path, { headers });
    assert.equal(status, 404);
    assert.ok(text.includes(`<html lang="${language}">`) && text.includes(`<h1>${heading}</h1>`), text);
    assert.match(text, /<span lang="en">(There is nothing|The map)/);
  }
});

test('two requests at once for one code: one gets it', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => admin('POST', '/', { code: 'race' })));
  assert.deepEqual(answers.map(([status, code]) => `${status} ${code}`).sort(), [
    '200 undefined',
    '500 code_taken',
    '500 code_taken',
    '500 code_taken',
  ]);
  const [a, b] = [await newMap(), await newMap()];
  const renames = await Promise.all(
    [a, b].map(({ code }) => admin('PATCH', `/${code}/`, { code: 'race-2' })),
  );
  assert.deepEqual(renames.map(([status]) => status).sort(), [200, 500]);
});

test('changes at once are all kept', async () => {
  const { code } = await newMap();
  const bodies = [
    { name: 'N' },
    { comment: 'C' },
    { json: { j: 1 } },
    { group_layers: 1 },
    { show_pub: false },
  ];
  await Promise.all(bodies.map((body) => server.admin('PATCH', `/${code}/`, body)));
  const map = (await server.admin('GET', '/maps/public/')).find((item: any) => item.code === code);
  assert.deepEqual(
    [map.name, map.comment, map.json, map.group_layers, map.show_pub],
    ['N', 'C', { j: 1 }, 1, false],
  );
});

test('deleting a map drops the tables of its layers, and only those', async () => {
  await newMap({ code: 'kept' });
  const kept = await server.admin('POST', '/kept/layers/', { code: 'l' });
  await newMap({ code: 'gone' });
  const folder = await server.admin('POST', '/gone/folders/', {});
  const layers = [
    await server.admin('POST', '/gone/layers/', { code: 'a' }),
    await server.admin('POST', '/gone/layers/', { code: 'b', parent_id: folder.id }),
  ];
  await server.admin('POST', '/gone/publish/', [{ id: 1, parent_id: 0, map_layer_id: layers[0].id }]);
  const tables = async () =>
    (
      await server.db.query<{ name: string }>(
        sql`select relname as name from pg_class where relname = any(${[kept, ...layers].map(({ id }) => `layer_${id}`)}::text[])`,
      )
    ).map(({ name }) => name);
  assert.equal((await tables()).length, 3);
  const deletions = await Promise.all([admin('DELETE', '/gone/'), admin('DELETE', '/gone/')]);
  assert.deepEqual(deletions.map(([status]) => status).sort(), [200, 404]);
  assert.deepEqual(await tables(), [`layer_${kept.id}`]);
  assert.deepEqual(await outcome(server, 'GET', '/gone/layers/a/'), [404, 'map_not_found']);
});

test('rights of each caller', async () => {
  await newMap({ code: 'r' });
  const people = {
    nobody: undefined,
    guest: await signIn(server),
    viewer: await signIn(server, { '/r/rights/': 'view' }),
    editor: await signIn(server, { '/r/rights/': 'edit' }),
    manager: await signIn(server, { '/r/rights/': 'administer' }),
    projectEditor: await signIn(server, { '/rights/': 'edit' }),
    projectManager: await signIn(server, { '/rights/': 'administer' }),
  };
  type Statuses = Record<keyof typeof people, number>;
  const check = async (method: string, path: string, body: unknown, expected: Statuses): Promise<void> => {
    const statuses: Partial<Statuses> = {};
    for (const [who, token] of Object.entries(people) as [keyof typeof people, string | undefined][]) {
      const options = { ...(token === undefined ? {} : { token }), body };
      [statuses[who]] = await outcome(server, method, path, options);
    }
    assert.deepEqual(statuses, expected, `${method} ${path} ${JSON.stringify(body)}`);
  };
  const all = (
    nobody: number,
    guest: number,
    viewer: number,
    editor: number,
    manager: number,
    projectEditor: number,
    projectManager: number,
  ): Statuses => ({ nobody, guest, viewer, editor, manager, projectEditor, projectManager });
  await check('GET', '/r/', undefined, all(200, 200, 200, 200, 200, 200, 200));
  await check('PATCH', '/r/', { comment: 'x' }, all(401, 403, 403, 200, 200, 200, 200));
  await check('PATCH', '/r/', { has_publication: true }, all(401, 403, 403, 403, 200, 403, 200));
  await check('GET', '/maps/public/', undefined, all(401, 403, 403, 403, 403, 403, 200));
  await check('GET', '/maps/available/', undefined, all(401, 200, 200, 200, 200, 200, 200));
  await check('POST', '/', { code: 'r' }, all(401, 403, 403, 403, 403, 500, 500));
  await server.admin('PATCH', '/r/', { has_publication: false });
  await check('GET', '/r/', undefined, all(403, 403, 200, 200, 200, 200, 200));
  await check('GET', '/r/layers/', undefined, all(403, 403, 200, 200, 200, 200, 200));
  await check('DELETE', '/r/', undefined, all(401, 403, 403, 403, 200, 404, 404));
  assert.equal((await server.request('GET', '/r/', { token: 'wrong' })).status, 401);
  assert.deepEqual(await outcome(server, 'GET', '//api/2.8/none/r/'), [500, 'project_not_found']);
});

test('publication: closed, opened, and its creator keeps access', async () => {
  const editor = await signIn(server, { '/rights/': 'edit' });
  const status = async (path: string) => (await server.request('GET', path)).status;
  const made = await server.request('POST', '/', { token: editor, body: { code: 'mine', publish: false } });
  assert.deepEqual([made.status, made.json.has_publication], [200, false]);
  assert.equal(await status('/mine/'), 403);
  const patch = async (body: object) =>
    (await server.request('PATCH', '/mine/', { token: editor, body })).json.has_publication;
  assert.equal(await patch({ publish: true }), true, 'published as a new map is');
  assert.equal(await status('/mine/'), 200);
  assert.equal(await patch({ has_publication: false }), false);
  assert.equal(await status('/mine/'), 403);
  assert.equal(await patch({ publish: false }), false);
  assert.equal(await patch({ has_publication: true }), true, 'opening it to the public publishes it');
  assert.equal(await status('/mine/'), 200);
  const codes = async (list: string) => (await server.admin('GET', list)).map((map: any) => map.code);
  assert.ok((await codes('/maps/public/')).includes('mine'));
  assert.equal(await patch({ has_publication: false }), false);
  assert.ok(!(await codes('/maps/public/')).includes('mine'));
  assert.ok((await codes('/maps/available/')).includes('mine'));
  await patch({ publish: false });
  assert.ok(!(await codes('/maps/available/')).includes('mine'), 'published maps alone');
  assert.equal((await server.request('DELETE', '/mine/', { token: editor })).json, true);
});

test('a change raises the version of the map', async () => {
  const { id, code } = await newMap();
  const version = async () =>
    (
      await server.db.query<{ version: number }>(
        sql`select version from cartulary.container where id = ${id}`,
      )
    )[0]!.version;
  const before = await version();
  await server.admin('PATCH', `/${code}/`, { css_style: 'Map { background-color: #123456; }' });
  assert.ok((await version()) > before);
  assert.equal(
    (await server.request('GET', `/${code}/`)).json.css_style,
    'Map { background-color: #123456; }',
  );
});

test('other methods and formats', async () => {
  await newMap({ code: 'methods' });
  const put = await server.request('PUT', '/methods/', { token: server.adminToken, body: {} });
  assert.equal(put.status, 405);
  assert.match(put.headers.get('allow') ?? '', /GET.*PATCH.*DELETE/);
  assert.equal((await server.request('GET', '/methods/?f=json')).status, 200);
  assert.equal((await server.request('GET', '/methods/?f=pdf')).status, 400);
  assert.equal((await server.request('GET', '/methods/?f=xml')).status, 400);
  assert.equal((await server.request('GET', '/methods/?lng=%00')).status, 400);
});

test('a map that is made closed was never public', async () => {
  const code = freshCode('m');
  const made = await server.admin('POST', '/', { code, has_publication: false });
  assert.equal(made.has_publication, false);
  assert.deepEqual(await outcome(server, 'GET', `/${code}/`), [403, 'forbidden']);
  assert.equal((await server.admin('POST', '/', { code: freshCode('m') })).has_publication, true);
});
