import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer({}, 'here');
  await server.db.transaction((tx) =>
    tx.query(sql`update cartulary.project set languages = '{en,ru}' where code = 'demo'`),
  );
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

async function newLayer(...columns: object[]): Promise<string> {
  const code = freshCode('l');
  await server.admin('POST', '/m/layers/', { code });
  for (const column of columns) await server.admin('POST', `/m/layers/${code}/structure/`, column);
  return code;
}

const load = (layer: string, features: object[], query = ''): Promise<unknown> =>
  server.admin('POST', `/m/layers/${layer}/import/?${query}`, { type: 'FeatureCollection', features });

const exported = (layer: string, query = ''): Promise<TestAnswer> =>
  server.request('GET', `/m/layers/${layer}/export/?format=geojson&${query}`);

/** The features of an export, parsed. */
async function featuresOf(layer: string, query = ''): Promise<any[]> {
  const answer = await exported(layer, query);
  assert.equal(answer.status, 200, answer.text);
  const collection = JSON.parse(answer.text);
  assert.equal(collection.type, 'FeatureCollection');
  return collection.features;
}

const feature = (properties: object, geometry: object | null = null, id?: number) => ({
  type: 'Feature',
  ...(id === undefined ? {} : { id }),
  geometry,
  properties,
});
const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });

const geometries = [
  point(0.01234567890123457, -89.99999999999999),
  { type: 'Point', coordinates: [1e-7, 179.99999999999997 - 100, -1234.5678901234567] },
  {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [1 / 3, 2 / 3],
      [100.1, -0.1],
    ],
  },
  {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 0],
      ],
      [
        [1, 0.5],
        [2, 0.5],
        [2, 1],
        [1, 0.5],
      ],
    ],
  },
  {
    type: 'MultiPoint',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  },
  {
    type: 'MultiLineString',
    coordinates: [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    ],
  },
  {
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [0, 0, 5],
          [1, 0, 6],
          [1, 1, 7],
          [0, 0, 5],
        ],
      ],
    ],
  },
  { type: 'GeometryCollection', geometries: [point(1, 2), { type: 'MultiPoint', coordinates: [[1, 2]] }] },
  null,
];

test('exported objects are the same after an import', async () => {
  const source = await newLayer();
  const values = [
    {
      s: 'Ёлка "quoted" \\ \n\u2028😀',
      n: 0.1,
      b: true,
      d: '2024-05-01T12:30:00.125Z',
      j: { a: [1, { b: null }] },
    },
    { s: '', n: -1e-7, b: false, d: null, j: [1.5] },
    { s: null, n: 9007199254740991, b: null, d: '1969-12-31T23:59:59.999Z', j: null },
    { s: 'x'.repeat(3000), n: 1e15 + 0.5, b: null, d: '0001-01-02T00:00:00.000Z', j: { ключ: '\u0001' } },
  ];
  await load(
    source,
    geometries.map((geometry, i) => feature(values[i % values.length]!, geometry, i * 7 + 1)),
  );
  const first = await exported(source);
  assert.equal(first.headers.get('content-type'), 'application/geo+json');
  assert.equal(first.headers.get('content-disposition'), `attachment; filename="${source}.geojson"`);
  const features = JSON.parse(first.text).features;
  assert.deepEqual(
    features,
    geometries.map((geometry, i) => feature(values[i % values.length]!, geometry, i * 7 + 1)),
  );
  const target = await newLayer();
  const again = await server.request('POST', `/m/layers/${target}/import/`, {
    token: server.adminToken,
    body: first.text,
  });
  assert.equal(again.status, 200, again.text);
  assert.equal((await exported(target)).text, first.text);
  const types = async (layer: string): Promise<unknown> =>
    (await server.admin('GET', `/m/layers/${layer}/structure/`)).map(({ code, type }: any) => [code, type]);
  assert.deepEqual(await types(target), await types(source));
  // Into the same layer again: nothing changes.
  await server.request('POST', `/m/layers/${source}/import/`, { token: server.adminToken, body: first.text });
  assert.equal((await exported(source)).text, first.text);
});

