import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { binned, mapY, numbers, widthOf } from '../../support/hexagons.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server?.stop());

const uuid = '6f1c2a52-8d0b-4c3e-9b57-2f1f0c9a7e11';
const other = '00000000-0000-4000-8000-000000000000';

type Geometry = { type: string; coordinates: unknown } | null;
interface Thing {
  geometry: Geometry;
  v: number | null;
}
const point = (x: number, y: number): Geometry => ({ type: 'Point', coordinates: [x, y] });

/** Creates a layer `l` of objects with the number `v` and the text `s`; returns its path and the ids of its columns. */
async function layerOf(
  things: readonly Thing[],
): Promise<{ path: string; map: string; v: number; s: number }> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  const path = `/${map}/layers/l/`;
  await server.admin('POST', `/${map}/layers/`, { code: 'l' });
  await server.admin('POST', `${path}structure/`, { code: 'v', type: 'number' });
  await server.admin('POST', `${path}structure/`, { code: 's', type: 'string' });
  if (things.length) await server.admin('POST', `${path}import/`, collection(things));
  const columns: { code: string; id: number }[] = await server.admin('GET', `${path}structure/`);
  const idOf = (code: string) => columns.find((column) => column.code === code)!.id;
  return { path, map, v: idOf('v'), s: idOf('s') };
}
const collection = (things: readonly Thing[]) => ({
  type: 'FeatureCollection',
  features: things.map(({ geometry, v }) => ({ type: 'Feature', properties: { v, s: 'text' }, geometry })),
});
const set = (path: string, visualCustomSettings: unknown) =>
  server.admin('PATCH', path, { visualCustomSettings });
const hexbin = (settings: object = {}, columns: object = {}) => ({ type: 'hexbin', columns, settings });
const refused = async (path: string, body: unknown): Promise<[number, string, string[]]> => {
  const { status, json } = await server.request('PATCH', path, {
    token: server.adminToken,
    body,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
  });
  return [status, json?.code, json?.data?.parameters];
};

interface Entry {
  value: number | null;
  from: number;
  to: number;
  count: number;
  label: string | null;
  hidden?: boolean;
}
interface Legend {
  minValue: number | null;
  maxValue: number | null;
  type: string;
  column: string | null;
  count: number;
  name: string;
  cell: { zoom: number; width: number };
  classificators: Entry[];
}
const legend = (path: string, query = ''): Promise<Legend> => server.admin('GET', `${path}legend/${query}`);

test('settings are completed, returned in the structure of the interface, kept, and removed by null', async () => {
  const { path, v } = await layerOf([{ geometry: point(1, 1), v: 1 }]);
  const sent = {
    ...hexbin({ aggregate: 'sum', column: uuid, cellSize: 30 }, { [uuid]: v }),
    icons: { [other]: '/api/2.8/demo/icons/cafe/' },
  };
  const answer = await set(path, sent);
  const made = answer.visualCustomSettings;
  assert.ok(Number.isInteger(made.id));
  assert.deepEqual(made, {
    id: made.id,
    type: 'hexbin',
    columns: { [uuid]: v },
    icons: { [other]: '/api/2.8/demo/icons/cafe/' },
    settings: {
      cellSize: 30,
      zoom: null,
      aggregate: 'sum',
      column: uuid,
      minCount: 1,
      algorithm: 2,
      classesCount: 6,
      colors: ['#edf8b1', '#7fcdbb', '#41b6c4', '#1d91c0', '#225ea8', '#0c2c84'],
      opacity: 0.9,
      gap: 0,
      showBorder: true,
      borderSettings: { color: '#ffffff', width: 0.5, opacity: 1 },
      showValues: false,
      textSettings: { fontSize: 11, fontFamily: 'DejaVu Sans Book' },
      showLegend: true,
      showLegendName: true,
      legendName: '',
      legendNames: [],
    },
  });
  const read = await server.admin('GET', path);
  assert.deepEqual([read.style_mode, read.visualCustomSettings, 'visualSettings' in read], [4, made, false]);
  // An answer can be sent back unchanged. The id stays, and other changes of the layer keep it.
  assert.deepEqual((await set(path, made)).visualCustomSettings, made);
  assert.deepEqual((await server.admin('PATCH', path, { name: 'Other' })).visualCustomSettings, made);
  assert.deepEqual(
    (await server.admin('PUT', path, { visualCustomSettings: made })).visualCustomSettings,
    made,
  );
  const without = await set(path, null);
  assert.deepEqual(['visualCustomSettings' in without, without.style_mode], [false, 2]);
  assert.equal((await server.request('GET', `${path}legend/`)).status, 404);
});

