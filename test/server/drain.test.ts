/** SIGTERM: what was accepted is answered, and what takes too long ends with a state that is true. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshPostgres } from '../support/database.js';
import { serverProcess } from '../support/process.js';
import { rawClient } from '../support/raw-client.js';
import { adminPassword } from '../support/server.js';

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  json: any;
}

interface Server {
  url: string;
  token: string;
  ask(method: string, path: string, body?: unknown, agent?: Agent | false): Promise<Answer>;
  /** Sends the signal; resolves with the status when it has ended. */
  stop(): Promise<number>;
}

interface Installation {
  folder: string;
  databaseUrl: string | undefined;
  start(settings?: Record<string, string>): Promise<Server>;
}

async function installation(t: TestContext, processes: number): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-drain-'));
  const postgres = process.env.TEST_DATABASE_URL
    ? await freshPostgres(process.env.TEST_DATABASE_URL)
    : undefined;
  let kill = (): unknown => undefined;
  t.after(async () => {
    kill();
    await postgres?.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  const start = async (settings: Record<string, string> = {}): Promise<Server> => {
    const { child, url, output } = await serverProcess(folder, {
      CARTULARY_ADMIN_PASSWORD: adminPassword,
      CARTULARY_PROCESSES: String(processes),
      CARTULARY_RENDERERS: '1',
      ...(postgres ? { DATABASE_URL: postgres.url } : {}),
      ...settings,
    });
    kill = () => child.kill('SIGKILL');
    const server: Server = {
      url,
      token: '',
      ask: (method, path, body, agent = false) =>
        ask({ url: `${url}/api/2.8/demo${path}`, token: server.token, agent }, method, body),
      async stop() {
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        const [code] = await exit;
        assert.equal(code, 0, output());
        return code;
      },
    };
    const login = await server.ask('POST', '/login/', { login: 'admin', password: adminPassword });
    server.token = login.json.token;
    return server;
  };
  return { folder, databaseUrl: postgres?.url, start };
}

async function ask(
  { url, token, agent }: { url: string; token: string; agent: Agent | false },
  method: string,
  body?: unknown,
): Promise<Answer> {
  const headers = {
    accept: 'application/json',
    ...(token ? { 'x-token': token } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const outgoing = request(url, { method, agent, headers });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject);
  });
  const text = Buffer.concat(await incoming.toArray()).toString();
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    json: incoming.headers['content-type']?.includes('json') ? JSON.parse(text) : undefined,
  };
}

const collection = (count: number): string =>
  `{"type":"FeatureCollection","features":[${Array.from(
    { length: count },
    (_, i) =>
      `{"type":"Feature","geometry":{"type":"Point","coordinates":[${i % 180},${i % 90}]},"properties":{"i":${i}}}`,
  ).join(',')}]}`;

async function newLayer(server: Server): Promise<void> {
  for (const [path, body] of [
    ['/', { code: 'm' }],
    ['/m/layers/', { code: 'l' }],
    ['/m/layers/l/structure/', { code: 'n', type: 'number' }],
  ] as const)
    assert.equal((await server.ask('POST', path, body)).status, 200, path);
}

interface Writer {
  ids: number[];
  /** How it ended: what its last request came to. */
  end: Promise<string>;
}

/** Writes objects one after the other over a connection that it keeps, until a connection is refused or a request fails. */
function startWriter(server: Server, pause: number): Writer {
  const ids: number[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const end = (async () => {
    try {
      for (let n = 0; ; n++) {
        const body = { fields: { n }, geom: { type: 'Point', coordinates: [n % 180, 0] } };
        const { status, json } = await server.ask('POST', '/m/layers/l/objects/', body, agent);
        if (status !== 200) return `status ${status}`;
        ids.push(json.id);
        if (pause) await sleep(pause);
      }
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    } finally {
      agent.destroy();
    }
  })();
  return { ids, end };
}

for (const processes of [1, 2]) {
  test(`small writes over connections that are kept are answered, ${processes} process(es)`, async (t) => {
    const { start } = await installation(t, processes);
    const server = await start();
    await newLayer(server);
    const writers = Array.from({ length: 24 }, (_, i) => startWriter(server, i % 2 ? 0 : 30));
    // One that has asked nothing yet, and one that sends ahead.
    const early = await rawClient(server.url);
    const ahead = await rawClient(server.url);
    while (writers.some(({ ids }) => ids.length < 5)) await sleep(20);
    const stopped = server.stop();
    await sleep(50);
    early.ask('GET', '/readyz');
    ahead.ask('GET', '/readyz');
    ahead.ask('GET', '/readyz');
    for (const [client, count] of [
      [early, 1],
      [ahead, 2],
    ] as const) {
      const answers = (await client.ended()).split('HTTP/1.1 200 OK').slice(1);
      assert.equal(answers.length, count);
      assert.match(answers.at(-1)!, /\r\nconnection: close\r\n/i);
    }
    const ends = await Promise.all(writers.map(({ end }) => end));
    assert.deepEqual(
      ends.filter((end) => end !== 'ECONNREFUSED'),
      [],
    );
    assert.equal(await stopped, 0);
    const again = await start();
    const { json: objects } = await again.ask('GET', '/m/layers/l/objects/?limit=100000&geom=0');
    const stored = new Set(objects.map(({ id }: { id: number }) => id));
    const acknowledged = writers.flatMap(({ ids }) => ids);
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
      'acknowledged, but not there',
    );
    await again.stop();
  });
}