test('the asked objects, and those in a box', async () => {
  const layer = await newLayer();
  await load(layer, [feature({ n: 1 }, point(10, 20)), feature({ n: 2 }, point(30, 40)), feature({ n: 3 })]);
  const numbers = async (query: string): Promise<number[]> =>
    (await featuresOf(layer, query)).map(({ properties }) => properties.n);
  assert.deepEqual(await numbers(''), [1, 2, 3]);
  assert.deepEqual(await numbers('feature_ids=3,1'), [3, 1]);
  assert.deepEqual(await numbers('fbbox=15,5,25,15'), [1]);
  assert.deepEqual(await numbers('fbbox=0,0,60,60'), [1, 2]);
  assert.deepEqual(await numbers('fbbox=2000000,1000000,2600000,1200000&bboxSR=3857'), [1]);
  assert.deepEqual(await numbers('fbbox=50,50,60,60'), []);
  const absent = await exported(layer, 'feature_ids=1,9');
  assert.equal(absent.status, 404);
  for (const query of [
    'feature_ids=x',
    'feature_ids=1.5',
    'fbbox=1',
    'bboxSR=1',
    'feature_ids=1&fbbox=0,0,1,1',
    'langs=__',
  ]) {
    assert.equal((await exported(layer, query)).status, 400, query);
  }
  const empty = await newLayer({ code: 'a', type: 'string' });
  assert.deepEqual(await featuresOf(empty), []);
});

test('ids and filters that are too long for an address come in a body', async () => {
  const layer = await newLayer({ code: 'n', type: 'number' });
  await load(
    layer,
    Array.from({ length: 3 }, (_, n) => feature({ n }, null, n + 1)),
  );
  const ids = Array.from({ length: 20_000 }, () => '3').join(',');
  const path = `/m/layers/${layer}/export/`;
  const byIds = await server.request('POST', path, { body: { format: 'csv', feature_ids: ids } });
  assert.equal(byIds.status, 200, byIds.text);
  assert.match(byIds.text, /^3;2;/m);
  const filter = JSON.stringify({ op: '<', args: [{ property: 'n' }, 1] });
  const job = await server.request('POST', path, { body: { format: 'geojson', filter, async: '1' } });
  assert.equal(job.status, 202, job.text);
  assert.equal((await server.request('POST', path, { body: {} })).json.code, 'required_missing');
});

test('values by language', async () => {
  const layer = await newLayer(
    { code: 'name', type: 'string', localized_value: true },
    { code: 'size', type: 'number', localized_value: true },
    { code: 'name_ru', type: 'string' },
  );
  await load(layer, [
    feature({ 'name:en': 'Moscow', 'name:ru': 'Москва', size_ru: 1, name_ru: 'plain' }),
    feature({ name: 'Oslo', size: 2 }),
  ]);
  assert.deepEqual(
    (await featuresOf(layer)).map(({ properties }) => properties),
    [
      {
        name: 'Moscow',
        name_en: 'Moscow',
        'name:ru': 'Москва',
        size: null,
        size_en: null,
        size_ru: 1,
        name_ru: 'plain',
      },
      { name: 'Oslo', name_en: 'Oslo', 'name:ru': null, size: 2, size_en: 2, size_ru: null, name_ru: null },
    ],
  );
  const [first] = await featuresOf(layer, 'langs=ru');
  assert.deepEqual(first.properties, {
    name: 'Moscow',
    'name:ru': 'Москва',
    size: null,
    size_ru: 1,
    name_ru: 'plain',
  });
  const text = (await exported(layer)).text;
  await server.request('POST', `/m/layers/${layer}/import/?action=1`, {
    token: server.adminToken,
    body: text,
  });
  assert.equal((await exported(layer)).text, text);
});

test('as a zip archive', async () => {
  const layer = await newLayer();
  await load(layer, [feature({ name: 'Ёлка' }, point(1, 2))]);
  const answer = await exported(layer, 'zip=1');
  assert.equal(answer.headers.get('content-type'), 'application/zip');
  assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${layer}.zip"`);
  const { name, content } = onlyEntry(answer.bytes);
  assert.equal(name, `${layer}.geojson`);
  assert.equal(content, (await exported(layer)).text);
});

