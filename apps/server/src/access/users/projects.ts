import { isLanguage, spelledLanguage } from '@cartulary/columns';
import { dropTables, type Queryable } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { checkTexts } from '../storable-texts.js';

export interface ProjectInput {
  code: string;
  name?: string;
  languages?: string[];
}

export interface ProjectView {
  id: number;
  code: string;
  name: string;
  /** Main language first. */
  languages: string[];
}

/** First segments of the service's own paths; some are reserved for future pages. */
const reserved = new Set([
  'api',
  'tms',
  'maps',
  'pages',
  'assets',
  'docs',
  'readyz',
  'console',
  'admin',
  'health',
  'healthz',
  'metrics',
  'static',
]);

/** Whether a text can be the code of a project. */
export const isProjectCode = (text: string): boolean => /^[A-Za-z0-9_-]{1,63}$/.test(text);

/** The interface answers 500 for an unknown project. The error repeats only valid codes. */
export const projectNotFound = (code: string): ServiceError =>
  new ServiceError(
    'project_not_found',
    isProjectCode(code) ? `The project '${code}' does not exist` : undefined,
  );

function checkCode(code: string): void {
  if (reserved.has(code))
    throw new ServiceError('code_reserved', `The code '${code}' is reserved by the service`, { code });
  if (!isProjectCode(code)) {
    throw new ServiceError(
      'code_invalid',
      'A project code has 1 to 63 Latin letters, digits, underscores and hyphens',
    );
  }
}

function checkLanguages(languages: readonly string[]): string[] {
  if (!languages.length || !languages.every(isLanguage))
    throw badRequest('languages are codes such as en or pt-BR, at least one', { parameters: ['languages'] });
  return languages.filter((code, i) => languages.indexOf(spelledLanguage(code, languages)) === i);
}

/**
 * Creates a project. The main language comes first; default English. Throws `code_taken`, `code_invalid`,
 * `code_reserved`, 400.
 */
export async function createProject(tx: Queryable, input: ProjectInput): Promise<ProjectView> {
  const { code, name = '' } = input;
  checkCode(code);
  checkTexts({ name });
  const languages = checkLanguages(input.languages ?? ['en']);
  const [project] = await tx.query<ProjectView>(sql`
    insert into cartulary.project (code, name, languages) values (${code}, ${name}, ${languages}::text[])
    on conflict do nothing returning id, code, name, languages`);
  if (!project) throw new ServiceError('code_taken', `The project '${code}' exists already`, { code });
  return project;
}

/** All projects of the installation, by code. */
export const listProjects = (db: Queryable): Promise<ProjectView[]> =>
  db.query<ProjectView>(sql`select id, code, name, languages from cartulary.project order by code`);

/** A project by its code. Throws `project_not_found`. */
export async function findProject(db: Queryable, code: string): Promise<ProjectView> {
  const [project] = isProjectCode(code)
    ? await db.query<ProjectView>(
        sql`select id, code, name, languages from cartulary.project where code = ${code}`,
      )
    : [];
  if (!project) throw projectNotFound(code);
  return project;
}

/** Changes the name or the languages of a project. Throws `project_not_found`, 400. */
export async function changeProject(
  tx: Queryable,
  code: string,
  { name, languages }: Omit<ProjectInput, 'code'>,
): Promise<ProjectView> {
  const before = await findProject(tx, code);
  checkTexts({ name });
  const next = languages === undefined ? before.languages : checkLanguages(languages);
  await tx.query(sql`
    update cartulary.project set name = ${name ?? before.name}, languages = ${next}::text[] where id = ${before.id}`);
  return findProject(tx, code);
}

/** Deletes a project with all its maps, users and data. Throws `project_not_found`. */
export async function deleteProject(tx: Queryable, code: string): Promise<void> {
  const { id } = await findProject(tx, code);
  const layers = await tx.query<{ id: number; type: string }>(
    sql`select id, type from cartulary.container where project_id = ${id} and type in ('layer', 'virtual', 'material')`,
  );
  await dropTables(tx, layers);
  await tx.query(sql`delete from cartulary.project where id = ${id}`);
}
