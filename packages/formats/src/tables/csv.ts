import iconv from 'iconv-lite';
import { ServiceError } from '../../errors.js';
import type { FeatureReader } from '../geojson.js';
import { type Decode, isAscii } from '../readers/encodings.js';
import { createTextDecoder, type Decoded, type Found } from '../readers/held.js';
import { type Guess, sniffEncoding } from '../readers/sniff.js';
import { dialectOf, withoutHint } from './dialect.js';
import { createRecordReader, type RecordReader, type TextRecord } from './records.js';
import { createTable, type TableOptions, type TableRow } from './table.js';

export interface CsvOptions extends Omit<TableOptions, 'first'> {
  /** The number of its first row. */
  first: number;
  /** Bytes. */
  featureLimit: number;
  /** The encoding when it was given. */
  encoding: string | undefined;
  /** Told the encoding of the texts when it is known. */
  found: Found;
}

/** Bytes of the beginning that tell how the text is written. */
const headSize = 64 * 1024;

/** Encodings in which the signs of ASCII may be parts of letters, so that the bytes cannot be cut before they are text. */
const entangled =
  /^(?:shift|sjis|cp93|cp94|cp95|ms9|gb|big5|euc|iso-?2022|hz|ks_c|windows-31j|utf-?16|utf-?32|ucs)/;

/** Turns bytes as they come into bytes that can be cut at signs of ASCII, each as a character of its own. */
interface Bytes {
  write(bytes: Buffer): string;
  end(): string;
}

const asTheyAre: Bytes = { write: (bytes) => bytes.toString('latin1'), end: () => '' };

function recoded(encoding: string): Bytes {
  const decoder = iconv.getDecoder(encoding, { stripBOM: true });
  const latin = (text: string | undefined): string => Buffer.from(text ?? '').toString('latin1');
  return { write: (bytes) => latin(decoder.write(bytes)), end: () => latin(decoder.end()) };
}

interface Start {
  bytes: Bytes;
  /** Bytes of a mark at the beginning. */
  mark: number;
  /** Of the bytes as they are cut. */
  encoding: string | undefined;
  /** As it is told; undefined: not known yet. */
  name: string | undefined;
}

/** The encoding by the mark at the beginning, which cannot be mistaken, or as it was given. */
function startOf(head: Buffer, given: string | undefined): Start {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) {
    return { bytes: asTheyAre, mark: 3, encoding: 'utf-8', name: 'utf-8' };
  }
  const wide =
    head[0] === 0xff && head[1] === 0xfe
      ? 'utf-16le'
      : head[0] === 0xfe && head[1] === 0xff
        ? 'utf-16be'
        : given;
  if (wide && entangled.test(wide)) return { bytes: recoded(wide), mark: 0, encoding: 'utf-8', name: wide };
  return { bytes: asTheyAre, mark: 0, encoding: given, name: given };
}

/** The encoding that the whole lines of the beginning are in, where it is one that must be decoded before the bytes can be cut. */
function entangledGuess(head: Buffer): Guess | undefined {
  const text = head.toString('latin1', 0, head.lastIndexOf(lineFeed) + 1 || head.length);
  const texts = text.split(/[\r\n]+/).filter((line) => !isAscii(line));
  const guess = texts.length ? sniffEncoding(texts) : undefined;
  return guess && entangled.test(guess.encoding) ? guess : undefined;
}

const lineFeed = 0x0a;

interface Reading {
  readonly options: CsvOptions;
  /** The beginning, until it is enough. */
  head: Buffer[];
  size: number;
  bytes: Bytes;
  records: RecordReader | undefined;
  /** Lines before those that the records count. */
  hintLines: number;
  /** The encoding from which the bytes are brought into another one. */
  recoding: string | undefined;
}

/**
 * Reads a text with delimiters as its bytes come: what was not said of delimiter, quotation, encoding, header and
 * columns is found out at its beginning. Throws `import_failed`, `too_large` with the line.
 */
