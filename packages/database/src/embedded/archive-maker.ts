/** Makes the archive of `embedded-archive.ts` in the folder that is its argument. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openPglite, postgisArchive } from './embedded-open.js';
import { readTar, type TarFile, writeTar } from './tar.js';

/** The library and the table of projections; raster and topology modules, geocoder and upgrade scripts are not for us. */
const atRunTime = [/^lib\/postgresql\/postgis-3\.so$/, /^share\/proj\/proj\.db$/, /\/postgis\.control$/];
/** The script of CREATE EXTENSION, of no use once the prepared folder has it. */
const atCreation = [/\/postgis--\d[\d.]*\.sql$/];

const extensions = ['postgis', 'pg_trgm', 'unaccent', 'btree_gist'];

async function make(folder: string): Promise<void> {
  const full = join(folder, 'full');
  await mkdir(full, { recursive: true });
  const postgis = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite-postgis'));
  const files = [...readTar(gunzipSync(await readFile(join(postgis, 'postgis.tar.gz'))))];
  await writeFile(join(full, postgisArchive), pack(files, [...atRunTime, ...atCreation]));
  const pg = await openPglite(join(folder, 'prepared'), full);
  await pg.exec(extensions.map((name) => `create extension ${name};`).join(' '));
  await pg.exec('vacuum (freeze, analyze)');
  await pg.close();
  await rm(full, { recursive: true });
  await writeFile(join(folder, postgisArchive), pack(files, atRunTime));
}

function pack(files: TarFile[], patterns: RegExp[]): Buffer {
  const chosen = patterns.map((pattern) => files.filter(({ name }) => pattern.test(name)));
  if (chosen.some((found) => found.length !== 1)) {
    throw new Error('The PostGIS package of the embedded database is not laid out as expected');
  }
  return gzipSync(writeTar(chosen.flat()), { level: 1 });
}

await make(process.argv[2]!);
