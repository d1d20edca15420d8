import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Log } from '../../http/service.js';
import { sweepFolder, temporary } from './sweep.js';

/** Files by name, which may be gone at any time. Nothing here ever fails: what cannot be read is not there, what cannot be written is not kept. */
export interface TileDisk {
  /** undefined: there is none. */
  read(name: string): Promise<Buffer | undefined>;
  /** Writes behind the caller; dropped where too much waits already. */
  write(name: string, bytes: () => Buffer): void;
  /** Says that a file is in use, so that others leave before it. */
  touch(name: string): void;
  /** When all that was written so far is there. */
  settled(): Promise<void>;
}

/** How many files are written at once, and how many may wait. */
const atOnce = 4;
const mostWaiting = 2_000;

/** How old the note of use of a file may be, ms. */
export const touchEvery = 3_600_000;

/** The part of the limit that may be written before the folder is looked through again. */
const sweepPart = 0.05;

export interface DiskPlace {
  /** The folder of all that is kept, which is held below the limit. */
  root: string;
  /** The folder in it of these files. */
  scope: string;
  /** Bytes. */
  limit: number;
}

/** A folder of files that is held below a limit; several processes may use it. */
export function createTileDisk({ root, scope, limit }: DiskPlace, log: Log): TileDisk {
  const waiting = new Map<string, () => Buffer>();
  const running = new Map<string, Promise<void>>();
  let writtenSince = Number.POSITIVE_INFINITY; // The first write looks through what is there.
  let sweeping: Promise<void> | undefined;
  let hasWarned = false;
  const pathOf = (name: string): string => join(root, scope, name.slice(0, 3), name);

  async function store(name: string, bytes: Buffer): Promise<void> {
    const path = pathOf(name);
    const own = join(dirname(path), `${temporary}${randomUUID()}`);
    try {
      await writeFile(own, bytes).catch(async (error) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(own, bytes);
      });
      await rename(own, path);
      writtenSince += bytes.length;
    } catch (error) {
      await rm(own, { force: true }).catch(() => {});
      if (!hasWarned) log.warn({ err: error }, 'tiles cannot be kept on the disk');
      hasWarned = true;
    }
  }

  function work(): void {
    if (writtenSince > limit * sweepPart) sweep();
    for (const [name, bytes] of waiting) {
      if (running.size >= atOnce) return;
      // Two of one name come one after the other.
      if (running.has(name)) continue;
      waiting.delete(name);
      const task = store(name, bytes()).finally(() => {
        running.delete(name);
        work();
      });
      running.set(name, task);
    }
  }

  function sweep(): void {
    if (sweeping) return;
    writtenSince = 0;
    sweeping = sweepFolder(root, limit)
      .catch((error) => log.warn({ err: error }, 'the folder of tiles could not be looked through'))
      .finally(() => {
        sweeping = undefined;
      });
  }

  return {
    read: (name) => readFile(pathOf(name)).catch(() => undefined),
    write(name, bytes) {
      if (waiting.size >= mostWaiting) return;
      waiting.set(name, bytes);
      work();
    },
    touch(name) {
      const path = pathOf(name);
      const now = new Date();
      stat(path)
        .then(({ mtimeMs }) => (mtimeMs < now.getTime() - touchEvery ? utimes(path, now, now) : undefined))
        .catch(() => {});
    },
    async settled() {
      while (waiting.size || running.size || sweeping) await Promise.all([...running.values(), sweeping]);
    },
  };
}
