import { openInput } from '@cartulary/formats';
import type { Caller } from '../access/caller.js';
import type { BeforeCommit, Progress } from '../jobs/jobs.js';
import { mostColumns } from '../layers/columns/column-limit.js';
import { smallFeatureIndex } from '../layers/indexes/small-feature-index.js';
import { findLayer, isRaster, type Layer } from '../layers/layers.js';
import { layerAnswer } from '../layers/view.js';
import type { CheckedImport } from './check-import.js';
import { type ImportOptions, importFeatures, planImport } from './import.js';
import { importRaster } from './import-raster.js';
import type { TransferServices } from './services.js';
import type { IncomingFile } from './upload.js';

/** An import that the semaphore has admitted: whose it is, and what goes where. */
export interface AdmittedImport {
  caller: Caller;
  owner: string;
  layer: Layer;
  file: IncomingFile;
}

export interface ImportRun {
  signal: AbortSignal;
  progress?: Progress | undefined;
  beforeCommit?: BeforeCommit | undefined;
}

/** Imports a file into a layer, or with `dry_run` plans that. Gives the answer. */
export async function runImport(
  services: TransferServices,
  { parameters, isDryRun, storing, reading }: CheckedImport,
  { caller, owner, layer, file }: AdmittedImport,
  { signal, progress, beforeCommit: noteDone }: ImportRun,
): Promise<object> {
  const { config, indexer } = services;
  const db = services.db.for(owner);
  const engine = services.engine.for(owner);
  const beforeCommit: ImportOptions['beforeCommit'] = (tx, report) => noteDone?.(tx, { import: report });
  const importObjects = async (): Promise<object> => {
    const input = await openInput(file, { ...reading, engine, signal });
    try {
      const author = config.importUndoTimeS
        ? { accountId: caller.account?.id ?? null, filename: file.filename }
        : undefined;
      const languages = languagesOf(layer, caller);
      const columnLimit = await mostColumns(db, layer.id, config);
      const options = { ...storing, signal, progress, beforeCommit, author, languages, columnLimit };
      const report = await (isDryRun ? planImport : importFeatures)(db, layer, input, options);
      // Prepares the index for small features, since a map of many objects may be opened at once.
      void indexer.make([smallFeatureIndex(layer.id, config.smallFeaturesFrom)]);
      return report;
    } finally {
      await input.close();
    }
  };
  const viewOf = async (): Promise<object> => {
    const now = await findLayer(db, caller, { map: layer.map.code, layer: layer.code }, 'edit');
    return layerAnswer(db, now, caller, { lng: parameters.lng });
  };
  const report = isRaster(layer)
    ? await importRaster({ ...services, db, engine }, layer, file, { parameters, signal, beforeCommit })
    : await importObjects();
  // The objects are stored, even where the caller can no longer see the layer.
  const view = await viewOf().catch(() => undefined);
  const { upload } = parameters;
  return { ...view, import: { ...report, ...(upload && isDryRun ? { upload } : {}) } };
}

/** The languages of a map, the main one first. */
export function languagesOf(layer: Layer, { project }: Caller): string[] {
  const ofMap = (layer.map.locales ?? []) as { code: string }[];
  return [...new Set([...project.languages, ...ofMap.map(({ code }) => code)])];
}
