import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../../errors.js';
import { createTurns, type Turns } from '../../http/turns.js';
import { watchEndless } from './endless.js';
import { frameHead, type Order, pipe, type Report, type SheetOrder, type StreamOrder } from './orders.js';

export interface EngineLimits {
  /** Processes at once; more jobs wait. */
  processes: number;
  /** Most jobs that wait. */
  waiting?: number;
  /** ms of one job. */
  time: number;
  /** MiB of the memory of GDAL. */
  memory: number;
  /** Processor time of a job beyond what its size explains, ms. */
  stall: number;
  /** How many times larger than its files what a job gives may be, where it is large at all. */
  ratio: number;
}

/** What works in the process of a job: GDAL, or the reader of spreadsheets. */
export type Program = 'gdal' | 'sheets';

/** A program at work for one job, in a process of its own. */
export interface EngineJob {
  /** Carries out an order. Throws `import_failed` when the process ended, `timeout` when it took too long. */
  ask(order: Order | SheetOrder): Promise<Report>;
  /** Dumps a layer or sheet: the bytes, then the report as the value that the generator returns. */
  dump(order: StreamOrder): AsyncGenerator<Buffer, Report>;
  /** Ends the process, whatever it does. */
  end(): void;
}

/** What is special in a job. */
export interface Task {
  /** GDAL when not said otherwise. */
  program?: Program;
  /** Bytes that it works on in memory: of pixels, or of what is packed in its file. Otherwise it works through its files. */
  inMemory?: number;
}

export interface Engine {
  /** Waits for a turn, then starts a program over a folder, the only one that it is told of. */
  start(folder: string, signal: AbortSignal, task?: Task): Promise<EngineJob>;
  /** The same, in the turns of an owner. */
  for(owner: string): Engine;
}

/** What is given below this size is not too much, however small the file is. */
const harmless = 64 * 1024 * 1024;

/** Starts a process per job, and none while there are no jobs: what a file does to it ends with it. */
export function createEngine(limits: EngineLimits): Engine {
  const { processes, waiting = Number.POSITIVE_INFINITY, memory } = limits;
  const engineOf = (turns: Turns): Engine => ({
    start: (folder, signal, { program = 'gdal', inMemory } = {}) =>
      new Promise((resolve, reject) => {
        const work = async (): Promise<void> => {
          const size = await sizeOf(folder);
          const child = launch(program, folder, memory);
          const exited = once(child, 'exit');
          resolve(jobOf(child, { limits, signal, size, inMemory, broken: broken[program] }));
          await exited;
        };
        turns(work, signal).catch(reject);
      }),
    for: (owner) => engineOf(turns.for(owner)),
  });
  return engineOf(createTurns(processes, { waiting }));
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

function launch(program: Program, folder: string, memory: number): ChildProcess {
  const file = fileURLToPath(new URL(files[program], import.meta.url));
  return fork(file, [folder, String(memory)], {
    serialization: 'advanced',
    execArgv: ['--no-warnings', ...(program === 'sheets' ? [`--max-old-space-size=${memory}`] : [])],
    env: { PATH: process.env.PATH, MALLOC_ARENA_MAX: '2' },
    // The fourth is for messages, the fifth for rows.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
}

/** What is said when the process of a program ends by itself. */
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
  /** What is said when it ends by itself. */
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
  // Also while no report is waited for.
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
  ready.catch(() => {}); // met with the first order
  const ask = async (order: Order | SheetOrder): Promise<Report> => {
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

/** What comes through the pipe of a job, of all its dumps together. Throws `import_failed` when it is too much. */
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
  report.catch(() => {}); // met at the end
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
