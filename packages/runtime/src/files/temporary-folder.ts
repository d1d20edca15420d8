import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isOwnName, ownName, removeAbandoned } from '../own-names.js';

/** A folder for the files of one import or export. */
export interface JobFolder {
  path: string;
  remove(): Promise<void>;
}

const parent = (dataFolder: string): string => join(dataFolder, 'tmp');

/** Makes a folder. Its name contains its process, so that leftovers of a crash can be recognized. */
export async function createJobFolder(dataFolder: string): Promise<JobFolder> {
  const path = join(parent(dataFolder), `job_${ownName()}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Removes folders of ended processes; `all`: every folder, for when no process uses one. */
export const sweepJobFolders = (dataFolder: string, { all = false } = {}): Promise<void> =>
  removeAbandoned(parent(dataFolder), { all });

/** Size of the folders of other processes, bytes. */
export async function otherProcessesBytes(dataFolder: string): Promise<number> {
  let bytes = 0;
  const folder = parent(dataFolder);
  for (const maker of await readdir(folder).catch((): string[] => [])) {
    if (isOwnName(maker)) continue;
    for (const name of await readdir(join(folder, maker), { recursive: true }).catch((): string[] => [])) {
      const file = await stat(join(folder, maker, name)).catch(() => undefined);
      if (file?.isFile()) bytes += file.size;
    }
  }
  return bytes;
}
