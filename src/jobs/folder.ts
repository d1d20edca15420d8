import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A folder for the files of one import or export, which goes with it. */
export interface JobFolder {
  path: string;
  remove(): Promise<void>;
}

const parent = (dataFolder: string): string => join(dataFolder, 'tmp');

const host = encodeURIComponent(hostname());

/** The name tells whose it is, so that what a crash left behind can be told from what is in use. */
export async function createJobFolder(dataFolder: string): Promise<JobFolder> {
  const name = `job-${host}-${process.pid}-${randomBytes(6).toString('hex')}`;
  const path = join(parent(dataFolder), name);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** ms after which a folder is nobody's, though who made it cannot be asked: on another machine, or by a number that was used again. */
const longest = 24 * 3_600_000;

/** Removes what ended processes left behind; to be called when this one has no job yet. */
export async function sweepJobFolders(dataFolder: string): Promise<void> {
  for (const { path, maker, pid } of await folders(dataFolder)) {
    const isLeft = maker === host && (pid === process.pid || !isRunning(pid));
    const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: Date.now() };
    if (isLeft || Date.now() - mtimeMs > longest) await rm(path, { recursive: true, force: true });
  }
}

/** Bytes in the folders of other processes. */
export async function bytesOfOthers(dataFolder: string): Promise<number> {
  let bytes = 0;
  for (const { path, maker, pid } of await folders(dataFolder)) {
    if (maker === host && pid === process.pid) continue;
    for (const name of await readdir(path, { recursive: true }).catch((): string[] => [])) {
      const file = await stat(join(path, name)).catch(() => undefined);
      if (file?.isFile()) bytes += file.size;
    }
  }
  return bytes;
}

async function folders(dataFolder: string): Promise<{ path: string; maker: string; pid: number }[]> {
  const names = await readdir(parent(dataFolder)).catch((): string[] => []);
  return names.flatMap((name) => {
    const [, maker, pid] = /^job-(.+)-(\d+)-[0-9a-f]+$/.exec(name) ?? [];
    return maker ? [{ path: join(parent(dataFolder), name), maker, pid: Number(pid) }] : [];
  });
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
