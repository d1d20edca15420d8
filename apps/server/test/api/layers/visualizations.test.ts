import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { type Bin, classLimits, classOf } from '@cartulary/visualizations/internal/classes/classes.js';
import { colorAt } from '../../pictures/compare.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server?.stop());

type Row = Record<string, unknown>;
const point = (x = 1, y = 1) => ({ type: 'Point', coordinates: [x, y] });
const collection = (rows: readonly Row[]) => ({
  type: 'FeatureCollection',
  features: rows.map((properties, i) => ({
    type: 'Feature',
    properties,
    geometry: point((i % 300) / 2, (i % 160) / 2),
  })),
});

/** Creates a layer `l` of points with these values, in a map of its own; returns the layer's path. */
async function layerOf(rows: readonly Row[], columns: Row = {}): Promise<string> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  const path = `/${map}/layers/l/`;
  await server.admin('POST', `/${map}/layers/`, { code: 'l' });
  for (const [code, column] of Object.entries(columns))
    await server.admin('POST', `${path}structure/`, {
      code,
      ...(typeof column === 'string' ? { type: column } : (column as object)),
    });
  if (rows.length) await server.admin('POST', `${path}import/`, collection(rows));
  return path;
}
const values = (...list: unknown[]): Row[] => list.map((v) => ({ v }));
const set = (path: string, visualSettings: unknown) => server.admin('PATCH', path, { visualSettings });
const refused = async (path: string, visualSettings: unknown): Promise<[number, string, string[]]> => {
  const { status, json } = await server.request('PATCH', path, {
    token: server.adminToken,
    body: { visualSettings },
    headers: { accept: 'application/json' },
  });
  return [status, json?.code, json?.data?.parameters];
};

interface Entry {
  value: unknown;
  fill: string;
  count: number;
  label: string | null;
  from: number;
  to: number;
}
const legend = async (path: string, query = ''): Promise<any> =>
  server.admin('GET', `${path}legend/${query}`);
const counts = async (path: string): Promise<number[]> =>
  (await legend(path)).classificators.map(({ count }: Entry) => count);
const limits = async (path: string): Promise<number[]> => {
  const classes: Entry[] = (await legend(path)).classificators.slice(0, -1);
  return [...classes.map(({ from }) => from), classes.at(-1)!.to];
};

test('settings are completed, returned in the structure of the interface, and removed by null', async () => {
  const path = await layerOf(values(1, 2, 3, 4, null));
  const column = (await server.admin('GET', `${path}structure/`)).find(({ code }: Row) => code === 'v');
  const made = (await set(path, { type: 1, column: column.id })).visualSettings;
  assert.deepEqual(
    [made.type, made.column, made.columnCode, made.algorithm, made.classesCount],
    [1, column.id, 'v', 1, 5],
  );
  assert.deepEqual(made.classesSettings, {
    opacity: 0.9,
    lineWidth: 2,
    linePattern: 'solid',
    minColor: '#ffffcc',
    midColor: '#41b6c4',
    maxColor: '#253494',
    noDataColor: '#d9d9d9',
  });
  assert.deepEqual(made.pointSettings, { size: 10, allowOverlap: true, sizeEnabled: false });
  assert.deepEqual(Object.keys(made.textSettings).sort(), [
    ...['allowOverlap', 'column', 'fontColor', 'fontFamily', 'fontOpacity', 'fontSize', 'halo', 'haloColor'],
    ...['haloOpacity', 'haloWidth', 'offsetEnabled', 'textOffset'],
  ]);
  assert.ok(Number.isInteger(made.id));
  const read = await server.admin('GET', path);
  assert.deepEqual([read.style_mode, read.type, read.visualSettings], [3, 'layer', made]);
  // An answer can be sent back unchanged; the id stays.
  assert.deepEqual((await set(path, { ...made, classesCount: 2 })).visualSettings, {
    ...made,
    classesCount: 2,
  });
  assert.deepEqual((await server.admin('PATCH', path, { name: 'Other' })).visualSettings.classesCount, 2);
  const without = await set(path, null);
  assert.deepEqual(['visualSettings' in without, without.style_mode], [false, 2]);
  assert.equal((await server.request('GET', `${path}legend/`)).status, 404);
});

const withClasses = (...list: unknown[]) => ({
  type: 2,
  columnCode: 's',
  classesSettings: { classes: list },
});

