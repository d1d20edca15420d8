import assert from 'node:assert/strict';
import test from 'node:test';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { zipOf } from '../archives.js';
import { type Formats, startFormats } from '../support.js';
import { dbfOf, shpOf, shpPoint } from './shapefile-bytes.js';

/*
 * The service loads a large shapefile directly into the table that becomes the layer's. The result must equal that of the staging
 * table, which a second service uses for every file.
 */

/** The least number of records of a direct load. */
const many = 5_000;

let formats: Formats;
let staging: Formats;
test.before(async () => {
  [formats, staging] = await Promise.all([startFormats(), startFormats({ CARTULARY_FAST_IMPORT: '0' })]);
});
test.after(async () => {
  await formats?.server.stop();
  await staging?.server.stop();
});
test.afterEach(() => formats.assertClean());
test.afterEach(() => staging.assertClean());

type Field = [name: string, type: string, length: number, value: (i: number) => string | Buffer];

/** A table in which `isDeleted` selects the records marked as deleted. */
const table = (fields: readonly Field[], count: number, isDeleted = (_: number): boolean => false): Buffer =>
  dbfOf(
    fields.map(([name, type, length]) => [name, type, length]),
    Array.from({ length: count }, (_, i) => ({
      mark: isDeleted(i) ? '*' : ' ',
      values: fields.map(([, , , value]) => value(i)),
    })),
  );

const shapes = (count: number, content: (i: number) => Buffer): Buffer =>
  shpOf(Array.from({ length: count }, (_, i) => content(i)));

/** Squares, each a part of its own that turns clockwise. */
function squares(...corners: [x: number, y: number][]): Buffer {
  const content = Buffer.alloc(44 + 4 * corners.length + 80 * corners.length);
  content.writeInt32LE(5, 0);
  content.writeInt32LE(corners.length, 36);
  content.writeInt32LE(5 * corners.length, 40);
  let at = 44 + 4 * corners.length;
  for (const [i, [x, y]] of corners.entries()) {
    content.writeInt32LE(5 * i, 44 + 4 * i);
    for (const [dx, dy] of [
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 0],
      [0, 0],
    ] as const) {
      at = content.writeDoubleLE(x + dx, at);
      at = content.writeDoubleLE(y + dy, at);
    }
  }
  return content;
}

const place = (i: number): [number, number] => [(i % 357) - 179.5, (i % 170) - 85.25];
const points = (count = many): Buffer => shapes(count, (i) => shpPoint(...place(i)));

/** All kinds of shapes, empty ones as well. */
const mixed = shapes(many, (i) => {
  const [x, y] = place(i);
  if (i % 5 === 0) return shpPoint(x, y);
  if (i % 7 === 0) return Buffer.alloc(4);
  return i % 11 === 0 ? squares([x, y], [x + 0.1, y + 2], [-x / 2, -y / 2]) : squares([x, y]);
});

const day = (i: number): string => new Date(Date.UTC(1900, 0, 1 + 11 * i)).toISOString().slice(0, 10);

const usual: Field[] = [
  ['name', 'C', 40, (i) => (i % 3 ? `Ort "${i}" \\ ${'é漢😀'.slice(0, i % 5)}` : '')],
  ['PLAIN', 'C', 12, (i) => `${i % 2 ? ' ' : ''}a,b\t${i}`],
  ['whole', 'N', 10, (i) => String(i % 4 ? i - 2_000 : '').padStart(10)],
  ['part', 'N', 24, (i) => (i / 3 - 500).toFixed(15).padStart(24)],
  ['odd', 'F', 20, (i) => ['1.5e+10', '-0', '-0.000', '***', '1,25', '.5', '7.', '-.25'][i % 8]!],
  ['day', 'D', 8, (i) => (i % 9 ? day(i).replaceAll('-', '') : '')],
  ['flag', 'L', 1, (i) => 'TF?yn '[i % 6]!],
  ['empty', 'N', 8, () => ''],
  ['never', 'D', 8, () => ''],
  ['none', 'C', 8, () => ''],
];

interface Case {
  what: string;
  files: Record<string, Buffer | string>;
  query?: string;
  columns?: object[];
  /** Whether the file must be loaded directly. */
  isDirect: boolean;
}

