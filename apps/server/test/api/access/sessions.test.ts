import assert from 'node:assert/strict';
import test from 'node:test';
import type { Database } from '@cartulary/database/internal/pool.js';
import { sql } from '@cartulary/sql';
import { identify, openSession } from '../../../src/access/sign-in/sessions.js';
import { adminPassword, freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer({}, 'here');
});
test.after(() => server.stop());

/** Number of statements that `work` sends to the database; a transaction counts as one. */
async function statements(db: Database, work: () => Promise<unknown>): Promise<number> {
  const { query, transaction } = db;
  let count = 0;
  const counted =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      count += 1;
      return call.apply(db, args);
    };
  Object.assign(db, { query: counted(query), transaction: counted(transaction) });
  try {
    await work();
  } finally {
    Object.assign(db, { query, transaction });
  }
  return count;
}

test('a read with a token costs at most one statement more than one without', async () => {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/layers/`, { code: 'l' });
  const token = server.adminToken;
  for (const path of [`/${map}/`, `/${map}/layers/l/objects/?fields=*`, `//tms/demo/${map}/?z=0&x=0&y=0`]) {
    await server.request('GET', path, { token });
    const open = await statements(server.db, () => server.request('GET', path));
    const signedIn = await statements(server.db, () => server.request('GET', path, { token }));
    assert.ok(signedIn > 0);
    assert.ok(signedIn <= open + 1, `${path}: ${signedIn} and ${open}`);
  }
});

test('two servers on one database agree on sessions, rights and tiles', {
  skip: !process.env.TEST_DATABASE_URL,
}, async (t) => {
  const other = await startServer({ DATABASE_URL: server.server.services.config.databaseUrl });
  t.after(() => other.stop());
  const { token } = (
    await server.request('POST', '/login/', { body: { login: 'admin', password: adminPassword } })
  ).json;
  const authorized = async (): Promise<unknown> =>
    (await other.request('GET', `/authorized/?token=${token}`)).json;
  assert.equal(await authorized(), true);

  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/layers/`, {
    code: 'l',
    css_style: '#l { marker-width: 8; marker-allow-overlap: true; }',
  });
  const tile = async (): Promise<string> =>
    (await other.request('GET', `//tms/demo/${map}/?z=0&x=0&y=0`)).bytes.toString('base64');
  let before = await tile();
  for (let i = 0; i < 5; i++) {
    await server.admin('POST', `/${map}/layers/l/objects/`, {
      fields: {},
      geom: { type: 'Point', coordinates: [i * 30 - 60, 0] },
    });
    const after = await tile();
    assert.ok(after !== before, `object ${i} shows at the other server`);
    before = after;
  }
  await server.admin('PATCH', `/${map}/`, { publish: false });
  assert.equal((await other.request('GET', `/${map}/`)).status, 403);

  await server.request('POST', '/logout/', { token });
  assert.equal(await authorized(), false);
});

test('of a user with too many sessions of one kind those end that were used the longest ago', async () => {
  const login = freshCode('u');
  await server.admin('POST', '/users/', { login, password: 'a long password' });
  const [account] = await server.db.query<{ id: number; project_id: number }>(
    sql`select id, project_id from cartulary.account where login = ${login}`,
  );
  const open = (kind: 'rest' | 'console') =>
    openSession(server.db, {
      ...{ projectId: account!.project_id, accountId: account!.id },
      ...{ kind, idleSeconds: 600, most: 3 },
    });
  const page = await open('console');
  const tokens: string[] = [];
  for (let i = 0; i < 3; i++) tokens.push(await open('rest'));
  // The first is used again, after a time at which its last use is stored.
  await server.db.query(sql`
    update cartulary.session set last_used = last_used - interval '2 minutes' where account_id = ${account!.id}`);
  await identify(server.db, 'demo', tokens[0]);
  tokens.push(await open('rest'), await open('rest'));
  const live = await Promise.all(
    [page, ...tokens].map((token) =>
      identify(server.db, 'demo', token).then(
        () => true,
        () => false,
      ),
    ),
  );
  assert.deepEqual(live, [true, true, false, false, true, true]);
});
