/**
 * The XML of WMS, WMTS and WFS against the schemas of the standards, by `xmllint`. Those of WMS and WMTS come with mapproxy.
 * OGC_SCHEMAS names a catalog that leads from schemas.opengis.net and www.w3.org to copies of all schemas, also those of WFS.
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

const run = promisify(execFile);
/** Schemas that the package of mapproxy has for its own tests, by their paths at schemas.opengis.net. */
const packaged = '/usr/share/python3-mapproxy/test/schemas';
const given = process.env.OGC_SCHEMAS;
const hasTool = existsSync('/usr/bin/xmllint');
const skipWfs = given && hasTool ? false : 'OGC_SCHEMAS names no catalog of schemas, or there is no xmllint';
const skip = hasTool && (given || existsSync(packaged)) ? false : skipWfs;

let server: TestServer;
let folder: string;
let catalog: string;
test.before(async () => {
  if (skip) return;
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

test('WFS', { skip: skipWfs }, async () => {
  const ask = (query: Record<string, string>, map = 'm') =>
    get(`wfs/demo/${map}`, { service: 'WFS', version: '2.0.0', ...query });
  const wfs = ['--schema', standard('wfs/2.0/wfs.xsd')];
  for (const map of ['m', 'empty'])
    for (const request of ['GetCapabilities', 'ListStoredQueries', 'DescribeStoredQueries'])
      await validate(await ask({ request }, map), wfs, `${request} of ${map}`);
  const types = join(folder, 'types.xsd');
  await writeFile(types, await ask({ request: 'DescribeFeatureType' }));
  const all = join(folder, 'all.xsd');
  await writeFile(
    all,
    `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
<xsd:import namespace="http://www.opengis.net/wfs/2.0" schemaLocation="${standard('wfs/2.0/wfs.xsd')}"/>
<xsd:import namespace="${server.url}/wfs/demo/m" schemaLocation="${types}"/></xsd:schema>`,
  );
  const features = ['--schema', all];
  for (const typenames of ['points', 'lines', 'areas', '-1-mixed'])
    for (const more of [
      {},
      { srsname: 'EPSG:3857' },
      { count: '1' },
      { resulttype: 'hits' },
      { propertyname: 'a_string' },
    ] as Record<string, string>[])
      await validate(
        await ask({ request: 'GetFeature', typenames, ...more }),
        features,
        `features of ${typenames}`,
      );
  const several = { request: 'GetFeature', typenames: '(points)(areas)' };
  await validate(await ask(several), features, 'several queries');
  const values = { request: 'GetPropertyValue', typenames: 'areas' };
  for (const valuereference of ['a_string', 'geom'])
    await validate(await ask({ ...values, valuereference }), features, `values of ${valuereference}`);
  const byId = {
    request: 'GetFeature',
    storedquery_id: 'urn:ogc:def:query:OGC-WFS::GetFeatureById',
    id: 'areas.1',
  };
  await validate(await ask(byId), features, 'a feature');
  const body = `<wfs:Transaction xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" service="WFS" version="2.0.0">
    <wfs:Insert><points><a_string>new</a_string></points></wfs:Insert></wfs:Transaction>`;
  const { text } = await server.request('POST', '//wfs/demo/m', {
    body,
    token: server.adminToken,
    headers: { 'content-type': 'text/xml' },
  });
  await validate(text, wfs, 'transaction');
  const exceptions = ['--schema', standard('ows/1.1.0/owsAll.xsd')];
  await validate(await ask({ request: 'GetFeature', typenames: 'nothing' }), exceptions, 'exception');
});