/** Wrong settings, and the field that the error names. */
const mistakes: [sent: unknown, at: string][] = [
  [{}, 'type'],
  [{ type: 8, columnCode: 'v' }, 'type'],
  [{ type: '1', columnCode: 'v' }, 'type'],
  [{ type: 1 }, 'column'],
  [{ type: 1, column: 999_999 }, 'column'],
  [{ type: 1, column: '1' }, 'column'],
  [{ type: 1, columnCode: 'none' }, 'columnCode'],
  [{ type: 1, columnCode: { a: 1 } }, 'columnCode'],
  [{ type: 1, columnCode: 's' }, 'columnCode'],
  [{ type: 1, columnCode: 'geom' }, 'columnCode'],
  [{ type: 2, columnCode: 't' }, 'columnCode'],
  [{ type: 2, columnCode: 'j' }, 'columnCode'],
  [{ type: 1, columnCode: 'v', algorithm: 4 }, 'algorithm'],
  [{ type: 2, columnCode: 'v', algorithm: 2 }, 'algorithm'],
  [{ type: 1, columnCode: 'v', classesCount: 0 }, 'classesCount'],
  [{ type: 1, columnCode: 'v', classesCount: 2.5 }, 'classesCount'],
  [{ type: 2, columnCode: 'v', classesCount: 101 }, 'classesCount'],
  [{ type: 1, columnCode: 'v', classesSettings: [] }, 'classesSettings'],
  [{ type: 1, columnCode: 'v', classesSettings: { minColor: 'red;}' } }, 'classesSettings.minColor'],
  [{ type: 1, columnCode: 'v', classesSettings: { minColor: 'rgb(1,2,300)' } }, 'classesSettings.minColor'],
  [{ type: 1, columnCode: 'v', classesSettings: { opacity: 1.1 } }, 'classesSettings.opacity'],
  [{ type: 1, columnCode: 'v', classesSettings: { opacity: '1' } }, 'classesSettings.opacity'],
  [{ type: 1, columnCode: 'v', classesSettings: { linePattern: '-1,.5' } }, 'classesSettings.linePattern'],
  [{ type: 1, columnCode: 'v', classesSettings: { limits: [1] } }, 'classesSettings.limits'],
  [{ type: 1, columnCode: 'v', classesSettings: { limits: [1, 1] } }, 'classesSettings.limits'],
  [{ type: 1, columnCode: 'v', classesSettings: { limits: [1, '2'] } }, 'classesSettings.limits[1]'],
  [withClasses({ value: 1 }), 'classesSettings.classes[0].value'],
  [withClasses({ value: 'a' }, { value: 'a' }), 'classesSettings.classes[1].value'],
  [withClasses({ value: { a: 1 } }), 'classesSettings.classes[0].value'],
  [withClasses(...Array(101).fill({ value: 'a' })), 'classesSettings.classes'],
  [withClasses({ value: 'a', useIcon: true }), 'classesSettings.classes[0].icon'],
  [withClasses({ value: 'a', useIcon: true, icon: '../../etc/passwd' }), ''],
  [{ type: 3, columnCode: 'v', classesSettings: { pointSizeMin: 50 } }, 'classesSettings.pointSizeMin'],
  [{ type: 3, columnCode: 'v', classesSettings: { pointSizeMax: 1e9 } }, 'classesSettings.pointSizeMax'],
  [{ type: 7, columnCode: 's' }, 'columnCode'],
  [{ type: 7, classesSettings: { useWeight: true } }, 'classesSettings.useWeightField'],
  [{ type: 7, classesSettings: { useWeight: true, useWeightField: 's' } }, 'classesSettings.useWeightField'],
  [{ type: 7, classesSettings: { markerSizeType: 'field' } }, 'classesSettings.markerSizeField'],
  [{ type: 7, classesSettings: { markerSizeType: 'other' } }, 'classesSettings.markerSizeType'],
  [{ type: 7, classesSettings: { markerSize: 1e6 } }, 'classesSettings.markerSize'],
  [{ type: 7, classesSettings: { markerSizeMin: 50 } }, 'classesSettings.markerSizeMin'],
  [
    { type: 7, classesSettings: { weightNormalizeMin: 2, weightNormalizeMax: 1 } },
    'classesSettings.weightNormalizeMin',
  ],
  [{ type: 7, classesSettings: { colors: ['#fff'] } }, 'classesSettings.colors'],
  [{ type: 7, classesSettings: { colors: ['#fff', 'x'] } }, 'classesSettings.colors[1]'],
  [{ type: 4, columnCode: 'v' }, 'classesSettings.columns'],
  [{ type: 4, classesSettings: { columns: [] } }, 'classesSettings.columns'],
  [{ type: 4, classesSettings: { columns: [{ code: 's' }] } }, 'classesSettings.columns[0].code'],
  [{ type: 5, classesSettings: { columns: [{ code: 'v' }, { id: 0 }] } }, 'classesSettings.columns[1].id'],
  [{ type: 6, classesSettings: { columns: Array(21).fill({ code: 'v' }) } }, 'classesSettings.columns'],
  [{ type: 4, classesSettings: { columns: [{ code: 'v' }], sizeType: 3 } }, 'classesSettings.sizeColumn'],
  [{ type: 4, classesSettings: { columns: [{ code: 'v' }], sizeType: 4 } }, 'classesSettings.sizeType'],
  [{ type: 4, classesSettings: { columns: [{ code: 'v' }], sizeTo: 10 } }, 'classesSettings.sizeFrom'],
  [{ type: 1, columnCode: 'v', borderSettings: { width: -1 } }, 'borderSettings.width'],
  [{ type: 1, columnCode: 'v', showText: true }, 'textSettings.column'],
  [{ type: 1, columnCode: 'v', textSettings: { column: 'none' } }, 'textSettings.column'],
  [{ type: 1, columnCode: 'v', textSettings: { column: ['v'] } }, 'textSettings.column'],
  [{ type: 1, columnCode: 'v', textSettings: { fontFamily: 'Arial' } }, 'textSettings.fontFamily'],
  [{ type: 1, columnCode: 'v', textSettings: { fontSize: 1e9 } }, 'textSettings.fontSize'],
  [{ type: 1, columnCode: 'v', legendNames: [{ en: 1 }] }, 'legendNames[0]'],
  [{ type: 1, columnCode: 'v', showLegend: 1 }, 'showLegend'],
];

