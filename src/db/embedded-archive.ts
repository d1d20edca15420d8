import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openPglite, postgisArchive } from './embedded-open.js';
import { packageFolder } from './paths.js';
import { readTar, type TarFile, writeTar } from './tar.js';

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

export const embeddedExtensions = ['postgis', 'pg_trgm', 'unaccent', 'btree_gist'];

/** `dist/embedded` of this package. */
const defaultFolder = join(packageFolder, 'dist/embedded');

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
      await make(temporary);
      putInPlace(temporary, place);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
    for (const other of readdirSync(folder)) {
      if (!other.startsWith('new-') && join(folder, other) !== place) {
        rmSync(join(folder, other), { recursive: true, force: true });
      }
    }
  }
  return { extensionFolder: place, preparedFolder: join(place, 'prepared') };
}

function putInPlace(temporary: string, place: string): void {
  try {
    renameSync(temporary, place);
  } catch (error) {
    // Another process was faster: its archive is as good.
    if (!existsSync(place)) throw error;
  }
}

async function make(folder: string): Promise<void> {
  const full = join(folder, 'full');
  await mkdir(full, { recursive: true });
  const packed = await readFile(
    join(dirname(require.resolve('@electric-sql/pglite-postgis')), 'postgis.tar.gz'),
  );
  const files = [...readTar(gunzipSync(packed))];
  await writeFile(join(full, postgisArchive), pack(files, [...atRunTime, ...atCreation]));
  const pg = await openPglite(join(folder, 'prepared'), full);
  await pg.exec(embeddedExtensions.map((name) => `create extension ${name};`).join(' '));
  await pg.exec('vacuum (freeze, analyze)');
  await pg.close();
  rmSync(full, { recursive: true });
  writeFileSync(join(folder, postgisArchive), pack(files, atRunTime));
}

/** The library and the table of projections; raster and topology modules, geocoder and upgrade scripts are not for us. */
const atRunTime = [/^lib\/postgresql\/postgis-3\.so$/, /^share\/proj\/proj\.db$/, /\/postgis\.control$/];
/** The script of CREATE EXTENSION, of no use once the prepared folder has it. */
const atCreation = [/\/postgis--\d[\d.]*\.sql$/];

function pack(files: TarFile[], patterns: RegExp[]): Buffer {
  const chosen = patterns.map((pattern) => files.filter(({ name }) => pattern.test(name)));
  if (chosen.some((found) => found.length !== 1)) {
    throw new Error('The PostGIS package of the embedded database is not laid out as expected');
  }
  return gzipSync(writeTar(chosen.flat()), { level: 1 });
}
