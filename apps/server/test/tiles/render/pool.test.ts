import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../../src/config.js';
import { createRendererPool, type RendererPool, withRender } from '../../../src/tiles/render/pool.js';
import { environment } from '../../../src/tiles/render/renderer-process.js';
import { colorAt } from '../../pictures/compare.js';
import { endless, fill, isRunning, jobOf, keepingLog, poolConfig, until } from '../support.js';

interface TestPool extends RendererPool {
  log: ReturnType<typeof keepingLog>;
  color(...job: Parameters<typeof fill>): Promise<string>;
}

function startPool(t: TestContext, own: Partial<Config> = {}): TestPool {
  const log = keepingLog();
  const pool = createRendererPool({ config: poolConfig(own), log });
  t.after(() => pool.close());
  const color: TestPool['color'] = async (...job) => {
    const [picture] = await pool.render(fill(...job));
    return colorAt(Buffer.from(picture!));
  };
  return { ...withRender(pool, (...job) => pool.render(...job)), log, color };
}

/** Waits until the pool draws, however long its process takes to start. */
const started = async (pool: TestPool): Promise<number> => {
  await until(
    async () => (await pool.color('#123456').catch(() => undefined)) === '#123456',
    'a first picture',
  );
  return pool.processes()[0]!;
};

test('renderers have a lower priority than the process that answers', async (t) => {
  const pid = await started(startPool(t));
  assert.equal(getPriority(pid), Math.min(constants.priority.PRIORITY_LOW, getPriority() + 5));
});

test('no drawing begins while a write goes first, for a limited time', async (t) => {
  const pool = startPool(t);
  await started(pool);
  const done = pool.pauseForWrite();
  const startedAt = performance.now();
  let drawnAfterMs: number | undefined;
  const drawing = pool.color('#123456').then((color) => {
    drawnAfterMs = performance.now() - startedAt;
    return color;
  });
  await sleep(20);
  // On a busy machine the sleep may exceed the maximum pause of 40 ms.
  assert.ok(drawnAfterMs === undefined || drawnAfterMs >= 40, `drawn after ${drawnAfterMs} ms`);
  done();
  assert.equal(await drawing, '#123456');
  // This write does not end.
  pool.pauseForWrite();
  assert.equal(await pool.color('#654321'), '#654321');
});

const code = (expected: string) => (error: unknown) => {
  assert.equal((error as { code?: string }).code, expected);
  return true;
};

test('no map of a job that comes once is kept, not even one above another pass', async (t) => {
  const pool = startPool(t, { renderers: 1 });
  const above = async (color: string, isOnce: boolean): Promise<string> => {
    const { xml } = fill(color);
    // A kept map is found by its key alone.
    const pass = { kind: 'map', xml, xmlKey: 'above' } as const;
    const [picture] = await pool.render({ ...fill('#123456'), isOnce, above: [pass] });
    return colorAt(Buffer.from(picture!));
  };
  await started(pool);
  assert.equal(await above('#ff0000', true), '#ff0000');
  assert.equal(await above('#00ff00', false), '#00ff00');
  assert.equal(await above('#0000ff', true), '#0000ff');
});

test('a block is cut into its tiles, row by row from the north-west', async (t) => {
  const pool = startPool(t);
  const west = jobOf('<PolygonSymbolizer fill="#0000ff"/>', { columns: 2, rows: 2 });
  // The tile west of 0 and north of 0 alone.
  const xml = west.xml.replaceAll('[20037508.342789244,', '[0,').replaceAll(',-20037508.342789244]', ',0]');
  const tiles = await pool.render({ ...west, xml, xmlKey: xml });
  assert.deepEqual(
    tiles.map((tile) => colorAt(Buffer.from(tile))),
    ['#0000ff', 'clear', 'clear', 'clear'],
  );
});

test('a picture contains nothing of earlier ones, even after a failure', async (t) => {
  const pool = startPool(t);
  const half = jobOf('<PolygonSymbolizer fill="#00ff00" fill-opacity="0.5"/>');
  const [alone] = await pool.render(half);
  const nothing = jobOf('<PolygonSymbolizer fill-opacity="0"/>');
  const missing = half.xml.replace('name="type">geojson', 'name="type">nowhere');
  for (const before of [fill('#ff0000'), fill('#ff0000', { columns: 2, rows: 2, size: 128 }), half]) {
    await pool.render(before);
    await assert.rejects(pool.render({ ...half, xml: missing, xmlKey: missing }));
    const [picture] = await pool.render(half);
    assert.deepEqual(picture, alone);
    assert.equal(colorAt(Buffer.from((await pool.render(nothing))[0]!)), 'clear');
  }
});

