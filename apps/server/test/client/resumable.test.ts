import assert from 'node:assert/strict';
import test from 'node:test';
import { ClientError } from '@cartulary/client';
import { startServer, type TestServer } from '../support/server.js';
import { freshLayer, points, signedIn } from './support.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.stop());

const uploadsPath = '/api/2.8/{project}/files/uploads/';

test('an upload goes on where the service has come, and an import takes it twice', async () => {
  const sent: string[] = [];
  const client = await signedIn(server, {
    fetch: async (request) => {
      if (request.method !== 'PATCH') return fetch(request);
      sent.push(request.headers.get('upload-offset')!);
      if (sent.length > 1) return fetch(request);
      // The first part comes only in part, and its answer is lost.
      const part = (await request.arrayBuffer()).slice(0, 1000);
      const headers = new Headers(request.headers);
      headers.delete('content-length');
      await fetch(request.url, { method: 'PATCH', headers, body: part });
      throw new TypeError('the connection is broken');
    },
  });
  const path = await freshLayer(client);
  const source = points(100);
  const shares: number[] = [];
  const onProgress = (bytes: number, total?: number) => shares.push(bytes / total!);
  const upload = await client.upload({ name: 'точки.geojson', source }, { onProgress });
  assert.deepEqual(sent, ['0', '1000']);
  assert.equal(shares.at(-1), 1);
  const [known] = await client.get(uploadsPath);
  assert.deepEqual([known!.id, known!.name, known!.offset], [upload, 'точки.geojson', source.size]);
  const { import: plan } = await client.post('/api/2.8/{project}/{map}/import/', {
    params: { path, query: { upload, dry_run: '1' } },
  });
  assert.equal(plan.read, 100);
  for (const action of ['2', '1'] as const) {
    const job = await client.importUpload(path, upload, { action });
    assert.equal((await job.result<{ import: { stored: number } }>()).import.stored, 100);
  }
});

test('an upload that is aborted or refused is removed; an empty one is whole', async () => {
  const client = await signedIn(server);
  const controller = new AbortController();
  const aborted = client.upload(
    { name: 'a', source: points(2000) },
    { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) },
  );
  await assert.rejects(aborted, /enough/);
  const wrong = { name: 'a', source: new Blob(['x']) };
  const signedOut = await signedIn(server);
  await signedOut.signOut();
  await assert.rejects(
    signedOut.upload(wrong),
    (error) => error instanceof ClientError && error.status === 401,
  );
  const empty = await client.upload({ name: 'empty', source: new Blob([]) });
  const names = async () => (await client.get(uploadsPath)).map(({ name }) => name);
  // The removal is not waited for.
  for (let tries = 0; tries < 100 && (await names()).includes('a'); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal((await names()).includes('a'), false);
  assert.equal(
    (await client.get(`${uploadsPath}{upload}/`, { params: { path: { upload: empty } } })).offset,
    0,
  );
});
