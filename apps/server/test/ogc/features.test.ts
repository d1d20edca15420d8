import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';

let server: TestServer;
const door = '//ogc/demo/m';
const towns = `${door}/collections/towns`;

test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm', name: 'Map <b>' });
  await server.admin('POST', '/m/layers/', { code: 'towns', name: 'Towns' });
  for (const [code, type] of [
    ['name', 'string'],
    ['people', 'number'],
    ['founded', 'datetime'],
    ['capital', 'bool'],
    ['tags', 'json'],
    ['limit', 'number'],
  ])
    await server.admin('POST', '/m/layers/towns/structure/', { code, type });
  const create = Array.from({ length: 25 }, (_, i) => ({
    fields: {
      name: i === 7 ? '<script>' : `Town ${i + 1}`,
      people: i % 5 === 4 ? null : i * 100,
      founded: `2024-01-${String(i + 1).padStart(2, '0')}T12:00:00Z`,
      capital: i === 0,
      tags: [i % 2 ? 'odd' : 'even'],
    },
    geom: { type: 'Point', coordinates: [9 + i / 10, 50] },
  }));
  await server.admin('POST', '/m/layers/towns/objects/batch/', { create });
  await server.admin('POST', '/m/layers/', { code: 'secret' });
  await server.admin('PUT', '/m/layers/secret/rights/', { user: 'public', right: 'none' });
  await server.admin('POST', '/', { code: 'closed', has_publication: false });
});
test.after(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers });
const ids = ({ json }: TestAnswer): number[] => json.features.map(({ id }: { id: number }) => id);
const linkOf = ({ json }: TestAnswer, rel: string): string | undefined =>
  json.links.find((link: { rel: string }) => link.rel === rel)?.href;
/** A link of an answer as a path of requests. */
const follow = (href: string | undefined): string => `/${href!.slice(server.url.length)}`;

test('the door leads to its collections, with the relations and media types that programs look for', async () => {
  const landing = await get(door);
  assert.equal(landing.status, 200, landing.text);
  const rels = new Map(landing.json.links.map(({ rel, type, href }: any) => [rel, [type, href]]));
  assert.deepEqual(rels.get('service-desc'), [
    'application/vnd.oai.openapi+json;version=3.0',
    `${server.url}/ogc/demo/m/api`,
  ]);
  assert.deepEqual(rels.get('data'), ['application/json', `${server.url}/ogc/demo/m/collections`]);
  assert.ok(rels.get('conformance') && rels.get('service-doc') && rels.get('self'));
  const api = await get(`${door}/api`);
  assert.equal(api.headers.get('content-type'), 'application/vnd.oai.openapi+json;version=3.0');
  assert.match(api.json.openapi, /^3\.0/);
  assert.deepEqual(api.json.components.parameters.limit.schema, {
    type: 'integer',
    minimum: 1,
    maximum: 50_000,
    default: 10_000,
  });
  const { conformsTo } = (await get(`${door}/conformance`)).json;
  for (const name of [
    'features-1/1.0/conf/core',
    'features-2/1.0/conf/crs',
    'features-3/1.0/conf/features-filter',
  ])
    assert.ok(conformsTo.includes(`http://www.opengis.net/spec/ogcapi-${name}`));
  const all = await get(`${door}/collections`);
  assert.deepEqual(
    all.json.collections.map(({ id }: { id: string }) => id),
    ['towns'],
  );
  const one = await get(towns);
  assert.deepEqual(one.json.extent.spatial.bbox, [[9, 50, 11.4, 50]]);
  assert.deepEqual(one.json.extent.temporal.interval, [
    ['2024-01-01T12:00:00.000Z', '2024-01-25T12:00:00.000Z'],
  ]);
  assert.ok(one.json.crs.includes('http://www.opengis.net/def/crs/EPSG/0/32632'));
  assert.equal(one.json.storageCrs, 'http://www.opengis.net/def/crs/OGC/1.3/CRS84');
  const { links } = (await get('//ogc/demo')).json;
  assert.deepEqual(
    links.filter(({ rel }: any) => rel === 'child').map(({ href }: any) => href),
    [`${server.url}/ogc/demo/m`],
  );
});

