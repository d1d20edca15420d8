import { ServiceError } from '../../errors.js';
import { jobFolder } from './gdal.js';
import type { Report } from './orders.js';

/** What GDAL says, by a pattern, in words for who sent the file. */
const sentences: readonly [RegExp, string][] = [
  [
    /bad_alloc|out of memory|memory limit|cannot allocate|malloc/i,
    'it needs more memory than an import may have',
  ],
  [/no space left|ENOSPC/i, 'the disk of the service is full'],
  [
    /fread|unexpected end|truncated|eof|corrupt|Failure reading|too short|read error/i,
    'it is cut off or damaged',
  ],
  [/not recogni[sz]ed as (?:being in )?a supported file format/i, 'it is damaged, or not of this format'],
];

/** A failure of GDAL as an error: the file by the name that the user gave it, and no path. */
export function engineFailure({ errors }: Report, name: string): ServiceError {
  const said = errors.join('; ');
  const sentence = sentences.find(([pattern]) => pattern.test(said))?.[1];
  const detail = (errors[0] ?? '')
    .replaceAll(/\/job\/\d+\.(\w+)/g, '.$1')
    .replaceAll(jobFolder, '')
    .slice(0, 300);
  const why = sentence && detail ? `${sentence} (${detail})` : (sentence ?? (detail || 'it is damaged'));
  return new ServiceError('import_failed', `'${name.slice(0, 100)}' could not be read: ${why}`);
}
