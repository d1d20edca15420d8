import type { PackedRows } from '@cartulary/sql';
import type { FilePart, ReadingRequest, Rows, WantedCoordinates } from './reading-messages.js';
import type { ReadingThread } from './reading-thread.js';
import type { Summary } from './summary.js';

/** A part of a file: one layer, one file of an archive. */
export interface FileSource {
  part: FilePart;
  /** Undefined: the thread reads the files of the part itself. */
  bytes?: AsyncIterable<Buffer> | undefined;
  /** Number of features that the file declares. */
  total?: number | undefined;
  /** Receives the number of features read of the part. Throws if the file declares another number. */
  check?(features: number): void;
}

/** Size of the messages that carry bytes to the thread. */
const portionBytes = 512 * 1024;

/**
 * Reads the parts of a file in a thread: yields rows in batches while the thread reads ahead, and returns the summary.
 * `transform` converts coordinates to WGS 84. Throws the errors of the file.
 */
export async function* readRows(
  thread: ReadingThread,
  sources: AsyncIterable<FileSource>,
  transform: (wanted: WantedCoordinates) => Promise<Float64Array>,
): AsyncGenerator<PackedRows, Summary> {
  const read = async (request: ReadingRequest): Promise<Rows> => {
    let answer = await thread.ask(request);
    if (answer.kind === 'transform')
      answer = await thread.ask({ kind: 'coordinates', xy: await transform(answer) });
    if (answer.kind === 'rows') return answer;
    throw unexpectedAnswer();
  };
  let before = 0;
  for await (const { part, bytes, check } of sources) {
    await thread.ask({ kind: 'begin', part });
    const total = yield* bytes ? readPart(bytes, read) : readRowsOfFiles(read);
    check?.(total - before);
    before = total;
  }
  return readSummary(thread);
}

const unexpectedAnswer = (): Error => new Error('unexpected answer of the reading thread');

/** The summary of a file whose rows a direct load has read. Throws the errors of the file. */
export async function readSummary(thread: ReadingThread): Promise<Summary> {
  const answer = await thread.ask({ kind: 'summary' });
  if (answer.kind !== 'summary') throw unexpectedAnswer();
  return answer.summary;
}

/** Yields the rows of one part; returns the number of features read so far. */
async function* readPart(
  source: AsyncIterable<Buffer>,
  read: (request: ReadingRequest) => Promise<Rows>,
): AsyncGenerator<PackedRows, number> {
  let ahead: Promise<Rows> | undefined;
  for await (const bytes of portions(source)) {
    const batch = await ahead;
    ahead = read({ kind: 'bytes', bytes });
    ahead.catch(() => {}); // handled where it is awaited
    if (batch) yield* batch.packed;
  }
  if (ahead) yield* (await ahead).packed;
  const last = await read({ kind: 'end' });
  yield* last.packed;
  return last.read;
}

/** As `readPart`, for files that the thread reads itself. */
export async function* readRowsOfFiles(
  read: (request: ReadingRequest) => Promise<Rows>,
): AsyncGenerator<PackedRows, number> {
  let ahead = read({ kind: 'next' });
  for (;;) {
    const { packed, isOver, read: total } = await ahead;
    if (!isOver) {
      ahead = read({ kind: 'next' });
      ahead.catch(() => {}); // handled where it is awaited
    }
    yield* packed;
    if (isOver) return total;
  }
}

/** Joins small chunks: each message to the thread has a fixed cost. */
async function* portions(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    kept.push(chunk);
    size += chunk.length;
    if (size < portionBytes) continue;
    yield Buffer.concat(kept, size);
    kept = [];
    size = 0;
  }
  if (size) yield Buffer.concat(kept, size);
}
