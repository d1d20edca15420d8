import iconv from 'iconv-lite';

/*
 * Makes SXF files of version 3 and 4 and classifiers from the description of the format
 * (http://gistoolkit.ru/download/doc/sxf4bin.pdf): there are no maps in it that could be given away.
 */

export type Numbers = 'i16' | 'f32' | 'i32' | 'f64';

export interface SxfObject {
  kind: 'line' | 'polygon' | 'point' | 'label' | 'vector' | 'template';
  code: number;
  key?: number;
  /** Positions of parts as in the file: north, east (, height). */
  parts: number[][][];
  /** Of labels, one a part. */
  texts?: (string | Buffer)[];
  isWideText?: boolean;
  numbers?: Numbers;
  /** As `semantic` makes them. */
  semantics?: Buffer[];
}

export interface SxfPassport {
  version: 3 | 4;
  count?: number;
  scale?: number;
  resolution?: number;
  /** Real coordinates; false: digitizer steps. */
  isReal?: boolean;
  /** North, east of the south-west, north-west, north-east and south-east; radians. */
  corners?: number[];
  geographic?: number[];
  frame?: number[];
  ellipsoid?: number;
  projection?: number;
  system?: number;
  unit?: number;
  epsg?: number;
  textEncoding?: number;
  /** First and second parallel, meridian, latitude (radians), false northing and easting. */
  parameters?: number[];
}

const kinds = ['line', 'polygon', 'point', 'label', 'vector', 'template'];
const sizes = { i16: 2, f32: 4, i32: 4, f64: 8 };

function write(buffer: Buffer, numbers: Numbers, value: number, at: number): number {
  if (numbers === 'i16') return buffer.writeInt16LE(value, at);
  if (numbers === 'i32') return buffer.writeInt32LE(value, at);
  return numbers === 'f32' ? buffer.writeFloatLE(value, at) : buffer.writeDoubleLE(value, at);
}

function positionBytes(position: readonly number[], numbers: Numbers): Buffer {
  const [north, east, height] = position as [number, number, number | undefined];
  const wide = numbers === 'f64' ? 8 : 4;
  const bytes = Buffer.alloc(2 * sizes[numbers] + (height === undefined ? 0 : wide));
  const at = write(bytes, numbers, east, write(bytes, numbers, north, 0));
  if (height !== undefined) write(bytes, numbers === 'f64' ? 'f64' : 'f32', height, at);
  return bytes;
}

/** A characteristic: type 0 (cp866), 126 (windows-1251), 127, `127 bytes` (UTF-16), 128, or a number with its power of ten. */
export function semantic(
  code: number,
  type: 0 | 126 | 127 | '127 bytes' | 128 | 1 | 2 | 4 | 8,
  value: string | number,
  exponent = 0,
): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(code);
  head.writeUInt8(type === '127 bytes' ? 127 : type, 2);
  if (typeof value === 'number') {
    head.writeInt8(exponent, 3);
    const body = Buffer.alloc(type as number);
    if (type === 8) body.writeDoubleLE(value);
    else if (type === 1) body.writeUInt8(value);
    else body.writeIntLE(value, 0, type as number);
    return Buffer.concat([head, body]);
  }
  if (type === 128) {
    const text = Buffer.from(`${value}\0`, 'utf16le');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    return Buffer.concat([head, length, text]);
  }
  const isWide = type === 127 || type === '127 bytes';
  const text = isWide
    ? Buffer.from(`${value}\0`, 'utf16le')
    : iconv.encode(`${value}\0`, type === 0 ? 'cp866' : 'windows-1251');
  head.writeUInt8(type === 127 ? value.length : text.length - (isWide ? 2 : 1), 3);
  return Buffer.concat([head, text]);
}

