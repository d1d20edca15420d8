/**
 * SIGTERM: accepted requests are answered, running work is finished within its time, and longer work ends in a
 * consistent state.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type InstalledServer, installation } from '../support/installation.js';
import { type RawClient, rawClient } from '../support/raw-client.js';

interface Answer {
  status: number;
  json: any;
}

/** Resolves when the service accepts no more connections. */
async function isDraining({ url }: InstalledServer): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (!isOpen) return;
    await sleep(5);
  }
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

/** A client that asks this long after the last answer may meet the end of its idle connection, ms. */
const promptMs = 150;

/** Writes objects one after the other over a connection that it keeps, until a request fails. `late`: it asked too late. */
function startWriter(server: InstalledServer, pause: number): Writer {
  const ids: number[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let idleMs = 0;
  const write = async (): Promise<string> => {
    for (let answeredAt = performance.now(); ; answeredAt = performance.now()) {
      if (pause) await sleep(pause);
      idleMs = performance.now() - answeredAt;
      const outgoing = begin(server, 'POST', '/m/layers/l/objects/', agent);
      outgoing.end(JSON.stringify({ fields: { n: ids.length } }));
      const { status, json } = await answerTo(outgoing);
      if (status !== 200) return `status ${status}`;
      ids.push(json.id);
    }
  };
  const end = write()
    .catch(({ code, message }: NodeJS.ErrnoException) =>
      /^(ECONNRESET|EPIPE)$/.test(code ?? '') && idleMs > promptMs ? 'late' : (code ?? message),
    )
    .finally(() => agent.destroy());
  return { ids, end };
}

/**
 * Sends requests in one piece, `count` at a time, until all are answered and the last answer announces the end of the
 * connection; then it must end. Returns how often it asked.
 */
async function askUntilEnd({ socket, ask, ended }: RawClient, count: number): Promise<number> {
  let times = 0;
  for (let answers: string[] = []; !/\r\nconnection: close\r\n/i.test(answers.at(-1) ?? ''); times++) {
    socket.cork();
    for (let i = 0; i < count; i++) ask('GET', '/readyz');
    socket.uncork();
    let text = '';
    do {
      await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
      text += socket.read() ?? '';
      answers = text.split('HTTP/1.1 200 OK').slice(1);
      assert.ok(!socket.closed, `it ended after ${text}`);
    } while (answers.length < count || !text.endsWith('}'));
  }
  assert.equal(await ended(), '');
  return times;
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

/** The service of a busy machine needs time to end in order. */
const patient = { CARTULARY_STOP_TIME: '60000' };

for (const processes of ['1', '2']) {
  test(`small writes are answered over connections that are kept, ${processes} process(es)`, async (t) => {
    const { start } = await installation(t, { CARTULARY_PROCESSES: processes, ...patient });
    const server = await start();
    await newLayer(server);
    const writers = Array.from({ length: 20 }, (_, i) => startWriter(server, i % 2 ? 0 : 30));
    // One that has asked nothing yet, and one that sends ahead.
    const [early, ahead] = [await rawClient(server.url), await rawClient(server.url)];
    while (writers.some(({ ids }) => ids.length < 3)) await sleep(20);
    // A service manager signals all processes.
    const all = descendants(server.child.pid!);
    const stoppedAt = performance.now();
    const stopped = server.stop();
    for (const pid of all) process.kill(pid, 'SIGTERM');
    await isDraining(server);
    const isPrompt = performance.now() - stoppedAt < promptMs;
    const last = isPrompt ? [askUntilEnd(early, 1), askUntilEnd(ahead, 2)] : [];

    const ends = await Promise.all(writers.map(({ end }) => end));
    assert.deepEqual(
      [...new Set(ends)].filter((end) => end !== 'late'),
      ['ECONNREFUSED'],
    );
    const times = await Promise.all(last);
    // Several processes are told shortly after the port is closed, so their first answers may announce nothing.
    if (processes === '1' && isPrompt) assert.deepEqual(times, [1, 1]);
    t.diagnostic(
      `${ends.filter((end) => end === 'late').length} writers late, others ${isPrompt ? 'prompt' : 'late'}`,
    );
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

/** Sends the first part of an import. Resolves when the service has received the request: it then asks for the body. */
async function sendBeginning(outgoing: ClientRequest): Promise<void> {
  outgoing.setHeader('expect', '100-continue');
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  outgoing.write(opening + feature);
}

test('imports whose files are still coming are finished, plain ones and jobs; what takes longer than its time says so, and nothing of it is left', async (t) => {
  const { start } = await installation(t);
  const first = await start(patient);
  await newLayer(first);
  const sending = ['', '?async=1'].map((query) => begin(first, 'POST', `/m/layers/l/import/${query}`, false));
  await Promise.all(sending.map(sendBeginning));
  const stopped = first.stop();
  await isDraining(first);
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
  // The answer comes before the body has ended.
  endless.on('error', () => {});
  await sendBeginning(endless);
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