test('a layer has one visualization: the later takes the place of the earlier, and null removes its own kind alone', async () => {
  const { path, map } = await layerOf([{ geometry: point(1, 1), v: 1 }]);
  const kinds = (layer: any) => [
    layer.style_mode,
    'visualSettings' in layer,
    'visualCustomSettings' in layer,
  ];
  await server.admin('PATCH', path, { visualSettings: { type: 1, columnCode: 'v' } });
  assert.deepEqual(kinds(await set(path, null)), [3, true, false]);
  assert.deepEqual(kinds(await set(path, hexbin())), [4, false, true]);
  assert.deepEqual(kinds(await server.admin('PATCH', path, { visualSettings: null })), [4, false, true]);
  const thematic = { visualSettings: { type: 1, columnCode: 'v' } };
  assert.deepEqual(kinds(await server.admin('PATCH', path, thematic)), [3, true, false]);
  assert.deepEqual(await refused(path, { ...thematic, visualCustomSettings: hexbin() }), [
    400,
    'bad_request',
    ['visualSettings', 'visualCustomSettings'],
  ]);
  const both = { visualSettings: null, visualCustomSettings: hexbin() };
  assert.deepEqual(kinds(await server.admin('PATCH', path, both)), [4, false, true]);
  const made = await server.admin('POST', `/${map}/layers/`, { code: 'own', visualCustomSettings: hexbin() });
  assert.deepEqual(kinds(made), [4, false, true]);
  const tree = await server.admin('GET', `/${map}/layers/`);
  assert.deepEqual(
    tree.map(({ style_mode }: any) => style_mode),
    [4, 4],
  );
  // The legend of an empty layer has only the entry for all other values.
  const { classificators, cell } = await legend(`/${map}/layers/own/`);
  assert.deepEqual([classificators.map(({ label, count }) => [label, count]), cell.zoom], [[[null, 0]], 3]);
});

type Mistake = [sent: unknown, at: string];

/** Wrong settings around `settings`, and the field that the error names. */
const wrongParts = (v: number): Mistake[] => [
  [{}, 'type'],
  [{ type: 'heat' }, 'type'],
  [{ type: 7 }, 'type'],
  [{ type: 'constructor' }, 'type'],
  [{ type: '__proto__' }, 'type'],
  [{ type: ['hexbin'] }, 'type'],
  [{ ...hexbin(), more: 1 }, 'more'],
  [{ ...hexbin(), columns: [] }, 'columns'],
  [{ ...hexbin(), columns: 'all' }, 'columns'],
  [hexbin({}, { v }), 'columns.v'],
  [hexbin({}, { [`${uuid}0`]: v }), `columns.${uuid}0`],
  [hexbin({}, { [uuid]: 999_999 }), `columns.${uuid}`],
  [hexbin({}, { [uuid]: 'v' }), `columns.${uuid}`],
  [hexbin({}, { [uuid]: String(v) }), `columns.${uuid}`],
  [hexbin({}, { [uuid]: null }), `columns.${uuid}`],
  [hexbin({}, { constructor: v }), 'columns.constructor'],
  [{ ...hexbin(), icons: { cafe: '/api/2.8/demo/icons/cafe/' } }, 'icons.cafe'],
  [{ ...hexbin(), icons: { [uuid]: 7 } }, `icons.${uuid}`],
  [{ ...hexbin(), icons: { [uuid]: '' } }, `icons.${uuid}`],
  [{ ...hexbin(), icons: { [uuid]: 'x'.repeat(1001) } }, `icons.${uuid}`],
  [{ ...hexbin(), icons: { [uuid]: '/api/2.8/demo/icons/nothing/' } }, 'icons'],
];