test('each kind of mistake is 400 and names the field', async () => {
  const path = await layerOf(values(1), { s: 'string', t: 'title', j: 'json' });
  const at = (name: string) => [400, 'bad_request', [`visualSettings${name && `.${name}`}`]];
  for (const [sent, name] of mistakes)
    assert.deepEqual(await refused(path, sent), at(name), JSON.stringify(sent));
  assert.equal((await server.admin('GET', path)).visualSettings, undefined);
  const { status } = await server.request('PATCH', path, {
    token: server.adminToken,
    body: { visualSettings: 'x' },
  });
  assert.equal(status, 400);
  const image = path.replace('/l/', '/image/');
  await server.admin('POST', path.replace('l/', ''), { code: 'image', type: 'raster' });
  assert.equal((await refused(image, { type: 1, columnCode: 'v' }))[0], 400);
});

test('an id and a code that disagree are refused, so is a column of another layer', async () => {
  const path = await layerOf(values(1));
  const other = await layerOf(values(1));
  const [column] = (await server.admin('GET', `${other}structure/`)).filter(({ code }: Row) => code === 'v');
  assert.equal((await refused(path, { type: 1, column: column.id }))[0], 400);
  assert.equal((await refused(other, { type: 1, column: column.id, columnCode: 'w' }))[0], 400);
});

test('counts of a thematic map are those of an independent count, and sum to all objects', async () => {
  const list = Array.from({ length: 500 }, (_, i) =>
    i % 50 === 0 ? null : Math.round(Math.sin(i) * 1000) / 7,
  );
  const path = await layerOf(values(...list));
  for (const algorithm of [1, 2, 3]) {
    await set(path, { type: 1, columnCode: 'v', algorithm, classesCount: 6 });
    const { classificators, count, minValue, maxValue } = await legend(path);
    const numbers = list.filter((value): value is number => value !== null);
    assert.deepEqual([count, minValue, maxValue], [500, Math.min(...numbers), Math.max(...numbers)]);
    const found = await limits(path);
    const expected = found.map(() => 0);
    for (const value of list) expected[(classOf(found, value) || found.length) - 1]! += 1;
    assert.deepEqual(
      classificators.map((entry: Entry) => entry.count),
      expected,
      `algorithm ${algorithm}`,
    );
    assert.equal(classificators.length, 7);
  }
});

test('equal intervals, quantiles and natural breaks of known values', async () => {
  const path = await layerOf(values(1, 2, 3, 10, 11, 12, 50, 100));
  const limitsBy = async (algorithm: number, classesCount: number) => {
    await set(path, { type: 1, columnCode: 'v', algorithm, classesCount });
    return limits(path);
  };
  assert.deepEqual(await limitsBy(1, 3), [1, 34, 67, 100]);
  assert.deepEqual(await limitsBy(2, 4), [1, 3, 11, 50, 100]);
  assert.deepEqual(await limitsBy(3, 4), [1, 10, 50, 100, 100]);
  assert.deepEqual(await counts(path), [3, 3, 1, 1, 0]);
});

