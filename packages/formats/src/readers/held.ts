import { type Decode, decoderOf, isAscii } from '../encodings/encodings.js';
import { type Guess, sniffEncoding } from '../encodings/sniff.js';

export interface EncodingRules {
  /** The certain encoding: the given one, or that of a file beside the data. */
  known: string | undefined;
  /** The encoding that the file declares, which may be wrong. */
  hint: string | undefined;
}

/** Receives the encoding once it is known; with `guess` if the file does not declare it. */
export type EncodingListener = (encoding: string, guess?: Guess) => void;

export interface Decoded<T> {
  item: T;
  decode: Decode;
}

/** Holds back items with texts in an unknown encoding until enough texts for a guess were seen. */
export interface TextDecoder<T> {
  /** Examines texts that belong to all items, such as names of columns. */
  look(texts: readonly string[]): void;
  /** Returns the items, in order, that can be decoded with this one. */
  take(item: T, texts: readonly string[]): Decoded<T>[];
  /** Returns the remaining items. */
  end(): Decoded<T>[];
}

/** Number of characters beyond ASCII that suffice for a guess, and maximum number of characters that are held back. */
const enough = 20_000;
const most = 16 * 1024 * 1024;

const beyondAscii = /[\x80-\xff]/g;

export function createTextDecoder<T>(
  { known, hint }: EncodingRules,
  found: EncodingListener,
): TextDecoder<T> {
  let decode = known === undefined ? undefined : decoderOf(known);
  if (known !== undefined) found(known);
  const seen: string[] = [];
  let held: T[] = [];
  let weight = 0;
  let size = 0;

  const look = (texts: readonly string[]): void => {
    for (const text of texts) {
      size += held.length ? text.length : 0;
      if (isAscii(text)) continue;
      seen.push(text);
      weight += text.match(beyondAscii)!.length;
    }
  };
  const decide = (): Decoded<T>[] => {
    const guess = sniffEncoding(seen, hint);
    found(guess.encoding, guess);
    decode = decoderOf(guess.encoding);
    const items = held;
    held = [];
    return items.map((item) => ({ item, decode: decode! }));
  };
  const plain: Decode = (bytes) => bytes;
  return {
    look: (texts) => {
      if (!decode) look(texts);
    },
    take(item, texts) {
      if (decode) return [{ item, decode }];
      look(texts);
      if (!seen.length) return [{ item, decode: plain }];
      held.push(item);
      return weight >= enough || size >= most ? decide() : [];
    },
    end: () => (decode || !seen.length ? [] : decide()),
  };
}
