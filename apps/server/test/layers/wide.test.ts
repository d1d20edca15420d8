/* Layers of hundreds of columns, whose values share attributes of the table. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let map: string;
test.before(async () => {
  server = await startServer();
  map = freshCode('wide');
  await server.admin('POST', '/', { code: map });
});
test.after(() => server.stop());

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const codes = (count: number): string[] => range(count).map((i) => `p${i}`);
const fieldsOf = <T>(count: number, value: (i: number) => T): Record<string, T> =>
  Object.fromEntries(codes(count).map((code, i) => [code, value(i)]));
const at = (x: number) => ({ type: 'Point', coordinates: [x, 1] });

/** Creates a layer with an object for each of these properties. */
async function layerOf(...objects: Record<string, unknown>[]): Promise<string> {
  const code = freshCode('layer');
  await server.admin('POST', `/${map}/layers/`, { code });
  const features = objects.map((properties, i) => ({ type: 'Feature', properties, geometry: at(i) }));
  await server.admin('POST', `/${map}/layers/${code}/import/`, { type: 'FeatureCollection', features });
  return `/${map}/layers/${code}`;
}

const list = (layer: string, query = ''): Promise<{ id: number; fields: Record<string, unknown> }[]> =>
  server.admin('GET', `${layer}/objects/?fields=*${query}`);

test('texts of any length fit into 500 columns, and values of any type into 998', async () => {
  const texts = [21, 254, 3_000].map((length) => fieldsOf(500, (i) => `${i} `.padEnd(length, 'text ')));
  const layer = await layerOf(...texts);
  assert.deepEqual(
    (await list(layer)).map(({ fields }) => fields),
    texts,
  );
  const kinds = [(i: number) => `a text of some words ${i}`, (i: number) => i / 3, (i: number) => i % 2 > 0];
  const moment = (i: number) => new Date(i * 1e9).toISOString();
  const mixed = fieldsOf<unknown>(998, (i) => [...kinds, moment, (n: number) => ({ n })][i % 5]!(i));
  const widest = await layerOf(mixed);
  assert.deepEqual((await list(widest))[0]!.fields, mixed);
  const numbers = fieldsOf(998, (i) => i + 0.5);
  assert.deepEqual((await list(await layerOf(numbers)))[0]!.fields, numbers);
  const { id } = await server.admin('POST', `${widest}/objects/`, { fields: mixed, geom: at(1) });
  assert.deepEqual((await list(widest)).find((object) => object.id === id)!.fields, mixed);
});

test('the error for too many columns names the limit', async () => {
  const layer = await layerOf({ own: 1 });
  const features = [{ type: 'Feature', properties: fieldsOf(999, (i) => i), geometry: null }];
  const answer = await server.request('POST', `${layer}/import/`, {
    token: server.adminToken,
    body: { type: 'FeatureCollection', features },
  });
  assert.equal(answer.json.code, 'import_failed', answer.text);
  assert.deepEqual(answer.json.data.columns, ['p997', 'p998']);
});

