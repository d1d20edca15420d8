import type { Readable } from 'node:stream';

/** Part of a content: its first and last byte, both included, from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

export interface StoredContent {
  key: string;
  /** When it came to be under its key, ms since 1970. */
  since: number;
}

/**
 * Contents of files by their keys, which are UUIDs of our own making: nothing that a user sends becomes part of a
 * key. A content never changes; it is there as a whole or not at all.
 */
export interface FileStorage {
  /** Stores bytes under a new key: safe on the medium when it resolves. Leaves nothing when `bytes` fails. */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** The bytes, or a part of them; undefined when there are none. The stream is the reader's to destroy. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Number of bytes; undefined when there are none. */
  size(key: string): Promise<number | undefined>;
  /** Where a content lies as a file of this machine, for programs that read nothing else; it need not be there. */
  path(key: string): string;
  /** Removes a content; one that is not there is removed already. */
  delete(key: string): Promise<void>;
  /** All contents, in no order: for sweeping. */
  list(): AsyncIterable<StoredContent>;
  /** Removes what is left of writes of processes that have ended, and of those that stood still since then (ms since 1970). */
  removeUnfinished(before: number): Promise<void>;
}
