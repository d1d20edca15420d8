import type { Snapshot } from '../db/pool.js';
import type { Caller } from './caller.js';

/**
 * What is found by a key, once for a caller as of a snapshot: the same rights on the same data show the same. It is shared, not to be
 * changed, and forgotten with the caller, after the next commit. For who sees more than that snapshot it is found anew, so is what failed.
 */
export function onceSeen<Found>(): (
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
