import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { setPriorityOf } from '@cartulary/runtime';
import { type BeginOrder, type EngineOrder, pipe, type Report, type SheetOrder } from './orders.js';
import { noUsage, type ProcessUsage, readUsage } from './usage.js';

/** The program of a job's process: GDAL, the spreadsheet reader, or the reader of Parquet. */
export type Program = 'gdal' | 'sheets' | 'parquet';

export type ProgramOrder = BeginOrder | EngineOrder | SheetOrder;

/** Reads what a process writes to its pipe, one chunk after the other. */
export interface ChunkReader {
  next(): Promise<IteratorResult<Buffer, undefined>>;
}

interface ProgramLimits {
  /** MiB. */
  memory: number;
  grids?: string | undefined;
}

const files: Readonly<Record<Program, string>> = {
  gdal: './engine-process.js',
  sheets: './sheet-process.js',
  parquet: './parquet/parquet-process.js',
};

/** Jobs of one process. */
const maxJobs = 50;

/** How long a process waits for another job, ms: from a preview to the import. It holds 200 MB. */
const idleMs = 10_000;

/** A process of a program. It carries out one job after the other. */
export class ProgramProcess {
  readonly program: Program;
  readonly chunks: ChunkReader;
  readonly exited: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #rows: Socket;
  #jobs = 0;

  constructor(program: Program, { memory, grids = '' }: ProgramLimits) {
    this.program = program;
    this.#child = fork(fileURLToPath(new URL(files[program], import.meta.url)), [String(memory), grids], {
      serialization: 'advanced',
      execArgv: ['--no-warnings', ...(program === 'gdal' ? [] : [`--max-old-space-size=${memory}`])],
      env: { PATH: process.env.PATH, MALLOC_ARENA_MAX: '2' },
      // The fourth descriptor carries messages, the fifth rows.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
    });
    setPriorityOf(this.#child.pid, 'conversion');
    // Also handles messages while no report is awaited.
    this.#child.on('error', () => {});
    this.exited = once(this.#child, 'exit');
    this.#rows = this.#child.stdio[pipe] as unknown as Socket;
    this.chunks = (this.#rows as Readable)[Symbol.asyncIterator]();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Whether it may carry out another job. A spreadsheet or a Parquet file is read into memory that all jobs of a process share. */
  get isReusable(): boolean {
    return this.program === 'gdal' && this.#jobs < maxJobs && !this.hasEnded && !this.#child.killed;
  }

  /** What it has used so far; nothing where that cannot be known. */
  async usage(): Promise<ProcessUsage> {
    const used = this.#jobs && this.pid !== undefined ? await readUsage(this.pid) : undefined;
    return used ?? noUsage;
  }

  /** Gives an order, and its report; undefined when the process ends before. One order at a time. */
  ask(order: ProgramOrder): Promise<Report | undefined> {
    if (order.kind === 'begin') this.#jobs++;
    return new Promise((resolve) => {
      const settle = (report: Report | undefined): void => {
        this.#child.off('message', came).off('exit', ended).off('error', ended);
        resolve(report);
      };
      const came = (report: unknown): void => settle(report as Report);
      const ended = (): void => settle(undefined);
      if (this.hasEnded) return resolve(undefined);
      this.#child.on('message', came).on('exit', ended).on('error', ended);
      this.#child.send(order, () => {});
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Whether this process waits for it before it ends. */
  hold(isHeld: boolean): void {
    const how = isHeld ? 'ref' : 'unref';
    this.#child[how]();
    this.#child.channel?.[how]();
    this.#rows[how]();
  }
}

/** Processes between two jobs. Each ends soon if there is none. */
export class IdlePrograms {
  readonly #most: number;
  readonly #idle = new Map<ProgramProcess, NodeJS.Timeout>();

  constructor(most: number) {
    this.#most = most;
  }

  take(program: Program): ProgramProcess | undefined {
    for (const [process, timer] of this.#idle) {
      if (process.program !== program) continue;
      clearTimeout(timer);
      this.#idle.delete(process);
      if (process.hasEnded) continue;
      process.hold(true);
      return process;
    }
    return undefined;
  }

  /** Keeps a process for another job, or ends it. */
  give(process: ProgramProcess): void {
    const end = (): void => {
      this.#idle.delete(process);
      process.kill();
    };
    if (!process.isReusable || this.#idle.size >= this.#most) end();
    else {
      process.hold(false);
      this.#idle.set(process, setTimeout(end, idleMs).unref());
    }
  }
}
