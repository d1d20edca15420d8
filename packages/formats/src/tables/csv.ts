import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import iconv from 'iconv-lite';
import { type Decode, isAscii } from '../encodings/encodings.js';
import { type Guess, sniffEncoding } from '../encodings/sniff.js';
import { wideEncoding } from '../encodings/wide.js';
import type { FeatureReader } from '../raw-feature.js';
import { createTextDecoder, type Decoded, type EncodingListener } from '../readers/held.js';
import { dialectOf, headSize, withoutComments, withoutHint } from './dialect.js';
import { createRecordReader, type RecordReader, type TextRecord } from './records.js';
import { createTableReader, type TableOptions, type TableRow } from './table.js';

export interface CsvOptions extends Omit<TableOptions, 'first'> {
  /** Number of its first row. */
  first: number;
  /** Maximum size of a record, bytes. */
  featureLimit: number;
  /** The given encoding. */
  encoding: string | undefined;
  /** Receives the encoding of the texts once it is known. */
  found: EncodingListener;
}

/** Encodings in which ASCII bytes may be parts of letters, so that text must be decoded before it is divided. */
const entangled =
  /^(?:shift|sjis|cp93|cp94|cp95|ms9|gb|big5|euc|iso-?2022|hz|ks_c|windows-31j|utf-?16|utf-?32|ucs)/;

/** Converts the stream to bytes that can be divided at ASCII characters; each byte is one character of the result. */
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
  /** Size of a byte order mark. */
  mark: number;
  /** Encoding of the bytes after the conversion. */
  encoding: string | undefined;
  /** Encoding for the report; undefined: not known yet. */
  name: string | undefined;
}

/** The encoding by the mark of UTF-8, which is certain, or the given one. */
function startOf(head: Buffer, given: string | undefined): Start {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) {
    return { bytes: asTheyAre, mark: 3, encoding: 'utf-8', name: 'utf-8' };
  }
  if (given && entangled.test(given))
    return { bytes: recoded(given), mark: 0, encoding: 'utf-8', name: given };
  return { bytes: asTheyAre, mark: 0, encoding: given, name: given };
}

/**
 * Detects from the complete lines of the beginning an encoding that requires decoding before the text is divided;
 * undefined for others.
 */
function entangledGuess(head: Buffer): Guess | undefined {
  const wide = wideEncoding(head)?.encoding;
  if (wide)
    return { encoding: wide, certainty: 'certain', other: undefined, against: undefined, isDeclared: false };
  const text = head.toString('latin1', 0, head.lastIndexOf(lineFeed) + 1 || head.length);
  const texts = text.split(/[\r\n]+/).filter((line) => !isAscii(line));
  const guess = texts.length ? sniffEncoding(texts) : undefined;
  return guess && entangled.test(guess.encoding) ? guess : undefined;
}

const lineFeed = 0x0a;

interface Reading {
  readonly options: CsvOptions;
  /** Bytes held until there are enough for the detection. */
  head: Buffer[];
  size: number;
  bytes: Bytes;
  records: RecordReader | undefined;
  /** Lines that the records do not count. */
  hintLines: number;
  /** The original encoding, if the bytes are converted to another one. */
  recoding: string | undefined;
}

/**
 * Reads delimited text as a stream. It detects delimiter, quotation, encoding, header and columns from the beginning,
 * unless they are given. Throws `import_failed`, `too_large` with the line.
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
  const table = createTableReader({
    ...options,
    understood: (understood) => options.understood({ ...info, ...understood }),
  });
  let decoder = createTextDecoder<TextRecord>({ known: undefined, hint: undefined }, () => {});
  const decoded = (records: readonly TextRecord[]): TableRow[] =>
    records.flatMap((record) => decoder.take(record, record.cells)).map((row) => rowOf(row, reading));
  const begin = (isWhole: boolean): TableRow[] => {
    const head = Buffer.concat(reading.head);
    const wide = wideEncoding(head);
    const known = wide?.isMarked ? wide.encoding : options.encoding;
    const guess = known === undefined ? entangledGuess(head) : undefined;
    const start = startOf(head, guess?.encoding ?? known);
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

/** Decodes the beginning and opens the reader of its records. */
function beginning(reading: Reading, { mark }: Start, isWhole: boolean): { text: string; delimiter: string } {
  const { options } = reading;
  const { rules } = options;
  const all = reading.bytes.write(Buffer.concat(reading.head).subarray(mark));
  const { rest: hinted, delimiter: hint } = withoutHint(all);
  const { rest, lines } = withoutComments(hinted, rules.delimiter ?? hint);
  reading.hintLines = lines.length + (hinted === all ? 0 : 1);
  const comments = lines.filter((line) => line.startsWith('#')).length;
  if (comments) options.note(noteOf('linesAboveHeader', { count: comments }));
  reading.head = [];
  if (!rest.trim() && isWhole) throw new ServiceError('import_failed', noteOf('emptyFile'));
  const { delimiter, quoting } = dialectOf(rest.slice(0, headSize), {
    isWhole: isWhole && rest.length <= headSize,
    given: rules.delimiter ?? hint,
  });
  if (delimiter === undefined && !/[\r\n]/.test(rest.trim())) {
    throw new ServiceError('import_failed', noteOf('noTable'));
  }
  // A table with one column has no delimiter.
  const sure = delimiter ?? ',';
  reading.records = createRecordReader(
    { delimiter: delimiter ?? '\x1f', quoting },
    { ...rules.limits, record: options.featureLimit },
  );
  return { text: rest, delimiter: sure };
}

/** The replacement character for invalid bytes. */
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
