/** QGIS, OWSLib and mapproxy read, draw and edit a map (Debian: python3-qgis with qgis-providers, python3-owslib, mapproxy). Pages have ten features. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { startServer, type TestServer } from '../support/server.js';

const run = promisify(execFile);
const python = '/usr/bin/python3';
const without = (module: string): Promise<string | false> =>
  run(python, ['-c', `import ${module}`]).then(
    () => false,
    () => `the package of Python '${module}' is not installed`,
  );
const [withoutQgis, withoutOwslib, withoutMapproxy] = await Promise.all(
  ['qgis.core', 'owslib.ogcapi', 'mapproxy.wsgiapp'].map(without),
);

let server: TestServer;
let folder: string;
test.before(async () => {
  if (withoutQgis && withoutOwslib && withoutMapproxy) return;
  folder = await mkdtemp(join(tmpdir(), 'clients-'));
  server = await startServer({ CARTULARY_LIST_LIMIT: '10' });
  await server.admin('POST', '/', { code: 'm', name: 'A map' });
  await server.admin('POST', '/m/layers/', { code: 'area', css_style: '#area { polygon-fill: #f00; }' });
  await server.admin('POST', '/m/layers/', { code: 'towns' });
  for (const [code, type] of [
    ['name', 'string'],
    ['people', 'number'],
    ['founded', 'datetime'],
    ['capital', 'bool'],
  ])
    await server.admin('POST', '/m/layers/towns/structure/', { code, type });
  const create = Array.from({ length: 25 }, (_, i) => ({
    fields: {
      name: `Town ${i + 1}`,
      people: i % 5 === 4 ? null : i * 100,
      founded: `2024-01-${String(i + 1).padStart(2, '0')}T12:00:00Z`,
      capital: i === 0,
    },
    geom: { type: 'Point', coordinates: [9 + i / 10, 50] },
  }));
  await server.admin('POST', '/m/layers/towns/objects/batch/', { create });
  const ring = [
    [8, 48],
    [12, 48],
    [12, 52],
    [8, 52],
    [8, 48],
  ];
  const geom = { type: 'Polygon', coordinates: [ring] };
  await server.admin('POST', '/m/layers/area/objects/', { fields: {}, geom });
});
test.after(async () => {
  await server?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** The last line that a script prints, as JSON. */
async function answerOf(script: string, ...args: string[]): Promise<any> {
  const path = `apps/server/test/ogc/clients/${script}`;
  const env = { ...process.env, HOME: folder, QT_QPA_PLATFORM: 'offscreen' };
  const { stdout } = await run(python, [path, server.url, ...args], { env });
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}

const names = Array.from({ length: 25 }, (_, i) => `Town ${i + 1}`);

test('OWSLib reads OGC API Features, WFS, WMS and WMTS', { skip: withoutOwslib! }, async () => {
  const read = await answerOf('read-with-owslib.py');
  const { oapif, wfs, wmts } = read;
  assert.deepEqual([oapif.conformance, oapif.api, oapif.matched], [true, '3.0.3', 25]);
  assert.deepEqual(oapif.collections, ['area', 'towns']);
  assert.deepEqual(oapif.queryables, ['capital', 'founded', 'geom', 'name', 'people', 'svc_id']);
  assert.deepEqual(oapif.items, names.slice(0, 10));
  assert.deepEqual(oapif.bbox, ['Town 11', 'Town 12', 'Town 13']);
  assert.deepEqual(wfs.contents, ['map:area', 'map:towns']);
  assert.deepEqual([wfs.schema.geometry, wfs.schema.properties.people], ['Point', 'double']);
  assert.deepEqual(wfs.filtered, ['Town 24']);
  for (const version of ['1.1.1', '1.3.0'])
    assert.deepEqual(read[`wms ${version}`], {
      contents: ['area', 'map.all', 'towns'],
      picture: 'PNG',
      posted: true,
      info: 1,
      legend: true,
    });
  assert.deepEqual([wmts.tile, wmts.contents], ['PNG', ['area', 'map.all', 'towns']]);
  assert.ok(wmts.sets.includes('WorldCRS84Quad') && wmts.sets.includes('EPSG25832'), String(wmts.sets));
});

test('mapproxy draws from WMS and from tiles', { skip: withoutMapproxy! }, async () => {
  const { info, ...colours } = await answerOf('read-with-mapproxy.py', folder);
  assert.deepEqual(colours, { wms: [255, 0, 0], wms13: [255, 0, 0], tiles: [255, 0, 0] });
  assert.match(info, /^Layer 'area'/);
});

test('QGIS reads in pages, pushes filters down, draws, identifies and saves', {
  skip: withoutQgis,
}, async () => {
  await server.admin('POST', '/m/layers/', { code: 'first' });
  await server.admin('POST', '/m/layers/first/structure/', { code: 'name', type: 'string' });
  const { parts, messages } = await answerOf('edit-with-qgis.py', server.adminToken);
  for (const [door, types] of [
    ['oapif', ['String', 'Real', 'DateTime', 'Boolean']],
    ['wfs', ['xsd:string', 'xsd:double', 'xsd:dateTime', 'xsd:boolean']],
  ] as const) {
    const { fields, features, box, filtered, count } = parts[door];
    assert.deepEqual(Object.values(fields), types, door);
    assert.deepEqual(features.map(([name]: [string]) => name).toSorted(), names.toSorted(), door);
    assert.deepEqual([box, count], [['Town 11', 'Town 12', 'Town 13'], 25], door);
    assert.deepEqual(filtered, door === 'wfs' ? ['Town 22', 'Town 23', 'Town 24'] : ['Town 3']);
    assert.equal(parts[door].edited ?? 'saved', 'saved', `${door}: ${messages}`);
  }
  const { features } = (
    await server.request('GET', '//ogc/demo/m/collections/towns/items?limit=10&sortby=-svc_id')
  ).json;
  assert.equal(parts.wfs.begun, true, messages);
  const made = features.find((one: any) => one.properties.name === 'From QGIS');
  assert.deepEqual([made.properties.people, made.geometry.coordinates], [13, [8.5, 47]]);
  assert.ok(!features.some((one: any) => one.properties.name === 'Town 25'));
  const drawn = [
    ...parts.wms.pictures,
    parts.WebMercatorQuad,
    parts.WorldCRS84Quad,
    parts.projected,
    parts.xyz,
    parts.mvt,
  ];
  assert.deepEqual(
    drawn.map(({ red, errors }) => [red, errors]),
    drawn.map(() => [256 * 256, []]),
  );
  assert.deepEqual([parts.wms.identified, parts.mvt.style[1]], [[['EPSG:25832', true]], true]);
});
