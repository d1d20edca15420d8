import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Column } from '@cartulary/columns/internal/column.js';
import { ident, sql } from '@cartulary/sql/internal/sql.js';

import { dropOutdatedIndexes } from '../../../src/layers/indexes/sort-index.js';
import { parseListQuery } from '../../../src/objects/query/query.js';
import { idsStatement } from '../../../src/objects/sql/ids.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

const count = 1_500;
/** Every layer gets indexes, however small. */
const settings = { CARTULARY_SORT_INDEXED: '0', CARTULARY_SORT_INDEXES: '20' };

let server: TestServer;
/** A server whose layers have no index. */
let plain: TestServer;
let whole: Place;
test.before(async () => {
  server = await startServer(settings);
  plain = await startServer({ CARTULARY_SORT_INDEXED: '1000000' });
  whole = await place();
  await place(count, plain, whole.map);
});
test.after(() => server.stop());
test.after(() => plain.stop());

interface Place {
  map: string;
  path: string;
  id: number;
}

const columns: [code: string, type: string, localized?: boolean][] = [
  ['name', 'string'],
  ['size', 'number'],
  ['day', 'datetime'],
  ['ok', 'bool'],
  ['story', 'text'],
  ['label', 'string', true],
  ['since', 'datetime', true],
];

/** Too long for an index, but not for a cursor. */
const endless = (start: string): string => {
  const parts = Array.from({ length: 27 }, (_, i) =>
    createHash('sha512').update(`${start}${i}`).digest('base64'),
  );
  return start + parts.join('');
};

/** Values of which many are equal, some are null, and some are long. */
function fieldsOf(i: number): Record<string, unknown> {
  return {
    name: i % 7 ? ['а', 'б', 'B', 'b', 'ё', 'é', 'e', "'; --", '🌍', ''][(i * 7) % 10] : null,
    size: i % 5 ? ((i * 7919) % 23) / 7 - 1 : null,
    day: i % 6 ? `2024-0${1 + (i % 9)}-01T00:00:00.${String(i % 3).padStart(3, '0')}Z` : null,
    ok: i % 3 ? i % 2 === 0 : null,
    story: i % 50 === 1 ? endless(`${'éab'[i % 3]}${i}`) : i % 4 ? `${'éabc'[i % 4]}${i % 11}` : null,
    label: { en: `n${i % 40}`, ...(i % 2 ? { ru: `н${i % 30}` } : {}) },
    since: { en: `2024-01-0${1 + (i % 9)}` },
  };
}

async function place(objects = count, on = server, map = freshCode('m')): Promise<Place> {
  await on.admin('POST', '/', { code: map, locales: [{ code: 'en' }, { code: 'ru' }] });
  const { id } = await on.admin('POST', `/${map}/layers/`, { code: 'l' });
  const path = `/${map}/layers/l`;
  for (const [code, type, localized_value = false] of columns)
    await on.admin('POST', `${path}/structure/`, { code, type, localized_value });
  const create = Array.from({ length: objects }, (_, i) => ({
    fields: fieldsOf(i),
    geom: { type: 'Point', coordinates: [(i % 60) - 30, (i % 37) - 18] },
  }));
  await on.admin('POST', `${path}/objects/batch/`, { create });
  await on.db.transaction((tx) => tx.query(sql`analyze ${ident('cartulary_data', `layer_${id}`)}`));
  return { map, path, id };
}

/** The names of the layer's finished sort indexes, without its id and the version of the collation. */
async function indexes({ id }: Place): Promise<string[]> {
  const rows = await server.db.query<{ name: string }>(sql`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = to_regclass(${`cartulary_data.layer_${id}`}) and i.indisvalid and c.relname like '%\\_sort\\_%' order by 1`);
  return rows.map(({ name }) => name);
}

const idsOf = (objects: { id: number }[]): number[] => objects.map(({ id }) => id);

const list = async ({ path }: Place, query: Record<string, string>, on = server): Promise<number[]> =>
  idsOf(await on.admin('GET', `${path}/objects/?${new URLSearchParams({ lng: 'ru', ...query })}`));

/** Requests a list until the layer has this many indexes. */
async function until(at: Place, sort: string, total: number): Promise<void> {
  for (let i = 0; i < 500 && (await indexes(at)).length !== total; i++) {
    await list(at, { sort, limit: '1' });
    await sleep(20);
  }
  assert.equal((await indexes(at)).length, total, `${sort}: ${await indexes(at)}`);
}

/** Requests a list without indexes until its indexes exist. */
const indexed = async (at: Place, sort: string, made: number): Promise<void> =>
  until(at, sort, (await indexes(at)).length + made);

