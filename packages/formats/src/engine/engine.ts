import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '@cartulary/errors';
import { createSemaphore, lowerPriority, type Semaphore } from '@cartulary/runtime';
import { watchEndless } from './endless.js';
import {
  type EngineOrder,
  frameHead,
  pipe,
  type Report,
  type SheetOrder,
  type StreamOrder,
} from './orders.js';

export interface EngineLimits {
  /** Number of concurrent processes; further jobs wait. */
  processes: number;
  /** Maximum number of waiting jobs. */
  waiting?: number;
  /** Maximum duration of one job, ms. */
  time: number;
  /** Memory limit of GDAL, MiB. */
  memory: number;
  /** Processor time that a job may use in addition to the time that its size allows, ms. */
  stall: number;
  /** Maximum ratio of the size of a job's output to that of its files, for large outputs. */
  ratio: number;
  /** A folder with grid files of PROJ, by which images are shifted from their datums; empty or absent: there is none. */
  grids?: string | undefined;
}

/** The program of a job's process: GDAL, or the spreadsheet reader. */
export type Program = 'gdal' | 'sheets';

/** A running program in its own process, for one job. */
export interface EngineJob {
  /** Sends an order. Throws `import_failed` if the process ended, `timeout` if it took too long. */
  ask(order: EngineOrder | SheetOrder): Promise<Report>;
  /** Streams a layer or sheet: yields the bytes, and returns the report. */
  dump(order: StreamOrder): AsyncGenerator<Buffer, Report>;
  /** Ends the process immediately. */
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

/** Starts a process per job and keeps none between jobs, so that a fault caused by a file ends with its process. */
export function createEngine(limits: EngineLimits): Engine {
  const { processes, waiting = Number.POSITIVE_INFINITY } = limits;
  const engineOf = (semaphore: Semaphore): Engine => ({
    start: (folder, signal, { program = 'gdal', inMemory } = {}) =>
      new Promise((resolve, reject) => {
        const work = async (): Promise<void> => {
          const size = await sizeOf(folder);
          const child = launch(program, folder, limits);
          lowerPriority(child.pid);
          const exited = once(child, 'exit');
          resolve(jobOf(child, { limits, signal, size, inMemory, broken: broken[program] }));
          await exited;
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

const files: Readonly<Record<Program, string>> = {
  gdal: './engine-process.js',
  sheets: './sheet-process.js',
};

function launch(program: Program, folder: string, { memory, grids = '' }: EngineLimits): ChildProcess {
  const file = fileURLToPath(new URL(files[program], import.meta.url));
  return fork(file, [folder, String(memory), grids], {
    serialization: 'advanced',
    execArgv: ['--no-warnings', ...(program === 'sheets' ? [`--max-old-space-size=${memory}`] : [])],
    env: { PATH: process.env.PATH, MALLOC_ARENA_MAX: '2' },
    // The fourth descriptor carries messages, the fifth rows.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
}

/** The message for a process that ends unexpectedly. */
const broken: Readonly<Record<Program, string>> = {
  gdal: 'The file could not be processed: the conversion broke down',
  sheets: 'The spreadsheet needs more memory than an import may have, or is damaged: save it as csv',
};

const crashed = (message: string): ServiceError => new ServiceError('import_failed', message);

interface Starting {
  limits: EngineLimits;
  signal: AbortSignal;
  /** Bytes of its files. */
  size: number;
  inMemory: number | undefined;
  /** The message for a process that ends unexpectedly. */
  broken: string;
}

function jobOf(child: ChildProcess, { limits, signal, size, inMemory, broken }: Starting): EngineJob {
  const { time, stall, ratio } = limits;
  let why: unknown = crashed(broken);
  const endFor = (reason: unknown): void => {
    why = reason;
    child.kill('SIGKILL');
  };
  const late = (): void =>
    endFor(new ServiceError('timeout', `The conversion took longer than ${Math.round(time / 1000)} s`));
  const timer = setTimeout(late, time);
  // Also handles messages while no report is awaited.
  child.on('error', () => {});
  const left = (): void => endFor(signal.reason);
  signal.addEventListener('abort', left, { once: true });
  const work = { stallMs: stall, bytes: inMemory ?? size, isSteady: inMemory === undefined };
  const unwatch = watchEndless(child.pid, work, endFor);
  child.once('exit', () => {
    clearTimeout(timer);
    unwatch();
    signal.removeEventListener('abort', left);
  });
  if (signal.aborted) left();

  const nextReport = (): Promise<Report> =>
    new Promise((resolve, reject) => {
      const settle = (): void => void child.off('message', came).off('exit', ended).off('error', ended);
      const came = (report: unknown): void => {
        settle();
        resolve(report as Report);
      };
      const ended = (): void => {
        settle();
        reject(why);
      };
      if (child.exitCode !== null || child.signalCode !== null) reject(why);
      else child.on('message', came).on('exit', ended).on('error', ended);
    });
  const ready = nextReport();
  ready.catch(() => {}); // an error is reported with the first order
  const ask = async (order: EngineOrder | SheetOrder): Promise<Report> => {
    await ready;
    const report = nextReport();
    child.send(order, () => {});
    return report;
  };
  const rows = counted(child.stdio[pipe] as unknown as Readable, { size, ratio });
  return {
    ask,
    dump: (order) => dumped(rows, () => ask(order), broken),
    end: () => endFor(crashed(broken)),
  };
}

/** Reads the pipe of a job, all dumps in sequence. Throws `import_failed` if the output is too large. */
async function* counted(
  rows: Readable,
  { size, ratio }: { size: number; ratio: number },
): AsyncGenerator<Buffer, undefined> {
  const most = Math.max(harmless, ratio * size);
  let come = 0;
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    come += chunk.length;
    if (come > most) throw swollen({ size, ratio, most });
    yield chunk;
  }
}

const swollen = ({ size, ratio, most }: { size: number; ratio: number; most: number }): ServiceError =>
  new ServiceError(
    'import_failed',
    `The conversion was ended: the file makes more than ${Math.round(most / 1024 ** 2)} MiB out of ${Math.ceil(size / 1024)} KiB, ${ratio} times its size or more, such as by a view that repeats its rows or by blocks that are inserted many times`,
    { limit: 'CARTULARY_CONVERTER_RATIO', ratio },
  );

/** The contents of the frames of one dump. */
async function* dumped(
  chunks: AsyncIterator<Buffer>,
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
