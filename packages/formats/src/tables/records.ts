import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { Finder } from './finder.js';
import type { TableLimits } from './rules.js';

/** The dialect of records. Quotation marks within quotes are doubled, or preceded by a backslash. */
export interface Dialect {
  delimiter: string;
  quoting: 'doubled' | 'backslash';
}

/** A record of delimited text (RFC 4180). */
export interface TextRecord {
  cells: string[];
  /** Line of its first character, from 1. */
  line: number;
  /** Why its cells are unreliable. */
  problem?: string;
  /** Indexes of empty quoted cells, if there are any. */
  emptyTexts?: number[];
}

export interface RecordReader {
  /** Returns the records that are complete with this text, without empty lines. */
  push(text: string): TextRecord[];
  /** Returns the last record. Throws if the text ends within quotes. */
  end(): TextRecord[];
}

export interface RecordLimits extends Pick<TableLimits, 'columns' | 'cell'> {
  /** Maximum number of characters of a record. */
  record: number;
}

const quote = 0x22;
const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tab = 0x09;

interface Scan {
  readonly dialect: Dialect;
  readonly limits: RecordLimits;
  text: string;
  at: number;
  line: number;
  isEnd: boolean;
  readonly delimiters: Finder;
  readonly quotes: Finder;
  readonly feeds: Finder;
  readonly returns: Finder;
}

/**
 * Divides a stream of text into records. Lines end with LF, CR or both, also within quotes. A record with text after a
 * closing quotation mark ends with its line and has a problem. Throws `too_large`, `import_failed` with the line.
 */
export function createRecordReader(dialect: Dialect, limits: RecordLimits): RecordReader {
  const scan: Scan = {
    dialect,
    limits,
    text: '',
    at: 0,
    line: 1,
    isEnd: false,
    delimiters: new Finder(dialect.delimiter),
    quotes: new Finder('"'),
    feeds: new Finder('\n'),
    returns: new Finder('\r'),
  };
  return {
    push: (text) => takeRecords(scan, text),
    end() {
      scan.isEnd = true;
      return takeRecords(scan, '');
    },
  };
}

function takeRecords(scan: Scan, more: string): TextRecord[] {
  scan.text = scan.at < scan.text.length ? scan.text.slice(scan.at) + more : more;
  scan.at = 0;
  for (const finder of [scan.delimiters, scan.quotes, scan.feeds, scan.returns]) finder.reset(scan.text);
  const records: TextRecord[] = [];
  while (scan.at < scan.text.length) {
    const start = scan.at;
    const record = nextRecord(scan);
    if (!record) {
      scan.at = start;
      break;
    }
    if (record.cells.length > scan.limits.columns) throw tooManyColumns(scan, record.line);
    if (record.cells.length > 1 || record.cells[0] || record.problem) records.push(record);
  }
  if (scan.text.length - scan.at > scan.limits.record) {
    throw tooLarge(scan.line, `the record is longer than ${scan.limits.record} characters`);
  }
  return records;
}

const tooLarge = (line: number, why: string): ServiceError =>
  new ServiceError('too_large', `Line ${line}: ${why}`, { line });

const tooManyColumns = ({ limits }: Scan, line: number): ServiceError =>
  tooLarge(line, `there are more than ${limits.columns} columns`);

/** The end of the current line: index of its first line break character; undefined if it has not arrived yet. */
function lineEnd(scan: Scan, from: number): number | undefined {
  const end = Math.min(scan.feeds.next(from), scan.returns.next(from));
  // A CR at the end of the text may have its LF in the next chunk.
  const isThere = end < scan.text.length - (scan.text.charCodeAt(end) === carriageReturn ? 1 : 0);
  return isThere || scan.isEnd ? end : undefined;
}

/** Moves past the line break at this position. */
function passLineEnd(scan: Scan, end: number): void {
  const { text } = scan;
  const isBoth = text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === lineFeed;
  scan.at = end + (isBoth ? 2 : 1);
  scan.line++;
}

function nextRecord(scan: Scan): TextRecord | undefined {
  const { text, at, line, dialect } = scan;
  const end = lineEnd(scan, at);
  if (scan.quotes.next(at) > (end ?? text.length)) {
    if (end === undefined) return undefined;
    const cells = text.slice(at, end).split(dialect.delimiter);
    passLineEnd(scan, end);
    for (const cell of cells) if (cell.length > scan.limits.cell) throw longCell(scan, line);
    return { cells, line };
  }
  return quotedRecord(scan);
}

const longCell = ({ limits }: Scan, line: number): ServiceError =>
  tooLarge(line, `a cell is longer than ${limits.cell} characters; is a quotation mark not closed?`);

