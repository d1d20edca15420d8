import type { ObjectRow } from '@cartulary/columns';

/** A text format that is written at the pace of its reader. */
export interface TextWriter {
  head: string;
  write(row: ObjectRow): string;
  /** Separator between two objects. */
  separator: string;
  tail: string;
}
