import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { toMercator } from '@cartulary/geo';
import { PNG } from 'pngjs';
import { startServer, type TestServer } from '../../support/server.js';
import { zipOf } from '../archives.js';
import { type Rasters, rastersOn } from '../raster-support.js';
import { hasOgr } from '../traits/native.js';
import { type ImageCase, writeSources } from './case.js';
import { differences, nativeTile, type Tile } from './native.js';

let server: TestServer;
let rasters: Rasters;
let folder: string;

/** The tile over the middle of an image, of a level at which it is about as large as a tile. */
function tileOver([west, south, east, north]: number[]): Tile {
  const [[left, bottom], [right, top]] = [toMercator(west!, south!), toMercator(east!, north!)];
  const world = 2 * toMercator(180, 0)[0];
  const z = Math.min(20, Math.floor(Math.log2(world / Math.max(right - left, top - bottom))));
  const numberOf = (at: number): number => Math.floor((at / world + 0.5) * 2 ** z);
  return { z, x: numberOf((left + right) / 2), y: 2 ** z - 1 - numberOf((bottom + top) / 2) };
}

async function drawn(id: number, { z, x, y }: Tile): Promise<Buffer> {
  const path = `//tms/demo/m/?z=${z}&x=${x}&y=${2 ** z - 1 - y}&base=0&layers=${id}`;
  const answer = await server.request('GET', path, { token: server.adminToken });
  assert.equal(answer.status, 200, answer.text);
  return PNG.sync.read(answer.bytes).data;
}

async function sent(image: ImageCase, layer: string): Promise<{ file: string; json: any }> {
  const file = image.make(folder);
  const bytes = readFileSync(join(folder, file));
  const names = [file, ...(image.beside ?? [])];
  const isAlone = names.length === 1;
  const upload = isAlone
    ? bytes
    : await zipOf(Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))])));
  const { json } = await rasters.send(layer, upload, isAlone ? file : 'image.zip', image.query);
  return { file, json };
}

const colorizer = (white: number): string =>
  `raster-colorizer-stops: stop(0, #000000) stop(${white}, #ffffff); raster-colorizer-default-mode: linear;`;

/** Tests of images, each imported and drawn as GDAL's own programs draw it, or refused. */
export function testImages(groups: Readonly<Record<string, readonly ImageCase[]>>): void {
  before(async () => {
    server = await startServer();
    await server.admin('POST', '/', { code: 'm' });
    rasters = rastersOn(server);
    folder = mkdtempSync(join(tmpdir(), 'cartulary-images-'));
    writeSources(folder);
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await server?.stop();
  });
  for (const [group, cases] of Object.entries(groups)) {
    test(`images as GDAL draws them: ${group}`, { skip: !hasOgr }, async (t) => {
      for (const image of cases) await t.test(image.what, () => assertDrawn(image));
    });
  }
}

async function assertDrawn(image: ImageCase): Promise<void> {
  const css = image.becomes === 'values' ? colorizer(image.white ?? 255) : 'raster-scaling: near;';
  const { id, code } = await rasters.newLayer(css);
  const { file, json } = await sent(image, code);
  if (image.becomes instanceof RegExp) {
    assert.match(json?.message ?? 'no answer', image.becomes);
    return;
  }
  assert.ok(json?.import, JSON.stringify(json));
  const { raster, notes } = json.import;
  assert.equal(raster.kind, image.becomes);
  if (image.notes) assert.match(notes.join('\n'), image.notes);
  const tile = tileOver(raster.extent);
  const found = differences(nativeTile(folder, file, image, tile), await drawn(id, tile), image);
  assert.deepEqual(found.slice(0, 5), [], `${found.length} pixels differ`);
}