/** Wrong cells and values. `v`, `s` and `geom` are ids of columns. */
function wrongValues({ v, s, geom }: { v: number; s: number; geom: number | undefined }): Mistake[] {
  const named = { [uuid]: v };
  return [
    [{ ...hexbin(), settings: [] }, 'settings'],
    [{ ...hexbin(), settings: '{}' }, 'settings'],
    [hexbin({ cellsize: 3 }), 'settings.cellsize'],
    [hexbin({ toString: 3 }), 'settings.toString'],
    [hexbin({ cellSize: 3.9 }), 'settings.cellSize'],
    [hexbin({ cellSize: 1e308 }), 'settings.cellSize'],
    [hexbin({ cellSize: '24' }), 'settings.cellSize'],
    [hexbin({ zoom: -1 }), 'settings.zoom'],
    [hexbin({ zoom: 24.5 }), 'settings.zoom'],
    [hexbin({ aggregate: 'median' }), 'settings.aggregate'],
    [hexbin({ aggregate: 'sum); drop table x; --' }), 'settings.aggregate'],
    [hexbin({ aggregate: 'sum' }), 'settings.column'],
    [hexbin({ aggregate: 'sum', column: other }, named), 'settings.column'],
    [hexbin({ aggregate: 'sum', column: v }, named), 'settings.column'],
    [hexbin({ aggregate: 'sum', column: 'v' }, named), 'settings.column'],
    [hexbin({ aggregate: 'sum', column: '__proto__' }, named), 'settings.column'],
    [hexbin({ aggregate: 'sum', column: uuid }, { [uuid]: s }), 'settings.column'],
    [hexbin({ column: other }, named), 'settings.column'],
    ...(geom === undefined
      ? []
      : [[hexbin({ column: uuid }, { [uuid]: geom }), 'settings.column'] as Mistake]),
  ];
}

const wrongClasses: Mistake[] = [
  [hexbin({ minCount: 0 }), 'settings.minCount'],
  [hexbin({ minCount: 1.5 }), 'settings.minCount'],
  [hexbin({ minCount: 1e18 }), 'settings.minCount'],
  [hexbin({ algorithm: 4 }), 'settings.algorithm'],
  [hexbin({ classesCount: 21 }), 'settings.classesCount'],
  [hexbin({ limits: [1] }), 'settings.limits'],
  [hexbin({ limits: [2, 1] }), 'settings.limits'],
  [hexbin({ limits: [1, 'x'] }), 'settings.limits[1]'],
  [hexbin({ limits: Array.from({ length: 5000 }, (_, i) => i) }), 'settings.limits'],
  [hexbin({ colors: ['#fff'] }), 'settings.colors'],
  [hexbin({ colors: ['#fff', 'url(x)'] }), 'settings.colors[1]'],
  [hexbin({ colors: Array(21).fill('#fff') }), 'settings.colors'],
  [hexbin({ opacity: 2 }), 'settings.opacity'],
  [hexbin({ gap: -1 }), 'settings.gap'],
  [hexbin({ showBorder: 1 }), 'settings.showBorder'],
  [hexbin({ borderSettings: { colour: '#fff' } }), 'settings.borderSettings.colour'],
  [hexbin({ borderSettings: { width: 21 } }), 'settings.borderSettings.width'],
  [hexbin({ showValues: 'yes' }), 'settings.showValues'],
  [hexbin({ textSettings: { fontFamily: '"];} Map { x: "' } }), 'settings.textSettings.fontFamily'],
  [hexbin({ textSettings: { fontSize: 0 } }), 'settings.textSettings.fontSize'],
  [hexbin({ legendNames: [{ 'not a language': 'x' }] }), 'settings.legendNames[0]'],
];

