import assert from 'node:assert/strict';
import test from 'node:test';
import sharp from 'sharp';
import { startServer } from '../../support/server.js';

const server = await startServer();
test.after(() => server.stop());
const { admin, request } = server;

const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });

/** Creates a map with a layer of three towns: name, pop, founded, open. */
async function towns(map: string, layer = 'towns'): Promise<void> {
  await admin('POST', '/', { code: map });
  await admin('POST', `/${map}/layers/`, { code: layer });
  for (const [code, type] of [
    ['name', 'string'],
    ['pop', 'number'],
    ['founded', 'datetime'],
    ['open', 'bool'],
  ])
    await admin('POST', `/${map}/layers/${layer}/structure/`, { code, type });
  const rows: [string, number, string, number][] = [
    ['Aa', 100, '1200-01-01', 5],
    ['Bb', 2000, '1300-05-01', 15],
    ['Cc', 30000, '1850-01-02', 25],
  ];
  for (const [name, pop, founded, x] of rows)
    await admin('POST', `/${map}/layers/${layer}/objects/`, {
      fields: { name, pop, founded, open: pop > 1000 },
      geom: point(x, x),
    });
}

const virtual = (map: string, code: string, query: string, more: object = {}) =>
  admin('POST', `/${map}/layers/`, { code, type: 'virtual', json: { query }, ...more });

const asAdmin = (method: string, path: string, body?: unknown) =>
  request(method, path, { token: server.adminToken, body });

/** A map with towns and a virtual layer `big` of the larger ones. */
async function withBig(map: string) {
  await towns(map);
  const query = `select svc_id, geom, name, pop / 1000 as thousands, founded, open from ${map}.towns where pop > 500`;
  return virtual(map, 'big', query);
}

test('tree, structure and lists show a virtual layer as any other', async () => {
  const made = await withBig('whole');
  assert.equal(made.type, 'virtual');
  const tree = await admin('GET', '/whole/layers/?type=full&returnBbox=1');
  const item = tree.find(({ code }: { code: string }) => code === 'big');
  assert.equal(item.type, 'virtual');
  assert.deepEqual(item.bbox, { sw: [15, 15], ne: [25, 25] });
  const structure = await admin('GET', '/whole/layers/big/structure/');
  assert.deepEqual(
    structure.map(({ code, type }: { code: string; type: string }) => [code, type]),
    [
      ['svc_id', 'number'],
      ['geom', 'geom'],
      ['name', 'string'],
      ['thousands', 'number'],
      ['founded', 'datetime'],
      ['open', 'bool'],
    ],
  );
  assert.equal(await admin('GET', '/whole/layers/big/count/?precise=true'), 2);
  const list = await admin(
    'GET',
    '/whole/layers/big/objects/?fields=*&sort=thousands,d&returnGeom=1&returnBbox=1',
  );
  assert.deepEqual(
    list.map((object: { fields: { name: string } }) => object.fields.name),
    ['Cc', 'Bb'],
  );
  assert.deepEqual(list[0].fields.founded, '1850-01-02T00:00:00.000Z');
  assert.deepEqual(list[0].geom, point(25, 25));
  const boxed = await admin('GET', '/whole/layers/big/objects/?fields=name&fbbox=10,10,20,20');
  assert.deepEqual(boxed, [{ id: 2, fields: { name: 'Bb' } }]);
  const filtered = await admin('POST', '/whole/layers/big/filter/', {
    fields: ['name'],
    filter: { op: '>', args: [{ property: 'thousands' }, 10] },
  });
  assert.deepEqual(filtered, [{ id: 3, fields: { name: 'Cc' } }]);
});

test('objects, exports, search and drawing of a virtual layer work as of any other', async () => {
  const made = await withBig('parts');
  const one = await admin('GET', '/parts/layers/big/objects/2/');
  assert.equal(one.fields.thousands, 2);
  assert.deepEqual(await admin('GET', '/parts/layers/big/objects/2/geom/'), point(15, 15));
  const pdf = await asAdmin('GET', '/parts/layers/big/objects/2/?f=pdf');
  assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-');
  const exported = await asAdmin('GET', '/parts/layers/big/export/?format=geojson');
  assert.equal(exported.json.features.length, 2);
  const found = await admin('GET', '/parts/search/?phrase=Bb&limit=10');
  assert.ok(
    found.some((hit: { type: string; layer: string }) => hit.type === 'object' && hit.layer === 'big'),
  );
  const icon = await asAdmin('GET', '/parts/layers/big/icon/?size=16');
  assert.equal(icon.status, 200);
  const tile = await asAdmin('GET', `//tms/demo/parts/?z=0&x=0&y=0&base=0&layers=${made.id}`);
  assert.equal(tile.status, 200);
  const { data } = await sharp(tile.bytes).raw().toBuffer({ resolveWithObject: true });
  assert.ok(
    data.some((value, i) => i % 4 === 3 && value > 0),
    'something is drawn',
  );
});

