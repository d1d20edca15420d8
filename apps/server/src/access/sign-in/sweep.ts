import type { Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';

/** How far back failed logins count, seconds. */
export const failureWindow = 300;

/** ms between two sweeps of this process. */
const period = 60_000;
let last = 0;

/** Removes sessions that have expired and failed logins that do not count any more. */
export async function sweep(tx: Queryable): Promise<void> {
  await tx.query(sql`
    delete from cartulary.session where last_used < clock_timestamp() - idle_seconds * interval '1 second'`);
  await tx.query(sql`
    delete from cartulary.login_failure where failed_at < clock_timestamp() - ${failureWindow}::integer * interval '1 second'`);
}

/** The same on the way of a login, unless this process has just done it. */
export async function sweepNowAndThen(tx: Queryable): Promise<void> {
  if (Date.now() - last < period) return;
  last = Date.now();
  await sweep(tx);
}
