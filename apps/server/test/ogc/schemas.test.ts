/**
 * The XML of WMS, WMTS and WFS against the schemas of the standards. That of WMS and WMTS by `xmllint`, with schemas that come
 * with mapproxy. It has none of WFS, which is checked by the mappings that the package `ogc-schemas` has of them.
 * OGC_SCHEMAS names a catalog that leads from schemas.opengis.net and www.w3.org to copies of all schemas: with it, `xmllint`
 * checks WFS as well.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { startServer, type TestServer } from '../support/server.js';
import { ContentModel } from './support/content-model.js';
import { featureMapping } from './support/feature-schema.js';
import { loadMappings } from './support/jsonix-mappings.js';
import { faultsOf } from './support/validator.js';

const run = promisify(execFile);
/** Schemas that the package of mapproxy has for its own tests, by their paths at schemas.opengis.net. */
const packaged = '/usr/share/python3-mapproxy/test/schemas';
const given = process.env.OGC_SCHEMAS;
const hasTool = existsSync('/usr/bin/xmllint');
const skip =
  hasTool && (given || existsSync(packaged)) ? false : 'There is no xmllint, or there are no schemas';
/** Schemas of the answers of WFS. */
const mappings = loadMappings('WFS_2_0', 'GML_3_2_1');

