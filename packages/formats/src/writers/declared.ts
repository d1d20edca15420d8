import iconv from 'iconv-lite';
import { encodable } from '../encodings/encodings.js';
import {
  fieldsFile,
  fieldsHead,
  geometryCode,
  ownRecord,
  wholeFile,
  wholeHead,
} from '../own-exports/own-archive.js';
import type { OutField } from './fields.js';
import type { FormatTarget } from './targets.js';

/** How a format with fixed columns changes values. */
export type ValueChanges = Pick<FormatTarget, 'textLimit' | 'limits'> & Partial<Pick<FormatTarget, 'read'>>;

/** Receives the lines of the list of original values; undefined: they stay in memory, up to a limit. */
export type LineSink = ((line: string) => void) | undefined;

/** Maximum characters of the list in memory. */
const listLimit = 32 * 1024 * 1024;

const byteOrderMark = '\ufeff';

interface DeclaredOptions {
  /** Names of the fields in the format. */
  names: readonly string[];
  encoding: string;
  sink?: LineSink;
}

/** Collects the original values that a format changes, for files beside the data. An import of the archive restores them. */
export class Declared {
  readonly #target: ValueChanges;
  readonly #fields: readonly OutField[];
  readonly #names: readonly string[];
  readonly #encoding: string;
  readonly #sink: LineSink;
  readonly #counts = { changed: 0, listed: 0, cut: 0, unencodable: 0, geometries: 0 };
  /** The list, if there is no `sink`. */
  #list = '';

  constructor(target: ValueChanges, fields: readonly OutField[], { names, encoding, sink }: DeclaredOptions) {
    this.#target = target;
    this.#fields = fields;
    this.#names = names;
    this.#encoding = encoding;
    this.#sink = sink;
  }

  /** The form of a value that the format can represent. */
  fitted(id: number, field: OutField, value: unknown): unknown {
    const { key, type } = field;
    if (typeof value === 'string' && type !== 'datetime') return this.#fittedText(id, field, value);
    const read = this.#target.read ? this.#target.read(value, type) : value;
    if (read !== value)
      this.#keep(id, key, { whole: value, written: typeof read === 'boolean' ? Number(read) : read });
    return value;
  }

  /** Stores the GeoJSON of a geometry that was divided, or lost its heights. */
  reshaped(id: number, geometry: string): void {
    this.#counts.geometries++;
    this.#keep(id, geometryCode, { whole: geometry, written: '' });
  }

  /** Number of values that the format changes. */
  readonly changed = (): number => this.#counts.changed;

  /** Names and contents of the files beside the data. */
  files(): { name: string; text: string }[] {
    const rows = this.#fields.map(({ key, title, type }, i) => [this.#names[i], key, title, type]);
    const lines = [
      `Texts are in the encoding ${this.#encoding}, coordinates are longitude and latitude (EPSG:4326).`,
      this.#target.limits,
      `${fieldsFile}: the names of the columns here, their codes and titles.`,
      ...this.#changeLines(),
    ];
    const files = [
      { name: 'README.txt', text: `${lines.filter(Boolean).join('\r\n')}\r\n` },
      { name: fieldsFile, text: byteOrderMark + [fieldsHead, ...rows].map(ownRecord).join('') },
    ];
    return this.#list ? [...files, { name: wholeFile, text: this.#list }] : files;
  }

  #changeLines(): string[] {
    const { changed, listed, cut, unencodable, geometries } = this.#counts;
    const lines: string[] = [];
    if (geometries)
      lines.push(
        `${geometries} geometries were taken apart or lost heights; the first row of each has its svc_id, the others have it with a minus.`,
      );
    if (cut) lines.push(`${cut} texts were cut to ${this.#target.textLimit} bytes.`);
    if (unencodable) lines.push(`${unencodable} texts have characters that ${this.#encoding} has not ("?").`);
    if (changed)
      lines.push(
        `${wholeFile} has ${listed < changed ? `${listed} of ${changed}` : `all ${changed}`} values that this format changes, as they are, and as they stand here. An import of this archive puts them back where they were not changed since.`,
      );
    return lines;
  }

  #fittedText(id: number, { key, type }: OutField, text: string): string {
    const { textLimit, read } = this.#target;
    const { text: written, isWhole } = encodable(text, this.#encoding);
    const cut = textLimit === undefined ? written : cutTo(written, this.#encoding, textLimit);
    if (cut !== written) this.#counts.cut++;
    if (!isWhole) this.#counts.unencodable++;
    const isHeld = cut === text && (!read || read(text, type) === text);
    if (!isHeld) this.#keep(id, key, { whole: text, written: cut });
    return cut;
  }

  #keep(id: number, code: string, values: { whole: unknown; written: unknown }): void {
    this.#counts.changed++;
    const text = ownRecord([id, code, values.whole, values.written ?? '']);
    if (!this.#sink && this.#list.length + text.length > listLimit) return;
    const head = this.#counts.listed++ ? '' : byteOrderMark + ownRecord(wholeHead);
    if (this.#sink) this.#sink(head + text);
    else this.#list += head + text;
  }
}

/** The longest prefix of a text, in whole characters, that takes at most `bytes` in an encoding. */
function cutTo(text: string, encoding: string, bytes: number): string {
  if (text.length * 4 <= bytes || iconv.encode(text, encoding).length <= bytes) return text;
  let cut = '';
  let size = 0;
  for (const character of text) {
    size += iconv.encode(character, encoding).length;
    if (size > bytes) break;
    cut += character;
  }
  return cut;
}
