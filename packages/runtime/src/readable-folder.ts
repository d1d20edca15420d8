import { readdirSync } from 'node:fs';

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is a file, not a folder',
  EACCES: 'the user who runs the service may not read it',
};

/** The names in the folder of a setting; '' is no folder. Throws an Error with a sentence for the operator. */
export function readFolder(setting: string, folder: string): string[] {
  try {
    return folder ? readdirSync(folder) : [];
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`${setting}=${folder}: ${causes[code] ?? message}`, { cause: error });
  }
}