let server: TestServer;
let folder: string;
let catalog: string;
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'schemas-'));
  catalog = given ?? (await packagedCatalog());
  server = await startServer();
  await server.admin('POST', '/', { code: 'm', name: 'Map <b>', json: { attribution: '© <us>' } });
  await server.admin('POST', '/', { code: 'empty' });
  const columns = ['string', 'number', 'datetime', 'bool', 'text', 'json'].map((type) => [`a_${type}`, type]);
  const square = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [0, 0],
  ];
  const shapes = {
    points: [{ type: 'Point', coordinates: [9, 50] }],
    lines: [
      { type: 'LineString', coordinates: square },
      { type: 'MultiLineString', coordinates: [square, square] },
    ],
    areas: [
      { type: 'Polygon', coordinates: [square] },
      { type: 'MultiPolygon', coordinates: [[square]] },
    ],
    '-1-mixed': [
      { type: 'MultiPoint', coordinates: square },
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2, 3] }] },
    ],
  };
  for (const [code, geometries] of Object.entries(shapes)) {
    await server.admin('POST', '/m/layers/', {
      code,
      name: `${code} & more`,
      css_style: `#${code} { marker-width: 4; }`,
    });
    for (const [column, type] of columns)
      await server.admin('POST', `/m/layers/${code}/structure/`, { code: column, type });
    const fields = {
      a_string: '<x> & "y"',
      a_number: 1.5,
      a_datetime: '2024-01-01T00:00:00Z',
      a_bool: true,
      a_text: 'a\tb',
      a_json: { a: ['<'] },
    };
    const create = [...geometries.map((geom) => ({ fields, geom })), { fields: {}, geom: null }];
    await server.admin('POST', `/m/layers/${code}/objects/batch/`, { create });
  }
  await server.admin('POST', '/m/folders/', { code: 'folder' });
});
test.after(async () => {
  await server?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function packagedCatalog(): Promise<string> {
  const path = join(folder, 'catalog.xml');
  const [from, to] = [standard(''), `file://${packaged}/`];
  await writeFile(
    path,
    `<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog"><rewriteSystem systemIdStartString="${from}" rewritePrefix="${to}"/>
<rewriteURI uriStartString="${from}" rewritePrefix="${to}"/></catalog>`,
  );
  return path;
}

const standard = (path: string): string => `http://schemas.opengis.net/${path}`;

async function validate(xml: string, args: readonly string[], what: string): Promise<void> {
  const file = join(folder, 'answer.xml');
  await writeFile(file, xml);
  const env = { ...process.env, XML_CATALOG_FILES: catalog };
  await run('xmllint', ['--nonet', '--noout', ...args, file], { env }).catch(({ stderr }) =>
    assert.fail(`${what}: ${String(stderr).slice(0, 2_000)}\n${xml.slice(0, 1_000)}`),
  );
}

const get = async (path: string, query: Record<string, string> = {}): Promise<string> =>
  (await server.request('GET', `//${path}?${new URLSearchParams(query)}`)).text;

test('WMS', { skip }, async () => {
  const ask = (query: Record<string, string>, map = 'm') =>
    get(`wms/demo/${map}/`, { service: 'WMS', ...query });
  for (const map of ['m', 'empty']) {
    const now = { request: 'GetCapabilities', version: '1.3.0' };
    await validate(
      await ask(now, map),
      ['--schema', standard('wms/1.3.0/capabilities_1_3_0.xsd')],
      'WMS 1.3.0',
    );
    const old = { ...now, version: '1.1.1' };
    await validate(
      await ask(old, map),
      ['--dtdvalid', standard('wms/1.1.1/WMS_MS_Capabilities.dtd')],
      'WMS 1.1.1',
    );
  }
  const wrong = { request: 'GetMap', layers: '<nothing>' };
  const exceptions = ['--schema', standard('wms/1.3.0/exceptions_1_3_0.xsd')];
  await validate(await ask({ ...wrong, version: '1.3.0' }), exceptions, 'exception');
  const dtd = ['--dtdvalid', standard('wms/1.1.1/WMS_exception_1_1_1.dtd')];
  await validate(await ask({ ...wrong, version: '1.1.1' }), dtd, 'exception of 1.1.1');
});

test('WMTS', { skip }, async () => {
  const schema = ['--schema', standard('wmts/1.0/wmtsGetCapabilities_response.xsd')];
  for (const map of ['m', 'empty'])
    await validate(await get(`wmts/demo/${map}/1.0.0/WMTSCapabilities.xml`), schema, `WMTS of ${map}`);
  const wrong = await get('wmts/demo/m/', { service: 'WMTS', request: 'GetTile', layer: '<nothing>' });
  await validate(wrong, ['--schema', standard('ows/1.1.0/owsAll.xsd')], 'exception');
});

/** Checks an answer of WFS by the mappings, and by `xmllint` where it has the schemas. */
async function validateWfs(xml: string, { args, model }: WfsSchema, what: string): Promise<void> {
  assert.deepEqual(faultsOf(xml, model), [], `${what}: ${xml.slice(0, 1_000)}`);
  if (given && hasTool) await validate(xml, args, what);
}

interface WfsSchema {
  /** Arguments of `xmllint`. */
  args: readonly string[];
  model: ContentModel;
}

/** The schema of WFS together with that of the features of the map `m`. */
async function featureSchema(described: string): Promise<WfsSchema> {
  const types = join(folder, 'types.xsd');
  await writeFile(types, described);
  const all = join(folder, 'all.xsd');
  await writeFile(
    all,
    `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
<xsd:import namespace="http://www.opengis.net/wfs/2.0" schemaLocation="${standard('wfs/2.0/wfs.xsd')}"/>
<xsd:import namespace="${server.url}/wfs/demo/m" schemaLocation="${types}"/></xsd:schema>`,
  );
  const model = new ContentModel([...mappings, featureMapping(described, mappings)]);
  return { args: ['--schema', all], model };
}

test('WFS', async () => {
  const ask = (query: Record<string, string>, map = 'm') =>
    get(`wfs/demo/${map}`, { service: 'WFS', version: '2.0.0', ...query });
  const model = new ContentModel(mappings);
  const wfs = { args: ['--schema', standard('wfs/2.0/wfs.xsd')], model };
  for (const map of ['m', 'empty'])
    for (const request of ['GetCapabilities', 'ListStoredQueries', 'DescribeStoredQueries'])
      await validateWfs(await ask({ request }, map), wfs, `${request} of ${map}`);
  const features = await featureSchema(await ask({ request: 'DescribeFeatureType' }));
  for (const typenames of ['points', 'lines', 'areas', '-1-mixed'])
    for (const more of [
      {},
      { srsname: 'EPSG:3857' },
      { count: '1' },
      { count: '1', startindex: '1' },
      { resulttype: 'hits' },
      { propertyname: 'a_string' },
    ] as Record<string, string>[]) {
      const text = await ask({ request: 'GetFeature', typenames, ...more });
      await validateWfs(text, features, `features of ${typenames}`);
    }
  const several = { request: 'GetFeature', typenames: '(points)(areas)' };
  await validateWfs(await ask(several), features, 'several queries');
  const again = await ask({ request: 'GetFeature', typenames: '(points)(points)' });
  await validateWfs(again, features, 'one query twice');
  assert.match(again, /gml:id="points\.1"[\s\S]*<wfs:member xlink:href="#points\.1"\/>/);
  const values = { request: 'GetPropertyValue', typenames: 'areas' };
  // Properties are not declared outside of their features: a model of the standards alone leaves them.
  for (const valuereference of ['a_string', 'geom']) {
    const text = await ask({ ...values, valuereference });
    await validateWfs(text, { ...features, model }, `values of ${valuereference}`);
  }
  const byId = {
    request: 'GetFeature',
    storedquery_id: 'urn:ogc:def:query:OGC-WFS::GetFeatureById',
    id: 'areas.1',
  };
  await validateWfs(await ask(byId), features, 'a feature');
  const body = `<wfs:Transaction xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" service="WFS" version="2.0.0">
    <wfs:Insert><points><a_string>new</a_string></points></wfs:Insert></wfs:Transaction>`;
  const { text } = await server.request('POST', '//wfs/demo/m', {
    body,
    token: server.adminToken,
    headers: { 'content-type': 'text/xml' },
  });
  await validateWfs(text, wfs, 'transaction');
  const exceptions = { args: ['--schema', standard('ows/1.1.0/owsAll.xsd')], model };
  await validateWfs(await ask({ request: 'GetFeature', typenames: 'nothing' }), exceptions, 'exception');
});
