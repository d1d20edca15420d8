import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createThreads, type Thread, threadsSettled } from '@cartulary/runtime/internal/threads.js';

type Request = 'who' | 'throw' | 'never';

/** A program that answers `who` with the number of its thread. */
const program = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (request) => {
      if (request === 'throw') throw new Error('wrong');
      while (request === 'never');
      parentPort.postMessage(threadId);
    });`)}`,
);

interface Held {
  thread: Thread<Request>;
  ask(request: Request): Promise<number>;
}

/** Takes threads, and releases them at the end of the test. */
const holder = (t: TestContext) => {
  const take = createThreads<Request, number>(program, { maxOldGenerationSizeMb: 64 });
  return (): Held => {
    let settle: { resolve(id: number): void; reject(error: Error): void };
    const thread = take({
      answer: (id) => settle.resolve(id),
      failed: (error) => settle.reject(error),
    });
    const ask = (request: Request): Promise<number> =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        thread.post(request);
      });
    t.after(() => thread.leave());
    return { thread, ask };
  };
};

test('a thread that was released is used again, by one at a time', async (t) => {
  const take = holder(t);
  const first = take();
  const id = await first.ask('who');
  first.thread.release();
  const [second, third] = [take(), take()];
  const ids = [await second.ask('who'), await third.ask('who')];
  assert.deepEqual([ids[0], ids[0] === ids[1]], [id, false]);

  // Late messages to an earlier holder do not reach the next one.
  first.thread.leave();
  first.thread.release();
  assert.notEqual(await take().ask('who'), id);
  assert.equal(await second.ask('who'), id);
});

test('a thread that was left is not used again, whatever it does', async (t) => {
  const take = holder(t);
  const lost = take();
  const id = await lost.ask('who');
  lost.thread.post('never');
  const ended = lost.thread.leave();
  const next = take();
  assert.notEqual(await next.ask('who'), id);
  await ended;
});

test('a thread that ends by itself says why, and the next to ask gets another', async (t) => {
  const take = holder(t);
  const held = take();
  await assert.rejects(held.ask('throw'), /^Error: wrong$/);
  held.thread.release();
  assert.equal(typeof (await take().ask('who')), 'number');
});

test('a process that ends waits until the threads that were given back are quiet', async (t) => {
  const take = holder(t);
  await threadsSettled();
  const held = take();
  await held.ask('who');
  let isQuiet = false;
  held.thread.release();
  const waited = threadsSettled().then(() => {
    isQuiet = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isQuiet, false);
  await waited;
});
