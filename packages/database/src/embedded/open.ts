import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Extension, PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';
import { damageSigns } from './damage-signs.js';
import { exceptionsAsErrors } from './exceptions.js';
import type { InterruptibleOptions } from './interrupts.js';
import { syncedByCheckpoint } from './synced-files.js';
import { writeTar } from './tar.js';

/** Name of the trimmed PostGIS in a folder made by `archive.ts`. */
export const postgisArchive = 'postgis.tar.gz';

/**
 * Start parameters of PGlite, without `-F` (it turns fsync off), with `wal_sync_method=fsync` (PGlite implements no other), and with a
 * quarter of the usual shared buffers, since they are allocated at the start.
 */
const startParams = ['--single', '-O', '-j'].concat(
  [
    'search_path=public',
    'exit_on_error=false',
    'log_checkpoints=false',
    'max_worker_processes=0',
    'max_parallel_workers=0',
    'max_parallel_workers_per_gather=0',
    'max_parallel_maintenance_workers=0',
    'io_method=sync',
    'wal_sync_method=fsync',
    'shared_buffers=32MB',
  ].flatMap((setting) => ['-c', setting]),
);

export interface EngineHooks {
  interrupts: InterruptibleOptions;
  /** Receives lines of the log that show damage. */
  onDamage(line: string): void;
  /** Resolves when the folder may be opened. All else is prepared before, which takes most of a start. */
  mayOpen: Promise<unknown>;
}

/**
 * Opens PGlite on a folder of the real file system, with PostGIS and the extensions that the migrations need. With `hooks` its
 * statements can be cancelled and damage is reported; the folder must exist then.
 */
export async function openPglite(
  databaseFolder: string,
  extensionFolder: string,
  hooks?: EngineHooks,
): Promise<PGlite> {
  let isSynced: (file: number | string) => boolean = () => false;
  const { durable, started } = durability((file) => isSynced(file));
  const opening = hooks?.mayOpen.then(() => {
    isSynced = syncedByCheckpoint(databaseFolder);
  });
  const pg = await PGlite.create({
    ...hooks?.interrupts.options,
    dataDir: databaseFolder,
    extensions: {
      postgis: postgis(extensionFolder),
      durable,
      exceptionsAsErrors,
      pg_trgm,
      unaccent,
      btree_gist,
      ...(hooks && {
        interruptible: hooks.interrupts.extension,
        damageSigns: damageSigns(hooks.onDamage),
      }),
      ...(opening && { waiting: waiting(opening) }),
    },
    startParams,
    initDbStartParams: ['--wal-segsize=4'],
  });
  started();
  return pg;
}

const postgis = (folder: string): Extension => ({
  name: 'postgis',
  setup: async (_pg, emscriptenOpts) => {
    emscriptenOpts.PGLITE_ENV.PROJ_DATA = '/pglite/share/proj';
    return { emscriptenOpts, bundlePath: pathToFileURL(join(folder, postgisArchive)) };
  },
});

/**
 * An extension that delays the opening of the folder until `opening` is done. PGlite awaits the files of its extensions one after the
 * other; this last one consists of a file that PGlite ignores. If `opening` fails, the folder is never opened.
 */
const waiting = (opening: Promise<void>): Extension => ({
  name: 'waiting',
  setup: async (_pg, emscriptenOpts) => {
    const files = opening.then(
      () => new Blob([writeTar([{ name: '.none', data: Buffer.alloc(0) }])]),
      () => new Promise<Blob>(() => {}),
    );
    emscriptenOpts.preRun.push((module: { pg_extensions: Record<string, Promise<Blob>> }) => {
      module.pg_extensions.waiting = files;
    });
    return { emscriptenOpts };
  },
});

interface NodeStream {
  nfd?: number;
  node: unknown;
}

interface NodeFileSystem {
  stream_ops: { fsync?: (stream: NodeStream) => number };
  realPath(node: unknown): string;
}

/**
 * Passes fsync on to the real files: without it a power failure can lose commits and damage the database. Until `started` is called,
 * files for which `isSynced` is true are left out.
 */
function durability(isSynced: (file: number | string) => boolean): { durable: Extension; started(): void } {
  let isStarting = true;
  const needed = (file: number | string): boolean => !(isStarting && isSynced(file));
  const durable: Extension = {
    name: 'durable',
    setup: async (_pg, emscriptenOpts) => {
      emscriptenOpts.preRun.push((module: { FS: { filesystems: { NODEFS: NodeFileSystem } } }) => {
        const files = module.FS.filesystems.NODEFS;
        files.stream_ops.fsync = ({ nfd, node }) => {
          if (nfd === undefined) syncFolder(files.realPath(node), needed);
          else if (needed(nfd)) fsyncSync(nfd);
          return 0;
        };
      });
      return { emscriptenOpts };
    },
  };
  const started = (): void => {
    isStarting = false;
  };
  return { durable, started };
}

function syncFolder(path: string, needed: (path: string) => boolean): void {
  if (!needed(path)) return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
