import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
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