test('features are those of the list of the interface, in pages that lead on and back', async () => {
  const all = await get(`${towns}/items`);
  assert.equal(all.headers.get('content-type'), 'application/geo+json');
  assert.equal(all.headers.get('content-crs'), '<http://www.opengis.net/def/crs/OGC/1.3/CRS84>');
  const list = await server.admin('GET', '/m/layers/towns/objects/?fields=*&returnGeom=1');
  const features = list.map(({ id, fields, geom }: any) => ({
    type: 'Feature',
    id,
    properties: fields,
    geometry: geom,
  }));
  assert.deepEqual(all.json.features, features);
  assert.deepEqual([all.json.numberMatched, all.json.numberReturned], [25, 25]);
  assert.equal(linkOf(all, 'next'), undefined);
  for (const sort of ['', '&sortby=people', '&sortby=-people,%2Bname', '&sortby=-svc_id']) {
    const whole = ids(await get(`${towns}/items?limit=100${sort}`));
    let page = await get(`${towns}/items?limit=10${sort}`);
    const pages = [page];
    while (linkOf(page, 'next')) {
      page = await get(follow(linkOf(page, 'next')));
      pages.push(page);
    }
    assert.deepEqual(pages.map(ids), [whole.slice(0, 10), whole.slice(10, 20), whole.slice(20)], sort);
    assert.deepEqual(
      pages.map(({ json }) => json.numberMatched),
      [25, 25, 25],
    );
    page = await get(follow(linkOf(page, 'prev')));
    assert.deepEqual(ids(page), whole.slice(10, 20), sort);
    page = await get(follow(linkOf(page, 'prev')));
    assert.deepEqual(ids(page), whole.slice(0, 10), sort);
    assert.equal(linkOf(page, 'prev'), undefined);
    assert.deepEqual(ids(await get(follow(linkOf(page, 'next')))), whole.slice(10, 20), sort);
  }
});

test('features are skipped by offset, too', async () => {
  const page = await get(`${towns}/items?limit=10&offset=10`);
  assert.deepEqual([ids(page)[0], ids(page).length, page.json.numberMatched], [11, 10, 25]);
  assert.deepEqual(ids(await get(follow(linkOf(page, 'next')))), [21, 22, 23, 24, 25]);
  assert.deepEqual(ids(await get(follow(linkOf(page, 'prev')))), ids(await get(`${towns}/items?limit=10`)));
  const last = await get(`${towns}/items?offset=23`);
  assert.deepEqual([ids(last), last.json.numberMatched, linkOf(last, 'next')], [[24, 25], 25, undefined]);
  for (const offset of ['-1', 'x', '1e9'])
    assert.equal((await get(`${towns}/items?offset=${offset}`)).status, 400);
});

const crsUri = (code: number): string => `http://www.opengis.net/def/crs/EPSG/0/${code}`;
const selections: [query: string, expected: number[]][] = [
  ['bbox=9.95,49,10.25,51', [11, 12, 13]],
  ['bbox=9.95,49,0,10.25,51,9', [11, 12, 13]],
  ['bbox=170,40,9.05,60', [1]],
  [`bbox=49,9.95,51,10.25&bbox-crs=${crsUri(4326)}`, [11, 12, 13]],
  [`bbox=567800,5500000,590000,5600000&bbox-crs=${crsUri(32632)}`, [11, 12, 13]],
  [`bbox=1107000,6000000,1142000,6700000&bbox-crs=EPSG:3857`, [11, 12, 13]],
  ['datetime=2024-01-03T12:00:00Z', [3]],
  ['datetime=2024-01-03', [3]],
  ['datetime=2024-01-23/..', [23, 24, 25]],
  ['datetime=2024-01-23T/..', [23, 24, 25]],
  ['datetime=../2024-01-03T', [1, 2]],
  ['datetime=../2024-01-02', [1, 2]],
  ['datetime=2024-01-03T13:00:00%2B01:00/2024-01-04', [3, 4]],
  ['datetime=2024-01-03T/..&datetime=../2024-01-04T', [3]],
  ['name=Town%203', [3]],
  ['name=Town%203&name=Town%204', []],
  ['people=300&capital=false', [4]],
  ['svc_id=5', [5]],
  ["filter=people%20%3E%202200%20AND%20name%20LIKE%20'Town%25'", [24]],
  ['filter={"op":"%3C","args":[{"property":"people"},100]}&filter-lang=cql2-json', [1]],
  ["filter=A_CONTAINS(tags,('odd'))&people=100", [2]],
  [`filter=S_WITHIN(geom,BBOX(49,9.95,51,10.25))&filter-crs=${crsUri(4326)}`, [11, 12, 13]],
  [
    `filter=S_INTERSECTS(geom,POLYGON((567800%205500000,590000%205500000,590000%205600000,567800%205600000,567800%205500000)))&filter-crs=${crsUri(32632)}`,
    [11, 12, 13],
  ],
  ['bbox=9.95,49,10.25,51&datetime=2024-01-12/..&people=1100', [12]],
];

