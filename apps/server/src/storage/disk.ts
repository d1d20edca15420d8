import { type FileHandle, mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Queryable } from '@cartulary/database';
import { isAbandoned, makeWritable, ownName } from '@cartulary/runtime';
import { sql } from '@cartulary/sql';
import type { ByteRange, FileStorage, StoredContent } from './storage.js';

const keyForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const shardForm = /^[0-9a-f]{2}$/;

/** The folder of contents that are being written; no shard has this name. */
const unfinishedName = 'unfinished';

/** Size of a read. */
const readBytes = 256 * 1024;

/**
 * A storage in a folder: `<folder>/<first two digits of the key>/<key>`. A content is written under another name, flushed to
 * the medium (fsync) and renamed, so after a crash it is there completely or not at all.
 */
export class DiskStorage implements FileStorage {
  readonly #folder: string;
  /** The folder of contents that are being written, and of the notes below. */
  readonly #unfinished: string;
  /** Marker files, by key: each tells which process has stored a content that no row names yet. */
  readonly #notes = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#unfinished = join(folder, unfinishedName);
  }

  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.path(key);
    const own = join(this.#unfinished, ownName());
    const note = `${own}.${key}`;
    await makeFolder(this.#unfinished);
    try {
      await write(own, bytes);
      await makeFolder(dirname(path));
      await writeFile(note, '');
      this.#notes.set(key, note);
      await rename(own, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(own, { force: true });
      await this.settle(key);
      throw error;
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const handle = await whenThere(open(this.path(key)));
    const part = range && { start: range.first, end: range.last };
    return handle?.createReadStream({ ...part, highWaterMark: readBytes });
  }

  async size(key: string): Promise<number | undefined> {
    return (await whenThere(stat(this.path(key))))?.size;
  }

  path(key: string): string {
    if (!keyForm.test(key)) throw new RangeError('not a key of the storage');
    return join(this.#folder, key.slice(0, 2), key);
  }

  async delete(key: string): Promise<void> {
    await rm(this.path(key), { force: true });
    await this.settle(key);
  }

  async settle(key: string): Promise<void> {
    const note = this.#notes.get(key);
    this.#notes.delete(key);
    // A note that cannot be removed is harmless: the sweep keeps every content that a row names.
    if (note !== undefined) await rm(note, { force: true }).catch(() => {});
  }

  async *abandoned(): AsyncGenerator<string> {
    for await (const { name } of entriesOf(this.#unfinished)) {
      const key = name.slice(name.indexOf('.') + 1);
      if (isAbandoned(name) && keyForm.test(key)) yield key;
    }
  }

  list(): AsyncIterable<StoredContent> {
    return contentsIn(this.#folder);
  }

  async removeUnfinished(before: number): Promise<void> {
    for await (const { name } of entriesOf(this.#unfinished)) {
      const path = join(this.#unfinished, name);
      const { mtimeMs } = (await whenThere(stat(path))) ?? { mtimeMs: before };
      if (mtimeMs < before || isAbandoned(name)) await rm(path, { force: true });
    }
  }
}

/**
 * The storage of this installation. Its folder is named by the installation, so that a data folder may serve
 * one database after another.
 */
export async function installationStorage(db: Queryable, dataFolder: string): Promise<FileStorage> {
  const [installation] = await db.query<{ id: string }>(sql`select id from cartulary.installation`);
  const folder = join(dataFolder, 'files');
  await makeWritable(folder);
  return new DiskStorage(join(folder, installation!.id));
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

/** Creates a folder and flushes its parent. */
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
      // The change time, which copying tools cannot set back, and which the rename sets.
      const found = keyForm.test(key) ? await whenThere(stat(join(folder, shard.name, key))) : undefined;
      if (found) yield { key, since: found.ctimeMs };
    }
  }
}

async function* entriesOf(folder: string): AsyncGenerator<{ name: string }> {
  const directory = await whenThere(opendir(folder));
  if (directory) yield* directory;
}

/** undefined when the file does not exist. */
async function whenThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
