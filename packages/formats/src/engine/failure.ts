import { statfs } from 'node:fs/promises';
import { ServiceError } from '@cartulary/errors';
import { FullDisk } from '@cartulary/runtime';
import { jobFolder } from './gdal.js';
import type { Report } from './orders.js';

/** GDAL messages about memory and disk space. */
const ofMemory = /bad_alloc|out of memory|memory limit|cannot allocate|malloc/i;
const ofDisk = /no space left|disk is full|ENOSPC/i;
const ofWriting = /I\/O (?:failure|error)|fwrite|(?:failed|failure|error|cannot)[ \w]* writ/i;

/** GDAL errors by pattern, with their messages for the user. */
const sentences: readonly [RegExp, string][] = [
  [ofMemory, 'it needs more memory than an import may have'],
  [
    /fread|unexpected end|truncated|eof|corrupt|Failure reading|too short|read error/i,
    'it is cut off or damaged',
  ],
  [/not recogni[sz]ed as (?:being in )?a supported file format/i, 'it is damaged, or not of this format'],
];

/** A GDAL message without paths, those of the job and those of the build machine, without SQL, and without advice to its operator. */
const withoutPaths = (text: string): string =>
  text
    .replaceAll(/\/job\/\d+\.(\w+)/g, '.$1')
    .replaceAll(/\/job\/upload(?:,|:)? */g, '')
    .replaceAll(jobFolder, '')
    .replace(/\bsqlite3_\w+\([\s\S]*\) failed: /, '')
    .replace(/(?:\bsqlite3_\w+\(|\bfailed to prepare SQL: )[\s\S]*/, 'its database refuses a statement')
    .replaceAll(/(?<=\.)\s+[^.]*\b(?:environment variable|configuration option|open option)\b[^.]*\.?/gi, '')
    .replaceAll(/[ \t\n]*(?:in file )?[`']?[^\s`']*\.(?:cpp|cc|c|hpp|h)\b'?(?:, (?:line )?\d+|:\d+)?:?/g, '')
    .replaceAll(/(?<![\w/:])(?:\/[\w.+-]+)+\/(?=[\w.+-])/g, '')
    .trim();

/** Maximum number of reported warnings per file. */
const toldWarnings = 20;

/** GDAL warnings by pattern, with their messages for the user. */
export const engineWarnings = ({ warnings = [] }: Report, name: string): string[] =>
  [...new Set(warnings.map(withoutPaths))]
    .slice(0, toldWarnings)
    .map((text) => `'${name.slice(0, 100)}': ${text.slice(0, 300)}`);

/** Turns a GDAL failure into an error that names the file as the user did, and contains no path. */
export function engineFailure({ errors }: Report, name: string): ServiceError {
  const said = errors.join('; ');
  if (ofDisk.test(said)) return new FullDisk(said);
  const sentence = sentences.find(([pattern]) => pattern.test(said))?.[1];
  const detail = withoutPaths(errors[0] ?? '').slice(0, 300);
  const why = sentence && detail ? `${sentence} (${detail})` : (sentence ?? (detail || 'it is damaged'));
  return new ServiceError('import_failed', `'${name.slice(0, 100)}' could not be read: ${why}`);
}

/** Free bytes below which a disk counts as full: less than GDAL writes at once. */
const least = 256 * 1024;

/**
 * Turns a failed write of GDAL into an error. GDAL does not always report a full disk. `count` is the number of features
 * in the file, where it differs from the expected one.
 */
export async function writeFailure({ errors }: Report, folder: string, count: string): Promise<ServiceError> {
  const said = errors.join('; ');
  const { bavail, bsize } = await statfs(folder);
  if (ofDisk.test(said) || ofWriting.test(said) || bavail * bsize < least) return new FullDisk(said);
  if (ofMemory.test(said))
    return new ServiceError('too_large', 'The export needs more memory than a conversion may have');
  const why = errors[0] === undefined ? count : withoutPaths(errors[0]).slice(0, 200);
  return new ServiceError('export_failed', `The export could not be written: ${why}`);
}
