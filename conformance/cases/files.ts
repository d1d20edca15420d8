import type { Client } from '../client.js';
import { equal, has, rule, status } from '../rules.js';
import { form, jpeg, layerWith, png, raw, shared } from './support.js';

/** An object in a layer with the file column `docs`, the localized `scans` and the string `word`: its path. */
async function withFiles(c: Client): Promise<string> {
  const scans = { type: 'file', localized_value: true };
  const layer = await layerWith(c, { docs: 'file', scans, word: 'string' });
  return `${layer}objects/${(await c.make(`${layer}objects/`, { fields: {} })).id}/`;
}
const add = async (c: Client, object: string, fields: Record<string, string>, text = 'hello') =>
  await raw(c, `${object}files/`, { body: form(text, 'note.txt', fields) });
const onServer = (path: string) => `/${path}`;

rule('Files', 'POST / name, path, mime, id, uuid; the column lists the id', async (c) => {
  const object = await withFiles(c);
  const { json } = await add(c, object, { field: 'docs' });
  has(json, 'name path mime id uuid');
  equal([json.name, json.mime], ['note.txt', 'text/plain'], 'name and mime');
  equal((await c.send('GET', object)).json?.fields?.docs, String(json.id), 'value of the column');
});
rule('Files', 'POST / any number of files, a comma-separated list of ids', async (c) => {
  const object = await withFiles(c);
  const ids: number[] = [];
  for (const text of ['one', 'two', 'three'])
    ids.push((await add(c, object, { field: 'docs' }, text)).json.id);
  equal((await c.send('GET', object)).json?.fields?.docs, ids.join(','), 'value of the column');
});
rule('Files', 'POST and DELETE / lng of a column that is localized by value', async (c) => {
  const object = await withFiles(c);
  const { id } = (await add(c, object, { field: 'scans', lng: 'fr' })).json;
  equal((await c.send('GET', `${object}?lng=fr`)).json?.fields?.scans, String(id), 'value in the language');
  equal((await c.send('DELETE', `${object}files/${id}/?field=scans&lng=fr`)).json, null, 'answer');
  equal((await c.send('GET', `${object}?lng=fr`)).json?.fields?.scans || null, null, 'value afterwards');
});
for (const [what, fields, expected] of [
  ['field is required', {}, 500],
  ['field is the code of a file column', { field: 'word' }, 400],
  ['404 when the column does not exist', { field: 'none' }, 404],
] as const)
  rule('Files', `POST / ${what}`, async (c) => status(await add(c, await withFiles(c), fields), expected));
rule('Files', 'POST / file is required', async (c) => {
  const body = new FormData();
  body.set('field', 'docs');
  status(await raw(c, `${await withFiles(c)}files/`, { body }), 500);
});
rule('Files', 'POST / only objects that have file columns', async (c) => {
  const layer = await layerWith(c, { word: 'string' });
  const { id } = await c.make(`${layer}objects/`, { fields: {} });
  status(await add(c, `${layer}objects/${id}/`, { field: 'word' }), 400);
});
rule('Files', 'POST / 404 when the object does not exist', async (c) =>
  status(await add(c, `${await layerWith(c, { docs: 'file' })}objects/999/`, { field: 'docs' }), 404),
);
rule('Files', 'DELETE / null, and the column no longer lists it', async (c) => {
  const object = await withFiles(c);
  const { id, path } = (await add(c, object, { field: 'docs' })).json;
  const answer = await c.send('DELETE', `${object}files/${id}/?field=docs`);
  equal([answer.status, answer.json], [200, null], 'answer');
  equal((await c.send('GET', object)).json?.fields?.docs || null, null, 'value of the column');
  status(await raw(c, onServer(path)), 404);
  status(await c.send('DELETE', `${object}files/${id}/?field=docs`), 404);
});

