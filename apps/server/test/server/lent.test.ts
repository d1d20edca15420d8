import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import { openKeepers } from '../support/keepers.js';
import { startServer, type TestServer } from '../support/server.js';

/** The number of listed objects, of two in a new map, at a longitude. The map is the first one of its database. */
async function listed({ admin }: TestServer, longitude: number): Promise<number> {
  assert.equal((await admin('POST', '/', { code: 'm' })).id, 1);
  await admin('POST', '/m/layers/', { code: 'l' });
  const geom = { type: 'Point', coordinates: [longitude, 0] };
  for (let i = 0; i < 2; i++) await admin('POST', '/m/layers/l/objects/', { fields: {}, geom });
  const { sw } = await admin<{ sw: number[] }>('GET', '/m/layers/l/bbox/');
  assert.deepEqual(sw, [0, longitude], 'nothing cached by the one before, whose layers had the same ids');
  return (await admin<unknown[]>('GET', '/m/layers/l/objects/')).length;
}

test('a server that is lent again has nothing of the one before, and its own settings', async (t) => {
  const keepers = await openKeepers();
  t.after(() => keepers.close());
  const { TEST_KEEPERS: others } = process.env;
  process.env.TEST_KEEPERS = keepers.path;
  t.after(() => {
    if (others === undefined) delete process.env.TEST_KEEPERS;
    else process.env.TEST_KEEPERS = others;
  });

  const first = await startServer({ CARTULARY_LIST_DEFAULT: '1', CARTULARY_LIST_LIMIT: '1' });
  const { dataFolder } = first.server.services.config;
  assert.equal(await listed(first, 10), 1);
  await first.admin('PUT', '/icons/mine/', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  await first.admin('POST', '/users/', { login: 'ann', password: 'long-enough' });
  assert.throws(() => first.server.services.renderers, /'here'/);
  assert.throws(() => Object.assign(first.db, { query: undefined }));
  await first.stop();

  const second = await startServer();
  assert.equal(second.server.services.config.dataFolder, dataFolder, 'the same process');
  assert.deepEqual(await second.admin('GET', '/maps/available/'), []);
  const ann = { login: 'ann', password: 'long-enough' };
  assert.equal((await second.request('POST', '/login/', { body: ann })).status, 403);
  assert.equal((await second.request('GET', '/icons/mine/', { token: second.adminToken })).status, 404);
  const old = await second.request('GET', '/users/info/', { token: first.adminToken });
  assert.equal(old.status, 401, 'nor its sessions');
  assert.equal(await listed(second, 20), 2);
  await second.db.transaction((tx) => tx.query(sql`alter table cartulary.project add column odd integer`));
  await second.stop();

  const third = await startServer();
  const odd = await third.db.query(sql`select from information_schema.columns where column_name = 'odd'`);
  assert.deepEqual(odd, [], 'tables that a test has changed are made anew');
  assert.equal(await listed(third, 30), 2);
  await third.stop();
  await assert.rejects(startServer({ CARTULARY_RENDERERS: 'many' }), /CARTULARY_RENDERERS/);
});
