import { ServiceError } from '@cartulary/errors';
import iconv from 'iconv-lite';
import { encodingNamed } from '../../encodings/encodings.js';

export interface XmlDecoder {
  write(chunk: Buffer): string;
  end(): string;
}

/** Number of bytes in which the encoding declaration is searched for. */
const headSize = 512;

/**
 * Decodes XML by the parameter, its byte order mark or its declaration, else as UTF-8 (XML 1.0, appendix F). Throws
 * `import_failed` for invalid UTF-8.
 */
export function createXmlDecoder(given: string | undefined, found: (encoding: string) => void): XmlDecoder {
  let head: Buffer = Buffer.alloc(0);
  let decode: ((chunk: Buffer, isLast: boolean) => string) | undefined;
  const begin = (): string => {
    const encoding = given ?? xmlEncoding(head);
    found(encoding);
    decode = encoding === 'utf-8' ? strictUtf8() : byIconv(encoding);
    return decode(head, false);
  };
  return {
    write(chunk) {
      if (decode) return decode(chunk, false);
      head = Buffer.concat([head, chunk]);
      return head.length >= headSize ? begin() : '';
    },
    end: () => (decode ? '' : begin()) + decode!(Buffer.alloc(0), true),
  };
}

/** The encoding of XML by its first bytes. Throws `import_failed` for a name that is not known. */
export function xmlEncoding(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const name = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/.exec(
    head.toString('latin1').replace('\xef\xbb\xbf', ''),
  )?.[1];
  if (name === undefined) return 'utf-8';
  const encoding = encodingNamed(name);
  if (encoding) return encoding;
  throw new ServiceError(
    'import_failed',
    `The XML declares the encoding '${name.slice(0, 50)}', which is not known`,
  );
}

function strictUtf8(): (chunk: Buffer, isLast: boolean) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (chunk, isLast) => {
    try {
      return decoder.decode(chunk, { stream: !isLast });
    } catch {
      throw new ServiceError(
        'import_failed',
        'The XML is not valid UTF-8, which it says it is; give encoding',
      );
    }
  };
}

function byIconv(encoding: string): (chunk: Buffer, isLast: boolean) => string {
  const decoder = iconv.getDecoder(encoding);
  return (chunk, isLast) => decoder.write(chunk) + (isLast ? (decoder.end() ?? '') : '');
}
