/* Layers with more columns than ordinary tables, and what each format holds of them. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Formats, startFormats } from '../support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

const fieldsOf = <T>(count: number, value: (i: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, value(i)]));

/** A layer with a point for each of these. */
async function layerOf(...objects: object[]): Promise<string> {
  const code = await formats.newLayer();
  const features = objects.map((properties, i) => ({
    type: 'Feature',
    properties,
    geometry: { type: 'Point', coordinates: [i, 1] },
  }));
  await formats.load(code, JSON.stringify({ type: 'FeatureCollection', features }), 'x.geojson');
  return code;
}

const exported = (layer: string, format: string): Promise<Response> =>
  fetch(`${formats.server.api}/m/layers/${layer}/export/?format=${format}&zip=1`, {
    headers: { accept: 'application/json' },
  });

async function assertReturns(layer: string, format: string): Promise<void> {
  const answer = await exported(layer, format);
  assert.equal(answer.status, 200, format);
  const copy = await formats.newLayer();
  await formats.load(copy, Buffer.from(await answer.arrayBuffer()), format === 'kmz' ? 'x.kmz' : 'x.zip');
  const fieldsIn = async (of: string) => (await formats.objects(of)).map(({ fields }) => fields);
  assert.deepEqual(await fieldsIn(copy), await fieldsIn(layer), format);
}

async function assertRefused(layer: string, format: string, message: RegExp): Promise<void> {
  const answer = await exported(layer, format);
  const error: any = await answer.json();
  assert.deepEqual([answer.status, error.code], [413, 'too_large'], `${format}: ${error.message}`);
  assert.match(error.message, message);
}

const narrow = ['shp', 'tab'];
const wide = ['mif', 'gpkg', 'fgb', 'parquet', 'kml', 'kmz', 'xlsx', 'csv', 'geojson', 'geojsonl'];

test('998 columns of short texts return from all formats but xls', async () => {
  const layer = await layerOf(...['a text', 'another'].map((text) => fieldsOf(998, (i) => `${text} ${i}`)));
  for (const format of [...narrow, ...wide]) await assertReturns(layer, format);
  await assertRefused(layer, 'xls', /^The table has 1001 columns, xls holds 256: export xlsx or csv$/);
});

test('texts that make a record too long are refused by formats with fixed records alone', async () => {
  const layer = await layerOf(fieldsOf(300, (i) => `${i} `.padEnd(260, 'text ')));
  await assertRefused(
    layer,
    'shp',
    /^The table has 301 columns of 76\d\d\d bytes together, shp holds 65535: /,
  );
  await assertRefused(
    layer,
    'tab',
    /^The table has 301 columns of 76\d\d\d bytes together, tab holds 32767: /,
  );
  for (const format of wide) await assertReturns(layer, format);
});

test('numbers and moments of 998 columns return from formats with fixed records', async () => {
  const layer = await layerOf(
    fieldsOf<unknown>(998, (i) => (i % 2 ? i / 8 : new Date(i * 1e9).toISOString())),
  );
  for (const format of narrow) await assertReturns(layer, format);
});

test('columns in several languages are counted one by one', async () => {
  const { server } = formats;
  await server.admin('POST', '/', { code: 'tongues' });
  const languages = ['en', 'ru', 'de', 'fr'];
  await server.admin('PATCH', '/tongues/', { locales: languages.map((code) => ({ code })) });
  const columns = Array.from({ length: 600 }, (_, i) => ({
    code: `p${i}`,
    type: 'string',
    localized_value: true,
  }));
  await server.admin('POST', '/tongues/layers/', { code: 'wide' });
  for (const column of columns) await server.admin('POST', '/tongues/layers/wide/structure/', column);
  const answer = await fetch(`${server.api}/tongues/layers/wide/export/?format=gpkg`, {
    headers: { accept: 'application/json' },
  });
  const { code, message }: any = await answer.json();
  assert.equal(code, 'too_large', message);
  assert.match(message, /^The table has 3001 columns, gpkg holds 1998: export csv or geojson$/);
});
