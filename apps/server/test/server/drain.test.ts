/** SIGTERM: what was accepted is answered, what runs is finished within its time, and what takes longer ends in a state that is true. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type InstalledServer, installation } from '../support/installation.js';
import { rawClient } from '../support/raw-client.js';

interface Answer {
  status: number;
  json: any;
}

/** A request over a connection of an agent, or one of its own; its body is up to the caller. */
function begin(server: InstalledServer, method: string, path: string, agent: Agent | false): ClientRequest {
  const headers = { accept: 'application/json', 'x-token': server.token };
  return request(`${server.url}/api/2.8/demo${path}`, { method, agent, headers });
}

async function answerTo(outgoing: ClientRequest): Promise<Answer> {
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await incoming.toArray()).toString();
  return { status: incoming.statusCode ?? 0, json: JSON.parse(text) };
}

async function newLayer({ ask }: InstalledServer): Promise<void> {
  for (const [path, body] of [
    ['/', '{"code":"m"}'],
    ['/m/layers/', '{"code":"l"}'],
    ['/m/layers/l/structure/', '{"code":"n","type":"number"}'],
  ] as const)
    assert.equal((await ask('POST', path, body)).status, 200, path);
}

interface Writer {
  ids: number[];
  /** Why it has ended. */
  end: Promise<string>;
}

/** Writes objects one after the other over a connection that it keeps, until a request fails. */
function startWriter(server: InstalledServer, pause: number): Writer {
  const ids: number[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const write = async (): Promise<string> => {
    for (;;) {
      const outgoing = begin(server, 'POST', '/m/layers/l/objects/', agent);
      outgoing.end(JSON.stringify({ fields: { n: ids.length } }));
      const { status, json } = await answerTo(outgoing);
      if (status !== 200) return `status ${status}`;
      ids.push(json.id);
      if (pause) await sleep(pause);
    }
  };
  const end = write()
    .catch((error: NodeJS.ErrnoException) => error.code ?? error.message)
    .finally(() => agent.destroy());
  return { ids, end };
}

/** The processes that a process has started, and those that they have. */
function descendants(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    try {
      const status = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/status`, 'utf8') : '';
      return Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]) === pid;
    } catch {
      return false;
    }
  });
  return children.map(Number).flatMap((child) => [child, ...descendants(child)]);
}

for (const processes of ['1', '2']) {
  test(`small writes are answered over connections that are kept, ${processes} process(es)`, async (t) => {
    const { start } = await installation(t, { CARTULARY_PROCESSES: processes });
    const server = await start();
    await newLayer(server);
    const writers = Array.from({ length: 20 }, (_, i) => startWriter(server, i % 2 ? 0 : 30));
    // One that has asked nothing yet, and one that sends ahead.
    const [early, ahead] = [await rawClient(server.url), await rawClient(server.url)];
    while (writers.some(({ ids }) => ids.length < 3)) await sleep(20);
    // A service manager tells all processes.
    const all = descendants(server.child.pid!);
    const stopped = server.stop();
    for (const pid of all) process.kill(pid, 'SIGTERM');
    await sleep(50);
    early.ask('GET', '/readyz');
    // In one piece: what comes after an answer that ends its connection is for the next one.
    ahead.socket.cork();
    for (let i = 0; i < 2; i++) ahead.ask('GET', '/readyz');
    ahead.socket.uncork();

    const ends = await Promise.all(writers.map(({ end }) => end));
    assert.deepEqual([...new Set(ends)], ['ECONNREFUSED']);
    for (const [client, count] of [
      [early, 1],
      [ahead, 2],
    ] as const) {
      const answers = (await client.ended()).split('HTTP/1.1 200 OK').slice(1);
      assert.equal(answers.length, count);
      assert.match(answers.at(-1)!, /\r\nconnection: close\r\n/i);
    }
    await stopped;
    const again = await start();
    const { json } = await again.ask('GET', '/m/layers/l/objects/?limit=100000');
    const stored = new Set(json.map(({ id }: { id: number }) => id));
    const lost = writers.flatMap(({ ids }) => ids).filter((id) => !stored.has(id));
    assert.deepEqual(lost, [], 'acknowledged, but not there');
    await again.stop();
  });
}

const opening = '{"type":"FeatureCollection","features":[';
const feature = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"n":1}}';

test('imports whose files are still coming are finished, plain ones and jobs; what takes longer than its time says so, and nothing of it is left', async (t) => {
  const { start } = await installation(t);
  const first = await start();
  await newLayer(first);
  const sending = ['', '?async=1'].map((query) => {
    const outgoing = begin(first, 'POST', `/m/layers/l/import/${query}`, false);
    outgoing.write(opening + feature);
    return outgoing;
  });
  await sleep(200);
  const stopped = first.stop();
  await sleep(500);
  const answers = sending.map(answerTo);
  for (const outgoing of sending) outgoing.end(`,${feature}]}`);
  const [plain, job] = await Promise.all(answers);
  assert.deepEqual([plain!.status, plain!.json.import?.stored], [200, 2]);
  assert.equal(job!.status, 202);
  await stopped;

  const second = await start({ CARTULARY_STOP_TIME: '700' });
  const { json: end } = await second.ask('GET', `/jobs/${job!.json.id}/`);
  assert.deepEqual([end.state, end.result.import.stored], ['done', 2]);
  const endless = begin(second, 'POST', '/m/layers/l/import/', false);
  endless.write(opening + feature);
  // The answer comes before the body has ended.
  endless.on('error', () => {});
  await sleep(200);
  const answer = answerTo(endless);
  const ended = second.stop();
  const { status, json } = await answer;
  assert.deepEqual([status, json.code, json.message], [503, 'busy', 'The service is stopping']);
  await ended;

  const third = await start();
  assert.equal((await third.ask('GET', '/m/layers/l/count/?precise=1')).json, 4);
  assert.deepEqual(await third.leftovers(), []);
  await third.stop();
});
