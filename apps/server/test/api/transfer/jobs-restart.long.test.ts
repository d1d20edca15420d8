import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sql, sql } from '@cartulary/sql/internal/sql.js';
import { type Caller, publicUser } from '../../../src/access/caller.js';
import { checkImport } from '../../../src/imports/check-import.js';
import { runImport } from '../../../src/imports/run-import.js';
import { finishJob } from '../../../src/jobs/store.js';
import { releaseLostJobs, sweepJobs } from '../../../src/jobs/sweep.js';
import { uploadsIn } from '../../../src/jobs/uploads.js';
import { findLayer } from '../../../src/layers/layers.js';
import { freshPostgres } from '../../support/database.js';
import { type ServerProcess, serverProcess } from '../../support/process.js';
import { adminPassword, startServer, type TestServer } from '../../support/server.js';

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
async function installation(t: TestContext): Promise<{
  folder: string;
  start(settings?: Record<string, string>): Promise<ServerProcess & { url: string }>;
}> {
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
    async start(more = {}) {
      const started = await serverProcess(folder, { ...settings, ...more });
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

/** Waits for the end of a job. */
async function ended({ ask }: Client, id: string): Promise<any> {
  for (;;) {
    const job = await ask('GET', `/jobs/${id}/`);
    if (job.finished) return job;
    await sleep(50);
  }
}

const countOf = ({ ask }: Client, map: string): Promise<number> =>
  ask('GET', `/${map}/layers/l/count/?precise=1`);

/** Ends a server by a signal, and waits for it. */
async function end({ child, output }: ServerProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const gone = once(child, 'exit');
  child.kill(signal);
  assert.deepEqual(await gone, signal === 'SIGTERM' ? [0, null] : [null, signal], output());
}

async function assertResumed(
  client: Client,
  { map, running, waiting, made }: Awaited<ReturnType<typeof beginAll>>,
): Promise<void> {
  for (const [id, attempts] of [
    [running, 2],
    [waiting, 1],
  ] as const) {
    const job = await ended(client, id);
    assert.deepEqual([job.state, job.error, job.attempts], ['done', null, attempts], JSON.stringify(job));
  }
  assert.equal((await ended(client, running)).result.import.stored, 150_000);
  const file = await client.ask('GET', `/jobs/${made}/file/`);
  assert.equal(file.features.length, 10, 'a finished file is still there');
  assert.equal(await countOf(client, map), 10 + 150_000 + 5);
}

/** Uploads of ended jobs are removed soon, on a busy machine later; temporary files have gone by then. */
async function assertNoFiles(folder: string): Promise<void> {
  const uploads = (): string[] => listOf(join(folder, 'uploads'));
  for (let i = 0; i < 1_000 && uploads().length; i++) await sleep(20);
  assert.deepEqual([...listOf(join(folder, 'tmp')), ...uploads()], []);
}

test('jobs of a server that was killed, or asked to stop, are resumed after the next start, each stored once; event streams tell that they wait', async (t) => {
  const { folder, start } = await installation(t);
  const first = await start();
  const killed = await beginAll(await signIn(first.url), 'killed');
  assert.ok(listOf(join(folder, 'tmp')).length);
  assert.equal(listOf(join(folder, 'uploads')).length, 2);
  await end(first, 'SIGKILL');

  const second = await start();
  const client = await signIn(second.url);
  await assertResumed(client, killed);
  await assertNoFiles(folder);

  const stopped = await beginAll(client, 'stopped');
  const { token } = await client.ask(
    'POST',
    '/login/',
    JSON.stringify({ login: 'admin', password: adminPassword }),
  );
  const stream = await fetch(`${second.url}/api/2.8/demo/jobs/${stopped.running}/events/?token=${token}`);
  const events = stream.text();
  await end(second, 'SIGTERM');
  assert.match(await events, /"state":"queued"[^\n]*"attempts":1[^\n]*\n\n$/);
  assert.deepEqual(listOf(join(folder, 'tmp')), []);
  assert.equal(listOf(join(folder, 'uploads')).length, 2);
  const third = await start();
  await assertResumed(await signIn(third.url), stopped);
});

test('a job that was running at each end of the server has a limited number of starts, and can be sent again', async (t) => {
  const { folder, start } = await installation(t);
  const first = await start();
  const { map, running, waiting } = await beginAll(await signIn(first.url), 'often');
  await end(first, 'SIGKILL');
  const second = await start({ CARTULARY_JOB_ATTEMPTS: '1' });
  const client = await signIn(second.url);
  const job = await ended(client, running);
  assert.deepEqual([job.state, job.error?.code, job.attempts], ['failed', 'busy', 1]);
  assert.equal(job.error.message, 'The server was stopped before this job ended; send it again');
  assert.equal((await ended(client, waiting)).state, 'done', 'it had not started');
  assert.equal(await countOf(client, map), 15);
  const { id } = await client.ask('POST', `/${map}/layers/l/import/?async=1`, collection(5));
  assert.equal((await ended(client, id)).state, 'done');
  assert.equal(await countOf(client, map), 20);
  await assertNoFiles(folder);
});

test('expired files are removed; live jobs of other processes are left alone', async (t) => {
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
      uploads: uploadsIn(config.dataFolder),
      maxAttempts: 3,
      allowance: jobs.allowance,
      fileTimeSeconds: config.jobFileTimeS,
      keptDays: config.jobDays,
      processName: 'this/0/test',
      isLive: () => false,
    });
  const status = async (path: string): Promise<number> =>
    (await server.request('GET', path, { token: server.adminToken })).status;

  await sweep();
  assert.equal(readdirSync(folder).length, 3);
  assert.ok(jobs.allowance.keptBytes > 0);
  for (const { id } of [own, everybodys]) {
    await past(id, 1_001);
    const then = new Date(Date.now() - 1_001_000);
    utimesSync(join(folder, id), then, then);
  }
  await past(old.id, 2 * 86_400 + 1);
  assert.equal(await status(`/jobs/${own.id}/file/`), 404, 'before it is swept');
  await sweep();
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(jobs.allowance.keptBytes, 0);
  assert.equal(await status(`/jobs/${own.id}/`), 200);
  assert.equal(await status(`/jobs/${everybodys.id}/`), 404);
  assert.equal(await status(`/jobs/${old.id}/`), 404);
});

