import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { migrate } from '../../src/db/migrate.js';
import { openDatabase, parseDatabaseUrl } from '../../src/db/pool.js';
import { becomeQueryRole, prepareQueryRole } from '../../src/db/query-role.js';
import { ident, sql } from '../../src/db/sql.js';
import { testDatabase } from '../support/database.js';

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
