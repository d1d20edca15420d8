/* Merging by a key: a feature changes the object with equal values in the columns of the key. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

const point = (x: number) => ({ type: 'Point', coordinates: [x, 1] });
type Properties = Record<string, unknown>;
const collection = (...rows: Properties[]) => ({
  type: 'FeatureCollection',
  features: rows.map(({ id, ...properties }, i) => ({
    type: 'Feature',
    ...(id === undefined ? {} : { id }),
    properties,
    geometry: point(i % 180),
  })),
});

/** Creates a layer with these objects; their properties make its columns. */
async function layerOf(...rows: Properties[]): Promise<string> {
  const code = freshCode('layer');
  await server.admin('POST', '/m/layers/', { code });
  const path = `/m/layers/${code}/`;
  await server.admin('POST', `${path}import/`, collection(...rows));
  return path;
}
const send = (layer: string, query: string, ...rows: Properties[]) =>
  server.request('POST', `${layer}import/?${query}`, {
    token: server.adminToken,
    headers: { accept: 'application/json' },
    body: collection(...rows),
  });
async function fieldsOf(layer: string): Promise<[number, Properties][]> {
  const objects = await server.admin('GET', `${layer}objects/?fields=*&returnGeom=0`);
  return objects.map(({ id, fields }: { id: number; fields: Properties }) => {
    const { svc_id, ...own } = fields;
    return [id, own];
  });
}

test('objects with the key are changed, others added; what the file does not mention stays', async () => {
  const layer = await layerOf(
    { number: 'A1', name: 'old', kept: 1 },
    { number: 'B2', name: 'other', kept: 2 },
  );
  const [first, second] = (await fieldsOf(layer)).map(([id]) => id) as [number, number];
  const dry = await send(layer, 'key=number&dry_run=1', { number: 'A1', name: 'x' }, { number: 'C3' });
  assert.deepEqual([dry.json.import.added, dry.json.import.changed, dry.json.import.stored], [1, 1, 0]);
  // The id of a file is that of another object. It does not count.
  const done = await send(
    layer,
    'key=number',
    { id: second, number: 'A1', name: 'new' },
    { number: 'C3', name: 'added' },
  );
  const { stored, added, changed } = done.json.import;
  assert.deepEqual([stored, added, changed], [2, 1, 1]);
  assert.deepEqual(await fieldsOf(layer), [
    [first, { number: 'A1', name: 'new', kept: 1 }],
    [second, { number: 'B2', name: 'other', kept: 2 }],
    [second + 1, { number: 'C3', name: 'added', kept: null }],
  ]);
  const again = await send(layer, 'key=number', { number: 'A1' }, { number: 'C3' });
  assert.deepEqual(
    [again.json.import.added, again.json.import.changed],
    [0, 2],
    'the same file adds nothing',
  );
});

test('a key of several columns, of numbers and dates; without a value a feature is added', async () => {
  const layer = await layerOf(
    { year: 2023, day: '2024-05-01T00:00:00Z', n: 1 },
    { year: 2024, day: '2024-05-01T00:00:00Z', n: 2 },
    { year: 2024, day: null, n: 3 },
  );
  const done = await send(
    layer,
    'key=year,day',
    { year: 2024, day: '2024-05-01T03:00:00+03:00', n: 20 },
    { year: 2024, day: null, n: 30 },
  );
  assert.deepEqual([done.json.import.added, done.json.import.changed], [1, 1], done.text);
  assert.deepEqual(
    (await fieldsOf(layer)).map(([, { n }]) => n),
    [1, 20, 3, 30],
  );
});

test('a key twice in the file or in the layer is refused, or left out and listed', async () => {
  const layer = await layerOf({ number: 'A' }, { number: 'B' }, { number: 'B' });
  const twice = await send(layer, 'key=number', { number: 'C' }, { number: 'A' }, { number: 'C' });
  assert.deepEqual([twice.status, twice.json.code, twice.json.data.feature], [500, 'import_failed', 3]);
  assert.match(twice.json.message, /number = C stands at feature 1 already/);
  const several = await send(layer, 'key=number', { number: 'A' }, { number: 'B' });
  assert.match(several.json.message, /Feature 2: 2 objects have number = B/);
  const skipped = await send(
    layer,
    'key=number&skip_errors=1',
    ...[{ number: 'C' }, { number: 'B' }, { number: 'C' }, { number: 'A' }],
  );
  const { stored, added, changed, refused, errors } = skipped.json.import;
  assert.deepEqual([stored, added, changed, refused], [2, 1, 1, 2]);
  assert.deepEqual(
    errors.map(({ feature }: { feature: number }) => feature),
    [2, 3],
  );
  assert.equal((await fieldsOf(layer)).length, 4);
});

test('a key that cannot be compared or is not in the file is refused before anything is stored', async () => {
  const layer = await layerOf({ number: 'A', open: true, tags: { a: 1 } });
  for (const [query, text] of [
    ['key=nothing', /no column 'nothing'/],
    ['key=open', /'open' must have numbers, texts or datetimes/],
    ['key=tags', /'tags' must have/],
    ['key=geom', /'geom' must have/],
    ['key=svc_id', /no column 'svc_id'/],
    ['key=number&action=1', /action=2/],
    ['key=number', /no property for the column 'number'/],
    ['key=number&dry_run=1', /no property for the column 'number'/],
  ] as const) {
    const { status, json } = await send(layer, query, { open: false });
    assert.deepEqual([status, json.code], [400, 'bad_request'], query);
    assert.match(json.message, text);
    assert.ok(json.data.parameters.includes('key'));
  }
  assert.equal((await fieldsOf(layer)).length, 1);
});

test('many objects are merged by a key', async () => {
  const rows = (count: number, from: number) =>
    Array.from({ length: count }, (_, i) => ({ number: `n${from + i}`, v: from }));
  const layer = await layerOf(...rows(6_000, 0));
  const { json } = await send(layer, 'key=number', ...rows(6_000, 3_000));
  assert.deepEqual([json.import.added, json.import.changed], [3_000, 3_000]);
  assert.equal(await server.admin('GET', `${layer}count/?precise=1`), 9_000);
});

test('a file of which nearly all features are left out', async () => {
  const layer = await layerOf({ number: 'A' });
  const { status, text, json } = await server.request(
    'POST',
    `${layer}import/?key=number&skip_errors=1&geometry=none`,
    {
      token: server.adminToken,
      headers: { accept: 'application/json', 'content-type': 'text/csv', 'x-filename': 'twins.csv' },
      body: Buffer.from(`number\n${'A\n'.repeat(150_000)}`),
    },
  );
  assert.equal(status, 200, text);
  assert.deepEqual([json.import.stored, json.import.refused], [1, 149_999]);
});
