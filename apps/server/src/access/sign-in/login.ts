import { createHash } from 'node:crypto';
import type { Config } from '../config.js';
import type { Database } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import { ownerOf } from '../http/owner.js';
import { countingFailures, type FailureKey } from './attempts.js';
import { isLogin } from './logins.js';
import { verifyPassword } from './passwords.js';
import { openSession } from './sessions.js';

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
  return countingFailures({ db, config }, failureKey(attempt), async () => {
    const account = await findAccount(db, attempt);
    const owner = ownerOf(undefined, attempt.address);
    if (!(await verifyPassword(account?.password_hash, attempt.password, owner)) || !account)
      throw new ServiceError('login_failed');
    return openSession(db, {
      projectId: attempt.projectId,
      accountId: account.id,
      kind: 'rest',
      idleSeconds: config.sessionIdle,
      passwordHash: account.password_hash!,
    });
  });
}

/** The login is kept as a hash: people type passwords into the wrong field. */
const failureKey = ({ login, address }: Attempt): FailureKey => ({
  login: createHash('sha256').update(login).digest('base64url'),
  address,
});

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
