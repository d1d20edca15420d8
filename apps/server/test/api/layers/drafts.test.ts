import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '@cartulary/sql/internal/sql.js';
import sharp from 'sharp';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let other: string;
const json = { accept: 'application/json' };
const world = {
  type: 'Polygon',
  coordinates: [
    [
      [-170, -80],
      [170, -80],
      [170, 80],
      [-170, 80],
      [-170, -80],
    ],
  ],
};

before(async () => {
  server = await startServer();
  await server.admin('POST', '/users/', { login: 'ann', password: 'long-enough' });
  await server.admin('PUT', '/rights/', { user: 'ann', right: 'edit' });
  const { json: session } = await server.request('POST', '/login/', {
    body: { login: 'ann', password: 'long-enough' },
  });
  other = session.token;
});
after(() => server.stop());

const send = (
  method: string,
  path: string,
  body?: unknown,
  more: { token?: string; headers?: object } = {},
) =>
  server.request(method, path, {
    token: more.token ?? server.adminToken,
    body,
    headers: { ...json, ...more.headers },
  });

/** A map with a layer `a` that is red: the path of the layer. */
async function redLayer(): Promise<{ map: string; path: string; id: number }> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/layers/`, { code: 'a', css_style: '#a { polygon-fill: #ff0000; }' });
  const path = `/${map}/layers/a/`;
  await server.admin('POST', `${path}structure/`, { code: 'n', type: 'number' });
  for (const n of [1, 2, 3]) await server.admin('POST', `${path}objects/`, { fields: { n }, geom: world });
  const { id } = await server.admin('GET', path);
  return { map, path, id };
}
const blue = { css_style: '#a { polygon-fill: #0000ff; }' };

async function colourOf(bytes: Buffer): Promise<string> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = 4 * (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2));
  return `#${data.subarray(at, at + 3).toString('hex')}`;
}
const tileOf = (map: string, more = '', token: string | undefined = server.adminToken) =>
  server.request('GET', `//tms/demo/${map}/?x=0&y=0&z=0${more}`, {
    ...(token ? { token } : {}),
    headers: json,
  });
const tileColour = async (map: string, more?: string, token?: string): Promise<string> =>
  colourOf((await tileOf(map, more, token)).bytes);

test('a draft is drawn for its owner who asks for it, and for nobody else', async () => {
  const { map, path } = await redLayer();
  assert.equal(await tileColour(map), '#ff0000');
  const saved = await send('PUT', `${path}draft/`, blue);
  assert.deepEqual([saved.status, saved.json.css_style, saved.json.style_mode], [200, blue.css_style, 2]);
  assert.equal(saved.headers.get('cache-control'), 'private, no-store');

  const drawn = await tileOf(map, '&draft=1');
  assert.equal(await colourOf(drawn.bytes), '#0000ff');
  assert.deepEqual(
    [drawn.headers.get('cache-control'), drawn.headers.get('etag')],
    ['private, no-store', null],
  );
  assert.equal(await tileColour(map), '#ff0000', 'without the parameter');
  assert.equal(await tileColour(map, '&draft=1', other), '#ff0000', 'another user has no draft');
  assert.equal((await tileOf(map, '&draft=1', '')).status, 401, 'the public has none');
  assert.equal(await tileColour(map, '', ''), '#ff0000', 'the public sees what is saved');
  assert.equal(await tileColour(map, '&draft=1'), '#0000ff', 'still');
  assert.equal((await server.admin('GET', path)).css_style, '#a { polygon-fill: #ff0000; }');

  assert.equal((await send('GET', `${path}draft/`, undefined, { token: other })).status, 404);
  assert.equal((await send('DELETE', `${path}draft/`, undefined, { token: other })).status, 404);
  assert.deepEqual((await send('GET', `${path}draft/`)).json, saved.json);
  const green = await send('PUT', `${path}draft/`, { css_style: '#a { polygon-fill: #00ff00; }' });
  assert.equal(green.status, 200);
  assert.equal(await tileColour(map, '&draft=1'), '#00ff00', 'a draft replaces the one before');
  assert.equal((await send('DELETE', `${path}draft/`)).json, true);
  assert.equal(await tileColour(map, '&draft=1'), '#ff0000');
  assert.equal((await send('GET', `${path}draft/`)).status, 404);
});

