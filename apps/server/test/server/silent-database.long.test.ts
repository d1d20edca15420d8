/** A PostgreSQL that takes what it is asked and never answers: the network between, or the server, has stopped. */
import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import test from 'node:test';
import { freshPostgres } from '../support/database.js';
import { startServer } from '../support/server.js';

/** Passes everything on, or takes it and keeps it. */
async function swallower(host: string, port: number) {
  const sockets = new Set<Socket>();
  let swallows = false;
  const server = createServer((near) => {
    const far = connect(port, host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (swallows || to.write(bytes)));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallow(isOn: boolean) {
      swallows = isOn;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('requests to a database that never answers end as timeout or busy, and work when it answers again', async (t) => {
  const { TEST_DATABASE_URL: postgres } = process.env;
  if (!postgres) return t.skip('the embedded database is watched by a process of its own');
  const fresh = await freshPostgres(postgres);
  // In this order: a connection that cannot be made would keep the rest from ending.
  const ends: (() => unknown)[] = [() => fresh.drop()];
  t.after(async () => {
    for (const end of ends) await end();
  });
  const url = new URL(fresh.url);
  const between = await swallower(url.hostname, Number(url.port));
  ends.unshift(() => between.close());
  url.hostname = '127.0.0.1';
  url.port = String(between.port);
  const server = await startServer({ DATABASE_URL: url.href, CARTULARY_STATEMENT_TIMEOUT: '500' }, 'here');
  ends.unshift(() => server.stop());
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  await server.admin('POST', '/m/layers/l/objects/', { fields: {} });
  const asked: [method: string, path: string, body?: unknown][] = [
    ['GET', '/m/layers/l/objects/?fbbox=0,0,1,1'],
    ['GET', '/m/layers/l/objects/1/'],
    ['GET', '/m/layers/l/bbox/'],
    ['GET', '/m/layers/l/export/?format=geojson'],
    ['POST', '/m/layers/l/objects/', { fields: {} }],
    ['POST', '/', { code: 'other' }],
  ];
  const ask = () =>
    Promise.all(
      asked.map(async ([method, path, body]) => {
        const headers = { accept: 'application/json' };
        const { status, json } = await server.request(method, path, {
          token: server.adminToken,
          body,
          headers,
        });
        return status === 200 ? 200 : `${status} ${json?.code}`;
      }),
    );
  between.swallow(true);
  for (const answer of await ask()) assert.match(String(answer), /^503 (timeout|busy)$/);
  between.swallow(false);
  assert.deepEqual(
    await ask(),
    asked.map(() => 200),
  );
});