/** The one file of an archive, by its central directory (APPNOTE 4.3.12). */
function onlyEntry(zip: Buffer): { name: string; content: string } {
  const end = zip.length - 22;
  assert.equal(zip.readUInt32LE(end), 0x06054b50);
  assert.equal(zip.readUInt16LE(end + 10), 1);
  const entry = zip.readUInt32LE(end + 16);
  const size = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const nameLength = zip.readUInt16LE(local + 26);
  const start = local + 30 + nameLength + zip.readUInt16LE(local + 28);
  return {
    name: zip.subarray(local + 30, local + 30 + nameLength).toString(),
    content: inflateRawSync(zip.subarray(start, start + size)).toString(),
  };
}

test('formats that are not written', async () => {
  const layer = await newLayer();
  const path = `/m/layers/${layer}/export/`;
  const code = async (query: string): Promise<string> => {
    const answer = await server.request('GET', path + query);
    assert.equal(answer.status, 500, answer.text);
    return answer.json.code;
  };
  assert.equal(await code(''), 'required_missing');
  assert.equal(await code('?format='), 'required_missing');
  for (const format of ['geotif', 'dxf', 'rubbish', 'GeoJSON']) {
    assert.equal(await code(`?format=${format}`), 'format_invalid', format);
  }
});

test('rights to export', async () => {
  const layer = await newLayer();
  assert.equal((await exported(layer)).status, 200);
  assert.equal((await exported('none')).status, 404);
  await server.admin('PATCH', '/m/', { publish: false });
  assert.equal((await exported(layer)).status, 403);
  await server.admin('PATCH', '/m/', { publish: true });
});

test('an export is cut off if the layer is imported again meanwhile', async () => {
  const layer = await newLayer();
  const many = Array.from({ length: 15_000 }, (_, i) =>
    feature({ n: i, note: 'x'.repeat(500) }, point(1, 2)),
  );
  await load(layer, many);
  assert.equal((await featuresOf(layer)).length, many.length);
  const [incoming] = await once(get(`${server.api}/m/layers/${layer}/export/?format=geojson`), 'response');
  assert.equal(incoming.statusCode, 200);
  incoming.pause();
  await load(layer, [feature({ n: 1 })], 'action=1');
  let text = '';
  let failure: Error | undefined;
  incoming.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  incoming.on('error', (error: Error) => {
    failure = error;
  });
  incoming.resume();
  await new Promise((resolve) => incoming.once('close', resolve));
  assert.ok(failure, 'the connection must break off');
  assert.throws(() => JSON.parse(text));
});

test('a client that leaves stops its export', async (t) => {
  const { lists } = server.server.services;
  const semaphoreOf = lists.for;
  let slices = 0;
  t.mock.method(lists, 'for', (owner: string) => {
    const semaphore = semaphoreOf(owner);
    const { resume } = semaphore;
    const counted: typeof resume = (...read) => {
      slices += 1;
      return resume(...read);
    };
    return Object.assign(semaphore, { resume: counted });
  });
  const layer = await newLayer();
  await load(
    layer,
    Array.from({ length: 10_000 }, () => feature({ note: 'x'.repeat(1000) })),
  );
  await featuresOf(layer);
  const allSlices = slices;
  for (const query of ['', '&zip=1']) {
    slices = 0;
    const [incoming] = await once(
      get(`${server.api}/m/layers/${layer}/export/?format=geojson${query}`),
      'response',
    );
    incoming.on('error', () => {});
    incoming.destroy();
    // A file is complete when its response begins; of a stream only the first slices are read.
    if (query) continue;
    for (let before = -1; before !== slices; await sleep(100)) before = slices;
    assert.ok(slices < allSlices, `${slices} of ${allSlices} slices were read`);
  }
  assert.equal((await server.request('GET', '/m/layers/')).status, 200);
});
