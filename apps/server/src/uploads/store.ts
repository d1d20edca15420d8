import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isoText } from '@cartulary/columns';
import type { Database, Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { accountOf, type Caller } from '../access/caller.js';
import type { Config } from '../config.js';
import { tooLarge } from '../http/body/incoming.js';

/** An upload of the caller. */
export interface StoredUpload {
  id: string;
  name: string;
  /** Bytes of the whole file. */
  size: number;
  /** ISO 8601. */
  expires: string;
}

export type UploadConfig = Pick<
  Config,
  'dataFolder' | 'uploadLimitBytes' | 'uploadCount' | 'uploadSpaceBytes' | 'uploadTimeS'
>;

const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const uploadFolder = (dataFolder: string): string => join(dataFolder, 'resumable');
const pathOf = (config: Pick<Config, 'dataFolder'>, id: string): string =>
  join(uploadFolder(config.dataFolder), id);

const uploadNotFound = (): ServiceError =>
  new ServiceError('file_not_found', 'The upload does not exist, or it has expired');

const until = (config: UploadConfig) =>
  sql`clock_timestamp() + ${config.uploadTimeS}::integer * interval '1 second'`;

/** Begins an upload. Throws 413 for a file that is too large, 429 for too many uploads or bytes of the caller. */
export async function createUpload(
  db: Database,
  config: UploadConfig,
  caller: Caller,
  { name, size }: Pick<StoredUpload, 'name' | 'size'>,
): Promise<StoredUpload> {
  if (size > config.uploadLimitBytes) throw tooLarge(config.uploadLimitBytes);
  const accountId = accountOf(caller).id;
  const made = await db.shortTransaction(async (tx) => {
    await tx.query(sql`select from cartulary.account where id = ${accountId} for no key update`);
    await refuseTooMany(tx, config, { accountId, size });
    const [row] = await tx.query<StoredUpload>(sql`
      insert into cartulary.upload (project_id, account_id, name, size, expires_at)
      values (${caller.project.id}, ${accountId}, ${name}, ${size}, ${until(config)})
      returning id, name, size, ${isoText(sql`expires_at`)} as expires`);
    return row!;
  });
  await mkdir(uploadFolder(config.dataFolder), { recursive: true, mode: 0o700 });
  await (await open(pathOf(config, made.id), 'w', 0o600)).close();
  return made;
}

/** Makes a received file an upload of the caller, whole already. Moves the file. Throws as `createUpload`. */
export async function adoptFile(
  db: Database,
  config: UploadConfig,
  caller: Caller,
  { path, ...file }: Pick<StoredUpload, 'name' | 'size'> & { path: string },
): Promise<StoredUpload & { path: string }> {
  const made = await createUpload(db, config, caller, file);
  const own = pathOf(config, made.id);
  await rename(path, own);
  return { ...made, path: own };
}

/** The uploads of the caller, the first to expire first. */
export async function listUploads(
  db: Queryable,
  config: Pick<Config, 'dataFolder'>,
  caller: Caller,
): Promise<(StoredUpload & { offset: number })[]> {
  const rows = await db.query<StoredUpload>(sql`
    select id, name, size, ${isoText(sql`expires_at`)} as expires from cartulary.upload
    where account_id = ${accountOf(caller).id} and project_id = ${caller.project.id}
      and expires_at > clock_timestamp()
    order by expires_at, id`);
  const found = await Promise.all(
    rows.map(async (row) => {
      const file = await stat(pathOf(config, row.id)).catch(() => undefined);
      return file && { ...row, offset: file.size };
    }),
  );
  return found.filter((one) => one !== undefined);
}

async function refuseTooMany(
  tx: Queryable,
  { uploadCount, uploadSpaceBytes }: UploadConfig,
  { accountId, size }: { accountId: number; size: number },
): Promise<void> {
  const [sums] = await tx.query<{ count: number; bytes: number }>(sql`
    select count(*) as count, coalesce(sum(size), 0)::double precision as bytes
    from cartulary.upload where account_id = ${accountId} and expires_at > clock_timestamp()`);
  if (sums!.count >= uploadCount)
    throw new ServiceError('too_many_requests', `A user has at most ${uploadCount} uploads; delete one`, {
      limit: uploadCount,
    });
  if (sums!.bytes + size > uploadSpaceBytes)
    throw new ServiceError(
      'too_many_requests',
      `The uploads of a user have at most ${uploadSpaceBytes} bytes`,
      {
        limit: uploadSpaceBytes,
      },
    );
}

/** An upload of the caller by its id, and how many bytes have come. Throws 404, also for one of somebody else. */
export async function findUpload(
  db: Queryable,
  config: Pick<Config, 'dataFolder'>,
  caller: Caller,
  id: string,
): Promise<StoredUpload & { offset: number; path: string }> {
  const [row] = form.test(id)
    ? await db.query<StoredUpload>(sql`
        select id, name, size, ${isoText(sql`expires_at`)} as expires from cartulary.upload
        where id = ${id}::uuid and account_id = ${accountOf(caller).id} and project_id = ${caller.project.id}
          and expires_at > clock_timestamp()`)
    : [];
  const path = pathOf(config, id);
  const found = row && (await stat(path).catch(() => undefined));
  if (!found) throw uploadNotFound();
  return { ...row, path, offset: found.size };
}

/** An upload all of whose bytes have come. Throws 404, and 400 where bytes are missing. */
export async function wholeUpload(
  db: Queryable,
  config: Pick<Config, 'dataFolder'>,
  caller: Caller,
  id: string,
): Promise<StoredUpload & { path: string }> {
  const found = await findUpload(db, config, caller, id);
  if (found.offset === found.size) return found;
  throw new ServiceError('bad_request', `upload: ${found.offset} of ${found.size} bytes have come`, {
    parameters: ['upload'],
  });
}

/**
 * Writes bytes at their place, at most up to the size of the file, and gives the bytes that there are then. What has come stays when
 * `bytes` fails. Two writers at once write the same bytes at the same places: a client that comes back need not wait for its old
 * connection to end.
 */
export async function writeUpload(
  { path, size, offset }: { path: string; size: number; offset: number },
  bytes: AsyncIterable<Buffer>,
): Promise<number> {
  const handle = await open(path, 'r+').catch(() => Promise.reject(uploadNotFound()));
  let at = offset;
  try {
    for await (const chunk of bytes) {
      if (at + chunk.length > size)
        throw new ServiceError('too_large', `The file has ${size} bytes`, { limit: size });
      await writeWhole(handle, chunk, at);
      at += chunk.length;
    }
  } finally {
    // The client drops what it has sent, so it must be on the disk.
    await handle.sync().catch(() => {});
    await handle.close();
  }
  return at;
}

async function writeWhole(handle: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; )
    done += (await handle.write(chunk, done, chunk.length - done, position + done)).bytesWritten;
}

