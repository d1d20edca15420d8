import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The names of the files that may go. */
const nameForm = /^[0-9a-f]{64}$/;

/** What is left after a sweep, of the limit. */
const leaves = 0.9;

/** What a file takes of a disk, about, is a whole number of these. */
const blockSize = 4_096;

const onDisk = (bytes: number): number => Math.ceil(bytes / blockSize) * blockSize;

/** Beside a file: what is in it. */
export const indexOf = (file: string): string => `${file}.index`;

interface Found {
  path: string;
  /** Bytes of the disk, with those of its index. */
  size: number;
  mtimeMs: number;
}

/**
 * Deletes the files of a folder that were not written for longest while all of them take more than the limit (bytes).
 * Several processes may do so at once: what is gone is gone.
 */
export async function sweepFolder(folder: string, limit: number): Promise<void> {
  const files = await filesIn(folder);
  let total = files.reduce((sum, { size }) => sum + size, 0);
  if (total <= limit) return;
  for (const { path, size } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= limit * leaves) return;
    // The index first: one without its file would be read again and again.
    for (const file of [indexOf(path), path]) await rm(file, { force: true }).catch(() => {});
    total -= size;
  }
}

async function filesIn(folder: string): Promise<Found[]> {
  const found: Found[] = [];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((): Dirent[] => []);
  for (const entry of entries) {
    if (!entry.isFile() || !nameForm.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const stats = await stat(path).catch(() => undefined);
    const index = await stat(indexOf(path)).catch(() => undefined);
    if (!stats) continue;
    found.push({ path, size: onDisk(stats.size) + onDisk(index?.size ?? 0), mtimeMs: stats.mtimeMs });
  }
  return found;
}
