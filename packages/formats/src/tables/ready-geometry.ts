/** A checked geometry in longitude and latitude, in the form for the staging table. */
export interface ReadyGeometry {
  ewkb: Uint8Array;
  type: string;
  /** West, south, east, north in degrees. */
  box: readonly [number, number, number, number];
  /** Whether positions slightly beyond the valid range were moved to its edge. */
  isMoved?: boolean;
}

/** Kinds of geometry: their WKB code, and the nesting of their positions. */
const kinds = {
  POINT: { code: 1, depth: 0, type: 'Point' },
  LINESTRING: { code: 2, depth: 1, type: 'LineString' },
  POLYGON: { code: 3, depth: 2, type: 'Polygon' },
  MULTIPOLYGON: { code: 6, depth: 3, type: 'MultiPolygon' },
} as const;

const head = /^(POINT|LINESTRING|POLYGON|MULTIPOLYGON) ?(?=\()/;

const [comma, open, close, space] = [0x2c, 0x28, 0x29, 0x20];

/** Maximum length of a text for this reader; longer ones are rare. */
const longest = 1024 * 1024;
/** A number takes at least two characters of text and eight bytes of WKB; a list takes nine bytes. */
const bytes = Buffer.alloc(5 * longest + 64);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** The text as bytes, which are faster to read than characters. */
let text = '';
const signs = Buffer.alloc(3 * longest + 1);
let at = 0;
let end = 0;
let [west, south, east, north] = [0, 0, 0, 0];

/**
 * Parses well-known text in its usual form, without objects for its positions, which halves the time. Undefined for
 * unusual or invalid texts, which the general reader handles and reports.
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

/** Parses a list in parentheses: of positions (1), of rings (2), of polygons (3). */
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
  // Checks that the ring is closed.
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
  // The negated form also excludes NaN.
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

/** Powers of ten that a double represents exactly. */
const tens = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/**
 * Parses digits with at most one point and a sign; NaN for anything else. If the digits without the point form an exact
 * integer, dividing it by the power of ten rounds only once, as parsing the text would (Clinger 1990, "How to read
 * floating point numbers accurately").
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
