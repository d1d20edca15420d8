import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder for the files of one import or export, which goes with it. */
export interface JobFolder {
  path: string;
  remove(): Promise<void>;
}

const parent = (dataFolder: string): string => join(dataFolder, 'tmp');

/** The name tells whose it is, so that what a crash left behind can be told from what is in use. */
export async function createJobFolder(dataFolder: string): Promise<JobFolder> {
  const path = join(parent(dataFolder), `job-${process.pid}-${randomBytes(6).toString('hex')}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Removes what ended processes left behind; to be called when this one has no job yet. */
export async function sweepJobFolders(dataFolder: string): Promise<void> {
  const names = await readdir(parent(dataFolder)).catch((): string[] => []);
  for (const name of names) {
    const owner = Number(/^job-(\d+)-[0-9a-f]+$/.exec(name)?.[1]);
    if (!owner || (owner !== process.pid && isRunning(owner))) continue;
    await rm(join(parent(dataFolder), name), { recursive: true, force: true });
  }
}

/** Whether a process of this machine lives. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
