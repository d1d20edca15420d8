import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Extension, PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';
import { exceptionsAsErrors } from './embedded-exceptions.js';
import type { InterruptibleOptions } from './embedded-interrupts.js';
import { damageSigns } from './embedded-signs.js';

/** Name of the trimmed PostGIS inside a folder of `embedded-archive.ts`. */
export const postgisArchive = 'postgis.tar.gz';

/**
 * PGlite's own start parameters but for `-F` (which would leave out fsync), with `wal_sync_method=fsync` (the other
 * ways are not wired up in it), and a quarter of the usual shared buffers, which are taken from memory at the start.
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

export interface EngineWays {
  interrupts: InterruptibleOptions;
  /** Told of signs of damage. */
  damaged(line: string): void;
}

/**
 * Opens PGlite on a folder of the real file system, with PostGIS and the extensions that the migrations ask for. With `ways`
 * its statements can be cancelled, and what is wrong is told; the folder must be there already.
 */
export function openPglite(
  databaseFolder: string,
  extensionFolder: string,
  ways?: EngineWays,
): Promise<PGlite> {
  return PGlite.create({
    ...ways?.interrupts.options,
    dataDir: databaseFolder,
    extensions: {
      postgis: postgis(extensionFolder),
      durable,
      exceptionsAsErrors,
      pg_trgm,
      unaccent,
      btree_gist,
      ...(ways && { interruptible: ways.interrupts.extension, damageSigns: damageSigns(ways.damaged) }),
    },
    startParams,
    initDbStartParams: ['--wal-segsize=4'],
  });
}

const postgis = (folder: string): Extension => ({
  name: 'postgis',
  setup: async (_pg, emscriptenOpts) => {
    emscriptenOpts.PGLITE_ENV.PROJ_DATA = '/pglite/share/proj';
    return { emscriptenOpts, bundlePath: pathToFileURL(join(folder, postgisArchive)) };
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

/** Wires fsync through to the real files; without it what was committed can be lost, and worse, when the power fails. */
const durable: Extension = {
  name: 'durable',
  setup: async (_pg, emscriptenOpts) => {
    emscriptenOpts.preRun.push((module: { FS: { filesystems: { NODEFS: NodeFileSystem } } }) => {
      const files = module.FS.filesystems.NODEFS;
      files.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fsyncSync(stream.nfd);
        else syncFolder(files.realPath(stream.node));
        return 0;
      };
    });
    return { emscriptenOpts };
  },
};

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
