import type { Queryable } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { startSet } from './start-set.js';

const pattern = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

/** Whether a text can be the name of an icon. */
const isIconName = (name: string): boolean => pattern.test(name);

/** Throws `code_invalid` for an invalid name. */
export function checkIconName(name: string): string {
  if (isIconName(name)) return name;
  throw new ServiceError(
    'code_invalid',
    'The name of an icon has 1 to 63 Latin letters, digits, underscores and hyphens, and begins with a letter',
    { parameters: ['name'] },
  );
}

/**
 * The icon names of a project, each mapped to a placeholder. That is enough to check a style, but not to draw
 * it.
 */
export async function iconNames(db: Queryable, projectId: number): Promise<Map<string, string>> {
  const own = await db.query<{ name: string }>(
    sql`select name from cartulary.icon where project_id = ${projectId}`,
  );
  return new Map([...startSet.keys(), ...own.map(({ name }) => name)].map((name) => [name, 'icon']));
}

/**
 * The icon name in a path of the project's own icons, `…/api/2.8/<project>/icons/<name>/`; undefined for any
 * other text.
 */
const nameInPath = (path: string, project: string): string | undefined => {
  const [, inProject, name] = /\/api\/2\.8\/([^/]+)\/icons\/([^/?#]+)\/?$/.exec(path) ?? [];
  return inProject === project ? name : undefined;
};

/**
 * Throws 400 for the path of an icon that the project lacks, with the name and the field `at`. Other texts
 * are accepted.
 */
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