test('selections by box, time, values and CQL2', async () => {
  for (const [query, expected] of selections) {
    const answer = await get(`${towns}/items?${query}`);
    assert.equal(answer.status, 200, `${query}: ${answer.text}`);
    assert.deepEqual(ids(answer), expected, query);
    assert.equal(answer.json.numberMatched, expected.length);
  }
  for (const query of ['datetime=2024-01-01&datetime=x', `people=1${'&people=1'.repeat(10)}`])
    assert.equal((await get(`${towns}/items?${query}`)).status, 400, query);
  const chosen = await get(`${towns}/items?properties=name,geom&limit=1`);
  assert.deepEqual(Object.keys(chosen.json.features[0].properties), ['name']);
});

test('coordinates come in the order of the axes of their system', async () => {
  const at = async (crs: string) => {
    const answer = await get(`${towns}/items/1?crs=${encodeURIComponent(crs)}`);
    assert.equal(answer.status, 200, answer.text);
    return [answer.json.geometry.coordinates.map(Math.round), answer.headers.get('content-crs')];
  };
  assert.deepEqual(await at(crsUri(4326)), [[50, 9], `<${crsUri(4326)}>`]);
  assert.deepEqual(await at('[EPSG:3857]'), [[1_001_875, 6_446_276], `<${crsUri(3857)}>`]);
  assert.deepEqual(await at(crsUri(25832)), [[500_000, 5_538_631], `<${crsUri(25832)}>`]);
  // Gauss-Kruger, zone 3: the coordinate to the north comes first.
  const [position] = await at(crsUri(31467));
  assert.ok(
    position![0] > 5_000_000 && position![1] > 3_000_000 && position![1] < 4_000_000,
    String(position),
  );
});

test('GDAL reads the collection as it is exported', async () => {
  const source = `OAPIF:${server.url}/ogc/demo/m`;
  const args = ['-f', 'GeoJSON', '-lco', 'RFC7946=YES', '/vsistdout/', source, 'towns'];
  const { stdout } = await promisify(execFile)('ogr2ogr', args);
  const exported = await server.request('GET', '/m/layers/towns/export/?format=geojson');
  const parts = ({ features }: { features: any[] }) =>
    features.map(({ properties, geometry }) => [properties.name, properties.people, geometry]);
  assert.deepEqual(parts(JSON.parse(stdout)), parts(exported.json));
});

