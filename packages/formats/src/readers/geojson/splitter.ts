import { isUtf8 } from 'node:buffer';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';

/** One value cut out of the stream, with its position in the file. */
export interface JsonPiece {
  bytes: Buffer;
  /** Offset of its first byte in the file. */
  offset: number;
  /** Number of colons outside strings: equal to the number of keys, unless a key occurs twice. */
  colons: number;
}

/** A top-level object: its members without the elements of `features`, which are emitted one by one. */
export interface TopObject {
  offset: number;
  members: Map<string, JsonPiece>;
  /** Whether it had an array `features` whose elements were emitted. */
  collection: boolean;
}

export interface SplitterEvents {
  /** Called before the elements of `features`, with the preceding members. */
  collection(object: TopObject): void;
  feature(piece: JsonPiece): void;
  object(object: TopObject): void;
}

export interface Splitter {
  push(chunk: Buffer): void;
  /** Throws if the file ends within a value. */
  end(): void;
}

/** Maximum nesting within one value: more than data needs, less than JSON parsers accept. */
const deepest = 200;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** Precedes each text of a GeoJSON text sequence (RFC 8142). */
const recordSeparator = 0x1e;

/** Meaning of a byte outside strings within a nested value: 0 none, 1 opens, 2 closes, 3 quote, 4 colon. */
const meaning = new Uint8Array(256);
meaning[openBrace] = meaning[openBracket] = 1;
meaning[closeBrace] = meaning[closeBracket] = 2;
meaning[quote] = 3;
meaning[colon] = 4;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** States between two values, named by what must follow. */
const expected = {
  start: 'an object',
  further: 'the end of the file',
  firstKey: 'a key or }',
  nextKey: 'a key',
  colon: ':',
  value: 'a value',
  afterValue: ', or }',
  firstElement: 'a feature or ]',
  nextElement: 'a feature',
  afterElement: ', or ]',
};
type Place = keyof typeof expected;

interface Scan {
  readonly events: SplitterEvents;
  readonly pieceLimit: number;
  place: Place;
  /** Offset in the file of the first byte of the current chunk. */
  base: number;
  object: TopObject;
  key: string;
  /** The value that is being skipped, if there is one. */
  passing: 'nested' | 'string' | 'scalar' | null;
  kept: Buffer[];
  keptBytes: number;
  offset: number;
  depth: number;
  colons: number;
  inString: boolean;
  escaped: boolean;
}

/**
 * Divides a GeoJSON stream into features and holds one feature at a time. It emits the elements of the array `features`
 * of a top-level object, wherever that key stands, and the members of every top-level object, one object after the
 * other, so that newline-delimited features are divided too. It checks the syntax between the pieces, not within them.
 * Throws `import_failed` with the offset, and `too_large` for a piece over `pieceLimit` bytes.
 */
export function createSplitter(
  events: SplitterEvents,
  { pieceLimit, mayBeEmpty }: { pieceLimit: number; mayBeEmpty?: boolean | undefined },
): Splitter {
  const scan: Scan = {
    events,
    pieceLimit,
    place: 'start',
    base: 0,
    object: newObject(0),
    key: '',
    passing: null,
    kept: [],
    keptBytes: 0,
    offset: 0,
    depth: 0,
    colons: 0,
    inString: false,
    escaped: false,
  };
  return {
    push: (chunk) => push(scan, chunk),
    end: () => {
      if (!(mayBeEmpty && scan.place === 'start')) end(scan);
    },
  };
}

const newObject = (offset: number): TopObject => ({ offset, members: new Map(), collection: false });

function push(scan: Scan, chunk: Buffer): void {
  let i = 0;
  while (i < chunk.length) {
    if (!scan.passing) {
      const byte = chunk[i]!;
      if (isSpace(byte) || !betweenPieces(scan, byte, scan.base + i)) {
        i++;
        continue;
      }
    }
    const after = pass(scan, chunk, i);
    const end = after === -1 ? chunk.length : after;
    keep(scan, chunk.subarray(i, end));
    i = end;
    if (after !== -1) finishPiece(scan);
  }
  scan.base += chunk.length;
}

