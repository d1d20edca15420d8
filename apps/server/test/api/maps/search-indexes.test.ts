import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
/** Every layer is worth its indices, however small. */
test.before(async () => {
  server = await startServer({ CARTULARY_SEARCH_INDEXED: '0' });
});
test.after(() => server.stop());

interface Place {
  map: string;
  id: number;
}

const names = [
  'Berlin',
  'Bernau bei Berlin',
  'San José',
  'San Marino',
  'Сан-Марино',
  'A',
  'ab',
  '東京',
  'New Berlin',
];

/** A map with a layer `l` of a plain and a localized column. */
async function place(): Promise<Place> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  const { id } = await server.admin('POST', `/${map}/layers/`, { code: 'l', name: '-' });
  await server.admin('POST', `/${map}/layers/l/structure/`, { code: 'name', type: 'string' });
  await server.admin('POST', `/${map}/layers/l/structure/`, {
    code: 'label',
    type: 'text',
    localized_value: true,
  });
  for (const [i, name] of names.entries()) {
    const label = { en: `Number ${i}`, ru: `Номер ${names[i]}` };
    await server.admin('POST', `/${map}/layers/l/objects/`, { fields: { name, label } });
  }
  return { map, id };
}

const phrases = [
  'berlin',
  'san',
  'san marino',
  'a',
  'ab',
  'ber',
  'number',
  'номер берлин',
  'Сан',
  '東',
  '京',
  'new nothing',
  'x',
];

async function results({ map }: Place): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const lang of ['ru', 'en']) {
    for (const phrase of phrases) {
      const query = new URLSearchParams({ phrase, lang, limit: '50' });
      found.push([phrase, await server.admin('GET', `/${map}/search/?${query}`)]);
    }
  }
  return found;
}

const indexes = async ({ id }: Place): Promise<string[]> => {
  const rows = await server.db.query<{ text: string }>(sql`
    select a.amname || ' ' || pg_get_expr(i.indexprs, i.indrelid) as text
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = to_regclass(${`cartulary_data.layer_${id}`}) and i.indexprs is not null and i.indisvalid order by 1`);
  return rows.map(({ text }) => text.replace(/\(c\d+\)/, ''));
};

const whole = ['gin', 'gin', 'hash'].map((kind) => `${kind} cartulary.search_text`);

/** Searches until the indices are as expected: one that was just made is not asked for again while its table is analyzed. */
async function until(at: Place, expected: string[]): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if (JSON.stringify(await indexes(at)) === JSON.stringify(expected)) return;
    await server.admin('GET', `/${at.map}/search/?phrase=berlin`);
    await sleep(50);
  }
  assert.deepEqual(await indexes(at), expected);
}

test('the first search makes the indices, and finds the same with and without them', async () => {
  const at = await place();
  assert.deepEqual(await indexes(at), []);
  await server.admin('GET', `/${at.map}/search/?phrase=berlin`);
  await until(at, whole);
  const byIndex = await results(at);
  const { rows } = (await server.db.transaction(async (tx) => {
    const found = await tx.query<{ name: string }>(sql`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = to_regclass(${`cartulary_data.layer_${at.id}`}) and i.indexprs is not null`);
    for (const { name } of found) await tx.query(sql`drop index ${ident('cartulary_data', name)}`);
    return { rows: found };
  })) as { rows: unknown[] };
  assert.equal(rows.length, 3);
  const [first] = await results(at);
  assert.deepEqual(first, byIndex[0]);
  await until(at, whole);
  assert.deepEqual(await results(at), byIndex, 'they are made again');
});

test('a column with indices changes its type, is localized, and is deleted', async () => {
  const at = await place();
  const column = (code: string): string => `/${at.map}/layers/l/structure/${code}/`;
  const search = (phrase: string): Promise<any[]> =>
    server.admin('GET', `/${at.map}/search/?phrase=${encodeURIComponent(phrase)}&lang=en`);
  await search('x');
  await until(at, whole);
  await server.admin('PATCH', column('name'), { type: 'number' });
  assert.deepEqual(await search('berlin'), []);
  await server.admin('PATCH', column('label'), { type: 'string', localized_value: false });
  assert.equal((await search('number 1'))[0].value, 'Number 1');
  await until(at, ['gin cartulary.search_text', 'hash cartulary.search_text']);
  await server.admin('PATCH', column('label'), { type: 'string', localized_value: true });
  assert.equal((await search('number 1'))[0].value, 'Number 1');
  await until(at, ['gin cartulary.search_text']);
  await server.admin('DELETE', column('label'));
  assert.deepEqual(await indexes(at), []);
  assert.deepEqual(await search('number'), []);
  await server.admin('DELETE', `/${at.map}/layers/l/`);
  assert.deepEqual(await search('number'), []);
});