const aFile = shared(async (c) => (await add(c, await withFiles(c), { field: 'docs' })).json);
rule(
  'Files',
  'decided: the path is P/files/<file_uuid>/',
  aFile(async (c, { path, uuid }) =>
    equal(path.endsWith(`/api/2.8/${c.target.project}/files/${uuid}/`), true, `path ${path}`),
  ),
);
rule(
  'Files',
  'decided: served with Content-Disposition and nosniff',
  aFile(async (c, { path }) => {
    const { headers, text } = await raw(c, onServer(path));
    equal(text, 'hello', 'content');
    equal(headers.get('content-disposition')?.includes('note.txt'), true, 'name in Content-Disposition');
    equal(headers.get('x-content-type-options'), 'nosniff', 'X-Content-Type-Options');
  }),
);
const ranges: [range: string, status: number, text: string, where: string][] = [
  ['bytes=1-3', 206, 'ell', 'bytes 1-3/5'],
  ['bytes=3-', 206, 'lo', 'bytes 3-4/5'],
  ['bytes=-2', 206, 'lo', 'bytes 3-4/5'],
];
for (const [range, expected, text, where] of ranges)
  rule(
    'Files',
    `decided: range ${range}`,
    aFile(async (c, { path }) => {
      const answer = await raw(c, onServer(path), { headers: { range } });
      equal(
        [answer.status, answer.text, answer.headers.get('content-range')],
        [expected, text, where],
        'part',
      );
    }),
  );
rule(
  'Files',
  'decided: 416 for a range outside of the file',
  aFile(async (c, { path }) =>
    equal((await raw(c, onServer(path), { headers: { range: 'bytes=9-' } })).status, 416, 'status'),
  ),
);

/** The uuid of a picture of 256 by 256 pixels, with a map's tile as the picture. */
const picture = shared(async (c) => {
  const object = await withFiles(c);
  const tile = await raw(c, `//tms/${c.target.project}/${object.split('/')[1]}/?z=0&x=0&y=0&retina=2`);
  const { json } = await raw(c, `${object}files/`, { body: form(tile.bytes, 'tile.png', { field: 'docs' }) });
  return json.uuid as string;
});
const sizes: [query: string, width: number, height: number][] = [
  ['', 512, 512],
  ['w=100', 100, 100],
  ['h=50', 50, 50],
  ['w=100&h=50', 100, 50],
  ['w=100&h=50&fit=fill', 100, 50],
  ['w=100&h=50&fit=contain', 100, 50],
  ['w=100&h=50&fit=cover', 100, 50],
  ['w=100&h=50&fit=none', 100, 50],
  ['w=600&h=700&fit=none', 600, 700],
  ['w=100&fit=cover', 100, 100],
  ['w=1', 1, 1],
  ['w=4096&h=1', 4096, 1],
  ['w=60&f=png', 60, 60],
];
for (const [query, width, height] of sizes)
  rule(
    'Images',
    `image/?${query} is ${width} by ${height}`,
    picture(async (c, uuid) => {
      const answer = await raw(c, `/image/${uuid}/?${query}`, { token: '' });
      const size = png(answer.bytes);
      equal([size.width, size.height, answer.type], [width, height, 'image/png'], 'size and type');
    }),
  );
for (const f of ['jpg', 'jpeg'])
  rule(
    'Images',
    `image/?f=${f}`,
    picture(async (c, uuid) => {
      const answer = await raw(c, `/image/${uuid}/?w=60&h=30&f=${f}`);
      equal([jpeg(answer.bytes), answer.type], [{ height: 30, width: 60 }, 'image/jpeg'], 'size and type');
    }),
  );
for (const query of ['w=0', 'w=4097', 'h=4097', 'h=-1', 'w=x', 'w=9&h=9&fit=nonsense', 'f=nonsense'])
  rule(
    'Images',
    `decided: image/?${query} is 400`,
    picture(async (c, uuid) => status(await raw(c, `/image/${uuid}/?${query}`), 400)),
  );
rule('Images', '404 when there is no such file', async (c) =>
  status(await raw(c, '/image/00000000-0000-4000-8000-000000000000/?w=9'), 404),
);
