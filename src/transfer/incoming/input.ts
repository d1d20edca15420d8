import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../errors.js';
import { createJobFolder, type JobFolder } from '../../jobs/folder.js';
import type { Engine, EngineJob } from '../engine/engine.js';
import { noRoom } from '../engine/failure.js';
import { importFormat } from '../formats.js';
import { geojsonInput, type Input } from '../import.js';
import type { Source } from '../reading.js';
import { type ArchiveLimits, unpack } from './archive.js';
import { type Dataset, datasetsOf, refuseLone, wantedExtensions } from './datasets.js';
import { isEngineFormat, layersOf } from './layers.js';
import { beginsAsJson, headSize, type Kind, recognize } from './recognize.js';

export interface Opening {
  engine: Engine;
  dataFolder: string;
  limits: ArchiveLimits;
  /** Of the texts, where the caller gave it. */
  encoding: string | undefined;
  signal: AbortSignal;
}

/** A file that was recognized, and what is to be done when it is no longer read. */
export interface OpenInput extends Input {
  close(): Promise<void>;
}

/**
 * Recognizes a file by its content, whatever its name is; archives are looked into. GeoJSON and KML are read as they
 * come, the others from a folder of their own. Throws `import_failed`, `too_large`.
 */
export async function openInput(
  { bytes, filename }: { bytes: AsyncIterable<Buffer>; filename: string | undefined },
  opening: Opening,
): Promise<OpenInput> {
  const { head, all } = await peek(bytes);
  const kind = recognize(head) ?? kindByName(filename);
  refuseLone(kind);
  const close = async (): Promise<void> => {};
  if (kind === 'geojson') return { ...geojsonInput(all), close };
  if (kind === 'kml') {
    const part = { kind, encoding: opening.encoding } as const;
    return { format: kind, notes: [], close, sources: Readable.from([{ part, bytes: all }]) };
  }
  return openFolder(all, { kind, filename: filename ?? `file.${kind}` }, opening);
}

/** What no content tells is GeoJSON, of which the reader says what is wrong with it, unless the name promises another format. */
function kindByName(filename: string | undefined): 'geojson' {
  const { code } = importFormat(filename);
  if (code === 'geojson') return 'geojson';
  throw new ServiceError('import_failed', `The file is named as ${code}, but is none by its content`, {
    format: code,
  });
}

/** The first bytes, and all of them again. */
async function peek(bytes: AsyncIterable<Buffer>): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  let isOver = false;
  while (head.length < headSize && !isOver && !beginsAsJson(head)) {
    const next = await iterator.next();
    if (next.done) isOver = true;
    else head = Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield head;
    while (!isOver) {
      const next = await iterator.next();
      if (next.done) isOver = true;
      else yield next.value;
    }
  }
  return { head, all: all() };
}

async function openFolder(
  bytes: AsyncIterable<Buffer>,
  { kind, filename }: { kind: Kind; filename: string },
  opening: Opening,
): Promise<OpenInput> {
  const folder = await createJobFolder(opening.dataFolder);
  try {
    const datasets = await spooled(bytes, { kind, filename, folder }, opening);
    const notes: string[] = [];
    const isKmz = kind === 'zip' && /\.kmz$/i.test(filename);
    return {
      format: isKmz && datasets[0]!.kind === 'kml' ? 'kmz' : datasets[0]!.kind,
      notes,
      sources: sourcesOf(datasets, { folder, notes, opening }),
      close: folder.remove,
    };
  } catch (error) {
    await folder.remove();
    throw diskFull(error);
  }
}

async function spooled(
  bytes: AsyncIterable<Buffer>,
  { kind, filename, folder }: { kind: Kind; filename: string; folder: JobFolder },
  { limits, signal }: Opening,
): Promise<Dataset[]> {
  const name = kind === 'zip' ? 'upload' : `1.${kind}`;
  const path = join(folder.path, name);
  await pipeline(bytes, createWriteStream(path), { signal });
  if (kind !== 'zip') return [{ kind, name: filename, file: name, beside: new Set() }];
  const files = await unpack(path, folder.path, { extensions: wantedExtensions, limits, signal });
  return datasetsOf(folder.path, files);
}

/** A full disk is no fault of the file. */
export function diskFull(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? noRoom() : error;
}

async function* sourcesOf(
  datasets: readonly Dataset[],
  { folder, notes, opening }: { folder: JobFolder; notes: string[]; opening: Opening },
): AsyncGenerator<Source> {
  let job: EngineJob | undefined;
  try {
    for (const dataset of datasets) {
      const { kind, file } = dataset;
      if (isEngineFormat(kind)) {
        job ??= await opening.engine.start(folder.path, opening.signal);
        const { encoding } = opening;
        const isOnly = datasets.length === 1;
        const note = (text: string): unknown => notes.push(text);
        yield* layersOf(dataset, { job, folder: folder.path, encoding, isOnly, note });
      } else {
        const part =
          kind === 'kml' ? ({ kind, encoding: opening.encoding } as const) : ({ kind: 'geojson' } as const);
        yield { part, bytes: createReadStream(join(folder.path, file)) };
      }
    }
  } finally {
    job?.end();
  }
}
