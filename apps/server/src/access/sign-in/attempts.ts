import type { Config } from '../config.js';
import type { Database, Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import { failureWindow, sweepNowAndThen } from './sweep.js';

/** What failures are counted by. */
export interface FailureKey {
  /** Stands for who signs in; never as it was typed. */
  login: string;
  /** Where the request came from. */
  address: string;
}

/**
 * How long an attempt counts that nobody has decided, s: its process was ended, or lost the database. Longer than judging
 * a password takes, waiting included. A process judges one attempt of a key at a time, so it leaves at most one behind.
 */
const undecidedWindowS = 30;

/**
 * Runs an attempt to sign in. One that throws `login_failed` is counted; throws 429 instead of running it when too many
 * of its key have failed. It is counted before it is decided, so that guesses sent at once to several processes are
 * counted together.
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

/** Runs work of the same key in order in this process, so that signing in many times at once is not taken for failing. */
async function oneAfterAnother<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = (queues.get(key) ?? Promise.resolve()).then(work, work);
  queues.set(key, turn);
  try {
    return await turn;
  } finally {
    if (queues.get(key) === turn) queues.delete(key);
  }
}

/** Counts an attempt that `decide` is to decide: its id. Throws 429 when too many of the key have failed. */
async function noteAttempt(db: Database, config: Config, key: FailureKey): Promise<number> {
  const { login, address } = key;
  return db.briefly(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`login ${login} ${address}`}, 0))`);
    await sweepNowAndThen(tx);
    await refuseTooMany(tx, config, key);
    const [noted] = await tx.query<{ id: number }>(
      sql`insert into cartulary.login_failure (login, address, is_decided)
        values (${login}, ${address}, false) returning id`,
    );
    return noted!.id;
  });
}

/** Keeps an attempt as a failure, or takes it back. When the database is away it stays undecided. */
async function decide(db: Database, noted: number, hasFailed: boolean): Promise<void> {
  const change = hasFailed
    ? sql`update cartulary.login_failure set is_decided = true where id = ${noted}`
    : sql`delete from cartulary.login_failure where id = ${noted}`;
  await db.briefly((tx) => tx.query(change)).catch(() => {});
}

/** Throws 429 when so many failures are recent that the next one would be too many, with the time until that passes. */
async function refuseTooMany(db: Queryable, config: Config, { login, address }: FailureKey): Promise<void> {
  const [decisive] = await db.query<{ left_s: number }>(sql`
    select a.seconds as left_s from (
      select failed_at + case when is_decided then ${failureWindow}::integer else ${undecidedWindowS}::integer end
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
