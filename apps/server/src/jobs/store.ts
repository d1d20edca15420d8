import type { Database, Queryable, Transaction } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { type Sql, sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import { levels, rightOn } from '../access/rights.js';
import { rightOnLayer } from '../containers/containers.js';
import { tooMany } from './allowance.js';
import type { JobError, JobFile, JobKind, JobOutcome, Standing } from './job.js';

/** A stored job, with the rights of the caller on its layer. */
export interface Job extends Standing {
  id: string;
  kind: JobKind;
  account_id: number | null;
  map_code: string;
  layer_code: string;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  result: unknown;
  error: JobError | null;
  file: JobFile | null;
  file_until: Date | null;
  process: string;
  /** How often it was started. */
  attempts: number;
  /** Of its owner; null without one. */
  login: string | null;
  /** Whether its layer is still there. */
  hasLayer: boolean;
  /** The caller's right on the layer, 0 to 3. */
  right: number;
}

/** A job that begins. */
export interface NewJob {
  id: string;
  kind: JobKind;
  caller: Caller;
  layer: { id: number; code: string; map: { code: string } };
  process: string;
  /** Jobs are counted by owner. */
  owner: string;
  /** The request from which it can be started again; JSON. */
  request: unknown;
}

export const unfinished = sql`state in ('queued', 'running')`;

/** Stores a job unless its owner has `most` unfinished ones already, of all processes: then 429. */
export async function insertJob(db: Database, job: NewJob, most: number): Promise<void> {
  const { id, kind, caller, layer, process, owner, request } = job;
  await db.shortTransaction(async (tx) => {
    // Those of an owner one after the other, so that each counts the one before.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`jobs of ${owner}`}, 0))`);
    await refuseTooMany(tx, owner, most);
    await tx.query(sql`
      insert into cartulary.job (id, kind, project_id, account_id, layer_id, map_code, layer_code, process, owner, request)
      values (${id}, ${kind}, ${caller.project.id}, ${caller.account?.id ?? null}, ${layer.id},
        ${layer.map.code}, ${layer.code}, ${process}, ${owner}, ${JSON.stringify(request)}::json)`);
  });
}

/** Throws 429 when an owner has `most` unfinished jobs. */
export async function refuseTooMany(db: Queryable, owner: string, most: number): Promise<void> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::integer as count from cartulary.job where owner = ${owner} and ${unfinished}`,
  );
  if (row!.count >= most) throw tooMany('jobs', row!.count, most);
}

/** A job and the process that carries it out. The process may write the job only while it belongs to it. */
export interface OwnJob {
  id: string;
  process: string;
}

/** Writes the state of a job. Gives whether it still belongs to the process, or was cancelled or lost meanwhile. */
export async function saveStanding(
  db: Database,
  { id, process }: OwnJob,
  standing: Standing,
): Promise<'own' | 'cancelling' | 'lost'> {
  const { state, phase, done, total, percent } = standing;
  const [row] = await db.shortTransaction((tx) =>
    tx.query<{ cancelling: boolean }>(sql`
      update cartulary.job set state = ${state}, phase = ${phase}, done = ${done}, total = ${total}, percent = ${percent},
        started_at = case when ${state} = 'queued' then null else coalesce(started_at, clock_timestamp()) end,
        seen_at = clock_timestamp()
      where id = ${id} and process = ${process} and ${unfinished} returning cancelling`),
  );
  if (!row) return 'lost';
  return row.cancelling ? 'cancelling' : 'own';
}

/**
 * Notes in the transaction of a job that its work is stored: its result, should nobody learn how COMMIT went. Throws `busy`,
 * so that nothing is stored, when the job was ended by somebody else, or another process has it.
 */
export async function commitJob(tx: Transaction, { id, process }: OwnJob, result: unknown): Promise<void> {
  const noted = await tx.query(sql`
    update cartulary.job set committed = true, result = ${JSON.stringify(result)}::json
    where id = ${id} and process = ${process} and ${unfinished} and not cancelling returning id`);
  if (!noted.length) throw new ServiceError('busy', 'The job was ended before it was stored');
}

/**
 * Writes how a job ended: the state in which it is then. What is committed is done, whatever the process saw of it; a commit
 * that is under way is waited for. `fileTime`: s that its file is kept.
 */
export async function finishJob(
  db: Database,
  { id, process }: OwnJob,
  { standing, outcome, fileTime }: { standing: Standing; outcome: JobOutcome; fileTime: number },
): Promise<JobOutcome['state']> {
  const { state, phase, done, total, percent } = standing;
  const json = (value: unknown): Sql => sql`${value === undefined ? null : JSON.stringify(value)}::json`;
  const file = outcome.state === 'done' ? outcome.file : undefined;
  const result = outcome.state === 'done' ? json(outcome.result) : sql`result`;
  const [row] = await db.shortTransaction((tx) =>
    tx.query<{ state: JobOutcome['state'] }>(sql`
      update cartulary.job set state = case when committed then 'done' else ${outcome.state}::text end, phase = ${phase}, done = ${done}, total = ${total}, percent = ${percent},
        started_at = case when ${state} = 'queued' then null else coalesce(started_at, clock_timestamp()) end,
        finished_at = clock_timestamp(), result = ${result},
        error = case when not committed then ${json(outcome.state === 'failed' ? outcome.error : undefined)} end, file = ${json(file)},
        file_until = ${file ? sql`clock_timestamp() + ${fileTime}::integer * interval '1 second'` : sql`null`}
      where id = ${id} and process = ${process} returning state`),
  );
  return row?.state ?? outcome.state;
}

const selectJobs = (caller: Caller, condition: Sql): Sql => {
  const layer = rightOnLayer(caller, sql`m`, sql`l`);
  return sql`
    select j.*, (select login from cartulary.account where id = j.account_id) as login, l.id is not null as "hasLayer", ${layer} as "right",
      ${rightOn(caller, { project: sql`j.project_id` })} as "projectRight"
    from cartulary.job j
    left join cartulary.container l on l.id = j.layer_id left join cartulary.container m on m.id = l.map_id
    where j.project_id = ${caller.project.id} and ${condition}`;
};

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const jobNotFound = (id: string): ServiceError =>
  new ServiceError('job_not_found', `The job '${id.slice(0, 50)}' does not exist`);

/** A job of the caller, one of the public, or as an administrator of the project any of it. Throws 404. */
export async function findJob(db: Queryable, caller: Caller, id: string): Promise<Job> {
  if (!uuidForm.test(id)) throw jobNotFound(id);
  const [job] = await db.query<Job & { projectRight: number }>(
    selectJobs(caller, sql`j.id = ${id.toLowerCase()}::uuid`),
  );
  const isOwn = job?.account_id === null || job?.account_id === caller.account?.id;
  if (!job || !(isOwn || job.projectRight >= levels.administer)) throw jobNotFound(id);
  return job;
}

/** The caller's own jobs, or those of everybody in the project; the newest first. */
export const listJobs = (
  db: Queryable,
  caller: Caller,
  whose: 'own' | 'all',
  limit: number,
): Promise<Job[]> =>
  db.query<Job>(sql`
    ${selectJobs(caller, whose === 'all' ? sql`true` : sql`j.account_id = ${caller.account?.id ?? null}`)}
    order by j.created_at desc, j.id limit ${limit}`);

/** Asks the process of a job to end it. A job without a process is ended at once. */
export async function askToCancel(db: Database, id: string): Promise<void> {
  await db.shortTransaction((tx) =>
    tx.query(sql`
      update cartulary.job set cancelling = true, state = case when process = '' then 'cancelled' else state end,
        finished_at = case when process = '' then clock_timestamp() end
      where id = ${id} and ${unfinished}`),
  );
}

export async function isUnfinished(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(sql`select from cartulary.job where id = ${id} and ${unfinished}`);
  return rows.length > 0;
}

/** Removes a finished job. */
export async function removeJob(db: Database, id: string): Promise<void> {
  await db.shortTransaction((tx) =>
    tx.query(sql`delete from cartulary.job where id = ${id} and not ${unfinished}`),
  );
}

/** An unfinished job. */
export interface UnfinishedJob {
  id: string;
  /** Which carries it out. */
  process: string;
  /** s since that was last known to live. */
  silence: number;
}

export const unfinishedJobs = (db: Queryable): Promise<UnfinishedJob[]> =>
  db.query(sql`
    select id, process, extract(epoch from clock_timestamp() - seen_at)::double precision as silence
    from cartulary.job where ${unfinished}`);

/** Of jobs those that have ended without a file. */
export async function withoutFile(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const own = ids.filter((id) => uuidForm.test(id));
  if (!own.length) return [];
  const rows = await db.query<{ id: string }>(sql`
    select id from cartulary.job where id = any(${own}::uuid[]) and file is null and not ${unfinished}`);
  return rows.map(({ id }) => id);
}

/** Of jobs those that have ended, or are not there. */
export async function withoutWork(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const own = ids.filter((id) => uuidForm.test(id));
  if (!own.length) return [];
  const rows = await db.query<{ id: string }>(sql`
    select id from cartulary.job where id = any(${own}::uuid[]) and ${unfinished}`);
  const open = new Set(rows.map(({ id }) => id));
  return own.filter((id) => !open.has(id));
}

/** Removes jobs that ended so many days ago; those of the public when their file has gone, or would have. The ids. */
export async function removeOld(
  db: Database,
  { days, fileTime }: { days: number; fileTime: number },
): Promise<string[]> {
  const rows = await db.shortTransaction((tx) =>
    tx.query<{ id: string }>(sql`
      delete from cartulary.job where finished_at < clock_timestamp() - ${days}::integer * interval '1 day'
        or (account_id is null and finished_at < clock_timestamp() - ${fileTime}::integer * interval '1 second')
      returning id`),
  );
  return rows.map(({ id }) => id);
}
