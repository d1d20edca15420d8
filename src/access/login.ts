import { createHash } from 'node:crypto';
import type { Config } from '../config.js';
import type { Database } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import { isLogin } from './logins.js';
import { verifyPassword } from './passwords.js';
import { openSession } from './sessions.js';
import { failureWindow, sweepNowAndThen } from './sweep.js';

export interface Attempt {
  projectId: number;
  login: string;
  password: string;
  /** Where the request came from. */
  address: string;
}

/**
 * Opens a session for a login with its password: the token. Throws 403 `login_failed`, the same after the same
 * time for an unknown login and a wrong password, and 429 after too many failures of one login from one address.
 */
export async function logIn(db: Database, config: Config, attempt: Attempt): Promise<string> {
  const key = failureKey(attempt);
  return oneAfterAnother(`${key.login} ${key.address}`, async () => {
    await refuseTooMany(db, config, key);
    const account = await findAccount(db, attempt);
    if (!(await verifyPassword(account?.password_hash, attempt.password)) || !account) {
      await recordFailure(db, key);
      throw new ServiceError('login_failed');
    }
    return openSession(db, {
      projectId: attempt.projectId,
      accountId: account.id,
      kind: 'rest',
      idleSeconds: config.sessionIdle,
      passwordHash: account.password_hash!,
    });
  });
}

/** What failures are counted by. The login is kept as a hash: people type passwords into the wrong field. */
interface FailureKey {
  login: string;
  address: string;
}

const failureKey = ({ login, address }: Attempt): FailureKey => ({
  login: createHash('sha256').update(login).digest('base64url'),
  address,
});

const queues = new Map<string, Promise<unknown>>();

/** Runs work of the same key in order, so that guesses sent at once are counted before the next is tried. */
async function oneAfterAnother<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = (queues.get(key) ?? Promise.resolve()).then(work, work);
  queues.set(key, turn);
  try {
    return await turn;
  } finally {
    if (queues.get(key) === turn) queues.delete(key);
  }
}

interface StoredAccount {
  id: number;
  password_hash: string | null;
}

async function findAccount(db: Database, { projectId, login }: Attempt): Promise<StoredAccount | undefined> {
  if (!isLogin(login)) return undefined;
  const [account] = await db.query<StoredAccount>(sql`
    select id, password_hash from cartulary.account
    where login = ${login} and (project_id = ${projectId} or project_id is null)
    order by project_id nulls last limit 1`);
  return account;
}

async function recordFailure(db: Database, { login, address }: FailureKey): Promise<void> {
  await db.transaction(async (tx) => {
    await sweepNowAndThen(tx);
    await tx.query(sql`insert into cartulary.login_failure (login, address) values (${login}, ${address})`);
  });
}

/** Throws 429 when so many failures are recent that the next one would be too many, with the time until that passes. */
async function refuseTooMany(db: Database, config: Config, { login, address }: FailureKey): Promise<void> {
  const [decisive] = await db.query<{ age: number }>(sql`
    select extract(epoch from clock_timestamp() - failed_at)::double precision as age from cartulary.login_failure
    where login = ${login} and address = ${address}
      and failed_at > clock_timestamp() - ${failureWindow}::integer * interval '1 second'
    order by failed_at desc limit 1 offset ${config.loginFailures - 1}`);
  if (!decisive) return;
  const wait = Math.max(1, Math.ceil(failureWindow - decisive.age));
  throw new ServiceError('too_many_requests', `Too many failed logins; try again in ${wait} s`, {
    retry_after: wait,
  });
}