test('each kind of mistake is 400, names the field, and changes nothing', async () => {
  const { path, v, s } = await layerOf([{ geometry: point(1, 1), v: 1 }]);
  const made = (await set(path, hexbin())).visualCustomSettings;
  const geom = (await server.admin('GET', `${path}structure/`)).find(({ code }: any) => code === 'geom')?.id;
  for (const [sent, at] of [...wrongParts(v), ...wrongValues({ v, s, geom }), ...wrongClasses])
    assert.deepEqual(
      await refused(path, { visualCustomSettings: sent }),
      [400, 'bad_request', [`visualCustomSettings.${at}`]],
      JSON.stringify(sent).slice(0, 200),
    );
  for (const sent of [5, 'hexbin', true, []])
    assert.equal((await refused(path, { visualCustomSettings: sent }))[0], 400, JSON.stringify(sent));
  assert.deepEqual((await server.admin('GET', path)).visualCustomSettings, made);
  const { json } = await server.request('PATCH', path, {
    token: server.adminToken,
    body: { visualCustomSettings: { type: 'heat' } },
    headers: { accept: 'application/json' },
  });
  assert.match(json.message, /: hexbin$/, 'names the plugins that there are');
});

test('property names of prototypes, thousands of keys and deep trees are refused', async () => {
  const { path } = await layerOf([{ geometry: point(1, 1), v: 1 }]);
  const raw = (text: string) => refused(path, text);
  const at = (name: string) => [400, 'bad_request', [`visualCustomSettings.${name}`]];
  const proto = '{"__proto__": {"zoom": 3}}';
  for (const text of [
    proto,
    `{"type": "hexbin", "settings": ${proto}}`,
    `{"type": "hexbin", "columns": ${proto}}`,
  ])
    assert.equal((await raw(`{"visualCustomSettings": ${text}}`))[0], 400, text);
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key${i}`, i]));
  assert.deepEqual(await refused(path, { visualCustomSettings: hexbin(many) }), at('settings.key0'));
  const uuids = Array.from({ length: 101 }, (_, i) => other.slice(0, -4) + String(1000 + i));
  const columns = Object.fromEntries(uuids.map((key) => [key, 1]));
  assert.deepEqual(await refused(path, { visualCustomSettings: hexbin({}, columns) }), at('columns'));
  const long = 'k'.repeat(10_000);
  const [status, , parameters] = await refused(path, { visualCustomSettings: hexbin({ [long]: 1 }) });
  assert.deepEqual([status, parameters![0]!.length < 200], [400, true]);
  const deep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`;
  assert.equal((await raw(`{"visualCustomSettings": {"type": "hexbin", "settings": ${deep}}}`))[0], 400);
  assert.equal(({} as any).zoom, undefined);
  assert.equal('visualCustomSettings' in (await server.admin('GET', path)), false);
});

/** Objects of all kinds all over the map. Some share a position, some have none, some have no value. */
function things(count: number): Thing[] {
  const random = numbers(11);
  return Array.from({ length: count }, (_, i): Thing => {
    const [x, y] = [-170 + 340 * random() ** 2, -80 + 160 * random()];
    const v = i % 13 === 5 ? null : Math.round(2000 * random() - 500) / 10;
    const [e, n] = [x + 1e-4, y + 1e-4];
    if (i % 17 === 3) return { geometry: null, v };
    if (i % 7 === 1)
      return {
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [x, y],
              [e, y],
              [e, n],
              [x, n],
              [x, y],
            ],
          ],
        },
        v,
      };
    if (i % 7 === 2)
      return {
        geometry: {
          type: 'LineString',
          coordinates: [
            [x, y],
            [e, n],
          ],
        },
        v,
      };
    return { geometry: point(x, y), v };
  });
}
/** The position of an object on the map: the first corner of a shape smaller than a pixel at every zoom level drawn here. */
const placed = (list: readonly Thing[]) =>
  list.flatMap(({ geometry, v }) => {
    if (!geometry) return [];
    const [x, y] = (geometry.coordinates as number[]).flat(3) as [number, number];
    return [{ x, y: mapY(y), v }];
  });

