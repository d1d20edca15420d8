import { isoText } from '@cartulary/columns';
import type { Database, Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import type { Config } from '../../config.js';
import { ownerOf } from '../../http/limits/owner.js';
import type { SessionKind } from '../caller.js';
import { countingFailures, failureKey } from './attempts.js';
import { hashPassword, verifyPassword } from './passwords.js';
import { hashOf, isLive, openSession } from './sessions.js';

/** A session as its user sees it. */
export interface OwnSession {
  /** A part of the hash of its token, from which nobody gets the token. */
  id: string;
  kind: SessionKind;
  /** Of a key: what its user calls it; else empty. */
  name: string;
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
    select ${sessionId} as id, s.kind, s.name, p.code as project, ${isoText(sql`s.last_used`)} as last_used,
      ${isoText(sql`(s.last_used + s.idle_seconds * interval '1 second')`)} as ends, s.token_hash = ${hashOf(token)} as current
    from cartulary.session s join cartulary.project p on p.id = s.project_id
    where s.account_id = ${accountId} and ${isLive} order by s.last_used desc, id`);

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

/** What a user does with the own password. */
export interface Proof {
  accountId: number;
  login: string;
  /** Address of the request. */
  address: string;
  /** The present password. */
  password: string;
}

const wrongPassword = (): ServiceError => new ServiceError('login_failed', 'The present password is wrong');

/**
 * Does something for a user who proves to know the own password; it gets the hash of that password. Throws 403 `login_failed` for a
 * wrong one and for an account without one, 429 after too many failures, as `login/` does.
 */
async function withPassword<T>(
  db: Database,
  config: Config,
  proof: Proof,
  work: (hash: string) => Promise<T>,
): Promise<T> {
  return countingFailures({ db, config }, failureKey(proof), async () => {
    const [account] = await db.query<{ password_hash: string | null }>(
      sql`select password_hash from cartulary.account where id = ${proof.accountId}`,
    );
    const present = account?.password_hash;
    if (!(await verifyPassword(present, proof.password, ownerOf(undefined, proof.address))))
      throw wrongPassword();
    return work(present!);
  });
}

export interface PasswordChange extends Proof {
  token: string;
  next: string;
}

/** Gives an account a new password and ends its other sessions. Throws as `withPassword`; 400 for a new password of a wrong length. */
export const changeOwnPassword = (db: Database, config: Config, change: PasswordChange): Promise<void> =>
  withPassword(db, config, change, async (present) => {
    const hash = await hashPassword(change.next);
    await db.shortTransaction(async (tx) => {
      // Of two changes from the same password one succeeds.
      const changed = await tx.query(sql`
        update cartulary.account set password_hash = ${hash}
        where id = ${change.accountId} and password_hash = ${present}::text returning id`);
      if (!changed.length) throw wrongPassword();
      await endOtherSessions(tx, change.accountId, change.token);
    });
  });

export interface NewKey extends Proof {
  projectId: number;
  name: string;
  /** Days without use after which the key ends. */
  days: number;
}

/** Most keys of a user. */
const keyLimit = 100;

/** Makes a key for a program of the user and returns it. Throws as `withPassword`; 413 where the user has too many keys. */
export const makeKey = (db: Database, config: Config, key: NewKey): Promise<string> =>
  withPassword(db, config, key, async (passwordHash) => {
    const { accountId, projectId, name, days } = key;
    const [count] = await db.query<{ n: number }>(sql`
      select count(*)::integer as n from cartulary.session s
      where s.account_id = ${accountId} and s.kind = 'key' and ${isLive}`);
    if (count!.n >= keyLimit) throw new ServiceError('too_large', `A user has at most ${keyLimit} keys`);
    return openSession(db, {
      projectId,
      accountId,
      kind: 'key',
      name,
      idleSeconds: days * 86_400,
      passwordHash,
    });
  });
