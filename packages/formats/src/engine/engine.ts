import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '@cartulary/errors';
import { createSemaphore, type Semaphore } from '@cartulary/runtime';
import { watchEndless } from './endless.js';
import { type EngineOrder, frameHead, type Report, type SheetOrder, type StreamOrder } from './orders.js';
import {
  type ChunkReader,
  IdlePrograms,
  type Program,
  type ProgramOrder,
  ProgramProcess,
} from './program-process.js';
import type { ProcessUsage } from './usage.js';

export interface EngineLimits {
  /** Number of concurrent processes; further jobs wait. */
  processes: number;
  /** Maximum number of waiting jobs. */
  waiting?: number;
  /** Maximum duration of one job, ms. */
  time: number;
  /** Memory limit of one job, MiB. */
  memory: number;
  /** Processor time that a job may use in addition to the time that its size allows, ms. */
  stall: number;
  /** Maximum ratio of the size of a job's output to that of its files, for large outputs. */
  ratio: number;
  /** A folder with grid files of PROJ, by which images are shifted from their datums; empty or absent: there is none. */
  grids?: string | undefined;
}

/** A running program in its own process, for one job. */
export interface EngineJob {
  /** Sends an order. Throws `import_failed` if the process ended, `timeout` if it took too long. */
  ask(order: EngineOrder | SheetOrder): Promise<Report>;
  /** Streams a layer or sheet: yields the bytes, and returns the report. */
  dump(order: StreamOrder): AsyncGenerator<Buffer, Report>;
  /** Ends the job, immediately. */
  end(): void;
}

/** Options of one job. */
export interface Task {
  /** Defaults to GDAL. */
  program?: Program;
  /** Bytes that it holds in memory: pixels, or the unpacked content of its file. Absent: it reads its files in pieces. */
  inMemory?: number;
}

export interface Engine {
  /** Waits in the queue, then starts a program that can access one folder only. */
  start(folder: string, signal: AbortSignal, task?: Task): Promise<EngineJob>;
  /** The same engine, whose jobs wait in the queue of an owner. */
  for(owner: string): Engine;
}

/** Smaller outputs are always accepted, however small the file is. */
const harmless = 64 * 1024 * 1024;

/**
 * Starts programs for jobs. A process serves one job at a time, and the next one with new memory only if the job before came to
 * its end: a fault caused by a file ends with its process.
 */
export function createEngine(limits: EngineLimits): Engine {
  const { processes, waiting = Number.POSITIVE_INFINITY } = limits;
  const idle = new IdlePrograms(processes);
  const engineOf = (semaphore: Semaphore): Engine => ({
    start: (folder, signal, { program = 'gdal', inMemory } = {}) =>
      new Promise((resolve, reject) => {
        const work = async (): Promise<void> => {
          const size = await sizeOf(folder);
          const process = idle.take(program) ?? new ProgramProcess(program, limits);
          const before = await process.usage();
          const job = new Job(process, { folder, limits, signal, size, inMemory, before });
          resolve(job);
          await job.over;
          idle.give(process);
        };
        semaphore(work, signal).catch(reject);
      }),
    for: (owner) => engineOf(semaphore.for(owner)),
  });
  return engineOf(createSemaphore(processes, { maxWaiting: waiting }));
}

/** Bytes of the files in a folder. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, one) => sum + one, 0);
}

/** The message for a process that ends unexpectedly. */
const broken: Readonly<Record<Program, string>> = {
  gdal: 'The file could not be processed: the conversion broke down',
  sheets: 'The spreadsheet needs more memory than an import may have, or is damaged: save it as csv',
  parquet:
    'The Parquet file needs more memory than an import may have, or is damaged: write it with smaller row groups',
};

const crashed = (message: string): ServiceError => new ServiceError('import_failed', message);

interface Starting {
  folder: string;
  limits: EngineLimits;
  signal: AbortSignal;
  /** Bytes of its files. */
  size: number;
  inMemory: number | undefined;
  /** What its process has used for jobs before. */
  before: ProcessUsage;
}