test('values that are no numbers for a class: null, NaN and infinite', async () => {
  const path = await layerOf(values(1, 2, 3, 4, 5, 6, null));
  const { id } = (await server.admin('GET', `${path}structure/`)).find(({ code }: Row) => code === 'v');
  const { id: layer } = await server.admin('GET', path);
  for (const [object, value] of [
    [1, 'NaN'],
    [2, 'Infinity'],
    [3, '-Infinity'],
    [4, '1e300'],
  ] as const) {
    await server.db.transaction((tx) =>
      tx.query(sql`
        update ${ident('cartulary_data', `layer_${layer}`)} set ${ident(`c${id}`)} = ${value}::text::double precision
        where svc_id = ${object}`),
    );
  }
  for (const algorithm of [1, 2, 3]) {
    await set(path, { type: 1, columnCode: 'v', algorithm, classesCount: 2 });
    assert.deepEqual(
      [await limits(path), await counts(path)],
      [algorithm === 1 ? [5, 5.5, 6] : [5, 6, 6], [1, 1, 5]],
    );
  }
  await set(path, { type: 3, columnCode: 'v' });
  const bubbles = await legend(path);
  assert.deepEqual([bubbles.minValue, bubbles.maxValue, bubbles.count], [5, 6, 7]);
});

test('natural breaks of many values are nearly optimal', async () => {
  // Log-normal like populations: most values are small, and the few large ones decide.
  let seed = 7;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const list = Array.from({ length: 20_000 }, () =>
    Math.exp(9 + 1.6 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())),
  );
  const path = await layerOf(values(...list));
  await set(path, { type: 1, columnCode: 'v', algorithm: 3, classesCount: 7 });
  const sorted = list.toSorted((a, b) => a - b);
  const bins = sorted.map(
    (value, i): Bin => ({ low: value, high: value, count: 1, beforeHigh: i, mean: value }),
  );
  const deviation = (found: readonly number[]): number => {
    const classes: number[][] = found.slice(1).map(() => []);
    for (const value of list) classes[classOf(found, value) - 1]!.push(value);
    return classes.reduce((sum, members) => {
      const mean = members.reduce((a, b) => a + b, 0) / members.length;
      return sum + members.reduce((a, value) => a + (value - mean) ** 2, 0);
    }, 0);
  };
  const [best, found] = [deviation(classLimits(3, 7, bins)), deviation(await limits(path))];
  assert.ok(found >= best * (1 - 1e-9) && found <= best * 1.01, `${found / best}`);
  // Quantiles are exact for any number of values.
  await set(path, { type: 1, columnCode: 'v', algorithm: 2, classesCount: 7 });
  assert.deepEqual(await limits(path), classLimits(2, 7, bins));
});

test('single edits move no limit, but counts are those of now; an import and refresh move them', async () => {
  const path = await layerOf(values(1, 2, 3, 4));
  await set(path, { type: 1, columnCode: 'v', classesCount: 2 });
  assert.deepEqual(
    [await limits(path), await counts(path)],
    [
      [1, 2.5, 4],
      [2, 2, 0],
    ],
  );
  await server.admin('POST', `${path}objects/`, { fields: { v: 100 }, geom: point() });
  await server.admin('POST', `${path}objects/`, { fields: { v: -100 }, geom: point() });
  await server.admin('POST', `${path}objects/`, { fields: {}, geom: point() });
  await server.admin('PUT', `${path}objects/1/`, { fields: { v: 3 } });
  assert.deepEqual(
    [await limits(path), await counts(path)],
    [
      [1, 2.5, 4],
      [2, 4, 1],
    ],
  );
  const refreshed = await server.admin('POST', `${path}legend/refresh/`);
  assert.deepEqual(refreshed, await legend(path));
  assert.deepEqual(
    [await limits(path), await counts(path)],
    [
      [-100, 0, 100],
      [1, 5, 1],
    ],
  );
  await server.admin('POST', `${path}import/?action=2`, collection(values(300)));
  assert.deepEqual(
    [await limits(path), await counts(path)],
    [
      [-100, 100, 300],
      [5, 2, 1],
    ],
  );
  await server.admin('POST', `${path}import/?action=1`, collection(values(5, 6)));
  assert.deepEqual(
    [await limits(path), await counts(path)],
    [
      [5, 5.5, 6],
      [1, 1, 0],
    ],
  );
});

