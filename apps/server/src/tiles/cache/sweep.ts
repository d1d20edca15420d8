import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Names of the files that may be deleted. */
const nameForm = /^[0-9a-f]{64}$/;

/** Share of the limit that a sweep leaves. */
const leaves = 0.9;

/** Block size of the disk, for estimates of used space. */
const blockSize = 4_096;

const onDisk = (bytes: number): number => Math.ceil(bytes / blockSize) * blockSize;

/** Path of the index beside a segment. */
export const indexOf = (file: string): string => `${file}.index`;

interface Found {
  path: string;
  /** Estimated bytes on the disk, with its index. */
  size: number;
  mtimeMs: number;
}

/**
 * Deletes the files of a folder that were written longest ago, while the total exceeds the limit (bytes). Several
 * processes may sweep at once.
 */
export async function sweepFolder(folder: string, limit: number): Promise<void> {
  const files = await filesIn(folder);
  let total = files.reduce((sum, { size }) => sum + size, 0);
  if (total <= limit) return;
  for (const { path, size } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= limit * leaves) return;
    // The index goes first, since every look would read an index without its segment.
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