/** The ids of a list, read by cursors. */
async function pages({ path }: Place, query: Record<string, string>): Promise<number[]> {
  const found: number[] = [];
  let url = `${path}/objects/?${new URLSearchParams({ lng: 'ru', ...query, cursor: '' })}`;
  for (;;) {
    const { status, json, headers, text } = await server.request('GET', url);
    assert.equal(status, 200, text);
    found.push(...idsOf(json));
    const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    if (!next) return found;
    assert.ok(found.length <= count, 'it does not end');
    url = next.slice(next.indexOf(path));
  }
}

/** Conditions that most, many, few and none of the objects meet. */
const conditions: Record<string, string>[] = [
  { fbbox: '-18,-30,18,20' },
  { fbbox: '0,0,18,30' },
  { fbbox: '0,0,2,2' },
  { fbbox: '80,80,81,81' },
  { fields: 'ok', fcode: 'ok', fval: 'true' },
];

for (const [sort, made] of [
  ['size,a', 1],
  ['size,d', 1],
  ['ok,d|day,a', 1],
  ['name,d', 2],
  ['story,a', 2],
  ['size,a|story,d|name,a', 2],
  ['label,a', 2],
  ['name,a|svc_id,d|size,a', 2],
  ['since,d', 0],
  ['svc_id,d', 0],
  ['', 0],
] as const)
  test(`sorted by '${sort}' it is the same list with an index and without`, async () => {
    const queries = [{}, ...conditions];
    const lists: number[][] = [];
    for (const query of queries) lists.push(await list(whole, { ...query, sort }, plain));
    const [all] = lists as [number[]];
    assert.equal(all.length, 1_000);
    const rest = await list(whole, { sort, offset: '990' }, plain);
    assert.deepEqual(rest.slice(0, 10), all.slice(990));
    if (made) await indexed(whole, sort, made);
    for (const [i, query] of queries.entries()) {
      for (const limit of ['5', '1000'])
        assert.deepEqual(
          await list(whole, { ...query, sort, limit }),
          lists[i]!.slice(0, Number(limit)),
          JSON.stringify(query),
        );
      assert.deepEqual(
        await list(whole, { ...query, sort, limit: '7', offset: '13' }),
        lists[i]!.slice(13, 20),
      );
    }
    assert.deepEqual(await list(whole, { sort, offset: '990' }), rest);
    assert.deepEqual(await list(whole, { sort, offset: '1010', limit: '30' }), rest.slice(20, 50));
    assert.deepEqual(await pages(whole, { sort, limit: '100' }), [...all, ...rest.slice(10)]);
    assert.deepEqual(await pages(whole, { ...conditions[1]!, sort, limit: '20' }), lists[2]);
    assert.deepEqual(await list(whole, { sort, limit: '9', f: 'fjson' }), all.slice(0, 9));
  });