test('GDAL takes the types of columns from the schema, and not from the first features', async () => {
  await server.admin('POST', '/', { code: 'typed' });
  await server.admin('POST', '/typed/layers/', { code: 'late' });
  for (const [code, type] of Object.entries({ n: 'number', text: 'string', on: 'bool', at: 'datetime' }))
    await server.admin('POST', '/typed/layers/late/structure/', { code, type });
  const create = Array.from({ length: 30 }, (_, i) => ({
    fields: i < 25 ? { n: i } : { n: i + 0.5, text: '007', on: true, at: '2024-05-01T00:00:00Z' },
    geom: { type: 'Point', coordinates: [i, 0] },
  }));
  await server.admin('POST', '/typed/layers/late/objects/batch/', { create });
  await server.admin('POST', '/typed/layers/', { code: 'none' });
  await server.admin('POST', '/typed/layers/none/structure/', { code: 'n', type: 'number' });
  const source = `OAPIF:${server.url}/ogc/demo/typed`;
  const list = async (layer: string): Promise<string> =>
    (await promisify(execFile)('ogrinfo', ['-al', source, layer])).stdout;
  const late = await list('late');
  for (const field of [
    'n: Real',
    'text: String',
    'on: Integer\\(Boolean\\)',
    'at: DateTime',
    'n \\(Real\\) = 29\\.5',
  ])
    assert.match(late, new RegExp(field));
  assert.doesNotMatch(late, /^(svc_id|geom): /m);
  assert.match(await list('none'), /^n: Real/m);
  // Programs that read no schema take the types from a page of some features.
  const text = async (limit: number) =>
    (await get(`//ogc/demo/typed/collections/late/items?limit=${limit}`)).text;
  assert.match(await text(10), /"n":9\.0,/);
  assert.match(await text(30), /"n":9,.*"n":29\.5,/);
  const { json } = await server.request('GET', '//ogc/demo/typed/collections/late/feature-schema');
  assert.deepEqual(Object.keys(json.properties.properties.properties), ['n', 'text', 'on', 'at']);
});

test('features come as files of other formats, by a parameter or by the header Accept', async () => {
  const selection = 'filter=people%20%3E%20500&sortby=-people&limit=3&properties=name,people';
  const csv = await get(`${towns}/items?${selection}&f=csv`);
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.deepEqual(csv.text.trim().split(/\r?\n/).slice(0, 3), [
    'svc_id,name,people,geom',
    '24,Town 24,2300,"POINT(11.3 50)"',
    '23,Town 23,2200,"POINT(11.2 50)"',
  ]);
  for (const [type, driver] of [
    ['application/flatgeobuf', 'FlatGeobuf'],
    ['application/geopackage+sqlite3', 'GPKG'],
  ] as const) {
    const file = await get(`${towns}/items?filter=people%20%3E%20500`, {
      accept: `${type}, application/geo+json`,
    });
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, type]);
    const path = join(tmpdir(), `ogc-items-${process.pid}.${driver.toLowerCase()}`);
    await writeFile(path, file.bytes);
    const { stdout } = await promisify(execFile)('ogrinfo', ['-so', '-al', path]);
    await rm(path);
    assert.match(stdout, new RegExp(`driver .${driver}. successful`));
    assert.match(stdout, /Feature Count: 15\b/);
  }
  const parquet = await get(`${towns}/items`, { accept: 'application/vnd.apache.parquet' });
  assert.equal(
    parquet.bytes.toString('latin1', 0, 4) + parquet.bytes.toString('latin1', parquet.bytes.length - 4),
    'PAR1PAR1',
  );
  const refused = await get(`${towns}/items?f=csv&crs=EPSG:3857`);
  assert.deepEqual([refused.status, /^crs: /.test(refused.json.detail)], [400, true]);
});

