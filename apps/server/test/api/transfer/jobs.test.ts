import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer({ CARTULARY_JOBS_PER_USER: '3', CARTULARY_JOB_STREAMS: '2' }, 'here');
  await server.admin('POST', '/', { code: 'm' });
  for (const login of ['editor', 'viewer', 'stranger']) {
    await server.admin('POST', '/users/', { login, password: 'long-enough', publicAccess: false });
    const right = { editor: 'edit', viewer: 'view' }[login];
    if (right) await server.admin('PUT', '/rights/', { user: login, right });
  }
});
test.after(() => server.stop());

async function tokenOf(login: string): Promise<string> {
  return (await server.request('POST', '/login/', { body: { login, password: 'long-enough' } })).json.token;
}

async function newLayer(): Promise<string> {
  const code = freshCode('l');
  await server.admin('POST', '/m/layers/', { code });
  return code;
}

const feature = (i: number, note: unknown = `n${i}`): string =>
  `{"type":"Feature","geometry":{"type":"Point","coordinates":[${i % 180},${i % 90}]},"properties":{"i":${i},"note":${JSON.stringify(note)}}}`;
const collection = (count: number): string =>
  `{"type":"FeatureCollection","features":[${Array.from({ length: count }, (_, i) => feature(i)).join(',')}]}`;

const send = (layer: string, body: unknown, query = '', token = server.adminToken): Promise<TestAnswer> =>
  server.request('POST', `/m/layers/${layer}/import/?${query}`, { token, body });

/** Begins a job and gives it. */
async function begin(layer: string, body: unknown, query = '', token = server.adminToken): Promise<any> {
  const answer = await send(layer, body, `async=1&${query}`, token);
  assert.equal(answer.status, 202, answer.text);
  assert.equal(answer.headers.get('location'), `/api/2.8/demo/jobs/${answer.json.id}/`);
  return answer.json;
}

async function beginExport(layer: string, query: string, token?: string): Promise<any> {
  const answer = await server.request(
    'GET',
    `/m/layers/${layer}/export/?async=1&${query}`,
    token ? { token } : {},
  );
  assert.equal(answer.status, 202, answer.text);
  return answer.json;
}

const isFinal = ({ state }: any): boolean => state !== 'queued' && state !== 'running';

async function ended(id: string, token: string | undefined = server.adminToken): Promise<any> {
  for (let i = 0; i < 600; i++) {
    const { json, status, text } = await server.request('GET', `/jobs/${id}/`, token ? { token } : {});
    assert.equal(status, 200, text);
    if (isFinal(json)) return json;
    await sleep(50);
  }
  assert.fail('the job does not end');
}

const countOf = (layer: string): Promise<number> =>
  server.admin('GET', `/m/layers/${layer}/count/?precise=1`);

/** Fails when anything was left behind. */
async function assertClean(): Promise<void> {
  const folder = join(server.server.services.config.dataFolder, 'tmp');
  const left = (): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  for (let i = 0; i < 100 && left().length; i++) await sleep(50);
  assert.deepEqual(left(), []);
  const staging = await server.db.query(
    sql`select relname from pg_class where relname like 'staging\\_%' and relkind = 'r'`,
  );
  assert.deepEqual(staging, []);
}

/** A slot that is held until it is released, so that later jobs wait. */
async function takeTurns(which: 'imports' | 'exports'): Promise<() => Promise<void>> {
  const { services } = server.server;
  const most = which === 'imports' ? services.config.importsAtOnce : services.config.exportJobsAtOnce;
  let release = (): void => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slots = Array.from({ length: most }, () =>
    services[which](() => until, new AbortController().signal),
  );
  return async () => {
    release();
    await Promise.all(slots);
  };
}

/** Reads an event stream to its end, or until `enough`. */
async function events(id: string, enough: (job: any) => boolean = () => false): Promise<any[]> {
  const response = await fetch(`${server.api}/jobs/${id}/events/?token=${server.adminToken}`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type')!, /^text\/event-stream/);
  const seen: any[] = [];
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      if (!event.startsWith('data: ')) continue;
      seen.push(JSON.parse(event.slice(6)));
      if (enough(seen.at(-1))) return seen;
    }
  }
  return seen;
}

