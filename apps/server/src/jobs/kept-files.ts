import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { otherProcessesBytes } from '@cartulary/runtime';
import type { ByteRange } from '../storage/storage.js';

/** The finished files of exports: a folder with a file per job, named by its id. */
export interface KeptFiles {
  /** A part of a file; undefined where it was removed. */
  read(id: string, part: ByteRange): Promise<Readable | undefined>;
  /** Takes over a finished file. */
  keep(id: string, path: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** The ids of the jobs of all files. */
  ids(): Promise<string[]>;
  /** Removes files older than `age` seconds. Gives the bytes of the others, with those of files that other processes work on. */
  sweep(age: number): Promise<number>;
}

export function keptFiles(dataFolder: string): KeptFiles {
  const folder = join(dataFolder, 'exports');
  const pathOf = (id: string): string => join(folder, id);
  const remove = (id: string): Promise<void> => rm(pathOf(id), { force: true, maxRetries: 3 });
  return {
    async read(id, { first, last }) {
      const file = await open(pathOf(id)).catch(() => undefined);
      return file?.createReadStream({ start: first, end: last });
    },
    remove,
    ids: () => readdir(folder).catch((): string[] => []),
    async keep(id, path) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(path, pathOf(id));
    },
    async sweep(age) {
      let bytes = await otherProcessesBytes(dataFolder);
      for (const name of await readdir(folder).catch((): string[] => [])) {
        const file = await stat(pathOf(name)).catch(() => undefined);
        if (!file) continue;
        if (Date.now() - file.mtimeMs > age * 1000) await remove(name);
        else bytes += file.size;
      }
      return bytes;
    },
  };
}