/** The record of an object. */
export function sxfRecord(object: SxfObject, version: 3 | 4): Buffer {
  const { kind, code, key = 0, parts, texts, numbers = 'f64', semantics = [], isWideText = false } = object;
  const metric: Buffer[] = [];
  for (const [i, part] of parts.entries()) {
    if (i) {
      const count = Buffer.alloc(4);
      count.writeUInt16LE(part.length % 65_536, 2);
      count.writeUInt16LE(Math.floor(part.length / 65_536));
      metric.push(count);
    }
    metric.push(...part.map((position) => positionBytes(position, numbers)));
    if (!texts) continue;
    const text = texts[i] ?? '';
    const encoding = isWideText ? 'utf-16le' : version === 3 ? 'cp866' : 'windows-1251';
    const bytes = typeof text === 'string' ? iconv.encode(text, encoding) : text;
    metric.push(Buffer.from([bytes.length]), bytes, Buffer.alloc(isWideText ? 2 : 1));
  }
  const body = Buffer.concat(metric);
  const rest = Buffer.concat(semantics);
  const head = Buffer.alloc(32);
  head.writeUInt32LE(0x7fff7fff);
  head.writeUInt32LE(32 + body.length + rest.length, 4);
  head.writeUInt32LE(body.length, 8);
  head.writeUInt32LE(code, 12);
  head.writeUInt32LE(key, 16);
  const isWide = numbers === 'i32' || numbers === 'f64';
  head.writeUInt8(kinds.indexOf(kind), 20);
  head.writeUInt8((rest.length ? 2 : 0) + (isWide ? 4 : 0) + (isWideText ? 16 : 0), 21);
  const hasHeights = (parts[0]?.[0]?.length ?? 0) > 2;
  const isFloating = numbers === 'f32' || numbers === 'f64';
  head.writeUInt8((hasHeights ? 2 : 0) + (isFloating ? 4 : 0) + (texts ? 8 : 0), 22);
  const count = parts[0]?.length ?? 0;
  if (version === 4 && count >= 65_535) {
    head.writeUInt32LE(count, 24);
    head.writeUInt16LE(65_535, 30);
  } else head.writeUInt16LE(count, 30);
  head.writeUInt16LE(Math.max(0, parts.length - 1), 28);
  return Buffer.concat([head, body, rest]);
}

/** The bytes before the objects. */
export function sxfHead(passport: SxfPassport & { count: number }): Buffer {
  return passport.version === 3 ? head3(passport) : head4(passport);
}

const none = (count: number): number[] => Array.from({ length: count }, () => 0);

function head3(passport: SxfPassport & { count: number }): Buffer {
  const { corners = none(8), geographic = none(8), frame = none(8), parameters = none(5) } = passport;
  const bytes = Buffer.alloc(300);
  bytes.write('SXF');
  bytes.writeUInt32LE(256, 4);
  bytes.writeUInt16LE(0x0300, 8);
  bytes.write('240501', 14);
  bytes.writeUInt32LE(passport.scale ?? 100_000, 48);
  bytes.writeUInt8(3 + 4 + (passport.isReal ? 24 : 0), 78);
  for (const [i, value] of corners.entries()) bytes.writeInt32LE(Math.round(value * 10), 94 + 4 * i);
  for (const [i, value] of geographic.entries()) bytes.writeInt32LE(Math.round(value * 1e8), 126 + 4 * i);
  const { ellipsoid = 1, projection = 1, system = 1, unit = 0 } = passport;
  for (const [i, value] of [ellipsoid, 1, projection, system, unit].entries())
    bytes.writeUInt8(value, 158 + i);
  bytes.writeInt32LE(passport.resolution ?? 20_000, 212);
  for (const [i, value] of frame.entries()) bytes.writeInt16LE(value, 216 + 2 * i);
  for (const [i, value] of parameters.slice(0, 5).entries())
    bytes.writeInt32LE(Math.round(value * 1e8), 236 + 4 * i);
  bytes.write('DAT', 256);
  bytes.writeUInt32LE(44, 260);
  bytes.writeUInt32LE(passport.count, 288);
  return bytes;
}

