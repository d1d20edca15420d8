import { hostname } from 'node:os';
import type { Database } from '@cartulary/database';
import { BackgroundTasks, isRunning, type Log } from '@cartulary/runtime';
import type { Allowance } from './allowance.js';
import type { KeptFiles } from './kept-files.js';
import { releaseJobs } from './released.js';
import { removeOld, type UnfinishedJob, unfinishedJobs, withoutFile, withoutWork } from './store.js';
import type { Uploads } from './uploads.js';

export interface Sweeping {
  db: Database;
  log: Log;
  kept: KeptFiles;
  uploads: Uploads;
  allowance: Allowance;
  /** How long the file of an export is kept. */
  fileTimeSeconds: number;
  /** How long a finished job is kept. */
  keptDays: number;
  /** How often a job is started at most. */
  maxAttempts: number;
  processName: string;
  /** Whether this process carries the job out. */
  isLive(id: string): boolean;
}

/** Time without a sign of life after which a process counts as ended. */
const lostAfterSeconds = 60;

/** How long a released job waits for a process that has its upload. */
const unclaimedSeconds = 24 * 3_600;

const sweepPeriodMs = 30_000;

/** Releases the jobs of ended processes, and removes jobs and files whose time is over. */
export async function sweepJobs(sweeping: Sweeping): Promise<void> {
  const { db, kept, uploads, allowance, keptDays, maxAttempts, fileTimeSeconds } = sweeping;
  const unfinished = await unfinishedJobs(db);
  const isOver = (job: UnfinishedJob): boolean =>
    isForgotten(job, sweeping) || isLost(job, sweeping.processName);
  await releaseJobs(db, unfinished.filter(isOver), maxAttempts);
  await releaseJobs(db, unfinished.filter(isUnclaimed), 0);
  // A process that is killed before it writes the end of a job leaves files without one.
  for (const id of await withoutFile(db, await kept.ids())) await kept.remove(id);
  for (const id of await withoutWork(db, await uploads.ids())) await uploads.remove(id);
  for (const id of await removeOld(db, { days: keptDays, fileTime: fileTimeSeconds })) await kept.remove(id);
  allowance.keptBytes = await keptBytes(sweeping);
}

/** Bytes of kept files, and of uploads that no quota of this process holds. */
export const keptBytes = async ({ kept, uploads, fileTimeSeconds, isLive }: Sweeping): Promise<number> =>
  (await kept.sweep(fileTimeSeconds)) + (await uploads.bytes(isLive));

interface Releasing {
  attempts: number;
  /** Of every process, where no other one can be running. */
  all?: boolean;
  /** Whether this process has begun to serve: then a job with its id is its own, and not that of an ended process which had the same id. */
  isServing?: boolean;
}

/** Releases the jobs of ended processes. */
export async function releaseLostJobs(
  db: Database,
  { attempts, all = false, isServing = false }: Releasing,
): Promise<void> {
  const own = `${hostname()}/${process.pid}/`;
  const owned = (await unfinishedJobs(db)).filter(
    ({ process: owner }) => owner !== '' && !(isServing && owner.startsWith(own)),
  );
  await releaseJobs(db, all ? owned : owned.filter((job) => isLost(job)), attempts);
}

const isUnclaimed = ({ process: owner, silence }: UnfinishedJob): boolean =>
  owner === '' && silence > unclaimedSeconds;

/** Whether a job has the name of this process, which does not carry it out. */
const isForgotten = (
  { id, process: owner, silence }: UnfinishedJob,
  { processName, isLive }: Sweeping,
): boolean => owner === processName && !isLive(id) && silence > lostAfterSeconds;

/** Whether the process of a job has ended, on this machine or another. `processName`: a process that certainly runs. */
function isLost({ process: owner, silence }: UnfinishedJob, processName?: string): boolean {
  if (owner === processName || owner === '') return false;
  if (silence > lostAfterSeconds) return true;
  const [host, pid] = owner.split('/');
  return host === hostname() && (Number(pid) === process.pid || !isRunning(Number(pid)));
}

/** Sweeps at intervals; `afterwards` follows each sweep. */
export function startJobSweep(sweeping: Sweeping, afterwards: () => Promise<void>): BackgroundTasks {
  const background = new BackgroundTasks(sweeping.log, 'jobs could not be swept');
  background.every(sweepPeriodMs, async () => {
    await sweepJobs(sweeping);
    await afterwards();
  });
  return background;
}
