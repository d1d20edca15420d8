import { type Semaphore, yieldToOthers } from '@cartulary/runtime';

/**
 * Passes items on and takes a place of the semaphore for each read. No place is held while the reader
 * consumes an item. Short work goes first, since each read waits behind newer short requests.
 */
export async function* readThroughSemaphore<T>(
  items: AsyncIterable<T>,
  semaphore: Semaphore,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const startedAt = performance.now();
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      await yieldToOthers();
      const next = await semaphore.resume(() => iterator.next(), startedAt, signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
