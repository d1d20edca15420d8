/** Work that asks the database at once, so that its statements go in one message (see `Transaction`). */

/** What all of them give. Throws, when none is under way any more, the error of the first in their order that has failed. */
export async function inOrder<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ended = await Promise.allSettled(work);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
}

/** How many are asked at once: when one fails, so many may have been run in vain. */
const atOnce = 100;

/** The same for however many, in slices; the first is asked by the call. */
export async function inSlices<T>(work: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  for (let at = 0; at < work.length; at += atOnce)
    results.push(...(await inOrder(work.slice(at, at + atOnce).map((one) => one()))));
  return results;
}
