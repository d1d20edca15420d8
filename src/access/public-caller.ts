import type { Database, Snapshot } from '../db/pool.js';
import { sql } from '../db/sql.js';
import type { Caller } from './caller.js';
import { isProjectCode, projectNotFound } from './projects.js';

/** Who asks without a token, by the code of the project, as of a snapshot: one query after each commit. Throws `project_not_found`. */
export async function publicCaller(
  db: Pick<Database, 'recall'>,
  projectCode: string,
  at: Snapshot,
): Promise<Caller> {
  const [project] = isProjectCode(projectCode)
    ? await db.recall<{ id: number; languages: string[] }>(
        sql`select id, languages from cartulary.project where code = ${projectCode}`,
        at,
      )
    : [];
  if (!project) throw projectNotFound(projectCode);
  return {
    project: { ...project, code: projectCode },
    account: null,
    groupIds: [],
    isPublic: true,
    isInstaller: false,
    session: null,
    at,
  };
}
