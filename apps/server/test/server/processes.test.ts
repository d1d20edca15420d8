/** Several processes, and several servers, of one database: what one has done the others know at once. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRunningEmbedded } from '@cartulary/database/internal/embedded/embedded.js';
import { type Database, openDatabase, parseDatabaseUrl } from '@cartulary/database/internal/pool.js';
import { isRunning } from '@cartulary/runtime/internal/own-names.js';
import { sql } from '@cartulary/sql/internal/sql.js';
import { freshPostgres } from '../support/database.js';
import { type ServerProcess, serverProcess } from '../support/process.js';
import { adminPassword } from '../support/server.js';

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
  json: any;
}

/** A request over a connection of its own, which goes to the next process. */
async function ask(
  server: { url: string },
  method: string,
  path: string,
  { token, body, connected }: { token?: string; body?: unknown; connected?: () => void } = {},
): Promise<Answer> {
  const url = path.startsWith('//') ? server.url + path.slice(1) : `${server.url}/api/2.8/demo${path}`;
  const outgoing = httpRequest(url, {
    method,
    agent: false,
    headers: {
      accept: 'application/json',
      ...(token ? { 'x-token': token } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  outgoing.once('socket', (socket) => socket.once('connect', () => connected?.()));
  outgoing.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  // An answer may come before all is sent.
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.on('error', (error) => setTimeout(reject, 2_000, error));
  });
  const bytes = Buffer.concat(await incoming.toArray());
  const { statusCode: status = 0, headers } = incoming;
  const isJson = headers['content-type']?.includes('json');
  return { status, headers, bytes, json: isJson ? JSON.parse(bytes.toString()) : undefined };
}

type Server = ServerProcess & { url: string };
let one: Server;
let other: Server;
let db: Database;
let admin: string;
const folder = await mkdtemp(join(tmpdir(), 'cartulary-several-'));
const postgres = process.env.TEST_DATABASE_URL
  ? await freshPostgres(process.env.TEST_DATABASE_URL)
  : undefined;

const settings = {
  CARTULARY_ADMIN_PASSWORD: adminPassword,
  CARTULARY_LOGIN_FAILURES: '3',
  CARTULARY_JOBS_PER_USER: '2',
  CARTULARY_LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
  ...(postgres ? { DATABASE_URL: postgres.url } : {}),
};

test.before(async () => {
  one = await serverProcess(folder, { ...settings, CARTULARY_PROCESSES: '2' });
  // PostgreSQL may have a second server beside that with two processes.
  other = postgres ? await serverProcess(folder, settings) : one;
  const target = postgres ? parseDatabaseUrl(postgres.url) : await findRunningEmbedded(folder);
  db = openDatabase(target!, postgres ? 'postgres' : 'embedded', { maxConnections: 1 });
  admin = await signIn('admin', adminPassword);
  await done('POST', '/', { code: 'm', css_style: '' });
  await done('POST', '/users/', { login: 'viewer', password: 'long-enough', publicAccess: false });
  await done('POST', '/users/', { login: 'editor', password: 'long-enough', publicAccess: false });
  await done('PUT', '/rights/', { user: 'viewer', right: 'view' });
  await done('PUT', '/rights/', { user: 'editor', right: 'edit' });
});
test.after(async () => {
  await db?.close();
  for (const { child } of [one, other]) child?.kill('SIGKILL');
  await postgres?.drop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

/** The same of every process: with two of them, each is asked twice. */
async function everywhere(method: string, path: string, token = admin): Promise<Answer> {
  const answers: Answer[] = [];
  for (const server of [other, one, one, other]) answers.push(await ask(server, method, path, { token }));
  const [first, ...rest] = answers;
  for (const { status, bytes } of rest) {
    assert.equal(status, first!.status);
    assert.deepEqual(bytes, first!.bytes);
  }
  return first!;
}

async function done(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await ask(one, method, path, { token: admin, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.bytes}`);
  return answer.json;
}

async function signIn(login: string, password: string): Promise<string> {
  const { json, bytes } = await ask(one, 'POST', '/login/', { body: { login, password } });
  assert.ok(json?.token, bytes.toString());
  return json.token;
}

const square = (south: number): unknown => ({
  type: 'Polygon',
  coordinates: [
    [
      [-170, south],
      [170, south],
      [170, 80],
      [-170, 80],
      [-170, south],
    ],
  ],
});

async function newLayer(code: string): Promise<void> {
  await done('POST', '/m/layers/', { code, css_style: `#${code} { polygon-fill: #ff0000; }` });
}

const large = (): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: Array.from({ length: 250_000 }, (_, i) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [i % 180, i % 90] },
      properties: { i, note: `note ${i}` },
    })),
  });