test('mistakes are problems that name what is wrong, and what is hidden is not there', async () => {
  const mistakes: [path: string, status: number, code: string, detail: RegExp][] = [
    [`${towns}/items?limit=0`, 400, 'bad_request', /limit/],
    [`${towns}/items?limit=x`, 400, 'bad_request', /limit/],
    [`${towns}/items?limit=1&limit=2`, 400, 'bad_request', /limit/],
    [`${towns}/items?unknown=1`, 400, 'bad_request', /unknown/],
    [`${door}?unknown=1`, 400, 'bad_request', /unknown/],
    [`${towns}/items?bbox=1,2,3`, 400, 'bad_request', /bbox/],
    [`${towns}/items?bbox=1,2,3,x`, 400, 'bad_request', /bbox/],
    [`${towns}/items?bbox=0,50,1,40`, 400, 'bad_request', /bbox/],
    [`${towns}/items?bbox=0,100,1,140`, 400, 'bad_request', /bbox.*90/],
    [`${towns}/items?crs=EPSG:99999`, 400, 'bad_request', /crs/],
    [`${towns}/items?crs=nonsense`, 400, 'bad_request', /crs/],
    [`${towns}/items?bbox=1,2,3,4&bbox-crs=EPSG:4978`, 400, 'bad_request', /bbox-crs/],
    [
      `${towns}/items?bbox=1e30,1e30,2e30,2e30&bbox-crs=EPSG:25832`,
      400,
      'bad_request',
      /bbox: .* does not reach/,
    ],
    [
      `${towns}/items?filter=S_INTERSECTS(geom,POINT(1e30%201e30))&filter-crs=EPSG:25832`,
      400,
      'bad_request',
      /filter: .* does not reach/,
    ],
    [`${towns}/items?datetime=yesterday`, 400, 'bad_request', /datetime/],
    [`${towns}/items?datetime=2024-02-01/2024-01-01`, 400, 'bad_request', /datetime/],
    [`${towns}/items?datetime=2024-02-30`, 400, 'bad_request', /^datetime: '2024-02-30' is no time/],
    [`${towns}/items?people=many`, 400, 'bad_request', /people/],
    [`${towns}/items?founded=early`, 400, 'bad_request', /^founded: 'early' is no time/],
    [`${towns}/items?name=a%00b`, 400, 'bad_request', /^name: /],
    [`${towns}/items?sortby=none`, 400, 'bad_request', /sortby: [^{]*'none'/],
    [`${towns}/items?sortby=tags`, 400, 'bad_request', /sortby: [^{]*json/],
    [`${towns}/items?properties=none`, 400, 'bad_request', /properties/],
    [`${towns}/items?cursor=nonsense`, 400, 'bad_request', /cursor/],
    [`${towns}/items?filter=people%20%3E`, 400, 'bad_request', /character 9/],
    [`${towns}/items?filter=people%3E1&filter-lang=ecql`, 400, 'bad_request', /filter-lang/],
    [`${towns}/items?f=xml`, 400, 'bad_request', /f/],
    [`${towns}/items/99`, 404, 'object_not_found', /99/],
    [`${towns}/items/x`, 400, 'bad_request', /object/],
    [`${door}/collections/none`, 404, 'layer_not_found', /none/],
    [`${door}/collections/secret`, 404, 'layer_not_found', /secret/],
    [`${door}/collections/secret/items`, 404, 'layer_not_found', /secret/],
    ['//ogc/demo/none', 404, 'map_not_found', /none/],
    ['//ogc/demo/closed', 404, 'map_not_found', /closed/],
    ['//ogc/demo/closed/collections/x/items', 404, 'map_not_found', /closed/],
    ['//ogc/none/m', 404, 'project_not_found', /none/],
  ];
  for (const [path, status, code, detail] of mistakes) {
    const answer = await get(path);
    assert.equal(answer.status, status, `${path}: ${answer.text}`);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.equal(answer.json.code, code, path);
    assert.match(answer.json.detail, detail);
  }
});

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.request(method, path, {
    token: server.adminToken,
    body,
    headers: { 'content-type': 'application/geo+json', ...headers },
  });
const json = (value: unknown) => JSON.stringify(value);

test('features that cannot be stored are refused', async () => {
  for (const [body, detail] of [
    [{ type: 'Feature', properties: { people: 'many' }, geometry: null }, /people/],
    [{ type: 'Feature', properties: { none: 1 }, geometry: null }, /none/],
    [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [500, 0] } }, /range/],
    [{}, /GeoJSON feature/],
  ] as const) {
    const refused = await send('POST', `${towns}/items`, json(body));
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.json.detail, detail);
  }
});