function end(scan: Scan): void {
  if (scan.passing === null && scan.place === 'further') return;
  const offset = scan.base;
  if (offset === 0) throw new ServiceError('import_failed', noteOf('emptyFile'), { offset });
  throw new ServiceError('import_failed', noteOf('endsTooEarly', { count: offset }), { offset });
}

const pass = (scan: Scan, chunk: Buffer, from: number): number =>
  scan.passing === 'nested'
    ? passNested(scan, chunk, from)
    : scan.passing === 'string'
      ? passString(scan, chunk, from)
      : passScalar(chunk, from);

/** Skips an object or array: returns the index after it, or -1 if it continues in the next chunk. */
function passNested(scan: Scan, chunk: Buffer, from: number): number {
  let { depth, colons, inString, escaped } = scan;
  let i = from;
  const { length } = chunk;
  for (; i < length; i++) {
    const byte = chunk[i]!;
    if (inString) {
      if (escaped) escaped = false;
      else if (byte === backslash) escaped = true;
      else if (byte === quote) inString = false;
      continue;
    }
    const means = meaning[byte];
    if (means === 0) continue;
    if (means === 1) {
      if (++depth > deepest) throw tooDeep(scan.base + i);
    } else if (means === 2) {
      if (--depth === 0) break;
    } else if (means === 3) inString = true;
    else colons++;
  }
  scan.depth = depth;
  scan.colons = colons;
  scan.inString = inString;
  scan.escaped = escaped;
  return i === length ? -1 : i + 1;
}

const tooDeep = (offset: number): ServiceError =>
  new ServiceError('import_failed', `Nested more than ${deepest} levels deep at byte ${offset}`, { offset });

function passString(scan: Scan, chunk: Buffer, from: number): number {
  for (let i = from; i < chunk.length; i++) {
    const byte = chunk[i]!;
    if (!scan.inString) scan.inString = true;
    else if (scan.escaped) scan.escaped = false;
    else if (byte === backslash) scan.escaped = true;
    else if (byte === quote) return i + 1;
  }
  return -1;
}

function passScalar(chunk: Buffer, from: number): number {
  for (let i = from; i < chunk.length; i++) {
    const byte = chunk[i]!;
    if (byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte)) return i;
  }
  return -1;
}

function keep(scan: Scan, bytes: Buffer): void {
  scan.kept.push(bytes);
  scan.keptBytes += bytes.length;
  if (scan.keptBytes <= scan.pieceLimit) return;
  const { offset, pieceLimit } = scan;
  throw new ServiceError('too_large', `A feature is larger than ${pieceLimit} bytes (from byte ${offset})`, {
    offset,
  });
}

/** Begins a piece at this byte; returns true for `betweenPieces`. */
function begin(scan: Scan, passing: NonNullable<Scan['passing']>, offset: number): true {
  Object.assign(scan, { passing, offset, depth: 0, colons: 0, inString: false, escaped: false });
  return true;
}

function finishPiece(scan: Scan): void {
  const bytes = scan.kept.length === 1 ? scan.kept[0]! : Buffer.concat(scan.kept, scan.keptBytes);
  const piece: JsonPiece = { bytes, offset: scan.offset, colons: scan.colons };
  scan.passing = null;
  scan.kept = [];
  scan.keptBytes = 0;
  if (scan.place === 'firstKey' || scan.place === 'nextKey') {
    scan.key = keyOf(scan, piece);
    scan.place = 'colon';
  } else if (scan.place === 'value') {
    scan.object.members.set(scan.key, piece);
    scan.place = 'afterValue';
  } else {
    scan.place = 'afterElement';
    scan.events.feature(piece);
  }
}