test('writes to a virtual layer answer 400', async () => {
  await towns('readonly');
  await virtual('readonly', 'all', 'select * from readonly.towns');
  const writes: [string, string, unknown?][] = [
    ['POST', 'objects/', { fields: {} }],
    ['PUT', 'objects/1/', { fields: {} }],
    ['DELETE', 'objects/1/'],
    ['DELETE', 'objects/', { delete_params: '1' }],
    ['POST', 'objects/1/copy/', { map_code: 'readonly', layer_code: 'all' }],
    ['PUT', 'objects/1/geom/', point(1, 1)],
    ['POST', 'objects/1/files/?field=name', { file: 'x' }],
    ['DELETE', 'objects/1/files/1/?field=name'],
    ['POST', 'import/', { type: 'FeatureCollection', features: [] }],
    ['POST', 'makevalid/'],
    ['POST', 'structure/', { code: 'more', type: 'number' }],
    ['PATCH', 'structure/pop/', { type: 'string' }],
    ['PATCH', 'structure/pop/', { type: 'number', code: 'other' }],
    ['PATCH', 'structure/pop/', { type: 'number', required: true }],
    ['DELETE', 'structure/pop/'],
    ['POST', 'constraints/', { type: 'unique', columns: ['name'] }],
  ];
  for (const [method, path, body] of writes) {
    const answer = await asAdmin(method, `/readonly/layers/all/${path}`, body);
    assert.equal(answer.status, 400, `${method} ${path}: ${answer.text}`);
  }
  assert.equal((await asAdmin('POST', '/readonly/layers/all/refresh/')).json.code, 'not_materialized');
  const named = await admin('PATCH', '/readonly/layers/all/structure/pop/', {
    type: 'number',
    name: 'People',
    format: { decimals: 1 },
  });
  assert.equal(named.name, 'People');
  const [object] = await admin('GET', '/readonly/layers/all/objects/?fields=pop&limit=1&f=fjson');
  assert.equal(object.fields.pop, '100.0');
});

test('columns of the same code keep their ids when the query changes', async () => {
  await towns('ids');
  await virtual('ids', 'v', 'select svc_id, name, pop from ids.towns');
  const before = await admin('GET', '/ids/layers/v/structure/');
  await admin('PATCH', '/ids/layers/v/structure/pop/', { type: 'number', name: 'People' });
  await admin('PATCH', '/ids/layers/v/', {
    json: { query: 'select pop, svc_id, geom, upper(name) as title from ids.towns;' },
  });
  const after = await admin('GET', '/ids/layers/v/structure/');
  const pop = (columns: { code: string; id: number; name: string }[]) =>
    columns.find(({ code }) => code === 'pop')!;
  assert.equal(pop(after).id, pop(before).id);
  assert.equal(pop(after).name, 'People');
  assert.deepEqual(after.map(({ code }: { code: string }) => code).sort(), [
    'geom',
    'pop',
    'svc_id',
    'title',
  ]);
});

