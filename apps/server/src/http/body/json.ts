import { isUtf8 } from 'node:buffer';
import { badRequest, type ServiceError } from '@cartulary/errors';
import { createSemaphore, createSlices } from '@cartulary/runtime';

/**
 * Size of a piece in bytes. A larger text is parsed in pieces of about this size, with other requests between
 * them.
 */
export const pieceSize = 64 * 1024;

/**
 * Most bytes between two commas or brackets, except in long strings. Numbers, white space and keys of real
 * requests are shorter.
 */
const unbrokenLimit = 4 * pieceSize;

/** Deepest nesting: more than any function accepts, and safe for recursive readers of the value. */
const depthLimit = 2_500;

/** Most keys of one object, since a larger hash table takes long to grow. */
const keyLimit = 100_000;

/**
 * Matches every text that may contain the key `__proto__` in any spelling: the key itself, or an escape of
 * one of its letters.
 */
const mayHavePrototype = /__proto__|\\u00(?:5f|70|72|6f|74)/i;

const [quote, comma, colon, backslash, letterU] = [0x22, 0x2c, 0x3a, 0x5c, 0x75];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

const notJson = (): ServiceError => badRequest('The body is not valid JSON');

type Container = unknown[] | Record<string, unknown>;

/** An array or object whose end has not been reached. */
interface Open {
  isArray: boolean;
  /** Offset of its bracket. */
  at: number;
  /** Offsets of the last key of an object, with its quotes. */
  key: readonly [from: number, to: number];
  /** The parsed part of a container that is larger than a piece, and its number of keys. */
  value?: Container;
  keys: number;
  /** The token before the next text. */
  before: 'bracket' | 'comma' | 'value';
}

/**
 * Parses JSON in UTF-8, also with a byte order mark. An empty text is an empty object. A large text is divided at commas and `JSON.parse`
 * reads the pieces, so that the event loop is not blocked. Throws 400 for invalid JSON, bytes that are not
 * UTF-8, the key `__proto__` in any spelling, and too deep nesting.
 */
export async function parseJson(bytes: Buffer): Promise<unknown> {
  // Decoding replaces such bytes by U+FFFD, so that a value would be stored as other text than the sent one.
  if (!isUtf8(bytes)) throw badRequest('The body is not valid JSON: it is not in UTF-8');
  const text = new DividedText(withoutMark(bytes));
  if (bytes.length <= pieceSize) text.scan();
  else await oneByOne(() => parseInSlices(text));
  return text.value;
}

/** The bytes without a byte order mark at the beginning (RFC 8259, section 8.1: a parser may ignore it). */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

/**
 * Parses one large text at a time. In parallel the texts would share one event loop and only occupy memory
 * for longer.
 */
const oneByOne = createSemaphore(1);

async function parseInSlices(text: DividedText): Promise<void> {
  const slices = createSlices();
  await slices.next();
  while (!text.scan()) if (slices.isOver()) await slices.next();
}

/** A JSON text that is scanned once from its beginning to its end and parsed piece by piece. */
class DividedText {
  private at = 0;
  /**
   * Offset of the first byte that is not parsed yet, inside the innermost container that is larger than a
   * piece.
   */
  private from = 0;
  private string: readonly [from: number, to: number] = [0, 0];
  /**
   * The string at the scan position: the offset of its quote, and of a long string the part that is parsed.
   */
  private within: { from: number; long?: { text: string; to: number } } | undefined;
  private readonly root: unknown[] = [];
  private readonly open: Open[] = [
    { isArray: true, at: -1, key: [0, 0], value: this.root, keys: 0, before: 'bracket' },
  ];
  /** Number of containers of `open`, from the outside, that are larger than a piece. */
  private large = 1;

  constructor(private readonly bytes: Buffer) {}

  get value(): unknown {
    return this.root.length ? this.root[0] : {};
  }

  /** Scans about one piece. Returns whether it was the last. */
  scan(): boolean {
    const { bytes } = this;
    const end = Math.min(bytes.length, this.at + pieceSize);
    while (this.at < end) {
      if (this.within) {
        this.goThroughString(this.within, end);
        continue;
      }
      const byte = bytes[this.at]!;
      if (byte === quote) this.within = { from: this.at };
      else if (byte === comma) this.divide();
      else if (byte === colon) this.open.at(-1)!.key = this.string;
      else if (byte === openArray || byte === openObject) this.begin(byte === openArray);
      else if (byte === closeArray || byte === closeObject) this.close(byte === closeArray);
      this.at++;
    }
    if (this.at < bytes.length) return false;
    if (this.open.length > 1 || this.within) throw notJson();
    this.take(bytes.length, { isLast: true });
    return true;
  }

  /** Continues in a string until its end or until `end`, always past complete escapes. */
  private goThroughString(string: NonNullable<DividedText['within']>, end: number): void {
    const { bytes } = this;
    if (this.at === string.from) this.at++;
    while (this.at < end) {
      const byte = bytes[this.at];
      if (byte === quote) break;
      if (byte !== backslash) this.at++;
      else this.at += bytes[this.at + 1] === letterU ? 6 : 2;
    }
    if (this.at >= bytes.length) throw notJson();
    const isOver = this.at < end;
    if (!string.long && !isOver && this.at - string.from > 2 * pieceSize && this.isValue(string.from))
      this.beginLong(string);
    if (string.long) this.readLong(string.long, isOver ? this.at : this.wholeCharacters());
    if (!isOver) return;
    this.at++;
    this.string = [string.from, this.at];
    this.within = undefined;
    if (string.long) this.endLong(string.long.text);
  }

