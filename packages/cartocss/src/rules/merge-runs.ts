/** A rule for the zoom levels `first` to `last`. Equal signatures mean equal rules. */
export interface ZoomItem<T> {
  readonly signature: string;
  readonly item: T;
  readonly first: number;
  last: number;
}

/**
 * Adds the rules of the next zoom level to those of the levels below it. It extends as many common rules as the order
 * allows: at every level the rules keep their order, which determines the first match. O(n log n). A level has no
 * signature twice.
 */
export function mergeRun<T>(lists: readonly ZoomItem<T>[], added: readonly ZoomItem<T>[]): ZoomItem<T>[] {
  const zoom = added[0]?.first ?? 0;
  const places = new Map<string, number>();
  for (const [i, { signature, last }] of lists.entries()) if (last === zoom - 1) places.set(signature, i);
  const kept = longestIncreasing(added.map(({ signature }) => places.get(signature)));
  const result: ZoomItem<T>[] = [];
  let next = 0;
  for (const [i, entry] of added.entries()) {
    const place = kept.has(i) ? places.get(entry.signature) : undefined;
    if (place === undefined) {
      result.push(entry);
      continue;
    }
    while (next < place) result.push(lists[next++] as ZoomItem<T>);
    result.push({ ...(lists[next++] as ZoomItem<T>), last: entry.last });
  }
  while (next < lists.length) result.push(lists[next++] as ZoomItem<T>);
  return result;
}

/** The indices of the longest increasing subsequence (patience sorting). Undefined entries are skipped. */
function longestIncreasing(numbers: readonly (number | undefined)[]): Set<number> {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [i, number] of numbers.entries()) {
    before.push(-1);
    if (number === undefined) continue;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[tails[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    before[i] = low === 0 ? -1 : (tails[low - 1] as number);
    tails[low] = i;
  }
  const result = new Set<number>();
  for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i] as number) result.add(i);
  return result;
}
