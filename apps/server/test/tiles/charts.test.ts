import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Sql } from '@cartulary/sql/internal/sql.js';
import { checkSettings, drawingOf } from '@cartulary/visualizations';
import { layerSql } from '../../src/tiles/plan/sql/layer-sql.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let layer: { id: number; columns: any[] };
const columns = ['a', 'b', 'c', 'x'];
const objects: [x: number, y: number, values: (number | null)[]][] = [
  [10, 0, [10, 20, 70, 1]],
  [20, 60, [5, null, -5, 4]],
  [30, 0, [null, null, null, null]],
  [30.05, 0, [7, 0, 0, 9]],
  [40, 89.9, [1, 1, 1, 9]],
];
before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  const { id } = await server.admin('POST', '/m/layers/', { code: 'l' });
  for (const code of columns) await server.admin('POST', '/m/layers/l/structure/', { code, type: 'number' });
  for (const [x, y, values] of objects) {
    const fields = Object.fromEntries(values.map((value, i) => [columns[i], value]));
    await server.admin('POST', '/m/layers/l/objects/', {
      fields,
      geom: { type: 'Point', coordinates: [x, y] },
    });
  }
  layer = { id, columns: await server.admin('GET', '/m/layers/l/structure/') };
});
after(() => server?.stop());

interface Shape {
  svc_id: number;
  part: number;
  kind: string;
  area: number;
  west: number;
  east: number;
  south: number;
  north: number;
}

/** Degrees per pixel. */
const pixel = 0.01;

/** The rows that Mapnik reads of the layer, at this many degrees per pixel. */
async function shapes(type: 4 | 5 | 6, classesSettings: object): Promise<Shape[]> {
  const sent = {
    type,
    classesSettings: { columns: [{ code: 'a' }, { code: 'b' }, { code: 'c' }], ...classesSettings },
  };
  const settings = checkSettings(sent, layer.columns, 1);
  const statistics = { kind: 'range', low: [1, 0, -5, 1], high: [10, 20, 70, 9], sum: 100 } as const;
  const drawing = drawingOf({ settings, statistics });
  const read = drawing.columns.map(({ name }) => name);
  const text = layerSql({ ...layer, read, filter: 'all', lng: 'en', main: 'en', zoom: 20, drawing })
    .replaceAll('!bbox!', 'st_makeenvelope(-180, -90, 180, 90, 4326)')
    .replaceAll('!scale_denominator!', `(${pixel} / 0.00028 * 111319.490793273)`);
  return server.db.query<Shape>(
    new Sql(
      [
        `select svc_id, "visual.part" as part, geometrytype(geom) as kind, st_area(geom) as area, st_xmin(geom) as west,
          st_xmax(geom) as east, st_ymin(geom) as south, st_ymax(geom) as north from ${text} order by 1, 2`,
      ],
      [],
    ),
  );
}
const near = (actual: number, expected: number, what: string, by = 1e-3): void =>
  assert.ok(
    Math.abs(actual - expected) <= by * Math.max(1, Math.abs(expected)),
    `${what}: ${actual}, not ${expected}`,
  );
const of = (all: readonly Shape[], id: number, part: number): Shape => {
  const found = all.find((one) => one.svc_id === id && one.part === part);
  assert.ok(found, `object ${id}, part ${part}`);
  return found;
};
const parts = (all: readonly Shape[], id: number): number[] =>
  all.filter((one) => one.svc_id === id).map(({ part }) => part);

test('sectors of a pie are proportional to positive values; others have none', async () => {
  const all = await shapes(4, { sizeType: 1, sizeValue: 40 });
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((id) => parts(all, id)),
    [[0, 1, 2, 3], [0, 1], [0], [0, 1], [0, 1, 2, 3]],
  );
  const whole = Math.PI * (20 * pixel) ** 2;
  for (const [part, share] of [
    [1, 0.1],
    [2, 0.2],
    [3, 0.7],
  ] as const)
    near(of(all, 1, part).area / whole, share, `sector ${part}`, 0.01);
  near(of(all, 4, 1).area / whole, 1, 'a whole pie', 0.01);
  const far = of(all, 2, 1);
  // A circle on the map, not on the ground: at 60 degrees it is half as many degrees high as wide.
  near(far.east - far.west, 40 * pixel, 'width', 0.01);
  near((far.north - far.south) / (far.east - far.west), 0.5, 'height by width', 0.01);
  assert.ok(of(all, 5, 1).north < 85.6, 'beyond the end of the map');
});

