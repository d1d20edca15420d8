import { fork } from 'node:child_process';
import { type Encryption, parseDatabaseUrl } from '@cartulary/database';
import {
  type FromRenderer,
  type GlyphRange,
  type RenderJob,
  type ToRenderer,
  workerFile,
} from '@cartulary/renderer';
import { type Log, setPriorityOf } from '@cartulary/runtime';
import type { Config } from '../../config.js';

/** A renderer process. */
export interface RendererProcess {
  readonly pid: number | undefined;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Returns the number under which the job is answered. Jobs are drawn one after the other. */
  send(job: RenderJob | GlyphRange): number;
  /** Takes back a job that was sent and is not begun. */
  withdraw(id: number): void;
  kill(): void;
}

interface Listeners {
  onMessage(message: FromRenderer): void;
  /** Called once, with the signal or status of the end, or the reason of a failed start. */
  onExit(how: string): void;
}

interface Parts {
  config: Config;
  log: Log;
  /** Font files to register, beyond Mapnik's own. */
  fonts: readonly string[];
}

/** Starts a renderer process. Its stderr goes to the log. */
export function startRenderer(
  { config, log, fonts }: Parts,
  { onMessage, onExit }: Listeners,
): RendererProcess {
  const child = fork(workerFile, [...fonts], {
    serialization: 'advanced',
    env: environment(config),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  setPriorityOf(child.pid, 'drawing');
  let lastId = 0;
  // What cannot be sent fails when the process ends.
  const send = (message: ToRenderer): void => void child.send(message, () => {});
  child.on('message', onMessage);
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => log.warn({ detail: text.trimEnd() }, 'a renderer process says'));
  const ended = new Promise<void>((resolve) => {
    const end = (how: string): void => {
      resolve();
      onExit(how);
    };
    child.once('exit', (code, signal) => end(signal ?? `status ${code}`));
    child.on('error', (error) => {
      log.error({ err: error }, 'a renderer process failed');
      if (child.pid === undefined) end(error.message);
    });
  });
  return {
    pid: child.pid,
    ended,
    send: (job) => {
      send({ id: ++lastId, job });
      return lastId;
    },
    withdraw: (id) => send({ withdrawn: id }),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Variables passed on to the renderers; none of them is secret. */
const passedOn = ['PATH', 'HOME', 'LANG', 'TZ', 'PGSSLCRL', 'PGPASSFILE'];

/** Settings of Mapnik's GDAL: no side files, and a memory limit in MiB. */
const images = {
  GDAL_PAM_ENABLED: 'NO',
  GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
  GDAL_CACHEMAX: '64',
};

/**
 * The environment of a renderer. The PostgreSQL library reads settings here that Mapnik cannot make: a timeout for
 * statements of a killed renderer, no just-in-time compilation, and encryption of the connection.
 */
export function environment({ databaseUrl, renderTimeoutMs }: Config): NodeJS.ProcessEnv {
  const own = Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const ssl = databaseUrl ? parseDatabaseUrl(databaseUrl).ssl : undefined;
  return {
    ...own,
    ...images,
    PGAPPNAME: 'cartulary-renderer',
    PGOPTIONS: `-c statement_timeout=${renderTimeoutMs} -c jit=off -c max_parallel_workers_per_gather=0 -c TimeZone=UTC`,
    ...(ssl ? encryption(ssl) : {}),
    // One thread per process, and freed memory goes back to the system.
    UV_THREADPOOL_SIZE: '1',
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
  };
}

const encryption = ({ mode, rootFile, certificateFile, keyFile }: Encryption): NodeJS.ProcessEnv => ({
  PGSSLMODE: mode,
  ...(rootFile ? { PGSSLROOTCERT: rootFile } : {}),
  ...(certificateFile ? { PGSSLCERT: certificateFile } : {}),
  ...(keyFile ? { PGSSLKEY: keyFile } : {}),
});
