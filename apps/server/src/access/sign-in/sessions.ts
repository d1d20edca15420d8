import { createHash, randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../db/pool.js';
import { often, sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import type { Caller } from './caller.js';
import { isProjectCode, projectNotFound } from './projects.js';
import { publicCaller } from './public-caller.js';
import { sweepNowAndThen } from './sweep.js';

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Conditions over the alias `s`. The use of a session is written down at most ten times in its idle time and once a second: that is how exact the idle time is. */
const isLive = sql`s.last_used > clock_timestamp() - s.idle_seconds * interval '1 second'`;
const isStale = sql`s.last_used < clock_timestamp() - least(1, s.idle_seconds / 10.0) * interval '1 second'`;

const deadToken = (): ServiceError =>
  new ServiceError('not_authenticated', 'The token is unknown or has expired');

/**
 * The caller of a request, by the code of its project and its token: one query, and at most once a second a write that
 * starts the idle time again. Throws `project_not_found`, 401 for a token that is unknown, expired or of another project.
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
  const { account, groups } = row;
  if (!account) throw deadToken();
  if (row.stale) await useSession(db, hashOf(token));
  return {
    project: { id: row.id, code: projectCode, languages: row.languages },
    account: { id: account.id, login: account.login, name: account.name },
    groupIds: groups ?? [],
    isPublic: account.public_access,
    isInstaller: account.project_id === null,
    session: row.kind,
  };
}

interface CallerRow {
  id: number;
  languages: string[];
  account: {
    id: number;
    login: string;
    name: string;
    project_id: number | null;
    public_access: boolean;
  } | null;
  groups: number[] | null;
  kind: 'rest' | 'console' | null;
  stale: boolean | null;
}

/** The project, with the live session of the token in it or nulls. */
const findSession = (db: Database, code: string, hash: Buffer): Promise<CallerRow[]> =>
  db.query<CallerRow>(
    often(sql`
    select p.id, p.languages, s.kind, ${isStale} as stale, to_jsonb(a) - 'password_hash' as account,
      (select array_agg(group_id) from cartulary.membership where account_id = a.id) as groups
    from cartulary.project p
    left join cartulary.session s on s.token_hash = ${hash} and s.project_id = p.id and ${isLive}
    left join cartulary.account a on a.id = s.account_id
    where p.code = ${code}`),
  );

/** Starts the idle time again. Of several requests at once one writes, the others do not wait for it. */
async function useSession(db: Database, hash: Buffer): Promise<void> {
  await db.briefly(async (tx) =>
    tx.lastly(sql`
      update cartulary.session set last_used = clock_timestamp()
      where token_hash = (
        select s.token_hash from cartulary.session s
        where s.token_hash = ${hash} and ${isStale} and ${isLive} for update skip locked)`),
  );
}

export interface NewSession {
  projectId: number;
  accountId: number;
  kind: 'rest' | 'console';
  idleSeconds: number;
  /** The hash that the password was found to fit; the session is refused when it has been changed since. */
  passwordHash?: string;
}

/**
 * A new session: its token, 256 random bits that are stored only as a hash. Throws `login_failed` when the account
 * was deleted, or its password changed, in the meantime.
 */
export async function openSession(db: Database, session: NewSession): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const { projectId, accountId, kind, idleSeconds, passwordHash } = session;
  await db.briefly(async (tx) => {
    await sweepNowAndThen(tx);
    const opened = await tx.query(sql`
      insert into cartulary.session (token_hash, project_id, account_id, kind, idle_seconds)
      select ${hashOf(token)}, ${projectId}::integer, a.id, ${kind}, ${idleSeconds}::integer
      from (
        select id from cartulary.account
        where id = ${accountId} and (${passwordHash ?? null}::text is null or password_hash = ${passwordHash ?? null}::text)
        for share
      ) a
      returning account_id`);
    if (!opened.length) throw new ServiceError('login_failed');
  });
  return token;
}

/** Ends a session of a project; an unknown token is no error. */
export async function closeSession(db: Database, projectId: number, token: string): Promise<void> {
  await db.briefly((tx) =>
    tx.query(
      sql`delete from cartulary.session where token_hash = ${hashOf(token)} and project_id = ${projectId}`,
    ),
  );
}

/** Ends all sessions of an account. */
export async function closeSessions(tx: Queryable, accountId: number): Promise<void> {
  await tx.query(sql`delete from cartulary.session where account_id = ${accountId}`);
}

/** Throws unless the token is of a live session, in whatever project, of an administrator of the installation: 401, 403. */
export async function demandInstaller(db: Database, token: string | undefined): Promise<void> {
  if (token === undefined) throw new ServiceError('not_authenticated');
  const [session] = await db.query<{ code: string }>(sql`
    select p.code from cartulary.session s join cartulary.project p on p.id = s.project_id
    where s.token_hash = ${hashOf(token)} and ${isLive}`);
  if (!session) throw deadToken();
  const caller = await identify(db, session.code, token);
  if (!caller.isInstaller)
    throw new ServiceError('forbidden', 'Only an administrator of the installation may do this');
}