function head4(passport: SxfPassport & { count: number }): Buffer {
  const { corners = none(8), geographic = none(8), frame = none(8), parameters = none(6) } = passport;
  const bytes = Buffer.alloc(452);
  bytes.write('SXF');
  bytes.writeUInt32LE(400, 4);
  bytes.writeUInt32LE(0x00040000, 8);
  bytes.write('20240501', 16);
  bytes.writeUInt32LE(passport.scale ?? 100_000, 60);
  bytes.writeUInt8(3 + 4 + (passport.isReal ? 24 : 0), 96);
  bytes.writeUInt8(passport.textEncoding ?? 1, 97);
  bytes.writeUInt32LE(passport.epsg ?? 0, 100);
  for (const [i, value] of corners.entries()) bytes.writeDoubleLE(value, 104 + 8 * i);
  for (const [i, value] of geographic.entries()) bytes.writeDoubleLE(value, 168 + 8 * i);
  const { ellipsoid = 1, projection = 1, system = 1, unit = 0 } = passport;
  for (const [i, value] of [ellipsoid, 1, projection, system, unit].entries())
    bytes.writeUInt8(value, 232 + i);
  bytes.writeInt32LE(passport.resolution ?? 20_000, 312);
  for (const [i, value] of frame.entries()) bytes.writeInt32LE(value, 316 + 4 * i);
  for (const [i, value] of parameters.slice(0, 6).entries()) bytes.writeDoubleLE(value, 352 + 8 * i);
  bytes.write('DAT', 400);
  bytes.writeUInt32LE(52, 404);
  bytes.writeUInt32LE(passport.count, 440);
  return bytes;
}

export function sxf(passport: SxfPassport, objects: readonly SxfObject[]): Buffer {
  const head = sxfHead({ ...passport, count: passport.count ?? objects.length });
  return Buffer.concat([head, ...objects.map((object) => sxfRecord(object, passport.version))]);
}

export interface RscNames {
  objects: { code: number; kind: SxfObject['kind']; name: string; layer: number }[];
  semantics: { code: number; name: string }[];
  layers: { number: number; name: string }[];
}

/** A classifier with these names. */
export function rsc({ objects, semantics, layers }: RscNames): Buffer {
  const head = Buffer.alloc(328);
  head.write('RSC');
  head.writeUInt32LE(126, 320);
  const text = (value: string, size: number): Buffer => {
    const bytes = Buffer.alloc(size);
    iconv.encode(value, 'windows-1251').copy(bytes, 0, 0, size - 1);
    return bytes;
  };
  const objectRows = objects.map(({ code, kind, name, layer }) => {
    const row = Buffer.alloc(100);
    row.writeUInt32LE(100);
    row.writeUInt32LE(code, 4);
    text('short', 32).copy(row, 16);
    text(name, 32).copy(row, 48);
    row.writeUInt8(kinds.indexOf(kind), 80);
    row.writeUInt8(layer, 81);
    return row;
  });
  const semanticRows = semantics.map(({ code, name }) => {
    const row = Buffer.alloc(84);
    row.writeUInt32LE(code);
    text(name, 32).copy(row, 8);
    return row;
  });
  const layerRows = layers.map(({ number, name }) => {
    const row = Buffer.alloc(60);
    row.writeUInt32LE(60);
    text(name, 32).copy(row, 4);
    row.writeUInt8(number, 52);
    return row;
  });
  let place = head.length;
  const parts: Buffer[] = [];
  for (const [field, rows] of [
    [120, objectRows],
    [132, semanticRows],
    [180, layerRows],
  ] as const) {
    const table = Buffer.concat([Buffer.from('TAB\0'), ...rows]);
    head.writeUInt32LE(place + 4, field);
    head.writeUInt32LE(table.length - 4, field + 4);
    head.writeUInt32LE(rows.length, field + 8);
    place += table.length;
    parts.push(table);
  }
  return Buffer.concat([head, ...parts]);
}
