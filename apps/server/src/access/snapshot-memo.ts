import type { Snapshot } from '@cartulary/database';
import type { Caller } from './caller.js';

/**
 * Memoizes results by a key, for each caller and snapshot: the same rights on the same data give the same
 * result. Results are shared and must not be changed. They are released with the caller, after the next
 * commit. For a later snapshot, and after a failure, the result is computed again.
 */
export function createSnapshotMemo<Found>(): (
  caller: Caller,
  at: Snapshot | undefined,
  key: string,
  find: () => Promise<Found>,
) => Promise<Found> {
  const seen = new WeakMap<Caller, Map<string, Promise<Found>>>();
  return (caller, at, key, find) => {
    if (at === undefined || at !== caller.at) return find();
    const own = seen.get(caller) ?? new Map<string, Promise<Found>>();
    seen.set(caller, own);
    const known = own.get(key);
    if (known) return known;
    const finding = find();
    own.set(key, finding);
    finding.catch(() => own.delete(key));
    return finding;
  };
}