test('joins, aggregates, windows, set operations, subqueries and CTEs run', async () => {
  await towns('forms');
  const forms: [string, unknown[]][] = [
    [
      'select a.svc_id, b.name from forms.towns a join forms.towns b on b.svc_id = a.svc_id + 1',
      ['Bb', 'Cc'],
    ],
    ['select min(svc_id) as svc_id, count(*)::text as name from forms.towns group by open', ['1', '2']],
    ['select svc_id, row_number() over (order by pop desc)::text as name from forms.towns', ['3', '2', '1']],
    [
      'select svc_id, name from forms.towns where pop < 500 union all select svc_id, lower(name) from forms.towns where pop > 500',
      ['Aa', 'bb', 'cc'],
    ],
    [
      'select svc_id, name from forms.towns t where exists (select 1 from forms.towns o where o.pop > t.pop * 100)',
      ['Aa'],
    ],
    [
      'with a as (select * from forms.towns), b as (select * from a where open) select svc_id, name from b',
      ['Bb', 'Cc'],
    ],
    [
      "select svc_id, case when pop > 1000 then $$big$$ else 'it''s small' end as name from forms.towns",
      ["it's small", 'big', 'big'],
    ],
    ['select towns.svc_id, towns.name from forms.towns -- the end', ['Aa', 'Bb', 'Cc']],
    [
      'select svc_id, name from "forms" . /* between */ "towns" where name ~ \'^[AB]\' and pop in (100, 2000)',
      ['Aa', 'Bb'],
    ],
    [
      'select svc_id, extract(year from founded)::text as name, st_buffer(geom, 1) as geom from forms.towns',
      ['1200', '1300', '1850'],
    ],
    [
      'select svc_id::int as svc_id, (array_agg(name order by name))::text[] as name from forms.towns group by svc_id',
      [['Aa'], ['Bb'], ['Cc']],
    ],
    [
      'select s.svc_id, s.name from (select svc_id, name, rank() over w as place from forms.towns window w as (order by pop)) s where s.place = 1',
      ['Aa'],
    ],
    [
      'select t.svc_id, l.name from forms.towns t, lateral (select o.name from forms.towns o where o.svc_id <> t.svc_id order by o.pop limit 1) l',
      ['Bb', 'Aa', 'Aa'],
    ],
  ];
  await virtual('forms', 'v', 'select svc_id from forms.towns');
  for (const [query, names] of forms) {
    await admin('PATCH', '/forms/layers/v/', { json: { query } });
    const list = await admin('GET', '/forms/layers/v/objects/?fields=name');
    assert.deepEqual(
      list.map((object: { fields: { name: string } }) => object.fields.name),
      names,
      query,
    );
  }
});

