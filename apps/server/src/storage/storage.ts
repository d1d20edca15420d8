import type { Readable } from 'node:stream';

/** Part of a content: its first and last byte, both included, from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

export interface StoredContent {
  key: string;
  /** When it was stored under its key, ms since 1970. */
  since: number;
}

/**
 * Contents of files by keys. A key is a UUID that the service makes, so no user input becomes part of one. A
 * content never changes, and exists completely or not at all.
 */
export interface FileStorage {
  /**
   * Stores bytes under a new key. They are flushed to the medium when this resolves, and nothing is left when
   * `bytes` fails. The content belongs to this process until it is settled or deleted.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Marks a content as named by a row of the database, so it is kept. */
  settle(key: string): Promise<void>;
  /** Contents whose process ended before it settled them. A row may name them or not. */
  abandoned(): AsyncIterable<string>;
  /** The bytes or a part of them; undefined when there are none. The caller destroys the stream. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Number of bytes; undefined when the content does not exist. */
  size(key: string): Promise<number | undefined>;
  /** The path of a content as a local file, for programs that read only files. The file may not exist. */
  path(key: string): string;
  /** Removes a content. A missing content is not an error. */
  delete(key: string): Promise<void>;
  /** All contents, in no particular order, for sweeps. */
  list(): AsyncIterable<StoredContent>;
  /**
   * Removes unfinished writes of ended processes, and those without progress since `before` (ms since 1970).
   */
  removeUnfinished(before: number): Promise<void>;
}
