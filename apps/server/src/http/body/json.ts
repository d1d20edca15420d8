import { badRequest, type ServiceError } from '../errors.js';
import { createSlices } from '../event-loop.js';
import { createTurns } from './turns.js';

/** Bytes from which on a text is parsed in pieces of about this size, between which others have their turn. */
export const pieceSize = 64 * 1024;

/** Deepest nesting: beyond what any function takes, within what those who read the value by recursion bear. */
const depthLimit = 2_500;

/** Most keys of one object: the table of more takes long to grow. */
const keyLimit = 100_000;

/** What a piece of text that has the key `__proto__` must hold, in whatever spelling: itself, or one of its letters escaped. */
const mayHavePrototype = /__proto__|\\u00(?:5f|70|72|6f|74)/i;

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

const notJson = (): ServiceError => badRequest('The body is not valid JSON');

type Container = unknown[] | Record<string, unknown>;

/** An array or object of which the end has not come yet. */
interface Open {
  isArray: boolean;
  /** Where its bracket is. */
  at: number;
  /** Where the last key of an object is, with its quotes. */
  key: readonly [from: number, to: number];
  /** Of one that is larger than a piece: what there is of it so far. */
  value?: Container;
  /** What is before the text that follows. */
  before: 'bracket' | 'comma' | 'value';
}

/**
 * Parses JSON in UTF-8; nothing is an empty object. A large text is not parsed at once, which would hold up everybody: it is
 * divided at commas, and `JSON.parse` gets the pieces. Throws 400 for what is no JSON, the key `__proto__` in any spelling,
 * and what is nested too deep.
 */
export async function parseJson(bytes: Buffer): Promise<unknown> {
  const text = new DividedText(bytes);
  if (bytes.length <= pieceSize) text.scan();
  else await oneByOne(() => parseInSlices(text));
  return text.value;
}

/** One large text at a time: the pieces of several would only be in memory for longer, and there is one event loop. */
const oneByOne = createTurns(1);

async function parseInSlices(text: DividedText): Promise<void> {
  const slices = createSlices();
  await slices.next();
  while (!text.scan()) if (slices.isOver()) await slices.next();
}

/** A JSON text that is read from its beginning to its end, and parsed piece by piece on the way. */
class DividedText {
  private at = 0;
  /** Where what was not parsed yet begins: inside of the innermost container that is larger than a piece. */
  private from = 0;
  private string: readonly [from: number, to: number] = [0, 0];
  private readonly root: unknown[] = [];
  private readonly open: Open[] = [
    { isArray: true, at: -1, key: [0, 0], value: this.root, before: 'bracket' },
  ];
  /** How many of `open`, from the outside, are larger than a piece. */
  private large = 1;

  constructor(private readonly bytes: Buffer) {}

  get value(): unknown {
    return this.root.length ? this.root[0] : {};
  }

  /** Reads about a piece; whether it was the last. */
  scan(): boolean {
    const { bytes } = this;
    const end = Math.min(bytes.length, this.at + pieceSize);
    while (this.at < end) {
      const byte = bytes[this.at]!;
      if (byte === quote) this.skipString();
      else if (byte === comma) this.divide();
      else if (byte === colon) this.open.at(-1)!.key = this.string;
      else if (byte === openArray || byte === openObject) this.begin(byte === openArray);
      else if (byte === closeArray || byte === closeObject) this.close(byte === closeArray);
      this.at++;
    }
    if (this.at < bytes.length) return false;
    if (this.open.length > 1) throw notJson();
    this.take(bytes.length, { isLast: true });
    return true;
  }

  private skipString(): void {
    const { bytes } = this;
    const from = this.at++;
    while (this.at < bytes.length && bytes[this.at] !== quote)
      this.at += bytes[this.at] === backslash ? 2 : 1;
    this.string = [from, this.at + 1];
  }

  private begin(isArray: boolean): void {
    if (this.open.length > depthLimit) throw badRequest(`The body is nested more than ${depthLimit} deep`);
    this.open.push({ isArray, at: this.at, key: [0, 0], before: 'bracket' });
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

  /** At a comma: parses what is before it when that is enough for a piece. */
  private divide(): void {
    if (this.open.length === 1) throw notJson();
    if (this.at - this.from < pieceSize) return;
    while (this.large < this.open.length) this.enlarge(this.open[this.large]!);
    this.take(this.at, { isLast: false });
    this.open.at(-1)!.before = 'comma';
    this.from = this.at + 1;
  }

  /** Goes into a container: it is put into the one around it behind what comes before, in the place of a null. */
  private enlarge(inner: Open): void {
    const outer = this.open[this.large - 1]!;
    const value: Container = inner.isArray ? [] : {};
    this.take(inner.at, { isLast: false, suffix: 'null', outer });
    if (Array.isArray(outer.value)) outer.value[outer.value.length - 1] = value;
    else {
      const key = JSON.parse(this.bytes.toString('utf8', ...outer.key)) as string;
      (outer.value as Record<string, unknown>)[key] = value;
    }
    inner.value = value;
    this.large++;
    this.from = inner.at + 1;
  }

  /** Parses from where nothing was parsed yet, and puts it into the innermost large container. */
  private take(
    to: number,
    { isLast, suffix = '', outer = this.open.at(-1)! }: { isLast: boolean; suffix?: string; outer?: Open },
  ): void {
    let text = this.bytes.toString('utf8', this.from, to);
    let { before } = outer;
    if (before === 'value') {
      const rest = /^[ \t\r\n]*(,?)/.exec(text)!;
      text = text.slice(rest[0].length);
      if (rest[1]) before = 'comma';
      else if (text || suffix) throw notJson();
    }
    text += suffix;
    // Between two commas, and between a comma and the bracket, there is something.
    if (/^[ \t\r\n]*$/.test(text)) {
      if (before === 'comma' || (before === 'bracket' && !isLast)) throw notJson();
      return;
    }
    add(outer.value!, parsePiece(outer.isArray ? `[${text}]` : `{${text}}`));
  }
}

function parsePiece(text: string): Container {
  let value: Container;
  try {
    value = JSON.parse(text) as Container;
  } catch {
    throw notJson();
  }
  if (mayHavePrototype.test(text)) refusePrototype(value);
  return value;
}

function add(to: Container, piece: Container): void {
  if (Array.isArray(to)) {
    for (const item of piece as unknown[]) to.push(item);
    return;
  }
  for (const [key, value] of Object.entries(piece)) to[key] = value;
  if (Object.keys(piece).length > 1_000 && Object.keys(to).length > keyLimit)
    throw badRequest(`The body has an object with more than ${keyLimit} keys`);
}

/** Without recursion: the value may be nested. */
function refusePrototype(value: unknown): void {
  const waiting = [value];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    if (Object.hasOwn(item, '__proto__')) throw badRequest('The key __proto__ is not allowed');
    for (const part of Object.values(item)) if (typeof part === 'object' && part !== null) waiting.push(part);
  }
}