/** A server with the layer `l`. `begin` starts an import of `count` objects as a job. */
async function jobServer(t: TestContext) {
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
  return { server, db, begin, read, until, change };
}

test('a job is done when its import is stored, whichever process ends it', async (t) => {
  const { db, begin, read, until, change } = await jobServer(t);
  const lost = sql`state = 'running', finished_at = null, error = null, result = '{"import": {"stored": 5}}',
    process = 'elsewhere/1/x', seen_at = clock_timestamp() - interval '1 hour'`;

  // The process was killed between COMMIT and the end of the job.
  const swept = await begin(5);
  await until(swept, ({ state }) => state === 'done');
  await change(swept, lost);
  await releaseLostJobs(db, { attempts: 3 });
  assert.deepEqual(
    [(await read(swept)).state, (await read(swept)).result.import.stored, (await read(swept)).error],
    ['done', 5, null],
  );
  // The answer to COMMIT never came: the process thinks that it failed.
  await change(swept, lost);
  const standing = { state: 'running', phase: null, done: 0, total: null, percent: null } as const;
  const error = { error: 'error', code: 'busy', message: '', data: {} } as const;
  const end = { standing, outcome: { state: 'failed', error }, fileTime: 1 } as const;
  assert.equal(await finishJob(db, { id: swept, process: 'elsewhere/1/x' }, end), 'done');
  assert.deepEqual([(await read(swept)).state, (await read(swept)).error], ['done', null]);
  // Nothing was committed.
  await change(swept, sql`${lost}, committed = false, attempts = 3`);
  await releaseLostJobs(db, { attempts: 3 });
  assert.deepEqual([(await read(swept)).state, (await read(swept)).error.code], ['failed', 'busy']);
  // Of an earlier version, which stored nothing to resume it by.
  await change(swept, sql`${lost}, committed = false, request = null, attempts = 0`);
  await releaseLostJobs(db, { attempts: 3 });
  assert.deepEqual([(await read(swept)).state, (await read(swept)).error.code], ['failed', 'busy']);
});

test('a process that serves keeps its own jobs when it looks for those of ended ones', async (t) => {
  const { db, begin, read, until, change } = await jobServer(t);
  const id = await begin(5);
  await until(id, ({ state }) => state === 'done');
  // The tests and the service may be different processes: the name is that of this one.
  const owner = `${hostname()}/${process.pid}/x`;
  await change(
    id,
    sql`state = 'running', finished_at = null, committed = false, process = ${owner}, attempts = 3,
      seen_at = clock_timestamp()`,
  );
  await releaseLostJobs(db, { attempts: 3, isServing: true });
  assert.equal((await read(id)).state, 'running');
  // Before it serves, such a job is of an earlier process with the same id.
  await releaseLostJobs(db, { attempts: 3 });
  assert.equal((await read(id)).state, 'failed');
});

