import { badRequest } from '@cartulary/errors';
import { createSemaphore, createThreads } from '@cartulary/runtime';
import type { CleanSvg, SvgLimits } from './svg.js';
import type { SvgAnswer, SvgOrder } from './svg-thread.js';

/** Memory limit of the thread's heap, MiB: uploads are small. */
const heapLimitMiB = 128;

const takeThread = createThreads<SvgOrder, SvgAnswer>(new URL('./svg-thread.js', import.meta.url), {
  maxOldGenerationSizeMb: heapLimitMiB,
});

/** One thread serves all uploads. */
const oneAtATime = createSemaphore(1);

/** `cleanSvg` in a thread, so that requests do not wait for it. Throws what it throws. */
export const cleanSvgInThread = (source: string, limits: SvgLimits): Promise<CleanSvg> =>
  oneAtATime(async () => {
    const answer = await ask({ source, limits });
    if ('clean' in answer) return answer.clean;
    throw badRequest(answer.refusal.message, answer.refusal.data);
  });

const ask = (order: SvgOrder): Promise<SvgAnswer> =>
  new Promise((resolve, reject) => {
    const thread = takeThread({
      answer(answer) {
        thread.release();
        resolve(answer);
      },
      failed: reject,
    });
    thread.post(order);
  });
