import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectWhenIdle } from './garbage-collection.js';

test('garbage is collected when the process is idle, without a new allocation', async (t) => {
  t.after(collectWhenIdle(50));
  const before = process.memoryUsage().heapUsed;
  const kept = { rows: Array.from({ length: 300_000 }, (_, i) => ({ i, text: `row ${i} of many` })) };
  const mebibytes = (): number => (process.memoryUsage().heapUsed - before) / 1024 ** 2;
  // Old objects are not collected by the frequent collections of young ones.
  await sleep(200);
  kept.rows = Array.from({ length: 1_500_000 }, (_, i) => ({ i, text: `row ${i} of many` }));
  assert.ok(mebibytes() > 64, `${mebibytes()} MiB`);
  kept.rows = [];
  for (let i = 0; i < 200 && mebibytes() > 30; i++) await sleep(50);
  assert.ok(mebibytes() <= 30, `${mebibytes()} MiB are left`);
});

test('the pages of objects that went go back to the system, though some objects on each remain', async (t) => {
  t.after(collectWhenIdle(50));
  await sleep(200);
  const before = process.memoryUsage().heapTotal;
  const mebibytes = (): number => (process.memoryUsage().heapTotal - before) / 1024 ** 2;
  let rows = Array.from({ length: 2_000_000 }, (_, i) => ({ i, text: `row ${i} of many` }));
  assert.ok(mebibytes() > 100, `${mebibytes()} MiB`);
  rows = rows.filter((_, i) => i % 10 === 0);
  for (let i = 0; i < 200 && mebibytes() > 50; i++) await sleep(50);
  assert.ok(mebibytes() <= 50, `${mebibytes()} MiB are left`);
  assert.equal(rows.length, 200_000);
});

const isGlibc = 'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header;

test('the memory of buffers that went goes back to the system, though some buffers between them remain', {
  skip: !isGlibc && 'only glibc returns it',
}, async (t) => {
  t.after(collectWhenIdle(50));
  await sleep(200);
  const before = process.memoryUsage.rss();
  const mebibytes = (): number => (process.memoryUsage.rss() - before) / 1024 ** 2;
  let buffers = Array.from({ length: 25_000 }, () => Buffer.allocUnsafeSlow(16_384).fill(1));
  assert.ok(mebibytes() > 300, `${mebibytes()} MiB`);
  buffers = buffers.filter((_, i) => i % 20 === 0);
  for (let i = 0; i < 200 && mebibytes() > 120; i++) await sleep(50);
  assert.ok(mebibytes() <= 120, `${mebibytes()} MiB are left`);
  assert.equal(buffers.length, 1_250);
});
