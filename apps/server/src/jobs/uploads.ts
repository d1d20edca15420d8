import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Uploads of unfinished jobs: a folder with one file per job, named by its id. An upload stays until its job ends, so that the job can be resumed. */
export interface Uploads {
  pathOf(id: string): string;
  /** Takes over a file that was received. */
  keep(id: string, path: string): Promise<void>;
  has(id: string): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** The ids of the jobs of all files. */
  ids(): Promise<string[]>;
  /** Bytes of all files, except those of jobs that are left out. */
  bytes(isLeftOut: (id: string) => boolean): Promise<number>;
}

export function uploadsIn(dataFolder: string): Uploads {
  const folder = join(dataFolder, 'uploads');
  const pathOf = (id: string): string => join(folder, id);
  const sizeOf = async (id: string): Promise<number | undefined> =>
    (await stat(pathOf(id)).catch(() => undefined))?.size;
  const ids = (): Promise<string[]> => readdir(folder).catch((): string[] => []);
  return {
    pathOf,
    ids,
    async keep(id, path) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(path, pathOf(id));
    },
    has: async (id) => (await sizeOf(id)) !== undefined,
    remove: (id) => rm(pathOf(id), { force: true, maxRetries: 3 }),
    async bytes(isLeftOut) {
      let bytes = 0;
      for (const id of await ids()) if (!isLeftOut(id)) bytes += (await sizeOf(id)) ?? 0;
      return bytes;
    },
  };
}
