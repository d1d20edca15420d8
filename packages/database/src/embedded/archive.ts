import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readMigrations } from '../migrations/migrate.js';

/**
 * Files that the embedded database needs, made once from its packages: PostGIS without unused parts (the whole of it takes 860 MB of
 * memory) and with functions that can be cancelled, and a database folder in which the extensions and the service's tables exist (creating them takes seconds).
 */
export interface EmbeddedArchive {
  /** Contains the trimmed PostGIS. */
  extensionFolder: string;
  /** A database folder to copy. */
  preparedFolder: string;
}

/** `dist/embedded` of this package. */
const defaultFolder = fileURLToPath(new URL('../../embedded', import.meta.url));

/** Age after which unfinished files count as abandoned, ms: making them takes seconds. */
const abandonedAfterMs = 600_000;

const run = promisify(execFile);
/** Runs in a process, which returns its memory only at its end. */
const makerFile = fileURLToPath(new URL('./archive-maker.js', import.meta.url));

/** Raised when the content changes while the packages do not. */
const recipeVersion = 3;

const require = createRequire(import.meta.url);
const packageFile = (name: string): string => join(dirname(require.resolve(name)), '..', 'package.json');
const versionOf = (name: string): string => JSON.parse(readFileSync(packageFile(name), 'utf8')).version;

/** Makes the archive unless it exists for these versions of the packages. Several processes may do so at the same time. */
export async function makeEmbeddedArchive(folder: string = defaultFolder): Promise<EmbeddedArchive> {
  const packages = ['@electric-sql/pglite', '@electric-sql/pglite-postgis'].map(versionOf).join('-');
  const archive = join(folder, `${packages}-${recipeVersion}-${migrationsHash()}`);
  if (!existsSync(archive)) {
    const temporary = join(folder, `new-${randomBytes(4).toString('hex')}`);
    try {
      await run(process.execPath, [makerFile, temporary]);
      publish(temporary, archive);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
    removeOthers(folder, archive);
  }
  return { extensionFolder: archive, preparedFolder: join(archive, 'prepared') };
}

/** Short hash of the migrations, hexadecimal. */
function migrationsHash(): string {
  const hashes = readMigrations().map(({ sha }) => sha);
  return createHash('sha256').update(hashes.join()).digest('hex').slice(0, 12);
}

/** Removes archives of other versions, and abandoned ones. */
function removeOthers(folder: string, current: string): void {
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    const ageMs = Date.now() - (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (other === current || (name.startsWith('new-') && ageMs < abandonedAfterMs)) continue;
    rmSync(other, { recursive: true, force: true });
  }
}

function publish(temporary: string, archive: string): void {
  try {
    renameSync(temporary, archive);
  } catch (error) {
    // Another process was faster: its archive is the same.
    if (!existsSync(archive)) throw error;
  }
}