const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
const aggregates: Record<string, (values: number[], count: number) => number | null> = {
  count: (_, count) => count,
  sum: (values) => (values.length ? sum(values) : null),
  mean: (values) => (values.length ? sum(values) / values.length : null),
  min: (values) => (values.length ? Math.min(...values) : null),
  max: (values) => (values.length ? Math.max(...values) : null),
};

test('the values of cells, limits and counts are those of an independent computation', async () => {
  const list = things(3000);
  const { path, v } = await layerOf(list);
  for (const [aggregate, of] of Object.entries(aggregates)) {
    for (const [zoom, cellSize, minCount] of [
      [2, 40, 1],
      [4, 20, 1],
      [3, 33.5, 3],
    ] as const) {
      const limits = [-30, -3, 0.05, 1.5, 4.5, 30, 80];
      const settings = { aggregate, column: uuid, zoom, cellSize, minCount };
      const about = JSON.stringify(settings);
      await set(path, hexbin(settings, { [uuid]: v }));
      const cells = [...binned(placed(list), widthOf(cellSize, zoom)).values()].map((cell) => {
        const values = cell.flatMap(({ v }) => (v === null ? [] : [v]));
        return { count: cell.length, value: cell.length < minCount ? null : of(values, cell.length) };
      });
      const values = cells.flatMap(({ value }) => (value === null ? [] : [value]));
      const found = await legend(path);
      const near = (actual: number | null, expected: number) =>
        assert.ok(
          Math.abs(actual! - expected) < 1e-9 * Math.max(1, Math.abs(expected)),
          `${about}: ${actual}, not ${expected}`,
        );
      near(found.minValue, Math.min(...values));
      near(found.maxValue, Math.max(...values));
      assert.deepEqual(
        [found.count, found.column, found.type],
        [3000, aggregate === 'count' ? null : 'v', 'hexbin'],
      );

      await set(path, hexbin({ ...settings, limits }, { [uuid]: v }));
      const inClass = (i: number) =>
        sum(
          cells
            .filter(
              ({ value }) =>
                value !== null && 1 + limits.slice(1, -1).filter((limit) => value >= limit).length === i,
            )
            .map(({ count }) => count),
        );
      const expected = limits.slice(1).map((_, i) => inClass(i + 1));
      const counts = (await legend(path)).classificators.map(({ count }) => count);
      assert.deepEqual(counts, [...expected, 3000 - sum(expected)], about);
      assert.ok(expected.filter(Boolean).length > 1, about);
    }
  }
});

test('classes by each algorithm cover the values of cells; other cells have a legend entry and are not drawn', async () => {
  // Four cells of 1, 2, 3 and 10 objects, and two objects without a position.
  const at = (x: number, count: number): Thing[] =>
    Array.from({ length: count }, (_, i) => ({ geometry: point(x + i / 100, 0.5), v: i }));
  const list = [
    ...at(0, 1),
    ...at(30, 2),
    ...at(60, 3),
    ...at(90, 10),
    { geometry: null, v: 1 },
    { geometry: null, v: 1 },
  ];
  const { path } = await layerOf(list);
  const classes = async (settings: object) => {
    await set(path, hexbin({ zoom: 4, classesCount: 3, ...settings }));
    return (await legend(path)).classificators.map(({ from, to, count }) => [from, to, count]);
  };
  const rest = [undefined, undefined, 2];
  assert.deepEqual(await classes({ algorithm: 1 }), [[1, 4, 6], [4, 7, 0], [7, 10, 10], rest]);
  assert.deepEqual(
    await classes({ algorithm: 3 }),
    [[1, 2, 1], [2, 10, 5], [10, 10, 10], rest].map((one) => one),
  );
  assert.deepEqual(await classes({ algorithm: 2, classesCount: 2 }), [[1, 3, 3], [3, 10, 13], rest]);
  assert.deepEqual(await classes({ limits: [0, 3, 5] }), [[0, 3, 3], [3, 5, 13], rest]);
  assert.deepEqual(await classes({ limits: [0, 3, 5], minCount: 3 }), [
    [0, 3, 0],
    [3, 5, 13],
    [undefined, undefined, 5],
  ]);
  const found = await legend(path);
  assert.deepEqual(
    found.classificators.map(({ label, hidden }) => [label, hidden]),
    [
      ['0 – 3', undefined],
      ['3 – 5', undefined],
      [null, true],
    ],
  );
});

