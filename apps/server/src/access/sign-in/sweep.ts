import type { Queryable } from '@cartulary/database';
import { sql } from '@cartulary/sql';

/** How long a failed login counts. */
export const failureWindowS = 300;

/** Interval between two sweeps of this process. */
const sweepIntervalMs = 60_000;
let last = Number.NEGATIVE_INFINITY;

/** Removes expired sessions and failed logins that no longer count. */
export async function sweep(tx: Queryable): Promise<void> {
  await tx.query(sql`
    delete from cartulary.session where last_used < clock_timestamp() - idle_seconds * interval '1 second'`);
  await tx.query(sql`
    delete from cartulary.login_failure where failed_at < clock_timestamp() - ${failureWindowS}::integer * interval '1 second'`);
}

/** Sweeps as part of a login, at most once per interval in this process. */
export async function sweepPeriodically(tx: Queryable): Promise<void> {
  if (performance.now() - last < sweepIntervalMs) return;
  last = performance.now();
  await sweep(tx);
}