test('no cache keeps a tile of a draft', async () => {
  const { map, path } = await redLayer();
  await send('PUT', `${path}draft/`, blue);
  for (let i = 0; i < 3; i++) assert.equal(await tileColour(map, '&draft=1'), '#0000ff');
  await server.admin('PUT', path, blue);
  assert.equal(
    await tileColour(map, '', ''),
    '#0000ff',
    'the saved style is drawn for all once it is the same',
  );
  await server.admin('PUT', path, { css_style: '#a { polygon-fill: #ffff00; }' });
  assert.deepEqual(
    [await tileColour(map, '', ''), await tileColour(map, '&draft=1')],
    ['#ffff00', '#0000ff'],
  );
});

test('the icon of a layer and the legend show a draft to its owner', async () => {
  const { path } = await redLayer();
  await send('PUT', `${path}draft/`, blue);
  const icon = async (more: string, token?: string) => {
    const { bytes, headers } = await send('GET', `${path}icon/?${more}`, undefined, token ? { token } : {});
    return { colour: await colourOf(bytes), cached: headers.get('cache-control') };
  };
  assert.deepEqual(await icon('draft=1'), { colour: '#0000ff', cached: 'private, no-store' });
  assert.equal((await icon('')).colour, '#ff0000');
  assert.equal((await icon('draft=1', other)).colour, '#ff0000');

  const columns = await server.admin('GET', `${path}structure/`);
  const column = columns.find(({ code }: { code: string }) => code === 'n').id;
  const visual = await send('PUT', `${path}draft/`, { visualSettings: { type: 1, column } });
  assert.equal(visual.status, 200, visual.text);
  assert.equal(visual.json.style_mode, 3);
  const legend = await send('GET', `${path}legend/?draft=1`);
  assert.equal(legend.status, 200, legend.text);
  assert.equal(legend.headers.get('cache-control'), 'private, no-store');
  const shown = legend.json.classificators.filter(({ value }: { value: unknown }) => value !== null);
  assert.ok(shown.length > 1);
  assert.equal(
    shown.reduce((sum: number, one: { count: number }) => sum + one.count, 0),
    3,
  );
  const { swatch } = legend.json.classificators.find((one: any) => one.swatch);
  assert.match(swatch, /draft=1$/);
  const entry = await send('GET', `//${swatch.slice(1)}`);
  assert.deepEqual([entry.status, entry.headers.get('cache-control')], [200, 'private, no-store']);
  assert.equal((await send('GET', `${path}legend/`)).status, 404, 'the saved layer has none');
  assert.equal((await send('GET', `${path}legend/?draft=1`, undefined, { token: other })).status, 404);
  assert.equal((await server.request('GET', `${path}legend/?draft=1`)).status, 401);
});

test('a draft is published over the version that it was made from, and over no other', async () => {
  const { map, path } = await redLayer();
  await send('PUT', `${path}draft/`, blue);
  await server.admin('PUT', path, { css_style: '#a { polygon-fill: #00ff00; }' });
  const refused = await send('POST', `${path}draft/publish/`);
  assert.deepEqual([refused.status, refused.json.code], [412, 'changed_meanwhile']);
  assert.equal(refused.json.data.present.css_style, '#a { polygon-fill: #00ff00; }');
  assert.equal(await tileColour(map), '#00ff00');
  assert.equal(await tileColour(map, '&draft=1'), '#0000ff', 'the draft is still there');

  const published = await send('POST', `${path}draft/publish/`, undefined, {
    headers: { 'if-match': refused.json.data.etag },
  });
  assert.deepEqual([published.status, published.json.css_style], [200, blue.css_style]);
  assert.equal(published.headers.get('etag'), (await send('GET', path)).headers.get('etag'));
  assert.equal(await tileColour(map, '', ''), '#0000ff');
  assert.equal((await send('GET', `${path}draft/`)).status, 404, 'it is no draft any more');
  assert.equal((await send('POST', `${path}draft/publish/`)).status, 404);
});

