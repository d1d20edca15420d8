import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import type { MarkerClaim } from '@cartulary/cartocss';
import type { TextLook } from '@cartulary/cartocss/internal/reach/labels.js';
import { between, within } from '@cartulary/renderer/internal/labels/label-rows.js';
import { Sql, sql } from '@cartulary/sql/internal/sql.js';
import { conditionSql } from '../../src/tiles/plan/sql/condition-sql.js';
import { type ChosenLabel, labelSql } from '../../src/tiles/plan/sql/label-sql.js';
import { layerSql } from '../../src/tiles/plan/sql/layer-sql.js';
import { mapnikText } from '../../src/tiles/plan/sql/mapnik-text.js';
import { type TestDatabase, testDatabase } from '../support/database.js';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database?.drop());

/** Runs a text as Mapnik does. */
const run = <Row>(text: string): Promise<Row[]> => database.db.query<Row>(new Sql([text], []));

/** Replaces tokens at any position, as Mapnik does. */
const replaceTokens = (text: string): string =>
  text
    .replace(/!bbox!/gi, 'ST_MakeEnvelope(-180,-90,180,90,4326)')
    .replace(/!(pixel_width|pixel_height|scale_denominator)!/gi, '0.1')
    .replace(/!@(\w+)!/g, "'variable'");

const hostile = [
  "'",
  "''",
  "\\'",
  '\\',
  "\\\\'",
  "'; drop table t; --",
  '!bbox!',
  "'!bbox!'",
  '!BBOX!',
  '!@name!',
  '!',
  '!!',
  '!pixel_width!\\!bbox!',
  "\n\t'\r\n",
  '$1 $$ :name ? %s {0}',
  'Ё "quoted" 漢字 🗺️',
  '</Parameter><Parameter name="host">',
  '',
];

for (const value of hostile) {
  test(`a value with special characters stays a value: ${JSON.stringify(value)}`, async () => {
    const text = replaceTokens(mapnikText(sql`select ${value}::text as value, ${value} = ${value} as same`));
    assert.deepEqual(await run(text), [{ value, same: true }]);
  });
}

test('numbers, truth values and null', async () => {
  const text = mapnikText(
    sql`select ${1.5e300} as a, ${-0.1}::float8 as b, ${true} as c, ${null}::text as d`,
  );
  const [row] = await run<Record<string, unknown>>(text);
  assert.deepEqual([Number(row!.a), row!.b, row!.c, row!.d], [1.5e300, -0.1, true, null]);
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, {}, 1n, 'a\0b']) {
    assert.throws(() => mapnikText(sql`select ${value}`));
  }
});

const columns = [
  { id: 1, code: 'pop', type: 'number', localized_value: false },
  { id: 2, code: 'name', type: 'string', localized_value: true },
  { id: 3, code: 'when', type: 'datetime', localized_value: false },
  { id: 4, code: 'open', type: 'bool', localized_value: false },
  { id: 5, code: 'more', type: 'json', localized_value: false },
] as const;

test('the features of a layer: columns of the style, in types of Mapnik, only drawable ones, by id', async () => {
  await run('create schema if not exists cartulary_data');
  await run(`create table cartulary_data.layer_7 (svc_id bigint primary key, geom geometry(Geometry, 4326),
    c1 double precision, c2 jsonb, c3 timestamptz, c4 boolean, c5 jsonb)`);
  await run(`insert into cartulary_data.layer_7
    select i, st_setsrid(st_makepoint(i, i), 4326), i, jsonb_build_object('en', 'o''ne!', 'ru', 'Ёж ' || i),
      '2024-05-01T12:00:00Z', true, '{"a": 1}' from generate_series(9, 1, -1) i`);
  const text = layerSql({
    id: 7,
    columns,
    read: ['pop', 'name', 'when', 'open', 'more', 'missing'],
    filter: {
      kind: 'or',
      terms: [
        { kind: 'compare', column: 'name', op: '=', value: "o'ne!" },
        { kind: 'in', column: 'name', values: ['Ёж 1', 'Ёж 3'] },
        {
          kind: 'and',
          terms: [
            { kind: 'compare', column: 'pop', op: '>=', value: 8 },
            { kind: 'not-null', column: 'open' },
          ],
        },
        { kind: 'null', column: 'when' },
      ],
    },
    lng: 'ru',
    main: 'en',
    zoom: 0,
  });
  const rows = await run<Record<string, unknown>>(
    `select *, st_astext(geom) as place from ${replaceTokens(text)}`,
  );
  assert.deepEqual(
    rows.map(({ svc_id }) => Number(svc_id)),
    [1, 3, 8, 9],
  );
  const { geom, svc_id, ...first } = rows[0]!;
  assert.deepEqual(first, {
    pop: 1,
    name: 'Ёж 1',
    when: '2024-05-01T12:00:00.000Z',
    open: true,
    more: '{"a": 1}',
    missing: null,
    place: 'POINT(1 1)',
  });
});

