/** OGC API Maps: the place and the size of a picture by all parameters of the standard, across 180 degrees, too. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import sharp from 'sharp';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';

let server: TestServer;
before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  const css_style = "#sides { polygon-fill: #00f; } #sides[name='a'] { polygon-fill: #f00; }";
  await server.admin('POST', '/m/layers/', { code: 'sides', css_style });
  await server.admin('PATCH', '/m/', { css_style: 'Map { background-color: #fff; }' });
  const ring = (west: number, east: number) => [
    [west, -5],
    [east, -5],
    [east, 5],
    [west, 5],
    [west, -5],
  ];
  await server.admin('POST', '/m/layers/sides/import/', {
    type: 'FeatureCollection',
    features: [
      ['a', 174, 180],
      ['b', -180, -174],
    ].map(([name, west, east]) => ({
      type: 'Feature',
      properties: { name },
      geometry: { type: 'Polygon', coordinates: [ring(Number(west), Number(east))] },
    })),
  });
});
after(() => server?.stop());

const map = (query: string, at = 'm/map'): Promise<TestAnswer> =>
  server.request('GET', `//ogc/demo/${at}?${query}`, { headers: { accept: 'application/json' } });

interface Picture {
  width: number;
  height: number;
  box: number[];
  at(x: number, y: number): string;
}

async function picture(query: string, at?: string): Promise<Picture> {
  const answer = await map(query, at);
  assert.equal(answer.status, 200, `${query}: ${answer.text.slice(0, 300)}`);
  const { data, info } = await sharp(answer.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return {
    width,
    height,
    box: answer.headers.get('content-bbox')!.split(',').map(Number),
    at(x, y) {
      const first = 4 * (Math.floor(y * height) * width + Math.floor(x * width));
      return [...data.subarray(first, first + 4)].join();
    },
  };
}

const [red, blue, white, nothing] = ['255,0,0,255', '0,0,255,255', '255,255,255,255', '0,0,0,0'];

test('boxes across 180 degrees show both sides', async () => {
  for (const query of [
    'bbox=170,-10,-170,10&crs=EPSG:4326&width=200',
    'bbox=170,-10,-170,10&crs=EPSG:4326&width=200&height=100',
    'bbox=-10,170,10,-170&bbox-crs=EPSG:4326&width=200',
    'bbox=170,-10,-170,10&width=200',
    'bbox=170,-10,190,10&width=200',
    'bbox=-190,-10,-170,10&width=200',
    'bbox=170,-10,-5,-170,10,5&width=200',
    'bbox=170,-10,-170,10&crs=EPSG:3832&width=200',
    'bbox=-10,170,10,-170&bbox-crs=EPSG:4258&width=200',
    'bbox=18924313.43,-1118890,21150703.25,1118890&bbox-crs=EPSG:3857&crs=EPSG:4326&width=200',
    'subset=Lon(170:-170),Lat(-10:10)&width=200',
    'subset=Lon(170:-170)&subset=Latitude(-10:10)&width=200',
    'center=180,0&scale-denominator=39757000&width=200&height=200',
    'center=0,-180&center-crs=EPSG:4326&scale-denominator=39757000&width=200&crs=CRS84',
  ]) {
    const { at } = await picture(query);
    const found = [at(0.1, 0.5), at(0.3, 0.5), at(0.47, 0.3), at(0.53, 0.7), at(0.7, 0.5), at(0.9, 0.5)];
    assert.deepEqual(found, [white, red, red, blue, blue, white], query);
  }
  const alone = await picture('bbox=170,-10,-170,10&width=200', 'm/collections/sides/map');
  assert.deepEqual([alone.at(0.1, 0.5), alone.at(0.3, 0.5), alone.at(0.7, 0.5)], [nothing, red, blue]);
  // A projection around the world has the sides at its ends.
  for (const size of ['width=720', 'width=720&height=100']) {
    const { at } = await picture(`bbox=170,-10,-170,10&crs=EPSG:3395&${size}`);
    const found = [0.002, 0.015, 0.5, 0.985, 0.998].map((x) => at(x, 0.5));
    assert.deepEqual(found, [blue, blue, white, red, red], size);
  }
  const { box } = await picture('bbox=170,-10,-170,10&crs=EPSG:4326&width=20');
  assert.deepEqual(box, [-10, 170, 10, -170]);
});

test('boxes of WMS that go on beyond 180 degrees show both sides', async () => {
  const place = 'service=WMS&version=1.1.1&layers=sides&styles=&width=200&height=200';
  for (const box of [
    'srs=EPSG:4326&bbox=170,-10,190,10',
    'srs=EPSG:4326&bbox=-190,-10,-170,10',
    'srs=EPSG:3857&bbox=18924313.43,-1113194,21150703.25,1113194',
    'srs=EPSG:3857&bbox=-21150703.25,-1113194,-18924313.43,1113194',
  ]) {
    const wms = (more: string): Promise<TestAnswer> =>
      server.request('GET', `//wms/demo/m/?${place}&${box}&${more}`);
    const { bytes } = await wms('request=GetMap&format=image/png&transparent=true');
    const pixels = await sharp(bytes).ensureAlpha().raw().toBuffer();
    const found = [20, 60, 94, 106, 140, 180].map((x) => {
      const first = 4 * (100 * 200 + x);
      return [...pixels.subarray(first, first + 4)].join();
    });
    assert.deepEqual(found, [nothing, red, red, blue, blue, nothing], box);
    for (const [x, name] of [
      [60, 'a'],
      [140, 'b'],
    ]) {
      const info = await wms(`request=GetFeatureInfo&query_layers=sides&info_format=text/plain&x=${x}&y=100`);
      assert.match(info.text, new RegExp(`name = '${name}'`), box);
    }
  }
});

test('one side of a subset may be left open', async () => {
  const { box } = await picture('subset=Lat(-2:3)&crs=CRS84&width=100');
  assert.deepEqual(box, [-180, -2, 180, 3]);
});

test('sizes and boxes by the scale are those of the examples of OGC 20-058', async () => {
  const degrees = await picture('bbox=0,30,30,50&scale-denominator=10000000&crs=[EPSG:4326]');
  assert.deepEqual([degrees.width, degrees.height], [1033, 795]);
  const finer = await picture('bbox=0,30,30,50&scale-denominator=20000000&mm-per-pixel=0.14&crs=EPSG:4326');
  assert.deepEqual([finer.width, finer.height], [1033, 795]);
  const plane = await picture(
    'subset=E(0:3339584.72),N(3482189.09:6413524.59)&subset-crs=[EPSG:3395]&crs=[EPSG:3395]&scale-denominator=10000000',
  );
  // The standard computes on a sphere: 904 by 793.
  assert.ok(
    Math.abs(plane.width - 904) < 3 && Math.abs(plane.height - 793) < 3,
    `${plane.width} ${plane.height}`,
  );
  const around = await picture(
    'center=41.8902,12.4922&center-crs=EPSG:4326&scale-denominator=10000000&crs=EPSG:4326&width=1024&height=768',
  );
  for (const [i, edge] of [32.231514, -2.732116, 51.548886, 27.716516].entries())
    assert.ok(Math.abs(around.box[i]! - edge) < 1e-6, around.box.join());
  const utm = await picture('center=9,50&scale-denominator=10000&width=400&height=300&crs=EPSG:25832');
  const [west, south, east, north] = utm.box as [number, number, number, number];
  assert.ok(Math.abs(east - west - 400 * 2.8) < 1 && Math.abs(north - south - 300 * 2.8) < 1, utm.box.join());
});

test('what a request does not say has a value of its own', async () => {
  for (const [query, width, height] of [
    ['center=9,50', 1024, 1024],
    ['center=9,50&scale-denominator=10000', 1024, 1024],
    ['center=9,50&height=300', 300, 300],
    ['scale-denominator=1e8&width=50', 50, 50],
    ['width=300&height=100', 300, 100],
    ['bbox-crs=unknown&center-crs=unknown&subset-crs=unknown&width=50&height=50', 50, 50],
  ] as const) {
    const found = await picture(query);
    assert.deepEqual([found.width, found.height], [width, height], query);
  }
  // Everything that is drawn has room, and is not stretched.
  const { box } = await picture('width=300&height=100');
  assert.ok(Math.abs((box[2]! - box[0]!) / (box[3]! - box[1]!) - 3) < 1e-9, box.join());
  await server.admin('POST', '/m/layers/', { code: 'dot' });
  await server.admin('POST', '/m/layers/dot/objects/', {
    fields: {},
    geom: { type: 'Point', coordinates: [9, 50] },
  });
  assert.equal((await map('', 'm/collections/dot/map')).status, 200, 'a single point');
});

test('parameters that contradict each other, and wrong ones, are named', async () => {
  for (const [query, names, status = 400] of [
    ['bbox=1,2,3,4&center=2,3', ['bbox', 'center']],
    ['bbox=1,2,3,4&subset=Lat(1:2)', ['bbox', 'subset']],
    ['center=1,2&subset=Lat(1:2)', ['subset', 'center']],
    ['bbox=1,2,3,4&scale-denominator=1e6&width=9', ['bbox', 'scale-denominator', 'width']],
    ['subset=Lat(1:2)&scale-denominator=1e6&height=9', ['subset', 'scale-denominator', 'height']],
    ['bbox=1,2,3,4&scale-denominator=1', ['scale-denominator']],
    ['bbox=1,2,3,4&scale-denominator=0', ['scale-denominator']],
    ['scale-denominator=x', ['scale-denominator']],
    ['bbox=1,2,3,4,5', ['bbox']],
    ['bbox=1,2,1,4', ['bbox']],
    ['bbox=9,2,1,4&bbox-crs=EPSG:3857', ['bbox']],
    ['bbox=1,4,3,2', ['bbox']],
    ['subset=E(1:2)', ['subset']],
    ['subset=Lat(1:2)&subset-crs=EPSG:3857', ['subset']],
    ['subset=Lat(1:2),h(3)', ['subset']],
    ['subset=Lat(5)', ['subset']],
    ['subset=Lat(5:1)', ['subset']],
    ['subset=Lat(1:2),Lat(1:2)', ['subset']],
    ['subset=Lat(1:2', ['subset']],
    ['subset=', ['subset']],
    ['subset=Lat(1:2)&subset-crs=x', ['subset-crs']],
    ['subset=Lat(100:120)', ['subset'], 404],
    ['center=1', ['center']],
    ['center=1,95', ['center']],
    ['center=1,2&center-crs=x', ['center-crs']],
    ['center=120,50&crs=EPSG:25832', ['crs']],
    ['center=1,2&crs=EPSG:25832', ['crs']],
  ] as const) {
    const answer = await map(query);
    assert.equal(answer.status, status, `${query}: ${answer.text.slice(0, 200)}`);
    assert.deepEqual(JSON.parse(answer.text).data.parameters, names, `${query}: ${answer.text}`);
  }
});

test('pages of other origins may read the place of a picture', async () => {
  const answer = await server.request('GET', '//ogc/demo/m/map?width=20&height=20', {
    headers: { origin: 'https://other.example' },
  });
  assert.equal(answer.status, 200, answer.text.slice(0, 300));
  const exposed = answer.headers.get('access-control-expose-headers')!.split(', ');
  for (const name of ['Content-Bbox', 'Content-Crs']) {
    assert.ok(answer.headers.has(name), name);
    assert.ok(exposed.includes(name), name);
  }
});
