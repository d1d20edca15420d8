/** A geometry in longitude and latitude that was checked, and is in the form in which it is staged. */
export interface ReadyGeometry {
  ewkb: Uint8Array;
  type: string;
  /** West, south, east, north in degrees. */
  box: readonly [number, number, number, number];
  /** Positions of it lay a little beyond the edge of the earth, and were taken to it. */
  isMoved?: boolean;
}

/** Kinds of geometry: their code in WKB, and how many lists their positions lie in. */
const kinds = {
  POINT: { code: 1, depth: 0, type: 'Point' },
  LINESTRING: { code: 2, depth: 1, type: 'LineString' },
  POLYGON: { code: 3, depth: 2, type: 'Polygon' },
  MULTIPOLYGON: { code: 6, depth: 3, type: 'MultiPolygon' },
} as const;

const head = /^(POINT|LINESTRING|POLYGON|MULTIPOLYGON) ?(?=\()/;

const [comma, open, close, space] = [0x2c, 0x28, 0x29, 0x20];

/** Longest text of which this is made; what is longer is rare. */
const longest = 1024 * 1024;
/** A number takes two characters at least, and eight bytes; a list nine. */
const bytes = Buffer.alloc(5 * longest + 64);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** The text, whose signs are read faster as bytes. */
let text = '';
const signs = Buffer.alloc(3 * longest + 1);
let at = 0;
let end = 0;
let [west, south, east, north] = [0, 0, 0, 0];

/**
 * The geometry of a well-known text as it is usually written, without the detour of objects for its positions: those of
 * tables are read in half the time. Undefined for all that is unusual or wrong, which is for the reader that says what.
 */
export function readyGeometry(wkt: string): ReadyGeometry | undefined {
  const match = wkt.length <= longest ? head.exec(wkt) : null;
  if (!match) return undefined;
  const kind = kinds[match[1] as keyof typeof kinds];
  text = wkt;
  signs[signs.write(wkt)] = 0;
  at = match[0].length;
  [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  bytes[0] = 1;
  view.setUint32(1, (0x20000000 | kind.code) >>> 0, true);
  view.setUint32(5, 4326, true);
  end = 9;
  const isRead = kind.depth ? list(kind.depth) : onePosition();
  if (!isRead || at !== text.length) return undefined;
  return { ewkb: Buffer.from(bytes.subarray(0, end)), type: kind.type, box: [west, south, east, north] };
}

function onePosition(): boolean {
  at++;
  return position() && signs[at++] === close;
}

/** Reads a list in parentheses: of positions (1), of rings (2), of polygons (3). */
function list(depth: number): boolean {
  if (signs[at++] !== open) return false;
  const countAt = end;
  end += 4;
  let count = 0;
  for (;;) {
    if (signs[at] === space) at++;
    if (!(depth === 1 ? position() : depth === 2 ? ring() : polygon())) return false;
    count++;
    const sign = signs[at++];
    if (sign === close) break;
    if (sign !== comma) return false;
  }
  view.setUint32(countAt, count, true);
  return depth > 1 || count > 1;
}

function ring(): boolean {
  const start = end + 4;
  if (!list(1) || end - start < 4 * 16) return false;
  // Whether it is closed.
  return (
    view.getFloat64(start, true) === view.getFloat64(end - 16, true) &&
    view.getFloat64(start + 8, true) === view.getFloat64(end - 8, true)
  );
}

function polygon(): boolean {
  bytes[end] = 1;
  view.setUint32(end + 1, kinds.POLYGON.code, true);
  end += 5;
  return list(2);
}

function position(): boolean {
  const x = number();
  if (signs[at++] !== space) return false;
  const y = number();
  // Not a number is not in the range either.
  if (!(x >= -180 && x <= 180 && y >= -90 && y <= 90)) return false;
  view.setFloat64(end, x, true);
  view.setFloat64(end + 8, y, true);
  end += 16;
  if (x < west) west = x;
  if (x > east) east = x;
  if (y < south) south = y;
  if (y > north) north = y;
  return true;
}

/** Powers of ten that a double holds exactly. */
const tens = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/**
 * A number of digits, at most one point and a sign; not a number for anything else. Where its digits, without the point, are an exact
 * integer, dividing that by the power of ten rounds but once, as reading the text would (Clinger 1990, "How to read floating point
 * numbers accurately").
 */
function number(): number {
  const from = at;
  const isNegative = signs[at] === 0x2d;
  if (isNegative) at++;
  let whole = 0;
  let digits = 0;
  let points = 0;
  let decimals = 0;
  for (let code = signs[at]!; ; code = signs[++at]!) {
    if (code >= 0x30 && code <= 0x39) {
      whole = 10 * whole + code - 0x30;
      digits++;
      decimals += points;
    } else if (code === 0x2e) points++;
    else break;
  }
  if (!digits || points > 1) return Number.NaN;
  if (whole > Number.MAX_SAFE_INTEGER || decimals >= tens.length) return Number(text.slice(from, at));
  const size = whole / tens[decimals]!;
  return isNegative ? -size : size;
}