test('bodies that are no GeoJSON by their type are refused, with the types that are taken', async () => {
  const feature = json({ type: 'Feature', properties: { name: 'Typed' }, geometry: null });
  const { headers } = await send('POST', `${towns}/items`, feature);
  const item = follow(headers.get('location')!);
  const bytes = Buffer.from(feature);
  for (const [method, path, type, status] of [
    ['POST', `${towns}/items`, 'text/plain', 415],
    ['POST', `${towns}/items`, 'application/xml; charset=utf-8', 415],
    ['PUT', item, 'multipart/form-data; boundary=x', 415],
    ['PUT', item, 'application/merge-patch+json', 415],
    ['PATCH', item, 'application/json-patch+json', 415],
    ['PATCH', item, 'Application/Merge-Patch+JSON', 204],
    ['PUT', item, 'application/json; charset=utf-8', 204],
    ['PATCH', item, 'application/geo+json', 204],
    // The type that curl sends of itself.
    ['PUT', item, 'application/x-www-form-urlencoded', 204],
    ['PUT', item, undefined, 204],
  ] as const) {
    const answer = await server.request(method, path, {
      token: server.adminToken,
      body: bytes,
      headers: type ? { 'content-type': type } : {},
    });
    assert.equal(answer.status, status, `${method} ${type}: ${answer.text}`);
    if (status !== 415) continue;
    assert.match(answer.json.detail, /application\/geo\+json/);
    assert.equal(/merge-patch/.test(answer.json.data.types), method === 'PATCH');
  }
  assert.equal((await send('DELETE', item)).status, 204);
});

/** A write with If-None-Match is refused where it names the stored version. */
async function demandOtherTags(item: string, stored: string): Promise<void> {
  for (const [tag, status] of [
    ['*', 412],
    [`"other", W/${stored}`, 412],
    ['"other"', 204],
  ] as const)
    for (const method of ['PUT', 'PATCH'])
      assert.equal(
        (await send(method, item, json({ properties: { name: 'Other' } }), { 'if-none-match': tag })).status,
        status,
        tag,
      );
  assert.equal((await send('DELETE', item, undefined, { 'if-none-match': '*' })).status, 412);
}