  /** Whether the string at this offset is a value, not a key. */
  private isValue(from: number): boolean {
    if (this.open.at(-1)!.isArray) return true;
    let before = from - 1;
    while (isSpace(this.bytes[before])) before--;
    return this.bytes[before] === colon;
  }

  /** Parses the text before a long string. The string itself is parsed separately and replaces a null. */
  private beginLong(string: NonNullable<DividedText['within']>): void {
    this.enlargeAll();
    this.take(string.from, { isLast: false, suffix: 'null' });
    string.long = { text: '', to: string.from + 1 };
  }

  private readLong(long: { text: string; to: number }, to: number): void {
    if (to <= long.to) return;
    long.text += parseText(`"${this.bytes.toString('utf8', long.to, to)}"`) as string;
    long.to = to;
  }

  private endLong(text: string): void {
    const outer = this.open.at(-1)!;
    this.put(outer, text);
    outer.before = 'value';
    this.from = this.at;
  }

  /** Offset of the first byte of the character that contains `at`. */
  private wholeCharacters(): number {
    let to = this.at;
    while (this.at - to < 3 && (this.bytes[to]! & 0xc0) === 0x80) to--;
    return to;
  }

  private begin(isArray: boolean): void {
    if (this.open.length > depthLimit) throw badRequest(`The body is nested more than ${depthLimit} deep`);
    this.open.push({ isArray, at: this.at, key: [0, 0], keys: 0, before: 'bracket' });
  }

  private close(isArray: boolean): void {
    if (this.open.length === 1 || this.open.at(-1)!.isArray !== isArray) throw notJson();
    const isLarge = this.open.length === this.large;
    if (isLarge) {
      this.take(this.at, { isLast: true });
      this.large--;
      this.from = this.at + 1;
    }
    this.open.pop();
    if (isLarge) this.open.at(-1)!.before = 'value';
  }

  /** At a comma: parses the text before it when there is enough for a piece. */
  private divide(): void {
    if (this.open.length === 1) throw notJson();
    if (this.at - this.from < pieceSize) return;
    this.enlargeAll();
    this.take(this.at, { isLast: false });
    this.open.at(-1)!.before = 'comma';
    this.from = this.at + 1;
  }

  private enlargeAll(): void {
    while (this.large < this.open.length) this.enlarge(this.open[this.large]!);
  }

  /** Opens a container as large: the outer container is parsed up to it and gets a null in its place. */
  private enlarge(inner: Open): void {
    const outer = this.open[this.large - 1]!;
    const value: Container = inner.isArray ? [] : {};
    this.take(inner.at, { isLast: false, suffix: 'null', outer });
    this.put(outer, value);
    inner.value = value;
    this.large++;
    this.from = inner.at + 1;
  }

  /** Replaces the null at the end of a container by a value. */
  private put({ value, key }: Open, part: unknown): void {
    if (Array.isArray(value)) value[value.length - 1] = part;
    else value![parseText(this.bytes.toString('utf8', ...key)) as string] = part;
  }

  /** Parses the text that is not parsed yet, up to `to`, into the innermost large container. */
  private take(
    to: number,
    { isLast, suffix = '', outer = this.open.at(-1)! }: { isLast: boolean; suffix?: string; outer?: Open },
  ): void {
    if (to - this.from > unbrokenLimit)
      throw badRequest(`The body has more than ${unbrokenLimit} bytes without a comma or bracket`);
    let text = this.bytes.toString('utf8', this.from, to);
    let { before } = outer;
    if (before === 'value') {
      const rest = /^[ \t\r\n]*(,?)/.exec(text)!;
      text = text.slice(rest[0].length);
      if (rest[1]) before = 'comma';
      else if (text || suffix) throw notJson();
    }
    text += suffix;
    // There must be a value between two commas, and between a comma and a bracket.
    if (/^[ \t\r\n]*$/.test(text)) {
      if (before === 'comma' || (before === 'bracket' && !isLast)) throw notJson();
      return;
    }
    add(outer, parsePiece(outer.isArray ? `[${text}]` : `{${text}}`));
  }
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function parsePiece(text: string): Container {
  const value = parseText(text) as Container;
  if (mayHavePrototype.test(text)) refusePrototype(value);
  return value;
}

function add(outer: Open, piece: Container): void {
  const to = outer.value!;
  if (Array.isArray(to)) {
    for (const item of piece as unknown[]) to.push(item);
    return;
  }
  for (const key in piece) {
    to[key] = (piece as Record<string, unknown>)[key];
    outer.keys++;
  }
  if (outer.keys > keyLimit) throw badRequest(`The body has an object with more than ${keyLimit} keys`);
}

/** Iterative, since the value may be deeply nested. */
function refusePrototype(value: unknown): void {
  const waiting = [value];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    if (Object.hasOwn(item, '__proto__')) throw badRequest('The key __proto__ is not allowed');
    for (const part of Object.values(item)) if (typeof part === 'object' && part !== null) waiting.push(part);
  }
}