class Job implements EngineJob {
  /** Resolves when the process has ended, or is free for another job. */
  readonly over: Promise<void>;
  readonly #process: ProgramProcess;
  readonly #chunks: ChunkReader;
  readonly #ready: Promise<unknown>;
  #release!: () => void;
  /** Orders without a report, and dumps that are not read to their end. */
  #open = 0;
  #why: unknown;

  constructor(process: ProgramProcess, { folder, limits, signal, size, inMemory, before }: Starting) {
    const { time, stall, memory, ratio } = limits;
    this.#process = process;
    this.#why = crashed(broken[process.program]);
    this.#chunks = counted(process.chunks, { size, ratio });
    const late = (): void =>
      this.#endFor(
        new ServiceError('timeout', `The conversion took longer than ${Math.round(time / 1000)} s`),
      );
    const timer = setTimeout(late, time);
    const left = (): void => this.#endFor(signal.reason);
    signal.addEventListener('abort', left, { once: true });
    const isSteady = inMemory === undefined;
    const work = { stallMs: stall, bytes: inMemory ?? size, memory, isSteady, before };
    const unwatch = watchEndless(process.pid, work, (error) => this.#endFor(error));
    const free = new Promise<void>((resolve) => {
      this.#release = resolve;
    });
    this.over = Promise.race([free, process.exited]).then(() => {
      clearTimeout(timer);
      unwatch();
      signal.removeEventListener('abort', left);
    });
    this.#ready = this.#report({ kind: 'begin', folder });
    this.#ready.catch(() => {}); // an error is reported with the first order
    if (signal.aborted) left();
  }

  async ask(order: EngineOrder | SheetOrder): Promise<Report> {
    await this.#ready;
    return this.#report(order);
  }

  async *dump(order: StreamOrder): AsyncGenerator<Buffer, Report> {
    this.#open++;
    const report = yield* dumped(this.#chunks, () => this.ask(order), broken[this.#process.program]);
    this.#open--;
    return report;
  }

  end(): void {
    if (this.#open || !this.#process.isReusable) this.#endFor(crashed(broken[this.#process.program]));
    else this.#release();
  }

  async #report(order: ProgramOrder): Promise<Report> {
    this.#open++;
    const report = await this.#process.ask(order);
    if (!report) throw this.#why;
    this.#open--;
    return report;
  }

  #endFor(reason: unknown): void {
    this.#why = reason;
    this.#process.kill();
  }
}

/** Reads the pipe of a job, all dumps in sequence. Throws `import_failed` if the output is too large. */
function counted(chunks: ChunkReader, { size, ratio }: { size: number; ratio: number }): ChunkReader {
  const most = Math.max(harmless, ratio * size);
  let come = 0;
  return {
    async next() {
      const next = await chunks.next();
      come += next.value?.length ?? 0;
      if (come > most) throw swollen({ size, ratio, most });
      return next;
    },
  };
}

const swollen = ({ size, ratio, most }: { size: number; ratio: number; most: number }): ServiceError =>
  new ServiceError(
    'import_failed',
    `The conversion was ended: the file makes more than ${Math.round(most / 1024 ** 2)} MiB out of ${Math.ceil(size / 1024)} KiB, ${ratio} times its size or more, such as by a view that repeats its rows or by blocks that are inserted many times`,
    { limit: 'CARTULARY_CONVERTER_RATIO', ratio },
  );

/** The contents of the frames of one dump. */
async function* dumped(
  chunks: ChunkReader,
  ask: () => Promise<Report>,
  broken: string,
): AsyncGenerator<Buffer, Report> {
  const report = ask();
  report.catch(() => {}); // an error is reported at the end
  let rest: Buffer = Buffer.alloc(0);
  for (;;) {
    while (rest.length >= frameHead) {
      const length = rest.readUInt32BE();
      if (!length) return await report;
      if (rest.length < frameHead + length) break;
      yield rest.subarray(frameHead, frameHead + length);
      rest = rest.subarray(frameHead + length);
    }
    const next = await chunks.next();
    if (next.done) {
      await report;
      throw crashed(broken);
    }
    rest = rest.length ? Buffer.concat([rest, next.value]) : next.value;
  }
}