test('objects of a wide layer are written, copied, found, put in order and deleted', async () => {
  const count = 400;
  const layer = await layerOf(...[2, 1, 3].map((n) => fieldsOf(count, (i) => `value ${n} of ${i}`)));
  const [first] = await list(layer);
  const changed: Record<string, unknown> = { p0: 'begin', p399: 'end', p398: null };
  const { fields } = await server.admin('PUT', `${layer}/objects/${first!.id}/`, { fields: changed });
  assert.deepEqual(fields, { ...first!.fields, ...changed });
  const orderOf = async (query: string) => (await list(layer, query)).map(({ fields: { p397 } }) => p397);
  const values = [1, 2, 3].map((n) => `value ${n} of 397`);
  assert.deepEqual(await orderOf('&sort=p397'), values);
  assert.deepEqual(await orderOf('&sort=p397,d|p396'), values.toReversed());
  assert.deepEqual(await orderOf('&fcode=p397&fval=value 3 of 397'), [values[2]]);
  const filter = { op: 'like', args: [{ property: 'p390' }, '%2 of%'] };
  assert.equal((await server.admin('POST', `${layer}/filter/`, { filter })).length, 1);
  const other = await layerOf(fieldsOf(count + 50, () => 'another text'));
  const [map_code, layer_code] = [map, other.split('/').at(-1)];
  const copy = await server.admin('POST', `${layer}/objects/${first!.id}/copy/`, { map_code, layer_code });
  assert.deepEqual(
    copy.fields,
    fieldsOf(count + 50, (i) => ({ ...first!.fields, ...changed })[`p${i}`] ?? null),
  );
  const found = await server.admin('GET', `/${map}/search/?phrase=${encodeURIComponent('value 3 of 0')}`);
  assert.equal(found[0]?.priority, 30);
  assert.equal(await server.admin('DELETE', `${layer}/objects/`, { delete_params: '1-3' }), true);
});

test('columns that share an attribute are changed, taken away and added one by one', async () => {
  const count = 300;
  const layer = await layerOf(
    fieldsOf(count, (i) => `${i}`),
    fieldsOf(count, (i) => `no ${i}`),
  );
  const structure = `${layer}/structure`;
  const expected = [fieldsOf<unknown>(count, (i) => `${i}`), fieldsOf<unknown>(count, (i) => `no ${i}`)];
  const check = async (what: string) =>
    assert.deepEqual(
      (await list(layer)).map(({ fields }) => fields),
      expected,
      what,
    );
  const { lost } = await server.admin('PATCH', `${structure}/p290/`, { type: 'number' });
  assert.equal(lost, 1);
  Object.assign(expected[0]!, { p290: 290 });
  Object.assign(expected[1]!, { p290: null });
  await check('another type');
  await server.admin('PATCH', `${structure}/p291/`, { type: 'string', localized_value: true });
  await server.admin('PUT', `${layer}/objects/1/?lng=ru`, { fields: { p291: 'по-русски' } });
  await check('localized');
  const [russian] = await list(layer, '&lng=ru');
  assert.equal(russian!.fields.p291, 'по-русски');
  await server.admin('PATCH', `${structure}/p292/`, { type: 'string', code: 'renamed' });
  for (const object of expected) {
    object.renamed = object.p292;
    delete object.p292;
  }
  await check('renamed');
  await server.admin('PATCH', `${structure}/p293/`, { type: 'title' });
  for (const object of expected) delete object.p293;
  await check('a title');
  await server.admin('PATCH', `${structure}/p293/`, { type: 'text' });
  for (const object of expected) object.p293 = null;
  await check('values again');
  for (const i of range(45).map((n) => n + 255)) {
    if (i === 290 || i === 292) continue;
    await server.admin('DELETE', `${structure}/p${i}/`);
    for (const object of expected) delete object[`p${i}`];
  }
  await check('taken away');
  for (const [code, type] of [
    ['n1', 'number'],
    ['t1', 'text'],
    ['j1', 'json'],
    ['d1', 'datetime'],
    ['b1', 'bool'],
    ['f1', 'file'],
  ]) {
    await server.admin('POST', `${structure}/`, { code, type });
    for (const object of expected) object[code!] = null;
  }
  await check('added');
  const values = { n1: 1.5, t1: 'new', j1: [1, { a: null }], d1: '2024-05-01T00:00:00.000Z', b1: true };
  await server.admin('PUT', `${layer}/objects/2/`, { fields: values });
  Object.assign(expected[1]!, values);
  await check('filled');
});

