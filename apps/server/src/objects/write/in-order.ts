/** Pending statements that are sent together in one message (see `Transaction`). */

/** The results of all. Waits until none is pending, then throws the error of the first in their order that failed. */
export async function askInOrder<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ended = await Promise.allSettled(work);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
}

/** Statements that are sent at once. When one fails, up to this many have run in vain. */
const sliceSize = 100;

/** Runs any number of operations in slices. The call itself sends the first slice. */
export async function inSlices<T>(work: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  for (let at = 0; at < work.length; at += sliceSize)
    results.push(...(await askInOrder(work.slice(at, at + sliceSize).map((one) => one()))));
  return results;
}
