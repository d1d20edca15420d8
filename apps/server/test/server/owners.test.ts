/** Requests of one account that wait in the database leave places to those of others. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';

const skip =
  !process.env.TEST_DATABASE_URL && 'the embedded database has one session: there a lock holds up all';
const password = 'a-password-of-one';

let server: TestServer;
test.before(async () => {
  server = await startServer({ CARTULARY_DATABASE_CONNECTIONS: '10' }, 'here');
  for (const map of ['held', 'free']) {
    await server.admin('POST', '/', { code: map });
    await server.admin('POST', `/${map}/layers/`, { code: 'a' });
  }
  await server.admin('POST', '/users/', { login: 'ann', password });
  await server.admin('PUT', '/free/rights/', { user: 'ann', right: 'edit' });
});
test.after(() => server?.stop());

/** Runs `work` while a transaction of another client holds the row of the map `held`, or its table of objects. */
async function whileLocked(statement: ReturnType<typeof sql>, work: () => Promise<void>): Promise<void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let lock = (): void => {};
  const isLocked = new Promise<void>((resolve) => {
    lock = resolve;
  });
  const holding = server.db.shortTransaction(async (tx) => {
    await tx.query(statement);
    lock();
    await released;
  });
  await isLocked;
  try {
    await work();
  } finally {
    release();
    await holding;
  }
}

test('writes of one account that wait for a lock do not keep another account from writing', {
  skip,
}, async () => {
  const { json } = await server.request('POST', '/login/', { body: { login: 'ann', password } });
  const row = sql`select from cartulary.container where code = 'held' and type = 'map' for update`;
  let waiting: Promise<TestAnswer>[] = [];
  await whileLocked(row, async () => {
    waiting = Array.from({ length: 12 }, (_, i) =>
      server.request('PATCH', '/held/', { token: server.adminToken, body: { name: `name ${i}` } }),
    );
    for (let count = 0; count < 5; count++) {
      const made = await server.request('POST', '/free/layers/a/objects/', {
        token: json.token,
        body: { fields: {} },
      });
      assert.equal(made.status, 200, made.text);
    }
  });
  for (const { status, text } of await Promise.all(waiting)) assert.equal(status, 200, text);
});

test('lists of one account that wait for a lock do not keep another account from reading', {
  skip,
}, async () => {
  const [layer] = await server.db.query(
    sql`select l.id from cartulary.container l join cartulary.container m on m.id = l.map_id where m.code = 'held' and l.code = 'a'`,
  );
  const table = sql`lock table ${ident('cartulary_data', `layer_${layer!.id}`)} in access exclusive mode`;
  let waiting: Promise<TestAnswer>[] = [];
  await whileLocked(table, async () => {
    waiting = Array.from({ length: 30 }, (_, i) =>
      server.request('GET', `/held/layers/a/objects/?limit=${i + 1}`, { token: server.adminToken }),
    );
    for (let count = 0; count < 5; count++) {
      const { status, text } = await server.request('GET', '/free/layers/a/objects/');
      assert.equal(status, 200, text);
    }
  });
  for (const { status, text } of await Promise.all(waiting)) assert.equal(status, 200, text);
});
