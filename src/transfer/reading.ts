import { Worker } from 'node:worker_threads';
import { type ErrorCode, type ErrorData, ServiceError } from '../errors.js';
import type { Coordinates } from './coordinates.js';
import type { ReaderOptions } from './geojson.js';
import type { Property } from './properties.js';
import type { RowRules, StagedRow } from './rows.js';

export type ReadingOptions = ReaderOptions & RowRules;

export type ReadingRequest =
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'end' }
  | { kind: 'coordinates'; xy: Float64Array };

export type ReadingAnswer =
  /** With the last rows come all properties of the file. */
  | { kind: 'rows'; rows: StagedRow[]; properties: Property[] | undefined }
  /** The coordinates of the features from number `first` on are wanted in WGS 84 before rows can be made of them. */
  | ({ kind: 'transform'; srs: string; first: number } & Coordinates)
  | { kind: 'error'; code: ErrorCode; message: string; data: ErrorData; status: number };

/** Coordinates that are wanted in WGS 84. */
export type Wanted = Extract<ReadingAnswer, { kind: 'transform' }>;

export type Batch = Extract<ReadingAnswer, { kind: 'rows' }>;

/** Bytes that are handed to the thread at once. */
const portion = 512 * 1024;

/**
 * Reads a file in a thread of its own: its rows in batches, while the next one is being read. `transform` gives the
 * coordinates in WGS 84. Throws what reading finds wrong.
 */
export async function* readRows(
  source: AsyncIterable<Buffer>,
  options: ReadingOptions,
  transform: (wanted: Wanted) => Promise<Float64Array>,
): AsyncGenerator<Batch> {
  const thread = startThread(options);
  const read = async (request: ReadingRequest): Promise<Batch> => {
    let answer = await thread.ask(request);
    if (answer.kind === 'transform') {
      answer = await thread.ask({ kind: 'coordinates', xy: await transform(answer) });
    }
    if (answer.kind === 'rows') return answer;
    if (answer.kind === 'error')
      throw new ServiceError(answer.code, answer.message, answer.data, answer.status);
    throw new Error('the reading thread asks twice');
  };
  try {
    let ahead: Promise<Batch> | undefined;
    for await (const bytes of portions(source)) {
      const batch = await ahead;
      ahead = read({ kind: 'bytes', bytes });
      ahead.catch(() => {}); // met when it is awaited
      if (batch?.rows.length) yield batch;
    }
    if (ahead) yield await ahead;
    yield await read({ kind: 'end' });
  } finally {
    await thread.stop();
  }
}

/** Small chunks joined, so that a message to the thread is worth its cost. */
async function* portions(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    kept.push(chunk);
    size += chunk.length;
    if (size < portion) continue;
    yield Buffer.concat(kept, size);
    kept = [];
    size = 0;
  }
  if (size) yield Buffer.concat(kept, size);
}

interface Thread {
  ask(request: ReadingRequest): Promise<ReadingAnswer>;
  stop(): Promise<unknown>;
}

/** Memory of the thread's objects, MiB: room for the largest feature, an end for what grows without bound. */
const memory = 2_048;

function startThread(options: ReadingOptions): Thread {
  const worker = new Worker(new URL('./reading-worker.js', import.meta.url), {
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  let settle: { resolve(answer: ReadingAnswer): void; reject(error: Error): void } | undefined;
  let failure: Error | undefined;
  worker.on('message', (answer: ReadingAnswer) => settle?.resolve(answer));
  worker.on('error', (error: NodeJS.ErrnoException) => {
    failure =
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ServiceError('too_large', 'A feature is too large to be read')
        : error;
    settle?.reject(failure);
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        settle = { resolve, reject };
        worker.postMessage(request);
      }),
    stop: () => worker.terminate(),
  };
}
