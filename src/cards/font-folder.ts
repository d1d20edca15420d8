import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is a file, not a folder',
  EACCES: 'it may not be read',
};

/** Throws a sentence for the person who starts the service when the folder of further fonts cannot be read; '' is none. */
export function checkFontFolder(folder: string): void {
  try {
    if (folder) readdirSync(folder);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`CARTULARY_FONTS=${folder}: ${reasons[code] ?? message}`);
  }
}

/** The paths of the fonts in a folder, by name; none of '', and of a folder that went away while the service runs. */
export function fontFiles(folder: string): string[] {
  try {
    if (!folder) return [];
    const names = readdirSync(folder).filter((name) => /\.(ttf|otf|woff)$/i.test(name));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}
