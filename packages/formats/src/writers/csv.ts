import type { ObjectRow } from '@cartulary/columns';
import { badRequest } from '@cartulary/errors';
import iconv from 'iconv-lite';
import { parseEncoding } from '../encodings/encodings.js';
import { Declared } from './declared.js';
import type { WriterOptions } from './fields.js';
import { exportFields, idField } from './fields.js';
import type { TextWriter } from './text.js';

/** Delimiters by the name of their dialect. All dialects quote by RFC 4180: `"` around a value, doubled within. */
const delimiters = { semicolon: ';', comma: ',', tab: '\t' } as const;

/** The delimiter of a dialect; default `semicolon`. Throws 400 that names the dialects. */
export function csvDelimiter(dialect: string | undefined): string {
  const name = dialect || 'semicolon';
  if (Object.hasOwn(delimiters, name)) return delimiters[name as keyof typeof delimiters];
  throw badRequest(`dialect: '${name.slice(0, 50)}' is none of ${Object.keys(delimiters).join(', ')}`, {
    parameters: ['dialect'],
  });
}

export interface CsvEncoding {
  name: string;
  /** The byte order mark, if there is one. */
  mark: string;
  encode(text: string): string | Buffer;
}

/**
 * The encoding of a CSV export. `utf-8-sig` (`utf-8-bom`) begins with the byte order mark by which Excel recognizes
 * UTF-8. Throws 400.
 */
export function csvEncoding(name: string | undefined): CsvEncoding {
  const isMarked = /^utf-?8-(sig|bom)$/i.test(name?.trim() ?? '');
  const encoding = isMarked || !name ? 'utf-8' : parseEncoding(name);
  if (encoding === 'utf-8') {
    return { name: encoding, mark: isMarked ? '\ufeff' : '', encode: (text) => text };
  }
  return { name: encoding, mark: '', encode: (text) => iconv.encode(text, encoding) };
}

export interface CsvWriter extends TextWriter {
  /** Counts the texts that the encoding cannot represent. */
  declared: Declared;
}

/**
 * Writes one line per object: `svc_id`, the columns by code, `geom` as WKT. Null is an empty field, an empty text is
 * `""`. Texts are unchanged, even if a spreadsheet would read them as a formula, because the export must be lossless.
 */
export function createCsvWriter(options: WriterOptions, delimiter: string, encoding: CsvEncoding): CsvWriter {
  const fields = exportFields(options);
  const names = [idField, ...fields].map(({ key }) => key);
  const target = { textLimit: undefined, limits: 'The column geom has the geometries as WKT.' };
  const declared = new Declared(target, [idField, ...fields], { names, encoding: encoding.name });
  // Values with outer blanks are quoted, because some programs would trim them.
  const special = new RegExp(`[${delimiter}"\r\n]|^\\s|\\s$|^$`);
  const quoted = (text: string): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const write = ({ id, geom, values }: ObjectRow): string => {
    let line = String(id);
    for (const field of fields) {
      const value = field.value(values);
      line += delimiter;
      if (typeof value === 'string') line += quoted(String(declared.fitted(id, field, value)));
      else if (value !== null) line += value;
    }
    // WKT always has commas, so it is quoted without a check.
    const shape = geom === null ? '' : delimiter === ',' ? `"${geom}"` : geom;
    return line + delimiter + shape;
  };
  return {
    head: `${encoding.mark}${[...names, 'geom'].map(quoted).join(delimiter)}\r\n`,
    write,
    separator: '\r\n',
    tail: '\r\n',
    declared,
  };
}
