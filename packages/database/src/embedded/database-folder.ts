import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { chmod, cp, open } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the database's files in a data folder. */
export const databaseFolderOf = (dataFolder: string): string => join(dataFolder, 'db');

/**
 * Makes the folder of the database's files, unless it exists, as a copy of a prepared folder. The copy gets its name when it is
 * complete and on the disk. Throws when the folder is of another version of PostgreSQL.
 */
export async function makeDatabaseFolder(dataFolder: string, prepared: string): Promise<string> {
  const folder = databaseFolderOf(dataFolder);
  for (const name of readdirSync(dataFolder)) {
    if (name.startsWith('db.new-')) rmSync(join(dataFolder, name), { recursive: true, force: true });
  }
  if (!existsSync(folder)) {
    const temporary = `${folder}.new-${randomBytes(4).toString('hex')}`;
    try {
      await cp(prepared, temporary, { recursive: true });
      await finishTree(temporary);
      renameSync(temporary, folder);
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true });
      throw describe(error as NodeJS.ErrnoException, folder);
    }
    await sync(dataFolder);
  }
  const [has, needs] = [folder, prepared].map((path) =>
    readFileSync(join(path, 'PG_VERSION'), 'utf8').trim(),
  );
  if (has !== needs) {
    throw new Error(
      `${folder} was made by PostgreSQL ${has}, but this version of the service has PostgreSQL ${needs}: ` +
        'move the data with the version that made them, by pg_dump and a PostgreSQL server',
    );
  }
  return folder;
}

/** Errors of a full disk tell the operator what to do. Others are returned unchanged. */
const describe = (error: NodeJS.ErrnoException, folder: string): Error =>
  error.code === 'ENOSPC' || error.code === 'EDQUOT'
    ? new Error(
        `There is no space left for the embedded database in ${folder}, which begins with 50 MB. ` +
          'Free some, or set CARTULARY_DATA to a folder on another disk',
        { cause: error },
      )
    : error;

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
}

/** Makes the copies writable by their user alone, whatever the modes of the originals are, and flushes them to the disk. */
async function finishTree(folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      await chmod(path, entry.isDirectory() ? 0o700 : 0o600);
      await sync(path);
    }),
  );
  await chmod(folder, 0o700);
  await sync(folder);
}
