import { ClientError, type ClientJob, type JobDetails } from '@cartulary/client';

interface JobRun {
  /** Cancels the job. */
  signal: AbortSignal;
  onState: (state: JobDetails) => void;
}

/**
 * Begins a job, follows it to its end, and gives what it comes to. The request that begins it is never aborted: the service
 * may have begun the job by then, and would carry it out.
 */
export async function runJob<T>(begin: () => Promise<ClientJob>, { signal, onState }: JobRun): Promise<T> {
  const job = await begin();
  const cancel = (): void => void job.cancel().catch(() => {}); // it has ended, or the service will forget it
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const state of job) onState(state);
    return await job.result<T>();
  } catch (error) {
    // A job that has ended is removed, and so no longer found.
    throw signal.aborted ? new ClientError('cancelled', 'The job was cancelled') : error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
