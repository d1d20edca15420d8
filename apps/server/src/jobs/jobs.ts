import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { type BackgroundTasks, digestOf, type Log } from '@cartulary/runtime';
import type { Caller } from '../access/caller.js';
import type { Config } from '../config.js';
import { Allowance, type JobLimits } from './allowance.js';
import type { Carrier, Carriers } from './carriers.js';
import { isFinal, type JobKind } from './job.js';
import { type KeptFiles, keptFiles } from './kept-files.js';
import { LiveJob, type LiveOrder } from './live.js';
import { type ReleasedJob, releasedJobs, releaseJobs, takeJob } from './released.js';
import {
  askToCancel,
  findJob,
  insertJob,
  isUnfinished,
  type Job,
  type NewJob,
  refuseTooMany,
  removeJob,
} from './store.js';
import { keptBytes, type Sweeping, startJobSweep, sweepJobs } from './sweep.js';
import { type Uploads, uploadsIn } from './uploads.js';
import { type JobWorkspace, type OpenWorkspace, openWorkspace } from './workspaces.js';

export type { JobQuota } from './allowance.js';
export type { AcceptedJob, Carrier, Carriers, JobWork } from './carriers.js';
export type { Progress } from './job.js';
export type { BeforeCommit, JobResult } from './live.js';
export { JobAnswer } from './schemas.js';
export type { Job } from './store.js';
export { releaseLostJobs } from './sweep.js';
export { jobView, pathOfJob } from './view.js';
export type { JobWorkspace } from './workspaces.js';

export interface JobOrder {
  kind: JobKind;
  caller: Caller;
  /** Jobs are counted by owner (`http/limits/owner.ts`). */
  owner: string;
  layer: NewJob['layer'];
  /** Aborted when the client leaves, which counts only while the job is received. */
  gone: AbortSignal;
}

/** How long the answer to a cancellation waits for the end of the job. */
const cancelTimeoutMs = 5_000;
/** How often a job of another process is looked at meanwhile. */
const cancelPollMs = 500;
/** How long `close` waits for jobs before it releases them to other processes. */
const stopTimeoutMs = 500;

interface JobParts {
  db: Database;
  config: Config;
  log: Log;
}

/** Makes the jobs of this process, and takes over those of processes that have ended. */
export async function createJobs(parts: JobParts): Promise<Jobs> {
  const jobs = new Jobs(parts);
  await jobs.startSweeping();
  return jobs;
}

/** Imports and exports that go on after their request was answered. */
export class Jobs {
  readonly allowance: Allowance;
  readonly kept: KeptFiles;
  readonly #db: Database;
  readonly #log: Log;
  readonly #dataFolder: string;
  readonly #limits: JobLimits;
  /** How often a job is started at most. */
  readonly #maxAttempts: number;
  readonly #fileTimeSeconds: number;
  readonly #uploads: Uploads;
  readonly #sweeping: Sweeping;
  /** The name of this process in the rows of its jobs. */
  readonly #processName = `${hostname()}/${process.pid}/${randomUUID()}`;
  /** Tells the data folder of this machine from those of others: only its processes have its uploads. */
  readonly #uploadFolder: string;
  readonly #running = new Map<string, LiveJob>();
  /** Aborted when the service stops. */
  readonly #stopping = new AbortController();
  #carriers: Carriers | undefined;
  #sweeps: BackgroundTasks | undefined;

  constructor({ db, config, log }: JobParts) {
    this.#db = db;
    this.#log = log;
    this.#dataFolder = config.dataFolder;
    this.#limits = { jobs: config.jobsPerUser, streams: config.jobStreams, bytes: config.jobSpaceBytes };
    this.#maxAttempts = config.jobAttempts;
    this.#fileTimeSeconds = config.jobFileTimeS;
    this.allowance = new Allowance(this.#limits);
    this.kept = keptFiles(config.dataFolder);
    this.#uploads = uploadsIn(config.dataFolder);
    this.#uploadFolder = digestOf(`${hostname()} ${resolve(config.dataFolder)}`);
    this.#sweeping = {
      db,
      log,
      kept: this.kept,
      uploads: this.#uploads,
      allowance: this.allowance,
      fileTimeSeconds: this.#fileTimeSeconds,
      keptDays: config.jobDays,
      maxAttempts: this.#maxAttempts,
      processName: this.#processName,
      isLive: (id) => this.#running.has(id),
    };
  }

