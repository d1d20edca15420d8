import { type ChildProcess, fork } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setPriorityOf } from '@cartulary/runtime';
import { type Culprits, statementPattern } from './culprits.js';
import type { EmbeddedOrder, EngineReport, OpenOrder } from './engine.js';

export interface EmbeddedLog {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

/** Receivers of the reports of a process. */
export interface ProcessEvents {
  log: EmbeddedLog;
  culprits: Culprits;
  /** Whether a cancelled statement still runs. */
  onLate(isLate: boolean): void;
  /** Whether the process is to be replaced because of its memory. */
  onLarge(isLarge: boolean): void;
}

/** Longest time for an orderly end of the process, ms. */
const stopTimeoutMs = 20_000;

const processFile = fileURLToPath(new URL('./embedded-process.js', import.meta.url));

/** A process of the embedded database. It prepares itself while another one uses the folder, until `open`. */
export class EngineProcess {
  readonly child: ChildProcess;
  readonly #events: ProcessEvents;
  readonly #ready: Promise<void>;
  #isReady = false;

  constructor(order: EmbeddedOrder, events: ProcessEvents) {
    this.#events = events;
    const child = fork(processFile, [], {
      cwd: dirname(order.databaseFolder),
      execArgv: [],
      // Without the last two the C library keeps more than 100 MB of freed memory.
      env: { PATH: process.env.PATH, MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child = child;
    setPriorityOf(child.pid, 'database');
    child.stderr?.setEncoding('utf8').on('data', (text: string) => events.log.warn(text.trimEnd()));
    this.#ready = new Promise<void>((resolve, reject) => {
      child.on('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`its process ended (${signal ?? code})`)));
      child.on('message', (report: EngineReport) => this.#take(report, resolve, reject));
    });
    this.#ready.catch(() => {});
    child.send(order);
  }

  /** Opens the database. Resolves when it is ready; rejects when the process ends before. */
  async open(order: OpenOrder): Promise<void> {
    this.child.send(order);
    await this.#ready;
    this.#isReady = true;
  }

  /** Ends the process as soon as nobody uses it. */
  renew(): void {
    if (this.child.connected) this.child.send('renew');
  }

  /** Ends the process in order: the running statement ends, and all files are written. */
  async stop(): Promise<void> {
    const { child } = this;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.connected) child.send('stop');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await ended;
    clearTimeout(timer);
  }

  #take(report: EngineReport, resolve: () => void, reject: (error: Error) => void): void {
    const { log, culprits, onLate, onLarge } = this.#events;
    if ('ready' in report) resolve();
    else if ('late' in report) onLate(report.late);
    else if ('large' in report) onLarge(report.large);
    else if ('warning' in report) log.warn(`embedded database: ${report.warning}`);
    else if (report.culprit) {
      culprits.note(report.culprit);
      log.error(`embedded database: ${report.failed}; it was running: ${statementPattern(report.culprit)}`);
    } else if (this.#isReady) log.error(`embedded database: ${report.failed}`);
    else reject(new Error(report.failed));
  }
}
