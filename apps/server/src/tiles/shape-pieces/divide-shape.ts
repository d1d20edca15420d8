import { createThreads, type Thread } from '@cartulary/runtime';
import type { PyramidAnswer, PyramidRequest } from './pyramid-thread.js';

/** Memory limit of the thread's heap, MiB; coordinates lie outside of it. */
const heapLimitMiB = 512;

const takeThread = createThreads<PyramidRequest, PyramidAnswer>(
  new URL('./pyramid-thread.js', import.meta.url),
  { maxOldGenerationSizeMb: heapLimitMiB },
);

/** Divides a shape, as WKB, in a thread: its pieces in groups of about a megabyte. Throws when the thread fails. */
export async function* divideShape(wkb: Uint8Array): AsyncGenerator<PyramidAnswer> {
  let received: (answer: PyramidAnswer) => void = () => {};
  let failed: (error: Error) => void = () => {};
  const thread: Thread<PyramidRequest> = takeThread({
    answer: (answer) => received(answer),
    failed: (error) => failed(error),
  });
  const ask = (request: PyramidRequest): Promise<PyramidAnswer> =>
    new Promise((resolve, reject) => {
      [received, failed] = [resolve, reject];
      thread.post(request);
    });
  try {
    for (let answer = await ask({ wkb }); ; answer = await ask('more')) {
      yield answer;
      if (answer.end) return;
    }
  } finally {
    thread.release();
  }
}
