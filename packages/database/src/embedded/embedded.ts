import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { socketFolder } from '../lock.js';
import type { ConnectionTarget } from '../target.js';
import { makeEmbeddedArchive } from './archive.js';
import { Culprits } from './culprits.js';
import { databaseFolderOf, makeDatabaseFolder } from './database-folder.js';
import type { EmbeddedOrder } from './engine.js';
import { type EmbeddedLog, EngineProcess } from './engine-process.js';

export interface EmbeddedOptions {
  /** Locked by `lockDataFolder`. */
  dataFolder: string;
  log: EmbeddedLog;
  /** Limit of a statement of a connection that sets no `statement_timeout`, such as Mapnik's, ms. */
  statementLimitMs?: number;
  /** Memory beyond which the process is replaced when nobody uses the database: it never shrinks. */
  memoryLimitMiB?: number;
}

export interface EmbeddedDatabase {
  readonly target: ConnectionTarget;
  /** Id of its process while it runs. */
  pid(): number | undefined;
  /** Adds a listener for each unexpected end of the process, which then restarts. */
  onExit(listener: (reason: string) => void): void;
  /** Ends it in order: the running statement ends, and all files are written. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded database of a data folder in a process, which restarts whenever it ends by itself. At the first start its folder
 * is made as a copy of a prepared one. Throws when it cannot start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const supervisor = new EmbeddedSupervisor(await orderOf(options), options.log);
  await supervisor.start();
  return supervisor;
}

/**
 * Starts the process of an existing database folder while the caller still loads its modules, or waits for the lock: the process opens
 * the folder when the result, which takes the place of `startEmbedded`, is called. Without a folder that call does all.
 */
export async function prepareEmbedded(options: EmbeddedOptions): Promise<typeof startEmbedded> {
  if (!existsSync(databaseFolderOf(options.dataFolder))) return startEmbedded;
  const order = await orderOf(options).catch(() => undefined);
  // The call tells what is wrong.
  if (!order) return startEmbedded;
  const supervisor = new EmbeddedSupervisor(order, options.log);
  supervisor.prepare();
  return async () => {
    await supervisor.start();
    return supervisor;
  };
}

async function orderOf({
  dataFolder,
  statementLimitMs = 60_000,
  memoryLimitMiB = 1_024,
}: EmbeddedOptions): Promise<EmbeddedOrder> {
  const archive = await makeEmbeddedArchive();
  return {
    databaseFolder: await makeDatabaseFolder(dataFolder, archive.preparedFolder),
    socketFolder: socketFolder(dataFolder),
    extensionFolder: archive.extensionFolder,
    statementLimitMs,
    memoryLimitBytes: memoryLimitMiB * 1024 * 1024,
  };
}

/** Time in which a process prepares itself, ms. */
const prepareMs = 3_000;

/** Keeps a process of the embedded database running. Its public methods are properties, so that callers may pass them on alone. */
class EmbeddedSupervisor implements EmbeddedDatabase {
  readonly target: ConnectionTarget;
  readonly #order: EmbeddedOrder;
  readonly #log: EmbeddedLog;
  readonly #culprits = new Culprits();
  readonly #listeners: ((reason: string) => void)[] = [];
  #isStopping = false;
  /** The process that is replaced because of its memory. */
  #renewing: EngineProcess | undefined;
  #running: EngineProcess | undefined;
  /** Prepared while a statement does not stop, for the case that its process must be ended, and for a replacement. */
  #standby: EngineProcess | undefined;
  #restarting: Promise<void> | undefined;

  constructor(order: EmbeddedOrder, log: EmbeddedLog) {
    this.#order = order;
    this.#log = log;
    this.target = targetIn(order.socketFolder);
  }

  async start(): Promise<void> {
    const next = this.#standby?.child.connected ? this.#standby : this.#newProcess();
    this.#standby = undefined;
    await next.open({ refused: this.#culprits.refused() });
    this.#running = next;
    next.child.once('exit', (code, signal) => this.#ended(signal ?? `status ${code}`));
  }

  /** Starts a process that the next start opens the folder with. */
  prepare(): void {
    this.#standby ??= this.#newProcess();
  }

  pid = (): number | undefined => this.#running?.child.pid;

  onExit = (listener: (reason: string) => void): void => void this.#listeners.push(listener);

  stop = async (): Promise<void> => {
    this.#isStopping = true;
    this.#dismissStandby();
    await this.#restarting;
    await this.#running?.stop();
  };

  #newProcess(): EngineProcess {
    return new EngineProcess(this.#order, {
      log: this.#log,
      culprits: this.#culprits,
      onLate: (isLate) => {
        if (isLate && !this.#isStopping) this.prepare();
        else this.#dismissStandby();
      },
      onLarge: (isLarge) => {
        this.#renewing = undefined;
        if (isLarge) this.#renew();
        else this.#dismissStandby();
      },
    });
  }

  /** Replaces the running process by one that is prepared first. */
  #renew(): void {
    if (this.#isStopping) return;
    this.prepare();
    const running = this.#running;
    setTimeout(() => {
      if (this.#isStopping) return;
      this.#renewing = running;
      running?.renew();
    }, prepareMs).unref();
  }

  #dismissStandby(): void {
    this.#standby?.child.kill('SIGKILL');
    this.#standby = undefined;
  }

  #ended(reason: string): void {
    const isRenewed = this.#running === this.#renewing;
    this.#running = undefined;
    this.#renewing = undefined;
    if (this.#isStopping) return;
    if (isRenewed) this.#log.info('the embedded database starts again, to give memory back');
    else {
      this.#log.error(`the embedded database ended (${reason}); starting it again`);
      for (const listener of this.#listeners) listener(reason);
    }
    this.#restarting = this.#restart();
  }

  async #restart(): Promise<void> {
    for (let delayMs = 100; !this.#isStopping && !this.#running; delayMs = Math.min(2 * delayMs, 10_000)) {
      try {
        await this.start();
        this.#log.info('the embedded database runs again');
      } catch (error) {
        this.#log.error(`the embedded database did not start: ${(error as Error).message}`);
        await sleep(delayMs);
      }
    }
  }
}

/** Address of the embedded database of a data folder that another process runs; undefined where none runs. */
export async function findRunningEmbedded(dataFolder: string): Promise<ConnectionTarget | undefined> {
  if (!existsSync(dataFolder)) return undefined;
  const target = targetIn(socketFolder(dataFolder));
  const isRunning = await new Promise<boolean>((resolve) => {
    const socket = connect(join(target.host, `.s.PGSQL.${target.port}`));
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
  return isRunning ? target : undefined;
}

const targetIn = (folder: string): ConnectionTarget => ({
  host: folder,
  port: 5432,
  user: 'postgres',
  database: 'postgres',
});
