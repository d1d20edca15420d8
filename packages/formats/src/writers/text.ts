import type { ObjectRow } from '../../objects/store.js';

/** A format that is text from its beginning to its end, written at the pace of its reader. */
export interface TextWriter {
  head: string;
  write(row: ObjectRow): string;
  /** Between two objects. */
  separator: string;
  tail: string;
}