test('a visualization is published with its classes', async () => {
  const { path } = await redLayer();
  const columns = await server.admin('GET', `${path}structure/`);
  const column = columns.find(({ code }: { code: string }) => code === 'n').id;
  await send('PUT', `${path}draft/`, { visualSettings: { type: 1, column } });
  const drafted = (await send('GET', `${path}legend/?draft=1`)).json;
  assert.equal((await send('POST', `${path}draft/publish/`)).status, 200);
  const saved = (await send('GET', `${path}legend/`)).json;
  const plain = ({ classificators, ...rest }: any) => ({
    ...rest,
    classificators: classificators.map(({ swatch: _, ...one }: any) => one),
  });
  assert.deepEqual(plain(saved), plain(drafted));
});

test('the background of a map has drafts too', async () => {
  const { map, id } = await redLayer();
  const body = { css_style: 'Map { background-color: #123456; }' };
  assert.equal((await send('PUT', `/${map}/draft/`, body)).status, 200);
  await send('PUT', `/${map}/layers/a/draft/`, { css_style: '#a [n > 100] { polygon-fill: #fff; }' });
  assert.equal(await tileColour(map, `&draft=1&layers=${id}`), '#123456');
  assert.equal((await send('POST', `/${map}/draft/publish/`)).status, 200);
  assert.equal((await server.admin('GET', `/${map}/`)).css_style, body.css_style);
});

test('a draft is checked as the change itself', async () => {
  const { map, path } = await redLayer();
  for (const [at, body, status, code] of [
    [path, { css_style: '#a { polygon-fil: red; }' }, 500, 'style_invalid'],
    [path, { css_style: '#b { polygon-fill: red; }' }, 500, 'style_invalid'],
    [path, { visualSettings: { type: 1, column: 999999 } }, 400, 'bad_request'],
    [path, { simpleStyle: { marker: { icon: 'none' } } }, 400, 'bad_request'],
    [`/${map}/`, { css_style: '#a { line-width: 1; }' }, 500, 'style_invalid'],
  ] as const) {
    const answer = await send('PUT', `${at}draft/`, body);
    assert.deepEqual([answer.status, answer.json.code], [status, code], JSON.stringify(body));
    assert.equal((await send('GET', `${at}draft/`)).status, 404);
  }
});

test('drafts go with their layer and their user, and do not outlive the right', async () => {
  const { map, path } = await redLayer();
  const { login, token } = await (async () => {
    const login = freshCode('user');
    await server.admin('POST', '/users/', { login, password: 'long-enough' });
    await server.admin('PUT', `/${map}/rights/`, { user: login, right: 'edit' });
    const answer = await server.request('POST', '/login/', { body: { login, password: 'long-enough' } });
    return { login, token: answer.json.token as string };
  })();
  assert.equal((await send('PUT', `${path}draft/`, blue, { token })).status, 200);
  await server.admin('PUT', `/${map}/rights/`, { user: login, right: 'view' });
  assert.equal((await send('POST', `${path}draft/publish/`, undefined, { token })).status, 403);
  assert.equal((await send('GET', `${path}draft/`, undefined, { token })).status, 403);
  await server.admin('PUT', `/${map}/rights/`, { user: login, right: 'none' });
  await server.admin('PATCH', `/${map}/`, { has_publication: false });
  assert.equal((await tileOf(map, '&draft=1', token)).status, 403);
  await server.admin('DELETE', `/users/${login}/`);
  await send('PUT', `${path}draft/`, blue);
  await server.admin('DELETE', path);
  assert.equal((await tileOf(map, '&draft=1')).status, 200);
});

test('a draft of a layer that is deleted meanwhile is refused', async () => {
  const { path, id } = await redLayer();
  const saving = await server.db.transaction(async (tx) => {
    await tx.query(sql`delete from cartulary.container where id = ${id}`);
    const sent = send('PUT', `${path}draft/`, blue);
    await pause(500);
    return { sent };
  });
  const { status, json: answer } = await saving.sent;
  // On the embedded database the draft is read after the deletion.
  assert.equal(status, 404);
  assert.match(answer.code, /^(container|layer)_not_found$/);
});