const from = ' from attacked.towns t';
/** Queries that must be refused, because they are more than one SELECT over layers. */
const refusedQueries = [
  '',
  '   ',
  '-- nothing',
  'select',
  `select svc_id${from}; select 1`,
  'drop table cartulary.account',
  'insert into attacked.towns values (1)',
  'update attacked.towns set pop = 1',
  'delete from attacked.towns',
  'truncate attacked.towns',
  'set role postgres',
  'copy attacked.towns to program $$id$$',
  `explain select svc_id${from}`,
  'do $$begin end$$',
  'call x()',
  'begin',
  `select svc_id into x${from}`,
  `select svc_id${from} for update`,
  'with d as (delete from attacked.towns returning *) select svc_id from d',
  'with recursive r as (select 1::bigint as svc_id union all select svc_id + 1 from r) select svc_id from r',
  'with pg_class as (select 1) select oid as svc_id from pg_class',
  'select 1::bigint as svc_id from (with a as (select 1) select * from a) x, a',
  'select oid::int8 as svc_id from pg_class',
  'select oid::int8 as svc_id from pg_catalog.pg_class',
  'select 1 as svc_id from information_schema.tables',
  'select id as svc_id from cartulary.account',
  'select svc_id from cartulary_data.layer_1',
  'select svc_id from postgres.attacked.towns',
  'select svc_id from attacked.nothing',
  'select svc_id from only attacked.towns',
  'select svc_id from attacked.towns tablesample system (50)',
  'select g as svc_id from generate_series(1, 10) g',
  'select svc_id from rows from (generate_series(1, 2)) as x (svc_id)',
  'select * from json_table($$[1]$$, $$$[*]$$ columns (svc_id int path $$$$$))',
  'select * from xmltable($$/a$$ passing $$<a/>$$ columns svc_id int)',
  ...[
    'pg_read_file($$/etc/passwd$$)',
    'pg_catalog.pg_read_file($$/etc/passwd$$)',
    'PG_SLEEP(100)',
    '"pg_sleep"(100)',
    'lo_import($$/etc/passwd$$)',
    'dblink($$x$$, $$y$$)',
    'query_to_xml($$select 1$$, true, true, $$$$)',
    'table_to_xml($$pg_class$$, true, true, $$$$)',
    'set_config($$role$$, $$postgres$$, false)',
    'current_setting($$data_directory$$)',
    'pg_terminate_backend(1)',
    'st_fromflatgeobuf(null, null)',
    'st_estimatedextent($$cartulary$$, $$account$$, $$x$$)',
    'repeat($$x$$, 1000000000)',
    'lpad($$x$$, 1000000000)',
    'format($$%1000000000s$$, 1)',
    'generate_series(1, 1000000000)',
    'unnest(array[1, 2])',
    'st_segmentize(t.geom, 0.0000001)',
    'st_generatepoints(t.geom, 1000000000)',
    'st_buffer(t.geom, 1, $$quad_segs=1000000000$$)',
    'st_transform(t.geom, $$+proj=longlat +nadgrids=/etc/passwd$$)',
    'st_transform(t.geom, $$+proj=longlat$$, 4326)',
    'st_geohash(t.geom, 1000000000)',
    'st_geohash(t.geom, 10 * 100000000)',
    'st_geohash(maxchars => 1000000000, geom => t.geom)',
    'st_asgeojson(t.geom, 2000000000)',
    'st_astext(t.geom, 2000000000)',
    'st_minimumboundingcircle(t.geom, 1000000000)',
    'st_offsetcurve(t.geom, 1, $$quad_segs=1000000000$$)',
    '$$x$$::char(10000000)',
    'st_hausdorffdistance(t.geom, t.geom, 0.000000001)',
    'st_clusterkmeans(t.geom, 3, 0.00001) over ()',
    'st_clusterkmeans(t.geom, 5000) over ()',
    'st_clusterkmeans(t.geom, t.svc_id::integer) over ()',
    'to_regclass($$pg_class$$)',
    'pg_typeof(t)',
    'row_to_json(t)',
    'ts_stat($$select 1$$)',
    'nextval($$cartulary.container_id$$)',
    'txid_current()',
    'version()',
    'random()',
    'now()',
    'public.st_area(t.geom)',
    'count(variadic array[1])',
    'current_user',
    'session_user',
    'current_catalog',
    'current_date',
    '$1',
    'x::regclass',
    '$$pg_class$$::regclass',
    '$$1$$::oid',
    '$$<a/>$$::xml',
    '$$1$$::pg_catalog.regproc',
    '$$x$$::cartulary.account',
    'cast($$pg_sleep$$ as regprocedure)',
    "regclass 'pg_class'",
    "date 'now'::regtype",
    'xmlelement(name a)',
    't.pg_typeof',
    't.row_to_json',
    '(t).pg_typeof',
    '(t.geom).x',
    't.tableoid',
    't.ctid',
    'ctid',
    'xmin',
    'tableoid::regclass',
    't.pop operator(pg_catalog.+) 1',
    't.name collate "C"',
    'attacked.towns.pop',
    'U&"\\0070op"',
    "U&'\\0041'",
    "B'1'",
    't.pop[1]',
    'lower(t.name, t.name)',
    't.nothing',
    't.name + 1',
    'sum(pop)',
    'name / 0',
    '1 / 0',
    't',
    'geom',
    '1',
    'pop as pop, t.name as pop',
    'pop as "Имя"',
    'pop as "a b"',
    `pop as ${'a'.repeat(60)}`,
    `${'('.repeat(3000)}1${')'.repeat(3000)}`,
    `${'1+'.repeat(1000)}1`,
    `${'(select '.repeat(500)}1${')'.repeat(500)}`,
  ].map((value) => `select svc_id, geom, ${value}${from}`),
  `select pop${from}`,
  `select name as svc_id${from}`,
  `select null::bigint as svc_id${from}`,
  `select 1::bigint as svc_id${from}`,
  `select svc_id, st_setsrid(geom, 3857) as geom${from}`,
  `select svc_id, name as geom${from}`,
  `select svc_id, name::integer as n${from}`,
  `select svc_id, 'ab\\'' as x${from}`,
  'select svc_id from attacked.towns) q; drop table cartulary.account; select * from (select 1 as svc_id',
  'select svc_id from attacked.towns) union select (1',
  'select svc_id /* unclosed from attacked.towns',
  "select svc_id, 'unclosed from attacked.towns",
  '\u0000select svc_id from attacked.towns',
];

test('a query that is not one SELECT over layers is refused, and the old one stays', async () => {
  await towns('attacked');
  await admin('POST', '/', { code: 'pg_catalog' });
  await virtual('attacked', 'v', 'select * from attacked.towns');
  for (const query of refusedQueries) {
    const answer = await asAdmin('PATCH', '/attacked/layers/v/', { json: { query } });
    const shown = query.slice(0, 100);
    assert.ok([400, 500].includes(answer.status), `${shown}: ${answer.status}`);
    if (answer.status === 500)
      assert.ok(['query_invalid', 'required_missing'].includes(answer.json.code), `${shown}: ${answer.text}`);
    const leaks = /cartulary_data|layer_\d|"c\d+"|\bq\.|stack|postgres@/;
    if (!leaks.test(query)) assert.doesNotMatch(answer.text, leaks, shown);
  }
  assert.equal((await admin('GET', '/attacked/layers/v/objects/?fields=*')).length, 3, 'the old query holds');
});

