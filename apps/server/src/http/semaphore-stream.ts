import { yieldToOthers } from '../event-loop.js';
import type { Turns } from './turns.js';

/** The same items, each read when its turn has come: between them, while their reader takes its time, no place is taken. What takes little goes first. */
export async function* inTurns<T>(
  items: AsyncIterable<T>,
  turns: Turns,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const begun = performance.now();
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      await yieldToOthers();
      const next = await turns.further(() => iterator.next(), begun, signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
