import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../src/access/caller.js';
import { type Sql, sql } from '../../src/db/sql.js';
import { finishJob } from '../../src/jobs/store.js';
import { failLostJobs, sweepJobs } from '../../src/jobs/sweep.js';
import { findLayer } from '../../src/layers/layers.js';
import { importWork } from '../../src/transfer/import-work.js';
import { freshPostgres } from '../support/database.js';
import { type ServerProcess, serverProcess } from '../support/process.js';
import { adminPassword, startServer } from '../support/server.js';

const point = (i: number): string =>
  `{"type":"Feature","geometry":{"type":"Point","coordinates":[${i % 180},${i % 90}]},"properties":{"i":${i}}}`;
const collection = (count: number): string =>
  `{"type":"FeatureCollection","features":[${Array.from({ length: count }, (_, i) => point(i)).join(',')}]}`;

const listOf = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

interface Client {
  ask(method: string, path: string, body?: string): Promise<any>;
}

async function signIn(url: string): Promise<Client> {
  const api = `${url}/api/2.8/demo`;
  let token = '';
  const ask: Client['ask'] = async (method, path, body) => {
    const headers = { accept: 'application/json', ...(token ? { 'x-token': token } : {}) };
    const answer = await fetch(api + path, { method, headers, body: body ?? null });
    return answer.json();
  };
  const login = await ask('POST', '/login/', JSON.stringify({ login: 'admin', password: adminPassword }));
  token = login.token;
  return { ask };
}

/** A server as a process, on a database that outlives it. */
async function installation(
  t: TestContext,
): Promise<{ folder: string; start(): Promise<ServerProcess & { url: string }> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-jobs-'));
  const postgres = process.env.TEST_DATABASE_URL
    ? await freshPostgres(process.env.TEST_DATABASE_URL)
    : undefined;
  let last: ServerProcess | undefined;
  t.after(async () => {
    last?.child.kill('SIGKILL');
    await postgres?.drop();
    await rm(folder, { recursive: true, force: true });
  });
  const settings = {
    CARTULARY_ADMIN_PASSWORD: adminPassword,
    CARTULARY_IMPORTS_AT_ONCE: '1',
    // Less than the import takes.
    CARTULARY_STOP_TIME: '300',
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  };
  return {
    folder,
    async start() {
      const started = await serverProcess(folder, settings);
      last = started;
      return started;
    },
  };
}

/** Begins an import into a new map that takes long, one that waits for it, and an export that is done. */
async function beginAll(
  { ask }: Client,
  map: string,
): Promise<{ map: string; running: string; waiting: string; made: string }> {
  await ask('POST', '/', `{"code":"${map}"}`);
  await ask('POST', `/${map}/layers/`, '{"code":"l"}');
  await ask('POST', `/${map}/layers/l/import/`, collection(10));
  const made = (await ask('GET', `/${map}/layers/l/export/?format=geojson&async=1`)).id;
  while ((await ask('GET', `/jobs/${made}/`)).state !== 'done') await sleep(50);
  const running = (await ask('POST', `/${map}/layers/l/import/?async=1`, collection(150_000))).id;
  const waiting = (await ask('POST', `/${map}/layers/l/import/?async=1`, collection(5))).id;
  for (;;) {
    const job = await ask('GET', `/jobs/${running}/`);
    assert.notEqual(job.state, 'done', 'the import was too fast for this test');
    if (job.state === 'running' && job.done > 0) return { map, running, waiting, made };
    await sleep(20);
  }
}

async function assertEnded(
  client: Client,
  { map, running, waiting, made }: Awaited<ReturnType<typeof beginAll>>,
): Promise<void> {
  for (const id of [running, waiting]) {
    const job = await client.ask('GET', `/jobs/${id}/`);
    assert.deepEqual([job.state, job.error?.code], ['failed', 'busy'], JSON.stringify(job));
    assert.equal(job.error.message, 'The server was stopped before this job ended; send it again');
    assert.ok(job.finished);
  }
  assert.equal(
    (await client.ask('GET', `/jobs/${made}/file/`)).features.length,
    10,
    'a finished file is still there',
  );
  assert.equal(await client.ask('GET', `/${map}/layers/l/count/?precise=1`), 10);
}