test('limits that were given stay', async () => {
  const path = await layerOf(values(1, 2, 3, 4));
  await set(path, { type: 1, columnCode: 'v', classesSettings: { limits: [0, 2, 10] } });
  await server.admin('POST', `${path}import/?action=1`, collection(values(50, -3)));
  await server.admin('POST', `${path}legend/refresh/`);
  assert.deepEqual(
    [await limits(path), await counts(path)],
    [
      [0, 2, 10],
      [1, 1, 0],
    ],
  );
});

test('a layer without values gets its classes with the first of them', async () => {
  const path = await layerOf([], { v: 'number', k: 'string' });
  await set(path, { type: 1, columnCode: 'v', classesCount: 2 });
  assert.deepEqual(await counts(path), [0]);
  await server.admin('POST', `${path}objects/`, { fields: { v: 7 }, geom: point() });
  assert.deepEqual(
    [await limits(path), await counts(path)],
    [
      [7, 7],
      [1, 0],
    ],
  );
  await server.admin('POST', `${path}objects/`, { fields: { v: 9 }, geom: point() });
  assert.deepEqual(
    [await limits(path), await counts(path)],
    [
      [7, 7],
      [2, 0],
    ],
  );
});

test('categories: the most frequent values, counts in the settings, hidden classes, the rest', async () => {
  const path = await layerOf(
    ['b', 'a', 'a', 'c', 'a', 'b', null, 'it\'s \\ ! <&"]', 'd'].map((k) => ({ k })),
    { k: 'string' },
  );
  const made = (await set(path, { type: 2, columnCode: 'k', classesCount: 3 })).visualSettings;
  const { classes, defaultClass, computed } = made.classesSettings;
  assert.deepEqual(
    classes.map(({ value, count }: Row) => [value, count]),
    [
      ['a', 3],
      ['b', 2],
      ['c', 1],
    ],
  );
  assert.deepEqual([defaultClass.count, computed], [3, true]);
  assert.equal(new Set([...classes, defaultClass].map(({ color }: Row) => color)).size, 4);
  // An answer that is sent back unchanged keeps the generated classes.
  assert.deepEqual((await set(path, made)).visualSettings, made);
  await server.admin(
    'POST',
    `${path}import/?action=2`,
    collection([{ k: 'z' }, { k: 'z' }, { k: 'z' }, { k: 'z' }]),
  );
  const now = (await server.admin('GET', path)).visualSettings.classesSettings;
  assert.deepEqual(
    now.classes.map(({ value }: Row) => value),
    ['z', 'a', 'b'],
  );

  const given = [
    { value: 'it\'s \\ ! <&"]', color: '#112233' },
    { value: 'a', color: 'rgb(1, 2, 3)', checked: false },
    { value: null, color: '#abc' },
  ];
  await set(path, {
    type: 2,
    columnCode: 'k',
    classesSettings: { classes: given, defaultClass: { color: '#010203' } },
  });
  const { classificators } = await legend(path);
  assert.deepEqual(
    classificators.map(({ value, fill, count, label, hidden }: any) => [
      value,
      fill,
      count,
      label,
      hidden ?? false,
    ]),
    [
      ['it\'s \\ ! <&"]', '#112233', 1, 'it\'s \\ ! <&"]', false],
      ['a', '#010203', 3, 'a', true],
      [null, '#aabbcc', 1, null, false],
      [null, '#010203', 8, null, false],
    ],
  );
});

test('categories of every type of column', async () => {
  const path = await layerOf([], { n: 'number', b: 'bool', d: 'datetime', t: 'text' });
  for (const fields of [
    { n: 1.1, b: true, d: '2024-05-01', t: 'x' },
    { n: 1.1, b: false, d: '2024-05-01T00:00:00Z', t: 'x'.repeat(501) },
    { n: -1e15, b: true, d: null, t: 'x' },
  ])
    await server.admin('POST', `${path}objects/`, { fields, geom: point() });
  for (const [columnCode, expected] of Object.entries({
    n: [
      [1.1, 2],
      [-1e15, 1],
      [null, 0],
    ],
    b: [
      [true, 2],
      [false, 1],
      [null, 0],
    ],
    d: [
      ['2024-05-01T00:00:00.000Z', 2],
      [null, 1],
    ],
    t: [
      ['x', 2],
      [null, 1],
    ],
  })) {
    await set(path, { type: 2, columnCode });
    const { classificators } = await legend(path);
    assert.deepEqual(
      classificators.map(({ value, count }: Entry) => [value, count]),
      expected,
      columnCode,
    );
  }
});

