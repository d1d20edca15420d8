import { mkdirSync, statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServiceError } from '@cartulary/errors';

const causes: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file, not a folder',
  ENOTDIR: 'what should be a folder above it is a file',
  ENOENT: 'it cannot be made there',
  EACCES: 'the user who runs the service may not write there',
  EPERM: 'the user who runs the service may not write there',
  EROFS: 'it lies on a file system that is read-only',
  ENOSPC: 'there is no space left',
  ENAMETOOLONG: 'its name is too long',
};

/**
 * Makes a data folder that only the service's user can enter, unless it exists, and checks that it can be written. Gives whether it was
 * made. Throws an Error with a sentence for the operator.
 */
export async function makeWritable(folder: string): Promise<boolean> {
  try {
    const isNew = makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return isNew;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(
      `The data folder ${folder} cannot be used: ${causes[code] ?? message}. Set CARTULARY_DATA to a folder that it may write`,
      { cause: error },
    );
  }
}

/** Makes folder by folder: `recursive` of Node never ends where the system refuses a folder above it (/proc). */
function makeFolder(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return false;
  if (!found && dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    // Another process may have made it.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
    throw error;
  }
}

/** The error for the caller where the disk of the service is full. The cause is for the log. */
export class FullDisk extends ServiceError {
  constructor(cause: unknown) {
    super('busy', 'The disk of the service has no room for this');
    this.cause = cause;
  }
}

/** Converts an error of the system about a full disk, which is not the fault of a file or a request. Others are returned unchanged. */
export function ofFullDisk(error: unknown): unknown {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? new FullDisk(error) : error;
}
