import iconv from 'iconv-lite';
import { badRequest } from '../../errors.js';
import type { ObjectRow } from '../../objects/store.js';
import type { WriterOptions } from '../geojson-writer.js';
import { parseEncoding } from '../readers/encodings.js';
import { createDeclared, type Declared } from './declared.js';
import { idField, outFields } from './fields.js';
import type { TextWriter } from './text.js';

/** Delimiters by the name of their dialect. All quote alike (RFC 4180): `"` around, doubled within. */
const delimiters = { semicolon: ';', comma: ',', tab: '\t' } as const;

/** The delimiter of a dialect, `semicolon` where none is named. Throws 400 naming those that there are. */
export function csvDelimiter(dialect: string | undefined): string {
  const name = dialect || 'semicolon';
  if (Object.hasOwn(delimiters, name)) return delimiters[name as keyof typeof delimiters];
  throw badRequest(`dialect: '${name.slice(0, 50)}' is none of ${Object.keys(delimiters).join(', ')}`, {
    parameters: ['dialect'],
  });
}

export interface CsvEncoding {
  name: string;
  /** What the file begins with. */
  mark: string;
  encode(text: string): string | Buffer;
}

/** An encoding that a CSV file is written in: `utf-8-sig` (`utf-8-bom`) begins with the mark that Excel knows UTF-8 by. Throws 400. */
export function csvEncoding(name: string | undefined): CsvEncoding {
  const isMarked = /^utf-?8-(sig|bom)$/i.test(name?.trim() ?? '');
  const encoding = isMarked || !name ? 'utf-8' : parseEncoding(name);
  if (encoding === 'utf-8') {
    return { name: encoding, mark: isMarked ? '\ufeff' : '', encode: (text) => text };
  }
  return { name: encoding, mark: '', encode: (text) => iconv.encode(text, encoding) };
}

export interface CsvWriter extends TextWriter {
  /** What the encoding could not hold. */
  declared: Declared;
}

/**
 * Writes a line per object: `svc_id`, the columns by their codes, `geom` as WKT. No value is an empty field and an
 * empty text is `""`. Texts stand as they are, also those that a spreadsheet would take for a formula: who reads
 * data wants data.
 */
export function createCsvWriter(options: WriterOptions, delimiter: string, encoding: CsvEncoding): CsvWriter {
  const fields = outFields(options);
  const names = [idField, ...fields].map(({ key }) => key);
  const target = { textLimit: undefined, limits: 'The column geom has the geometries as WKT.' };
  const declared = createDeclared(target, [idField, ...fields], { names, encoding: encoding.name });
  // Blanks at the ends too: some programs take them away else.
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
    // WKT has commas, and is long: looking for anything else in it is not needed.
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
