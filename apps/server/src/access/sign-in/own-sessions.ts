import type { Database, Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { type Sql, sql } from '@cartulary/sql';
import type { Config } from '../../config.js';
import { ownerOf } from '../../http/owner.js';
import { countingFailures, failureKey } from './attempts.js';
import { hashPassword, verifyPassword } from './passwords.js';
import { hashOf, isLive } from './sessions.js';

/** A session as its user sees it. */
export interface OwnSession {
  /** A part of the hash of its token, from which nobody gets the token. */
  id: string;
  kind: 'rest' | 'console';
  project: string;
  last_used: string;
  /** When it ends unless it is used. */
  ends: string;
  /** Whether the request came in it. */
  current: boolean;
}

const sessionId = sql`encode(substr(s.token_hash, 1, 12), 'hex')`;

/** The live sessions of an account, the last used first. */
export const listSessions = (db: Queryable, accountId: number, token: string): Promise<OwnSession[]> =>
  db.query<OwnSession>(sql`
    select ${sessionId} as id, s.kind, p.code as project, ${iso(sql`s.last_used`)} as last_used,
      ${iso(sql`s.last_used + s.idle_seconds * interval '1 second'`)} as ends, s.token_hash = ${hashOf(token)} as current
    from cartulary.session s join cartulary.project p on p.id = s.project_id
    where s.account_id = ${accountId} and ${isLive} order by s.last_used desc, id`);

const iso = (time: Sql): Sql => sql`to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Ends one session of an account. Throws 404 where the account has none with this id. */
export async function endSession(db: Database, accountId: number, id: string): Promise<void> {
  const ended = await db.shortTransaction((tx) =>
    tx.query(
      sql`delete from cartulary.session s where s.account_id = ${accountId} and ${sessionId} = ${id} returning 1`,
    ),
  );
  if (!ended.length) throw new ServiceError('container_not_found', 'The session does not exist');
}

/** Ends all sessions of an account except that of the token. Returns their number. */
export async function endOtherSessions(tx: Queryable, accountId: number, token: string): Promise<number> {
  const ended = await tx.query(sql`
    delete from cartulary.session where account_id = ${accountId} and token_hash <> ${hashOf(token)} returning 1`);
  return ended.length;
}

export interface PasswordChange {
  accountId: number;
  login: string;
  /** Address of the request. */
  address: string;
  token: string;
  password: string;
  next: string;
}

/**
 * Gives an account a new password and ends its other sessions. Throws 403 `login_failed` for a wrong present password and for an
 * account without one, 429 after too many failures, as `login/` does; 400 for a new password of a wrong length.
 */
export async function changeOwnPassword(db: Database, config: Config, change: PasswordChange): Promise<void> {
  const { accountId, address, token, password } = change;
  await countingFailures({ db, config }, failureKey(change), async () => {
    const [account] = await db.query<{ password_hash: string | null }>(
      sql`select password_hash from cartulary.account where id = ${accountId}`,
    );
    const present = account?.password_hash;
    if (!(await verifyPassword(present, password, ownerOf(undefined, address))))
      throw new ServiceError('login_failed', 'The present password is wrong');
    const hash = await hashPassword(change.next);
    await db.shortTransaction(async (tx) => {
      // Of two changes from the same password one succeeds.
      const changed = await tx.query(sql`
        update cartulary.account set password_hash = ${hash}
        where id = ${accountId} and password_hash = ${present}::text returning id`);
      if (!changed.length) throw new ServiceError('login_failed', 'The present password is wrong');
      await endOtherSessions(tx, accountId, token);
    });
  });
}