/** The plan of the statement that finds a list, as far as the indexes allow it. */
async function planOf(parameters: Record<string, string>, walk?: number): Promise<string> {
  const limits = { listDefault: 5, listLimit: 5, listOffset: 10_000 };
  return server.db.transaction(async (tx) => {
    const stored = await tx.query<Column>(sql`
      select * from cartulary.layer_column where layer_id = ${whole.id}`);
    const query = parseListQuery({ lng: 'ru', ...parameters }, { columns: stored }, 'en', limits);
    const indexed = { ...query, indexed: { objects: count, isEnough: true } };
    await tx.query(sql`set local enable_seqscan = off`);
    const lines = await tx.query<Record<string, string>>(
      sql`explain ${idsStatement(whole, indexed, { robust: false, limit: 6, walkLimit: walk })}`,
    );
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
}

test('the statements go along the indices', async () => {
  for (const [sort, made] of [
    ['size,d', 1],
    ['story,a', 2],
    ['label,a', 2],
  ] as const) {
    if ((await indexes(whole)).length < 11) await indexed(whole, sort, made);
    const { headers } = await server.request(
      'GET',
      `${whole.path}/objects/?${new URLSearchParams({ sort, lng: 'ru', limit: '20', cursor: '' })}`,
    );
    const cursor = new URL(/<([^>]*)>/.exec(headers.get('link')!)![1]!).searchParams.get('cursor')!;
    const [column] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const parameters of [{}, { offset: '1200' }, { cursor: '' }, { cursor }] as Record<
      string,
      string
    >[]) {
      const plan = await planOf({ sort, ...parameters });
      assert.match(plan, new RegExp(`_sort_(v[^ ]*_)?${column}_ia`), `${sort} ${JSON.stringify(parameters)}`);
      if (made === 2) assert.match(plan, /_long/);
      assert.doesNotMatch(plan, /Seq Scan/);
    }
    const box = { sort, fbbox: '0,0,10,10' };
    assert.match(await planOf(box, 100), new RegExp(`_sort_(v[^ ]*_)?${column}_ia`));
    assert.doesNotMatch(await planOf(box), /_sort_/, 'what is few is not looked for along the index');
  }
  assert.match(await planOf({ sort: 'svc_id,d' }), /Index.* Backward .*_pkey/);
});

test('with an index an object is as long as it may be, and is found in its place', async () => {
  const at = await place(40);
  for (const sort of ['name,a', 'story,d|name,a', 'label,a']) await indexed(at, sort, 2);
  const long = {
    name: '\u{10FFFD}'.repeat(4_000),
    story: endless('~'.repeat(1_000_000)),
    label: 'z'.repeat(4_000),
  };
  const { id } = await server.admin('POST', `${at.path}/objects/`, { fields: long });
  const { id: other } = await server.admin('POST', `${at.path}/objects/`, { fields: {} });
  await server.admin('PUT', `${at.path}/objects/${other}/`, {
    fields: { story: `a${'\u{1F30D}'.repeat(3_000)}`, name: '\u{10FFFD}'.repeat(3_999) },
  });
  const byName = await server.admin('GET', `${at.path}/objects/?fields=name&sort=name,a`);
  assert.deepEqual(idsOf(byName.filter((one: any) => one.fields.name !== null)).slice(-2), [other, id]);
  assert.equal(byName.length, 42);
});

test('an index goes with the type of its column, with the column, and is made again for an imported layer', async () => {
  const at = await place(40);
  for (const [sort, made] of [
    ['name,a', 2],
    ['size,a|name,d', 2],
    ['size,d', 1],
    ['ok,a', 1],
  ] as const)
    await indexed(at, sort, made);
  await server.admin('PATCH', `${at.path}/structure/name/`, { type: 'number' });
  assert.equal((await indexes(at)).length, 2, 'those with the name are gone');
  await server.admin('DELETE', `${at.path}/structure/size/`);
  assert.equal((await indexes(at)).length, 1);
  const features = Array.from({ length: 30 }, (_, i) => ({
    type: 'Feature',
    geometry: null,
    properties: { ok: i % 2 === 0 },
  }));
  await server.admin('POST', `${at.path}/import/?action=1`, { type: 'FeatureCollection', features });
  await until(at, 'ok,a', 1);
  assert.equal((await list(at, { sort: 'ok,a' })).length, 30);
});

test('a layer has a maximum number of sort indexes', async (t) => {
  const shared = server;
  t.after(() => {
    server = shared;
  });
  const own = await startServer({ ...settings, CARTULARY_SORT_INDEXES: '2' });
  t.after(() => own.stop());
  server = own;
  const at = await place(40);
  await indexed(at, 'name,a', 2);
  await indexed(at, 'size,a', 1);
  for (let i = 0; i < 5; i++) {
    assert.equal((await list(at, { sort: 'size,d' })).length, 40);
    await sleep(20);
  }
  // Indexes are made in order: the one asked for last shows that the others were tried.
  assert.equal((await indexes(at)).length, 3);
});

test('what another version of the collation has put in order is dropped', async () => {
  const at = await place(5);
  await indexed(at, 'name,a', 2);
  await indexed(at, 'size,a', 1);
  await dropOutdatedIndexes(server.db);
  const [first, ...others] = await indexes(at);
  assert.equal(others.length, 2, 'all are of this version');
  const old = [first!, ...others].filter((name) => /_sort_v/.test(name));
  assert.equal(old.length, 2);
  for (const name of old)
    await server.db.transaction((tx) =>
      tx.query(
        sql`alter index ${ident('cartulary_data', name)} rename to ${ident(name.replace(/_v[^_]*/, '_v1-2'))}`,
      ),
    );
  await dropOutdatedIndexes(server.db);
  assert.deepEqual(
    (await indexes(at)).map((name) => /_sort_v/.test(name)),
    [false],
  );
});

test('a virtual layer has none, a materialized one has its own', async () => {
  const query = `select svc_id, geom, size from ${whole.map}.l`;
  for (const type of ['virtual', 'material']) {
    await server.admin('POST', `/${whole.map}/layers/`, { code: type, type, json: { query } });
    const at = { ...whole, path: `/${whole.map}/layers/${type}` };
    const first = await list(at, { sort: 'size,d', limit: '50' });
    for (let i = 0; i < 5; i++) assert.deepEqual(await list(at, { sort: 'size,d', limit: '50' }), first);
    assert.deepEqual(first, await list(whole, { sort: 'size,d', limit: '50' }));
    assert.deepEqual(
      await pages(at, { sort: 'size,a', limit: '400' }),
      await pages(whole, { sort: 'size,a', limit: '400' }),
    );
  }
});
