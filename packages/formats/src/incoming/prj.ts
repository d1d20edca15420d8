import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { parseSrs, wgs84 } from '@cartulary/geo';
import iconv from 'iconv-lite';
import { wideEncoding } from '../encodings/wide.js';
import { fileHead } from './datasets.js';

/** Longest definition that is read, characters. */
const longest = 20_000;

/** The text of a .prj, which some editors save with a byte order mark or in UTF-16; undefined if it is empty. */
export async function prjText(path: string): Promise<string | undefined> {
  const bytes = await fileHead(path, 4 * longest);
  const wide = wideEncoding(bytes);
  const text = wide ? iconv.decode(bytes, wide.encoding) : bytes.toString('latin1');
  return (
    text
      .slice(0, longest)
      .replace(/^\u00ef\u00bb\u00bf/, '')
      .trim() || undefined
  );
}

/** Whether a WKT describes a drawing or plan: metres from an unknown origin. */
export const isLocal = (text: string): boolean => /^\s*(?:LOCAL_CS|ENGCRS|ENGINEERINGCRS)\s*[[(]/i.test(text);

/** Whether a WKT 2 of GDAL is EPSG:4326 without its code, as from MapInfo. Such coordinates stay unchanged to the last digit. */
const isWgs84 = (text: string): boolean =>
  /^GEOGCRS\["[^"]*",\s*DATUM\["World Geodetic System 1984",\s*ELLIPSOID\["[^"]*",6378137,298\.257223563,/.test(
    text,
  ) && /PRIMEM\["Greenwich",0,\s*ANGLEUNIT\["degree",0\.0174532925199433\b/.test(text);

/**
 * The projection that a file names, in the form of `parseSrs`. Throws `import_failed` for one that cannot be
 * transformed, because reading it as longitude and latitude would misplace the objects.
 */
export function understood(text: string, name: string): string {
  if (isWgs84(text)) return wgs84;
  try {
    return parseSrs(text);
  } catch {
    throw isLocal(text)
      ? demandSrs(noteOf('planeCoordinates', { name: name.slice(0, 100) }))
      : notUnderstood(text, name);
  }
}

export const notUnderstood = (text: string, name: string): ServiceError =>
  demandSrs(noteOf('projectionNotUnderstood', { name: name.slice(0, 100), projection: text.slice(0, 80) }));

const demandSrs = (message: string): ServiceError =>
  new ServiceError('import_failed', message, { parameters: ['srs'] });
