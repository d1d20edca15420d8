import assert from 'node:assert/strict';
import test from 'node:test';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let layerId: number;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  layerId = (await server.admin('POST', '/m/layers/', { code: 'l' })).id;
});
test.after(() => server.stop());

const count = (query = '') => server.request('GET', `/m/layers/l/count/${query}`);

const fill = (objects: number): Promise<unknown> =>
  server.db.transaction((tx) =>
    tx.query(sql`insert into ${ident('cartulary_data', `layer_${layerId}`)} (geom)
      select ST_SetSRID(ST_MakePoint(i % 180, i % 90), 4326) from generate_series(1, ${objects}::integer) i`),
  );

test('the number of objects is exact up to 10,000, above that an estimate; exact when asked', async () => {
  const empty = await count();
  assert.equal(empty.status, 200);
  assert.equal(empty.text, '0');
  assert.match(empty.headers.get('content-type') ?? '', /^application\/json/);
  await fill(10_000);
  assert.equal((await count()).json, 10_000);
  await fill(25_000);
  assert.equal((await count('?precise=true')).text, '35000');
  assert.equal((await count('?precise=1')).json, 35_000);
  const { json: before } = await count('?precise=false');
  assert.equal(before, 35_000, 'counted while the planner knows nothing');
  await server.db.transaction((tx) => tx.query(sql`analyze ${ident('cartulary_data', `layer_${layerId}`)}`));
  const { json: estimate } = await count('?precise=0');
  assert.ok(Math.abs(estimate - 35_000) < 1_000, String(estimate));
  await fill(40_000);
  const { json: grown } = await count();
  assert.ok(grown > 60_000 && grown < 90_000, `${grown}: the estimate follows the size of the table`);
});

test('precise is a flag', async () => {
  assert.equal((await count('?precise=yes')).status, 400);
  assert.equal((await server.request('GET', '/m/layers/none/count/')).status, 404);
});
