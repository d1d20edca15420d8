import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@cartulary/database/internal/pool.js';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { createIndexer, type WantedIndex } from '../../src/layers/indexes/indexer.js';
import { layerTable } from '../../src/layers/layers.js';
import { startServer } from '../support/server.js';

test('an index that another process makes is waited for', async (t) => {
  const server = await startServer({}, 'here');
  t.after(() => server.stop());
  const { db } = server.server.services;
  if (db.engine !== 'postgres') return t.skip('it has all statements one after the other');
  await server.admin('POST', '/', { code: 'm' });
  const { id } = await server.admin('POST', '/m/layers/', { code: 'l' });
  const index: WantedIndex = {
    name: `layer_${id}_trial`,
    table: layerTable(id),
    definition: () => sql`on ${layerTable(id)} (svc_id desc)`,
  };
  const other = openDatabase(db.connection, 'postgres', { maxConnections: 1, statementTimeoutMs: 0 });
  t.after(() => other.close());
  const lock = sql`hashtextextended(${`index ${index.name}`}, 0)`;
  await other.query(sql`select pg_advisory_lock(${lock})`);
  const indexer = createIndexer(db, (text) => assert.fail(text));
  t.after(() => indexer.close());
  let isReleased = false;
  const made = indexer.make([index]).then(() => assert.ok(isReleased));
  await sleep(300);
  isReleased = true;
  await other.query(sql`select pg_advisory_unlock(${lock})`);
  await made;
  await indexer.make([index]);
  const found = await db.query(sql`select from pg_class where relname = ${index.name}`);
  assert.equal(found.length, 1);
});

test('on the embedded database an index is made also while others ask without a pause', async (t) => {
  const server = await startServer(
    { CARTULARY_STATEMENT_TIMEOUT: '1000', CARTULARY_HEAVY_WAIT: '0' },
    'here',
  );
  t.after(() => server.stop());
  const { db } = server.server.services;
  if (db.engine === 'postgres') return t.skip('nobody waits for it');
  await db.transaction((tx) =>
    tx.query(
      sql`create table cartulary_data.many as select md5(n::text) as text from generate_series(1, 100000) n`,
    ),
  );
  const index: WantedIndex = {
    name: 'many_trial',
    table: sql`cartulary_data.many`,
    definition: (schema) => sql`on cartulary_data.many using gin (text ${ident(schema, 'gin_trgm_ops')})`,
    isAnalyzed: true,
  };
  let isOver = false;
  const others = (async () => {
    while (!isOver) await db.query(sql`select 1`);
  })();
  const indexer = createIndexer(db, (text) => assert.fail(text));
  await indexer.make([index]);
  isOver = true;
  await others;
  const found = await db.query(sql`select from pg_class where relname = ${index.name}`);
  assert.equal(found.length, 1);
});

test('a table is analyzed once when several indexes of it are made', async (t) => {
  const server = await startServer({}, 'here');
  t.after(() => server.stop());
  const { db } = server.server.services;
  const table = sql`cartulary_data.counted`;
  await db.transaction((tx) =>
    tx.query(sql`create table ${table} as select n from generate_series(1, 1000) n`),
  );
  const indexes = ['one', 'two', 'three'].map(
    (name): WantedIndex => ({
      name: `counted_${name}`,
      table,
      definition: () => sql`on ${table} ((n % 10))`,
      isAnalyzed: true,
    }),
  );
  const warnings: string[] = [];
  const indexer = createIndexer(db, (text) => void warnings.push(text));
  await indexer.make(indexes);
  assert.deepEqual(warnings, []);
  const [counted] = await db.query<{ times: number; known: number }>(sql`
    select (select analyze_count::int from pg_stat_user_tables where relname = 'counted') as times,
      (select count(*)::int from pg_stats where tablename like 'counted\\_%') as known`);
  assert.deepEqual(counted, { times: 1, known: 3 });
});