test('files, constraints, dictionaries and required columns in a wide layer', async () => {
  const layer = await layerOf(
    fieldsOf(300, (i) => `a${i}`),
    fieldsOf(300, (i) => `b${i}`),
  );
  await server.admin('POST', `${layer}/structure/`, { code: 'photos', type: 'file' });
  const form = new FormData();
  form.set('field', 'photos');
  form.set('file', new Blob(['text']), 'a.txt');
  const path = `${layer}/objects/1/files/`;
  const file = await server.request('POST', path, { token: server.adminToken, body: form });
  assert.equal(file.status, 200, file.text);
  assert.equal((await list(layer))[0]!.fields.photos, String(file.json.id));
  await server.admin('DELETE', `${path}${file.json.id}/?field=photos`);
  assert.equal((await list(layer))[0]!.fields.photos, null);
  const put = (fields: object) =>
    server.request('PUT', `${layer}/objects/2/`, { token: server.adminToken, body: { fields } });
  await server.admin('POST', `${layer}/constraints/`, { type: 'unique', columns: ['p290'] });
  await server.admin('POST', `${layer}/constraints/`, { type: 'unique', columns: ['p291', 'p292'] });
  await server.admin('POST', `${layer}/constraints/`, {
    type: 'check',
    columns: ['p293'],
    definition: ['a293', 'b293'],
  });
  for (const fields of [{ p290: 'a290' }, { p291: 'a291', p292: 'a292' }, { p293: 'c' }]) {
    const answer = await put(fields);
    assert.equal(answer.json?.code, 'constraint_violated', answer.text);
  }
  assert.equal((await put({ p291: 'a291', p293: 'a293' })).status, 200);
  await server.admin('PATCH', `${layer}/structure/p295/`, { type: 'string', required: true });
  assert.equal((await put({ p295: ' ' })).json?.code, 'required_missing');
});

test('virtual and materialized layers read and have hundreds of columns', async () => {
  const count = 600;
  const expected = fieldsOf(count, (i) => `some text of column ${i}`);
  const layer = await layerOf(expected);
  const source = `${map}.${layer.split('/').at(-1)}`;
  for (const type of ['virtual', 'material']) {
    const code = freshCode(type);
    const query = `select svc_id, geom, ${codes(count).join(', ')} from ${source}`;
    await server.admin('POST', `/${map}/layers/`, { code, type, json: { query } });
    assert.deepEqual((await list(`/${map}/layers/${code}`))[0]!.fields, expected, type);
    await server.admin('PATCH', `${layer}/structure/p599/`, { type: 'text' });
    const again = await server.admin('GET', `/${map}/layers/${code}/objects/?fields=p300,p599`);
    assert.deepEqual(again[0].fields, { p300: expected.p300, p599: expected.p599 }, type);
    if (type === 'material') await server.admin('POST', `/${map}/layers/${code}/refresh/`);
    assert.deepEqual((await list(`/${map}/layers/${code}`))[0]!.fields, expected, type);
  }
});

test('styles, tiles and exports read columns that share an attribute', async () => {
  const layer = await layerOf(
    fieldsOf(300, (i) => i),
    fieldsOf(300, (i) => -i),
  );
  const code = layer.split('/').at(-1);
  const { id } = await server.admin('PATCH', `${layer}/`, {
    css_style: `#${code}[p290 > 0] { marker-fill: #ff0000; marker-width: 20; }`,
  });
  const tile = await server.request('GET', `//tms/demo/${map}/?x=0&y=0&z=0&base=0&layers=${id}`);
  assert.equal(tile.status, 200, tile.text);
  assert.ok(tile.bytes.length > 300);
  const vectors = await server.request('GET', `//mvt/demo/${map}/0/0/0.pbf?layers=${id}&fields=p290`);
  assert.ok(vectors.bytes.includes('p290'));
  const exported = await server.admin('GET', `${layer}/export/?format=geojson`);
  assert.equal(exported.features[0].properties.p290, 290);
  await server.admin('POST', `${layer}/import/?action=1`, exported);
  assert.deepEqual(
    (await list(layer))[1]!.fields,
    fieldsOf(300, (i) => -i || 0),
  );
});
