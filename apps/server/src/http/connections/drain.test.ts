import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import test from 'node:test';
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';
import { parseConfig } from '../../config.js';
import { ConnectionWatch } from './connections.js';

/** Keeps the process from reading and from timers, as a busy machine does. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a request that comes while the process is suspended is answered', async () => {
  const watch = new ConnectionWatch(parseConfig({}));
  const server = watch.watch(createServer((_, response) => response.end('answered')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await Promise.all([once(client, 'connect'), once(server, 'connection')]);
  const drained = watch.drain();
  await sleep(50);
  // Timers come next, then what can be read.
  await afterPoll();
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  block(1_000);
  const answer = Buffer.concat(await client.toArray()).toString();
  assert.match(answer, /^HTTP\/1\.1 200 .*connection: close.*answered/is);
  await drained;
});
