import assert from 'node:assert/strict';
import test from 'node:test';
import type { Column, ColumnType } from '@cartulary/columns';
import { type Sql, statement } from '@cartulary/sql/internal/sql.js';
import type { Layer } from '../../layers/layers.js';
import { parseListQuery } from '../query/query.js';
import { idsStatement } from './ids.js';
import { rowsStatement } from './sql.js';
import { copyStatement, deleteStatement, insertStatement, updateStatement } from './write-sql.js';

const evil = `x"; drop table cartulary.container; -- '$1\\`;

const column = (id: number, code: string, type: ColumnType, more: Partial<Column> = {}): Column =>
  ({
    id,
    parent_id: null,
    code,
    name: '',
    names: {},
    localized_name: false,
    localized_value: false,
    required: false,
    format: null,
    sort: id,
    type,
    ...more,
  }) as Column;

const columns = [
  column(1, 'svc_id', 'number'),
  column(2, 'geom', 'geom'),
  column(3, evil, 'string', { required: true }),
  column(4, 'name', 'string', { localized_value: true }),
  column(5, 'n', 'number'),
  column(6, 'd', 'datetime'),
];
const layer = { id: 9, code: 'l', type: 'layer', columns } as unknown as Layer;
const limits = { listDefault: 1000, listLimit: 50_000, listOffset: 10_000_000 };

/** The statement's text on one line, after a check that nothing of a caller stands in it. */
function textOf(part: Sql): string {
  const { text } = statement(part);
  assert.ok(!text.includes('drop table'), text);
  return text.replace(/\s+/g, ' ').trim();
}

test('a list asks for ids, with every value bound', () => {
  const query = parseListQuery(
    {
      fields: ['n', evil],
      fcode: evil,
      fval: `${evil}|b`,
      sort: `${evil},d|name`,
      fbbox: '0,0,1,1',
      lng: evil,
      // A list by offset tells no cursor.
      offset: 0,
      filter: { op: 'like', args: [{ property: evil }, evil.replace('\\', '')] },
    },
    layer,
    'en',
    limits,
  );
  const statementOfIds = idsStatement(layer, query, { robust: false, limit: 11 });
  assert.equal(
    textOf(statementOfIds),
    `select t.svc_id as id, 0 as weight from (select t.*, (t."c3") collate "und-x-icu" as "k0", ` +
      `(coalesce(t."c4" ->> $1::text, t."c4" ->> $2::text, jsonb_path_query_first(t."c4", '$.*') #>> '{}')::text) collate "und-x-icu" as "k1" ` +
      `from "cartulary_data"."layer_9" t where (t."c3" = any($3::text[])) and ` +
      `((ST_Intersects(t.geom, ST_MakeEnvelope($4::double precision, $5::double precision, $6::double precision, $7::double precision, 4326)))) and ` +
      `(t."c3" like $8::text)) t where true order by (coalesce(t."k0", t."k0")) desc nulls last, ` +
      `(coalesce(t."k1", t."k1")) nulls last, (coalesce(t.svc_id, t.svc_id)) ` +
      `limit $9::bigint offset $10::bigint`,
  );
  assert.deepEqual(statementOfIds.values.slice(0, 3), [evil, 'en', [evil, 'b']]);
  assert.deepEqual(statementOfIds.values.slice(7), [evil.replace('\\', ''), 11, 0]);
});

test('rows have their values in the order of the columns', () => {
  const query = parseListQuery(
    { fields: `d,${evil.split(',')[0]}`, returnGeom: '1', geomSR: '3857', returnBbox: 1 },
    layer,
    'en',
    limits,
  );
  assert.equal(
    textOf(rowsStatement(layer, query, [1, 2])),
    `select t.svc_id as id, to_char(t."c6" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "v0", t."c3" as "v1", ` +
      `ST_AsGeoJSON(ST_Transform(t.geom, 3857), $1::integer, 0) as geom, ST_XMin(t.geom) as west, ST_YMin(t.geom) as south, ` +
      `ST_XMax(t.geom) as east, ST_YMax(t.geom) as north from "cartulary_data"."layer_9" t where t.svc_id = any($2::bigint[])`,
  );
});

/** The box of a shape. */
const boxOf = (alias: string): string =>
  `( select array[st_xmin(b.b), st_ymin(b.b), st_xmax(b.b), st_ymax(b.b)] ` +
  `from (select box3d(${alias}.geom) as b offset 0) b where b.b is not null)`;

test('what is written is bound, and says which required columns are left empty, and where it lies', () => {
  const values = new Map([
    [columns[2]!, evil],
    [columns[3]!, '{"en":"x"}'],
  ] as const);
  const missing = `array_remove(array[case when coalesce(t."c3", '') !~ '\\S' then $N::text end], null) as missing`;
  assert.equal(
    textOf(insertStatement(layer, { values, geom: { ewkb: Buffer.from(evil), sr: '3857' } })),
    `insert into "cartulary_data"."layer_9" as t ("c3", "c4", "geom") values ($1::text, (select jsonb_object_agg(e.key, e.value) ` +
      `from jsonb_each(coalesce(null::jsonb, '{}'::jsonb) || $2::jsonb) e where jsonb_typeof(e.value) <> 'null'), ` +
      `ST_Transform(ST_SetSRID($3::geometry, 3857), 4326)) returning t.svc_id as id, ${missing.replace('N', '4')}, ${boxOf('t')} as box`,
  );
  assert.equal(
    textOf(insertStatement(layer, { values: new Map() })),
    `insert into "cartulary_data"."layer_9" as t default values returning t.svc_id as id, '{}'::text[] as missing, ${boxOf('t')} as box`,
  );
  assert.equal(
    textOf(updateStatement(layer, 5, { values: new Map([[columns[2]!, evil]]), geom: null })),
    `update "cartulary_data"."layer_9" as t set "c3" = $1::text, geom = null::geometry where t.svc_id = $2::bigint returning ${missing.replace('N', '3')}, ` +
      `${boxOf('t')} as box, (select ${boxOf('o')} from "cartulary_data"."layer_9" o where o.svc_id = $4::bigint) as box_before`,
  );
  assert.match(
    textOf(deleteStatement(layer, [1, 2])),
    /where t\.svc_id = any\(\$1::bigint\[\]\) returning t\.svc_id/,
  );
  assert.match(
    textOf(deleteStatement(layer, { first: 1, last: 2 })),
    /where t\.svc_id between \$1::bigint and \$2::bigint returning t\.svc_id/,
  );
  textOf(copyStatement({ layer, id: 5, main: evil }, layer, new Map()));
});
