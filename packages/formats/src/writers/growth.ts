import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '@cartulary/errors';

/** Watches the total size of the files in a folder. */
export interface FolderGrowth {
  /** Aborts with `too_large` above the limit. */
  signal: AbortSignal;
  /** Checks the size now. Throws `too_large`. */
  look(): Promise<void>;
  end(): void;
}

/** Interval between two checks, ms. */
const period = 200;

/** Limits the size of the files that GDAL writes. `limit` is in bytes; files whose names begin with `beside` do not count. */
export function watchGrowth(
  folder: string,
  { beside, limit }: { beside: string; limit: number },
): FolderGrowth {
  const controller = new AbortController();
  const { signal } = controller;
  const look = async (): Promise<void> => {
    const names = (await readdir(folder)).filter((name) => !name.startsWith(beside));
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    if (size > limit) controller.abort(new ServiceError('too_large', 'The export is larger than is allowed'));
    signal.throwIfAborted();
  };
  // A file may be removed between `readdir` and `stat`; the next check counts it.
  const timer = setInterval(() => void look().catch(() => {}), period);
  return { signal, look, end: () => clearInterval(timer) };
}
