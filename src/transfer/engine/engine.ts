import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../../errors.js';
import { createTurns, type Turns } from '../../http/turns.js';
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

export interface Engine {
  /** Waits for a turn, then starts a program over a folder, the only one that it is told of: GDAL when not said otherwise. */
  start(folder: string, signal: AbortSignal, program?: Program): Promise<EngineJob>;
  /** The same, in the turns of an owner. */
  for(owner: string): Engine;
}

/** Starts a process per job, and none while there are no jobs: what a file does to it ends with it. */
export function createEngine({
  processes,
  waiting = Number.POSITIVE_INFINITY,
  time,
  memory,
}: EngineLimits): Engine {
  const engineOf = (turns: Turns): Engine => ({
    start: (folder, signal, program = 'gdal') =>
      new Promise((resolve, reject) => {
        const work = async (): Promise<void> => {
          const child = launch(program, folder, memory);
          const exited = once(child, 'exit');
          const job = jobOf(child, { time, signal, broken: broken[program] });
          resolve(job);
          await exited;
        };
        turns(work, signal).catch(reject);
      }),
    for: (owner) => engineOf(turns.for(owner)),
  });
  return engineOf(createTurns(processes, { waiting }));
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

function jobOf(
  child: ChildProcess,
  { time, signal, broken }: { time: number; signal: AbortSignal; broken: string },
): EngineJob {
  let why: unknown = crashed(broken);
  const endFor = (reason: unknown): void => {
    why = reason;
    child.kill('SIGKILL');
  };
  const late = (): void =>
    endFor(new ServiceError('timeout', `The conversion took longer than ${Math.round(time / 1000)} s`));
  const timer = setTimeout(late, time);
  const left = (): void => endFor(signal.reason);
  signal.addEventListener('abort', left, { once: true });
  child.once('exit', () => {
    clearTimeout(timer);
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
  return {
    ask,
    dump: (order) => dumped(child.stdio[pipe] as unknown as Readable, () => ask(order), broken),
    end: () => endFor(crashed(broken)),
  };
}

/** The contents of the frames of one dump. */
async function* dumped(
  rows: Readable,
  ask: () => Promise<Report>,
  broken: string,
): AsyncGenerator<Buffer, Report> {
  const report = ask();
  report.catch(() => {}); // met at the end
  let rest: Buffer = Buffer.alloc(0);
  const chunks: AsyncIterator<Buffer> = rows.iterator({ destroyOnReturn: false });
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