test('the area of a pie is proportional to the sum or to a column', async () => {
  const bySum = await shapes(4, { sizeType: 2, sizeFrom: 4, sizeTo: 60 });
  const width = (all: readonly Shape[], id: number): number => {
    const own = all.filter((one) => one.svc_id === id && one.part > 0);
    return (Math.max(...own.map(({ east }) => east)) - Math.min(...own.map(({ west }) => west))) / pixel;
  };
  near(width(bySum, 1), 60, 'the greatest sum', 0.02);
  near(width(bySum, 4), 60 * Math.sqrt(7 / 100), 'a sum of 7 of 100', 0.02);
  const byColumn = await shapes(4, { sizeType: 3, sizeColumnCode: 'x', sizeFrom: 4, sizeTo: 60 });
  near(width(byColumn, 2), 60 * Math.sqrt(4 / 9), 'a value of 4 of 9', 0.02);
});

test('bars are as high as the values; negative ones point down', async () => {
  const all = await shapes(5, { sizeType: 1, sizeValue: 70 });
  assert.deepEqual(
    [1, 2, 3, 4].map((id) => parts(all, id)),
    [[0, 1, 2, 3], [0, 1, 3], [0], [0, 1]],
  );
  for (const [part, value] of [
    [1, 10],
    [2, 20],
    [3, 70],
  ] as const)
    near((of(all, 1, part).north - of(all, 1, part).south) / pixel, value, `bar ${part}`);
  const negative = of(all, 2, 3);
  near(negative.north, 60, 'its foot', 1e-6);
  near((60 - negative.south) / pixel, 5 * 0.5, 'its depth at 60 degrees');
  assert.ok(of(all, 1, 1).east < of(all, 1, 2).west, 'they do not touch');
});

test('a line goes through its values, and the axes are drawn where the scale is shown', async () => {
  const all = await shapes(6, { sizeType: 1, sizeValue: 70, showScale: true });
  assert.deepEqual(
    [1, 2, 3, 4].map((id) => parts(all, id)),
    [[0, 1, 2, 3, 101, 102], [0, 1, 3, 101, 102], [0], [0, 1, 2, 3, 101, 102]],
  );
  near((of(all, 1, 3).north - 0) / pixel, 70, 'the highest point');
  assert.deepEqual([of(all, 1, 102).kind, of(all, 1, 3).kind], ['LINESTRING', 'POINT']);
  const own = await shapes(6, { sizeType: 3, sizeColumnCode: 'x', sizeFrom: 30, sizeTo: 30 });
  near(of(own, 4, 1).north / pixel, 30, 'the greatest value of the object is as high as its chart');
});

test('of charts that must not overlap the larger one stays', async () => {
  const rules = { sizeType: 3, sizeColumnCode: 'x', sizeFrom: 20, sizeTo: 40 };
  const ids = async (allowOverlap: boolean): Promise<number[]> => [
    ...new Set((await shapes(4, { ...rules, allowOverlap })).map(({ svc_id }) => svc_id)),
  ];
  assert.deepEqual(await ids(true), [1, 2, 3, 4, 5]);
  assert.deepEqual(await ids(false), [1, 2, 4, 5]);
});

test('a sector that is nearly the whole pie is a circle, whatever comes before and after it', async () => {
  for (const [i, values] of [
    [1, 5_000_000, 2],
    [0.3, 1e9, null],
    [null, 1e7, 1],
  ].entries()) {
    const fields = Object.fromEntries(values.map((value, j) => [columns[j], value]));
    const geom = { type: 'Point', coordinates: [60 + 10 * i, 0] };
    const { id } = await server.admin('POST', '/m/layers/l/objects/', { fields, geom });
    const drawn = await shapes(4, { sizeType: 1, sizeValue: 20 });
    const whole = drawn.find(({ svc_id, part }) => svc_id === id && part === 2)!;
    assert.ok(Math.abs(whole.area / (Math.PI * (10 * pixel) ** 2) - 1) < 0.01);
  }
});