test('an endless drawing fails and loses its process; the next one is drawn', async (t) => {
  const pool = startPool(t, { renderTimeoutMs: 1500 });
  const before = await started(pool);
  const hanging = pool.render(endless());
  const next = pool.color('#00ff00');
  await assert.rejects(hanging, code('timeout'));
  assert.equal(await next, '#00ff00');
  assert.ok(!isRunning(before));
  assert.notEqual(pool.processes()[0], before);
});

test('jobs that wait behind an endless drawing are drawn by another process', async (t) => {
  const pool = startPool(t, { renderers: 2, renderTimeoutMs: 5_000 });
  await started(pool);
  await until(() => pool.processes().length === 2, 'two processes');
  let isHanging = true;
  const hanging = pool.render(endless()).finally(() => {
    isHanging = false;
  });
  await Promise.all([
    assert.rejects(hanging, code('timeout')),
    ...Array.from({ length: 8 }, async (_, i) => {
      assert.equal(await pool.color(`#00ff0${i}`), `#00ff0${i}`);
      assert.ok(isHanging, `job ${i} waited for the endless one`);
    }),
  ]);
});

test('a job does not go to and fro between processes that all draw for long', async (t) => {
  const pool = startPool(t, { renderers: 2, renderTimeoutMs: 2_000 });
  await started(pool);
  await until(() => pool.processes().length === 2, 'two processes');
  let sent = 0;
  const job = fill('#00ff00');
  const { xml } = job;
  Object.defineProperty(job, 'xml', {
    enumerable: true,
    get: () => {
      sent += 1;
      return xml;
    },
  });
  const hanging = [endless(), endless({ xmlKey: 'another' })].map((one) => pool.render(one));
  const waiting = pool.render(job);
  await Promise.all(hanging.map((one) => assert.rejects(one, code('timeout'))));
  await waiting;
  // Each sending reads it, and so does the test of what is waiting.
  assert.ok(sent <= 10, `read ${sent} times`);
});

test('jobs that wait in a process which is replaced are drawn by the next one', async (t) => {
  const pool = startPool(t, { renderers: 1, rendererMemoryMiB: 1 });
  await started(pool);
  const colors = Array.from({ length: 5 }, (_, i) => `#00ff0${i}`);
  assert.deepEqual(await Promise.all(colors.map((color) => pool.color(color))), colors);
  const ends = pool.log.entries.filter(({ text }) => text === 'a renderer process ended while drawing');
  assert.equal(ends.length, 0);
});

test('a job that waits in a process which ends has grown once', async (t) => {
  const pool = startPool(t, { renderers: 1, renderTimeoutMs: 1_500 });
  await started(pool);
  const hanging = pool.render(endless());
  const grown = [2, 1].map((columns) => fill('#00ff00', { columns }));
  const waiting = pool.render(fill('#00ff00'), undefined, () => grown.shift()!);
  await assert.rejects(hanging, code('timeout'));
  assert.equal((await waiting).length, 2);
});

test('a process killed while drawing fails one job', async (t) => {
  const pool = startPool(t);
  const before = await started(pool);
  const hanging = pool.render(endless());
  const next = pool.color('#00ff00');
  process.kill(before, 'SIGKILL');
  await assert.rejects(hanging, code('internal'));
  assert.equal(await next, '#00ff00');
});

test('a process killed while idle is replaced', async (t) => {
  const pool = startPool(t);
  const before = await started(pool);
  process.kill(before, 'SIGKILL');
  await until(() => pool.processes().some((pid) => pid !== before), 'a new process');
  assert.equal(await pool.color('#00ff00'), '#00ff00');
});

test('a full queue and a long wait throw busy with retry_after', async (t) => {
  const pool = startPool(t, { renderQueue: 2, renderWaitMs: 300 });
  await started(pool);
  const hanging = pool.render(endless());
  hanging.catch(() => {});
  const waiting = [pool.color('#111111'), pool.color('#222222')];
  for (const wait of waiting) wait.catch(() => {});
  const busy = { code: 'busy', status: 503, data: { retry_after: 2 } };
  await assert.rejects(pool.color('#333333'), busy);
  for (const wait of waiting) await assert.rejects(wait, busy);
});

