import iconv from 'iconv-lite';
import { encodable } from '../readers/encodings.js';
import type { OutField } from './fields.js';
import type { Target } from './targets.js';

/** What a format could not hold, to be told in files beside the data. */
export interface Declared {
  /** A text as the format holds it. */
  fitted(id: number, field: OutField, text: string): string;
  /** A geometry was taken apart. */
  taken(): void;
  /** Texts that are not in the data as they are. */
  changed(): number;
  /** Names and contents. */
  files(): { name: string; text: string }[];
}

/** Most lines of a list. */
const listed = 10_000;
/** Most characters of the texts that are kept whole. */
const mostCharacters = 32 * 1024 * 1024;

const cell = (value: unknown): string => `"${String(value).replaceAll('"', '""')}"`;
const csv = (rows: readonly (readonly unknown[])[]): string =>
  `\ufeff${rows.map((row) => row.map(cell).join(';')).join('\r\n')}\r\n`;

export function createDeclared(
  target: Pick<Target, 'textLimit' | 'limits'>,
  fields: readonly OutField[],
  { names, encoding }: { names: readonly string[]; encoding: string },
): Declared {
  const long: [id: number, column: string, text: string][] = [];
  let size = 0;
  const counts = { either: 0, long: 0, changed: 0, collections: 0 };
  return {
    fitted(id, { key }, text) {
      const { text: written, isWhole } = encodable(text, encoding);
      const cut = target.textLimit === undefined ? written : cutTo(written, encoding, target.textLimit);
      if (cut !== written || !isWhole) {
        // The whole text stands in a file of its own, so that nothing is lost.
        counts.either++;
        if (cut !== written) counts.long++;
        if (!isWhole) counts.changed++;
        size += text.length;
        if (long.length < listed && size <= mostCharacters) long.push([id, key, text]);
      }
      return cut;
    },
    taken: () => {
      counts.collections++;
    },
    changed: () => counts.either,
    files() {
      const rows = fields.map(({ key, title, type }, i) => [names[i], key, title, type]);
      const lines = [
        `Texts are in the encoding ${encoding}, coordinates are longitude and latitude (EPSG:4326).`,
        target.limits,
        'fields.csv: the names of the columns here, their codes and titles.',
        ...(counts.collections
          ? [`${counts.collections} geometries were taken apart; the first row of each has its svc_id.`]
          : []),
        ...(counts.long ? [`${counts.long} texts were cut to ${target.textLimit} bytes.`] : []),
        ...(counts.changed
          ? [`${counts.changed} texts have characters that ${encoding} has not ("?").`]
          : []),
        ...(counts.either
          ? [
              `whole_texts.csv has ${long.length < counts.either ? `${long.length} of ${counts.either}` : 'all'} of them as they are.`,
            ]
          : []),
      ];
      const files = [
        { name: 'README.txt', text: `${lines.join('\r\n')}\r\n` },
        { name: 'fields.csv', text: csv([['name', 'code', 'title', 'type'], ...rows]) },
      ];
      if (long.length)
        files.push({ name: 'whole_texts.csv', text: csv([['svc_id', 'code', 'text'], ...long]) });
      return files;
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