const isFinal = ({ state }: any): boolean => !['queued', 'running'].includes(state);

async function ended(id: string): Promise<any> {
  for (;;) {
    const { json } = await ask(other, 'GET', `/jobs/${id}/`, { token: admin });
    if (isFinal(json)) return json;
    await sleep(100);
  }
}

/** The ids of a server's serving processes. */
function servingOf({ child }: ServerProcess): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        return Number(parent) === child.pid && commandOf(pid).includes('worker-process');
      } catch {
        return false;
      }
    });
}
const linkOf = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
};
const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

/** Inodes of the connections to a port of this machine (proc(5), /proc/net/tcp). */
function socketsOn(port: number): string[] {
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local]) => Number.parseInt(local!.split(':')[1]!, 16) === port)
    .map((cells) => cells[9]!);
}

test('connections are spread over all processes', async () => {
  const pids = servingOf(one);
  assert.equal(pids.length, 2);
  const port = Number(new URL(one.url).port);
  const counts = (): number[] => {
    const accepted = new Set(socketsOn(port).map((inode) => `socket:[${inode}]`));
    return pids.map((pid) => {
      const files = readdirSync(`/proc/${pid}/fd`);
      return files.filter((file) => accepted.has(linkOf(`/proc/${pid}/fd/${file}`))).length;
    });
  };
  const open = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  await Promise.all(open.map((socket) => once(socket, 'connect')));
  while (counts().some((count) => count < 3)) await sleep(50);
  for (const socket of open) socket.destroy();
});

test('objects, tiles and styles: what one has written the others read', async () => {
  await newLayer('land');
  const blank = await everywhere('GET', '//tms/demo/m/?z=0&x=0&y=0');
  await done('POST', '/m/layers/land/objects/', { fields: {}, geom: square(-80) });
  assert.equal((await everywhere('GET', '/m/layers/land/objects/')).json.length, 1);
  const red = await everywhere('GET', '//tms/demo/m/?z=0&x=0&y=0');
  assert.notDeepEqual(red.bytes, blank.bytes);
  await done('PATCH', '/m/layers/land/', { css_style: '#land { polygon-fill: #0000ff; }' });
  const blue = await everywhere('GET', '//tms/demo/m/?z=0&x=0&y=0');
  assert.notDeepEqual(blue.bytes, red.bytes);
  assert.notEqual(blue.headers.etag, red.headers.etag);
});

test('rights that are withdrawn and sessions that are ended', async () => {
  const token = await signIn('viewer', 'long-enough');
  assert.equal((await everywhere('GET', '/m/layers/land/objects/', token)).status, 200);
  await done('PUT', '/rights/', { user: 'viewer', right: null });
  assert.equal((await ask(other, 'GET', '/m/layers/land/objects/', { token })).status, 403);
  assert.equal((await ask(one, 'GET', '/m/layers/land/objects/', { token })).status, 403);
  assert.equal((await ask(one, 'GET', '/m/layers/land/objects/', { token })).status, 403);
  await ask(one, 'POST', '/logout/', { token });
  for (const server of [other, one, one])
    assert.equal((await ask(server, 'GET', '/m/layers/land/objects/', { token })).status, 401);
});

test('failed logins are counted together, also those that come at once', async () => {
  const attempt = (server: Server, password: string): Promise<Answer> =>
    ask(server, 'POST', '/login/', { body: { login: 'nobody-here', password } });
  const servers = [one, other, one, other, one, other, one, other, one, other];
  const answers = await Promise.all(servers.map((server, i) => attempt(server, `guess-${i}`)));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [403, 403, 403, ...Array.from({ length: 7 }, () => 429)]);
  for (const server of [one, one, other]) assert.equal((await attempt(server, 'one-more')).status, 429);
  // Many simultaneous correct logins are not counted as failures.
  const right = await Promise.all(
    servers
      .slice(0, 6)
      .map((server) => ask(server, 'POST', '/login/', { body: { login: 'admin', password: adminPassword } })),
  );
  assert.deepEqual([...new Set(right.map(({ status }) => status))], [200]);
});

