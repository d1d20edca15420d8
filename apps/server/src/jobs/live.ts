import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Database,
  deletedMeanwhile,
  isDataError,
  layerQueryFailed,
  type Transaction,
} from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { type Log, ofFullDisk, type Semaphore } from '@cartulary/runtime';
import { after, type JobError, type JobFile, type JobOutcome, type Progress, type Standing } from './job.js';
import type { KeptFiles } from './kept-files.js';
import { beginAttempt, releaseJobs } from './released.js';
import { commitJob, finishJob, type OwnJob, saveStanding } from './store.js';
import type { Uploads } from './uploads.js';

/** The result of a job: the answer of the synchronous call, or a file, which lies in the job's folder by the name `file`. */
export type JobResult = { answer: unknown } | { file: JobFile };

/** Runs at the end of the transaction that stores a job's work, so that the job is done exactly when its work is stored. */
export type BeforeCommit = (tx: Transaction, result: unknown) => Promise<void>;

/** stopped: another process may resume the job. lost: another process carries it out, or has ended it. */
export type EndReason = 'cancelled' | 'stopped' | 'lost';

export interface LiveParts {
  db: Database;
  log: Log;
  kept: KeptFiles;
  uploads: Uploads;
  /** How long the file of an export is kept. */
  fileTimeSeconds: number;
  /** How often a job is started at most. */
  maxAttempts: number;
  processName: string;
}

export interface LiveOrder {
  id: string;
  folder: string;
  semaphore: Semaphore;
  work(signal: AbortSignal, progress: Progress, beforeCommit: BeforeCommit): Promise<JobResult>;
  /** Removes the workspace; called before the end of the job is written. */
  clear(): Promise<void>;
}

/** How often the state of a job is written, if it has changed. */
const savePeriodMs = 500;
/** How often it is written unchanged, as a sign of life. */
const heartbeatMs = 2_000;

/** A job that this process carries out, from its construction on. */
export class LiveJob {
  /** Resolves when the job has ended and its end is written. */
  readonly ended: Promise<void>;
  readonly #parts: LiveParts;
  readonly #order: LiveOrder;
  readonly #own: OwnJob;
  readonly #controller = new AbortController();
  #standing: Standing = { state: 'queued', phase: null, done: 0, total: null, percent: null };

  constructor(parts: LiveParts, order: LiveOrder) {
    this.#parts = parts;
    this.#order = order;
    this.#own = { id: order.id, process: parts.processName };
    this.ended = this.#run();
  }

  get standing(): Standing {
    return this.#standing;
  }

  end(reason: EndReason): void {
    this.#controller.abort(reason);
  }

  async #run(): Promise<void> {
    const { log, uploads, maxAttempts } = this.#parts;
    const { id } = this.#order;
    const over = new AbortController();
    const saving = this.#keepSaving(over.signal);
    const outcome = await this.#outcome();
    over.abort();
    await saving;
    await this.#order.clear();
    if (outcome === 'stopped') {
      // A job that cannot be released now is released by the next start.
      await releaseJobs(this.#parts.db, [this.#own], maxAttempts).catch((error) =>
        log.warn({ err: error, job: id }, 'a job could not be released'),
      );
      return;
    }
    const state = await finish(this.#parts, this.#own, this.#standing, outcome);
    this.#standing = { ...this.#standing, state };
    await uploads.remove(id).catch((error) => log.warn({ err: error }, 'an upload could not be removed'));
  }

  /** Carries the job out when the semaphore admits it. */
  async #outcome(): Promise<JobOutcome | 'stopped'> {
    const { db, log, kept } = this.#parts;
    const { id, folder, semaphore } = this.#order;
    const { signal } = this.#controller;
    try {
      const result = await semaphore(() => this.#work(), signal);
      if ('answer' in result) return { state: 'done', result: result.answer };
      // Another process may have kept its file by now.
      if ((await saveStanding(db, this.#own, this.#standing)) === 'lost') return 'stopped';
      await kept.keep(id, join(folder, 'file'));
      return { state: 'done', result: null, file: result.file };
    } catch (error) {
      if (!signal.aborted) return { state: 'failed', error: errorOf(error, id, log) };
      return signal.reason === 'cancelled' ? { state: 'cancelled' } : 'stopped';
    }
  }

  async #work(): Promise<JobResult> {
    const { db, processName } = this.#parts;
    const { signal } = this.#controller;
    if (!(await beginAttempt(db, this.#order.id, processName))) this.end('lost');
    signal.throwIfAborted();
    this.#standing = { ...this.#standing, state: 'running' };
    const progress: Progress = (step) => {
      this.#standing = after(this.#standing, step);
    };
    return this.#order.work(signal, progress, (tx, result) => commitJob(tx, this.#own, result));
  }

  /** Writes the state of the job from time to time until it is over, and ends it when it was cancelled or lost. */
  async #keepSaving(over: AbortSignal): Promise<void> {
    const { db, log } = this.#parts;
    let saved: Standing | undefined;
    let savedAtMs = 0;
    for (;;) {
      await sleep(savePeriodMs, undefined, { signal: over }).catch(() => {});
      if (over.aborted) return;
      if (this.#standing === saved && performance.now() - savedAtMs < heartbeatMs) continue;
      saved = this.#standing;
      savedAtMs = performance.now();
      try {
        const fate = await saveStanding(db, this.#own, saved);
        if (fate !== 'own') this.end(fate === 'lost' ? 'lost' : 'cancelled');
      } catch (error) {
        log.warn({ err: error, job: this.#own.id }, 'the progress of a job could not be written');
      }
    }
  }
}

/** The error that the synchronous call would answer. Unexpected errors are logged. */
function errorOf(error: unknown, id: string, log: Log): JobError {
  const thrown = deletedMeanwhile(error) ?? ofFullDisk(error);
  if (!(thrown instanceof ServiceError)) log.error({ err: thrown, job: id }, 'unforeseen fault of a job');
  else if (thrown.status >= 500) log.warn({ err: thrown.cause ?? thrown, job: id }, 'a job was broken off');
  const known = isDataError(thrown) ? layerQueryFailed() : thrown;
  if (known instanceof ServiceError) {
    const { code, message, data } = known;
    return { error: 'error', code, message, data };
  }
  const message = `The job failed because of a fault of the service (job ${id})`;
  return { error: 'error', code: 'internal', message, data: { job: id } };
}

/** How often the service tries to write the end of a job. */
const maxFinishAttempts = 3;

/** Writes the end of a job and gives its final state. A job whose end cannot be written is ended by the sweep. */
async function finish(
  { db, log, fileTimeSeconds }: LiveParts,
  own: OwnJob,
  standing: Standing,
  outcome: JobOutcome,
): Promise<JobOutcome['state']> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await finishJob(db, own, { standing, outcome, fileTime: fileTimeSeconds });
    } catch (error) {
      log.error({ err: error, job: own.id }, 'the end of a job could not be written');
      if (attempt === maxFinishAttempts) return outcome.state;
      await sleep(1_000 * attempt);
    }
  }
}
