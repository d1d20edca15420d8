import { setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Snapshot } from './snapshot.js';
import { often, type Sql, statement } from './sql.js';

interface Kept {
  at: Snapshot;
  rows: Promise<unknown[]>;
}

/** Characters of rows that are kept. */
const keptCharacters = 32 * 1024 * 1024;

type Read = <Row>(part: Sql) => Promise<Row[]>;

export interface Recall {
  /** That of a statement which begins now; what is asked at once is read once. */
  snapshot(): Promise<Snapshot>;
  recall<Row>(part: Sql, at?: Snapshot): Promise<readonly Row[]>;
}

/**
 * Rows of statements, kept until any transaction that writes is committed. A statement is read after its snapshot, so its
 * rows are as new or newer.
 */
export function createRecall(read: Read, readSnapshot: () => Promise<Snapshot>): Recall {
  const kept = new LRUCache<string, Kept>({
    maxSize: keptCharacters,
    max: 20_000,
  });
  const snapshot = shared(readSnapshot);

  const recall = async <Row>(part: Sql, given?: Snapshot): Promise<Row[]> => {
    const { text, values } = statement(part);
    const key = `${text}\n${JSON.stringify(values)}`;
    const at = given ?? (await snapshot());
    const known = kept.get(key);
    if (known?.at === at) return known.rows as Promise<Row[]>;
    // After each commit it is asked again.
    const rows = read<Row>(often(part));
    kept.set(key, { at, rows }, { size: key.length });
    rows.then(
      (found) => replace(key, { at, rows }, JSON.stringify(found).length),
      () => kept.peek(key)?.rows === rows && kept.delete(key),
    );
    return rows;
  };

  return { snapshot, recall };

  function replace(key: string, entry: Kept, length: number): void {
    if (kept.peek(key)?.rows === entry.rows) kept.set(key, entry, { size: key.length + length });
  }
}

/** What is asked while it is already being read waits for the next reading, which begins after it was asked: one for all who wait, and whose requests have come already. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    const reading = read();
    running = reading.catch(() => {});
    return reading;
  };
  return () => {
    next ??= running.then(turn).then(begin);
    return next;
  };
}
