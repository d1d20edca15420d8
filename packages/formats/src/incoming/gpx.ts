import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { createXmlDecoder, xmlEncoding } from '../readers/kml/xml-decoder.js';
import { fileHead } from './datasets.js';

/**
 * Makes UTF-8 of a GPX file in another encoding, of which GDAL knows hardly any. `given`: an encoding that takes precedence over
 * the declared one. Throws `import_failed` for an unknown encoding.
 */
export async function makeUtf8(path: string, given: string | undefined): Promise<void> {
  const encoding = given ?? xmlEncoding(await fileHead(path));
  if (encoding === 'utf-8') return;
  const decoder = createXmlDecoder(encoding, () => {});
  const copy = `${path}.utf8`;
  await pipeline(
    createReadStream(path),
    async function* (chunks: AsyncIterable<Buffer>) {
      let isBegun = false;
      const next = (text: string): string => {
        const isFirst = !isBegun && text !== '';
        isBegun ||= isFirst;
        return isFirst ? withoutDeclaration(text) : text;
      };
      for await (const chunk of chunks) yield next(decoder.write(chunk));
      yield next(decoder.end());
    },
    createWriteStream(copy),
  );
  await rename(copy, path);
}

/** Without a declaration XML is in UTF-8. */
const withoutDeclaration = (text: string): string => text.replace(/^\ufeff?\s*<\?xml[^>]*\?>/, '');

/** Bytes of a file that are read at once, in whole elements. */
const portion = 1024 * 1024;

/** The positions and heights of points (GPX 1.1, wptType). */
const placed = /<(?:\w+:)?(?:wpt|rtept|trkpt)\b[^<>]*>|<(?:\w+:)?ele>[^<>]*/g;
const coordinate = /(\s(?:lat|lon)\s*=\s*["']|ele>)([^"'<>]*)/g;
const number = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i;

/**
 * Makes points of decimal commas in coordinates, in place: of `60,5` GDAL takes 60, and 0 of what is no number. Throws
 * `import_failed` for such a longitude or latitude.
 */
export async function mendCoordinates(path: string, name: string): Promise<void> {
  const mended = (whole: string, before: string, text: string): string => {
    const withPoint = text.replace(',', '.');
    if (number.test(withPoint)) return before + withPoint;
    if (before === 'ele>') return whole;
    const reason = noteOf('noCoordinate', { text: text.slice(0, 50) });
    throw new ServiceError('import_failed', `'${name.slice(0, 100)}': ${reason}`);
  };
  const file = await open(path, 'r+');
  try {
    const buffer = Buffer.alloc(portion);
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, portion, at);
      if (!bytesRead) return;
      const isLast = bytesRead < portion;
      const size = isLast ? bytesRead : Math.max(buffer.lastIndexOf('<', bytesRead - 1), 0) || bytesRead;
      const text = buffer.toString('latin1', 0, size);
      const other = text.replace(placed, (element) => element.replace(coordinate, mended));
      if (other !== text) await file.write(Buffer.from(other, 'latin1'), 0, size, at);
      at += size;
    }
  } finally {
    await file.close();
  }
}
