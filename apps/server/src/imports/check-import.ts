import { badRequest } from '@cartulary/errors';
import { parseEncoding, tableRules } from '@cartulary/formats';
import type { Static } from 'typebox';
import type { Config } from '../config.js';
import { checkLanguage } from '../containers/names.js';
import { isOn } from '../http/params.js';
import type { ImportQuery } from './schemas.js';
import { parseChoices } from './session/choices.js';

export type ImportParameters = Omit<Static<typeof ImportQuery>, 'token' | 'f'>;

/** What an import shall do, by its parameters. */
export interface CheckedImport {
  parameters: ImportParameters;
  isDryRun: boolean;
  storing: ReturnType<typeof storingRules>;
  reading: ReturnType<typeof readingRules>;
}

/** Checks the parameters of an import. Throws 400 for a wrong one. Those of a raster layer are checked with its file. */
export const checkImport = (parameters: ImportParameters, config: Config): CheckedImport => ({
  parameters,
  isDryRun: isOn(parameters.dry_run),
  storing: storingRules(parameters, config),
  reading: readingRules(parameters, config),
});

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
    columnLimit: config.columnLimit,
    tables: tableRules(parameters, {
      columns: config.tableColumns,
      cell: config.tableCell,
      rows: config.sheetRows,
      // A sheet takes several times its size in memory, as text and as objects.
      bytes: (config.converterMemoryMiB / 2) * 1024 ** 2,
    }),
  };
}

/** The parts of a list with commas; none of an absent or empty one. */
export const commaParts = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
