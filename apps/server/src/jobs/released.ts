import type { Database, Queryable } from '@cartulary/database';
import { type Sql, sql } from '@cartulary/sql';
import type { JobError, JobKind } from './job.js';
import { unfinished } from './store.js';

/** An unfinished job that no process carries out, because its process has stopped. */
export interface ReleasedJob {
  id: string;
  kind: JobKind;
  project: string;
  account_id: number | null;
  owner: string;
  layer_id: number;
  map_code: string;
  layer_code: string;
  request: unknown;
}

/** The error of an unfinished job that is not resumed. */
export const stopped: JobError = {
  error: 'error',
  code: 'busy',
  message: 'The server was stopped before this job ended; send it again',
  data: {},
};

/** The error of a job that was started so often that it may be the reason why the server ends. */
const stoppedTooOften = (most: number): JobError => ({
  ...stopped,
  message: `The server was stopped ${most === 1 ? 'before this job ended' : `${most} times while this job ran`}; send it again`,
});

const released = sql`state = 'queued' and process = ''`;

/**
 * Takes jobs from processes that have ended or stop. Committed jobs are done, jobs to be cancelled are
 * cancelled, and the others wait for another process, unless they were started `most` times.
 */
export async function releaseJobs(
  db: Database,
  jobs: readonly { id: string; process: string }[],
  most: number,
): Promise<void> {
  if (!jobs.length) return;
  // An expression, not a join: after waiting for a commit under way, the update evaluates it again on the new row.
  const fate = sql`case when committed then 'done' when cancelling then 'cancelled'
    when request is null or attempts >= ${most}::integer then 'failed' else 'queued' end`;
  const ifQueued = (then: Sql, otherwise: Sql): Sql =>
    sql`case when ${fate} = 'queued' then ${then} else ${otherwise} end`;
  const error = sql`case when request is null then ${JSON.stringify(stopped)}::json
    else ${JSON.stringify(stoppedTooOften(most))}::json end`;
  await db.shortTransaction((tx) =>
    tx.query(sql`
      update cartulary.job j set state = ${fate}, process = ${ifQueued(sql`''`, sql`j.process`)},
        phase = ${ifQueued(sql`null`, sql`phase`)}, done = ${ifQueued(sql`0`, sql`done`)},
        total = ${ifQueued(sql`null`, sql`total`)}, percent = ${ifQueued(sql`null`, sql`percent`)},
        started_at = ${ifQueued(sql`null`, sql`started_at`)}, finished_at = ${ifQueued(sql`null`, sql`clock_timestamp()`)},
        error = case when ${fate} = 'failed' then ${error} end, seen_at = clock_timestamp()
      from unnest(${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ process }) => process)}::text[]) as lost (id, process)
      where j.id = lost.id and j.process = lost.process and ${unfinished}`),
  );
}

/** Released jobs, the oldest first. */
export const releasedJobs = (db: Queryable): Promise<ReleasedJob[]> =>
  db.query<ReleasedJob>(sql`
    select j.id, j.kind, p.code as project, j.account_id, j.owner, j.layer_id, j.map_code, j.layer_code, j.request
    from cartulary.job j join cartulary.project p on p.id = j.project_id
    where ${released} order by j.created_at, j.id limit 1000`);

/** Whether the job is now this process's, and no other's. */
export async function takeJob(db: Database, id: string, process: string): Promise<boolean> {
  const rows = await db.shortTransaction((tx) =>
    tx.query(sql`
      update cartulary.job set process = ${process}, seen_at = clock_timestamp()
      where id = ${id} and ${released} and not cancelling returning id`),
  );
  return rows.length > 0;
}

/** Counts an attempt of a process to carry a job out. False: the job no longer belongs to the process. */
export async function beginAttempt(db: Database, id: string, process: string): Promise<boolean> {
  const rows = await db.shortTransaction((tx) =>
    tx.query(sql`
      update cartulary.job set state = 'running', attempts = attempts + 1, started_at = clock_timestamp(), seen_at = clock_timestamp()
      where id = ${id} and process = ${process} and ${unfinished} and not cancelling returning id`),
  );
  return rows.length > 0;
}
