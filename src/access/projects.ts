import type { Queryable } from '../db/pool.js';
import { ident, sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';

export interface ProjectInput {
  code: string;
  name?: string;
  languages?: string[];
}

export interface ProjectView {
  id: number;
  code: string;
  name: string;
  languages: string[];
}

/** First words of paths that the service uses itself. */
const reserved = new Set(['docs', 'openapi.json', 'api', 'tms', 'maps', 'pages', 'assets', 'readyz']);

/** Makes a project. Languages: the main one first; default English. Throws `code_taken`, `code_invalid`, `code_reserved`. */
export async function createProject(tx: Queryable, input: ProjectInput): Promise<ProjectView> {
  const { code, name = '', languages = ['en'] } = input;
  if (reserved.has(code))
    throw new ServiceError('code_reserved', `The code '${code}' is reserved by the service`);
  if (!/^[A-Za-z0-9_-]{1,63}$/.test(code)) {
    throw new ServiceError(
      'code_invalid',
      'A project code has 1 to 63 Latin letters, digits, underscores and hyphens',
    );
  }
  const wrong = languages.find((language) => !/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(language));
  if (wrong !== undefined || !languages.length)
    throw badRequest(`'${wrong ?? ''}' is not a language code`, { parameters: ['languages'] });
  const [project] = await tx.query<ProjectView>(sql`
    insert into cartulary.project (code, name, languages) values (${code}, ${name}, ${[...new Set(languages)]}::text[])
    on conflict do nothing returning id, code, name, languages`);
  if (!project) throw new ServiceError('code_taken', `The project '${code}' exists already`, { code });
  return project;
}

/** All projects of the installation, by code. */
export const listProjects = (db: Queryable): Promise<ProjectView[]> =>
  db.query<ProjectView>(sql`select id, code, name, languages from cartulary.project order by code`);

/** A project by its code. Throws `project_not_found`. */
export async function findProject(db: Queryable, code: string): Promise<ProjectView> {
  const [project] = await db.query<ProjectView>(
    sql`select id, code, name, languages from cartulary.project where code = ${code}`,
  );
  if (!project) throw new ServiceError('project_not_found', `The project '${code}' does not exist`);
  return project;
}

/** Deletes a project with all its maps, users and data. Throws `project_not_found`. */
export async function deleteProject(tx: Queryable, code: string): Promise<void> {
  const { id } = await findProject(tx, code);
  const layers = await tx.query<{ id: number }>(
    sql`select id from cartulary.container where project_id = ${id} and type in ('layer', 'material')`,
  );
  for (const layer of layers)
    await tx.query(sql`drop table if exists ${ident('cartulary_data', `layer_${layer.id}`)}`);
  await tx.query(sql`delete from cartulary.project where id = ${id}`);
}
