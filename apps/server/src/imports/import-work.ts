import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Static } from 'typebox';
import type { Caller } from '../access/caller.js';
import { checkLanguage } from '../containers/names.js';
import { badRequest } from '../errors.js';
import { isOn } from '../http/params.js';
import type { Services } from '../http/service.js';
import { createJobFolder } from '../jobs/folder.js';
import type { BeforeCommit, Desk, Progress, Room } from '../jobs/jobs.js';
import { findLayer, isRaster, type Layer } from '../layers/layers.js';
import { speckIndex } from '../layers/speck-index.js';
import { layerAnswer } from '../layers/view.js';
import { readStream } from '../read-stream.js';
import { type ImportOptions, importFeatures, planImport } from './import.js';
import { diskFull, openInput } from './incoming/input.js';
import { spoolFile } from './incoming/spool.js';
import { importRaster } from './rasters/import-raster.js';
import { parseEncoding } from './readers/encodings.js';
import type { ImportQuery } from './schemas.js';
import { tableRules } from './tables/rules.js';
import type { IncomingFile } from './upload.js';

export type ImportParameters = Omit<Static<typeof ImportQuery>, 'token' | 'f'>;

export interface ImportRun {
  signal: AbortSignal;
  progress?: Progress | undefined;
  beforeCommit?: BeforeCommit | undefined;
}

/** An import whose parameters are right: what is done with its file when its turn has come. */
export type ImportWork = (layer: Layer, file: IncomingFile, run: ImportRun) => Promise<object>;

/** The work of an import request, in the turns of an owner: it gives the answer. Throws 400 where a parameter is wrong. */
export function importWork(
  services: Services,
  { caller, owner }: { caller: Caller; owner: string },
  parameters: ImportParameters,
): ImportWork {
  const { db, config, indexer } = services;
  const engine = services.engine.for(owner);
  const { action = '2', srs, lng, localized, skip_errors, dry_run, encoding } = parameters;
  if (action !== '1' && action !== '2') {
    throw badRequest('action must be 1 (replace) or 2 (merge)', { parameters: ['action'] });
  }
  const rules = {
    action: action === '1' ? 'replace' : 'merge',
    srs: srs || undefined,
    language: lng ? checkLanguage(lng) : undefined,
    localized: partsOf(localized),
    skipErrors: isOn(skip_errors),
    featureLimit: config.importFeatureLimit,
    columnLimit: config.columnLimit,
  } as const;
  const reading = {
    engine,
    dataFolder: config.dataFolder,
    limits: { entries: config.archiveEntries, bytes: config.temporaryLimit, ratio: config.archiveRatio },
    encoding: encoding ? parseEncoding(encoding) : undefined,
    srsIsGiven: Boolean(srs),
    tables: tableRules(parameters, {
      columns: config.tableColumns,
      cell: config.tableCell,
      rows: config.sheetRows,
      // As text and as objects it takes several times as much.
      bytes: (config.converterMemory / 2) * 1024 ** 2,
    }),
  };
  const viewOf = async (layer: Layer): Promise<object> => {
    const now = await findLayer(db, caller, { map: layer.map.code, layer: layer.code }, 'edit');
    return layerAnswer(db, now, caller, { lng });
  };
  const carryOut = isOn(dry_run) ? planImport : importFeatures;
  return async (layer, file, run) => {
    const { signal, progress } = run;
    const beforeCommit: ImportOptions['beforeCommit'] = (tx, report) =>
      run.beforeCommit?.(tx, { import: report });
    const importObjects = async (): Promise<object> => {
      const options: ImportOptions = {
        ...rules,
        signal,
        progress,
        beforeCommit,
        languages: languagesOf(layer, caller),
      };
      const input = await openInput(file, { ...reading, signal });
      try {
        const report = await carryOut(db, layer, input, options);
        // A map of many objects may be opened at once.
        if (config.specksFrom) void indexer.make([speckIndex(layer.id, config.specksFrom)]);
        return report;
      } finally {
        await input.close();
      }
    };
    const report = isRaster(layer)
      ? await importRaster({ ...services, engine }, layer, file, { parameters, signal, beforeCommit })
      : await importObjects();
    // What is stored is stored, also where the layer can be seen no more.
    const view = await viewOf(layer).catch(() => undefined);
    return { ...view, import: report };
  };
}

/** The languages of a map, the main one first. */
export function languagesOf(layer: Layer, { project }: Caller): string[] {
  const ofMap = (layer.map.locales ?? []) as { code: string }[];
  return [...new Set([...project.languages, ...ofMap.map(({ code }) => code)])];
}

/** The parts of a list with commas; none of an absent or empty one. */
export const partsOf = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** A file that was received for a job: reading it tells how far one is. */
export type ReceivedFile = (progress?: Progress) => IncomingFile & { close(): void };

/** Receives the whole file of an import. Throws what is wrong with the upload, 429 when there is no room. */
export async function received(
  file: IncomingFile,
  { folder, room }: Desk,
  signal: AbortSignal,
): Promise<ReceivedFile> {
  const path = join(folder, 'file');
  const seen = { size: 0 };
  await pipeline(counted(file.bytes, room, seen), spoolFile(path), { signal }).catch((error) =>
    Promise.reject(signal.aborted ? signal.reason : diskFull(error)),
  );
  return (progress) => {
    const stream = readStream(path);
    async function* bytes(): AsyncGenerator<Buffer> {
      let read = 0;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        read += chunk.length;
        progress?.({ phase: 'reading', percent: Math.floor((100 * read) / seen.size) });
        yield chunk;
      }
      // What was read wholly is held elsewhere, or is no longer needed.
      await rm(path, { force: true });
      room.leave();
    }
    return { filename: file.filename, bytes: bytes(), close: () => stream.destroy() };
  };
}

/** Has the file of an import carried out when all of it has come: until then it costs a connection and room on the disk. Nothing of it is left. */
export async function withReceived<T>(
  file: IncomingFile,
  { dataFolder, room, signal }: { dataFolder: string; room: Room; signal: AbortSignal },
  work: (upload: IncomingFile) => Promise<T>,
): Promise<T> {
  const folder = await createJobFolder(dataFolder);
  try {
    const open = await received(file, { folder: folder.path, room }, signal);
    const upload = open();
    try {
      return await work(upload);
    } finally {
      upload.close();
    }
  } finally {
    room.leave();
    await folder.remove();
  }
}

/** Counts bytes on their way to the disk. Throws 429 when there is no room for them. */
export async function* counted(
  chunks: AsyncIterable<Buffer>,
  room: Room,
  seen: { size: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    room.take(chunk.length);
    seen.size += chunk.length;
    yield chunk;
  }
}