test('features are written, under the same rules', async () => {
  const token = server.adminToken;
  const feature = {
    type: 'Feature',
    properties: { name: 'New', people: 5 },
    geometry: { type: 'Point', coordinates: [50, 9] },
  };
  const far = { ...feature, geometry: { type: 'Point', coordinates: [1e30, 1e30] } };
  const refused = await send('POST', `${towns}/items`, json(far), { 'content-crs': `<${crsUri(25832)}>` });
  assert.deepEqual([refused.status, refused.json.code], [400, 'bad_request']);
  const made = await send('POST', `${towns}/items`, json(feature), { 'content-crs': `<${crsUri(4326)}>` });
  assert.equal(made.status, 201, made.text);
  const item = follow(made.headers.get('location')!);
  const first = await get(item);
  assert.deepEqual(first.json.geometry.coordinates, [9, 50]);
  const etag = first.headers.get('etag')!;
  assert.equal((await get(item, { 'if-none-match': etag })).status, 304);
  const put = { type: 'Feature', properties: { name: 'Other' }, geometry: null };
  const replaced = await send('PUT', item, json(put), { 'if-match': etag });
  assert.equal(replaced.status, 204, replaced.text);
  assert.equal((await send('PUT', item, json(put), { 'if-match': etag })).status, 412);
  const second = await get(item);
  assert.deepEqual([second.json.properties.people, second.json.geometry], [null, null]);
  assert.equal(second.headers.get('etag'), replaced.headers.get('etag'));
  await demandOtherTags(item, second.headers.get('etag')!);
  const patch = await send('PATCH', item, json({ properties: { people: 7 } }), {
    'content-type': 'application/merge-patch+json',
  });
  assert.equal(patch.status, 204, patch.text);
  const { name, people } = (await get(item)).json.properties;
  assert.deepEqual([name, people], ['Other', 7]);
  const before = await get(`${towns}/items`);
  assert.equal((await get(`${towns}/items`, { 'if-none-match': before.headers.get('etag')! })).status, 304);
  assert.equal((await send('DELETE', item)).status, 204);
  assert.equal((await get(item)).status, 404);
  assert.equal((await get(`${towns}/items`, { 'if-none-match': before.headers.get('etag')! })).status, 200);
  assert.equal((await server.request('POST', `${towns}/items`, { body: feature })).status, 401);
  const allow = async (path: string, own?: string) =>
    (await server.request('OPTIONS', path, own ? { token: own } : {})).headers.get('allow');
  assert.deepEqual(
    [
      await allow(`${towns}/items`),
      await allow(`${towns}/items`, token),
      await allow(`${towns}/items/1`, token),
    ],
    ['GET, HEAD, OPTIONS', 'GET, HEAD, POST, OPTIONS', 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'],
  );
});

test('schemas name types, and what values a column may have', async () => {
  await server.admin('POST', '/m/layers/towns/constraints/', {
    type: 'range',
    columns: ['people'],
    definition: [0, 9_000],
    name: 'r',
  });
  const queryables = await get(`${towns}/queryables`);
  assert.equal(queryables.headers.get('content-type'), 'application/schema+json');
  const { properties, additionalProperties } = queryables.json;
  assert.equal(additionalProperties, false);
  assert.deepEqual(Object.keys(properties), [
    'svc_id',
    'geom',
    'name',
    'people',
    'founded',
    'capital',
    'tags',
    'limit',
  ]);
  assert.equal(properties.geom['x-ogc-role'], 'primary-geometry');
  assert.equal(properties.founded.format, 'date-time');
  const { people } = (await get(`${towns}/schema`)).json.properties;
  assert.deepEqual([people.type, people.minimum, people.maximum], ['number', 0, 9_000]);
  assert.ok(!('tags' in (await get(`${towns}/sortables`)).json.properties));
  // The values of a dictionary, for those who may view it.
  await server.admin('POST', '/m/layers/', { code: 'limits' });
  await server.admin('POST', '/m/layers/limits/structure/', { code: 'value', type: 'number' });
  const create = [30, 50].map((value) => ({ fields: { value } }));
  await server.admin('POST', '/m/layers/limits/objects/batch/', { create });
  const link = { column_code: 'limit', dict_layer_code: 'limits', dict_column_code: 'value' };
  await server.admin('POST', '/m/dictionaries/towns/', link);
  const allowed = async (name: string) => (await get(`${towns}/${name}`)).json.properties.limit.enum;
  assert.deepEqual(
    [await allowed('schema'), await allowed('queryables')],
    [
      [30, 50],
      [30, 50],
    ],
  );
  await server.admin('PUT', '/m/layers/limits/rights/', { user: 'public', right: 'none' });
  assert.equal(await allowed('schema'), undefined);
  await server.admin('DELETE', '/m/layers/limits/?force=1');
});

test('the form of an answer is the one that the client likes best, not the one that it names first', async () => {
  for (const [accept, type] of [
    ['text/html;q=0.1, application/geo+json', 'application/geo+json'],
    ['application/json;q=0.5, TEXT/HTML', 'text/html; charset=utf-8'],
    ['text/html;q=0', 'application/geo+json'],
    ['application/geo+json;q=0.8,text/csv', 'text/csv; charset=utf-8'],
    ['text/html, application/json', 'text/html; charset=utf-8'],
    [';q=x,,', 'application/geo+json'],
  ] as const) {
    const answer = await get(`${towns}/items?limit=1`, { accept });
    assert.equal(answer.headers.get('content-type'), type, accept);
  }
});

test('pages are for readers: escaped, without scripts', async () => {
  for (const path of [
    door,
    `${door}/collections`,
    `${door}/conformance`,
    `${door}/api`,
    towns,
    `${towns}/items`,
    `${towns}/items/8`,
    `${towns}/schema`,
    '//ogc/demo',
  ]) {
    const page = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    assert.equal(page.status, 200, path);
    assert.match(page.headers.get('content-type')!, /^text\/html/);
    assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/);
    assert.doesNotMatch(page.text, /<script|Map <b>/);
  }
  const page = await get(`${towns}/items?f=html&limit=2`);
  assert.match(page.text, /Town 2/);
  assert.doesNotMatch(page.text, /Town 3/);
  assert.match((await get(`${door}/collections/none?f=html`)).text, /<h1>/);
});
