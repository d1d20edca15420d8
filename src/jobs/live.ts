import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, failsNow, failsOnData, type Transaction } from '../db/pool.js';
import { ServiceError } from '../errors.js';
import type { Log } from '../http/service.js';
import type { Turns } from '../http/turns.js';
import { after, type JobError, type JobFile, type Outcome, type Progress, type Standing } from './job.js';
import type { KeptFiles } from './kept.js';
import { commitJob, finishJob, saveStanding } from './store.js';

/** What a job comes to: the answer of the plain call, or a file, which lies in its folder by the name `file`. */
export type JobResult = { answer: unknown } | { file: JobFile };

/** To be run at the end of the transaction that stores what a job makes, with its result: so that the job is done when it is stored. */
export type BeforeCommit = (tx: Transaction, result: unknown) => Promise<void>;

/** A job that this process carries out. */
export interface Live {
  readonly standing: Standing;
  /** Resolves when it has ended and its end is written. */
  readonly ended: Promise<void>;
  end(why: 'cancelled' | 'stopped'): void;
}

export interface LiveParts {
  db: Database;
  log: Log;
  kept: KeptFiles;
  /** s that the file of an export is kept. */
  fileTime: number;
}

export interface LiveOrder {
  id: string;
  folder: string;
  turns: Turns;
  work(signal: AbortSignal, progress: Progress, beforeCommit: BeforeCommit): Promise<JobResult>;
  /** Removes what it has on the disk; before its end is told. */
  clear(): Promise<void>;
}

/** The error of a job that did not come to its end. */
export const stopped: JobError = {
  error: 'error',
  code: 'busy',
  message: 'The server was stopped before this job ended; send it again',
  data: {},
};

/** ms between two writes of where a job stands, and between two signs of life. */
const writePeriod = 500;
const lifePeriod = 2_000;

/** Carries a job out. */
export function startLive(parts: LiveParts, order: LiveOrder): Live {
  const { id, turns, work } = order;
  const controller = new AbortController();
  const { signal } = controller;
  let standing: Standing = { state: 'queued', phase: null, done: 0, total: null, percent: null };
  const end: Live['end'] = (why) => controller.abort(why);

  async function carriedOut(): Promise<Outcome> {
    try {
      const result = await turns(async () => {
        standing = { ...standing, state: 'running' };
        const progress: Progress = (step) => {
          standing = after(standing, step);
        };
        return work(signal, progress, (tx, result) => commitJob(tx, id, result));
      }, signal);
      if ('answer' in result) return { state: 'done', result: result.answer };
      await parts.kept.keep(id, join(order.folder, 'file'));
      return { state: 'done', result: null, file: result.file };
    } catch (error) {
      if (!signal.aborted) return { state: 'failed', error: errorOf(error, id, parts.log) };
      return signal.reason === 'cancelled' ? { state: 'cancelled' } : { state: 'failed', error: stopped };
    }
  }

  async function run(): Promise<void> {
    const over = new AbortController();
    const saving = keepSaving(parts, { id, over: over.signal, end, standing: () => standing });
    const outcome = await carriedOut();
    over.abort();
    await saving;
    await order.clear();
    const state = await finish(parts, id, standing, outcome);
    standing = { ...standing, state };
  }

  return {
    get standing() {
      return standing;
    },
    ended: run(),
    end,
  };
}

/** An error as the plain call would answer it; what nobody foresaw is logged. */
function errorOf(thrown: unknown, id: string, log: Log): JobError {
  if (!(thrown instanceof ServiceError)) log.error({ err: thrown, job: id }, 'unforeseen fault of a job');
  const known = failsOnData(thrown) ? failsNow() : thrown;
  if (known instanceof ServiceError) {
    const { code, message, data } = known;
    return { error: 'error', code, message, data };
  }
  const message = `The job failed because of a fault of the service (job ${id})`;
  return { error: 'error', code: 'internal', message, data: { job: id } };
}

interface Saving {
  id: string;
  over: AbortSignal;
  standing(): Standing;
  end: Live['end'];
}

/** Writes where a job stands now and then, until it is over; hears whether it is to be cancelled. */
async function keepSaving({ db, log }: LiveParts, { id, over, standing, end }: Saving): Promise<void> {
  let saved: Standing | undefined;
  let at = 0;
  for (;;) {
    await sleep(writePeriod, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return;
    if (standing() === saved && Date.now() - at < lifePeriod) continue;
    saved = standing();
    at = Date.now();
    try {
      if (await saveStanding(db, id, saved)) end('cancelled');
    } catch (error) {
      log.warn({ err: error, job: id }, 'the progress of a job could not be written');
    }
  }
}

const attempts = 3;

/** Writes the end of a job: the state that it has then. Where that is not possible the sweep ends it. */
async function finish(
  { db, log, fileTime }: LiveParts,
  id: string,
  standing: Standing,
  outcome: Outcome,
): Promise<Outcome['state']> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await finishJob(db, id, { standing, outcome, fileTime });
    } catch (error) {
      log.error({ err: error, job: id }, 'the end of a job could not be written');
      if (attempt === attempts) return outcome.state;
      await sleep(1_000 * attempt);
    }
  }
}
