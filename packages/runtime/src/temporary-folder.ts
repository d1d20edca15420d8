import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isOwn, ownName, removeAbandoned } from '../own-names.js';

/** A folder for the files of one import or export, which goes with it. */
export interface JobFolder {
  path: string;
  remove(): Promise<void>;
}

const parent = (dataFolder: string): string => join(dataFolder, 'tmp');

/** The name tells whose it is, so that what a crash left behind can be told from what is in use. */
export async function createJobFolder(dataFolder: string): Promise<JobFolder> {
  const path = join(parent(dataFolder), `job_${ownName()}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Removes what ended processes left behind; `all`: every folder, where no process can be at work. */
export const sweepJobFolders = (dataFolder: string, { all = false } = {}): Promise<void> =>
  removeAbandoned(parent(dataFolder), { all });

/** Bytes in the folders of other processes. */
export async function bytesOfOthers(dataFolder: string): Promise<number> {
  let bytes = 0;
  const folder = parent(dataFolder);
  for (const maker of await readdir(folder).catch((): string[] => [])) {
    if (isOwn(maker)) continue;
    for (const name of await readdir(join(folder, maker), { recursive: true }).catch((): string[] => [])) {
      const file = await stat(join(folder, maker, name)).catch(() => undefined);
      if (file?.isFile()) bytes += file.size;
    }
  }
  return bytes;
}
