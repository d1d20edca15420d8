import { Worker } from 'node:worker_threads';
import type { PackedRows } from '../db/copy-binary.js';
import { type ErrorCode, type ErrorData, ServiceError } from '../errors.js';
import type { Coordinates } from './coordinates.js';
import type { Field } from './engine/orders.js';
import type { Property } from './properties.js';
import type { EncodingRules } from './readers/held.js';
import type { RowRules } from './rows.js';
import type { Classifier } from './sxf/classifier.js';
import type { TableInfo, TableRules } from './tables/rules.js';

/** How the bytes of a part of a file are read. */
export type Part =
  | { kind: 'geojson' }
  | { kind: 'kml'; encoding: string | undefined }
  /** Files that the thread reads itself. */
  | { kind: 'shp'; shp: string; dbf: string | undefined; encoding: EncodingRules; srs: string | undefined }
  | { kind: 'cells'; rules: TableRules }
  | { kind: 'csv'; encoding: string | undefined; rules: TableRules }
  | { kind: 'sxf'; encoding: string | undefined; classifier: Classifier | undefined }
  | {
      kind: 'dump';
      fields: readonly Field[];
      encoding: EncodingRules;
      srs: string | undefined;
      emptyPoints: boolean;
      /** All lines and polygons come as several, also those of one. */
      isMulti: boolean;
    };

/** A part of a file: one layer, one file of an archive. */
export interface Source {
  part: Part;
  /** Undefined where the thread reads the files itself. */
  bytes?: AsyncIterable<Buffer> | undefined;
  /** Features in the whole file, where the file says so. */
  total?: number | undefined;
  /** Told the number of features that were read of it. Throws when there should be others. */
  check?(features: number): void;
}

export interface ReadingOptions extends RowRules {
  /** Bytes. */
  featureLimit: number;
  /** The projection when it was given: what the file says is left aside then. */
  srs: string | undefined;
  /** Whether a feature that cannot be stored is listed and left out; else it ends the reading. */
  skipErrors: boolean;
}

export type ReadingRequest =
  | { kind: 'begin'; part: Part }
  | { kind: 'bytes'; bytes: Uint8Array }
  /** What comes next of a file that the thread reads itself. */
  | { kind: 'next' }
  | { kind: 'end' }
  | { kind: 'coordinates'; xy: Float64Array }
  | { kind: 'summary' };

/** A feature that is not stored. */
export interface Refusal {
  /** Its number in the file, from 1. */
  feature: number;
  code: ErrorCode;
  message: string;
}

/** What was read in all. */
export interface Summary {
  /** Features, those that were refused among them. */
  read: number;
  refused: number;
  /** The first of them. */
  refusals: Refusal[];
  properties: Property[];
  /** Kind of geometry → features; `none` for those without. */
  geometries: Record<string, number>;
  /** West, south, east, north in degrees; null where nothing has a geometry. */
  extent: [number, number, number, number] | null;
  /** Of the texts; those of several parts. */
  encodings: string[];
  projections: string[];
  /** What the file has that is no feature: element → how many. */
  leftOut: Record<string, number>;
  /** How tables were understood. */
  tables: TableInfo[];
  notes: string[];
}

export type ReadingAnswer =
  /** Rows to be staged, and the number of features that were read so far. */
  | { kind: 'rows'; packed: PackedRows[]; read: number; isOver: boolean }
  /** The coordinates of features are wanted in WGS 84 before rows can be made of them. */
  | ({ kind: 'transform'; srs: string } & Coordinates)
  | { kind: 'summary'; summary: Summary }
  | { kind: 'error'; code: ErrorCode; message: string; data: ErrorData; status: number };

/** Coordinates that are wanted in WGS 84. */
export type Wanted = Extract<ReadingAnswer, { kind: 'transform' }>;

type Rows = Extract<ReadingAnswer, { kind: 'rows' }>;

/** Bytes that are handed to the thread at once. */
const portion = 512 * 1024;

/**
 * Reads the parts of a file in a thread of its own: rows in batches, while the next one is being read; returns what was
 * read in all. `transform` gives coordinates in WGS 84. Throws what reading finds wrong.
 */
export async function* readRows(
  sources: AsyncIterable<Source>,
  options: ReadingOptions,
  transform: (wanted: Wanted) => Promise<Float64Array>,
): AsyncGenerator<PackedRows, Summary> {
  const thread = startThread(options);
  const ask = async (request: ReadingRequest): Promise<Exclude<ReadingAnswer, { kind: 'error' }>> => {
    const answer = await thread.ask(request);
    if (answer.kind !== 'error') return answer;
    throw new ServiceError(answer.code, answer.message, answer.data, answer.status);
  };
  const read = async (request: ReadingRequest): Promise<Rows> => {
    let answer = await ask(request);
    if (answer.kind === 'transform') answer = await ask({ kind: 'coordinates', xy: await transform(answer) });
    if (answer.kind === 'rows') return answer;
    throw new Error('the reading thread answers something else');
  };
  try {
    let before = 0;
    for await (const { part, bytes, check } of sources) {
      await ask({ kind: 'begin', part });
      const total = yield* bytes ? readPart(bytes, read) : readFiles(read);
      check?.(total - before);
      before = total;
    }
    const answer = await ask({ kind: 'summary' });
    if (answer.kind !== 'summary') throw new Error('the reading thread answers something else');
    return answer.summary;
  } finally {
    await thread.stop();
  }
}

/** The rows of one part; returns the number of features that were read so far. */
async function* readPart(
  source: AsyncIterable<Buffer>,
  read: (request: ReadingRequest) => Promise<Rows>,
): AsyncGenerator<PackedRows, number> {
  let ahead: Promise<Rows> | undefined;
  for await (const bytes of portions(source)) {
    const batch = await ahead;
    ahead = read({ kind: 'bytes', bytes });
    ahead.catch(() => {}); // met when it is awaited
    if (batch) yield* batch.packed;
  }
  if (ahead) yield* (await ahead).packed;
  const last = await read({ kind: 'end' });
  yield* last.packed;
  return last.read;
}

/** The same of files that the thread reads itself. */
async function* readFiles(
  read: (request: ReadingRequest) => Promise<Rows>,
): AsyncGenerator<PackedRows, number> {
  let ahead = read({ kind: 'next' });
  for (;;) {
    const { packed, isOver, read: total } = await ahead;
    if (!isOver) {
      ahead = read({ kind: 'next' });
      ahead.catch(() => {}); // met when it is awaited
    }
    yield* packed;
    if (isOver) return total;
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

/** Of it room for what is new: a batch lives longer than the usual 16 MiB take, and copying it about took half of the time. */
const youngMemory = 96;

function startThread(options: ReadingOptions): Thread {
  const worker = new Worker(new URL('./reading-worker.js', import.meta.url), {
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: youngMemory },
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
