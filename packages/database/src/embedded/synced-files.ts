import { fstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Margin between times of PostgreSQL, which are whole seconds, and of the file system, ms. */
const clockMarginMs = 5_000;

/** `pg_control_version` of PostgreSQL 18, and offsets of two fields of `pg_control` (`src/include/catalog/pg_control.h`), bytes. */
const knownVersion = 1800;
const versionOffset = 8;
const checkpointTimeOffset = 104;

/** Start of the last checkpoint of a database folder, ms since 1970; undefined for a layout of the file that is not known. */
export function lastCheckpoint(databaseFolder: string): number | undefined {
  const control = readFileSync(join(databaseFolder, 'global/pg_control'));
  if (control.length < checkpointTimeOffset + 8 || control.readUInt32LE(versionOffset) !== knownVersion)
    return undefined;
  return Number(control.readBigInt64LE(checkpointTimeOffset)) * 1_000;
}

/**
 * Returns a function that checks whether a file or folder, by descriptor or path, is unchanged since the last checkpoint, which has
 * written it to the disk. After a crash PostgreSQL syncs every file of the folder: 2,000 calls, each of a millisecond or more.
 */
export function syncedByCheckpoint(databaseFolder: string): (file: number | string) => boolean {
  const checkpoint = lastCheckpoint(databaseFolder);
  if (checkpoint === undefined) return () => false;
  return (file) => {
    const { mtimeMs, ctimeMs } = typeof file === 'number' ? fstatSync(file) : statSync(file);
    return Math.max(mtimeMs, ctimeMs) < checkpoint - clockMarginMs;
  };
}
