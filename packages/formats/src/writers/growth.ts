import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../errors.js';

/** Watches what is written into a folder. */
export interface Growth {
  /** Aborted with `too_large` when it is more than is allowed. */
  signal: AbortSignal;
  /** Looks now. Throws `too_large`. */
  look(): Promise<void>;
  end(): void;
}

/** ms between two looks. */
const period = 200;

/** Files that GDAL writes: what they come to nobody knows before. `limit`: bytes; `beside`: how the names of other files begin. */
export function watchGrowth(folder: string, { beside, limit }: { beside: string; limit: number }): Growth {
  const controller = new AbortController();
  const { signal } = controller;
  const look = async (): Promise<void> => {
    const names = (await readdir(folder)).filter((name) => !name.startsWith(beside));
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    if (size > limit) controller.abort(new ServiceError('too_large', 'The export is larger than is allowed'));
    signal.throwIfAborted();
  };
  // A file may go between the two steps: the next look counts.
  const timer = setInterval(() => void look().catch(() => {}), period);
  return { signal, look, end: () => clearInterval(timer) };
}