function keyOf(scan: Scan, { bytes, offset }: JsonPiece): string {
  let key: string;
  try {
    if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8');
    key = JSON.parse(bytes.toString()) as string;
  } catch {
    throw new ServiceError('import_failed', `Not JSON: the key at byte ${offset}`, { offset });
  }
  if (scan.object.members.has(key) || (key === 'features' && scan.object.collection)) {
    throw new ServiceError('import_failed', `The key '${key}' occurs twice (byte ${offset})`, { offset });
  }
  return key;
}

/** Processes a byte between two pieces. Returns true if a piece begins with it. */
function betweenPieces(scan: Scan, byte: number, at: number): boolean {
  switch (scan.place) {
    case 'start':
    case 'further':
      return atTop(scan, byte, at);
    case 'firstKey':
      if (byte === closeBrace) return leaveObject(scan);
      return byte === quote ? begin(scan, 'string', at) : unexpected(scan, byte, at);
    case 'nextKey':
      return byte === quote ? begin(scan, 'string', at) : unexpected(scan, byte, at);
    case 'colon':
      return byte === colon ? go(scan, 'value') : unexpected(scan, byte, at);
    case 'value':
      return beginValue(scan, byte, at);
    case 'afterValue':
      if (byte === closeBrace) return leaveObject(scan);
      return byte === comma ? go(scan, 'nextKey') : unexpected(scan, byte, at);
    case 'firstElement':
      if (byte === closeBracket) return go(scan, 'afterValue');
      return byte === openBrace ? begin(scan, 'nested', at) : unexpected(scan, byte, at);
    case 'nextElement':
      return byte === openBrace ? begin(scan, 'nested', at) : unexpected(scan, byte, at);
    case 'afterElement':
      if (byte === closeBracket) return go(scan, 'afterValue');
      return byte === comma ? go(scan, 'nextElement') : unexpected(scan, byte, at);
  }
}

function go(scan: Scan, place: Place): false {
  scan.place = place;
  return false;
}

/** A byte order mark is not part of JSON, but many programs write one. */
const byteOrderMark = [0xef, 0xbb, 0xbf];

function atTop(scan: Scan, byte: number, at: number): false {
  if (byte === byteOrderMark[at]) return false;
  if (byte === recordSeparator) return false;
  // A collection is the whole file; a single feature may be followed by others.
  if (byte !== openBrace || scan.object.collection) unexpected(scan, byte, at);
  scan.object = newObject(at);
  return go(scan, 'firstKey');
}

function beginValue(scan: Scan, byte: number, at: number): boolean {
  if (byte === openBracket && scan.key === 'features' && mayBeCollection(scan.object)) {
    scan.object.collection = true;
    scan.events.collection(scan.object);
    return go(scan, 'firstElement');
  }
  if (byte === openBrace || byte === openBracket) return begin(scan, 'nested', at);
  if (byte === quote) return begin(scan, 'string', at);
  if (byte === comma || byte === colon || byte === closeBrace || byte === closeBracket) {
    unexpected(scan, byte, at);
  }
  return begin(scan, 'scalar', at);
}

/** Not if a preceding `type` says otherwise: then `features` is an ordinary member. */
const mayBeCollection = ({ members }: TopObject): boolean => {
  const type = members.get('type')?.bytes.toString();
  return type === undefined || type === '"FeatureCollection"';
};

function leaveObject(scan: Scan): false {
  scan.events.object(scan.object);
  return go(scan, 'further');
}

function unexpected(scan: Scan, byte: number, offset: number): never {
  if (scan.place === 'start' && (byte >= 0xfe || byte === 0)) {
    throw new ServiceError('import_failed', 'The file must be UTF-8; this looks like UTF-16', { offset });
  }
  const found = byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `byte 0x${byte.toString(16)}`;
  const message = `Not GeoJSON: ${expected[scan.place]} expected at byte ${offset}, found ${found}`;
  throw new ServiceError('import_failed', message, { offset });
}
