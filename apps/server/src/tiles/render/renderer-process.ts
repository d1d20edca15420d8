import { fork } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.js';
import { parseDatabaseUrl } from '../db/pool.js';
import type { Log } from '../http/service.js';
import type { FromRenderer, RenderJob, ToRenderer } from './messages.js';

/** A renderer process as the pool sees it. */
export interface RendererProcess {
  readonly pid: number | undefined;
  /** Settles when the process is gone. */
  readonly ended: Promise<void>;
  send(job: RenderJob): void;
  kill(): void;
}

interface Listeners {
  onMessage(message: FromRenderer): void;
  /** Called once: the signal or status with which it ended, or why it did not start. */
  onExit(how: string): void;
}

const script = fileURLToPath(new URL('./renderer.js', import.meta.url));

interface Parts {
  config: Config;
  log: Log;
  /** Files of fonts beyond the renderer's own. */
  fonts: readonly string[];
}

/** How far renderers give way to all else, where processors are scarce: who waits for an answer feels it, a picture takes long anyway. */
const niceness = 5;

function giveWay(pid: number): void {
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // It has ended already, or runs as the system lets it.
  }
}

/** Starts a renderer process. What it writes to stderr goes to the log. */
export function startRenderer(
  { config, log, fonts }: Parts,
  { onMessage, onExit }: Listeners,
): RendererProcess {
  const child = fork(script, fonts, {
    serialization: 'advanced',
    env: environment(config),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  if (child.pid !== undefined) giveWay(child.pid);
  let lastId = 0;
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
    // A job that cannot be sent ends with the process.
    send: (job) => void child.send({ id: ++lastId, job } satisfies ToRenderer, () => {}),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Passed on to the renderers from our own environment; no secrets are. */
const passedOn = ['PATH', 'HOME', 'LANG', 'TZ', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY', 'PGSSLCRL'];

/** How Mapnik's GDAL reads an image: nothing that lies beside it, and with so many MiB of memory. */
const images = {
  GDAL_PAM_ENABLED: 'NO',
  GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
  GDAL_CACHEMAX: '64',
};

/**
 * The environment of a renderer. What Mapnik cannot say to the database, the PostgreSQL library reads from here: a query
 * whose renderer was ended for it must not run on, plans are not worth compiling, and the connection may have to be encrypted.
 */
export function environment({ databaseUrl, renderTimeout }: Config): NodeJS.ProcessEnv {
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
    PGOPTIONS: `-c statement_timeout=${renderTimeout} -c jit=off -c TimeZone=UTC`,
    ...(ssl ? { PGSSLMODE: ssl === true ? 'require' : 'verify-full' } : {}),
    // One job at a time; and what a large picture took is given back.
    UV_THREADPOOL_SIZE: '1',
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
  };
}
