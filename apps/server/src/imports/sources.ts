import type { FileSource } from '@cartulary/formats';

/** The parts of a file, of which the first can be looked at beforehand. */
export interface Sources {
  first(): Promise<FileSource | undefined>;
  /** All of them, the first as well. */
  all(): AsyncGenerator<FileSource>;
  close(): Promise<void>;
}

export function openSources(sources: AsyncIterable<FileSource>): Sources {
  const iterator = sources[Symbol.asyncIterator]();
  let head: Promise<IteratorResult<FileSource>> | undefined;
  const first = async (): Promise<FileSource | undefined> => {
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