test('a cell without a value is in no class: numbers that are none are left out', async () => {
  const { path, v } = await layerOf([
    { geometry: point(0.5, 0.5), v: null },
    { geometry: point(30, 0), v: 5 },
    { geometry: point(30, 0.1), v: null },
    { geometry: point(60, 0), v: null },
  ]);
  await set(path, hexbin({ zoom: 4, aggregate: 'mean', column: uuid }, { [uuid]: v }));
  const { classificators, minValue, maxValue } = await legend(path);
  assert.deepEqual([minValue, maxValue, classificators.map(({ count }) => count)], [5, 5, [2, 2]]);
});

test('non-numeric values of a query and positions beyond the map are ignored', async () => {
  const { map } = await layerOf([]);
  const query = `select n as svc_id, st_setsrid(st_makepoint(n * 20, n * 30 - 90), 4326) as geom,
    case n when 1 then 'NaN'::double precision when 2 then 1e308 when 3 then -1e308 when 4 then 1e-300 else 5 end as v
    from (select 1 as n union all select 2 union all select 3 union all select 4 union all select 5 union all select 6) q`;
  const layer = `/${map}/layers/odd/`;
  await server.admin('POST', `/${map}/layers/`, { code: 'odd', type: 'virtual', json: { query } });
  const v = (await server.admin('GET', `${layer}structure/`)).find(
    ({ code }: { code: string }) => code === 'v',
  ).id;
  for (const aggregate of Object.keys(aggregates)) {
    await set(layer, hexbin({ aggregate, column: uuid, zoom: 0, cellSize: 512 }, { [uuid]: v }));
    const { count, classificators } = await legend(layer);
    assert.deepEqual([count, sum(classificators.map((one) => one.count))], [6, 6], aggregate);
    for (const z of [0, 3]) {
      const tile = await server.request('GET', `//tms/demo/${map}/?z=${z}&x=0&y=0`);
      assert.equal(tile.status, 200, `${aggregate}: ${tile.text.slice(0, 200)}`);
    }
  }
});

test('the zoom level of the cells depends on the extent of the data, and stays until the classes are recomputed', async () => {
  const { path, map } = await layerOf([
    { geometry: point(10, 10), v: 1 },
    { geometry: point(10.5, 10.2), v: 1 },
  ]);
  await set(path, hexbin());
  // 0.5° in 2,048 pixels: 1,474,560 pixels around the world, 256 · 2^12.49.
  const { cell } = await legend(path);
  assert.deepEqual(cell, { zoom: 12, width: 917.24 });
  assert.equal((await server.admin('GET', path)).visualCustomSettings.settings.zoom, null);
  await server.admin('POST', `${path}objects/`, { fields: { v: 1 }, geom: point(-100, 10) });
  assert.equal((await legend(path)).cell.zoom, 12);
  const refreshed = await server.admin('POST', `${path}legend/refresh/`);
  assert.deepEqual([refreshed.cell.zoom, refreshed.count], [4, 3]);
  await server.admin('POST', `${path}import/?action=1`, collection([{ geometry: point(10, 10), v: 1 }]));
  assert.equal((await legend(path)).cell.zoom, 18);
  await set(path, hexbin({ zoom: 2.5, cellSize: 20 }));
  assert.equal((await legend(path)).cell.zoom, 2.5);
  assert.ok(map);
});

