import { hostname } from 'node:os';
import type { Database } from '../db/pool.js';
import type { Log } from '../http/service.js';
import { isRunning } from '../own-names.js';
import type { Allowance } from './allowance.js';
import type { KeptFiles } from './kept.js';
import { stopped } from './live.js';
import { failJobs, removeOld, type UnfinishedJob, unfinishedJobs, withoutFile } from './store.js';

export interface Sweeping {
  db: Database;
  log: Log;
  kept: KeptFiles;
  allowance: Allowance;
  /** s that the file of an export is kept. */
  fileTime: number;
  /** Days that a job is kept. */
  days: number;
  /** The name of this process, and what it carries out. */
  me: string;
  isLive(id: string): boolean;
}

/** s without a sign of life after which a process has ended. */
const longestSilence = 60;

/** ms between two sweeps. */
const period = 30_000;

/** Ends what ended processes left unfinished, and removes what has been kept for its time. */
export async function sweepJobs(sweeping: Sweeping): Promise<void> {
  const { db, kept, allowance, days, fileTime } = sweeping;
  const unfinished = await unfinishedJobs(db);
  await endAll(
    db,
    unfinished.filter((job) => isForgotten(job, sweeping) || isLost(job, sweeping.me)),
  );
  // Killed between its file and its end.
  for (const id of await withoutFile(db, await kept.ids())) await kept.remove(id);
  for (const id of await removeOld(db, { days, fileTime })) await kept.remove(id);
  allowance.kept = await kept.sweep(fileTime);
}

/** Ends jobs whose process has ended; `all`: every one, where no other process can be at work. */
export async function failLostJobs(db: Database, { all = false } = {}): Promise<void> {
  const unfinished = await unfinishedJobs(db);
  await endAll(db, all ? unfinished : unfinished.filter((job) => isLost(job)));
}

async function endAll(db: Database, lost: readonly UnfinishedJob[]): Promise<void> {
  const ids = lost.map(({ id }) => id);
  if (ids.length) await failJobs(db, ids, stopped);
}

/** One of this process that it does not know. */
const isForgotten = ({ id, process: owner, silence }: UnfinishedJob, { me, isLive }: Sweeping): boolean =>
  owner === me && !isLive(id) && silence > longestSilence;

/** Other processes may be at work, on this machine or elsewhere. `me`: who is not to be judged by this. */
function isLost({ process: owner, silence }: UnfinishedJob, me?: string): boolean {
  if (owner === me) return false;
  if (silence > longestSilence) return true;
  const [host, pid] = owner.split('/');
  return host === hostname() && (Number(pid) === process.pid || !isRunning(Number(pid)));
}

/** Sweeps now, and from time to time. Gives a function that ends it, when what runs is done. */
export async function startSweeping(sweeping: Sweeping): Promise<() => Promise<void>> {
  await sweepJobs(sweeping);
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => sweepJobs(sweeping))
      .catch((error) => sweeping.log.warn({ err: error }, 'jobs could not be swept'));
  }, period);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
