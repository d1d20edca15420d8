/** Load beyond the capacity of a small server: it refuses excess requests at once, and answers cheap requests meanwhile. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';
import { box, makeLayers } from '../tiles/colors.js';

let server: TestServer;
let layerId: number;
test.before(async () => {
  const settings = {
    CARTULARY_RENDERERS: '1',
    CARTULARY_DATABASE_CONNECTIONS: '4',
    CARTULARY_LIST_REQUESTS: '40',
    CARTULARY_FEATURE_SHEET_QUEUE: '2',
    CARTULARY_FEATURE_SHEETS_AT_ONCE: '1',
    // The numbers of requests decide what is refused, not the speed of the machine.
    CARTULARY_RENDER_WAIT: '300000',
    CARTULARY_RENDER_TIMEOUT: '300000',
    CARTULARY_DATABASE_WAIT: '300000',
    CARTULARY_STATEMENT_TIMEOUT: '300000',
    CARTULARY_FEATURE_SHEET_TIMEOUT: '300000',
  };
  server = await startServer(settings, 'here');
  await server.admin('POST', '/', { code: 'm', css_style: '' });
  ({ land: layerId } = await makeLayers(server, 'm', { land: '#ff0000' }));
  await makeLayers(server, 'm', { sea: '#0000ff' });
});
test.after(() => server?.stop());

const ask = (path: string, options = {}): Promise<TestAnswer> =>
  server.request('GET', path, { token: server.adminToken, ...options });

const tile = (z: number, x: number, y: number): Promise<TestAnswer> =>
  ask(`//tms/demo/m/?z=${z}&x=${x}&y=${y}`);

/** 100 tiles side by side. */
const view = (z: number, from: number): Promise<TestAnswer[]> =>
  Promise.all(Array.from({ length: 100 }, (_, i) => tile(z, from + (i % 10), from + Math.floor(i / 10))));

const signIn = (): Promise<TestAnswer> =>
  server.request('POST', '/login/', { body: { login: 'admin', password: 'correct-horse-battery' } });

/** What costs little is answered. */
async function assertQuick(): Promise<void> {
  const answers = await Promise.all([
    ask('//readyz'),
    ask('/m/'),
    ask('/m/layers/sea/objects/1/'),
    tile(0, 0, 0),
    signIn(),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  const etag = answers[3]!.headers.get('etag')!;
  const again = await ask('//tms/demo/m/?z=0&x=0&y=0', { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
}

/** Each is answered, or refused with the time after which to come again. */
function assertOrderly(answers: readonly TestAnswer[]): { refused: number } {
  let refused = 0;
  for (const { status, headers, text } of answers) {
    if (status === 200) continue;
    assert.equal(status, 503, text.slice(0, 200));
    assert.ok(Number(headers.get('retry-after')) >= 1, text);
    refused += 1;
  }
  return { refused };
}

test('long reads and writes that wait for a lock leave connections to what costs little', {
  skip: !process.env.TEST_DATABASE_URL && 'the embedded database has one session: there a lock holds up all',
}, async () => {
  await tile(0, 0, 0);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let locked = (): void => {};
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const holding = server.db.shortTransaction(async (tx) => {
    await tx.query(sql`lock table ${ident('cartulary_data', `layer_${layerId}`)} in access exclusive mode`);
    locked();
    await released;
  });
  await isLocked;
  const lists = Array.from({ length: 60 }, () => ask('/m/layers/land/objects/'));
  const writes = Array.from({ length: 60 }, () =>
    server.request('POST', '/m/layers/land/objects/', {
      token: server.adminToken,
      body: { fields: {}, geom: box(0, 0, 1, 1) },
    }),
  );
  // 40 lists may be open: the others end at once.
  const early = await some(lists, 20);
  assert.equal(assertOrderly(early).refused, early.length);
  await assertQuick();
  await assertQuick();
  // A tree is short, but not with all styles of its map.
  assert.equal((await ask('/m/layers/')).status, 200);
  assert.equal((await ask('/m/layers/?returnCss=1')).status, 503);
  release();
  await holding;
  assertOrderly(await Promise.all([...lists, ...writes]));
});

/** Waits until at least this number of requests is answered and no more follow. */
async function some(requests: readonly Promise<TestAnswer>[], least: number): Promise<TestAnswer[]> {
  const answered: TestAnswer[] = [];
  for (const request of requests) request.then((answer) => answered.push(answer));
  for (let count = -1; answered.length < least || answered.length > count; await sleep(1_000))
    count = answered.length;
  return answered.slice();
}

test('a flood of tiles, lists and feature sheets: no request is lost, cheap requests are answered, memory is bounded', async () => {
  await tile(0, 0, 0);
  const before = process.memoryUsage.rss();
  const flood = [
    // None beside another.
    ...Array.from({ length: 800 }, (_, i) => tile(10, 4 * (i % 200), 4 * Math.floor(i / 200))),
    ...Array.from({ length: 100 }, () => ask('/m/layers/land/objects/')),
    ...Array.from({ length: 30 }, () => ask('/m/layers/land/objects/1/?f=pdf')),
  ];
  let open = flood.length;
  for (const request of flood) request.finally(() => open--).catch(() => {});
  await assertQuick();
  assert.ok(open > 0, 'they did not wait for the whole flood');
  const { refused } = assertOrderly(await Promise.all(flood));
  assert.ok(refused > 0, 'not all can be answered');
  assert.ok(process.memoryUsage.rss() - before < 1024 ** 3);
});

test('a view of 100 tiles passes afterwards, and beside other views and lists', async () => {
  assert.equal(assertOrderly(await view(9, 40)).refused, 0);
  const load = [
    ...Array.from({ length: 30 }, () => ask('/m/layers/land/objects/')),
    view(9, 200),
    view(9, 300),
  ];
  assert.equal(assertOrderly(await view(9, 100)).refused, 0);
  assert.equal(assertOrderly((await Promise.all(load)).flat()).refused, 0);
  // Drawn tile by tile.
  await server.admin('PATCH', '/m/layers/land/', { render_settings: { cache: false } });
  assert.equal(assertOrderly(await view(9, 400)).refused, 0);
});
