import type { Database, Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { digestOf } from '@cartulary/runtime';
import { sql } from '@cartulary/sql';
import type { Config } from '../../config.js';
import { failureWindowS, sweepPeriodically } from './sweep.js';

/** The key that failures are counted by. */
export interface FailureKey {
  /** Stands for the login, but never as it was typed. */
  login: string;
  /** Address of the request. */
  address: string;
}

/** The login is stored as a hash, since users sometimes type a password into this field. */
export const failureKey = ({ login, address }: FailureKey): FailureKey => ({
  login: digestOf(login),
  address,
});

/**
 * How long an undecided attempt counts: its process ended, or lost the database. The time exceeds that of a
 * password check with its wait. A process runs one attempt of a key at a time, so it leaves at most one
 * behind.
 */
const undecidedWindowS = 30;

/**
 * Runs an attempt to sign in and counts a failure when it throws `login_failed`. Throws 429 without running
 * it when too many attempts of the key have failed. The attempt is counted before its result is known, so
 * that simultaneous guesses in several processes count together.
 */
export async function countingFailures<T>(
  { db, config }: { db: Database; config: Config },
  key: FailureKey,
  attempt: () => Promise<T>,
): Promise<T> {
  return oneAfterAnother(`${key.login} ${key.address}`, async () => {
    const noted = await noteAttempt(db, config, key);
    let hasFailed = false;
    try {
      return await attempt();
    } catch (error) {
      hasFailed = error instanceof ServiceError && error.code === 'login_failed';
      throw error;
    } finally {
      await decide(db, noted, hasFailed);
    }
  });
}

const queues = new Map<string, Promise<unknown>>();

/**
 * Runs work of the same key in order within this process, so that simultaneous correct sign-ins do not count
 * as failures.
 */
async function oneAfterAnother<T>(key: string, work: () => Promise<T>): Promise<T> {
  const queued = (queues.get(key) ?? Promise.resolve()).then(work, work);
  queues.set(key, queued);
  try {
    return await queued;
  } finally {
    if (queues.get(key) === queued) queues.delete(key);
  }
}

/**
 * Counts an undecided attempt. Returns its id for `decide`. Throws 429 when too many attempts of the key have
 * failed.
 */
async function noteAttempt(db: Database, config: Config, key: FailureKey): Promise<number> {
  const { login, address } = key;
  return db.shortTransaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`login ${login} ${address}`}, 0))`);
    await sweepPeriodically(tx);
    await refuseTooMany(tx, config, key);
    const [noted] = await tx.query<{ id: number }>(
      sql`insert into cartulary.login_failure (login, address, is_decided)
        values (${login}, ${address}, false) returning id`,
    );
    return noted!.id;
  });
}

/** Marks an attempt as failed, or removes it. It stays undecided while the database is unreachable. */
async function decide(db: Database, noted: number, hasFailed: boolean): Promise<void> {
  const change = hasFailed
    ? sql`update cartulary.login_failure set is_decided = true where id = ${noted}`
    : sql`delete from cartulary.login_failure where id = ${noted}`;
  await db.shortTransaction((tx) => tx.query(change)).catch(() => {});
}

/** Throws 429 with the waiting time when one more failure would exceed the limit. */
async function refuseTooMany(db: Queryable, config: Config, { login, address }: FailureKey): Promise<void> {
  const [decisive] = await db.query<{ left_s: number }>(sql`
    select a.seconds as left_s from (
      select failed_at + case when is_decided then ${failureWindowS}::integer else ${undecidedWindowS}::integer end
          * interval '1 second' - clock_timestamp() as remaining
      from cartulary.login_failure where login = ${login} and address = ${address}
    ) f cross join lateral (select extract(epoch from f.remaining)::double precision as seconds) a
    where a.seconds > 0 order by a.seconds desc limit 1 offset ${config.loginFailures - 1}`);
  if (!decisive) return;
  const wait = Math.max(1, Math.ceil(decisive.left_s));
  throw new ServiceError('too_many_requests', `Too many failed logins; try again in ${wait} s`, {
    retry_after: wait,
  });
}
