import { setImmediate as nextRound } from 'node:timers/promises';
import { prepared, type Sql, statement } from '@cartulary/sql';
import { LRUCache } from 'lru-cache';
import type { Snapshot } from './snapshot.js';

interface CachedRows {
  at: Snapshot;
  rows: Promise<unknown[]>;
}

/** Limit of the cached rows, in characters of JSON. */
const maxCharacters = 32 * 1024 * 1024;
const maxStatements = 20_000;

type ReadRows = <Row>(part: Sql) => Promise<Row[]>;

/**
 * Rows of statements, cached until any transaction that writes is committed. The snapshot is read before the statement, so the
 * rows are as new as the snapshot or newer.
 */
export class SnapshotCache {
  readonly #read: ReadRows;
  readonly #cached = new LRUCache<string, CachedRows>({ maxSize: maxCharacters, max: maxStatements });
  /** Snapshot of a statement that begins now. Concurrent calls share one read. */
  readonly snapshot: () => Promise<Snapshot>;

  constructor(read: ReadRows, readSnapshot: () => Promise<Snapshot>) {
    this.#read = read;
    this.snapshot = shared(readSnapshot);
  }

  /** Rows of a statement, as of `given` or of now. All callers share them: they must not be changed. */
  async query<Row>(part: Sql, given?: Snapshot): Promise<readonly Row[]> {
    const { text, values } = statement(part);
    const key = `${text}\n${JSON.stringify(values)}`;
    const at = given ?? (await this.snapshot());
    const cached = this.#cached.get(key);
    if (cached?.at === at) return cached.rows as Promise<Row[]>;
    // The statement runs again after each commit, so it is worth preparing.
    const rows = this.#read<Row>(prepared(part));
    const entry = { at, rows };
    this.#cached.set(key, entry, { size: key.length });
    rows.then(
      (found) => this.#resize(key, entry, key.length + JSON.stringify(found).length),
      () => this.#cached.peek(key)?.rows === rows && this.#cached.delete(key),
    );
    return rows;
  }

  #resize(key: string, entry: CachedRows, size: number): void {
    if (this.#cached.peek(key)?.rows === entry.rows) this.#cached.set(key, entry, { size });
  }
}

/**
 * Shares reads among concurrent callers. A call during a read waits for the next one, which begins after the call: so each result
 * is at least as new as its call. The next read also waits for one round of the event loop, to serve the requests that have arrived.
 */
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
    next ??= running.then(nextRound).then(begin);
    return next;
  };
}
