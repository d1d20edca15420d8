import assert from 'node:assert/strict';
import test from 'node:test';
import { hasTag } from '../../../src/http/reply.js';
import { startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
const layer = '/m/layers/l';
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  await server.admin('POST', `${layer}/structure/`, { code: 'name', type: 'text' });
  await server.admin('POST', `${layer}/structure/`, { code: 'pop', type: 'number' });
});
test.after(() => server.stop());

const point = (x: number) => ({ type: 'Point', coordinates: [x, 1] });

function send(method: string, path: string, ifMatch?: string, body?: unknown) {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  return server.request(method, path, { token: server.adminToken, body, headers });
}
async function tagOf(path: string): Promise<string> {
  const { status, headers } = await send('GET', path);
  assert.equal(status, 200);
  const tag = headers.get('etag');
  assert.match(tag ?? '', /^"[\w-]+"$/, path);
  return tag!;
}
const newObject = async (): Promise<string> => {
  const { id } = await server.admin('POST', `${layer}/objects/`, {
    fields: { name: 'a', pop: 1 },
    geom: point(1),
  });
  return `${layer}/objects/${id}/`;
};

test('the mark of a proxy that compresses is told apart from an ETag that ends with a hyphen', () => {
  for (const etag of ['"a"', '"a-"', '"-"', '"a-gzip"'])
    for (const mark of ['', '-gzip', '--gzip', '-br', '-deflate', '--zstd']) {
      const sent = etag.replace(/"$/, `${mark}"`);
      assert.ok(hasTag(`"other", W/${sent}`, etag), `${sent} of ${etag}`);
    }
  for (const sent of ['"b-gzip"', '"a---gzip"', '"a-other"', '"ab-gzip"'])
    assert.ok(!hasTag(sent, '"a"'), sent);
});

test('the ETag of an answer that a proxy has compressed is that of the answer', async () => {
  for (const form of [
    (tag: string) => `W/${tag}`,
    (tag: string) => tag.replace(/"$/, '-gzip"'),
    (tag: string) => tag.replace(/"$/, '--gzip"'),
    (tag: string) => `"other", ${tag.replace(/"$/, '-br"')}`,
  ]) {
    const at = await newObject();
    const before = await tagOf(at);
    const changed = await send('PUT', at, form(before), { fields: { pop: 2 } });
    assert.equal(changed.status, 200, form(before));
    assert.equal((await send('PUT', at, form(before), { fields: { pop: 3 } })).status, 412, form(before));
    const map = await server.request('GET', '//wms/demo/m/?service=WMS&request=GetCapabilities');
    const headers = { 'if-none-match': form(map.headers.get('etag')!) };
    const again = await server.request('GET', '//wms/demo/m/?service=WMS&request=GetCapabilities', {
      headers,
    });
    assert.equal(again.status, 304, form(before));
  }
  const at = await newObject();
  const tag = (await tagOf(at)).replace(/"$/, '-other"');
  assert.equal((await send('PUT', at, tag, { fields: { pop: 2 } })).status, 412);
});

const popId = async (): Promise<number> =>
  (await server.admin('GET', `${layer}/structure/`)).find((one: { code: string }) => one.code === 'pop').id;

/** What can be written with If-Match: where its ETag is, the write, and a change by somebody else. */
const writes: Record<
  string,
  () => Promise<{ read: string; write: [string, string, unknown?]; other: [string, string, unknown?] }>
> = {
  'the values of an object': async () => {
    const at = await newObject();
    return {
      read: at,
      write: ['PUT', at, { fields: { pop: 2 } }],
      other: ['PUT', at, { fields: { name: 'b' } }],
    };
  },
  'the geometry of an object': async () => {
    const at = await newObject();
    return { read: at, write: ['PUT', `${at}geom/`, point(2)], other: ['PUT', `${at}geom/`, point(3)] };
  },
  'an object that is deleted': async () => {
    const at = await newObject();
    return { read: at, write: ['DELETE', at], other: ['PUT', at, { fields: { name: 'b' } }] };
  },
  'the style of a layer': async () => ({
    read: `${layer}/`,
    write: ['PUT', `${layer}/`, { css_style: '#l { marker-width: 5; }' }],
    other: [
      'PUT',
      `${layer}/`,
      { css_style: `#l { marker-width: ${(6 + 20 * Math.random()).toFixed(6)}; }` },
    ],
  }),
  'the visualization of a layer': async () => ({
    read: `${layer}/`,
    write: ['PATCH', `${layer}/`, { visualSettings: { type: 1, column: await popId() } }],
    other: [
      'PATCH',
      `${layer}/`,
      { css_style: `#l { marker-width: ${(6 + 20 * Math.random()).toFixed(6)}; }` },
    ],
  }),
  'a layer that is deleted': async () => {
    const { code } = await server.admin('POST', '/m/layers/', {});
    const at = `/m/layers/${code}/`;
    return { read: at, write: ['DELETE', at], other: ['PUT', at, { name: 'Changed' }] };
  },
  'a new column': async () => ({
    read: `${layer}/structure/`,
    write: ['POST', `${layer}/structure/`, { code: 'added', type: 'number' }],
    other: ['PUT', `${layer}/structure/name/`, { type: 'text', name: `Name ${Math.random()}` }],
  }),
  'a column that is changed': async () => ({
    read: `${layer}/structure/`,
    write: ['PUT', `${layer}/structure/pop/`, { type: 'number', name: 'Population' }],
    other: ['PUT', `${layer}/structure/name/`, { type: 'text', name: `Name ${Math.random()}` }],
  }),
  'a column that is deleted': async () => ({
    read: `${layer}/structure/`,
    write: ['DELETE', `${layer}/structure/added/`],
    other: ['PUT', `${layer}/structure/name/`, { type: 'text', name: `Name ${Math.random()}` }],
  }),
  'a map': async () => ({
    read: '/m/',
    write: ['PATCH', '/m/', { css_style: 'Map { background-color: #111; }' }],
    other: ['PATCH', '/m/', { comment: `${Math.random()}` }],
  }),
  'a folder': async () => {
    const { code } = await server.admin('POST', '/m/folders/', {});
    const [at, map] = [`/m/folders/${code}/`, await server.admin('GET', '/m/')];
    const change = (name: string) => ({ parent_id: map.id, name });
    return { read: at, write: ['PUT', at, change('mine')], other: ['PUT', at, change('other')] };
  },
  'the publication tree': async () => {
    const { id } = await server.admin('GET', `${layer}/`);
    const item = { id: 1, parent_id: 0, map_layer_id: id };
    return {
      read: '/m/layers/',
      write: ['POST', '/m/publish/', [item]],
      other: ['POST', '/m/folders/', {}],
    };
  },
};

for (const [what, make] of Object.entries(writes))
  test(`${what}: If-Match lets a change of the stored version through, and no other`, async () => {
    const { read, write, other } = await make();
    const [method, path, body] = write;
    const first = await tagOf(read);
    assert.equal(await tagOf(read), first, 'the ETag of one version is one');

    const [otherMethod, otherPath, otherBody] = other;
    assert.equal((await send(otherMethod, otherPath, undefined, otherBody)).status, 200);
    const second = await tagOf(read);
    assert.notEqual(second, first);

    const refused = await send(method, path, first, body);
    assert.equal(refused.status, 412, refused.text);
    assert.equal(refused.json.code, 'changed_meanwhile');
    assert.equal(refused.json.data.etag, second);
    assert.equal(await tagOf(read), second, 'nothing was changed');
    const present = await send('GET', read.includes('/objects/') ? `${read}?returnGeom=1` : read);
    assert.deepEqual(refused.json.data.present, present.json);

    const done = await send(method, path, `"other", ${second}`, body);
    assert.equal(done.status, 200, done.text);
    if (method !== 'DELETE' && !path.endsWith('/geom/')) {
      const told = done.headers.get('etag');
      assert.notEqual(told, second);
      assert.equal(told, await tagOf(read), 'the answer has the ETag of the new version');
    }
  });

test('a write without If-Match is done in any case; * is any version', async () => {
  const at = await newObject();
  for (const ifMatch of [undefined, '*'])
    assert.equal((await send('PUT', at, ifMatch, { fields: { pop: 5 } })).status, 200);
  assert.equal((await send('PUT', `${layer}/objects/999999/`, '*', { fields: {} })).status, 404);
  assert.equal((await send('PUT', `${layer}/objects/999999/`, '"x"', { fields: {} })).status, 404);
});

test('of many writers from the same version one succeeds', async () => {
  const at = await newObject();
  const tag = await tagOf(at);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, pop) => send('PUT', at, tag, { fields: { pop } })),
  );
  const done = answers.filter(({ status }) => status === 200);
  assert.equal(done.length, 1);
  assert.ok(answers.every(({ status }) => status === 200 || status === 412));
  const { json } = await send('GET', at);
  assert.equal(json.fields.pop, done[0]!.json.fields.pop);
});