test('an unfinished index is built again', async (t) => {
  if (server.db.engine !== 'postgres') return t.skip('there an index is made whole or not at all');
  const at = await place();
  await server.admin('GET', `/${at.map}/search/?phrase=berlin`);
  await until(at, whole);
  await server.db.transaction((tx) =>
    tx.query(sql`update pg_index set indisvalid = false where indexrelid in (
      select indexrelid from pg_index where indrelid = to_regclass(${`cartulary_data.layer_${at.id}`}) and indexprs is not null)`),
  );
  assert.deepEqual(await indexes(at), []);
  await server.admin('GET', `/${at.map}/search/?phrase=berlin`);
  await until(at, whole);
});

/** Runs while the table of a layer is locked, so that a search of it waits. */
const locked = (own: TestServer, id: number, work: () => Promise<void>): Promise<void> =>
  own.db.transaction(async (tx) => {
    await tx.query(sql`lock table ${ident('cartulary_data', `layer_${id}`)} in access exclusive mode`);
    await work();
  });

test('a search that takes too long is stopped', async (t) => {
  if (server.db.engine !== 'postgres') return t.skip('there a transaction makes all others wait');
  const own = await startServer({ CARTULARY_STATEMENT_TIMEOUT: '300' });
  t.after(() => own.stop());
  await own.admin('POST', '/', { code: 'm' });
  const { id } = await own.admin('POST', '/m/layers/', { code: 'l' });
  await own.admin('POST', '/m/layers/l/structure/', { code: 'name', type: 'string' });
  await locked(own, id, async () => {
    const json = { accept: 'application/json' };
    const late = await own.request('GET', '/m/search/?phrase=berlin', { headers: json });
    assert.deepEqual([late.status, late.json.code], [503, 'timeout']);
  });
  assert.equal((await own.request('GET', '/m/search/?phrase=berlin')).status, 200);
});

test('a search is cancelled when its client has gone', async (t) => {
  if (server.db.engine !== 'postgres') return t.skip('there a transaction makes all others wait');
  const at = await place();
  const waiting = async (): Promise<number> => {
    const rows = await server.db.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'layer_'`);
    return rows.length;
  };
  await locked(server, at.id, async () => {
    const controller = new AbortController();
    const gone = server.request('GET', `/${at.map}/search/?phrase=berlin`, { signal: controller.signal });
    gone.catch(() => {});
    while (!(await waiting())) await sleep(10);
    controller.abort();
    await assert.rejects(gone);
    // Its own limit is 30 s.
    for (let i = 0; i < 1_000 && (await waiting()); i++) await sleep(10);
    assert.equal(await waiting(), 0);
  });
});

test('a layer without indices is read up to a limit', async (t) => {
  const own = await startServer({
    CARTULARY_SEARCH_SCAN: '100',
    CARTULARY_SEARCH_LAYERS: '2',
    CARTULARY_SEARCH_COLUMNS: '1',
  });
  t.after(() => own.stop());
  await own.admin('POST', '/', { code: 'm' });
  for (const code of ['a', 'b', 'c']) {
    await own.admin('POST', '/m/layers/', { code, name: '-' });
    await own.admin('POST', `/m/layers/${code}/structure/`, { code: 'name', type: 'string' });
    await own.admin('POST', `/m/layers/${code}/structure/`, { code: 'other', type: 'string' });
    await own.admin('POST', `/m/layers/${code}/objects/`, { fields: { name: 'Berlin', other: 'Spree' } });
  }
  const found = async (phrase: string): Promise<string[]> =>
    (await own.admin('GET', `/m/search/?phrase=${phrase}&limit=9`)).map(
      (one: any) => `${one.layer} ${one.svc_id}`,
    );
  assert.deepEqual(await found('berlin'), ['a 1', 'b 1'], 'the first layers');
  assert.deepEqual(await found('spree'), [], 'the first columns');
  const features = Array.from({ length: 150 }, (_, i) => ({
    type: 'Feature',
    geometry: null,
    properties: { name: `Place ${i + 2}` },
  }));
  await own.admin('POST', '/m/layers/a/import/', { type: 'FeatureCollection', features });
  assert.deepEqual(await found('place%20100'), ['a 100', ...(await found('place%20100')).slice(1)]);
  assert.ok(!(await found('place%20150')).includes('a 150'));
});
