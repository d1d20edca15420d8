import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@cartulary/database';
import { isAbandoned, ownName } from '@cartulary/runtime';
import { sql } from '@cartulary/sql';
import { LRUCache } from 'lru-cache';
import type { FileStorage } from '../storage/storage.js';
import { startSet } from './start-set.js';
import { type Icon, ownIcons } from './store.js';

/** How long the file of a removed icon stays, ms: a render plan that is older than the removal still names it. */
const removedIconAgeMs = 24 * 3_600_000;

/** Projects whose list of files stays in memory. */
const maxCachedLists = 200;

/**
 * The icons of projects as files for the renderer, which tells SVG from PNG by the extension. The name of a file follows from
 * its content, so a replaced icon has another file and no cached tile mixes them up. The files are copies: a missing one is
 * copied from the storage again.
 */
export class IconFiles {
  readonly #db: Database;
  readonly #storage: Pick<FileStorage, 'path'>;
  readonly #folder: string;
  readonly #listByVersion = new LRUCache<string, Promise<ReadonlyMap<string, string>>>({
    max: maxCachedLists,
  });

  constructor(db: Database, storage: Pick<FileStorage, 'path'>, folder: string) {
    this.#db = db;
    this.#storage = storage;
    this.#folder = folder;
  }

  /** Icon name → file, of all icons that a style of the project can name, at a version of the icons; without one: now. */
  async of(projectId: number, version?: number): Promise<ReadonlyMap<string, string>> {
    const present = version ?? (await readIconsVersion(this.#db, projectId));
    const key = `${projectId}/${present}`;
    const files = this.#listByVersion.get(key) ?? this.#list(projectId);
    this.#listByVersion.set(key, files);
    files.catch(() => this.#listByVersion.delete(key));
    return files;
  }

  /** Copies a content out of the storage. Returns the path of the file. */
  async place({ content, kind }: Pick<Icon, 'content' | 'kind'>): Promise<string> {
    const folder = this.#folder;
    const file = join(folder, `${content}.${kind}`);
    const own = join(folder, `${ownName()}.part`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copyFile(this.#storage.path(content), own);
    await rename(own, file);
    return file;
  }

  async #list(projectId: number): Promise<ReadonlyMap<string, string>> {
    const icons = await ownIcons(this.#db, projectId);
    if (!icons.length) return startSet;
    const present = new Set(await readdir(this.#folder).catch(() => []));
    const files = new Map(startSet);
    for (const icon of icons) {
      const name = `${icon.content}.${icon.kind}`;
      // An icon whose bytes are lost is left out, so the error of a style names it.
      const file = present.has(name)
        ? join(this.#folder, name)
        : await this.place(icon).catch(() => undefined);
      if (file) files.set(icon.name, file);
      else files.delete(icon.name);
    }
    return files;
  }
}

/** The version of the project's icons, which every change raises. */
export async function readIconsVersion(db: Database, projectId: number): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    sql`select icons_version as version from cartulary.project where id = ${projectId}`,
  );
  return row?.version ?? 0;
}

/**
 * Removes unnamed files of icons a day after they were made, and unfinished files of killed processes. `all`:
 * removes them at once, when no other process can be at work.
 */
export async function sweepIconFiles(
  db: Database,
  folder: string,
  { all = false, abandoned = new Set<string>() } = {},
): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  const used = new Set(
    (await db.query<{ content: string }>(sql`select content from cartulary.icon`)).map(
      ({ content }) => content,
    ),
  );
  for (const file of files) {
    const path = join(folder, file);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    const key = file.split('.')[0]!;
    const isLeft = all || age > removedIconAgeMs || isAbandoned(file) || abandoned.has(key);
    if (isLeft && !used.has(key)) await rm(path, { force: true });
  }
}