test('texts of labels have no characters for which Mapnik draws a box', async () => {
  await run(
    `create table if not exists cartulary_data.layer_9 (svc_id bigint primary key, geom geometry(Geometry, 4326), c2 text, c3 text)`,
  );
  const text = 'a\r\nb\tc\u000bd';
  await run(
    `insert into cartulary_data.layer_9 values (1, st_setsrid(st_makepoint(1, 1), 4326), E'a\\r\\nb\\tc\\x0bd', E'a\\tb')`,
  );
  const columns = [
    { id: 2, code: 'name', type: 'string', localized_value: false },
    { id: 3, code: 'kind', type: 'text', localized_value: false },
  ] as const;
  const query = layerSql({
    id: 9,
    columns,
    read: ['name', 'kind'],
    written: ['name'],
    filter: { kind: 'compare', column: 'name', op: '=', value: text },
    lng: 'en',
    main: 'en',
    zoom: 0,
  });
  const rows = await run<Record<string, unknown>>(`select name, kind from ${replaceTokens(query)}`);
  assert.deepEqual(rows, [{ name: 'a\nb cd', kind: 'a\tb' }]);
});

test('for the database an object differs from a value where it does for Mapnik', async () => {
  const differing = async (type: string, value: string | number | boolean): Promise<string> => {
    const is = conditionSql({ kind: 'compare', column: 'v', op: '!=', value }, new Map([['v', sql`v`]]));
    const values = { text: "(''), ('a'), ('b')", 'double precision': '(5), (6)', boolean: '(true), (false)' };
    const [row] = await run<{ found: string[] }>(
      `select array_agg(coalesce(v::text, 'none')) as found from (values (null::${type}), ${values[type as 'text']}) as t(v)
      where ${mapnikText(is)}`,
    );
    return row!.found.join(' ');
  };
  assert.equal(await differing('text', 'a'), 'none  b');
  assert.equal(await differing('text', ''), 'a b');
  assert.equal(await differing('double precision', 5), 'none 6');
  assert.equal(await differing('boolean', true), 'none false');
});

test('of labels by class only the objects that have one are looked at closely', async () => {
  const look = { allowOverlap: false } as TextLook;
  const label = { text: [{ column: 'name' }], place: 'centroid', look } as const;
  const when = (value: number) => ({ kind: 'compare', column: 'pop', op: '>', value }) as const;
  const source = { id: 7, columns, lng: 'ru', main: 'en', zoom: 3, scale: 1 };
  const scanned = async (chosen: readonly ChosenLabel[]): Promise<{ rows: number; labels: number }> => {
    const text = replaceTokens(labelSql(source, chosen));
    const [plan] = await run<Record<string, unknown>>(`explain (analyze, format json) select * from ${text}`);
    const rows = Array.from(JSON.stringify(plan).matchAll(/"Actual Rows":([\d.]+)/g), ([, count]) => count);
    const [found] = await run<{ labels: string | null }>(`select * from ${text}`);
    return { rows: Number(rows.at(-1)), labels: found!.labels?.split(between).length ?? 0 };
  };
  assert.deepEqual(await scanned([{ kind: 0, label, when: when(7) }]), {
    rows: 2,
    labels: 2,
  });
  const classes = [
    { kind: undefined, when: when(8), label: undefined },
    { kind: 0, label, when: when(6) },
    { kind: 1, label, when: when(5) },
  ];
  assert.deepEqual(await scanned(classes), { rows: 4, labels: 3 });
  assert.deepEqual(await scanned([...classes, { kind: 1, label, when: undefined }]), {
    rows: 9,
    labels: 8,
  });
});