/** Imports into a new layer by four requests of one user at once, and cancels those that were taken through other processes. */
async function cancelledAtWork(code: string): Promise<{ statuses: number[]; states: string[] }> {
  await newLayer(code);
  const token = await signIn('editor', 'long-enough');
  const body = large();
  const accepted = await Promise.all(
    [one, other, one, other].map((server) =>
      ask(server, 'POST', `/m/layers/${code}/import/?async=1`, { token, body }),
    ),
  );
  const taken = accepted.filter(({ status }) => status === 202);
  // All at once: the second job may end while the first is cancelled.
  const answers = await Promise.all(
    taken.map(({ json }) =>
      Promise.all([other, one, one].map((server) => ask(server, 'DELETE', `/jobs/${json.id}/`, { token }))),
    ),
  );
  const states = answers.map((ofJob) => {
    const told = ofJob.map(({ json: job }) => String(job?.state));
    return told.includes('cancelled') ? 'cancelled' : told.includes('done') ? 'done' : told.join();
  });
  return { statuses: accepted.map(({ status }) => status).sort(), states };
}

test('a job of one process: its state, events, file and end through the others', async () => {
  for (let tries = 1; ; tries++) {
    const { statuses, states } = await cancelledAtWork(`points${tries}`);
    // On a busy machine a job may be done before all requests are received, and makes room for another one.
    if (states.includes('done') && tries < 5) continue;
    assert.deepEqual(statuses, [202, 202, 429, 429], 'two jobs of a user, whoever takes them');
    assert.deepEqual(states, ['cancelled', 'cancelled']);
    const path = `/m/layers/points${tries}/count/?precise=1`;
    assert.equal((await everywhere('GET', path)).json, 0);
    break;
  }

  const { json: job } = await ask(one, 'GET', '/m/layers/land/export/?async=1&format=geojson', {
    token: admin,
  });
  const events = await ask(other, 'GET', `/jobs/${job.id}/events/`, { token: admin });
  assert.match(events.bytes.toString(), /"state":"done"/);
  assert.equal((await ended(job.id)).state, 'done');
  const file = await everywhere('GET', `/jobs/${job.id}/file/`);
  assert.equal(file.status, 200);
  assert.equal(JSON.parse(file.bytes.toString()).features.length, 1);
});

/** Kills the process that imports into a new layer, and gives the end of the job. */
async function killedAtWork(code: string): Promise<{ state: string; attempts: number }> {
  await newLayer(code);
  const before = servingOf(one);
  const { json: job } = await ask(one, 'POST', `/m/layers/${code}/import/?async=1`, {
    token: admin,
    body: large(),
  });
  const [row] = await db.query<{ process: string }>(
    sql`select process from cartulary.job where id = ${job.id}`,
  );
  const pid = Number(row!.process.split('/')[1]);
  assert.ok(before.includes(pid));
  process.kill(pid, 'SIGKILL');
  while (isRunning(pid) && servingOf(one).includes(pid)) await sleep(20);
  for (let i = 0; i < 10; i++) assert.equal((await ask(one, 'GET', '/m/', { token: admin })).status, 200);
  const end = await ended(job.id);
  while (servingOf(one).length < 2) await sleep(50);
  assert.ok(!servingOf(one).includes(pid));
  return end;
}

test('a process that dies is restarted, another carries out its job, and the service keeps answering', async () => {
  for (let tries = 1; ; tries++) {
    const end = await killedAtWork(`killed${tries}`);
    const path = `/m/layers/killed${tries}/count/?precise=1`;
    assert.equal((await everywhere('GET', path)).json, 250_000, 'once');
    // On a busy machine the job may be done before the process is killed.
    if (end.attempts === 1 && tries < 5) continue;
    assert.deepEqual([end.state, end.attempts], ['done', 2]);
    return;
  }
});

test('SIGTERM: what runs is finished, and all processes end', async () => {
  const pids = servingOf(one);
  const connections: Promise<void>[] = [];
  const tiles = Array.from({ length: 6 }, (_, i) => {
    let connected = (): void => {};
    connections.push(
      new Promise((resolve) => {
        connected = resolve;
      }),
    );
    return ask(one, 'GET', `//tms/demo/m/?z=6&x=${10 * i}&y=20`, { token: admin, connected });
  });
  await Promise.all(connections);
  const exit = once(one.child, 'exit');
  one.child.kill('SIGTERM');
  assert.deepEqual(
    (await Promise.all(tiles)).map(({ status }) => status),
    tiles.map(() => 200),
  );
  assert.deepEqual(await exit, [0, null]);
  assert.deepEqual(pids.filter(isRunning), []);
});
