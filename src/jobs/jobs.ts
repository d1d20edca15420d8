import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../access/caller.js';
import type { Config } from '../config.js';
import type { Database } from '../db/pool.js';
import { ServiceError } from '../errors.js';
import type { Log } from '../http/service.js';
import type { Turns } from '../http/turns.js';
import { type Allowance, createAllowance, type Room } from './allowance.js';
import { createJobFolder, type JobFolder } from './folder.js';
import { isFinal, type JobKind, type Progress } from './job.js';
import { type KeptFiles, keptFiles } from './kept.js';
import { type BeforeCommit, type JobResult, type Live, startLive, stopped } from './live.js';
import {
  askToCancel,
  failJobs,
  findJob,
  insertJob,
  isUnfinished,
  type Job,
  type NewJob,
  refuseTooMany,
  removeJob,
} from './store.js';
import { startSweeping } from './sweep.js';

export type { Room } from './allowance.js';
export type { Progress } from './job.js';
export type { BeforeCommit, JobResult } from './live.js';
export { JobAnswer } from './schemas.js';
export type { Job } from './store.js';
export { failLostJobs } from './sweep.js';
export { jobView, pathOfJob } from './view.js';

/** What a job has on the disk. */
export interface Desk {
  /** A folder of its own, which goes with it. */
  folder: string;
  /** For what is written there. */
  room: Room;
}

/** Aborted when the job is cancelled or the service stops. */
export type Work = (
  signal: AbortSignal,
  progress: Progress,
  beforeCommit: BeforeCommit,
) => Promise<JobResult>;

export interface JobOrder {
  kind: JobKind;
  caller: Caller;
  /** By whom its jobs are counted (`http/owner.ts`). */
  owner: string;
  layer: NewJob['layer'];
  /** Of the request: aborted while the job is prepared. */
  gone: AbortSignal;
  /** In which it waits for its turn. */
  turns: Turns;
}

/** Work that goes on after its request was answered. */
export interface Jobs {
  /**
   * Begins a job: `prepare` takes from the request what is needed and gives the work, which is carried out when its turn
   * has come. Throws 429 above the limits, `busy` while the service stops, and what `prepare` throws.
   */
  begin(order: JobOrder, prepare: (desk: Desk, signal: AbortSignal) => Promise<Work>): Promise<Job>;
  /** A job with the newest that is known of it. Throws 404. */
  find(caller: Caller, id: string): Promise<Job>;
  /** A job that was read, with the newest that is known of it. */
  newest(job: Job): Job;
  /** Ends an unfinished job, or removes a finished one with its file: the job as it is then, or was. Throws 404. */
  cancel(caller: Caller, id: string): Promise<Job>;
  /** Where a job of this process stands. */
  live(id: string): Live | undefined;
  readonly allowance: Allowance;
  readonly kept: KeptFiles;
  /** Resolves when no job of this process is running or waiting. */
  idle(): Promise<void>;
  /** Ends all jobs with `busy`. */
  close(): Promise<void>;
}

/** How long one waits for the end of a job that is cancelled, and of all when the service stops, ms. */
const patience = 5_000;
const stopPatience = 500;
/** ms between two looks at a job of another process. */
const pollPeriod = 500;

interface Parts {
  db: Database;
  config: Config;
  log: Log;
}

/** Ends what earlier processes left behind, and is ready for jobs. */
export async function createJobs({ db, config, log }: Parts): Promise<Jobs> {
  const me = `${hostname()}/${process.pid}/${randomUUID()}`;
  const { jobFileTime: fileTime, jobDays: days } = config;
  const limits = { jobs: config.jobsPerUser, streams: config.jobStreams, bytes: config.jobSpace };
  const allowance = createAllowance(limits);
  const kept = keptFiles(config.dataFolder);
  const running = new Map<string, Live>();
  const leaving = new AbortController();
  const isLive = (id: string): boolean => running.has(id);
  const endSweeping = await startSweeping({ db, log, kept, allowance, fileTime, days, me, isLive });

  const begin: Jobs['begin'] = async (order, prepare) => {
    leaving.signal.throwIfAborted();
    const { caller, kind, layer, turns, owner } = order;
    turns.admit();
    const leave = allowance.enter('jobs', owner);
    const room = allowance.openRoom(owner);
    let folder: JobFolder | undefined;
    const clear = async (): Promise<void> => {
      await folder?.remove().catch((error) => log.warn({ err: error }, 'a folder could not be removed'));
      room.leave();
      leave();
    };
    const id = randomUUID();
    try {
      // Before anything is received; it is counted once more when the job is stored.
      await refuseTooMany(db, owner, limits.jobs);
      folder = await createJobFolder(config.dataFolder);
      const signal = AbortSignal.any([order.gone, leaving.signal]);
      const work = await prepare({ folder: folder.path, room }, signal);
      signal.throwIfAborted();
      await insertJob(db, { id, kind, caller, layer, process: me, owner }, limits.jobs);
      const live = startLive({ db, log, kept, fileTime }, { id, folder: folder.path, turns, work, clear });
      running.set(id, live);
      void live.ended.then(() => running.delete(id));
      if (leaving.signal.aborted) live.end('stopped');
    } catch (error) {
      await clear();
      throw error;
    }
    return find(caller, id);
  };
  const find: Jobs['find'] = async (caller, id) => newest(await findJob(db, caller, id));
  const newest = (job: Job): Job => {
    const live = running.get(job.id);
    return live && !isFinal(job.state) && !isFinal(live.standing.state) ? { ...job, ...live.standing } : job;
  };
  const cancel: Jobs['cancel'] = async (caller, id) => {
    const job = await findJob(db, caller, id);
    if (!isFinal(job.state)) {
      await endSoon(db, job.id, running.get(job.id));
      return find(caller, id);
    }
    await removeJob(db, job.id);
    await kept.remove(job.id);
    allowance.kept = await kept.sweep(fileTime);
    return job;
  };
  const idle = async (): Promise<void> => {
    while (running.size) await Promise.all([...running.values()].map(({ ended }) => ended));
  };
  const close = async (): Promise<void> => {
    leaving.abort(new ServiceError('busy', 'The service is stopping'));
    await endSweeping();
    for (const live of running.values()) live.end('stopped');
    await Promise.race([idle(), sleep(stopPatience, undefined, { ref: false })]);
    if (running.size) await failJobs(db, [...running.keys()], stopped);
  };
  return { begin, find, newest, cancel, live: (id) => running.get(id), allowance, kept, idle, close };
}

/** Cancels a job in this process or another, and waits a while for its end. */
async function endSoon(db: Database, id: string, live: Live | undefined): Promise<void> {
  if (live) {
    live.end('cancelled');
    return Promise.race([live.ended, sleep(patience, undefined, { ref: false })]);
  }
  await askToCancel(db, id);
  for (let waited = 0; waited < patience && (await isUnfinished(db, id)); waited += pollPeriod)
    await sleep(pollPeriod);
}