test('an import that was ended stores nothing', async (t) => {
  const { server, begin, read, until, change } = await jobServer(t);
  await until(await begin(5), ({ state }) => state === 'done');
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

/** The token of a new user `ed` with the right to edit. */
async function signInAsEditor({ admin, request }: TestServer): Promise<string> {
  await admin('POST', '/users/', { login: 'ed', password: 'long-enough', publicAccess: false });
  await admin('PUT', '/rights/', { user: 'ed', right: 'edit' });
  return (await request('POST', '/login/', { body: { login: 'ed', password: 'long-enough' } })).json.token;
}

/** Occupies all slots of imports, so that jobs wait. Returns a function that frees them. */
function holdImports({ imports, config }: TestServer['server']['services']): () => void {
  let free = (): void => {};
  const until = new Promise<void>((resolve) => {
    free = resolve;
  });
  for (let i = 0; i < config.importsAtOnce; i++) void imports(() => until);
  return free;
}

test('a job is resumed with the current rights and layer of its account; cancelled jobs and those taken by another process are not', async (t) => {
  const server = await startServer({}, 'here');
  t.after(() => server.stop());
  const { db } = server;
  const { services } = server.server;
  const uploads = uploadsIn(services.config.dataFolder);
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  const token = await signInAsEditor(server);
  const free = holdImports(services);
  const begin = async (count: number, query = ''): Promise<string> =>
    (await server.request('POST', `/m/layers/l/import/?async=1${query}`, { token, body: collection(count) }))
      .json.id;
  const ids = await Promise.all([begin(1), begin(2), begin(4), begin(8), begin(16), begin(32)]);
  const [good, denied, cancelled, taken, gone, remote] = ids;
  const change = (id: string, values: Sql) =>
    db.transaction((tx) => tx.query(sql`update cartulary.job set ${values} where id = ${id}`));
  /** As a process leaves it that was killed while it waited. */
  const leave = (id: string) =>
    change(id, sql`process = 'elsewhere/1/x', seen_at = clock_timestamp() - interval '1 hour'`);
  for (const id of [good, denied, cancelled, gone, remote]) await leave(id);
  await change(remote, sql`request = jsonb_set(request::jsonb, '{uploadFolder}', '"elsewhere"')::json`);
  // Processes that carried these jobs out notice the change and stop them.
  await change(taken, sql`process = 'another/1/y'`);
  while (ids.some((id) => services.jobs.live(id))) await sleep(50);
  free();
  await releaseLostJobs(db, { attempts: 3 });
  assert.equal((await server.admin('DELETE', `/jobs/${cancelled}/`)).state, 'cancelled');
  assert.equal(await uploads.has(cancelled), false);
  for (const id of [gone, remote]) await uploads.remove(id);

  const stored = await db.query<{ text: string }>(sql`select request::text as text from cartulary.job`);
  assert.ok(stored.every(({ text }) => !text.includes(token)));
  const settled = async (id: string): Promise<any> => {
    while (services.jobs.live(id)) await sleep(20);
    return server.admin('GET', `/jobs/${id}/`);
  };
  const held = await db.query<{ id: string }>(
    sql`select id from cartulary.job where id = any(${[denied, gone]}::uuid[])`,
  );
  assert.equal(held.length, 2);
  await change(denied, sql`process = 'held'`);
  await services.jobs.resume();
  assert.equal((await settled(good)).state, 'done');
  const lost = await settled(gone);
  assert.deepEqual([lost.state, lost.error.code], ['failed', 'busy'], 'its upload was here');
  assert.equal((await settled(remote)).state, 'queued', 'its upload is on another machine');
  await server.admin('PUT', '/rights/', { user: 'ed', right: 'view' });
  await change(denied, sql`process = ''`);
  await services.jobs.resume();
  const refused = await settled(denied);
  assert.deepEqual([refused.state, refused.error.code, refused.attempts], ['failed', 'forbidden', 1]);
  const left = await server.admin('GET', `/jobs/${taken}/`);
  assert.deepEqual([left.state, left.attempts], ['queued', 0]);
  assert.equal(await server.admin('GET', '/m/layers/l/count/?precise=1'), 1);
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
  const caller = { ...publicUser(project!), isInstaller: true };
  const layer = await findLayer(server.db, caller, { map: 'm', layer: 'l' }, 'edit');
  const file = { filename: undefined, bytes: Readable.from([Buffer.from(collection(3))]) };
  const checked = checkImport({}, services.config);
  const admitted = { caller, owner: 'test', layer, file };
  const answer = await runImport(services, checked, admitted, {
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
