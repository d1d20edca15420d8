import { readdirSync } from 'node:fs';

const causes: Readonly<Record<string, (kind: string) => string>> = {
  ENOENT: (kind) => `there is no such ${kind}`,
  ENOTDIR: () => 'it is a file, not a folder',
  EISDIR: () => 'it is a folder, not a file',
  EACCES: () => 'the user who runs the service may not read it',
};

/** Why the file or folder of a setting cannot be read, for the operator. */
export function accessProblem(error: unknown, kind: 'file' | 'folder'): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return causes[code]?.(kind) ?? message;
}

/** The names in the folder of a setting; '' is no folder. Throws an Error with a sentence for the operator. */
export function readFolder(setting: string, folder: string): string[] {
  try {
    return folder ? readdirSync(folder) : [];
  } catch (error) {
    throw new Error(`${setting}=${folder}: ${accessProblem(error, 'folder')}`, { cause: error });
  }
}