const utf8 = { 'a.cpg': 'UTF-8' };
const cp1251 = Buffer.from('d1e5eb', 'hex');
const with_ = (name: string, type: string, length: number, value: Field[3]): Buffer =>
  table([usual[1]!, [name, type, length, value]], many);
const late = (value: string | Buffer, else_: string | Buffer) => (i: number) =>
  i === many - 3 ? value : else_;

const cases: Case[] = [
  { what: 'all kinds', files: { 'a.shp': mixed, 'a.dbf': table(usual, many), ...utf8 }, isDirect: true },
  {
    what: 'deleted records',
    files: { 'a.shp': points(many + 50), 'a.dbf': table(usual, many + 50, (i) => i % 101 === 7), ...utf8 },
    isDirect: true,
  },
  {
    what: 'fewer records than shapes',
    files: { 'a.shp': points(many + 9), 'a.dbf': table(usual, many), ...utf8 },
    isDirect: false,
  },
  {
    what: 'more records than shapes',
    files: { 'a.shp': points(), 'a.dbf': table(usual, many + 9), ...utf8 },
    isDirect: true,
  },
  { what: 'no columns', files: { 'a.shp': points(), 'a.dbf': table([], many), ...utf8 }, isDirect: true },
  { what: 'ASCII alone', files: { 'a.shp': points(), 'a.dbf': table([usual[1]!], many) }, isDirect: true },
  {
    what: 'another encoding as a parameter',
    files: { 'a.shp': points(), 'a.dbf': with_('t', 'C', 5, () => cp1251) },
    query: '&encoding=cp1251',
    isDirect: true,
  },
  {
    what: 'an undeclared encoding',
    files: { 'a.shp': points(), 'a.dbf': with_('t', 'C', 5, late(cp1251, 'x')) },
    isDirect: false,
  },
  {
    what: 'a character cut at the end of a field',
    files: { 'a.shp': points(), 'a.dbf': with_('t', 'C', 4, late('abé漢', 'é')), ...utf8 },
    isDirect: true,
  },
  {
    what: 'texts that are datetimes',
    files: { 'a.shp': points(), 'a.dbf': with_('at', 'C', 20, (i) => `${day(i)}T12:00:00Z`), ...utf8 },
    isDirect: false,
  },
  {
    what: 'a text after datetimes',
    files: { 'a.shp': points(), 'a.dbf': with_('at', 'C', 20, late('soon', '2024-05-01')), ...utf8 },
    isDirect: false,
  },
  {
    what: 'a datetime after texts',
    files: { 'a.shp': points(), 'a.dbf': with_('at', 'C', 20, late('2024-05-01', 'soon')), ...utf8 },
    isDirect: true,
  },
  {
    what: 'a number beyond 2^53',
    files: { 'a.shp': points(), 'a.dbf': with_('n', 'N', 20, late('12345678901234567890', '1')), ...utf8 },
    isDirect: false,
  },
  {
    what: 'an invalid date',
    files: { 'a.shp': points(), 'a.dbf': with_('d', 'D', 8, late('20240231', '20240228')), ...utf8 },
    isDirect: false,
  },
  {
    what: 'existing columns',
    files: { 'a.shp': points(), 'a.dbf': table(usual, many), ...utf8 },
    columns: [
      { code: 'title', type: 'title', name: 'Title' },
      { code: 'part', type: 'number' },
      { code: 'name', type: 'text' },
      { code: 'empty', type: 'number' },
      { code: 'other', type: 'json' },
      { code: 'files', type: 'file' },
    ],
    isDirect: true,
  },
  {
    what: 'a column of another type',
    files: { 'a.shp': points(), 'a.dbf': with_('t', 'C', 8, (i) => String(i / 4)), ...utf8 },
    columns: [{ code: 't', type: 'number' }],
    isDirect: false,
  },
  {
    what: 'a property svc_id',
    files: { 'a.shp': points(), 'a.dbf': with_('svc_id', 'N', 8, (i) => String(2 * i + 5)), ...utf8 },
    isDirect: false,
  },
  {
    what: 'longitude and latitude by name',
    files: { 'a.shp': points(), 'a.dbf': table([usual[1]!], many) },
    query: '&srs=4326',
    isDirect: true,
  },
  {
    what: 'another projection',
    files: { 'a.shp': points(), 'a.dbf': table([usual[1]!], many) },
    query: '&srs=3857',
    isDirect: false,
  },
  {
    what: 'features that cannot be stored, with skip_errors',
    files: {
      'a.shp': shapes(many + 20, (i) => shpPoint(i % 777 === 5 ? 500 : 1, 2)),
      'a.dbf': table(
        [
          usual[1]!,
          ['n', 'N', 4, (i) => (i % 999 === 3 ? 'x1' : '2')],
          ['t', 'C', 4, (i) => (i % 888 ? 'b' : 'a\0b')],
        ],
        many + 20,
      ),
    },
    query: '&skip_errors=1',
    isDirect: true,
  },
];

