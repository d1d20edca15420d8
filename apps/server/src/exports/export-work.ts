import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { type Engine, exportFormat } from '@cartulary/formats';
import { boxesOf, parseBox } from '@cartulary/geo';
import type { Semaphore } from '@cartulary/runtime';
import type { Static } from 'typebox';
import type { Caller } from '../access/caller.js';
import type { Config } from '../config.js';
import { checkLanguage } from '../containers/names.js';
import { isOn } from '../http/params.js';
import { commaParts } from '../imports/check-import.js';
import { counted } from '../imports/receive.js';
import { languagesOf } from '../imports/run-import.js';
import type { JobResult, JobWorkspace, Progress } from '../jobs/jobs.js';
import { isRaster, type Layer } from '../layers/layers.js';
import { countObjects, parseListQuery } from '../objects/store.js';
import type { FileStorage } from '../storage/storage.js';
import { type ExportedFile, exportFile } from './export-file.js';
import { exportRaster } from './export-raster.js';
import type { ExportQuery } from './schemas.js';

export interface ExportRun {
  signal: AbortSignal;
  progress?: Progress | undefined;
}

/** Services of exports. */
export interface ExportServices {
  readonly db: Database;
  readonly config: Config;
  readonly storage: FileStorage;
  readonly engine: Engine;
  readonly lists: Semaphore;
  readonly workbooks: Semaphore;
}

/** An export whose parameters are checked. */
export type ExportWork = (run: ExportRun) => Promise<ExportedFile>;

/** Checks the parameters of an export and gives its work, which waits in the queues of its owner. Throws `required_missing`, `format_invalid`, 400 for a wrong parameter. */
export function exportWork(
  services: ExportServices,
  { caller, layer, owner }: { caller: Caller; layer: Layer; owner: string },
  query: Static<typeof ExportQuery>,
): ExportWork {
  const { config, engine, workbooks, lists } = services;
  const db = services.db.for(owner);
  const format = exportFormat(query.format);
  if (isRaster(layer)) return () => exportRaster(services, layer, format, query);
  const languages = languagesOf(layer, caller);
  const selection = {
    languages,
    semaphore: lists.for(owner),
    wanted: commaParts(query.langs).map(checkLanguage),
    ids: query.feature_ids ? idsOf(query.feature_ids) : undefined,
    boxes: query.fbbox ? boxesOf(parseBox(query.fbbox), query.bboxSR ?? '4326') : undefined,
    filter: query.filter
      ? parseListQuery({ filter: query.filter }, layer, languages[0]!, config).filter
      : undefined,
  };
  const isAll = !selection.ids && !selection.boxes && !selection.filter;
  return async ({ signal, progress }) => {
    if (selection.ids) progress?.({ total: selection.ids.length });
    else if (progress && isAll) progress({ total: await countObjects(db, layer, false, signal) });
    return exportFile(db, layer, {
      format,
      options: { ...selection, signal, progress },
      isZip: isOn(query.zip),
      encoding: query.encoding || undefined,
      dialect: query.dialect || undefined,
      workbooks: { limit: config.workbookLimitBytes, semaphore: workbooks.for(owner) },
      conversion: {
        engine: engine.for(owner),
        dataFolder: config.dataFolder,
        limit: config.temporaryLimitBytes,
        signal,
      },
    });
  };
}

function idsOf(list: string): number[] {
  const ids = commaParts(list).map(Number);
  if (!ids.length || !ids.every(Number.isSafeInteger)) {
    throw badRequest('feature_ids must be ids separated by commas', { parameters: ['feature_ids'] });
  }
  return [...new Set(ids)];
}

/** Writes the file of an export into the folder of its job. Throws `too_large` above `limit` bytes, 429 above the quota. */
export async function written(
  { file, filename, type, changedTexts }: ExportedFile,
  { folder, quota }: JobWorkspace,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<JobResult> {
  const seen = { size: 0 };
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of counted(file as AsyncIterable<Buffer>, quota, seen)) {
      if (seen.size > limit) throw new ServiceError('too_large', 'The export is larger than is allowed');
      yield chunk;
    }
  }
  try {
    await pipeline(bytes(), createWriteStream(join(folder, 'file')), { signal });
  } finally {
    file.destroy();
  }
  const count = typeof changedTexts === 'function' ? changedTexts() : changedTexts;
  const changed = count === undefined ? {} : { changed_texts: count };
  return { file: { name: filename, mime: type, size: seen.size, ...changed } };
}
