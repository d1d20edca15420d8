import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import sharp from 'sharp';
import { colorAt } from '../../pictures/compare.js';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';
import { tile } from '../../tiles/scene.js';
import { signIn } from '../access/people.js';

let server: TestServer;
before(async () => {
  server = await startServer({
    CARTULARY_ICON_LIMIT: '40000',
    CARTULARY_ICON_SIDE: '256',
    CARTULARY_ICONS: '20',
  });
});
after(() => server?.stop());

const svg = (content: string, size = 20, head = ''): string =>
  `${head}<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${content}</svg>`;
const filledSvg = (color: string): string => svg(`<rect width="20" height="20" fill="${color}"/>`);

const upload = (name: string, body: string | Buffer, options: object = {}): Promise<TestAnswer> =>
  server.request('POST', '/icons/', {
    token: server.adminToken,
    body,
    headers: { 'x-filename': name, 'content-type': 'application/octet-stream' },
    ...options,
  });
const put = (name: string, body: string | Buffer): Promise<TestAnswer> =>
  server.request('PUT', `/icons/${name}/`, {
    token: server.adminToken,
    body,
    headers: { 'content-type': 'image/svg+xml' },
  });
const remove = (name: string, query = ''): Promise<TestAnswer> =>
  server.request('DELETE', `/icons/${name}/?${query}`, { token: server.adminToken });

const code = ({ text }: TestAnswer): string | undefined =>
  /<code>(\w+)<\/code>|"code":"(\w+)"/.exec(text)?.slice(1).find(Boolean);

const stroked = (more: string): string => `<path d="M1 1L19 19" stroke="red" ${more}/>`;

/** A map whose one layer, a point in the middle of the tile 2/2/2, is drawn in a style. */
async function pointMap(css_style: string): Promise<string> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map, css_style: '' });
  await server.admin('POST', `/${map}/layers/`, { code: 'p', css_style });
  const geom = { type: 'Point', coordinates: [45, 40.97989806962013] };
  await server.admin('POST', `/${map}/layers/p/objects/`, { fields: {}, geom });
  return map;
}
const place = [2, 2, 2] as const;
const color = async (map: string): Promise<string> => {
  const answer = await tile(server, map, place);
  assert.equal(answer.status, 200, answer.text);
  return colorAt(answer.bytes);
};

test('an icon is uploaded, listed, fetched, drawn, replaced and deleted; its tiles are fresh each time', async () => {
  const made = await upload('flag.svg', filledSvg('#ff0000'));
  assert.equal(made.status, 200, made.text);
  const path = '/api/2.8/demo/icons/flag/';
  assert.deepEqual(made.json, {
    name: 'flag',
    path,
    mime: 'image/svg+xml',
    width: 20,
    height: 20,
    own: true,
  });
  const list = await server.admin('GET', '/icons/');
  assert.deepEqual(
    list.find((icon: any) => icon.name === 'flag'),
    made.json,
  );
  assert.equal(list.find((icon: any) => icon.name === 'cafe').own, false);

  const fetched = await server.request('GET', '/icons/flag/', { token: server.adminToken });
  assert.equal(fetched.headers.get('content-type'), 'image/svg+xml');
  assert.equal(fetched.headers.get('x-content-type-options'), 'nosniff');
  assert.match(fetched.headers.get('content-security-policy')!, /default-src 'none'.*sandbox/);
  const again = { token: server.adminToken, headers: { 'if-none-match': fetched.headers.get('etag')! } };
  assert.equal((await server.request('GET', '/icons/flag/', again)).status, 304);

  const map = await pointMap('#p { marker-file: url(flag); marker-allow-overlap: true; }');
  assert.equal(await color(map), '#ff0000');
  assert.equal(code(await upload('flag.svg', filledSvg('#00ff00'))), 'code_taken');
  assert.equal((await put('flag', filledSvg('#0000ff'))).status, 200);
  assert.equal(await color(map), '#0000ff');
  assert.equal((await server.request('GET', '/icons/flag/', again)).status, 200);

  const refused = await remove('flag');
  assert.equal(refused.status, 400);
  assert.match(refused.text, new RegExp(`${map}\\.p`));
  assert.equal(await color(map), '#0000ff');
  assert.equal((await remove('flag', 'force=1')).json, true);
  const missing = await tile(server, map, place);
  assert.equal(missing.status, 500);
  assert.equal(missing.json.code, 'style_invalid');
  assert.match(missing.json.message, /unknown icon 'flag'/);
  assert.equal((await remove('flag')).status, 404);
  assert.equal((await server.request('GET', '/icons/flag/', { token: server.adminToken })).status, 404);
});

