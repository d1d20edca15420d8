import { createJobFolder, type JobFolder, type Log } from '@cartulary/runtime';
import type { Allowance, JobQuota } from './allowance.js';

/** The disk space of a job. */
export interface JobWorkspace {
  /** Path of a folder that is removed with the workspace. */
  folder: string;
  /** Counts the bytes written there. */
  quota: JobQuota;
}

export interface OpenWorkspace extends JobWorkspace {
  /** Removes the folder and releases the quota and the job's place in the allowance. Never rejects. */
  clear(): Promise<void>;
}

/** Counts one more job of an owner, and makes its workspace. Throws 429, `busy`. */
export async function openWorkspace(
  { dataFolder, allowance, log }: { dataFolder: string; allowance: Allowance; log: Log },
  owner: string,
): Promise<OpenWorkspace> {
  const leave = allowance.enter('jobs', owner);
  const quota = allowance.openQuota(owner);
  let folder: JobFolder | undefined;
  const clear = async (): Promise<void> => {
    await folder?.remove().catch((error) => log.warn({ err: error }, 'a folder could not be removed'));
    quota.release();
    leave();
  };
  try {
    folder = await createJobFolder(dataFolder);
    return { folder: folder.path, quota, clear };
  } catch (error) {
    await clear();
    throw error;
  }
}