  async startSweeping(): Promise<void> {
    await sweepJobs(this.#sweeping);
    this.#sweeps = startJobSweep(this.#sweeping, () => this.resume());
  }

  /** Sets how jobs are carried out. Required before the first call of `begin`. */
  carryOut(carriers: Carriers): void {
    this.#carriers = carriers;
  }

  /**
   * Begins a job. `receive` takes from the request what is needed: it returns JSON, and may write the file `file` in the folder
   * of the workspace. Throws 429 above the limits, `busy` while the service stops, and what `receive` throws.
   */
  async begin(
    { kind, gone, ...order }: JobOrder,
    receive: (workspace: JobWorkspace, signal: AbortSignal) => Promise<object>,
  ): Promise<Job> {
    const stopping = this.#stopping.signal;
    stopping.throwIfAborted();
    const { caller, owner, layer } = order;
    const carrier = this.#carriers![kind];
    const semaphore = carrier.semaphore(owner);
    semaphore.admit();
    // An early refusal, before anything is received. `insertJob` counts again.
    await refuseTooMany(this.#db, owner, this.#limits.jobs);
    const workspace = await this.#openWorkspace(owner, carrier);
    const id = randomUUID();
    try {
      const signal = AbortSignal.any([gone, stopping]);
      const request = { ...(await receive(workspace, signal)), uploadFolder: this.#uploadFolder };
      signal.throwIfAborted();
      const row = { id, kind, caller, layer, process: this.#processName, owner, request };
      await insertJob(this.#db, row, this.#limits.jobs);
      // After the row, because the sweep removes uploads without a job.
      if (carrier.uploadSize(request) !== undefined) await this.#keepUpload(id, workspace);
      const work = carrier.work({ ...order, request, upload: this.#uploads.pathOf(id) }, workspace);
      this.#start({ id, folder: workspace.folder, semaphore, work, clear: workspace.clear });
    } catch (error) {
      await workspace.clear();
      throw error;
    }
    return this.find(caller, id);
  }

  /** Resumes jobs of ended processes, within the limits, whose uploads are on this disk. Never rejects. */
  async resume(): Promise<void> {
    if (!this.#carriers || this.#stopping.signal.aborted) return;
    await this.#resumeAll().catch((error) => this.#log.warn({ err: error }, 'jobs could not be resumed'));
  }

  /** A job in its latest state. Throws 404. */
  async find(caller: Caller, id: string): Promise<Job> {
    return this.newest(await findJob(this.#db, caller, id));
  }

  /** A job that was read from the database, in its latest state. */
  newest(job: Job): Job {
    // While the service stops, only the database knows how the job was left.
    const live = this.#stopping.signal.aborted ? undefined : this.#running.get(job.id);
    return live && !isFinal(job.state) && !isFinal(live.standing.state) ? { ...job, ...live.standing } : job;
  }

  /** Cancels an unfinished job and gives its new state, or removes a finished one and gives its last state. Throws 404. */
  async cancel(caller: Caller, id: string): Promise<Job> {
    const job = await findJob(this.#db, caller, id);
    if (!isFinal(job.state)) {
      await this.#endSoon(job.id);
      const now = await this.find(caller, id);
      if (isFinal(now.state)) await this.#uploads.remove(job.id);
      return now;
    }
    await removeJob(this.#db, job.id);
    await this.kept.remove(job.id);
    this.allowance.keptBytes = await keptBytes(this.#sweeping);
    return job;
  }

  /** A job that this process carries out. */
  live(id: string): LiveJob | undefined {
    return this.#running.get(id);
  }

  /** Resolves when no job of this process runs or waits. */
  async idle(): Promise<void> {
    while (this.#running.size) await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** Stops all jobs. Another process, or the next start, resumes them. */
  async close(): Promise<void> {
    this.#stopping.abort(new ServiceError('busy', 'The service is stopping'));
    await this.#sweeps?.stop();
    for (const live of this.#running.values()) live.end('stopped');
    await Promise.race([this.idle(), sleep(stopTimeoutMs, undefined, { ref: false })]);
    // A job that no longer belongs to this process cannot commit.
    const rest = [...this.#running.keys()].map((id) => ({ id, process: this.#processName }));
    await releaseJobs(this.#db, rest, this.#maxAttempts);
  }

  async #openWorkspace(owner: string, carrier: Carrier): Promise<OpenWorkspace> {
    carrier.semaphore(owner).admit();
    return openWorkspace({ dataFolder: this.#dataFolder, allowance: this.allowance, log: this.#log }, owner);
  }

  #start(order: LiveOrder): void {
    const parts = {
      db: this.#db,
      log: this.#log,
      kept: this.kept,
      uploads: this.#uploads,
      fileTimeSeconds: this.#fileTimeSeconds,
      maxAttempts: this.#maxAttempts,
      processName: this.#processName,
    };
    const live = new LiveJob(parts, order);
    this.#running.set(order.id, live);
    void live.ended.then(() => this.#running.delete(order.id));
    if (this.#stopping.signal.aborted) live.end('stopped');
  }

  /** Moves a received upload to where it outlives this process. Removes the job and throws where that fails. */
  async #keepUpload(id: string, { folder }: JobWorkspace): Promise<void> {
    try {
      await this.#uploads.keep(id, join(folder, 'file'));
    } catch (error) {
      await releaseJobs(this.#db, [{ id, process: this.#processName }], 0);
      await removeJob(this.#db, id);
      throw error;
    }
  }

  async #resumeAll(): Promise<void> {
    for (const job of await releasedJobs(this.#db)) {
      if (!this.#carriers || this.#stopping.signal.aborted) return;
      const carrier = this.#carriers[job.kind];
      const size = carrier.uploadSize(job.request);
      // A process that is killed before it has moved the upload leaves a job without one: it fails here, and says so.
      const belongsHere = (job.request as { uploadFolder?: string }).uploadFolder === this.#uploadFolder;
      const isHere = belongsHere || size === undefined || (await this.#uploads.has(job.id));
      if (isHere) await this.#resumeOne(job, carrier, size ?? 0);
    }
  }

  async #resumeOne(job: ReleasedJob, carrier: Carrier, uploadBytes: number): Promise<void> {
    const { id, owner, project, account_id: account, request } = job;
    const semaphore = carrier.semaphore(owner);
    const workspace = await this.#openWorkspace(owner, carrier).catch(() => undefined);
    if (!workspace) return;
    try {
      workspace.quota.take(uploadBytes);
      const caller = await carrier.caller(project, account);
      const layer = { id: job.layer_id, code: job.layer_code, map: { code: job.map_code } };
      const accepted = { caller, owner, layer, request, upload: this.#uploads.pathOf(id) };
      const work = carrier.work(accepted, workspace);
      const isTaken = !this.#stopping.signal.aborted && (await takeJob(this.#db, id, this.#processName));
      if (!isTaken) return await workspace.clear();
      this.#log.info({ job: id, kind: job.kind }, 'a job is resumed');
      this.#start({ id, folder: workspace.folder, semaphore, work, clear: workspace.clear });
    } catch (error) {
      await workspace.clear();
      this.#log.debug({ err: error, job: id }, 'a job is not resumed now');
    }
  }

  /** Cancels a job of any process, and waits for its end for a limited time. */
  async #endSoon(id: string): Promise<void> {
    const live = this.#running.get(id);
    if (live) {
      live.end('cancelled');
      return Promise.race([live.ended, sleep(cancelTimeoutMs, undefined, { ref: false })]);
    }
    await askToCancel(this.#db, id);
    let waitedMs = 0;
    for (; waitedMs < cancelTimeoutMs && (await isUnfinished(this.#db, id)); waitedMs += cancelPollMs)
      await sleep(cancelPollMs);
  }
}