test('rows of labels have the places of each type of shape, and texts without the marks between rows', async () => {
  await run(
    'create table cartulary_data.layer_10 (svc_id bigint primary key, geom geometry(Geometry, 4326), c2 text)',
  );
  await run(`insert into cartulary_data.layer_10 select i, st_geomfromtext(shape, 4326), E'a\\x1e' || i || E'\\x1f\\x1fb' from unnest(array[
    'POINT(1 2)', 'MULTIPOINT(1 2)', 'MULTIPOINT(1 2, 3 4)', 'LINESTRING(0 0, 2 2)', 'POLYGON((0 0, 2 0, 2 2, 0 2, 0 0))',
    'MULTIPOLYGON(((0 0, 2 0, 2 2, 0 2, 0 0)), ((8 8, 9 8, 9 9, 8 9, 8 8)))', 'GEOMETRYCOLLECTION(POINT(1 2), LINESTRING(0 0, 2 2))'])
    with ordinality as t(shape, i)`);
  const name = { id: 2, code: 'name', type: 'string', localized_value: false } as const;
  const source = { id: 10, columns: [name], lng: 'en', main: 'en', zoom: 8, scale: 1 };
  const look = { allowOverlap: false } as TextLook;
  const label = { text: [{ column: 'name' }], place: 'centroid', look } as const;
  const claim = { size: { width: 8, height: 8 } } as MarkerClaim;
  const chosen = [{ kind: 0, label, claim, when: undefined }];
  const [found] = await run<{ labels: string }>(`select * from ${replaceTokens(labelSql(source, chosen))}`);
  // Versions of PostGIS differ in the brackets of several points.
  const rows = found!.labels.replaceAll(/\(([\d.]+ [\d.]+)\)(?=[,)])/g, '$1').split(between);
  assert.deepEqual(
    rows.map((row) => row.split(within)),
    [
      ['POINT(1 2)', '0', 'a1b'],
      ['POINT(1 2)', '0', 'a2b'],
      ['MULTIPOINT(1 2,3 4)', '0', 'a3b'],
      ['POINT(1 1)', '0', 'a4b'],
      ['POINT(1 1)', '0', 'a5b'],
      ['MULTIPOINT(1 1)', '0', 'a6b', 'MULTIPOINT(1 1,8.5 8.5)'],
      ['MULTIPOINT(1 2,1 1)', '0', 'a7b'],
    ],
  );
});

test('simplified shapes keep parts smaller than a pixel', async () => {
  await run(`create table cartulary_data.layer_8 (svc_id bigint primary key, geom geometry)`);
  await run(`insert into cartulary_data.layer_8 values
    (1, st_buffer('SRID=4326;POINT(10 10)'::geometry, 0.001)),
    (2, st_buffer('SRID=4326;POINT(10 10)'::geometry, 5, 100)),
    (3, st_segmentize('SRID=4326;LINESTRING(0 0, 0.001 0.001)'::geometry, 0.00001)),
    (4, st_collect(array[st_buffer('SRID=4326;POINT(0 0)'::geometry, 0.001), st_buffer('SRID=4326;POINT(50 50)'::geometry, 0.001)])),
    (5, 'SRID=4326;POINT Z (1 2 3)'), (6, 'SRID=4326;POLYGON EMPTY'), (7, null)`);
  const source = { id: 8, columns, read: [], filter: 'all', lng: 'en', main: 'en' } as const;
  const shapes = (zoom: number) =>
    run<{ svc_id: number; type: string; points: number; parts: number; is_empty: boolean }>(
      `select svc_id, geometrytype(geom) as type, st_npoints(geom) as points, st_numgeometries(geom) as parts, st_isempty(geom) as is_empty
        from ${replaceTokens(layerSql({ ...source, zoom }))}`,
    );
  const [stored, simplified] = [await shapes(20), await shapes(0)];
  assert.deepEqual(
    stored.map(({ svc_id }) => Number(svc_id)),
    [1, 2, 3, 4, 5],
  );
  for (const [i, shape] of simplified.entries()) {
    const { type, parts, svc_id } = stored[i]!;
    assert.deepEqual([shape.svc_id, shape.type, shape.parts, shape.is_empty], [svc_id, type, parts, false]);
    if (i < 4) assert.ok(shape.points < stored[i]!.points, `${svc_id}: ${shape.points}`);
  }
});
