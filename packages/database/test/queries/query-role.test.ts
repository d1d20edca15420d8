import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { testDatabase } from '@cartulary/server/support/database.js';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { migrate } from '../../src/migrations/migrate.js';
import { openDatabase, parseDatabaseUrl } from '../../src/pool.js';
import { becomeQueryRole, prepareQueryRole } from '../../src/query-role.js';

const url = process.env.TEST_DATABASE_URL;

test('the role is made once, and may be asked for again', async () => {
  const { db, drop } = await testDatabase();
  for (let round = 0; round < 2; round++) assert.equal(await prepareQueryRole(db), undefined);
  const [role] = await db.query(
    sql`select rolcanlogin, rolsuper, rolcreaterole from pg_roles where rolname = 'cartulary_query'`,
  );
  assert.deepEqual(role, { rolcanlogin: false, rolsuper: false, rolcreaterole: false });
  await drop();
});

test('a service that may not use the role says what is needed, and runs no query', {
  skip: !url,
}, async () => {
  const { db: ruler, target, drop } = await testDatabase({ migrated: false });
  await prepareQueryRole(ruler).catch(() => {});
  const user = `service_${randomBytes(4).toString('hex')}`;
  for (const extension of ['postgis', 'pg_trgm', 'unaccent', 'btree_gist'])
    await ruler.transaction((tx) => tx.query(sql`create extension if not exists ${ident(extension)}`));
  await ruler.transaction((tx) => tx.query(sql`create role ${ident(user)} login nocreaterole nosuperuser`));
  await ruler.transaction((tx) =>
    tx.query(sql`grant all on database ${ident(target.database)} to ${ident(user)}`),
  );
  const service = openDatabase({ ...parseDatabaseUrl(url!), database: target.database, user }, 'postgres');
  await migrate(service);
  assert.match((await prepareQueryRole(service))!, /create role cartulary_query nologin/);
  await assert.rejects(service.transaction(becomeQueryRole), { code: 'query_invalid' });
  await ruler.transaction((tx) => tx.query(sql`grant cartulary_query to ${ident(user)}`));
  assert.equal(await prepareQueryRole(service), undefined);
  await service.close();
  await ruler.transaction((tx) => tx.query(sql`drop owned by ${ident(user)} cascade`));
  await ruler.transaction((tx) => tx.query(sql`drop role ${ident(user)}`));
  await drop();
});

test('views that are there call the overlays of queries from then on', async () => {
  const { db, drop } = await testDatabase();
  await prepareQueryRole(db);
  await db.transaction(async (tx) => {
    await tx.query(sql`drop schema cartulary_queries cascade`);
    await tx.query(
      sql`delete from cartulary.migration where title in ('overlays-of-queries', 'bounded-overlays', 'bounded-relations', 'bounded-texts', 'long-lines')`,
    );
    await tx.query(sql`set local role cartulary_query`);
    await tx.query(sql`create view cartulary_data.layer_7 as select 1 as svc_id,
      st_union(st_makepoint(1, 2), st_makepoint(3, 4)) as geom, st_makevalid(st_makepoint(1, 2)) as other,
      st_touches(st_makepoint(1, 2), st_makepoint(3, 4)) as beside,
      lower('It''s') as name, translate('a', 'a', 'b') as other_name, 'a' like 'b' as alike`);
  });
  const { applied } = await migrate(db);
  assert.deepEqual(applied, [
    '0015-overlays-of-queries',
    '0031-bounded-overlays',
    '0032-bounded-relations',
    '0034-bounded-texts',
    '0035-long-lines',
  ]);
  const [view] = await db.query<{ definition: string; owner: string }>(sql`
    select pg_get_viewdef(oid) as definition, relowner::regrole::text as owner
    from pg_class where oid = 'cartulary_data.layer_7'::regclass`);
  assert.equal(view!.owner, 'cartulary_query');
  assert.match(view!.definition, /cartulary_queries\.st_union\(/);
  assert.match(view!.definition, /cartulary_queries\.st_makevalid\(/);
  assert.match(view!.definition, /cartulary_queries\.st_touches\(/);
  assert.match(view!.definition, /cartulary_queries\.translate\(/);
  assert.match(view!.definition, /OPERATOR\(cartulary_queries\.~~\)/);
  await drop();
});