export function createCsvReader(options: CsvOptions): FeatureReader {
  const reading: Reading = {
    options,
    head: [],
    size: 0,
    bytes: asTheyAre,
    records: undefined,
    hintLines: 0,
    recoding: undefined,
  };
  let info: { delimiter: string };
  const table = createTable({
    ...options,
    understood: (understood) => options.understood({ ...info, ...understood }),
  });
  let decoder = createTextDecoder<TextRecord>({ known: undefined, hint: undefined }, () => {});
  const decoded = (records: readonly TextRecord[]): TableRow[] =>
    records.flatMap((record) => decoder.take(record, record.cells)).map((row) => rowOf(row, reading));
  const begin = (isWhole: boolean): TableRow[] => {
    const head = Buffer.concat(reading.head);
    const guess = options.encoding === undefined ? entangledGuess(head) : undefined;
    const start = startOf(head, guess?.encoding ?? options.encoding);
    reading.bytes = start.bytes;
    reading.recoding = start.bytes === asTheyAre ? undefined : start.name;
    const { text, delimiter } = beginning(reading, start, isWhole);
    info = { delimiter };
    if (start.name !== undefined && start.name !== start.encoding) options.found(start.name, guess);
    const found = start.name === start.encoding ? options.found : () => {};
    decoder = createTextDecoder({ known: start.encoding, hint: undefined }, found);
    return decoded(reading.records!.push(text));
  };
  return {
    push(chunk) {
      if (reading.records) return table.push(decoded(reading.records.push(reading.bytes.write(chunk))));
      reading.head.push(chunk);
      reading.size += chunk.length;
      return reading.size < headSize ? [] : table.push(begin(false));
    },
    end() {
      const first = reading.records ? [] : begin(true);
      const last = decoded([...reading.records!.push(reading.bytes.end()), ...reading.records!.end()]);
      const held = decoder.end().map((row) => rowOf(row, reading));
      return [...table.push([...first, ...last, ...held]), ...table.end()];
    },
    srs: table.srs,
  };
}

/** The text of the beginning, and the reader of its records. */
function beginning(reading: Reading, { mark }: Start, isWhole: boolean): { text: string; delimiter: string } {
  const { options } = reading;
  const { rules } = options;
  const all = reading.bytes.write(Buffer.concat(reading.head).subarray(mark));
  const { rest, delimiter: hint } = withoutHint(all);
  reading.hintLines = rest === all ? 0 : 1;
  reading.head = [];
  if (!rest.trim() && isWhole) throw new ServiceError('import_failed', 'The file is empty');
  const { delimiter, quoting } = dialectOf(rest.slice(0, headSize), {
    isWhole: isWhole && rest.length <= headSize,
    given: rules.delimiter ?? hint,
  });
  if (delimiter === undefined && !/\S\s*[\r\n]\s*\S/.test(rest)) {
    throw new ServiceError(
      'import_failed',
      'No table was recognized in the text: a csv file has rows of cells',
    );
  }
  // A table of one column has none.
  const sure = delimiter ?? ',';
  reading.records = createRecordReader(
    { delimiter: delimiter ?? '\x1f', quoting },
    { ...rules.limits, record: options.featureLimit },
  );
  return { text: rest, delimiter: sure };
}

/** What decoding puts in the place of bytes that are no text. */
const replacement = '\ufffd';

function rowOf({ item, decode }: Decoded<TextRecord>, { hintLines, recoding }: Reading): TableRow {
  const line = item.line + hintLines;
  if (item.problem) return { cells: [], line, error: new ServiceError('value_invalid', item.problem) };
  try {
    const cells = item.cells.map(decode satisfies Decode);
    if (recoding && cells.some((cell) => cell.includes(replacement))) {
      throw new ServiceError(
        'value_invalid',
        `a text is not valid in the encoding ${recoding}; give encoding`,
      );
    }
    return item.emptyTexts ? { cells, line, emptyTexts: item.emptyTexts } : { cells, line };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { cells: [], line, error };
  }
}