/** Gives an upload its whole time again. Returns when it expires now. */
export async function renewUpload(db: Database, config: UploadConfig, id: string): Promise<string> {
  const [row] = await db.shortTransaction((tx) =>
    tx.query<{ expires: string }>(sql`
      update cartulary.upload set expires_at = ${until(config)} where id = ${id}::uuid
      returning ${isoText(sql`expires_at`)} as expires`),
  );
  if (!row) throw uploadNotFound();
  return row.expires;
}

/** Removes an upload with its bytes. */
export async function removeUpload(
  db: Database,
  config: Pick<Config, 'dataFolder'>,
  id: string,
): Promise<void> {
  await db.shortTransaction((tx) => tx.query(sql`delete from cartulary.upload where id = ${id}::uuid`));
  await rm(pathOf(config, id), { force: true });
}

/** Removes expired uploads, and files that belong to none. A file without a row is new or left over: `before` tells them apart. */
export async function sweepUploads(
  db: Database,
  config: Pick<Config, 'dataFolder'>,
  { names, before }: { names: readonly string[]; before: number },
): Promise<void> {
  await db.shortTransaction((tx) =>
    tx.query(sql`delete from cartulary.upload where expires_at <= clock_timestamp()`),
  );
  const ids = names.filter((name) => form.test(name));
  const kept = await db.query<{ id: string }>(
    sql`select id from cartulary.upload where id = any(${ids}::uuid[])`,
  );
  const named = new Set(kept.map(({ id }) => id));
  for (const id of ids) {
    const found = named.has(id) ? undefined : await stat(pathOf(config, id)).catch(() => undefined);
    if (found && found.mtimeMs < before) await rm(pathOf(config, id), { force: true });
  }
}