/** Parses a record with quotation marks; undefined if its end has not arrived yet. */
function quotedRecord(scan: Scan): TextRecord | undefined {
  const { text, line, dialect, limits } = scan;
  const cells: string[] = [];
  const emptyTexts: number[] = [];
  for (let at = scan.at; ; ) {
    const quoteMark = quoteAt(scan, at);
    const cell = quoteMark === -1 ? plainCell(scan, at) : quotedCell(scan, quoteMark);
    if (!cell) return undefined;
    if (quoteMark !== -1 && cell.value === '') emptyTexts.push(cells.length);
    if (cell.value.length > limits.cell) throw longCell(scan, line);
    if (cells.push(cell.value) > limits.columns) throw tooManyColumns(scan, line);
    if (cell.problem || text.charCodeAt(cell.end) !== dialect.delimiter.charCodeAt(0)) {
      // After a problem the rest of the line cannot be divided reliably.
      const end = cell.problem ? lineEnd(scan, cell.end) : cell.end;
      if (end === undefined) return undefined;
      scan.line += breaksIn(cells);
      passLineEnd(scan, end);
      if (cell.problem) return { cells, line, problem: cell.problem };
      return emptyTexts.length ? { cells, line, emptyTexts } : { cells, line };
    }
    at = cell.end + 1;
  }
}

/** Number of line breaks within the cells. */
function breaksIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) count += cell.match(/\r\n?|\n/g)!.length;
  }
  return count;
}

/** Index of the quotation mark with which a cell begins; -1: it is not quoted. */
function quoteAt({ text, dialect }: Scan, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === space || code === tab; code = text.charCodeAt(++at)) {
    if (code === dialect.delimiter.charCodeAt(0)) return -1;
  }
  return text.charCodeAt(at) === quote ? at : -1;
}

interface FoundCell {
  value: string;
  /** Index after the cell: of a delimiter, the end of the line, or an unexpected character. */
  end: number;
  problem?: string;
}

function plainCell(scan: Scan, at: number): FoundCell | undefined {
  const end = lineEnd(scan, at);
  const delimiter = scan.delimiters.next(at);
  if (delimiter < (end ?? scan.text.length)) return { value: scan.text.slice(at, delimiter), end: delimiter };
  return end === undefined ? undefined : { value: scan.text.slice(at, end), end };
}

/** Parses the cell that begins with the quotation mark here. */
function quotedCell(scan: Scan, from: number): FoundCell | undefined {
  const { text, dialect, limits } = scan;
  let isEscaped = false;
  for (let at = from + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return unclosed(scan, from);
    if (at - from > limits.cell) throw longCell(scan, scan.line);
    const isSlashed = slashesBefore(text, at, from) % 2 === 1;
    if (isSlashed && dialect.quoting === 'backslash') {
      isEscaped = true;
      continue;
    }
    if (at + 1 >= text.length && !scan.isEnd) return undefined;
    if (text.charCodeAt(at + 1) === quote) {
      isEscaped = true;
      at++;
      continue;
    }
    const end = closingEnd(scan, at + 1);
    if (end === undefined) return undefined;
    const value = text.slice(from + 1, at);
    if (end !== -1) {
      const isPlain = !isEscaped && (dialect.quoting === 'doubled' || !value.includes('\\'));
      return { value: isPlain ? value : unescaped(value, dialect), end };
    }
    const found = JSON.stringify(text.slice(at + 1, at + 11).trim());
    return { value, end: at + 1, problem: noteOf('quoteInside', { found }) };
  }
}

/**
 * Where the cell ends that a quotation mark before this index closes; -1 if something else follows, undefined if that
 * has not arrived yet.
 */
function closingEnd({ text, dialect, isEnd }: Scan, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === dialect.delimiter.charCodeAt(0) || code === lineFeed) return at;
    if (code === carriageReturn) return at + 1 < text.length || isEnd ? at : undefined;
    if (code !== space && code !== tab) return -1;
  }
  return isEnd ? text.length : undefined;
}

/** Throws at the end of the text or above the limit of a cell. */
function unclosed(scan: Scan, from: number): undefined {
  const { text, line, limits, isEnd } = scan;
  if (text.length - from > limits.cell) throw longCell(scan, line);
  if (!isEnd) return undefined;
  throw new ServiceError('import_failed', noteOf('openQuote', { line }), { line });
}

function slashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - 1 - count > from && text.charCodeAt(at - 1 - count) === backslash) count++;
  return count;
}

const unescaped = (value: string, { quoting }: Dialect): string =>
  quoting === 'backslash'
    ? value.replace(/\\(["\\])|""/g, (_, sign) => sign ?? '"')
    : value.replaceAll('""', '"');