test('the error of a query gives the position of the problem', async () => {
  await towns('located');
  await virtual('located', 'v', 'select * from located.towns');
  const change = (query: string) => asAdmin('PATCH', '/located/layers/v/', { json: { query } });
  const placed = await change('select svc_id,\n  "ü", pg_sleep(1)\nfrom located.towns');
  assert.deepEqual(
    { ...placed.json.data, problem: undefined },
    { position: 22, line: 2, column: 8, problem: undefined },
  );
  const semantic = await change('select t.svc_id,\n  upper(t.pop)\nfrom located.towns t');
  assert.equal(semantic.json.data.line, 2);
  assert.equal(semantic.json.data.column, 3);
  const large = await change(`select svc_id from located.towns where name <> '${'x'.repeat(1_000_000)}'`);
  assert.equal(large.status, 400);
});

test('the error of a query that cannot be divided into words says what is wrong, and where', async () => {
  await towns('worded');
  for (const [query, problem, column] of [
    [`select 'ü', 'a from worded.towns`, `unterminated quoted string at or near "'a from worded.towns"`, 13],
    ['select "a from worded.towns', 'unterminated quoted identifier at or near ""a from worded.towns"', 8],
    ['select 1 /* a', 'unterminated /* comment at or near "/* a"', 10],
    ['select 1a', 'trailing junk after numeric literal at or near "1a"', 8],
    ['select ""', 'zero-length delimited identifier at or near """"', 8],
    ['select svc_id \0 from worded.towns', 'NUL is not allowed', 15],
  ] as const) {
    const { json } = await asAdmin('POST', '/worded/query/', { query, type: 'virtual' });
    const { data } = json as { data: Record<string, unknown> };
    assert.deepEqual([json.code, data.problem, data.column], ['query_invalid', problem, column], query);
  }
});

test('functions of texts whose time is the product of two lengths take short ones', async () => {
  await towns('lengths');
  const ask = async (expression: string) => {
    const query = `select min(svc_id) as svc_id, ${expression} as it from lengths.towns`;
    const { status, json } = await asAdmin('POST', '/lengths/query/', { query, type: 'virtual' });
    return status === 200 ? json.rows[0].fields.it : json.data.problem;
  };
  assert.equal(
    await ask(`trim(min(name)) || trim(both 'A' from 'ABA') || position('b' in min('abc'))`),
    'AaB2',
  );
  assert.match(await ask('trim(both min(name) from max(name))'), /^trim removes .* write btrim\(/);
  assert.match(await ask(`position(min(name) in max(name))`), /write strpos\(/);
  assert.match(await ask(`position('${'x'.repeat(101)}' in min(name))`), /at most 100 characters/);
  assert.match(await ask(`pg_catalog.translate(min(name), 'a', 'b')`), /without pg_catalog/);
  const long = `replace('${'a'.repeat(1_000)}', 'a', '${'b'.repeat(100)}')`;
  assert.match(await ask(`translate(${long}, ${long}, '')`), /are too long/);
});

test('query/ shows the first rows of a query that is not stored', async () => {
  await towns('tried');
  const preview = (body: object) => asAdmin('POST', '/tried/query/', body);
  const query = `select svc_id, geom, name, pop, founded, open, array[pop] as list from tried.towns order by pop desc`;
  const { status, json, text } = await preview({ query, rows: 2 });
  assert.equal(status, 200, text);
  assert.deepEqual(
    json.columns.map(({ code, type }: { code: string; type: string }) => `${code} ${type}`),
    ['name string', 'pop number', 'founded datetime', 'open bool', 'list json'],
  );
  const fields = { name: 'Cc', pop: 30000, founded: '1850-01-02T00:00:00.000Z', open: true, list: [30000] };
  assert.deepEqual(json.rows[0], { id: 3, geometry: 'Point', fields });
  assert.equal(json.rows.length, 2);
  assert.equal((await admin('GET', '/tried/layers/?type=full')).length, 1);
  // Only what is stored may ask the clock.
  const clock = 'select svc_id, now() as at from tried.towns';
  assert.equal((await preview({ query: clock, type: 'material' })).status, 200);
  for (const [wrong, place] of [
    [clock, [1, 16]],
    ['select svc_id,\n no from tried.towns', [2, 2]],
    ['select svc_id from tried.none', [1, 20]],
    ['delete from tried.towns', [1, 1]],
  ] as const) {
    const { code, data } = (await preview({ query: wrong })).json;
    assert.deepEqual([code, data.line, data.column], ['query_invalid', ...place], wrong);
  }
  const failing = await preview({ query: 'select svc_id, 1 / (pop - pop) as n from tried.towns' });
  assert.match(failing.json.message, /divides by zero/);
  assert.equal((await preview({ query: '  ' })).json.code, 'required_missing');
});
