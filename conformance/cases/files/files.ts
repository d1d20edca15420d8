import type { Client } from '../../client.js';
import { equal, has, rule, status } from '../../rules.js';
import { form, layerWith, raw, shared } from '../support.js';

/** Creates an object in a layer with the file column `docs`, the localized `scans` and the string `word`. Returns its path. */
export async function withFiles(c: Client): Promise<string> {
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

rule('Files', 'DELETE / field is required', async (c) => {
  const object = await withFiles(c);
  const { id } = (await add(c, object, { field: 'docs' })).json;
  status(await c.send('DELETE', `${object}files/${id}/`), 500);
});
rule('Files', 'DELETE / the other files of the column stay', async (c) => {
  const object = await withFiles(c);
  const ids: number[] = [];
  for (const text of ['one', 'two']) ids.push((await add(c, object, { field: 'docs' }, text)).json.id);
  await c.send('DELETE', `${object}files/${ids[0]}/?field=docs`);
  equal((await c.send('GET', object)).json?.fields?.docs, String(ids[1]), 'value of the column');
});
rule('Files', 'DELETE / a file of another object is 404 and stays', async (c) => {
  const object = await withFiles(c);
  const { id, path } = (await add(c, object, { field: 'docs' })).json;
  const other = (await c.make(object.replace(/\d+\/$/, ''), { fields: {} })).id;
  const answer = await c.send('DELETE', `${object.replace(/\d+\/$/, `${other}/`)}files/${id}/?field=docs`);
  status(answer, 404);
  equal((await raw(c, onServer(path))).text, 'hello', 'content');
});
rule('Files', 'decided: a file column takes ids of files of this object alone', async (c) => {
  const object = await withFiles(c);
  const objects = object.replace(/\d+\/$/, '');
  const { id } = (await add(c, object, { field: 'docs' })).json;
  const answer = await c.send('POST', objects, { fields: { docs: String(id) } });
  status(answer, 500);
  equal([answer.json.code, answer.json.data.columns], ['value_invalid', ['docs']], 'code and columns');
  equal((await c.send('PUT', object, { fields: { docs: String(id) } })).status, 200, 'of the object itself');
});
rule(
  'Files',
  'copy of an object / decided: its files are copied, and remain after it is deleted',
  async (c) => {
    const [object, target] = [await withFiles(c), await layerWith(c, { docs: 'file' })];
    const { id } = (await add(c, object, { field: 'docs' })).json;
    const body = { map_code: target.split('/')[1], layer_code: 'a' };
    const made = await c.make(`${object}copy/`, body);
    const copied = Number(made.fields.docs);
    equal([copied > 0, copied === id], [true, false], 'an id, the same id');
    status(await c.send('DELETE', `${object}files/${id}/?field=docs`), 200);
    status(await c.send('DELETE', object), 200);
    const { json } = await c.send('GET', `${target}objects/${made.id}/`);
    equal(json?.fields?.docs, String(copied), 'value afterwards');
    const copy = `${target}objects/${made.id}/files/${copied}/?field=docs`;
    equal((await c.send('DELETE', copy)).json, null, 'deletion of the copy');
  },
);
rule('Files', 'decided: a file of a layer that the caller may not view is 403', async (c) => {
  const object = await withFiles(c);
  const { path } = (await add(c, object, { field: 'docs' })).json;
  equal((await raw(c, onServer(path), { token: '' })).status, 200, 'status before');
  await c.send('PUT', `${object.replace(/objects\/.*/, '')}rights/`, { user: 'public', right: 'none' });
  equal((await raw(c, onServer(path), { token: '' })).status, 403, 'status afterwards');
});
