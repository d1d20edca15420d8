import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import type { Config } from '../../config.js';
import { ownerOf } from '../../http/limits/owner.js';
import { countingFailures, failureKey } from './attempts.js';
import { isLogin } from './logins.js';
import { verifyPassword } from './passwords.js';
import { openSession } from './sessions.js';

export interface Attempt {
  projectId: number;
  login: string;
  password: string;
  /** Address of the request. */
  address: string;
  /** The kind of the session: of a program, or of a user at a page. */
  kind?: 'rest' | 'console';
}

/**
 * Opens a session for a login with its password. Returns the token. Throws 403 `login_failed`, with the same
 * response time for an unknown login and a wrong password. Throws 429 after too many failures of one login
 * from one address.
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
      kind: attempt.kind ?? 'rest',
      idleSeconds: config.sessionIdleS,
      most: config.sessionsPerUser,
      passwordHash: account.password_hash!,
    });
  });
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
