import type { Database, Snapshot } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import { type Caller, publicUser } from './caller.js';
import { isProjectCode, projectNotFound } from './users/projects.js';

/** Callers by the rows that describe them. The rows are identical objects until the next commit. */
const callers = new WeakMap<readonly object[], Caller>();

/**
 * The public user of a project at a snapshot. It takes one query after each commit and returns the same
 * object until the next one. Throws `project_not_found`.
 */
export async function publicCaller(
  db: Pick<Database, 'cachedQuery'>,
  projectCode: string,
  at: Snapshot,
): Promise<Caller> {
  const rows = isProjectCode(projectCode)
    ? await db.cachedQuery<{ id: number; languages: string[] }>(
        sql`select id, languages from cartulary.project where code = ${projectCode}`,
        at,
      )
    : [];
  const [project] = rows;
  if (!project) throw projectNotFound(projectCode);
  const known = callers.get(rows);
  if (known?.at === at) return known;
  const caller = publicUser({ code: projectCode, ...project }, at);
  callers.set(rows, caller);
  return caller;
}
