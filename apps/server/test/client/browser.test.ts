import assert from 'node:assert/strict';
import type * as cartularyTypes from '@cartulary/client';
import { bundleClient } from '@cartulary/scripts/client/bundle.js';
import type { Page } from 'playwright-core';
import { adminPassword } from '../support/server.js';
import { pageTest, useSite } from '../web/site.js';
import { freshLayer, signedIn } from './support.js';

// What runs in the page.
declare const cartulary: typeof cartularyTypes;
declare let client: cartularyTypes.CartularyClient;

const site = useSite();

/** A page with the client, and a layer. */
interface ClientPage {
  page: Page;
  layer: Awaited<ReturnType<typeof freshLayer>>;
  /** Loads the page anew. */
  open(): Promise<void>;
}

pageTest('the client in a page: sign-in, list, upload, job', async (t) => {
  const { server } = site;
  const layer = await freshLayer(await signedIn(server));
  const script = await bundleClient();
  const address = `${server.url}/client.html`;
  const { page, problems } = await site.open('/', {
    onPage: (opened) =>
      opened.route(address, (route) =>
        route.fulfill({ contentType: 'text/html', body: `<script type="module">${script}</script>` }),
      ),
  });
  const open = async (): Promise<void> => {
    await page.goto(address);
    await page.evaluate((url) => {
      (globalThis as any).client = new cartulary.CartularyClient({ url, project: 'demo' });
    }, server.url);
  };
  await open();
  const opened = { page, layer, open };
  await t.test('a wrong password, then a session in a cookie, which a new page takes up', () =>
    openSession(opened),
  );
  await t.test('an upload with progress, its job, and the list of what it stored', () =>
    uploadWithProgress(opened),
  );
  await t.test('an upload that is aborted, one that is refused, one of a stream, a file of an object', () =>
    failingUploads(opened),
  );
  await t.test('sign-out ends the session; a token does as well as a cookie', () => closeSession(opened));
  assert.deepEqual(
    problems.filter((problem) => !/status of 40[134]/.test(problem)),
    [],
  );
});

async function openSession({ page, open }: ClientPage): Promise<void> {
  const wrong = await page.evaluate(() =>
    client.openSession({ login: 'admin', password: 'wrong' }).catch((error) => [error.code, error.status]),
  );
  assert.deepEqual(wrong, ['login_failed', 403]);
  await page.evaluate((password) => client.openSession({ login: 'admin', password }), adminPassword);
  await open();
  assert.equal(await page.evaluate(() => client.resumeSession()), true);
  const user = await page.evaluate(() => client.get('/api/2.8/{project}/users/info/'));
  assert.equal(user.login, 'admin');
}

async function uploadWithProgress({ page, layer }: ClientPage): Promise<void> {
  const seen = await page.evaluate(async (path) => {
    const features = Array.from({ length: 3_000 }, (_, i) => ({
      type: 'Feature',
      properties: { name: `n ${i + 1}`.padEnd(800, '.') },
      geometry: { type: 'Point', coordinates: [i / 100, 0] },
    }));
    const source = new Blob([JSON.stringify({ type: 'FeatureCollection', features })]);
    const progress: (number | undefined)[][] = [];
    const job = await client.importFile(
      path,
      { name: 'ä.geojson', source },
      { onProgress: (sent, total) => progress.push([sent, total]) },
    );
    const states: string[] = [];
    for await (const { state } of job) states.push(state);
    let count = 0;
    for await (const object of client.objects(path, { fields: 'name' }, { pageSize: 700 }))
      if (String(object.fields.name).startsWith('n ')) count++;
    return { progress, last: states.at(-1), count, size: source.size };
  }, layer);
  assert.deepEqual([seen.last, seen.count], ['done', 3_000]);
  assert.deepEqual(seen.progress.at(-1), [seen.size, seen.size]);
}

async function failingUploads({ page, layer }: ClientPage): Promise<void> {
  const seen = await page.evaluate(async (path) => {
    const failed = (error: { name: string; code: unknown }): unknown[] => [error.name, error.code];
    const big = new Blob([new Uint8Array(20_000_000).fill(32)]);
    const controller = new AbortController();
    const aborted = await client
      .importFile(
        path,
        { name: 'x.geojson', source: big },
        { signal: controller.signal, onProgress: () => controller.abort() },
      )
      .then(String, (error) => error.name);
    const refused = await client
      .importFile({ ...path, layer: 'none' }, { name: 'x.geojson', source: new Blob(['{}']) })
      .then(String, failed);
    const stream = new Blob(['{"type":"FeatureCollection","features":[]}']).stream();
    const streamed = await (await client.importFile(path, { name: 'p.geojson', source: stream })).result<{
      import: { stored: number };
    }>();
    const file = await client.addFile(
      { ...path, object: 1, field: 'photo' },
      { name: 'ä.txt', source: new Blob(['abc']) },
    );
    return { aborted, refused, stored: streamed.import.stored, file: file.name };
  }, layer);
  assert.deepEqual(seen, {
    aborted: 'AbortError',
    refused: ['ClientError', 'layer_not_found'],
    stored: 0,
    file: 'ä.txt',
  });
}

async function closeSession({ page }: ClientPage): Promise<void> {
  const seen = await page.evaluate(async (password) => {
    await client.closeSession();
    const isOpen = await client.resumeSession();
    const refused = await client.get('/api/2.8/{project}/users/list/').catch(({ status }) => status);
    await client.signIn({ login: 'admin', password });
    return { isOpen, refused, login: (await client.get('/api/2.8/{project}/users/info/')).login };
  }, adminPassword);
  assert.deepEqual(seen, { isOpen: false, refused: 401, login: 'admin' });
}