/** The ids of all objects of a layer, in order. */
async function idsOf(layer: string): Promise<number[]> {
  const { id } = await formats.server.admin('GET', `/m/layers/${layer}/`);
  const rows = await formats.server.db.query<{ svc_id: number }>(
    sql`select svc_id from ${ident('cartulary_data', `layer_${id}`)} order by svc_id`,
  );
  return rows.map(({ svc_id }) => svc_id);
}

async function versionOf(layer: string): Promise<number> {
  const { id } = await formats.server.admin('GET', `/m/layers/${layer}/`);
  const [state] = await formats.server.db.query<{ data_version: number }>(
    sql`select data_version from cartulary.layer_state where layer_id = ${id}::integer`,
  );
  return state!.data_version;
}

/** Whether a direct load made the table of a layer: its check is named after the table for which it was made. */
async function isDirectlyLoaded(layer: string, { server } = formats): Promise<boolean> {
  const { id } = await server.admin('GET', `/m/layers/${layer}/`);
  const checks = await server.db.query<{ conname: string }>(sql`
    select conname from pg_constraint where conrelid = to_regclass(${`cartulary_data.layer_${id}`}) and contype = 'c'`);
  assert.equal(checks.length, 1, 'the shape is checked');
  return checks[0]!.conname.startsWith('staging_');
}

async function stateOf(layer: string, { server } = formats): Promise<unknown> {
  const structure = await server.admin('GET', `/m/layers/${layer}/structure/`);
  const { id } = await server.admin('GET', `/m/layers/${layer}/`);
  const indices = await server.db.query<{ indexdef: string }>(sql`
    select indexdef from pg_indexes where schemaname = 'cartulary_data' and tablename = ${`layer_${id}`}`);
  const exported = await server.request('GET', `/m/layers/${layer}/export/?format=geojson`, {
    token: server.adminToken,
  });
  return {
    structure: structure.map(({ id: _, ...column }: any) => column),
    indices: indices.map(({ indexdef }) => indexdef.replace(/.* USING/, '')).sort(),
    objects: exported.text,
  };
}

for (const { what, files, query = '', columns = [], isDirect } of cases) {
  test(`${what}: direct load and staging have equal results`, async () => {
    const archive = await zipOf(files);
    const [one, other] = [await formats.newLayer(...columns), await staging.newLayer(...columns)];
    const report = await formats.load(one, archive, 'a.zip', `action=1${query}`);
    assert.deepEqual(await staging.load(other, archive, 'a.zip', `action=1${query}`), report);
    assert.equal(await isDirectlyLoaded(one), isDirect);
    assert.equal(await isDirectlyLoaded(other, staging), false);
    assert.deepEqual(await stateOf(one), await stateOf(other, staging));
    assert.ok(report.stored >= many, `${report.stored}`);
  });
}

