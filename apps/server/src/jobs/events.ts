import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../access/caller.js';
import { isFinal } from './job.js';
import type { Jobs } from './jobs.js';
import { jobView } from './view.js';

/** ms: least between two events, between two looks at a job of another process, and of silence before a comment. */
const pace = 250;
const pollPeriod = 1_000;
const silence = 15_000;

export interface JobWatch {
  jobs: Jobs;
  caller: Caller;
  id: string;
  /** The address of the project. */
  project: string;
  /** Aborted when the client has gone, or the service stops. */
  signal: AbortSignal;
}

/**
 * A job as server-sent events (HTML, section 9.2): an event at each change, the last of which tells how it ended. A
 * comment in between keeps the connection open.
 */
export async function* eventsOf({ jobs, caller, id, project, signal }: JobWatch): AsyncGenerator<string> {
  let job = await jobs.find(caller, id);
  let last = '';
  let at = 0;
  for (;;) {
    const text = `data: ${JSON.stringify(jobView(job, project))}\n\n`;
    const isDue = performance.now() - at >= silence;
    if (text !== last || isDue) {
      yield text === last ? ': still there\n\n' : text;
      last = text;
      at = performance.now();
    }
    if (isFinal(job.state)) return;
    if (signal.aborted) return;
    // One that is aborted, as the service stops, tells how the job was left.
    await sleep(jobs.live(id) ? pace : pollPeriod, undefined, { signal, ref: false }).catch(() => {});
    // A job of this process needs no query of the database before it ends.
    const standing = signal.aborted ? undefined : jobs.live(id)?.standing;
    job = standing && !isFinal(standing.state) ? { ...job, ...standing } : await jobs.find(caller, id);
  }
}