/** Opens an event stream over a connection of its own, which `leave` cuts. */
async function openEvents(id: string): Promise<{ status: number; leave(): void }> {
  const outgoing = httpRequest(`${server.api}/jobs/${id}/events/?token=${server.adminToken}`, {
    agent: false,
  });
  outgoing.on('error', () => {});
  outgoing.end();
  const incoming = await new Promise<IncomingMessage>((resolve) => outgoing.once('response', resolve));
  incoming.on('error', () => {}).resume();
  return { status: incoming.statusCode!, leave: () => outgoing.destroy() };
}

test('an import as a job comes to what the plain call answers', async () => {
  const [plain, later] = [await newLayer(), await newLayer()];
  const file = collection(300);
  const answer = (await send(plain, file)).json;
  const accepted = await begin(later, file);
  assert.deepEqual(
    [accepted.kind, accepted.map, accepted.layer, accepted.result, accepted.error, accepted.finished],
    ['import', 'm', later, null, null, null],
  );
  const job = await ended(accepted.id);
  assert.equal(job.state, 'done', JSON.stringify(job));
  assert.deepEqual(job.result.import, answer.import);
  assert.deepEqual(Object.keys(job.result), Object.keys(answer));
  assert.equal(job.result.code, later);
  assert.equal(job.done, 300);
  assert.ok(job.created <= job.started && job.started <= job.finished);
  assert.equal(await countOf(later), 300);
  await assertClean();
});

test('a form, a dry run and gzip work as in the plain call', async () => {
  const layer = await newLayer();
  const form = new FormData();
  form.set('async', '1');
  form.set('dry_run', '1');
  form.set('file', new Blob([collection(20)]), 'some.geojson');
  const answer = await server.request('POST', `/m/layers/${layer}/import/`, {
    token: server.adminToken,
    body: form,
  });
  assert.equal(answer.status, 202, answer.text);
  const job = await ended(answer.json.id);
  assert.deepEqual([job.state, job.result.import.read, job.result.import.stored], ['done', 20, 0]);
  assert.ok(job.result.import.columns);
  assert.equal(await countOf(layer), 0);
});

test('a job that fails has the error of the plain call, and nothing is stored', async () => {
  const layer = await newLayer();
  await send(layer, collection(3));
  const wrong = `{"type":"FeatureCollection","features":[${feature(7)},${feature(8).replace(/"i":8/, '"i":"x"')}]}`;
  const plain = await send(layer, wrong);
  assert.equal(plain.status, 500);
  const job = await ended((await begin(layer, wrong)).id);
  assert.equal(job.state, 'failed');
  assert.deepEqual(job.error, plain.json);
  assert.equal(job.result, null);
  assert.equal(await countOf(layer), 3);
  await assertClean();
});

test('errors in a request are answered at once, without a job', async () => {
  const layer = await newLayer();
  const before = (await server.admin('GET', '/jobs/')).length;
  for (const [query, status] of [
    ['action=3', 400],
    ['async=2', 400],
    ['encoding=nonsense', 400],
  ] as const)
    assert.equal((await send(layer, '{}', `async=1&${query}`)).status, status, query);
  const unknown = await server.request('GET', `/m/layers/${layer}/export/?async=1&format=x`, {
    token: server.adminToken,
  });
  assert.equal(unknown.json.code, 'format_invalid');
  assert.equal(
    (await server.request('POST', `/m/layers/${layer}/import/?async=1`, { body: '{}' })).status,
    401,
  );
  assert.equal((await server.admin('GET', '/jobs/')).length, before);
  await assertClean();
});

test('the events tell the progress and end with the result', async () => {
  // Long enough for several events on a fast machine.
  const count = 200_000;
  const layer = await newLayer();
  const release = await takeTurns('imports');
  const { id } = await begin(layer, collection(count));
  let watch = (): void => {};
  const isWatched = new Promise<void>((resolve) => {
    watch = resolve;
  });
  const watching = events(id, () => {
    watch();
    return false;
  });
  await Promise.race([isWatched, watching]);
  await release();
  const seen = await watching;
  assert.equal(seen[0].state, 'queued');
  assert.equal(seen.at(-1).state, 'done');
  assert.equal(seen.at(-1).result.import.stored, count);
  const running = seen.filter(({ state }) => state === 'running');
  assert.ok(running.length, 'progress was told');
  assert.ok(running.some(({ phase }) => phase === 'reading' || phase === 'storing'));
  for (const job of running) assert.ok(job.percent === null || (job.percent >= 0 && job.percent <= 100));
  const stored = seen.filter(({ phase, done }) => phase === 'reading' && done > 0 && done < count);
  assert.ok(stored.length, JSON.stringify(running.slice(0, 5)));
  assert.deepEqual((await events(id)).length, 1, 'a job that has ended is one event');
});

