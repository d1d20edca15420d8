import type { PackedRows } from '../db/copy-binary.js';
import type { ErrorCode, ErrorData } from '../errors.js';
import type { Coordinates } from './coordinates.js';
import type { Field, LayerInfo } from './engine/orders.js';
import type { Property } from './properties.js';
import type { EncodingRules } from './readers/held.js';
import type { OwnArchive } from './readers/own-archive.js';
import type { Certainty } from './readers/sniff.js';
import type { StraightColumn } from './readers/straight.js';
import type { ReadingThread } from './reading-thread.js';
import type { RowRules } from './rows.js';
import type { Classifier } from './sxf/classifier.js';
import type { TableInfo, TableRules } from './tables/rules.js';

/** How the bytes of a part of a file are read. */
export type Part = PartKind & {
  /** What an export of ours says of its data. */
  own?: OwnArchive | undefined;
};

type PartKind =
  | { kind: 'geojson' }
  | { kind: 'kml'; encoding: string | undefined }
  /** Files that the thread reads itself. */
  | {
      kind: 'shp';
      shp: string;
      shx: string | undefined;
      dbf: string | undefined;
      encoding: EncodingRules;
      srs: string | undefined;
    }
  | { kind: 'cells'; rules: TableRules }
  | { kind: 'csv'; encoding: string | undefined; rules: TableRules }
  | { kind: 'sxf'; encoding: string | undefined; classifier: Classifier | undefined }
  | {
      kind: 'dump';
      fields: readonly Field[];
      encoding: EncodingRules;
      srs: string | undefined;
      emptyPoints: boolean;
      heights: LayerInfo['heights'];
    };

export type ShapefilePart = Extract<Part, { kind: 'shp' }>;

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

/** What a reading thread is told: which file follows, without an answer, and requests for it. */
export type ReadingOrder = { kind: 'file'; options: ReadingOptions } | ReadingRequest;

export type ReadingRequest =
  | { kind: 'begin'; part: Part }
  /** The file is read straight into rows of a table, if that can be: the first has this id, and about `most` come at once. */
  | { kind: 'straight'; part: ShapefilePart; firstId: number; most: { rows: number; bytes: number } }
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

/** Things of a kind that are not stored as the file has them. */
export interface Remark {
  what: string;
  /** What becomes of them, and why. */
  becomes: string;
  count: number;
  /** Numbers of the first features that have them; empty where they belong to none. */
  features: number[];
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
  /** Of the one that is least sure; undefined where there is none. */
  certainty: Certainty | 'said' | undefined;
  projections: string[];
  /** What is not stored as the file has it. */
  remarks: Remark[];
  /** How tables were understood. */
  tables: TableInfo[];
  notes: string[];
}

export type ReadingAnswer =
  /** Rows to be staged, and the number of features that were read so far. */
  | { kind: 'rows'; packed: PackedRows[]; read: number; isOver: boolean }
  /** The coordinates of features are wanted in WGS 84 before rows can be made of them. */
  | ({ kind: 'transform'; srs: string } & Coordinates)
  /** What the rows are made of, behind `svc_id` and `geom`. */
  | { kind: 'straight'; columns: readonly StraightColumn[] }
  /** The file is not for being read straight into a table. */
  | { kind: 'not straight' }
  | { kind: 'summary'; summary: Summary }
  | { kind: 'error'; code: ErrorCode; message: string; data: ErrorData; status: number };

/** Coordinates that are wanted in WGS 84. */
export type Wanted = Extract<ReadingAnswer, { kind: 'transform' }>;

export type Rows = Extract<ReadingAnswer, { kind: 'rows' }>;

/** Bytes that are handed to the thread at once. */
const portion = 512 * 1024;

/**
 * Reads the parts of a file in a thread of its own: rows in batches, while the next one is being read; returns what was
 * read in all. `transform` gives coordinates in WGS 84. Throws what reading finds wrong.
 */
export async function* readRows(
  { ask }: ReadingThread,
  sources: AsyncIterable<Source>,
  transform: (wanted: Wanted) => Promise<Float64Array>,
): AsyncGenerator<PackedRows, Summary> {
  const read = async (request: ReadingRequest): Promise<Rows> => {
    let answer = await ask(request);
    if (answer.kind === 'transform') answer = await ask({ kind: 'coordinates', xy: await transform(answer) });
    if (answer.kind === 'rows') return answer;
    throw new Error('the reading thread answers something else');
  };
  let before = 0;
  for await (const { part, bytes, check } of sources) {
    await ask({ kind: 'begin', part });
    const total = yield* bytes ? readPart(bytes, read) : readFiles(read);
    check?.(total - before);
    before = total;
  }
  return readSummary(ask);
}

/** What was read in all. */
export async function readSummary(ask: ReadingThread['ask']): Promise<Summary> {
  const answer = await ask({ kind: 'summary' });
  if (answer.kind !== 'summary') throw new Error('the reading thread answers something else');
  return answer.summary;
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
export async function* readFiles(
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
