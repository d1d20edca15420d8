import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { isAbandoned, ownName } from '../own-names.js';
import type { FileStorage, StoredContent } from './storage.js';

const keyForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const shardForm = /^[0-9a-f]{2}$/;

/** Contents being written; the name is not that of a shard. */
const unfinished = 'unfinished';

/** Bytes read at once. */
const chunk = 256 * 1024;

/**
 * A storage in a folder: `<folder>/<first two digits of the key>/<key>`. A content is written under another name,
 * brought to the disk (fsync) and renamed, so that a crash leaves it whole or not at all.
 */
export function createDiskStorage(folder: string): FileStorage {
  const pathOf = (key: string): string => {
    if (!keyForm.test(key)) throw new RangeError('not a key of the storage');
    return join(folder, key.slice(0, 2), key);
  };
  const writing = join(folder, unfinished);
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      const own = join(writing, ownName());
      await makeFolder(writing);
      try {
        await write(own, bytes);
        await makeFolder(dirname(path));
        await rename(own, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(own, { force: true });
        throw error;
      }
    },
    async get(key, range) {
      const handle = await whenThere(open(pathOf(key)));
      const part = range && { start: range.first, end: range.last };
      return handle?.createReadStream({ ...part, highWaterMark: chunk });
    },
    size: async (key) => (await whenThere(stat(pathOf(key))))?.size,
    path: pathOf,
    delete: (key) => rm(pathOf(key), { force: true }),
    list: () => contentsIn(folder),
    async removeUnfinished(before) {
      for await (const { name } of entriesOf(writing)) {
        const path = join(writing, name);
        const { mtimeMs } = (await whenThere(stat(path))) ?? { mtimeMs: before };
        if (mtimeMs < before || isAbandoned(name)) await rm(path, { force: true });
      }
    },
  };
}

/** The files of this installation: a folder of its own, so that a data folder may serve one database after another. */
export async function installationStorage(db: Queryable, dataFolder: string): Promise<FileStorage> {
  const [installation] = await db.query<{ id: string }>(sql`select id from cartulary.installation`);
  return createDiskStorage(join(dataFolder, 'files', installation!.id));
}

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const handle: FileHandle = await open(path, 'wx', 0o600);
  try {
    for await (const part of bytes) await handle.writeFile(part);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder, and sees to it that its parent keeps it. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first !== undefined) await syncFolder(dirname(first));
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* contentsIn(folder: string): AsyncGenerator<StoredContent> {
  for await (const shard of entriesOf(folder)) {
    if (!shardForm.test(shard.name)) continue;
    for await (const { name: key } of entriesOf(join(folder, shard.name))) {
      // The change time, which no copying tool sets back, and which the renaming sets.
      const found = keyForm.test(key) ? await whenThere(stat(join(folder, shard.name, key))) : undefined;
      if (found) yield { key, since: found.ctimeMs };
    }
  }
}

async function* entriesOf(folder: string): AsyncGenerator<{ name: string }> {
  const directory = await whenThere(opendir(folder));
  if (directory) yield* directory;
}

/** undefined where there is no such file. */
async function whenThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
