import { setTimeout as sleep } from 'node:timers/promises';
import type { JobView } from '../../jobs/view.js';
import { CommandFailure, interrupted, ServerRefusal } from '../failure.js';
import type { ProgressLine } from '../output.js';
import { type Client, pathOf } from './client.js';
import { unreachable } from './unreachable.js';

export type { JobView } from '../../jobs/view.js';

const hasEnded = ({ state }: JobView): boolean => state !== 'queued' && state !== 'running';

/** The progress of a job in words. */
export function describeJob({ state, phase, done, total, percent }: JobView): string {
  if (state === 'queued') return 'waiting for its turn';
  const count = total === null ? (done ? `${done} objects` : '') : `${done} of ${total} objects`;
  return [phase ?? state, count, percent === null ? '' : `${percent} %`].filter(Boolean).join(', ');
}

/**
 * Interval of requests that keep the session alive, ms. Sessions expire after ten minutes without requests.
 */
const keepAliveMs = 60_000;

/** Keeps the session alive during long work. */
export async function keepingAlive<T>(client: Client, work: () => Promise<T>): Promise<T> {
  const use = (): void => void client.call('GET', pathOf('users', 'info')).catch(() => {});
  const timer = client.hasToken ? setInterval(use, keepAliveMs) : undefined;
  return work().finally(() => clearInterval(timer));
}

/** Longest interruption of the service while a job is followed, and the interval of retries, ms. */
const maxAwayMs = 60_000;
const againMs = 1_000;

/**
 * Follows a job to its end and reconnects after interruptions. An aborted signal cancels the job. Throws the
 * error of a failed job.
 */
export async function followJob(
  client: Client,
  job: JobView,
  { signal, progress }: { signal: AbortSignal; progress: ProgressLine },
): Promise<JobView> {
  let latest = job;
  let heardAt = Date.now();
  const heard = (next: JobView): void => {
    latest = next;
    heardAt = Date.now();
    progress.say(describeJob(next), next.phase ?? next.state);
  };
  while (!hasEnded(latest)) {
    try {
      await hear({ client, id: job.id, signal, heard });
    } catch (error) {
      if (signal.aborted) return cancelled(client, job);
      if (error instanceof ServerRefusal && error.status < 500) throw error;
      if (Date.now() - heardAt > Math.min(client.silenceMs, maxAwayMs))
        throw lost(unreachable(error as Error, client.address), job);
      progress.say('the connection is interrupted, trying again', 'interrupted');
    }
    if (!hasEnded(latest)) await sleep(againMs, undefined, { signal }).catch(() => {});
  }
  progress.end();
  return isEnded(latest);
}

interface Hearing {
  client: Client;
  id: string;
  signal: AbortSignal;
  heard: (job: JobView) => void;
}

/**
 * Reports the events of a job while the stream is open. When there are too many streams it reports the
 * present state.
 */
async function hear({ client, id, signal, heard }: Hearing): Promise<void> {
  try {
    for await (const next of eventsOf(client, id, signal)) heard(next);
  } catch (error) {
    if (!(error instanceof ServerRefusal) || error.status !== 429) throw error;
    heard(await client.call<JobView>('GET', pathOf('jobs', id), { signal }));
  }
}

/** Returns a finished job. Throws the error of a failed one. */
export function isEnded(job: JobView): JobView {
  if (job.state === 'cancelled') throw new CommandFailure(`The ${job.kind} was cancelled: nothing is stored`);
  if (job.state !== 'failed') return job;
  const {
    code = 'internal',
    message = 'The job failed',
    data = {},
  } = (job.error ?? {}) as Partial<ServerRefusal>;
  throw new ServerRefusal(500, code, message, data);
}

async function* eventsOf(client: Client, id: string, signal: AbortSignal): AsyncGenerator<JobView> {
  const stream = await client.open('GET', pathOf('jobs', id, 'events'), { signal });
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events)
      if (event.startsWith('data: ')) yield JSON.parse(event.slice('data: '.length));
  }
}

async function cancelled(client: Client, { id, kind }: JobView): Promise<never> {
  const { state } = await client.call<JobView>('DELETE', pathOf('jobs', id));
  if (state === 'done')
    throw new CommandFailure(`It was too late to cancel: the ${kind} is done`, '', interrupted);
  throw new CommandFailure(
    `Cancelled: ${kind === 'import' ? 'nothing was stored' : 'no file was made'}`,
    '',
    interrupted,
  );
}

const lost = (error: Error, { id, kind }: JobView): CommandFailure =>
  new CommandFailure(
    `${error.message}, and it is not known what became of the ${kind}`,
    `When it answers again: cartulary job show ${id}`,
  );
