import { badRequest } from '@cartulary/errors';
import { openInput, parseEncoding, tableRules } from '@cartulary/formats';
import type { Static } from 'typebox';
import type { Caller } from '../access/caller.js';
import type { Config } from '../config.js';
import { checkLanguage } from '../containers/names.js';
import { isOn } from '../http/params.js';
import type { BeforeCommit, Progress } from '../jobs/jobs.js';
import { smallFeatureIndex } from '../layers/indexes/small-feature-index.js';
import { findLayer, isRaster, type Layer } from '../layers/layers.js';
import { layerAnswer } from '../layers/view.js';
import { type ImportOptions, importFeatures, planImport } from './import.js';
import { importRaster } from './import-raster.js';
import type { ImportQuery } from './schemas.js';
import type { TransferServices } from './services.js';
import { parseChoices } from './session/choices.js';
import type { IncomingFile } from './upload.js';

export type ImportParameters = Omit<Static<typeof ImportQuery>, 'token' | 'f'>;

export interface ImportRun {
  signal: AbortSignal;
  progress?: Progress | undefined;
  beforeCommit?: BeforeCommit | undefined;
}

/** An import whose parameters are checked: its work with a file, once the semaphore admits it. Gives the answer. */
export type ImportWork = (layer: Layer, file: IncomingFile, run: ImportRun) => Promise<object>;

/** Checks the parameters of an import and gives its work. Throws 400 for a wrong parameter. */
export function importWork(
  services: TransferServices,
  { caller, owner }: { caller: Caller; owner: string },
  parameters: ImportParameters,
): ImportWork {
  const { config, indexer } = services;
  const db = services.db.for(owner);
  const engine = services.engine.for(owner);
  const rules = storingRules(parameters, config);
  const reading = { ...readingRules(parameters, config), engine };
  const carryOut = isOn(parameters.dry_run) ? planImport : importFeatures;
  const importObjects = async (layer: Layer, file: IncomingFile, run: StepListeners): Promise<object> => {
    const input = await openInput(file, { ...reading, signal: run.signal });
    try {
      const author = config.importUndoTimeS
        ? { accountId: caller.account?.id ?? null, filename: file.filename }
        : undefined;
      const options = { ...rules, ...run, author, languages: languagesOf(layer, caller) };
      const report = await carryOut(db, layer, input, options);
      // Prepares the index for small features, since a map of many objects may be opened at once.
      void indexer.make([smallFeatureIndex(layer.id, config.smallFeaturesFrom)]);
      return report;
    } finally {
      await input.close();
    }
  };
  const viewOf = async (layer: Layer): Promise<object> => {
    const now = await findLayer(db, caller, { map: layer.map.code, layer: layer.code }, 'edit');
    return layerAnswer(db, now, caller, { lng: parameters.lng });
  };
  return async (layer, file, { signal, progress, beforeCommit: noteDone }) => {
    const beforeCommit: ImportOptions['beforeCommit'] = (tx, report) => noteDone?.(tx, { import: report });
    const report = isRaster(layer)
      ? await importRaster({ ...services, db, engine }, layer, file, { parameters, signal, beforeCommit })
      : await importObjects(layer, file, { signal, progress, beforeCommit });
    // The objects are stored, even where the caller can no longer see the layer.
    const view = await viewOf(layer).catch(() => undefined);
    const { upload, dry_run } = parameters;
    return { ...view, import: { ...report, ...(upload && isOn(dry_run) ? { upload } : {}) } };
  };
}

type StepListeners = Pick<ImportOptions, 'progress' | 'beforeCommit'> & { signal: AbortSignal };

/** The parameters that say how objects are stored. */
function storingRules(parameters: ImportParameters, config: Config) {
  const { action = '2', srs, lng, localized, skip_errors, rows, sketch } = parameters;
  const key = commaParts(parameters.key);
  if (action !== '1' && action !== '2') {
    throw badRequest('action must be 1 (replace) or 2 (merge)', { parameters: ['action'] });
  }
  if (key.length && action === '1')
    throw badRequest('key is for action=2 (merge)', { parameters: ['key', 'action'] });
  return {
    action: action === '1' ? 'replace' : 'merge',
    key,
    choices: parseChoices(parameters.columns),
    srs: srs || undefined,
    language: lng ? checkLanguage(lng) : undefined,
    localized: commaParts(localized),
    skipErrors: isOn(skip_errors),
    alwaysStaged: !config.fastImport,
    firstRows: countOf('rows', rows, 100),
    sketched: countOf('sketch', sketch, 1_000),
    featureLimit: config.importFeatureLimitBytes,
    columnLimit: config.columnLimit,
    projectionGrids: config.projectionGrids,
  } as const;
}

/** How many features a dry run shows. Variables of a form were not validated. */
function countOf(name: 'rows' | 'sketch', text: string | undefined, most: number): number {
  const count = text === undefined || text === '' ? 0 : Number(text);
  if (Number.isInteger(count) && count >= 0 && count <= most) return count;
  throw badRequest(`${name} must be a number from 0 to ${most}`, { parameters: [name] });
}

/** The parameters and settings that say how a file is read. */
function readingRules(parameters: ImportParameters, config: Config) {
  const { srs, encoding } = parameters;
  return {
    dataFolder: config.dataFolder,
    limits: { entries: config.archiveEntries, bytes: config.temporaryLimitBytes, ratio: config.archiveRatio },
    encoding: encoding ? parseEncoding(encoding) : undefined,
    srsIsGiven: Boolean(srs),
    tables: tableRules(parameters, {
      columns: config.tableColumns,
      cell: config.tableCell,
      rows: config.sheetRows,
      // A sheet takes several times its size in memory, as text and as objects.
      bytes: (config.converterMemoryMiB / 2) * 1024 ** 2,
    }),
  };
}

/** The languages of a map, the main one first. */
export function languagesOf(layer: Layer, { project }: Caller): string[] {
  const ofMap = (layer.map.locales ?? []) as { code: string }[];
  return [...new Set([...project.languages, ...ofMap.map(({ code }) => code)])];
}

/** The parts of a list with commas; none of an absent or empty one. */
export const commaParts = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
