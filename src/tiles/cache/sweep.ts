import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The names of the files that may go. */
const nameForm = /^[0-9a-f]{64}$/;

/** What is left after a sweep, of the limit. */
const leaves = 0.9;

/** What a file takes of a disk, about, is a whole number of these. */
const blockSize = 4_096;

/** Times are told apart by the minute, so that a folder of millions of files takes no memory to look through. */
const minuteOf = (ms: number): number => Math.floor(ms / 60_000);

interface Found {
  path: string;
  /** Bytes of the disk. */
  size: number;
  /** When it was last used or written. */
  minute: number;
}

/**
 * Deletes the files of a folder that were not used for longest while all of them take more than the limit (bytes).
 * Several processes may do so at once: what is gone is gone.
 */
export async function sweepFolder(folder: string, limit: number): Promise<void> {
  const byMinute = new Map<number, number>();
  let total = 0;
  for await (const { size, minute } of filesIn(folder)) {
    byMinute.set(minute, (byMinute.get(minute) ?? 0) + size);
    total += size;
  }
  if (total <= limit) return;
  let excess = total - limit * leaves;
  // Minutes of which every file goes, and the one in which files go while there is too much.
  let last = Number.NEGATIVE_INFINITY;
  for (const [minute, size] of [...byMinute].sort(([a], [b]) => a - b)) {
    last = minute;
    if (size >= excess) break;
    excess -= size;
  }
  for await (const { path, size, minute } of filesIn(folder)) {
    if (minute > last || (minute === last && excess <= 0)) continue;
    if (minute === last) excess -= size;
    await rm(path, { force: true }).catch(() => {});
  }
}

async function* filesIn(folder: string): AsyncGenerator<Found> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) {
      const found = nameForm.test(entry.name) ? await stat(path).catch(() => undefined) : undefined;
      if (!found) continue;
      const { size, mtimeMs } = found;
      yield { path, size: Math.ceil(size / blockSize) * blockSize, minute: minuteOf(mtimeMs) };
    }
  }
}