test('a localized column: classes in the main language, their texts in that of the request', async () => {
  const path = await layerOf([], { k: { type: 'string', localized_value: true } });
  for (const [en, ru] of [
    ['forest', 'лес'],
    ['forest', 'лес'],
    ['field', 'поле'],
  ]) {
    const { id } = await server.admin('POST', `${path}objects/?lng=en`, { fields: { k: en }, geom: point() });
    await server.admin('PUT', `${path}objects/${id}/?lng=ru`, { fields: { k: ru } });
  }
  const names = [{ en: 'Ground' }, { RU: 'Земля' }];
  await set(path, { type: 2, columnCode: 'k', legendName: 'Other', legendNames: names });
  const shown = async (query: string) => {
    const { name, classificators } = await legend(path, query);
    return [name, classificators.map(({ value, label, count }: Entry) => [value, label, count])];
  };
  assert.deepEqual(await shown('?lng=en'), [
    'Ground',
    [
      ['forest', 'forest', 2],
      ['field', 'field', 1],
      [null, null, 0],
    ],
  ]);
  assert.deepEqual(await shown('?lng=ru'), [
    'Земля',
    [
      ['forest', 'лес', 2],
      ['field', 'поле', 1],
      [null, null, 0],
    ],
  ]);
  assert.equal((await shown('?lng=de'))[0], 'Ground');
});

test('bubbles: areas true to values, the legend in round steps', async () => {
  const path = await layerOf(values(-5, 0, 1, 25, 100, 100, null));
  await set(path, { type: 3, columnCode: 'v', classesSettings: { pointSizeMin: 4, pointSizeMax: 40 } });
  const { classificators, minValue, maxValue, count, type } = await legend(path);
  assert.deepEqual([minValue, maxValue, count, type], [-5, 100, 7, 3]);
  assert.deepEqual(
    classificators.map(({ value, size, count }: any) => [value, size, count]),
    [
      [10, 12.65, 3],
      [50, 28.28, 1],
      [100, 40, 2],
      [null, 4, 1],
    ],
  );
});

test('charts: the legend names the columns, and counts objects without a chart', async () => {
  const path = await layerOf(
    [
      { a: 1, b: -2 },
      { a: null, b: 4 },
      { a: null, b: -1 },
      { a: null, b: null },
    ],
    { a: { type: 'number', localized_name: true, name: { en: 'Apples', ru: 'Яблоки' } }, b: 'number' },
  );
  const columns = [
    { code: 'a', color: '#010203' },
    { code: 'b', label: 'Bread' },
  ];
  for (const [type, without] of [
    [4, 2],
    [5, 1],
    [6, 1],
  ]) {
    const { visualSettings } = await set(path, { type, classesSettings: { columns } });
    assert.deepEqual(
      visualSettings.classesSettings.columns.map(({ code, color, label }: any) => [code, color, label]),
      [
        ['a', '#010203', type === 5 ? '' : undefined],
        ['b', '#33a02c', type === 5 ? 'Bread' : undefined],
      ],
    );
    assert.deepEqual([visualSettings.columnCode, visualSettings.algorithm], ['a', 1]);
    const { classificators, minValue, maxValue, count } = await legend(path, '?lng=ru');
    assert.deepEqual([minValue, maxValue, count], [-2, 4, 4]);
    assert.deepEqual(
      classificators.map(({ value, label, fill, count }: Entry) => [value, label, fill, count]),
      [
        ['a', 'Яблоки', '#010203', null],
        ['b', type === 5 ? 'Bread' : 'b', '#33a02c', null],
        [null, null, '#bdbdbd', without],
      ],
    );
  }
  // Its columns are protected like those of other kinds.
  const deleted = await server.request('DELETE', `${path}structure/b/`, { token: server.adminToken });
  assert.deepEqual([deleted.status, deleted.json.code], [500, 'style_invalid']);
  await server.admin('PATCH', `${path}structure/b/`, { type: 'number', code: 'bread' });
  const { visualSettings } = await server.admin('GET', path);
  assert.deepEqual(
    visualSettings.classesSettings.columns.map(({ code }: any) => code),
    ['a', 'bread'],
  );
});