test('jobs of a server that was killed have failed after the next start, and can be sent again; one that is asked to stop ends them, and their event streams, in a clear state', async (t) => {
  const { folder, start } = await installation(t);
  const first = await start();
  const killed = await beginAll(await signIn(first.url), 'killed');
  assert.ok(listOf(join(folder, 'tmp')).length);
  const killing = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await killing;

  const second = await start();
  const client = await signIn(second.url);
  await assertEnded(client, killed);
  assert.deepEqual(listOf(join(folder, 'tmp')), []);
  const { id } = await client.ask('POST', '/killed/layers/l/import/?async=1', collection(5));
  while ((await client.ask('GET', `/jobs/${id}/`)).state !== 'done') await sleep(50);
  assert.equal(await client.ask('GET', '/killed/layers/l/count/?precise=1'), 15);

  const stopped = await beginAll(client, 'stopped');
  const { token } = await client.ask(
    'POST',
    '/login/',
    JSON.stringify({ login: 'admin', password: adminPassword }),
  );
  const stream = await fetch(`${second.url}/api/2.8/demo/jobs/${stopped.waiting}/events/?token=${token}`);
  const events = stream.text();
  const gone = once(second.child, 'exit');
  second.child.kill('SIGTERM');
  assert.match(await events, /"state":"failed"[^\n]*\n\n$/);
  assert.deepEqual(await gone, [0, null], second.output());
  assert.deepEqual(listOf(join(folder, 'tmp')), []);
  const third = await start();
  await assertEnded(await signIn(third.url), stopped);
});

test('what was kept for its time is removed; jobs of others that live are left alone', async (t) => {
  const server = await startServer({ CARTULARY_JOB_FILE_TIME: '1000', CARTULARY_JOB_DAYS: '2' }, 'here');
  t.after(() => server.stop());
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  const done = async (token?: string): Promise<any> => {
    const options = token ? { token } : {};
    const { id } = (await server.request('GET', '/m/layers/l/export/?format=geojson&async=1', options)).json;
    for (;;) {
      const { json } = await server.request('GET', `/jobs/${id}/`, options);
      if (json.state !== 'queued' && json.state !== 'running') return json;
      await sleep(20);
    }
  };
  const [own, everybodys, old] = [await done(server.adminToken), await done(), await done(server.adminToken)];
  const { jobs, config } = server.server.services;
  const folder = join(config.dataFolder, 'exports');
  const past = (id: string, s: number): Promise<unknown> =>
    server.db.transaction((tx) =>
      tx.query(sql`update cartulary.job set finished_at = finished_at - ${s}::integer * interval '1 second',
        file_until = file_until - ${s}::integer * interval '1 second' where id = ${id}`),
    );
  const sweep = (): Promise<void> =>
    sweepJobs({
      db: server.db,
      log: console,
      kept: jobs.kept,
      allowance: jobs.allowance,
      fileTime: config.jobFileTime,
      days: config.jobDays,
      me: 'this/0/test',
      isLive: () => false,
    });
  const status = async (path: string): Promise<number> =>
    (await server.request('GET', path, { token: server.adminToken })).status;

  await sweep();
  assert.equal(readdirSync(folder).length, 3);
  assert.ok(jobs.allowance.kept > 0);
  for (const { id } of [own, everybodys]) {
    await past(id, 1_001);
    const then = new Date(Date.now() - 1_001_000);
    utimesSync(join(folder, id), then, then);
  }
  await past(old.id, 2 * 86_400 + 1);
  assert.equal(await status(`/jobs/${own.id}/file/`), 404, 'before it is swept');
  await sweep();
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(jobs.allowance.kept, 0);
  assert.equal(await status(`/jobs/${own.id}/`), 200);
  assert.equal(await status(`/jobs/${everybodys.id}/`), 404);
  assert.equal(await status(`/jobs/${old.id}/`), 404);
});