test('each write changes counts; only imports and refreshes change limits; an empty layer gets classes with the first object', async () => {
  const { path, v } = await layerOf([]);
  await set(
    path,
    hexbin({ zoom: 3, aggregate: 'sum', column: uuid, classesCount: 2, algorithm: 1 }, { [uuid]: v }),
  );
  const shown = async () =>
    (await legend(path)).classificators.map(({ from, to, count }) => [from, to, count]);
  assert.deepEqual(await shown(), [[undefined, undefined, 0]]);
  const add = (x: number, value: number) =>
    server.admin('POST', `${path}objects/`, { fields: { v: value }, geom: point(x, 1) });
  await add(1, 10);
  assert.deepEqual(await shown(), [
    [10, 10, 1],
    [undefined, undefined, 0],
  ]);
  await add(1, 20);
  await add(50, 7);
  assert.deepEqual(await shown(), [
    [10, 10, 3],
    [undefined, undefined, 0],
  ]);
  await server.admin('POST', `${path}legend/refresh/`);
  assert.deepEqual(await shown(), [
    [7, 18.5, 1],
    [18.5, 30, 2],
    [undefined, undefined, 0],
  ]);
  await server.admin('POST', `${path}import/?action=1`, collection([{ geometry: point(1, 1), v: 11 }]));
  const after = await shown();
  assert.equal(sum(after.map(([, , count]) => count!)), 1);
});

test('a column that is referenced keeps its place under another code, and cannot be deleted or get another type', async () => {
  const { path, v } = await layerOf([{ geometry: point(1, 1), v: 5 }]);
  await set(path, hexbin({ zoom: 3, aggregate: 'max', column: uuid }, { [uuid]: v }));
  await server.admin('PATCH', `${path}structure/v/`, { type: 'number', code: 'w' });
  assert.deepEqual([(await legend(path)).column, (await legend(path)).maxValue], ['w', 5]);
  const lost = async (method: string, body?: object) => {
    const { status, json } = await server.request(method, `${path}structure/w/`, {
      token: server.adminToken,
      body,
      headers: { accept: 'application/json' },
    });
    return [status, json?.code, json?.data?.columns];
  };
  const kept = [500, 'style_invalid', ['w']];
  assert.deepEqual(await lost('DELETE'), kept);
  assert.deepEqual(await lost('PATCH', { type: 'string' }), kept);
  await server.admin('DELETE', `${path}structure/s/`);
  await set(path, null);
  assert.equal((await lost('DELETE'))[0], 200);
});

test('virtual and materialized layers have cells, whose column a new query may not lose', async () => {
  const { path, map, v } = await layerOf(things(300));
  const settings = { zoom: 3, aggregate: 'sum', column: uuid };
  await set(path, hexbin(settings, { [uuid]: v }));
  const own = await legend(path);
  const shown = ({ swatch, ...rest }: any) => rest;
  for (const type of ['virtual', 'material']) {
    const layer = `/${map}/layers/${type}/`;
    await server.admin('POST', `/${map}/layers/`, {
      code: type,
      type,
      json: { query: `select * from ${map}.l` },
    });
    const column = (await server.admin('GET', `${layer}structure/`)).find(({ code }: any) => code === 'v').id;
    await set(layer, hexbin(settings, { [uuid]: column }));
    const { classificators, count, cell } = await legend(layer);
    assert.deepEqual(
      { classificators: classificators.map(shown), count, cell },
      { classificators: own.classificators.map(shown), count: 300, cell: own.cell },
    );
    const tile = await server.request(
      'GET',
      `//tms/demo/${map}/?z=1&x=0&y=1&base=0&layers=${(await server.admin('GET', layer)).id}`,
    );
    assert.deepEqual([tile.status, tile.bytes.length > 1000], [200, true]);
    const [status, code] = await refused(layer, { json: { query: `select svc_id, geom from ${map}.l` } });
    assert.deepEqual([status, code], [500, 'style_invalid'], type);
  }
});

