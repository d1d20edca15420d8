import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packageFolder } from './paths.js';

/**
 * What the embedded database needs beside its packages, made from them once: PostGIS trimmed to what we use (as it
 * comes it takes 860 MB of memory), and a database folder in which the extensions are there already (making them
 * takes seconds of a first start).
 */
export interface EmbeddedArchive {
  /** Holds the trimmed PostGIS. */
  extensionFolder: string;
  /** A database folder to copy. */
  preparedFolder: string;
}

/** `dist/embedded` of this package. */
const defaultFolder = join(packageFolder, 'dist/embedded');

/** ms; it takes seconds. */
const longestMaking = 600_000;

const run = promisify(execFile);
/** Makes it in a process of its own: the memory that this takes is given back only at the end. */
const makerFile = fileURLToPath(new URL('./embedded-maker.js', import.meta.url));

/** Raised when what is made changes while the packages do not. */
const recipe = 1;

const require = createRequire(import.meta.url);
const packageFile = (name: string): string => join(dirname(require.resolve(name)), '..', 'package.json');
const versionOf = (name: string): string => JSON.parse(readFileSync(packageFile(name), 'utf8')).version;

/** Makes the archive unless it is there for these versions of the packages. Several processes may do so at once. */
export async function makeEmbeddedArchive(folder: string = defaultFolder): Promise<EmbeddedArchive> {
  const version = ['@electric-sql/pglite', '@electric-sql/pglite-postgis'].map(versionOf).join('-');
  const place = join(folder, `${version}-${recipe}`);
  if (!existsSync(place)) {
    const temporary = join(folder, `new-${randomBytes(4).toString('hex')}`);
    try {
      await run(process.execPath, [makerFile, temporary]);
      putInPlace(temporary, place);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
    removeOthers(folder, place);
  }
  return { extensionFolder: place, preparedFolder: join(place, 'prepared') };
}

/** Removes the archives of other versions, and what was never finished. */
function removeOthers(folder: string, place: string): void {
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    const age = Date.now() - (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (other === place || (name.startsWith('new-') && age < longestMaking)) continue;
    rmSync(other, { recursive: true, force: true });
  }
}

function putInPlace(temporary: string, place: string): void {
  try {
    renameSync(temporary, place);
  } catch (error) {
    // Another process was faster: its archive is as good.
    if (!existsSync(place)) throw error;
  }
}