test('a job that waits and one that runs can be cancelled; the layer is as before', async () => {
  const layer = await newLayer();
  await send(layer, collection(5));
  const release = await takeTurns('imports');
  const waiting = await begin(layer, collection(50));
  const cancelled = await server.admin('DELETE', `/jobs/${waiting.id}/`);
  assert.equal(cancelled.state, 'cancelled');
  await release();
  assert.equal((await ended(waiting.id)).state, 'cancelled');

  const { id } = await begin(layer, collection(100_000), 'action=1');
  await events(id, ({ state, done }) => state === 'running' && done > 0);
  await server.admin('DELETE', `/jobs/${id}/`);
  // The answer waits for the end for a limited time only.
  const job = await ended(id);
  assert.deepEqual([job.state, job.result, job.error], ['cancelled', null, null]);
  assert.equal(await countOf(layer), 5);
  await assertClean();
  // The one that has ended is removed.
  await server.admin('DELETE', `/jobs/${id}/`);
  assert.equal((await server.request('GET', `/jobs/${id}/`, { token: server.adminToken })).status, 404);
});

test('the file of an export is kept, and sent whole or in parts', async () => {
  const layer = await newLayer();
  await send(layer, collection(400));
  for (const format of ['geojson', 'gpkg', 'shp']) {
    const job = await ended((await beginExport(layer, `format=${format}`, server.adminToken)).id);
    assert.equal(job.state, 'done', JSON.stringify(job));
    assert.deepEqual([job.kind, job.done, job.total], ['export', 400, 400]);
    const { path, name, size, mime, expires } = job.result;
    assert.ok(expires > job.finished);
    const get = async (headers = {}) => {
      const authorization = `Bearer ${server.adminToken}`;
      const answer = await fetch(server.url + path, { headers: { authorization, ...headers } });
      return {
        status: answer.status,
        headers: answer.headers,
        bytes: Buffer.from(await answer.arrayBuffer()),
      };
    };
    const whole = await get();
    assert.equal(whole.status, 200);
    assert.equal(whole.bytes.length, size);
    assert.equal(whole.headers.get('content-type'), mime);
    assert.ok(whole.headers.get('content-disposition')!.includes(name));
    if (format === 'geojson') {
      const plain = await server.request('GET', `/m/layers/${layer}/export/?format=geojson`);
      assert.equal(whole.bytes.toString(), plain.text);
    }
    const part = await get({ range: 'bytes=10-19' });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes 10-19/${size}`);
    assert.deepEqual(part.bytes, whole.bytes.subarray(10, 20));
    assert.equal((await get({ range: `bytes=${size}-` })).status, 416);
    assert.equal((await get({ 'if-none-match': whole.headers.get('etag')! })).status, 304);
    await server.admin('DELETE', `/jobs/${job.id}/`);
    assert.equal((await get()).status, 404);
  }
  assert.deepEqual(readdirSync(join(server.server.services.config.dataFolder, 'exports')), []);
  await assertClean();
});

test('jobs are visible to their owner and to administrators of the project', async () => {
  const layer = await newLayer();
  const editor = await tokenOf('editor');
  const { id } = await begin(layer, collection(2), '', editor);
  await ended(id, editor);
  const status = async (token: string | undefined, path: string, method = 'GET'): Promise<number> =>
    (await server.request(method, path, token ? { token } : {})).status;
  for (const who of ['viewer', 'stranger']) {
    const token = await tokenOf(who);
    for (const path of [`/jobs/${id}/`, `/jobs/${id}/events/`, `/jobs/${id}/file/`])
      assert.equal(await status(token, path), 404, `${who} ${path}`);
    assert.equal(await status(token, `/jobs/${id}/`, 'DELETE'), 404);
    assert.deepEqual((await server.request('GET', '/jobs/', { token })).json, []);
  }
  assert.equal(await status(undefined, `/jobs/${id}/`), 404);
  assert.equal(await status(undefined, '/jobs/'), 401);
  assert.equal(await status(editor, '/jobs/nonsense/'), 404);
  assert.equal(await status(editor, `/jobs/${id}/file/`), 404, 'an import has no file');
  assert.equal(await status(server.adminToken, `/jobs/${id}/`), 200);
  const own = (await server.request('GET', '/jobs/?limit=1', { token: editor })).json;
  assert.deepEqual(
    own.map((job: any) => job.id),
    [id],
  );
  assert.ok(!(await server.admin('GET', '/jobs/')).some((job: any) => job.id === id));
});

test('an owner who may no longer view the layer learns nothing of it from a job', async () => {
  const layer = await newLayer();
  const editor = await tokenOf('editor');
  const made = await ended((await beginExport(layer, 'format=geojson', editor)).id, editor);
  const imported = await ended((await begin(layer, collection(1), '', editor)).id, editor);
  await server.admin('PUT', `/m/layers/${layer}/rights/`, { user: 'editor', right: 'none' });
  const hidden = (await server.request('GET', `/jobs/${imported.id}/`, { token: editor })).json;
  assert.deepEqual([hidden.map, hidden.layer, hidden.result], [null, null, null]);
  assert.equal((await server.request('GET', `/jobs/${made.id}/file/`, { token: editor })).status, 403);
  assert.equal(
    (await server.request('GET', `/jobs/${made.id}/file/`, { token: server.adminToken })).status,
    200,
  );
});

test('an export without a token is a job of everybody who knows its id', async () => {
  const layer = await newLayer();
  await send(layer, collection(4));
  const { id } = await beginExport(layer, 'format=geojson');
  const job = await ended(id, undefined);
  assert.equal(job.state, 'done');
  assert.equal((await server.request('GET', `/jobs/${id}/file/`)).json.features.length, 4);
  assert.equal((await server.request('DELETE', `/jobs/${id}/`)).status, 200);
});

test('limits: unfinished jobs and open streams of one user', async () => {
  const layer = await newLayer();
  const release = await takeTurns('imports');
  const jobs: any[] = [];
  for (let i = 0; i < 3; i++) jobs.push(await begin(layer, collection(1)));
  const fourth = await send(layer, collection(1), 'async=1');
  assert.equal(fourth.status, 429);
  assert.ok(Number(fourth.headers.get('retry-after')) > 0);
  const other = await begin(layer, collection(1), '', await tokenOf('editor'));
  const streams = [await openEvents(jobs[0].id), await openEvents(jobs[0].id)];
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await openEvents(jobs[0].id)).status, 429);
  streams[0]!.leave();
  // A client that has left no longer counts.
  let again = await openEvents(jobs[0].id);
  for (let i = 0; i < 100 && again.status !== 200; i++) {
    await sleep(50);
    again = await openEvents(jobs[0].id);
  }
  assert.equal(again.status, 200);
  for (const { leave } of [...streams, again]) leave();
  await release();
  for (const { id } of [...jobs, other]) assert.equal((await ended(id)).state, 'done');
  assert.equal(await countOf(layer), 4);
  await ended((await begin(layer, collection(1))).id);
});

test('an upload that is cut off begins no job and leaves nothing', async () => {
  const layer = await newLayer();
  const before = (await server.admin('GET', '/jobs/')).length;
  const outgoing = httpRequest(`${server.api}/m/layers/${layer}/import/?async=1`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${server.adminToken}`, 'content-length': '1000000' },
  });
  outgoing.on('error', () => {});
  outgoing.write(collection(100));
  const folder = join(server.server.services.config.dataFolder, 'tmp');
  for (let i = 0; i < 100 && !(existsSync(folder) && readdirSync(folder).length); i++) await sleep(20);
  const closed = new Promise((resolve) => outgoing.once('close', resolve));
  outgoing.destroy();
  await closed;
  await assertClean();
  assert.equal((await server.admin('GET', '/jobs/')).length, before);
  assert.equal(await countOf(layer), 0);
});

test('a job is shown and cancelled by another server on the same database', {
  skip: !process.env.TEST_DATABASE_URL,
}, async (t) => {
  const { databaseUrl, dataFolder } = server.server.services.config;
  const other = await startServer({ DATABASE_URL: databaseUrl, CARTULARY_DATA: dataFolder });
  t.after(() => other.server.stop());
  const release = await takeTurns('imports');
  const layer = await newLayer();
  const { id } = await begin(layer, collection(5));
  const ask = (method: string) => other.request(method, `/jobs/${id}/`, { token: server.adminToken });
  assert.equal((await ask('GET')).json.state, 'queued');
  assert.equal((await ask('DELETE')).status, 200);
  assert.equal((await ended(id)).state, 'cancelled');
  await release();
  assert.equal(await countOf(layer), 0);
  assert.equal((await ask('GET')).json.state, 'cancelled');
});