test('an aborted job leaves the queue and is not drawn', async (t) => {
  const pool = startPool(t, { renderTimeoutMs: 1500, renderQueue: 1 });
  await started(pool);
  const hanging = pool.render(endless());
  const leaving = new AbortController();
  const dropped = pool.render(endless({ xmlKey: 'another' }), leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(dropped, { message: 'gone' });
  await assert.rejects(pool.render(fill('#111111'), leaving.signal), { message: 'gone' });
  const next = pool.color('#00ff00');
  await assert.rejects(hanging, code('timeout'));
  assert.equal(await next, '#00ff00');
  const ends = pool.log.entries.filter(({ text }) => text === 'a renderer process ended while drawing');
  assert.equal(ends.length, 1);
});

test('a style that ended two processes is refused at once, at that zoom level; others are drawn', async (t) => {
  const pool = startPool(t, { renderTimeoutMs: 1500 });
  await started(pool);
  for (let i = 0; i < 2; i++) await assert.rejects(pool.render(endless()), code('timeout'));
  await started(pool);
  const [process] = pool.processes();
  await assert.rejects(pool.render(endless()), (error: { code: string; data: { retry_after: number } }) => {
    assert.equal(error.code, 'timeout');
    assert.ok(error.data.retry_after > 50 && error.data.retry_after <= 60);
    return true;
  });
  assert.equal(await pool.color('#00ff00'), '#00ff00');
  assert.equal(pool.processes()[0], process, 'no process was ended for it');
});

test('an error of Mapnik is logged, not returned', async (t) => {
  const pool = startPool(t);
  const failing = jobOf('<TextSymbolizer face-name="No such face">[secret]</TextSymbolizer>');
  await assert.rejects(pool.render(failing), { code: 'internal', message: 'The map could not be drawn' });
  assert.match(JSON.stringify(pool.log.entries), /No such face/);
  assert.equal(await pool.color('#00ff00'), '#00ff00');
});

test('a process above its memory limit is replaced after its answer', async (t) => {
  const pool = startPool(t, { rendererMemoryMiB: 1 });
  const seen = new Set<number>();
  for (let i = 0; i < 3; i++) {
    const before = pool.processes()[0]!;
    seen.add(before);
    assert.equal(await pool.color(`#00ff0${i}`), `#00ff0${i}`);
    await until(() => pool.processes().some((pid) => pid !== before), 'another process');
  }
  assert.equal(seen.size, 3);
});

test('a picture of one colour is encoded once for each size and format', async (t) => {
  const pool = startPool(t);
  const blank = jobOf('', { columns: 4, rows: 4 });
  const tiles = await pool.render(blank);
  assert.equal(tiles.length, 16);
  assert.equal(new Set(tiles.map((tile) => Buffer.from(tile).toString('latin1'))).size, 1);
  const [large] = await pool.render(jobOf('', { size: 512 }));
  assert.equal(Buffer.from(large!).readUInt32BE(16), 512);
  const [palette] = await pool.render(jobOf('', { format: 'png8:m=h' }));
  assert.equal(palette![25], 3, 'the colour type of a palette');
});

test('close ends the processes and rejects waiting jobs', async () => {
  const pool = createRendererPool({ config: poolConfig(), log: keepingLog() });
  await pool.render(fill('#00ff00'));
  const [pid] = pool.processes();
  const all = [pool.render(endless()), pool.render(fill('#00ff00'))];
  const answers = Promise.all(all.map((one) => assert.rejects(one, code('busy'))));
  await pool.close();
  await answers;
  assert.ok(!isRunning(pid!));
  await assert.rejects(pool.render(fill('#00ff00')), code('busy'));
});

test('renderers end with their owner, even during an endless drawing', async () => {
  const owner = fork(fileURLToPath(new URL('./pool-owner.js', import.meta.url)), { execArgv: [] });
  const [pid] = (await once(owner, 'message')) as [number];
  assert.ok(isRunning(pid));
  owner.kill('SIGKILL');
  await until(() => !isRunning(pid), 'the renderer has ended');
});

test('the environment of renderers has no secrets, a statement timeout, and the encryption of the database', () => {
  process.env.CARTULARY_SECRET = 'secret';
  process.env.PGPASSFILE = '/pgpass';
  const plain = environment(poolConfig({ renderTimeoutMs: 1234 }));
  delete process.env.CARTULARY_SECRET;
  delete process.env.PGPASSFILE;
  assert.equal(plain.PGPASSFILE, '/pgpass');
  assert.ok(!JSON.stringify(plain).includes('secret'));
  assert.match(plain.PGOPTIONS!, /statement_timeout=1234 /);
  assert.equal(plain.PGSSLMODE, undefined);
  const url = 'postgres://u:secret@h/d';
  assert.equal(environment(poolConfig({ databaseUrl: `${url}?sslmode=require` })).PGSSLMODE, 'require');
  const checked = environment(
    poolConfig({
      databaseUrl: `${url}?sslmode=verify-full&sslrootcert=/ca.crt&sslcert=/u.crt&sslkey=/u.key`,
    }),
  );
  assert.equal(checked.PGSSLMODE, 'verify-full');
  assert.deepEqual(
    [checked.PGSSLROOTCERT, checked.PGSSLCERT, checked.PGSSLKEY],
    ['/ca.crt', '/u.crt', '/u.key'],
  );
  assert.ok(!JSON.stringify(environment(poolConfig({ databaseUrl: url }))).includes('secret'));
});
