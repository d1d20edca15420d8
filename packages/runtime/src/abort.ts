/** A signal that is aborted with either; undefined without both. */
export const anySignal = (
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined => (one && other ? AbortSignal.any([one, other]) : (one ?? other));

/** Result of the promise, or the signal's reason as soon as it is aborted; a later result is given to `drop`. */
export function abortable<T>(
  promise: Promise<T>,
  signal?: AbortSignal,
  drop?: (late: T) => void,
): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      promise.then(drop, () => {});
      reject(signal.reason);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
