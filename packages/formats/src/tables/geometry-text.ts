import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { parseSrs, wgs84 } from '@cartulary/geo';
import { fromWkb } from '../readers/wkb.js';
import { beginsAsWkt, fromWkt } from './wkt.js';

/** A geometry in the text of a cell. */
interface TextGeometry {
  geometry: unknown;
  /** The projection that the text declares. */
  srid: number | undefined;
}

/** What geometries in texts share: the first one decides the projection of all. */
export interface TextGeometries {
  readonly srsIsGiven: boolean;
  /** Receives each arc that becomes a line. */
  arc(): void;
  /** Receives measures, which are left out. */
  measure(): void;
  /** The projection of the first geometry; undefined: no geometry yet. */
  srs: string | undefined;
}

/** The geometry in a text, in the projection of those before. Throws `value_invalid`. */
export function nextGeometry(geometries: TextGeometries, text: string): unknown {
  const { geometry, srid } = geometryOfText(text, geometries);
  if (geometries.srsIsGiven) return geometry;
  const srs = srid === undefined ? undefined : parseSrs(String(srid));
  geometries.srs ??= srs ?? wgs84;
  if (srs !== undefined && srs !== geometries.srs) {
    const why = noteOf('otherProjection', { srs, before: geometries.srs });
    throw new ServiceError('value_invalid', noteOf('ofGeometry', { reason: why }), { columns: ['geom'] });
  }
  return geometry;
}

/** PostgreSQL writes `\x` before the digits, SQL Server `0x`. */
const hex = /^(?:\\x|0x)?(?:[0-9a-f]{2})+$/i;
const types = /"type"\s*:\s*"(?:Multi)?(?:Point|LineString|Polygon|GeometryCollection)"/;

/** Whether a text looks like WKT, hexadecimal WKB, or GeoJSON. */
export const looksLikeGeometry = (text: string): boolean =>
  beginsAsWkt(text) || (text.startsWith('{') && types.test(text)) || looksLikeWkb(text);

/** Whether a text looks like hexadecimal WKB, which no other text does. */
export const looksLikeWkb = (text: string): boolean =>
  text.length >= 18 && text.length % 2 === 0 && hex.test(text) && beginsAsWkb(bytesOf(text.slice(0, 20)));

/** Parses the geometry of a cell, null for an empty one. Throws `value_invalid`. */
function geometryOfText(
  text: string,
  { arc, measure }: Pick<TextGeometries, 'arc' | 'measure'>,
): TextGeometry {
  if (text.startsWith('{')) return { geometry: parsed(text), srid: undefined };
  if (text.length % 2 === 0 && hex.test(text)) {
    const bytes = bytesOf(text);
    return { geometry: fromWkb(bytes, arc, measure), srid: sridOf(bytes) };
  }
  return fromWkt(text, arc, measure);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('value_invalid', noteOf('ofGeometry', { reason: noteOf('geoJsonNotJson') }), {
      columns: ['geom'],
    });
  }
}

const bytesOf = (text: string): Buffer => Buffer.from(text.replace(/^(?:\\x|0x)/i, ''), 'hex');

/** Byte order and geometry type: other content is unlikely to begin like this. */
function beginsAsWkb(bytes: Buffer): boolean {
  if (bytes.length < 5 || bytes[0]! > 1) return false;
  const code = wordOf(bytes) & 0x1fffffff;
  return code % 1000 >= 1 && code % 1000 <= 17 && code < 4000;
}

const wordOf = (bytes: Buffer): number => (bytes[0] === 1 ? bytes.readUInt32LE(1) : bytes.readUInt32BE(1));

const sridFlag = 0x20000000;

/** The SRID of EWKB; undefined if it has none, or 0. */
function sridOf(bytes: Buffer): number | undefined {
  if (!(wordOf(bytes) & sridFlag)) return undefined;
  return (bytes[0] === 1 ? bytes.readUInt32LE(5) : bytes.readUInt32BE(5)) || undefined;
}
