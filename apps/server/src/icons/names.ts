import type { Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import { startSet } from './start-set.js';

const pattern = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

/** Whether a text can be the name of an icon. */
export const isIconName = (name: string): boolean => pattern.test(name);

/** Throws `code_invalid` for what cannot be the name of an icon. */
export function checkIconName(name: string): string {
  if (isIconName(name)) return name;
  throw new ServiceError(
    'code_invalid',
    'The name of an icon has 1 to 63 Latin letters, digits, underscores and hyphens, and begins with a letter',
    { parameters: ['name'] },
  );
}

/** The names that a style of the project can use, each mapped to a stand-in: enough to check a style, not to draw it. */
export async function iconNames(db: Queryable, projectId: number): Promise<Map<string, string>> {
  const own = await db.query<{ name: string }>(
    sql`select name from cartulary.icon where project_id = ${projectId}`,
  );
  return new Map([...startSet.keys(), ...own.map(({ name }) => name)].map((name) => [name, 'icon']));
}

/** The name in a path of the project's own icons, `…/api/2.8/<project>/icons/<name>/`; undefined for any other text. */
export const nameInPath = (path: string, project: string): string | undefined => {
  const [, inProject, name] = /\/api\/2\.8\/([^/]+)\/icons\/([^/?#]+)\/?$/.exec(path) ?? [];
  return inProject === project ? name : undefined;
};

/** Refuses the path of an icon that the project does not have; other texts are taken as they are. Throws 400 that names it and the field `at`. */
export async function checkIconPaths(
  db: Queryable,
  project: { id: number; code: string },
  paths: readonly (string | undefined)[],
  at = 'icon',
): Promise<void> {
  const named = paths.flatMap((path) => (path ? (nameInPath(path, project.code) ?? []) : []));
  if (!named.length) return;
  const known = await iconNames(db, project.id);
  const missing = named.find((name) => !known.has(name));
  if (missing !== undefined)
    throw badRequest(`There is no icon '${missing}' in this project`, {
      parameters: [at],
      icon: missing,
    });
}