test('a heat map: weights and radii by column, a legend of its colours, a column that it reads is kept', async () => {
  const path = await layerOf(values(1, 5, -2, null, 9), { v: 'number', r: 'number' });
  const { visualSettings } = await set(path, { type: 7 });
  assert.deepEqual([visualSettings.column, visualSettings.columnCode], [null, null]);
  assert.equal(visualSettings.classesSettings.colors.length, 8);
  const structure = await server.admin('GET', `${path}structure/`);
  const v = structure.find(({ code }: Row) => code === 'v').id;
  const colors = ['#0000ff', '#00ff00', '#ff0000'];
  for (const weightNormalize of [false, true]) {
    const own = {
      useWeight: true,
      useWeightField: v,
      weightNormalize,
      colors,
      markerSizeType: 'field',
      markerSizeField: 'r',
    };
    const { classesSettings } = (await set(path, { type: 7, classesSettings: own })).visualSettings;
    assert.equal(classesSettings.useWeightField, v);
    const { classificators, count, type, column } = await legend(path);
    assert.deepEqual([count, type, column], [5, 7, null]);
    assert.deepEqual(
      classificators.map(({ value, fill, label, count }: Entry) => [value, fill, label, count]),
      [
        [0, '#0000ff', '0%', null],
        [0.5, '#00ff00', '50%', null],
        [1, '#ff0000', '100%', null],
      ],
    );
    const map = path.split('/')[1];
    assert.equal((await server.request('GET', `//tms/demo/${map}/?z=0&x=0&y=0`)).status, 200);
  }
  const deleted = await server.request('DELETE', `${path}structure/r/`, { token: server.adminToken });
  assert.deepEqual(
    [deleted.status, deleted.json.code, deleted.json.data.columns],
    [500, 'style_invalid', ['r']],
  );
  await server.admin('PATCH', `${path}structure/r/`, { type: 'number', code: 'radius' });
  assert.equal((await legend(path)).type, 7);
});

test('numbers in the legend are written in the language of the request', async () => {
  const path = await layerOf(values(0, 1234.5, 5000));
  await set(path, { type: 1, columnCode: 'v', classesCount: 2 });
  const label = async (lng: string) => (await legend(path, `?lng=${lng}`)).classificators[0].label;
  assert.deepEqual([await label('en'), await label('de')], ['0 – 2,500', '0 – 2.500']);
});

test('a column keeps its place in a visualization: a new code is carried, its end is refused', async () => {
  const path = await layerOf([
    { v: 1, n: 'a' },
    { v: 2, n: 'b' },
  ]);
  await set(path, { type: 1, columnCode: 'v', showText: true, textSettings: { column: 'n' } });
  const change = async (method: string, field: string, body?: object): Promise<[number, string, unknown]> => {
    const { status, json } = await server.request(method, `${path}structure/${field}/`, {
      token: server.adminToken,
      body,
    });
    return [status, json?.code, json?.data?.columns];
  };
  for (const field of ['v', 'n']) {
    assert.deepEqual(await change('DELETE', field), [500, 'style_invalid', [field]]);
    assert.deepEqual(await change('PATCH', field, { type: 'text' }), [500, 'style_invalid', [field]]);
  }
  await server.admin('PATCH', `${path}structure/v/`, { type: 'number', code: 'w' });
  await server.admin('PATCH', `${path}structure/n/`, { type: 'string', code: 'm' });
  const { visualSettings } = await server.admin('GET', path);
  assert.deepEqual([visualSettings.columnCode, visualSettings.textSettings.column], ['w', 'm']);
  assert.deepEqual([(await legend(path)).column, await counts(path)], ['w', [1, 0, 0, 0, 1, 0]]);
  await set(path, null);
  assert.equal((await change('DELETE', 'w'))[0], 200);
});

test('tile, icon and legend are of one version: a refresh changes all, a tile is never older', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map, css_style: '' });
  const path = `/${map}/layers/l/`;
  await server.admin('POST', `/${map}/layers/`, { code: 'l' });
  await server.admin('POST', `${path}structure/`, { code: 'v', type: 'number' });
  const box = (west: number, east: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [west, -80],
        [east, -80],
        [east, 80],
        [west, 80],
        [west, -80],
      ],
    ],
  });
  await server.admin('POST', `${path}objects/`, { fields: { v: 1 }, geom: box(-170, -1) });
  await server.admin('POST', `${path}objects/`, { fields: { v: 2 }, geom: box(1, 170) });
  await set(path, {
    type: 1,
    columnCode: 'v',
    classesCount: 2,
    showBorder: false,
    classesSettings: { opacity: 1, minColor: '#ff0000', maxColor: '#0000ff' },
  });
  const tile = () => server.request('GET', `//tms/demo/${map}/?z=0&x=0&y=0&base=0`);
  const drawn = async () => {
    const { bytes } = await tile();
    return [colorAt(bytes, 60), colorAt(bytes, 190)];
  };
  const fills = async () => (await legend(path)).classificators.map(({ fill }: Entry) => fill);
  assert.deepEqual(await fills(), ['#ff0000', '#0000ff', '#d9d9d9']);
  assert.deepEqual(await drawn(), ['#ff0000', '#0000ff']);
  const before = await server.request('GET', `${path}icon/`);
  assert.equal(colorAt(before.bytes, 16, 16), '#ff0000');
  await server.admin('PUT', `${path}objects/1/`, { fields: { v: 3 } });
  // Both are in the upper class now, because the limits have not changed.
  assert.deepEqual(await drawn(), ['#0000ff', '#0000ff']);
  await server.admin('POST', `${path}legend/refresh/`);
  assert.deepEqual(await drawn(), ['#0000ff', '#ff0000']);
  const world = {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { v: 9 }, geometry: box(-170, 170) }],
  };
  await server.admin('POST', `${path}import/?action=1`, world);
  // The first request makes the classes of the new data.
  assert.deepEqual(await drawn(), [...Array(2).fill((await fills())[0])]);
});

