import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { fromMercator } from '@cartulary/geo/internal/bbox.js';
import { tileExtent } from '@cartulary/geo/internal/tile.js';
import { Sql } from '@cartulary/sql/internal/sql.js';
import type { Position } from 'geojson';
import type { TilePlan } from '../../src/tiles/plan/plan.js';
import { mapnikText } from '../../src/tiles/plan/sql/mapnik-text.js';
import { readBox } from '../../src/tiles/plan/sql/read-box.js';
import type { TileRequest } from '../../src/tiles/plan/tile-request.js';
import { numbers } from '../support/hexagons.js';
import { startServer, type TestServer } from '../support/server.js';
import { planTile, tileRequest } from './support.js';

let server: TestServer;
before(async () => {
  server = await startServer({}, 'here');
});
after(() => server?.stop());

/** Scale denominator of zoom level 0: a world of 256 pixels of 0.28 mm. */
const widest = (2 * Math.PI * 6_378_137) / 256 / 0.000_28;
const northing = (lat: number): number => 6_378_137 * Math.asinh(Math.tan((lat * Math.PI) / 180));
const easting = (lon: number): number => (lon * Math.PI * 6_378_137) / 180;

/** Pixels by which a box exceeds the four sides of a tile, when Mapnik requests `asked` pixels around it. */
async function margins(zoom: number, y: number, asked: number, wanted: { x: number; y: number }) {
  const [west, south, east, north] = tileExtent(zoom, 2 ** zoom / 2, y);
  const pixel = (east - west) / 256;
  const [left, bottom] = fromMercator(west - asked * pixel, south - asked * pixel);
  const [right, top] = fromMercator(east + asked * pixel, north + asked * pixel);
  const box = mapnikText(readBox(asked, wanted, zoom))
    .replaceAll('!bbox!', `st_makeenvelope(${left}, ${bottom}, ${right}, ${top}, 4326)`)
    .replaceAll('!scale_denominator!', String(widest / 2 ** zoom));
  const text = `select st_xmin(b) as w, st_ymin(b) as s, st_xmax(b) as e, st_ymax(b) as n from (select ${box} as b) found`;
  const [found] = await server.server.services.db.query<Record<'w' | 's' | 'e' | 'n', number>>(
    new Sql([text], []),
  );
  const { w, s, e, n } = found!;
  return {
    west: (west - easting(w)) / pixel,
    east: (easting(e) - east) / pixel,
    south: (south - northing(s)) / pixel,
    north: (northing(n) - north) / pixel,
  };
}

test('a box contains the wanted margin of a tile, and little more', async () => {
  const wanted = { x: 192, y: 64 };
  for (const [zoom, rows] of [
    [4, [0, 5, 8, 15]],
    [9, [3, 200, 256, 500]],
    [20, [2 ** 18, 2 ** 19, 2 ** 20 - 2 ** 17]],
  ] as const) {
    for (const y of rows) {
      for (const asked of [192, 512]) {
        const { west, east, south, north } = await margins(zoom, y, asked, wanted);
        const where = `zoom ${zoom}, row ${y}, asked ${asked}: ${[west, east, south, north]}`;
        assert.ok(Math.abs(west - 192) < 0.1 && Math.abs(east - 192) < 0.1, where);
        assert.ok(south > 63.9 && north > 63.9, where);
        if (zoom > 4) assert.ok(south < 100 && north < 100, where);
      }
    }
  }
  assert.equal(mapnikText(readBox(192, { x: 192, y: 192 }, 9)), '!bbox!');
  assert.equal(mapnikText(readBox(192, wanted, 3)), '!bbox!', 'it may end where the world does');
});

/** Points with names in and around the tile. */
function dense(count: number): object {
  const next = numbers(7);
  const [west, south] = fromMercator(
    ...(tileExtent(tileRequest.z, tileRequest.x - 1, tileRequest.y + 1).slice(0, 2) as [number, number]),
  );
  const features = Array.from({ length: count }, (_, i) => {
    const coordinates: Position = [west + 4.2 * next(), south + 4.2 * next()];
    return { type: 'Feature', properties: { name: `Place ${i}` }, geometry: { type: 'Point', coordinates } };
  });
  return { type: 'FeatureCollection', features };
}

const planOf = (own: Partial<TileRequest> = {}): Promise<TilePlan> => planTile(server, 'dense', own);

const shrunk = /st_expand\(!bbox!, .*?st_ymax\(!bbox!\)\)\)\)\)/g;

test('labels have the same places as with everything around read', async () => {
  await server.admin('POST', '/', { code: 'dense' });
  await server.admin('POST', '/dense/layers/', { code: 'names' });
  await server.admin('POST', '/dense/layers/names/import/', dense(1_500));
  // A style whose labels Mapnik draws.
  const style =
    "text-name: [name]; text-face-name: 'DejaVu Sans Book'; text-size: 12; text-halo-radius: 1; text-avoid-edges: false;";
  await server.admin('PATCH', '/dense/layers/names/', { css_style: `#names { ${style} }` });
  for (const scale of [1, 2]) {
    const { xml, xmlKey, bufferSize } = await planOf({ scale });
    assert.equal(xml.match(shrunk)?.length, 1);
    const draw = async (text: string): Promise<Buffer> => {
      const form = { columns: 1, rows: 1, size: 256 * scale, scale, format: 'png' };
      const extent = tileExtent(tileRequest.z, tileRequest.x, tileRequest.y);
      const job = { xml: text, xmlKey: `${xmlKey} ${text.length}`, extent, bufferSize: bufferSize * scale };
      const [picture] = await server.server.services.renderers.render({ ...job, ...form });
      return Buffer.from(picture!);
    };
    const [apart, whole] = [await draw(xml), await draw(xml.replaceAll(shrunk, '!bbox!'))];
    assert.ok(apart.equals(whole), `scale ${scale}`);
  }
});

test('layers whose symbols avoid each other share a box; others have one for their reach', async () => {
  for (const [code, style] of Object.entries({
    ground: '#ground { polygon-fill: #eee }',
    signs: '#signs { marker-width: 12 }',
  })) {
    await server.admin('POST', '/dense/layers/', { code, css_style: style });
  }
  const { xml, bufferSize } = await planOf();
  assert.equal(bufferSize, 192);
  const lessOf = (code: number): string[] =>
    [
      ...(xml.split(`<Layer name="layer_${code}"`)[1] ?? '')
        .split('</Layer>')[0]!
        .matchAll(/(-?\d+) \* \(!scale/g),
    ].map(([, pixels]) => pixels!);
  const layers = await server.admin<{ id: number; code: string }[]>('GET', '/dense/layers/');
  const less = Object.fromEntries(layers.map(({ id, code }) => [code, lessOf(id)]));
  assert.deepEqual(less, { names: ['0', '-128'], signs: ['0', '-128'], ground: ['-184', '-184'] });
});
