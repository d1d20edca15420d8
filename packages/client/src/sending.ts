import { type ClientError, errorOf, unreachableError } from './errors.js';

/** How a request is sent. */
export interface SendOptions {
  signal?: AbortSignal | undefined;
  /** Whether it may be sent again: it changes nothing. */
  isRead: boolean;
  /** Called with true before the request is repeated for the first time, with false after it succeeds or fails. */
  onBusy?: ((busy: boolean) => void) | undefined;
}

/** Most times that a read is sent. */
const maxAttempts = 6;

/** Longest wait, seconds. */
const maxWait = 30;

/**
 * Sends a request. A read that the service is too busy for (429, 503), or that gets no answer, is repeated: after the
 * `Retry-After` of the service, else after 1, 2, 4 … up to 8 seconds with a jitter of 25 %. Throws `ClientError` for a
 * response without success.
 */
export async function sendRequest(
  attemptOnce: () => Promise<Response>,
  { signal, isRead, onBusy }: SendOptions,
): Promise<Response> {
  let hasWaited = false;
  try {
    for (let attempt = 0; ; attempt++) {
      const result = await attemptOnce().catch((error: unknown) => {
        if (signal?.aborted) throw signal.reason;
        return unreachableError(error);
      });
      if (result instanceof Response && result.ok) return result;
      const error = result instanceof Response ? await errorOf(result) : result;
      if (signal?.aborted) throw signal.reason;
      if (!isRead || !isTransient(error) || attempt + 1 === maxAttempts) throw error;
      if (!hasWaited) onBusy?.(true);
      hasWaited = true;
      await pause(waitBefore(attempt, error), signal);
    }
  } finally {
    if (hasWaited) onBusy?.(false);
  }
}

const isTransient = ({ status }: ClientError): boolean => status === 0 || status === 429 || status === 503;

/** Seconds to wait after the failed attempt number `attempt`, from 0. */
const waitBefore = (attempt: number, { retryAfter }: ClientError): number =>
  retryAfter === undefined
    ? Math.min(2 ** attempt, 8) * (0.75 + Math.random() / 2)
    : Math.min(Math.max(retryAfter, 0.5), maxWait);

/** Waits; rejects with the reason of the signal as soon as it is aborted. */
export const pause = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
