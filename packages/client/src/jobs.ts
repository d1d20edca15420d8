import type { ServiceCalls } from './calls.js';
import { ClientError, type ErrorObject, errorFrom, isClientError } from './errors.js';
import { eventsIn } from './events.js';
import { pause } from './sending.js';
import type { JobDetails } from './types.js';

/** Longest interruption of the service while a job is followed, ms; then seconds between two attempts. */
const maxAwayMs = 60_000;
const betweenAttempts = 1;

/** Sessions expire after ten minutes without requests, and a stream of events is one request, ms. */
const keepAliveMs = 60_000;

const jobPath = '/api/2.8/{project}/jobs/{job}/';

/**
 * An import or export that goes on at the service. `for await (const state of job)` follows it to its end. To stop following,
 * leave the loop or abort the signal: the job goes on unless it is cancelled.
 */
export class ClientJob implements AsyncIterable<JobDetails> {
  readonly #calls: ServiceCalls;

  constructor(
    calls: ServiceCalls,
    readonly id: string,
  ) {
    this.#calls = calls;
  }

  /** Its present state. */
  async state(options: { signal?: AbortSignal } = {}): Promise<JobDetails> {
    return this.#calls.get(jobPath, { ...options, params: { path: { job: this.id } } });
  }

  /**
   * Cancels it if it has not ended: nothing is stored. Removes it with its file if it has. Answers the job, which is
   * `done` where it was too late to cancel.
   */
  async cancel(options: { signal?: AbortSignal } = {}): Promise<JobDetails> {
    return this.#calls.delete(jobPath, { ...options, params: { path: { job: this.id } } });
  }

  /**
   * What it comes to: of an import the answer of the plain call, of an export its file. Throws the error of a job that
   * failed, or where the caller may no longer view the layer.
   */
  async result<T = unknown>(options: { signal?: AbortSignal } = {}): Promise<T> {
    let last: JobDetails | undefined;
    for await (const state of this.follow(options)) last = state;
    if (last?.state === 'done' && last.map === null)
      throw new ClientError('forbidden', 'You may no longer view the layer of this job', { status: 403 });
    if (last?.state === 'done') return last.result as T;
    if (last?.state === 'failed') throw errorFrom(last.error as ErrorObject, { status: 500 });
    throw new ClientError('cancelled', 'The job was cancelled: nothing was stored');
  }

  /** The file of an export, after its end. */
  async file(options: { signal?: AbortSignal } = {}): Promise<Response> {
    await this.result(options);
    const address = this.#calls.address('/api/2.8/{project}/jobs/{job}/file/', {
      path: { job: this.id },
    });
    return this.#calls.open(address, {}, { ...options, isRead: true });
  }

  [Symbol.asyncIterator](): AsyncGenerator<JobDetails> {
    return this.follow();
  }

  /** Its states until its end. It connects again after an interruption, and asks where there are too many streams. */
  async *follow({ signal }: { signal?: AbortSignal } = {}): AsyncGenerator<JobDetails> {
    const stop = this.#keepAlive();
    try {
      let heardAt = Date.now();
      let last = '';
      for (;;) {
        try {
          for await (const state of this.#states(signal)) {
            heardAt = Date.now();
            const text = JSON.stringify(state);
            if (text !== last) yield state;
            last = text;
            if (hasEnded(state)) return;
          }
        } catch (error) {
          signal?.throwIfAborted();
          if (!isInterruption(error) || Date.now() - heardAt > maxAwayMs) throw error;
        }
        await pause(betweenAttempts, signal);
      }
    } finally {
      stop();
    }
  }

  /** The states while a stream is open; the present one where the service has too many streams of this user. */
  async *#states(signal: AbortSignal | undefined): AsyncGenerator<JobDetails> {
    const address = this.#calls.address('/api/2.8/{project}/jobs/{job}/events/', { path: { job: this.id } });
    let response: Response;
    try {
      response = await this.#calls.open(address, {}, { signal, isRead: false });
    } catch (error) {
      if (!isClientError(error) || error.status !== 429) throw error;
      yield await this.state(signal ? { signal } : {});
      return;
    }
    yield* eventsIn<JobDetails>(response.body!);
  }

  #keepAlive(): () => void {
    if (!this.#calls.token && !this.#calls.csrf) return () => {};
    const use = (): void => void this.#calls.get('/api/2.8/{project}/users/info/').catch(() => {});
    const timer = setInterval(use, keepAliveMs);
    return () => clearInterval(timer);
  }
}

const hasEnded = ({ state }: JobDetails): boolean => state !== 'queued' && state !== 'running';

/** Whether the service, or a proxy before it, may answer again. */
const isInterruption = (error: unknown): boolean =>
  isClientError(error) && (error.status === 0 || error.status === 429 || error.status >= 502);
