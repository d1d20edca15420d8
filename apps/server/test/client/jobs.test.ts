import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import type { CartularyClient, JobDetails } from '@cartulary/client';
import { startServer, type TestServer } from '../support/server.js';
import { freshLayer, points, signedIn } from './support.js';

let server: TestServer;
let client: CartularyClient;
before(async () => {
  server = await startServer();
  client = await signedIn(server);
});
after(() => server.stop());

const layerFunction = '/api/2.8/{project}/{map}/layers/{layer}/';

test('an upload tells its progress, its job is followed to the end, an export gives its file', async () => {
  const path = await freshLayer(client);
  const source = points(5_000);
  const progress: [number, number | undefined][] = [];
  const job = await client.importFile(
    path,
    { name: 'Brunnen ä.geojson', source },
    { settings: { action: '1' }, onProgress: (...at) => progress.push(at) },
  );
  assert.ok(progress.length > 1);
  assert.deepEqual(progress.at(-1), [source.size, source.size]);
  assert.deepEqual(
    progress.map(([sent]) => sent),
    progress.map(([sent]) => sent).sort((a, b) => a - b),
  );
  const states: JobDetails[] = [];
  for await (const state of job) states.push(state);
  assert.equal(states.at(-1)!.state, 'done');
  assert.equal(new Set(states.map((state) => JSON.stringify(state))).size, states.length, 'no state twice');
  const result = await job.result<{ import: { stored: number } }>();
  assert.equal(result.import.stored, 5_000);

  const exported = await client.exportFile(path, { format: 'geojson' });
  const file = (await (await exported.file()).json()) as { features: unknown[] };
  assert.equal(file.features.length, 5_000);
  assert.equal((await exported.cancel()).state, 'done', 'it is removed');
  await assert.rejects(exported.state(), { code: 'job_not_found', status: 404 });
});

test('a stream is sent as it comes, bytes too', async () => {
  const path = await freshLayer(client);
  const stream = points(10).stream() as ReadableStream<Uint8Array>;
  const totals: unknown[] = [];
  const streamed = await client.importFile(
    path,
    { name: 'p.geojson', source: stream },
    { onProgress: (_sent, total) => totals.push(total) },
  );
  await streamed.result();
  assert.deepEqual(totals, [undefined]);
  const bytes = new Uint8Array(await points(3).arrayBuffer());
  await (await client.importFile(path, { name: 'p.geojson', source: bytes })).result();
  assert.equal(await client.get(`${layerFunction}count/`, { params: { path } }), 13);
});

test('a file of an object', async () => {
  const path = await freshLayer(client);
  const { id } = await client.post(`${layerFunction}objects/`, { params: { path }, body: { fields: {} } });
  const source = new Blob([new Uint8Array(300_000).fill(65)]);
  const progress: number[] = [];
  const file = await client.addFile(
    { ...path, object: id, field: 'photo' },
    { name: 'Ä b.txt', source },
    { onProgress: (sent) => progress.push(sent) },
  );
  assert.equal(file.name, 'Ä b.txt');
  assert.ok(progress.at(-1)! > source.size);
  const address = client.address('/api/2.8/{project}/files/{uuid}/', { path: { uuid: file.uuid } });
  const response = await client.open(address, {}, { isRead: true });
  assert.equal((await response.arrayBuffer()).byteLength, source.size);
});

test('the error of a job that fails is that of the plain call; a file that is too large is refused', async () => {
  const path = await freshLayer(client);
  const broken = await client.importFile(path, { name: 'x.geojson', source: new Blob(['{"type": ']) });
  await assert.rejects(broken.result(), { name: 'ClientError', code: 'import_failed', status: 500 });

  const small = await startServer({ CARTULARY_IMPORT_LIMIT: '2048' });
  try {
    const own = await signedIn(small);
    const place = await freshLayer(own);
    for (const onProgress of [undefined, () => {}]) {
      const source = new Blob([new Uint8Array(3_000_000)]);
      const sending = own.importFile(
        place,
        { name: 'x.geojson', source },
        { ...(onProgress ? { onProgress } : {}) },
      );
      await assert.rejects(sending, { code: 'too_large', status: 413 });
    }
  } finally {
    await small.stop();
  }
});

test('a job can be cancelled', async () => {
  const path = await freshLayer(client);
  const job = await client.importFile(path, { name: 'p.geojson', source: points(60_000) });
  const { state } = await job.cancel();
  // Where it was quicker it is done with all that it stored, and removed.
  const isLate = state === 'done';
  await assert.rejects(job.result(), { code: isLate ? 'job_not_found' : 'cancelled' });
  const count = await client.get(`${layerFunction}count/`, {
    params: { path, query: { precise: 'true' } },
  });
  assert.equal(count, isLate ? 60_000 : 0);
});

/** A client whose streams of events are the given responses in turn; null: the connection breaks. */
async function withEvents(events: ((real: () => Promise<Response>) => Promise<Response>)[]): Promise<{
  own: CartularyClient;
  asked: string[];
}> {
  const asked: string[] = [];
  const own = await signedIn(server, {
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname.split('/').at(-2)!);
      const answer = pathname.endsWith('/events/') ? events.shift() : undefined;
      return answer ? answer(() => fetch(request)) : fetch(request);
    },
  });
  return { own, asked };
}

const error = (status: number, code: string): Response =>
  Response.json({ error: 'error', code, message: code, data: {} }, { status });

test('a job is followed over interruptions, and without a stream where there are too many', async () => {
  const path = await freshLayer(client);
  const { id } = await client.importFile(path, { name: 'p.geojson', source: points(10) });
  await client.job(id).result();

  const cut = async (real: () => Promise<Response>): Promise<Response> => {
    const text = (await (await real()).text()).replace('"done"', '"running"');
    return new Response(text.slice(0, text.indexOf('\n\n') + 2));
  };
  const torn = async (): Promise<Response> =>
    new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError('terminated')) }));
  const { own, asked } = await withEvents([
    async () => error(503, 'busy'),
    async () => {
      throw new TypeError('fetch failed');
    },
    torn,
    cut,
  ]);
  const states: string[] = [];
  for await (const { state } of own.job(id)) states.push(state);
  assert.deepEqual(states, ['running', 'done']);
  assert.equal(asked.filter((name) => name === 'events').length, 5);

  const crowded = await withEvents([async () => error(429, 'too_many_requests')]);
  assert.equal((await crowded.own.job(id).result<{ code: string }>()).code, 'wells');
  assert.deepEqual(crowded.asked.slice(-2), ['events', id]);

  await assert.rejects(own.job('00000000-0000-4000-8000-000000000000').result(), { status: 404 });
});

test('too many streams at the real service: the job is asked for instead', async () => {
  const own = await startServer({ CARTULARY_JOB_STREAMS: '1' });
  try {
    const admin = await signedIn(own);
    const path = await freshLayer(admin);
    const job = await admin.importFile(path, { name: 'p.geojson', source: points(40_000) });
    const results = await Promise.all([job.result(), job.result(), job.result()]);
    assert.equal(new Set(results.map((result) => JSON.stringify(result))).size, 1);
  } finally {
    await own.stop();
  }
});
