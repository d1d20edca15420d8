import { type Decode, decoderOf, isAscii } from './encodings.js';
import { type Guess, sniffEncoding } from './sniff.js';

export interface EncodingRules {
  /** What is known for certain: the parameter, or what stands beside the file. */
  known: string | undefined;
  /** What the file says of itself, which may be wrong. */
  hint: string | undefined;
}

/** Told an encoding when it is known; `guess`: it was found by the texts. */
export type Found = (encoding: string, guess?: Guess) => void;

export interface Decoded<T> {
  item: T;
  decode: Decode;
}

/** Holds items with texts in an unknown encoding back until enough of them were seen to tell it. */
export interface TextDecoder<T> {
  /** Looks at texts that belong to all items. */
  look(texts: readonly string[]): void;
  /** The items, in order, that can be decoded with this one. */
  take(item: T, texts: readonly string[]): Decoded<T>[];
  /** Those that are left. */
  end(): Decoded<T>[];
}

/** Characters beyond ASCII that tell an encoding well enough, and the most that is held back, characters. */
const enough = 20_000;
const most = 16 * 1024 * 1024;

const beyondAscii = /[\x80-\xff]/g;

export function createTextDecoder<T>({ known, hint }: EncodingRules, found: Found): TextDecoder<T> {
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
