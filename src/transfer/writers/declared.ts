import iconv from 'iconv-lite';
import { encodable } from '../readers/encodings.js';
import {
  fieldsFile,
  fieldsHead,
  geometryCode,
  ownRecord,
  wholeFile,
  wholeHead,
} from '../readers/own-archive.js';
import type { OutField } from './fields.js';
import type { Target } from './targets.js';

/** What a format could not hold, to be told in files beside the data: an import of the archive puts it back. */
export interface Declared {
  /** A value as the format holds it. */
  fitted(id: number, field: OutField, value: unknown): unknown;
  /** A geometry was taken apart, or lost its heights: it is whole in GeoJSON. */
  reshaped(id: number, geometry: string): void;
  /** Values that are not in the data as they are. */
  changed(): number;
  /** Names and contents. */
  files(): { name: string; text: string }[];
}

/** How a format with fixed columns changes values. */
export type Holding = Pick<Target, 'textLimit' | 'limits'> & Partial<Pick<Target, 'read'>>;

/** Where the lines of the list of whole values go; undefined: into memory, so far as there is room. */
export type Sink = ((line: string) => void) | undefined;

/** Most characters of a list in memory. */
const mostCharacters = 32 * 1024 * 1024;

const mark = '\ufeff';

export function createDeclared(
  target: Holding,
  fields: readonly OutField[],
  { names, encoding, sink }: { names: readonly string[]; encoding: string; sink?: Sink },
): Declared {
  let list = '';
  const counts = { changed: 0, listed: 0, cut: 0, strange: 0, geometries: 0 };
  const keep = (id: number, code: string, values: { whole: unknown; written: unknown }): void => {
    counts.changed++;
    const text = ownRecord([id, code, values.whole, values.written ?? '']);
    if (!sink && list.length + text.length > mostCharacters) return;
    const before = counts.listed++ ? '' : mark + ownRecord(wholeHead);
    if (sink) sink(before + text);
    else list += before + text;
  };
  const fittedText = (id: number, { key, type }: OutField, text: string): string => {
    const { text: written, isWhole } = encodable(text, encoding);
    const cut = target.textLimit === undefined ? written : cutTo(written, encoding, target.textLimit);
    if (cut !== written) counts.cut++;
    if (!isWhole) counts.strange++;
    const isHeld = cut === text && (!target.read || target.read(text, type) === text);
    if (!isHeld) keep(id, key, { whole: text, written: cut });
    return cut;
  };
  return {
    fitted(id, field, value) {
      const { key, type } = field;
      if (typeof value === 'string' && type !== 'datetime') return fittedText(id, field, value);
      const read = target.read ? target.read(value, type) : value;
      if (read !== value)
        keep(id, key, { whole: value, written: typeof read === 'boolean' ? Number(read) : read });
      return value;
    },
    reshaped(id, geometry) {
      counts.geometries++;
      keep(id, geometryCode, { whole: geometry, written: '' });
    },
    changed: () => counts.changed,
    files() {
      const rows = fields.map(({ key, title, type }, i) => [names[i], key, title, type]);
      const lines = [
        `Texts are in the encoding ${encoding}, coordinates are longitude and latitude (EPSG:4326).`,
        target.limits,
        `${fieldsFile}: the names of the columns here, their codes and titles.`,
        ...(counts.geometries
          ? [
              `${counts.geometries} geometries were taken apart or lost heights; the first row of each has its svc_id, the others have it with a minus.`,
            ]
          : []),
        ...(counts.cut ? [`${counts.cut} texts were cut to ${target.textLimit} bytes.`] : []),
        ...(counts.strange
          ? [`${counts.strange} texts have characters that ${encoding} has not ("?").`]
          : []),
        ...(counts.changed
          ? [
              `${wholeFile} has ${counts.listed < counts.changed ? `${counts.listed} of ${counts.changed}` : `all ${counts.changed}`} values that this format changes, as they are, and as they stand here. An import of this archive puts them back where they were not changed since.`,
            ]
          : []),
      ];
      const files = [
        { name: 'README.txt', text: `${lines.filter(Boolean).join('\r\n')}\r\n` },
        { name: fieldsFile, text: mark + [fieldsHead, ...rows].map(ownRecord).join('') },
      ];
      return list ? [...files, { name: wholeFile, text: list }] : files;
    },
  };
}

/** The beginning of a text that takes at most so many bytes, whole characters. */
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
