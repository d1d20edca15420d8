import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Database } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { isAbandoned, ownName } from '../own-names.js';
import type { FileStorage } from '../storage/storage.js';
import { startSet } from './start-set.js';
import { type Icon, ownIcons } from './store.js';

/** The icons of projects as files, for the renderer, which tells SVG from PNG by the name of a file. */
export interface IconFiles {
  /** Icon name → file, of all icons that a style of the project can name, as they are at a version; without one: as they are now. */
  of(projectId: number, version?: number): Promise<ReadonlyMap<string, string>>;
  /** The file of a content that is in the storage. */
  place(icon: Pick<Icon, 'content' | 'kind'>): Promise<string>;
}

/** How long a file stays that no icon has any more, ms: plans made before still name it. */
const keptFor = 24 * 3_600_000;

/**
 * Keeps the files in `folder`, under names that follow from their contents, so that a replaced icon is another file and
 * nothing that was drawn with the old one is taken for it. They are copies: what is missing is made from the storage.
 */
export function createIconFiles(db: Database, storage: Pick<FileStorage, 'path'>, folder: string): IconFiles {
  const known = new LRUCache<string, Promise<ReadonlyMap<string, string>>>({ max: 200 });

  async function place({ content, kind }: Pick<Icon, 'content' | 'kind'>): Promise<string> {
    const file = join(folder, `${content}.${kind}`);
    const own = join(folder, `${ownName()}.part`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copyFile(storage.path(content), own);
    await rename(own, file);
    return file;
  }

  async function read(projectId: number): Promise<ReadonlyMap<string, string>> {
    const icons = await ownIcons(db, projectId);
    if (!icons.length) return startSet;
    const there = new Set(await readdir(folder).catch(() => []));
    const files = new Map(startSet);
    for (const icon of icons) {
      const name = `${icon.content}.${icon.kind}`;
      // One whose bytes are lost is unknown to styles: the error names it.
      const file = there.has(name) ? join(folder, name) : await place(icon).catch(() => undefined);
      if (file) files.set(icon.name, file);
      else files.delete(icon.name);
    }
    return files;
  }

  return {
    place,
    async of(projectId, version) {
      const now = version ?? (await readIconsVersion(db, projectId));
      const key = `${projectId}/${now}`;
      const files = known.get(key) ?? read(projectId);
      known.set(key, files);
      files.catch(() => known.delete(key));
      return files;
    },
  };
}

/** Rises with every change of the project's icons. */
export async function readIconsVersion(db: Database, projectId: number): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    sql`select icons_version as version from cartulary.project where id = ${projectId}`,
  );
  return row?.version ?? 0;
}

/**
 * Removes files of icons that nothing names any more, a day after they were made, and what a killed process was writing. `all`:
 * at once, where no process can be at work.
 */
export async function sweepIconFiles(db: Database, folder: string, { all = false } = {}): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  const used = new Set(
    (await db.query<{ content: string }>(sql`select content from cartulary.icon`)).map(
      ({ content }) => content,
    ),
  );
  for (const file of files) {
    const path = join(folder, file);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    const isLeft = all || age > keptFor || isAbandoned(file);
    if (isLeft && !used.has(file.split('.')[0]!)) await rm(path, { force: true });
  }
}
