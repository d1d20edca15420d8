import { createHash, randomBytes } from 'node:crypto';
import type { Database, Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { prepared, sql } from '@cartulary/sql';
import { type AccountRow, accountUser, type Caller, type SessionKind } from '../caller.js';
import { publicCaller } from '../public-caller.js';
import { isProjectCode, projectNotFound } from '../users/projects.js';
import { sweepPeriodically } from './sweep.js';

/** A token as it is stored. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Conditions over the alias `s`. The last use is stored at most ten times within the idle time and at most
 * once a second, so the idle time has that precision.
 */
export const isLive = sql`s.last_used > clock_timestamp() - s.idle_seconds * interval '1 second'`;
const isStale = sql`s.last_used < clock_timestamp() - least(1, s.idle_seconds / 10.0) * interval '1 second'`;

const deadToken = (): ServiceError =>
  new ServiceError('not_authenticated', 'The token is unknown or has expired');

/**
 * The caller of a request, by the code of its project and its token: one query, and at most once a second a
 * write that restarts the idle time. Throws `project_not_found`, and 401 for a token that is unknown, expired
 * or of another project.
 */
export async function identify(
  db: Database,
  projectCode: string,
  token: string | undefined,
): Promise<Caller> {
  if (token === undefined) return publicCaller(db, projectCode, await db.snapshot());
  if (!isProjectCode(projectCode)) throw projectNotFound(projectCode);
  const [row] = await findSession(db, projectCode, hashOf(token));
  if (!row) throw projectNotFound(projectCode);
  const { id, languages, account, groups, kind } = row;
  if (!account) throw deadToken();
  if (row.stale) await useSession(db, hashOf(token));
  return accountUser({ id, code: projectCode, languages }, { account, groups }, kind);
}

/**
 * The caller of a request with a session cookie. It also sees what the public sees. After the end of the
 * session the caller is the public user. Throws `project_not_found`.
 */
export async function identifyByCookie(db: Database, projectCode: string, token: string): Promise<Caller> {
  try {
    const caller = await identify(db, projectCode, token);
    if (caller.session === 'console') return { ...caller, isPublic: true };
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'not_authenticated')) throw error;
  }
  return identify(db, projectCode, undefined);
}

interface CallerRow {
  id: number;
  languages: string[];
  account: AccountRow['account'] | null;
  groups: AccountRow['groups'];
  kind: SessionKind | null;
  stale: boolean | null;
}

/** The project with the live session of the token, or with nulls. */
const findSession = (db: Database, code: string, hash: Buffer): Promise<CallerRow[]> =>
  db.query<CallerRow>(
    prepared(sql`
    select p.id, p.languages, s.kind, ${isStale} as stale, to_jsonb(a) - 'password_hash' as account,
      (select array_agg(group_id) from cartulary.membership where account_id = a.id) as groups
    from cartulary.project p
    left join cartulary.session s on s.token_hash = ${hash} and s.project_id = p.id and ${isLive}
    left join cartulary.account a on a.id = s.account_id
    where p.code = ${code}`),
  );

/** Restarts the idle time. Of several simultaneous requests one writes, and the others do not wait. */
async function useSession(db: Database, hash: Buffer): Promise<void> {
  await db.shortTransaction(async (tx) =>
    tx.beforeCommit(sql`
      update cartulary.session set last_used = clock_timestamp()
      where token_hash = (
        select s.token_hash from cartulary.session s
        where s.token_hash = ${hash} and ${isStale} and ${isLive} for update skip locked)`),
  );
}

export interface NewSession {
  projectId: number;
  accountId: number;
  kind: SessionKind;
  /** Of a key: what its user calls it. */
  name?: string;
  idleSeconds: number;
  /** Live sessions of its kind that the account may have; absent: their number is checked before. */
  most?: number;
  /**
   * The hash that the password was checked against. The session is refused when the password was changed
   * since.
   */
  passwordHash?: string;
}

/** Random bytes of a token, and the characters in which it is written. */
const tokenBytes = 32;
export const tokenLength = Math.ceil((tokenBytes * 4) / 3);

/**
 * Opens a session. Returns its token, 256 random bits; only the hash is stored. Throws `login_failed` when
 * the account was deleted, or its password changed, in the meantime. A program may sign in for each request and never
 * sign out, so sessions beyond the limit end, those first that were used the longest ago.
 */
export async function openSession(db: Database, session: NewSession): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url');
  const { projectId, accountId, kind, name = '', idleSeconds, most, passwordHash } = session;
  await db.shortTransaction(async (tx) => {
    await sweepPeriodically(tx);
    const opened = await tx.query(sql`
      insert into cartulary.session (token_hash, project_id, account_id, kind, name, idle_seconds)
      select ${hashOf(token)}, ${projectId}::integer, a.id, ${kind}, ${name}, ${idleSeconds}::integer
      from (
        select id from cartulary.account
        where id = ${accountId} and (${passwordHash ?? null}::text is null or password_hash = ${passwordHash ?? null}::text)
        for share
      ) a
      returning account_id`);
    if (!opened.length) throw new ServiceError('login_failed');
    if (most !== undefined)
      await tx.query(sql`
        delete from cartulary.session where token_hash in (
          select s.token_hash from cartulary.session s where s.account_id = ${accountId} and s.kind = ${kind} and ${isLive}
          order by s.last_used desc offset ${most}::integer)`);
  });
  return token;
}

/** Ends a session of a project. An unknown token is not an error. */
export async function closeSession(db: Database, projectId: number, token: string): Promise<void> {
  await db.shortTransaction((tx) =>
    tx.query(
      sql`delete from cartulary.session where token_hash = ${hashOf(token)} and project_id = ${projectId}`,
    ),
  );
}

/** Ends all sessions of an account. */
export async function closeSessions(tx: Queryable, accountId: number): Promise<void> {
  await tx.query(sql`delete from cartulary.session where account_id = ${accountId}`);
}

/** The caller of a token, whatever its project is; undefined when there is no live session. */
export async function identifyAnywhere(db: Database, token: string): Promise<Caller | undefined> {
  const [session] = await db.query<{ code: string }>(sql`
    select p.code from cartulary.session s join cartulary.project p on p.id = s.project_id
    where s.token_hash = ${hashOf(token)} and ${isLive}`);
  return session && identify(db, session.code, token);
}
