import type { Config } from '../config.js';
import type { Database } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import { verifyPassword } from './passwords.js';
import { openSession } from './sessions.js';

/** How far back failed logins count, seconds. */
const window = 300;

/**
 * Opens a session for a login with its password: the token. Throws 403 `login_failed`, the same after the same
 * time for an unknown login and a wrong password, and 429 after too many failures of one login from one address.
 */
export async function logIn(
  db: Database,
  config: Config,
  attempt: { projectId: number; login: string; password: string; address: string },
): Promise<string> {
  const { projectId, login, password, address } = attempt;
  await refuseTooMany(db, config, attempt);
  const [account] = await db.query<{ id: number; password_hash: string | null }>(sql`
    select id, password_hash from cartulary.account
    where login = ${login} and (project_id = ${projectId} or project_id is null)
    order by project_id nulls last limit 1`);
  if (!account || !(await verifyPassword(account.password_hash, password))) {
    if (!account) await verifyPassword(undefined, password);
    await db.transaction((tx) =>
      tx.query(sql`
        insert into cartulary.login_failure (project_id, login, address) values (${projectId}, ${login.slice(0, 200)}, ${address})`),
    );
    throw new ServiceError('login_failed');
  }
  return openSession(db, { projectId, accountId: account.id, kind: 'rest', idleSeconds: config.sessionIdle });
}

async function refuseTooMany(
  db: Database,
  config: Config,
  { projectId, login, address }: { projectId: number; login: string; address: string },
): Promise<void> {
  const [recent] = await db.query<{ failures: number; oldest: number | null }>(sql`
    select count(*)::integer as failures, extract(epoch from clock_timestamp() - min(failed_at))::double precision as oldest
    from cartulary.login_failure
    where project_id = ${projectId} and login = ${login.slice(0, 200)} and address = ${address}
      and failed_at > clock_timestamp() - ${window} * interval '1 second'`);
  if (!recent || recent.failures < config.loginFailures) return;
  await db.transaction((tx) =>
    tx.query(
      sql`delete from cartulary.login_failure where failed_at < clock_timestamp() - ${window} * interval '1 second'`,
    ),
  );
  const wait = Math.max(1, Math.ceil(window - (recent.oldest ?? 0)));
  throw new ServiceError('too_many_requests', `Too many failed logins; try again in ${wait} s`, {
    retry_after: wait,
  });
}
