import type { Database, Snapshot } from '../db/pool.js';
import { sql } from '../db/sql.js';
import type { Caller } from './caller.js';
import { isProjectCode, projectNotFound } from './projects.js';

/** Callers by the rows that say of them, which are the same ones until the next commit. */
const callers = new WeakMap<readonly object[], Caller>();

/** Who asks without a token, by the code of the project, as of a snapshot: one query after each commit, and the same caller until the next. Throws `project_not_found`. */
export async function publicCaller(
  db: Pick<Database, 'recall'>,
  projectCode: string,
  at: Snapshot,
): Promise<Caller> {
  const rows = isProjectCode(projectCode)
    ? await db.recall<{ id: number; languages: string[] }>(
        sql`select id, languages from cartulary.project where code = ${projectCode}`,
        at,
      )
    : [];
  const [project] = rows;
  if (!project) throw projectNotFound(projectCode);
  const known = callers.get(rows);
  if (known?.at === at) return known;
  const caller: Caller = {
    project: { code: projectCode, ...project },
    account: null,
    groupIds: [],
    isPublic: true,
    isInstaller: false,
    session: null,
    at,
  };
  callers.set(rows, caller);
  return caller;
}
