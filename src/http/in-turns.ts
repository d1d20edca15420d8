import type { Turns } from './turns.js';

/** The same items, each read when its turn has come: between them, while their reader takes its time, no place is taken. */
export async function* inTurns<T>(
  items: AsyncIterable<T>,
  turns: Turns,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await turns.further(() => iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
