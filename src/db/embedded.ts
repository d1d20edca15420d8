import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { chmod, cp, open } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Culprits, createCulprits, kindOf } from './culprits.js';
import { makeEmbeddedArchive } from './embedded-archive.js';
import type { EngineOrder, EngineReport } from './embedded-engine.js';
import { socketFolder } from './lock.js';
import type { ConnectionTarget } from './pool.js';

export interface EmbeddedOptions {
  /** Already taken by `lockDataFolder`. */
  dataFolder: string;
  log: { info(text: string): void; warn(text: string): void; error(text: string): void };
  /** ms for one statement of a connection that does not say `statement_timeout` itself, such as Mapnik's. */
  statementLimitMs?: number;
}

export interface EmbeddedDatabase {
  readonly target: ConnectionTarget;
  /** Id of its process while it runs. */
  pid(): number | undefined;
  /** Adds a listener that is told each time the process ended by itself; it is then started again. */
  onExit(listener: (reason: string) => void): void;
  /** Ends it in order: waits for the running statement, writes everything to its files. */
  stop(): Promise<void>;
}

type EnginePlace = Omit<EngineOrder, 'refused'>;

/** How long the process may take to end in order, ms. */
const patience = 20_000;

/**
 * Starts the embedded database of a data folder in a process of its own, and again whenever that ends by itself. At the
 * first start its folder is made by copying a prepared one. Throws when it cannot start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataFolder, log, statementLimitMs = 60_000 } = options;
  const archive = await makeEmbeddedArchive();
  const culprits = createCulprits();
  const place: EnginePlace = {
    databaseFolder: await databaseFolder(dataFolder, archive.preparedFolder),
    socketFolder: socketFolder(dataFolder),
    extensionFolder: archive.extensionFolder,
    statementLimit: statementLimitMs,
  };
  const listeners: ((reason: string) => void)[] = [];
  let isStopping = false;
  const start = (): Promise<ChildProcess> =>
    launch({ ...place, refused: culprits.refused() }, { log, culprits });
  let child: ChildProcess | undefined = await start();
  let restarting: Promise<void> | undefined;
  watch(child);

  function watch(running: ChildProcess): void {
    running.once('exit', (code, signal) => {
      child = undefined;
      if (isStopping) return;
      const reason = signal ?? `status ${code}`;
      log.error(`the embedded database ended (${reason}); starting it again`);
      for (const listener of listeners) listener(reason);
      restarting = restart();
    });
  }

  async function restart(): Promise<void> {
    for (let delay = 100; !isStopping && !child; delay = Math.min(2 * delay, 10_000)) {
      try {
        child = await start();
        watch(child);
        log.info('the embedded database runs again');
      } catch (error) {
        log.error(`the embedded database did not start: ${(error as Error).message}`);
        await sleep(delay);
      }
    }
  }

  return {
    target: targetIn(place.socketFolder),
    pid: () => child?.pid,
    onExit: (listener) => void listeners.push(listener),
    async stop() {
      isStopping = true;
      await restarting;
      if (child) await end(child);
    },
  };
}

/** The embedded database of a data folder that another process runs, if one does. */
export async function findRunningEmbedded(dataFolder: string): Promise<ConnectionTarget | undefined> {
  if (!existsSync(dataFolder)) return undefined;
  const target = targetIn(socketFolder(dataFolder));
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect(join(target.host, `.s.PGSQL.${target.port}`));
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
  return answers ? target : undefined;
}

const targetIn = (folder: string): ConnectionTarget => ({
  host: folder,
  port: 5432,
  user: 'postgres',
  database: 'postgres',
});

/** The folder of the database's files, `db` in the data folder. It gets this name when it is whole. */
async function databaseFolder(dataFolder: string, prepared: string): Promise<string> {
  const folder = join(dataFolder, 'db');
  for (const name of readdirSync(dataFolder)) {
    if (name.startsWith('db.new-')) rmSync(join(dataFolder, name), { recursive: true, force: true });
  }
  if (!existsSync(folder)) {
    const temporary = `${folder}.new-${randomBytes(4).toString('hex')}`;
    await cp(prepared, temporary, { recursive: true });
    await chmod(temporary, 0o700);
    await syncTree(temporary);
    renameSync(temporary, folder);
    await sync(dataFolder);
  }
  const [has, needs] = [folder, prepared].map((place) =>
    readFileSync(join(place, 'PG_VERSION'), 'utf8').trim(),
  );
  if (has !== needs) {
    throw new Error(
      `${folder} was made by PostgreSQL ${has}, but this version of the service has PostgreSQL ${needs}: ` +
        'move the data with the version that made them, by pg_dump and a PostgreSQL server',
    );
  }
  return folder;
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
}

async function syncTree(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  await Promise.all(files.map((file) => sync(join(folder, file))));
  await sync(folder);
}

const processFile = fileURLToPath(new URL('./embedded-process.js', import.meta.url));

/** A new process, ready. Throws when it ends before. */
async function launch(
  order: EngineOrder,
  { log, culprits }: Pick<EmbeddedOptions, 'log'> & { culprits: Culprits },
): Promise<ChildProcess> {
  const child = fork(processFile, [], {
    cwd: dirname(order.databaseFolder),
    execArgv: [],
    // Without these two the C library keeps more than 100 MB that were freed.
    env: { PATH: process.env.PATH, MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => log.warn(text.trimEnd()));
  let isReady = false;
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`its process ended (${signal ?? code})`)));
    child.on('message', (message: EngineReport) => {
      if ('ready' in message) resolve();
      else if ('warning' in message) log.warn(`embedded database: ${message.warning}`);
      else if (message.culprit) {
        culprits.note(message.culprit);
        log.error(`embedded database: ${message.failed}; it was running: ${kindOf(message.culprit)}`);
      } else if (isReady) log.error(`embedded database: ${message.failed}`);
      else reject(new Error(message.failed));
    });
    child.send(order);
  });
  isReady = true;
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.connected) child.send('stop');
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  await ended;
  clearTimeout(timer);
}