test('a batch names the ETags of objects that must not have changed', async () => {
  const [one, two] = [await newObject(), await newObject()];
  const id = (path: string): number => Number(/(\d+)\/$/.exec(path)![1]);
  const etags = { [id(one)]: await tagOf(one), [id(two)]: await tagOf(two) };
  await send('PUT', two, undefined, { fields: { name: 'x'.repeat(5000) } });
  const batch = { update: [{ id: id(one), fields: { pop: 7 } }], delete: [id(two)], etags };
  const refused = await send('POST', `${layer}/objects/batch/`, undefined, batch);
  assert.equal(refused.status, 412, refused.text);
  assert.equal(refused.json.data.object, id(two));
  assert.equal(refused.json.data.present.fields.name.length, 5000, 'the present version is whole');
  assert.equal((await send('GET', one)).json.fields.pop, 1);
  batch.etags[id(two)] = refused.json.data.etag;
  assert.equal((await send('POST', `${layer}/objects/batch/`, undefined, batch)).status, 200);
});

test('the ETag of a layer does not change with its objects, its neighbours or the language', async () => {
  const tag = await tagOf(`${layer}/`);
  await newObject();
  await server.admin('POST', '/m/layers/', { sort: 1 });
  assert.equal(await tagOf(`${layer}/`), tag);
  assert.equal(await tagOf(`${layer}/?lng=ru`), tag);
  const columns = await tagOf(`${layer}/structure/`);
  await newObject();
  assert.equal(await tagOf(`${layer}/structure/`), columns);
});

test('an object of a virtual layer has no ETag, for it is not written', async () => {
  const query = 'select svc_id, geom, name from m.l';
  await server.admin('POST', '/m/layers/', { code: 'v', type: 'virtual', json: { query } });
  const [{ id }] = await server.admin('GET', '/m/layers/v/objects/?limit=1');
  const { status, headers } = await send('GET', `/m/layers/v/objects/${id}/`);
  assert.deepEqual([status, headers.get('etag')], [200, null]);
});