test('callers who may not view the layer see neither settings nor legend, icon or tiles of it; refresh requires the right to edit', async () => {
  const { path, map } = await layerOf(things(50));
  await set(path, hexbin());
  const { id } = await server.admin('GET', path);
  const login = { login: freshCode('user'), password: 'long-enough' };
  await server.admin('POST', '/users/', login);
  await server.admin('PUT', '/rights/', { user: login.login, right: 'view' });
  const reader = (await server.request('POST', '/login/', { body: login })).json.token;
  const ask = async (method: string, rest: string, token?: string, body?: unknown) =>
    (await server.request(method, path + rest, { ...(token ? { token } : {}), body })).status;
  assert.deepEqual(
    [await ask('GET', 'legend/', reader), await ask('POST', 'legend/refresh/', reader)],
    [200, 403],
  );
  assert.equal(await ask('PATCH', '', reader, { visualCustomSettings: null }), 403);
  assert.equal(await ask('POST', 'legend/refresh/'), 401);
  const none = [login.login, 'public'].map((user) => ({ user, right: 'none' }));
  await server.admin('PUT', `${path}rights/`, none);
  for (const rest of ['', 'legend/', 'icon/'])
    assert.deepEqual([await ask('GET', rest), await ask('GET', rest, reader)], [403, 403], rest);
  const tile = await server.request('GET', `//tms/demo/${map}/?z=0&x=0&y=0&layers=${id}`, { token: reader });
  assert.notEqual(tile.status, 200);
});

test('layers without objects are refused; an icon in use is not deleted', async () => {
  const { path, map } = await layerOf([{ geometry: point(1, 1), v: 5 }]);
  await server.admin('POST', `/${map}/layers/`, { code: 'image', type: 'raster' });
  assert.deepEqual(await refused(`/${map}/layers/image/`, { visualCustomSettings: hexbin() }), [
    400,
    'bad_request',
    ['visualCustomSettings'],
  ]);
  const form = new FormData();
  form.set('name', 'hive');
  form.set(
    'file',
    new Blob([
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>',
    ]),
    'hive.svg',
  );
  assert.equal(
    (await server.request('POST', '/icons/', { token: server.adminToken, body: form })).status,
    200,
  );
  await set(path, { ...hexbin(), icons: { [uuid]: '/api/2.8/demo/icons/hive/' } });
  const gone = await server.request('DELETE', '/icons/hive/', { token: server.adminToken });
  assert.deepEqual([gone.status, gone.text.includes(map)], [400, true]);
});

test('the legend is in the language of the request, and names can be any text', async () => {
  const { path } = await layerOf([
    { geometry: point(1, 1), v: 5 },
    ...Array.from({ length: 1500 }, (): Thing => ({ geometry: point(40, 1), v: 1 })),
  ]);
  const name = `'; drop table "x"; -- !bbox! {0} \${v}`;
  await set(
    path,
    hexbin({ zoom: 3, classesCount: 1, legendName: name, legendNames: [{ ru: 'Соты' }, { de: 'Waben' }] }),
  );
  assert.deepEqual(
    [(await legend(path, '?lng=de')).name, (await legend(path, '?lng=fr')).name],
    ['Waben', name],
  );
  const label = async (lng: string) => (await legend(path, `?lng=${lng}`)).classificators[0]!.label;
  assert.deepEqual([await label('en'), await label('de')], ['0 – 1,500', '0 – 1.500']);
  await set(path, hexbin({ zoom: 3, limits: [1, 1499] }));
  assert.equal(await label('en'), '1 – 1,499');
});
