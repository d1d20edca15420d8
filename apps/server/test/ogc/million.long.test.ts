/** GDAL over a layer of a million points (Debian: gdal-bin). */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { startServer, type TestServer } from '../support/server.js';

const count = 1_000_000;
/** Points from one to the next row of the grid. */
const perRow = 1_000;
/** Distance of neighbours, degrees. */
const step = 0.03;
const [west, south] = [-9, 36];

const placeOf = (i: number): [number, number] => [
  Number((west + (i % perRow) * step).toFixed(2)),
  Number((south + Math.floor(i / perRow) * step).toFixed(2)),
];

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, k) => {
    const i = from + k;
    const properties = { name: `Point ${i}`, number: i / 8 };
    return `${JSON.stringify({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: placeOf(i) } })}\n`;
  }).join('');

const hasGdal = spawnSync('ogr2ogr', ['--version']).status === 0;

let server: TestServer;
let folder: string;
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'million-'));
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'points' });
  const parts = Array.from({ length: 10 }, (_, k) => lines((k * count) / 10, ((k + 1) * count) / 10));
  const form = new FormData();
  form.append('file', new Blob(parts), 'points.geojsonl');
  const { import: report } = await server.admin('POST', '/m/layers/points/import/', form);
  assert.equal(report.added, count);
});
test.after(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Hash and number of the lines that GDAL makes of a source: name, number and place of each feature, in their order. */
async function readByGdal(source: string, layer: string, ...options: string[]) {
  const args = [
    '-f',
    'CSV',
    '-lco',
    'GEOMETRY=AS_XY',
    '-select',
    'name,number',
    '/vsistdout/',
    source,
    layer,
  ];
  const child = spawn('ogr2ogr', [...args, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const hash = createHash('sha256');
  let read = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    for (const byte of chunk) if (byte === 10) read++;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, source);
  return { hash: hash.digest('hex'), features: read - 1 };
}

test('GDAL reads a million features by each door as they are exported', {
  skip: !hasGdal && 'ogr2ogr is not installed',
}, async () => {
  const file = join(folder, 'points.geojson');
  const exported = await fetch(`${server.api}/m/layers/points/export/?format=geojson`);
  await writeFile(file, exported.body!);
  const expected = await readByGdal(file, 'points');
  assert.equal(expected.features, count);
  const { url } = server;
  assert.deepEqual(await readByGdal(`OAPIF:${url}/ogc/demo/m`, 'points', '-oo', 'PAGE_SIZE=10000'), expected);
  assert.deepEqual(await readByGdal(`WFS:${url}/wfs/demo/m`, 'map:points'), expected);
});