test('callers who may not view the layer see no legend; refresh requires the right to edit', async () => {
  const path = await layerOf(values(1, 2));
  await set(path, { type: 1, columnCode: 'v' });
  await server.admin('POST', '/users/', { login: 'reader', password: 'long-enough' });
  await server.admin('PUT', '/rights/', { user: 'reader', right: 'view' });
  const login = { body: { login: 'reader', password: 'long-enough' } };
  const token = (await server.request('POST', '/login/', login)).json.token;
  const ask = async (method: string, rest: string, own?: string) =>
    (await server.request(method, path + rest, own ? { token: own } : {})).status;
  assert.deepEqual([await ask('GET', 'legend/'), await ask('GET', 'legend/', token)], [200, 200]);
  assert.deepEqual(
    [await ask('POST', 'legend/refresh/'), await ask('POST', 'legend/refresh/', token)],
    [401, 403],
  );
  await server.admin('PUT', `${path}rights/`, [
    { user: 'reader', right: 'none' },
    { user: 'public', right: 'none' },
  ]);
  assert.deepEqual([await ask('GET', 'legend/'), await ask('GET', 'legend/', token)], [403, 403]);
  const plain = await layerOf(values(1));
  assert.equal(
    (await server.request('POST', `${plain}legend/refresh/`, { token: server.adminToken })).status,
    404,
  );
});

const ring = [
  [0, 0],
  [40, 40],
  [40, 0],
  [0, 40],
  [0, 0],
];
const line = {
  type: 'LineString',
  coordinates: [
    [0, 0],
    [0, 0],
  ],
};
const oddShapes = [
  { type: 'Polygon', coordinates: [ring] },
  {
    type: 'GeometryCollection',
    geometries: [
      point(3, 3),
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [9, 9],
        ],
      },
    ],
  },
  { type: 'MultiPolygon', coordinates: [] },
  { type: 'GeometryCollection', geometries: [] },
  line,
  {
    type: 'MultiLineString',
    coordinates: [
      line.coordinates,
      [
        [5, 5],
        [8, 9],
      ],
    ],
  },
  {
    type: 'MultiPoint',
    coordinates: [
      [1, 1],
      [2, 2],
    ],
  },
  point(0, 90),
  point(180, -90),
  null,
];

test('every kind draws unusual shapes: self-intersecting, collections, empty, at the poles, none', async () => {
  const path = await layerOf([], { v: 'number' });
  for (const [i, geom] of oddShapes.entries())
    await server.request('POST', `${path}objects/`, {
      token: server.adminToken,
      body: { fields: { v: i - 3 }, geom },
    });
  const map = path.split('/')[1];
  for (const type of [1, 2, 3, 4, 5, 6, 7]) {
    for (const allowOverlap of [true, false]) {
      const classesSettings =
        type > 3 ? { columns: [{ code: 'v' }], sizeType: 2, allowOverlap, showScale: true } : {};
      await set(path, {
        type,
        columnCode: 'v',
        showText: true,
        textSettings: { column: 'v' },
        classesSettings: type === 7 ? {} : classesSettings,
      });
      for (const at of ['z=0&x=0&y=0', 'z=3&x=4&y=4', 'z=5&x=0&y=0&retina=2']) {
        const { status, text } = await server.request('GET', `//tms/demo/${map}/?${at}`);
        assert.equal(status, 200, `${type} ${at} ${text.slice(0, 200)}`);
      }
      assert.equal((await server.request('GET', `${path}icon/`)).status, 200);
    }
  }
});
