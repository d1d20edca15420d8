import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FairShare } from './fair-share.js';

const { signal } = new AbortController();
const idleCores = (): number => 0;

/** Requests of an owner that run at once for some time. */
async function use(share: FairShare, owner: string, count: number, ms: number): Promise<void> {
  const ends = await Promise.all(Array.from({ length: count }, () => share.enter(owner, signal)));
  await sleep(ms);
  for (const end of ends) end();
}

/** Whether a request may run at once. */
async function runs(share: FairShare, owner: string): Promise<boolean> {
  const gone = new AbortController();
  const entering = share.enter(owner, gone.signal).then(
    (end) => {
      end();
      return true;
    },
    () => false,
  );
  await sleep(20);
  gone.abort();
  return entering;
}

test('who takes far more than the others takes turns, and the others do not wait', async () => {
  const share = new FairShare({ running: 2, idleCores });
  await use(share, 'light', 6, 100);
  await use(share, 'heavy', 10, 250);
  const end = await share.enter('heavy', signal);
  assert.equal(await runs(share, 'heavy'), false);
  assert.equal(await runs(share, 'light'), true);
  end();
  assert.equal(await runs(share, 'heavy'), true);
});

test('requests that still run count', async () => {
  const share = new FairShare({ running: 2, idleCores });
  await use(share, 'light', 6, 100);
  const ends = await Promise.all(Array.from({ length: 10 }, () => share.enter('heavy', signal)));
  await sleep(200);
  await share.enter('heavy', signal);
  assert.equal(await runs(share, 'heavy'), false);
  for (const end of ends) end();
});

test('requests of others that still run count', async () => {
  const share = new FairShare({ running: 2, idleCores });
  await use(share, 'light', 6, 100);
  await use(share, 'other', 10, 250);
  const ends = await Promise.all(Array.from({ length: 10 }, () => share.enter('light', signal)));
  await sleep(200);
  await share.enter('other', signal);
  assert.equal(await runs(share, 'other'), true);
  for (const end of ends) end();
});

test('a request that runs for long makes room after a second', async () => {
  const share = new FairShare({ running: 2, idleCores });
  await use(share, 'light', 6, 100);
  await use(share, 'heavy', 10, 250);
  await share.enter('heavy', signal);
  await (await share.enter('heavy', signal))();
});

test('alone, and among equals, nobody waits', async () => {
  const share = new FairShare({ running: 2, idleCores });
  await use(share, 'one', 10, 200);
  await use(share, 'one', 10, 0);
  const another = new FairShare({ running: 2, idleCores });
  await Promise.all(['one', 'two', 'three'].map((owner) => use(another, owner, 10, 200)));
  await use(another, 'one', 10, 0);
});

test('a few requests of others make nobody wait', async () => {
  const share = new FairShare({ running: 2, idleCores });
  await use(share, 'light', 2, 100);
  await use(share, 'heavy', 10, 250);
  await use(share, 'heavy', 10, 0);
});

test('while the machine has time, nobody waits', async () => {
  const share = new FairShare({ running: 2, idleCores: () => 1 });
  await use(share, 'light', 6, 100);
  await use(share, 'heavy', 10, 250);
  await use(share, 'heavy', 10, 0);
});

test('requests beyond the queue are refused', async () => {
  const share = new FairShare({ running: 2, idleCores, maxWaiting: 1, maxWaitMs: 50 });
  await use(share, 'light', 6, 100);
  await use(share, 'heavy', 10, 250);
  await share.enter('heavy', signal);
  const refused = await Promise.allSettled([share.enter('heavy', signal), share.enter('heavy', signal)]);
  for (const one of refused) assert.equal(one.status === 'rejected' && one.reason.code, 'busy');
});
