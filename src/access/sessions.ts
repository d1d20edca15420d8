import { createHash, randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import type { Caller } from './caller.js';

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The caller of a request, by the code of its project and its token: one query. Throws `project_not_found`, 401 for a token that is unknown, expired or of another project. */
export async function identify(
  db: Database,
  projectCode: string,
  token: string | undefined,
): Promise<Caller> {
  const [project] =
    token === undefined ? await findProject(db, projectCode) : await reviveSession(db, projectCode, token);
  if (!project) throw new ServiceError('project_not_found', `The project '${projectCode}' does not exist`);
  if (token !== undefined && project.account === null) {
    throw new ServiceError('not_authenticated', 'The token is unknown or has expired');
  }
  const { account, groups } = project;
  return {
    project: { id: project.id, code: projectCode, languages: project.languages },
    account: account && { id: account.id, login: account.login, name: account.name },
    groupIds: groups ?? [],
    isPublic: account?.public_access ?? true,
    isInstaller: account ? account.project_id === null : false,
    session: project.kind,
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
}

const findProject = (db: Database, code: string): Promise<CallerRow[]> =>
  db.query<CallerRow>(
    sql`select id, languages, null as account, null as groups, null as kind from cartulary.project where code = ${code}`,
  );

/** The project and the live session in it, whose idle time starts again. It is written at most once a second: that is how exact the idle time is. */
function reviveSession(db: Database, code: string, token: string): Promise<CallerRow[]> {
  const hash = hashOf(token);
  return db.transaction((tx) =>
    tx.query<CallerRow>(sql`
      with live as (
        select s.account_id, s.kind, s.last_used from cartulary.session s
        join cartulary.project p on p.id = s.project_id
        where s.token_hash = ${hash} and p.code = ${code}
          and s.last_used > clock_timestamp() - s.idle_seconds * interval '1 second'
      ), used as (
        update cartulary.session s set last_used = clock_timestamp()
        where s.token_hash = ${hash} and exists (select from live where last_used < clock_timestamp() - interval '1 second')
      )
      select p.id, p.languages, l.kind, to_jsonb(a) - 'password_hash' as account,
        (select array_agg(group_id) from cartulary.membership where account_id = a.id) as groups
      from cartulary.project p
      left join live l on true
      left join cartulary.account a on a.id = l.account_id
      where p.code = ${code}`),
  );
}

/** A new session: its token, 256 random bits that are stored only as a hash. Sessions that have expired are swept on the way. */
export async function openSession(
  db: Database,
  session: { projectId: number; accountId: number; kind: 'rest' | 'console'; idleSeconds: number },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.transaction(async (tx) => {
    await tx.query(
      sql`delete from cartulary.session where last_used < clock_timestamp() - idle_seconds * interval '1 second'`,
    );
    await tx.query(sql`
      insert into cartulary.session (token_hash, project_id, account_id, kind, idle_seconds)
      values (${hashOf(token)}, ${session.projectId}, ${session.accountId}, ${session.kind}, ${session.idleSeconds})`);
  });
  return token;
}

/** Ends a session; an unknown token is no error. */
export async function closeSession(db: Database, token: string): Promise<void> {
  await db.transaction((tx) =>
    tx.query(sql`delete from cartulary.session where token_hash = ${hashOf(token)}`),
  );
}

/** Whether the token is of a live session of an administrator of the installation, in whatever project. Throws 401 without one. */
export async function isInstallerToken(db: Queryable, token: string | undefined): Promise<boolean> {
  if (token === undefined) throw new ServiceError('not_authenticated');
  const [session] = await db.query<{ installer: boolean }>(sql`
    select a.project_id is null as installer from cartulary.session s
    join cartulary.account a on a.id = s.account_id
    where s.token_hash = ${hashOf(token)} and s.last_used > clock_timestamp() - s.idle_seconds * interval '1 second'`);
  if (!session) throw new ServiceError('not_authenticated', 'The token is unknown or has expired');
  return session.installer;
}
