import { ServiceError } from '@cartulary/errors';
import { wideEncoding } from '../encodings/wide.js';
import { createRecordReader, type Dialect, type TextRecord } from './records.js';

/** Number of bytes at the beginning from which the dialect is detected. */
export const headSize = 64 * 1024;

/** In order of preference, where several of them give a table. */
const candidates = ['\t', ';', '|', ','] as const;

/** Number of records at the beginning that are examined. */
const enough = 300;

const noLimits = {
  columns: Number.POSITIVE_INFINITY,
  cell: Number.POSITIVE_INFINITY,
  record: Number.POSITIVE_INFINITY,
};

/**
 * Parses the records of the beginning in a dialect. The last record may be cut off and is left out, unless it is the
 * only one.
 */
function recordsOf(head: string, dialect: Dialect, isWhole: boolean): TextRecord[] {
  const reader = createRecordReader(dialect, noLimits);
  const records = reader.push(head);
  try {
    if (isWhole || !records.length) records.push(...reader.end());
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  return records.slice(0, enough);
}

/** Minimum share of records with the most common number of cells for which a text is a table. */
const least = 0.3;

/** Minimum share of records with at least as many cells as the first one for which a text is a table, and how that is rated. */
const leastWide = 0.9;
const wideLikeness = 0.31;

/**
 * Rates how well records form a table: the share of those with the most common number of cells, halved if the first
 * record has another number. Texts with the delimiter and without quotation marks make records wider than the first one.
 */
function likeness(records: readonly TextRecord[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  let [usual, most] = [1, 0];
  for (const [length, count] of counts) if (length > 1 && count > most) [usual, most] = [length, count];
  const clean = records.filter(({ problem }) => !problem).length;
  const width = records[0]?.cells.length ?? 0;
  const score = records.length
    ? (most / records.length) * (clean / records.length) * (width === usual ? 1 : 0.5)
    : 0;
  const wide = records.filter(({ cells }) => cells.length >= width).length;
  return width > 2 && wide >= leastWide * records.length ? Math.max(score, wideLikeness) : score;
}

/**
 * Detects the dialect from the beginning of a text (`isWhole`: all of it). `delimiter` is undefined if none gives a
 * table: the text may have one column.
 */
export function dialectOf(
  head: string,
  { isWhole, given }: { isWhole: boolean; given?: string | undefined },
): { delimiter: string | undefined; quoting: Dialect['quoting'] } {
  const escapes = head.includes('\\"') ? (['doubled', 'backslash'] as const) : (['doubled'] as const);
  let best: { delimiter: string | undefined; quoting: Dialect['quoting']; score: number } = {
    delimiter: given,
    quoting: 'doubled',
    score: given === undefined ? least : 0,
  };
  for (const quoting of escapes) {
    for (const delimiter of given === undefined ? candidates : [given]) {
      const score = likeness(recordsOf(head, { delimiter, quoting }, isWhole));
      if (score > best.score) best = { delimiter, quoting, score };
    }
  }
  return best;
}

/** The delimiter that a first line `sep=;` declares, as spreadsheets write it, and the text after that line. */
export function withoutHint(head: string): { rest: string; delimiter: string | undefined } {
  const hint = /^sep=([;,\t|])\r?\n/i.exec(head);
  return hint
    ? { rest: head.slice(hint[0].length), delimiter: hint[1] }
    : { rest: head, delimiter: undefined };
}

/**
 * The text after the comments of its first lines, and their number: lines that begin with `#` and have more or fewer cells than the
 * table below them. One with as many cells holds the names of the columns.
 */
export function withoutComments(text: string, given: string | undefined): { rest: string; lines: string[] } {
  const none = { rest: text, lines: [] };
  const above = /^#[^\r\n]*[\r\n]+(?:#[^\r\n]*[\r\n]+)*/.exec(text)?.[0];
  if (above === undefined) return none;
  const table = text.slice(above.length, above.length + headSize);
  const { delimiter, quoting } = dialectOf(table, { isWhole: false, given });
  const width = delimiter ? (recordsOf(table, { delimiter, quoting }, true)[0]?.cells.length ?? 0) : 0;
  if (!delimiter || width < 2) return none;
  const all = above.match(/[^\r\n]*(?:\r\n?|\n)/g) ?? [];
  const names = all.findIndex((line) => line.split(delimiter).length === width);
  const lines = names === -1 ? all : all.slice(0, names);
  return { rest: text.slice(lines.join('').length), lines };
}

/** Minimum share of records with the most common number of cells for which a text without a table's extension is a table. */
const certain = 0.8;

/** Whether the first bytes of a file are a table of at least two columns and two lines. */
export function looksLikeTable(head: Buffer): boolean {
  if (!looksLikeText(head)) return false;
  const text = wideEncoding(head) ? head.toString('latin1').replaceAll('\0', '') : head.toString('latin1');
  const { rest: all, delimiter: given } = withoutHint(
    text.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, ''),
  );
  const { rest } = withoutComments(all, given);
  const { delimiter, quoting } = dialectOf(rest, { isWhole: false, given });
  if (delimiter === undefined) return false;
  const records = recordsOf(`${rest}\n`, { delimiter, quoting }, false);
  return records.length > 1 && likeness(records.length > 2 ? records.slice(0, -1) : records) >= certain;
}

/** Maximum share of zeros among the bytes of a text. A stray zero is reported with its row. */
const mostZeros = 0.02;

/** Whether bytes may be text: they contain almost no zeros, unless they are UTF-16. */
export function looksLikeText(head: Buffer): boolean {
  if (wideEncoding(head)) return true;
  let zeros = 0;
  for (const byte of head) if (byte === 0) zeros++;
  return zeros <= head.length * mostZeros;
}