test('after a direct load ids continue, files are removed, and readers of the layer keep working', async () => {
  const { server } = formats;
  const layer = await formats.newLayer({ code: 'photo', type: 'file' });
  const path = `/m/layers/${layer}`;
  const first = await server.admin('POST', `${path}/objects/`, { fields: {} });
  const body = new FormData();
  body.set('file', new Blob(['x']), 'x.txt');
  await server.request('POST', `${path}/objects/${first.id}/files/?field=photo`, {
    token: server.adminToken,
    body,
  });
  await server.admin('POST', '/m/layers/', {
    code: `${layer}_view`,
    type: 'virtual',
    json: { query: `select svc_id, geom from m.${layer}` },
  });
  const archive = await zipOf({ 'a.shp': points(), 'a.dbf': table(usual, many), ...utf8 });
  for (const [round, query] of ['action=1', 'action=1', 'action=2'].entries()) {
    const before = await versionOf(layer);
    await formats.load(layer, archive, 'a.zip', query);
    assert.ok((await versionOf(layer)) > before);
    const ids = await idsOf(layer);
    assert.equal(ids.length, round === 2 ? 2 * many : many);
    assert.equal(await isDirectlyLoaded(layer), true);
    const made = await server.admin('POST', `${path}/objects/`, { fields: {} });
    assert.equal(made.id, Math.max(...ids) + 1);
    assert.equal(Math.min(...ids), round === 2 ? many + 3 : round * (many + 1) + 2);
    await server.admin('DELETE', `${path}/objects/${made.id}/`);
    assert.equal((await idsOf(`${layer}_view`)).length, ids.length);
  }
  const { id } = await server.admin('GET', `${path}/`);
  assert.deepEqual(await server.db.query(sql`select id from cartulary.file where layer_id = ${id}`), []);
});

test('an empty layer takes added objects by a direct load, and one that has objects keeps them', async () => {
  const layer = await formats.newLayer();
  const archive = await zipOf({ 'a.shp': points(), 'a.dbf': table([usual[1]!], many) });
  await formats.load(layer, archive, 'a.zip', 'action=2');
  assert.equal(await isDirectlyLoaded(layer), true);
  await formats.load(layer, archive, 'a.zip', 'action=2');
  assert.equal((await idsOf(layer)).length, 2 * many);
});

test('errors equal those of staging, and nothing is changed', async () => {
  const files = (shp: Buffer, dbf: Buffer): Record<string, Buffer> => ({ 'a.shp': shp, 'a.dbf': dbf });
  const cut = points().subarray(0, 50_000);
  const wrongs: [string, Record<string, Buffer>, object[]?][] = [
    [
      'a range',
      files(
        shapes(many, (i) => shpPoint(i === 4_000 ? 181 : 1, 2)),
        table([usual[1]!], many),
      ),
    ],
    ['an invalid number', files(points(), with_('n', 'N', 4, late('a1', '2')))],
    ['the character 0', files(points(), with_('t', 'C', 4, late('a\0b', 'x')))],
    ['a truncated .shp', files(cut, table([usual[1]!], many))],
    ['a truncated .dbf', files(points(many), table([usual[1]!], many).subarray(0, -20))],
    [
      'a required value',
      files(points(), table(usual, many)),
      [{ code: 'name', type: 'string', required: true }],
    ],
  ];
  for (const [what, content, columns = []] of wrongs) {
    const archive = await zipOf(content);
    const answers: unknown[] = [];
    for (const service of [formats, staging]) {
      const layer = await service.newLayer(...columns);
      const before = await stateOf(layer, service);
      const { status, json } = await service.send(layer, archive, 'a.zip', 'action=1');
      assert.ok(status >= 400, what);
      answers.push([status, json]);
      assert.deepEqual(await stateOf(layer, service), before, what);
    }
    assert.deepEqual(answers[0], answers[1], what);
  }
});

test('unique values are kept', async () => {
  const layer = await formats.newLayer({ code: 'n', type: 'number' });
  await formats.server.admin('POST', `/m/layers/${layer}/constraints/`, { type: 'unique', columns: ['n'] });
  const send = async (value: (i: number) => string) =>
    formats.send(
      layer,
      await zipOf({ 'a.shp': points(), 'a.dbf': table([['n', 'N', 8, value]], many) }),
      'a.zip',
      'action=1',
    );
  assert.equal((await send(String)).status, 200);
  assert.equal(await isDirectlyLoaded(layer), true);
  const answer = await send((i) => String(i % 4_999));
  assert.deepEqual([answer.status, answer.json.code], [500, 'constraint_violated']);
  assert.equal((await idsOf(layer)).length, many);
});