test('a job is done when its import is stored, whoever ends it, and stores nothing when it was ended', async (t) => {
  const server = await startServer({}, 'here');
  t.after(() => server.stop());
  const { db } = server;
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  const begin = async (count: number): Promise<string> =>
    (
      await server.request('POST', '/m/layers/l/import/?async=1', {
        token: server.adminToken,
        body: collection(count),
      })
    ).json.id;
  const read = (id: string) => server.admin('GET', `/jobs/${id}/`);
  const until = async (id: string, isThere: (job: any) => boolean): Promise<any> => {
    for (;;) {
      const job = await read(id);
      if (isThere(job)) return job;
      await sleep(10);
    }
  };
  const change = (id: string, values: Sql) =>
    db.transaction((tx) => tx.query(sql`update cartulary.job set ${values} where id = ${id}`));
  const lost = sql`state = 'running', finished_at = null, error = null, result = '{"import": {"stored": 5}}',
    process = 'elsewhere/1/x', seen_at = clock_timestamp() - interval '1 hour'`;

  // The process was killed between COMMIT and the end of the job.
  const swept = await begin(5);
  await until(swept, ({ state }) => state === 'done');
  await change(swept, lost);
  await failLostJobs(db);
  assert.deepEqual(
    [(await read(swept)).state, (await read(swept)).result.import.stored, (await read(swept)).error],
    ['done', 5, null],
  );
  // The answer to COMMIT never came: the process thinks that it failed.
  await change(swept, lost);
  const standing = { state: 'running', phase: null, done: 0, total: null, percent: null } as const;
  const error = { error: 'error', code: 'busy', message: '', data: {} } as const;
  const end = { standing, outcome: { state: 'failed', error }, fileTime: 1 } as const;
  assert.equal(await finishJob(db, swept, end), 'done');
  assert.deepEqual([(await read(swept)).state, (await read(swept)).error], ['done', null]);
  // Nothing was committed.
  await change(swept, sql`${lost}, committed = false`);
  await failLostJobs(db);
  assert.deepEqual([(await read(swept)).state, (await read(swept)).error.code], ['failed', 'busy']);

  const ended = await begin(100_000);
  await until(ended, ({ state, done }) => state === 'running' && done > 0);
  await change(ended, sql`state = 'failed', finished_at = clock_timestamp()`);
  await until(ended, () => !server.server.services.jobs.live(ended));
  assert.equal(
    await server.admin('GET', '/m/layers/l/count/?precise=1'),
    5,
    'it was ended: nothing is stored',
  );
  assert.equal((await read(ended)).state, 'failed');
});

test('an import that is stored says so, also where its layer has gone before the answer', async (t) => {
  const server = await startServer({}, 'here');
  t.after(() => server.stop());
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  const { services } = server.server;
  const [project] = await server.db.query<Caller['project']>(
    sql`select id, code, languages from cartulary.project where code = 'demo'`,
  );
  const caller: Caller = {
    project: project!,
    account: null,
    groupIds: [],
    isPublic: false,
    isInstaller: true,
    session: null,
  };
  const layer = await findLayer(server.db, caller, { map: 'm', layer: 'l' }, 'edit');
  const file = { filename: undefined, bytes: Readable.from([Buffer.from(collection(3))]) };
  const work = importWork(services, { caller, owner: 'test' }, {});
  const answer = await work(layer, file, {
    signal: new AbortController().signal,
    async beforeCommit() {
      // Deleted right behind COMMIT: it is not found under its name.
      layer.code = 'gone';
    },
  });
  assert.deepEqual(Object.keys(answer), ['import']);
  assert.equal((answer as { import: { stored: number } }).import.stored, 3);
  assert.equal(await server.admin('GET', '/m/layers/l/count/?precise=1'), 3);
});

test('the files of all jobs have a limit', async (t) => {
  const server = await startServer({ CARTULARY_JOB_SPACE: '5000' });
  t.after(() => server.stop());
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  const token = server.adminToken;
  const send = (body: string) => server.request('POST', '/m/layers/l/import/?async=1', { token, body });
  const end = async (id: string): Promise<any> => {
    for (;;) {
      const job = await server.admin('GET', `/jobs/${id}/`);
      if (job.state !== 'queued' && job.state !== 'running') return job;
      await sleep(20);
    }
  };
  const large = await send(collection(100));
  assert.deepEqual([large.status, large.headers.has('retry-after')], [429, true]);
  for (let i = 0; i < 4; i++) {
    const job = await end((await send(collection(20))).json.id);
    assert.equal(job.state, 'done', 'room is given back');
  }
  const made = (await server.request('GET', '/m/layers/l/export/?format=geojson&async=1', { token })).json;
  const job = await end(made.id);
  assert.deepEqual([job.state, job.error.code], ['failed', 'too_many_requests'], 'an export that needs more');
  const small = await end(
    (await server.request('GET', '/m/layers/l/export/?format=geojson&async=1&feature_ids=1,2', { token }))
      .json.id,
  );
  assert.equal(small.state, 'done');
  assert.equal((await send(collection(1))).status, 202);
  assert.deepEqual(listOf(join(server.server.services.config.dataFolder, 'exports')), [small.id]);
});
