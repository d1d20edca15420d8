import type { Semaphore } from '@cartulary/runtime';
import type { Caller } from '../access/caller.js';
import type { JobKind, Progress } from './job.js';
import type { BeforeCommit, JobResult } from './live.js';
import type { NewJob } from './store.js';
import type { JobWorkspace } from './workspaces.js';

/** The work of a job. The signal is aborted when the job is cancelled or the service stops. */
export type JobWork = (
  signal: AbortSignal,
  progress: Progress,
  beforeCommit: BeforeCommit,
) => Promise<JobResult>;

/** An accepted job: what its kind needs to carry it out, also when another process resumes it. */
export interface AcceptedJob {
  caller: Caller;
  /** Jobs and places in queues are counted by owner (`http/limits/owner.ts`). */
  owner: string;
  layer: NewJob['layer'];
  /** The JSON that `receive` gave to `begin`. */
  request: unknown;
  /** Path of the upload, where the job has one. */
  upload: string;
}

/** How the jobs of a kind are carried out. */
export interface Carrier {
  /** Limits how many jobs run at a time. */
  semaphore(owner: string): Semaphore;
  /** Checks rights, and throws the errors of the synchronous call, while the work runs. */
  work(job: AcceptedJob, workspace: JobWorkspace): JobWork;
  /** Bytes of the upload; undefined: there is none. */
  uploadSize(request: unknown): number | undefined;
  /** The caller with the rights at the time when a job is resumed. */
  caller(project: string, account: number | null): Promise<Caller>;
}

export type Carriers = Readonly<Record<JobKind, Carrier>>;
