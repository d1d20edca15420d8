import { statfs } from 'node:fs/promises';
import { ServiceError } from '../../errors.js';
import { jobFolder } from './gdal.js';
import type { Report } from './orders.js';

/** What GDAL says of memory and of the disk. */
const ofMemory = /bad_alloc|out of memory|memory limit|cannot allocate|malloc/i;
const ofDisk = /no space left|disk is full|ENOSPC/i;
const ofWriting = /I\/O (?:failure|error)|fwrite|(?:failed|failure|error|cannot)[ \w]* writ/i;

export const noRoom = (): ServiceError =>
  new ServiceError('busy', 'The disk of the service has no room for this');

/** What GDAL says, by a pattern, in words for who sent the file. */
const sentences: readonly [RegExp, string][] = [
  [ofMemory, 'it needs more memory than an import may have'],
  [
    /fread|unexpected end|truncated|eof|corrupt|Failure reading|too short|read error/i,
    'it is cut off or damaged',
  ],
  [/not recogni[sz]ed as (?:being in )?a supported file format/i, 'it is damaged, or not of this format'],
];

/** A text of GDAL without paths: those of the job, and those where it was built. */
const withoutPaths = (text: string): string =>
  text
    .replaceAll(/\/job\/\d+\.(\w+)/g, '.$1')
    .replaceAll(jobFolder, '')
    .replaceAll(/[ \t\n]*(?:in file )?[`']?[^\s`']*\.(?:cpp|cc|c|hpp|h)\b'?(?:, (?:line )?\d+|:\d+)?:?/g, '')
    .replaceAll(/(?<![\w/:])(?:\/[\w.+-]+)+\/(?=[\w.+-])/g, '')
    .trim();

/** Most warnings that are told of a file. */
const toldWarnings = 20;

/** What GDAL took notice of and went on, in words for who sent the file. */
export const engineWarnings = ({ warnings = [] }: Report, name: string): string[] =>
  [...new Set(warnings.map(withoutPaths))]
    .slice(0, toldWarnings)
    .map((text) => `'${name.slice(0, 100)}': ${text.slice(0, 300)}`);

/** A failure of GDAL as an error: the file by the name that the user gave it, and no path. */
export function engineFailure({ errors }: Report, name: string): ServiceError {
  const said = errors.join('; ');
  if (ofDisk.test(said)) return noRoom();
  const sentence = sentences.find(([pattern]) => pattern.test(said))?.[1];
  const detail = withoutPaths(errors[0] ?? '').slice(0, 300);
  const why = sentence && detail ? `${sentence} (${detail})` : (sentence ?? (detail || 'it is damaged'));
  return new ServiceError('import_failed', `'${name.slice(0, 100)}' could not be read: ${why}`);
}

/** Bytes below which a disk is full: less than GDAL writes at once. */
const least = 256 * 1024;

/** A failure of GDAL to write a file: a full disk is not always told. `count`: what is in the file instead of what should be. */
export async function writeFailure({ errors }: Report, folder: string, count: string): Promise<ServiceError> {
  const said = errors.join('; ');
  const { bavail, bsize } = await statfs(folder);
  if (ofDisk.test(said) || ofWriting.test(said) || bavail * bsize < least) return noRoom();
  if (ofMemory.test(said))
    return new ServiceError('too_large', 'The export needs more memory than a conversion may have');
  const why = errors[0] === undefined ? count : withoutPaths(errors[0]).slice(0, 200);
  return new ServiceError('export_failed', `The export could not be written: ${why}`);
}
