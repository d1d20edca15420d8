import type { Source } from './reading.js';

/** The parts of a file, of which the first can be looked at beforehand. */
export interface Sources {
  first(): Promise<Source | undefined>;
  /** All of them, the first as well. */
  all(): AsyncGenerator<Source>;
  close(): Promise<void>;
}

export function openSources(sources: AsyncIterable<Source>): Sources {
  const iterator = sources[Symbol.asyncIterator]();
  let head: Promise<IteratorResult<Source>> | undefined;
  const first = async (): Promise<Source | undefined> => {
    head ??= iterator.next();
    const { done, value } = await head;
    return done ? undefined : value;
  };
  return {
    first,
    async *all() {
      const source = await first();
      if (!source) return;
      yield source;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    },
    close: async () => void (await iterator.return?.()),
  };
}
