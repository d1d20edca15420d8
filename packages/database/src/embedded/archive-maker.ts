/** Program that makes the archive of `archive.ts` in the folder given as its argument. */
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { migrationScript, readMigrations } from '../migrations/migrate.js';
import { openPglite, postgisArchive } from './open.js';
import { readTar, type TarFile, writeTar } from './tar.js';
import { withInterruptsInLoops } from './wasm/loops.js';

const postgisLibrary = /^lib\/postgresql\/postgis-3\.so$/;
/** Files needed at run time: without the raster and topology modules, the geocoder and upgrade scripts. */
const runtimeFiles = [postgisLibrary, /^share\/proj\/proj\.db$/, /\/postgis\.control$/];
/** Script of CREATE EXTENSION: only the making of the prepared folder needs it. */
const creationFiles = [/\/postgis--\d[\d.]*\.sql$/];

const extensions = ['postgis', 'pg_trgm', 'unaccent', 'btree_gist'];

async function make(folder: string): Promise<void> {
  const full = join(folder, 'full');
  await mkdir(full, { recursive: true });
  const postgis = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite-postgis'));
  const files = [...readTar(gunzipSync(await readFile(join(postgis, 'postgis.tar.gz'))))].map(cancellable);
  await writeFile(join(full, postgisArchive), pack(files, [...runtimeFiles, ...creationFiles]));
  const pg = await openPglite(join(folder, 'prepared'), full);
  await pg.exec(extensions.map((name) => `create extension ${name};`).join(' '));
  await pg.exec(migrationScript(readMigrations()));
  await pg.exec('vacuum (freeze, analyze)');
  await pg.close();
  await rm(full, { recursive: true });
  await writeFile(join(folder, postgisArchive), pack(files, runtimeFiles));
  await letAllRead(folder);
}

/** Functions of GEOS (C++) and of PostGIS that compute with shapes. */
const geometryFunctions = /4geos|^(lw|ptarray|pta_|gbox|geography_|edge_|circ_|rect_|spheroid_|sphere_)/;

/** GEOS looks for a request to stop in few places, and this process serves everyone. */
function cancellable(file: TarFile): TarFile {
  if (!postgisLibrary.test(file.name)) return file;
  return { ...file, data: withInterruptsInLoops(file.data, (name) => geometryFunctions.test(name)) };
}

/** PostgreSQL makes files for its user alone. The service may run as another user than the build, and these files hold no secrets. */
async function letAllRead(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

function pack(files: TarFile[], patterns: RegExp[]): Buffer {
  const chosen = patterns.map((pattern) => files.filter(({ name }) => pattern.test(name)));
  if (chosen.some((found) => found.length !== 1)) {
    throw new Error('The PostGIS package of the embedded database is not laid out as expected');
  }
  return gzipSync(writeTar(chosen.flat()), { level: 1 });
}

await make(process.argv[2]!);