test('a multipart form with a name; a PNG is encoded again', async () => {
  const png = await sharp({ create: { width: 30, height: 10, channels: 3, background: '#ffaa00' } })
    .withExif({ IFD0: { Copyright: 'secret text' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('name', 'bar-of-gold');
  form.set('file', new Blob([new Uint8Array(png)]), 'x.png');
  const made = await server.request('POST', '/icons/', { token: server.adminToken, body: form });
  assert.deepEqual(
    [made.json.name, made.json.mime, made.json.width, made.json.height],
    ['bar-of-gold', 'image/png', 30, 10],
    made.text,
  );
  const { bytes } = await server.request('GET', '/icons/bar-of-gold/', { token: server.adminToken });
  assert.equal(bytes.includes('secret text'), false);
  const map = await pointMap('#p { marker-file: url(bar-of-gold); marker-allow-overlap: true; }');
  assert.equal(await color(map), '#ffaa00');
  const late = new FormData();
  late.set('file', new Blob([filledSvg('#123456')]), 'late name.svg');
  late.set('name', 'late');
  const behind = await server.request('POST', '/icons/', { token: server.adminToken, body: late });
  assert.equal(behind.json.name, 'late', 'a variable behind the file');
});

test('icons of the start set need no upload, and one of the same name goes before', async () => {
  const map = await pointMap(
    '#p { marker-file: url(square); marker-width: 60; marker-fill: #00ff00; marker-line-width: 0; marker-allow-overlap: true; }',
  );
  assert.equal(await color(map), '#00ff00');
  const other = await pointMap(
    '#p { marker-file: url(circle); marker-width: 40; marker-allow-overlap: true; }',
  );
  assert.equal((await put('circle', svg('<circle cx="10" cy="10" r="9" fill="#ff00ff"/>'))).status, 200);
  assert.equal(await color(other), '#ff00ff');
  assert.equal((await remove('circle')).json, true, 'that of the start set takes its place');
  assert.equal((await tile(server, other, place)).status, 200);
});

test('what describes or belongs to an editor is left out, styles become attributes', async () => {
  const source = svg(
    `<metadata><x:y xmlns:x="http://example.org/x">z</x:y></metadata><title>t</title>
     <e:view xmlns:e="http://example.org/editor"><e:inner/></e:view>
     <defs><linearGradient id="g"><stop offset="0" style="stop-color:#ff0000;font-family:Arial"/><stop offset="1" stop-color="#ff0000"/></linearGradient></defs>
     <g style="fill:url(#g)" class="k" data-x="1"><path d="M0 0h20v20h-20z"/></g>`,
    20,
    '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
  );
  assert.equal((await upload('editor.svg', source)).status, 200);
  const { text } = await server.request('GET', '/icons/editor/', { token: server.adminToken });
  for (const gone of ['metadata', 'title', 'view', 'inner', 'font', 'class', 'data-x', 'DOCTYPE', 'style'])
    assert.doesNotMatch(text, new RegExp(gone), gone);
  const map = await pointMap('#p { marker-file: url(editor); marker-allow-overlap: true; }');
  assert.equal(await color(map), '#ff0000');
});

const bomb = '<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>';
const hostile: [what: string, body: string | Buffer][] = [
  ['a script', svg('<script>alert(1)</script>')],
  ['a handler', svg('<rect width="5" height="5" onclick="alert(1)"/>')],
  ['foreignObject', svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>')],
  ['a picture from elsewhere', svg('<image href="http://127.0.0.1/x.png" width="5" height="5"/>')],
  ['a file', svg('<image xlink:href="file:///etc/passwd" xmlns:xlink="http://www.w3.org/1999/xlink"/>')],
  ['use', svg('<g id="a"/><use href="#a"/>')],
  ['a reference outside', svg('<linearGradient href="http://example.org/#g"/>')],
  ['a fill outside', svg('<rect width="5" height="5" fill="url(http://example.org/x#g)"/>')],
  ['a filter', svg('<rect width="5" height="5" filter="url(http://example.org/x#g)"/>')],
  ['a style sheet', svg('<style>@import url(http://example.org/x.css);</style>')],
  ['text', svg('<text>x</text>')],
  ['animation', svg('<animate attributeName="x"/>')],
  ['entities', svg('<rect/>', 20, bomb)],
  ['an unknown entity', svg('&xxe;')],
  ['no XML', '<svg'],
  ['another root', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
  ['an SVG in another', svg(svg(''))],
  ['less than a pixel', svg('<rect/>', 0.3)],
  ['too wide', svg('<rect/>', 300)],
  ['no size', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a size that is none', '<svg xmlns="http://www.w3.org/2000/svg" width="NaN" height="-1"/>'],
  ['a path that is none', svg('<path d="url(x)"/>')],
  ['many elements', svg('<g/>'.repeat(5001))],
  ['deep elements', svg(`${'<g>'.repeat(60)}${'</g>'.repeat(60)}`)],
  ['thousands of arcs', svg(`<path d="M1 1${'a9 9 0 1 0 1 1'.repeat(2000)}"/>`)],
  ['an arc that is huge', svg('<path d="M1 1a1e9 1e9 0 1 0 1 1"/>')],
  ['dashes far away', svg(stroked('stroke-dasharray="0.1 0.1" transform="matrix(1e6 0 0 1 0 0)"'))],
  ['dashes of the elements around', svg(`<g stroke-dasharray="0.0001 0.1">${stroked('').repeat(200)}</g>`)],
  ['an offset of dashes without end', svg(stroked('stroke-dasharray="1" stroke-dashoffset="-1e9"'))],
  ['a line that is wide', svg(stroked('stroke-width="1e7" stroke-linejoin="round"'))],
  ['a circle that is far away', svg('<rect width="5" height="5"/><circle cx="-9000" cy="10" r="5"/>')],
  [
    'a rectangle that is far away, in inches',
    svg('<rect width="5" height="5"/><rect x="90in" width="5" height="5"/>'),
  ],
  ['fills one above the other', svg('<path d="M0 0H1024V1024H0Z"/>'.repeat(200), 250)],
  ['many points', svg(`<path d="M1 1${'l1 1'.repeat(9000)}"/>`)],
  ['nothing', ''],
  ['a text', 'hello'],
  ['not UTF-8', Buffer.from([0x3c, 0xff, 0xfe])],
  ['half a PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
];
const costly: [what: string, body: string][] = [
  ['many circles', svg('<circle cx="10" cy="10" r="9" stroke="red"/>'.repeat(700))],
  ['many dashes', svg(`<g stroke-dasharray="0.1">${stroked('').repeat(150)}</g>`)],
  ['an empty path', svg('<path d=""/><path/><polygon points=""/><rect width="20" height="20" rx="3"/>')],
  ['a drawing in other units', svg('<path transform="scale(0.02)" d="M0 0L1000 1000a99 99 0 1 0 0 9"/>')],
];
for (const [what, body] of costly) {
  test(`drawn nevertheless: ${what}`, async () => {
    assert.equal((await upload('costly.svg', body)).status, 200);
    assert.equal((await remove('costly')).status, 200);
  });
}

for (const [what, body] of hostile) {
  test(`refused: ${what}`, async () => {
    const answer = await upload('bad.svg', body);
    assert.deepEqual([answer.status, code(answer)], [400, 'bad_request'], answer.text);
    assert.equal((await server.request('GET', '/icons/bad/', { token: server.adminToken })).status, 404);
  });
}

test('refused: a PNG whose header says that it is huge, and one that is cut off', async () => {
  const png = await sharp({ create: { width: 16, height: 16, channels: 4, background: '#abc' } })
    .png()
    .toBuffer();
  const huge = Buffer.from(png);
  huge.writeUInt32BE(100_000, 16);
  assert.equal((await upload('bad.png', huge)).status, 400);
  assert.equal((await upload('bad.png', png.subarray(0, 45))).status, 400);
});

test('limits of bytes and of icons; names', async () => {
  const large = await upload('large.svg', svg(`<path d="M0 0${' 1'.repeat(30_000)}"/>`));
  assert.deepEqual([large.status, code(large)], [413, 'too_large']);
  for (const name of [
    '1st.svg',
    'a b.svg',
    '../x.svg'.replace('../', '..'),
    `${'n'.repeat(64)}.svg`,
    'é.svg',
  ])
    assert.equal(code(await upload(encodeURIComponent(name), filledSvg('#fff'))), 'code_invalid', name);
  assert.equal(code(await upload('', filledSvg('#fff'))), 'required_missing');
  const own = (await server.admin('GET', '/icons/')).filter((icon: any) => icon.own).length;
  for (let i = own; i < 20; i++) assert.equal((await upload(`many${i}.svg`, filledSvg('#fff'))).status, 200);
  assert.equal((await upload('onemore.svg', filledSvg('#fff'))).status, 400);
  for (let i = own; i < 20; i++) await remove(`many${i}`);
  assert.equal(
    code(await server.request('POST', '/', { token: server.adminToken, body: { code: 'icons' } })),
    'code_reserved',
  );
});

test('rights: edit on the project to write, view to list; every viewer of a map gets pictures', async () => {
  const viewer = await signIn(server, { '/rights/': 'view' });
  const editor = await signIn(server, { '/rights/': 'edit' });
  const body = filledSvg('#112233');
  const headers = { 'x-filename': 'own.svg', 'content-type': 'image/svg+xml' };
  assert.equal((await server.request('POST', '/icons/', { body, headers })).status, 401);
  assert.equal((await server.request('POST', '/icons/', { token: viewer, body, headers })).status, 403);
  assert.equal((await server.request('POST', '/icons/', { token: editor, body, headers })).status, 200);
  assert.equal((await server.request('GET', '/icons/', { token: viewer })).status, 200);
  assert.equal((await server.request('DELETE', '/icons/own/', { token: viewer })).status, 403);
  await pointMap('');
  const picture = await server.request('GET', '/icons/own/');
  assert.deepEqual([picture.status, picture.headers.get('cache-control')], [200, 'public, no-cache']);
  assert.equal((await server.request('DELETE', '/icons/own/', { token: editor })).json, true);
});

test('an icon that a hidden layer needs is kept, and the layer is not named', async () => {
  const map = await pointMap('');
  await put('quiet', filledSvg('#fff'));
  await server.admin('PATCH', `/${map}/layers/p/`, { css_style: '#p { marker-file: url(quiet); }' });
  const editor = await signIn(server, { '/rights/': 'edit', [`/${map}/layers/p/rights/`]: 'none' });
  await server.admin('PUT', `/${map}/layers/p/rights/`, { user: 'public', right: 'none' });
  const answer = await server.request('DELETE', '/icons/quiet/', {
    token: editor,
    headers: { accept: 'application/json' },
  });
  assert.equal(answer.status, 400);
  assert.match(answer.json.message, /used by 1 more/);
  assert.deepEqual(answer.json.data.layers, []);
  assert.doesNotMatch(answer.text, new RegExp(map));
});

test('icon of layers, folders and items: a path of the registry must be there, other texts stay as they are', async () => {
  const map = await pointMap('');
  const set = (icon: string) =>
    server.request('PATCH', `/${map}/layers/p/`, { token: server.adminToken, body: { icon } });
  assert.equal((await set('/api/2.8/demo/icons/cafe/')).json.icon, '/api/2.8/demo/icons/cafe/');
  assert.equal((await set('/api/2.8/demo/icons/nothing/')).status, 400);
  assert.equal((await set('/own.png')).status, 200);
  const { id } = await server.admin('GET', `/${map}/layers/p/`);
  const publish = (icon: string) =>
    server.request('POST', `/${map}/publish/`, {
      token: server.adminToken,
      body: [{ id: 1, parent_id: 0, map_layer_id: id, icon }],
    });
  assert.equal((await publish('/api/2.8/demo/icons/nothing/')).status, 400);
  await put('held', filledSvg('#fff'));
  assert.equal((await publish('/api/2.8/demo/icons/held/')).status, 200);
  assert.match((await remove('held')).text, new RegExp(`${map}\\.p`));
  assert.equal((await remove('held', 'force=true')).status, 200);
});

test('the files for the renderer are those of icons that were stored', async () => {
  const folder = join(server.server.services.config.dataFolder, 'icons');
  const before = readdirSync(folder).length;
  assert.equal((await put('stays', filledSvg('#fff'))).status, 200);
  const files = readdirSync(folder);
  assert.equal(files.length, before + 1);
  assert.ok(
    files.every((file) => /^[0-9a-f-]{36}\.(svg|png)$/.test(file)),
    files.join(),
  );
});
