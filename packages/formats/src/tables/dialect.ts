import { ServiceError } from '../../errors.js';
import { createRecordReader, type Dialect, type TextRecord } from './records.js';

/** In the order in which they are preferred where a text is a table with each of them. */
const candidates = ['\t', ';', '|', ','] as const;

/** Records of the beginning that are looked at. */
const enough = 300;

const noLimits = {
  columns: Number.POSITIVE_INFINITY,
  cell: Number.POSITIVE_INFINITY,
  record: Number.POSITIVE_INFINITY,
};

/** The records of the beginning of a text in a dialect; the last one may be cut off and is left out, unless it is the only one. */
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

/** How well records form a table: the share of those with the usual number of cells, half where the first is not one of them. */
function likeness(records: readonly TextRecord[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  let [usual, most] = [1, 0];
  for (const [length, count] of counts) if (length > 1 && count > most) [usual, most] = [length, count];
  const clean = records.filter(({ problem }) => !problem).length;
  const isFirst = records[0]?.cells.length === usual;
  return records.length ? (most / records.length) * (clean / records.length) * (isFirst ? 1 : 0.5) : 0;
}

/** Share of records with as many cells as most have, below which a text is no table. */
const least = 0.3;

/**
 * How a text is written, by its beginning (`isWhole`: all of it). `delimiter` is undefined where none makes a table of
 * it: it may have one column.
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

/** The delimiter that a first line `sep=;` names, which spreadsheets write and understand, and the text behind that line. */
export function withoutHint(head: string): { rest: string; delimiter: string | undefined } {
  const hint = /^sep=([;,\t|])\r?\n/i.exec(head);
  return hint
    ? { rest: head.slice(hint[0].length), delimiter: hint[1] }
    : { rest: head, delimiter: undefined };
}

/** Share of records with as many cells as most have, above which a text whose name does not say so is a table. */
const certain = 0.8;

/** Whether the first bytes of a file are a table of two columns and two lines at least. */
export function looksLikeTable(head: Buffer): boolean {
  if (!isText(head)) return false;
  const isWide = head[0] === 0xff || head[0] === 0xfe;
  const text = isWide ? head.toString('latin1').replaceAll('\0', '') : head.toString('latin1');
  const { rest, delimiter: given } = withoutHint(text.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, ''));
  const { delimiter, quoting } = dialectOf(rest, { isWhole: false, given });
  if (delimiter === undefined) return false;
  const records = recordsOf(`${rest}\n`, { delimiter, quoting }, false);
  return records.length > 1 && likeness(records.length > 2 ? records.slice(0, -1) : records) >= certain;
}

/** Most zeros among bytes that are text: one that got there by mistake is found in its row. */
const mostZeros = 0.02;

/** Whether bytes may be text: they hold hardly any zeros, unless a mark says that it is UTF-16. */
export function isText(head: Buffer): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  let zeros = 0;
  for (const byte of head) if (byte === 0) zeros++;
  return zeros <= head.length * mostZeros;
}
