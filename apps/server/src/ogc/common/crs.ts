import type { Column, OutputCrs } from '@cartulary/columns';
import { isDataError, type Queryable, sqlState, tooManyCrossingsState } from '@cartulary/database';
import { badRequest, type ServiceError } from '@cartulary/errors';
import { type BoxEdges, toEwkb } from '@cartulary/geo';
import { type Sql, sql } from '@cartulary/sql';
import type { Geometry } from 'geojson';
import { type Filter, filterFailure, lonLatShapes, parseFilter, swapAxes } from '../../objects/store.js';
import { seamsOf } from '../../tiles/pictures/seams.js';

/** The form of a filter that is text. Absent: JSON where it begins with a curly bracket, else text. */
export type FilterLanguage = 'cql2-text' | 'cql2-json';

/** A coordinate reference system of a request. */
export interface Crs extends OutputCrs {
  uri: string;
  /** Metres per unit of a system that is not in degrees. */
  metresPerUnit: number;
  /** The coordinates of its origin, to the east and to the north. */
  origin?: readonly [x: number, y: number];
  /** Where it tears the world apart (see `seamsOf`). */
  seams?: readonly BoxEdges[];
}

/** The bodies whose codes name systems. */
type Authority = 'EPSG' | 'ESRI';

const uriOf = (code: number, authority: Authority = 'EPSG'): string =>
  `http://www.opengis.net/def/crs/${authority}/0/${code}`;

/** Longitude and latitude on WGS 84, in which geometries are stored. */
export const crs84: Crs = {
  uri: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  srid: 4326,
  isNorthFirst: false,
  isDegrees: true,
  metresPerUnit: 1,
};
/** Web Mercator, in which tiles are drawn. */
export const mercator: Crs = {
  uri: uriOf(3857),
  srid: 3857,
  isNorthFirst: false,
  isDegrees: false,
  metresPerUnit: 1,
};
const known: Readonly<Record<number, Crs>> = {
  4326: { ...crs84, uri: uriOf(4326), isNorthFirst: true },
  3857: mercator,
};
/** Other codes of EPSG:3857, which are still in use, under both authorities. */
const mercatorCodes: ReadonlySet<number> = new Set([900_913, 102_100, 102_113, 3785]);

const forms = [
  /^https?:\/\/www\.opengis\.net\/def\/crs\/(EPSG|ESRI)\/[\w.]{1,10}\/(\d{4,6})$/i,
  /^urn:(?:x-)?ogc:def:crs:(EPSG|ESRI):(?:[\w.]{0,10}:)?(\d{4,6})$/i,
  /^\[?(EPSG|ESRI):(\d{4,6})\]?$/i,
];
const crs84Form =
  /^(https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/[\w.]{1,10}\/CRS84h?|urn:ogc:def:crs:OGC:[\w.]{0,10}:CRS84h?|\[?(OGC|CRS):(CRS)?84\]?|CRS84)$/i;

/** The reference system that a parameter names. Throws 400 for one that the database does not know. */
export async function findCrs(db: Queryable, text: string | undefined, parameter: string): Promise<Crs> {
  const asked = text?.trim();
  if (!asked || crs84Form.test(asked)) return crs84;
  const match = forms.map((form) => form.exec(asked)).find((found) => found !== null);
  if (!match) throw unknownCrs(asked, parameter);
  const authority = match[1]!.toUpperCase() as Authority;
  const code = Number(match[2]);
  if (mercatorCodes.has(code)) return mercator;
  const common = authority === 'EPSG' ? known[code] : undefined;
  if (common) return common;
  const [row] = await db.query<{ definition: string }>(
    sql`select srtext as definition from spatial_ref_sys where srid = ${code}::integer and auth_name = ${authority}`,
  );
  const crs = row && crsOf(code, row.definition, authority);
  if (!crs) throw unknownCrs(asked, parameter);
  return crs;
}

/** A system as a service of XML names it. */
export interface NamedCrs extends Crs {
  srsName: string;
}

/**
 * The system of an `srsName`, which is `usual` without one. A URN and an address mean the order of the axes of the system;
 * `EPSG:4326` and the addresses of GML 2 mean x before y, as programs have used them since WFS 1.0. `isEastFirst`: every name
 * means x before y. Throws 400.
 */
export async function findNamedCrs(
  db: Queryable,
  text: string | undefined,
  {
    parameter,
    usual = urnOf(4326),
    isEastFirst = false,
  }: { parameter: string; usual?: string; isEastFirst?: boolean },
): Promise<NamedCrs> {
  const asked = text?.trim() || usual;
  const short = /^(?:(EPSG|ESRI):|https?:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#)(\d{4,6})$/i.exec(asked);
  const crs = await findCrs(db, short ? `${short[1] ?? 'EPSG'}:${short[2]}` : asked, parameter);
  if (short) return { ...crs, isNorthFirst: false, srsName: asked };
  const srsName = asked.startsWith('http') ? crs.uri : urnOfCrs(crs);
  return { ...crs, srsName, ...(isEastFirst ? { isNorthFirst: false } : {}) };
}

/** The URN of longitude and latitude. */
const crs84Urn = 'urn:ogc:def:crs:OGC:1.3:CRS84';

/** The URN of a system. */
const urnOf = (code: number, authority: Authority = 'EPSG'): string =>
  `urn:ogc:def:crs:${authority}::${code}`;

const authorityOf = ({ uri }: Crs): Authority => (uri.includes('/ESRI/') ? 'ESRI' : 'EPSG');

/** The short name of a system that is not CRS84, such as `EPSG:25832`. */
export const shortName = (crs: Crs): string => `${authorityOf(crs)}:${crs.srid}`;

/** The URN of a system, which for CRS84 is no code. */
export const urnOfCrs = (crs: Crs): string => (crs === crs84 ? crs84Urn : urnOf(crs.srid, authorityOf(crs)));

const unknownCrs = (text: string, parameter: string): ServiceError =>
  badRequest(
    `${parameter}: '${text.slice(0, 100)}' is no coordinate reference system that is known here, such as ${crs84.uri} or ${uriOf(25832)}`,
    { parameters: [parameter] },
  );

/**
 * A system by its definition (WKT 1), where it is a flat one. The database leaves out the axes of systems that begin with the
 * north: those of geographic ones, and of about 1,200 projections.
 */
function crsOf(code: number, definition: string, authority: Authority): Crs | undefined {
  const kind = /^(PROJCS|GEOGCS)\["([^"]*)"/.exec(definition);
  if (!kind) return undefined;
  const isDegrees = kind[1] === 'GEOGCS';
  const axis = /AXIS\["[^"]*",\s*(\w+)\]/.exec(definition)?.[1];
  const isNorthFirst = axis === undefined ? !kind[2]!.includes('(lon-lat)') : axis === 'NORTH';
  // The last unit is that of the whole, after that of the geographic system in it.
  const unit = Number([...definition.matchAll(/UNIT\["[^"]*",\s*([\d.eE+-]+)/g)].at(-1)?.[1]);
  const metresPerUnit = !isDegrees && unit > 0 ? unit : 1;
  const numberOf = (name: string): number =>
    Number(new RegExp(`PARAMETER\\["${name}",\\s*([\\d.eE+-]+)`).exec(definition)?.[1] ?? 0);
  const origin = [numberOf('false_easting'), numberOf('false_northing')] as const;
  return {
    uri: uriOf(code, authority),
    srid: code,
    isNorthFirst,
    isDegrees,
    metresPerUnit,
    origin,
    seams: seamsOf(definition),
  };
}

/** A GeoJSON geometry of another system on CRS84. Throws 400, with the parameter, where the system does not reach its positions. */
export async function toLonLat(
  db: Queryable,
  given: Geometry,
  crs: Crs,
  parameter: string,
): Promise<Geometry> {
  const geometry = crs.isNorthFirst ? structuredClone(given) : given;
  if (crs.isNorthFirst) swapAxes(geometry);
  if (crs.srid === 4326) return geometry;
  const shape = sql`ST_SetSRID(ST_GeomFromGeoJSON(${JSON.stringify(geometry)}::text), ${crs.srid}::integer)`;
  const statement = sql`select ST_AsGeoJSON(shape, 17, 0) as geom, ST_XMax(shape) < 'infinity' as is_placed
    from ST_Transform(${shape}, 4326) shape`;
  const [row] = await placed<{ geom: string }>(db, statement, { crs, parameter });
  return JSON.parse(row!.geom) as Geometry;
}

/** The same of a geometry to compare with: large ones follow the lines of their system, also around a pole and across 180 degrees. */
export async function comparedShape(
  db: Queryable,
  given: Geometry,
  crs: Crs,
  parameter: string,
): Promise<Geometry> {
  if (crs.srid === 4326) return toLonLat(db, given, crs, parameter);
  const geometry = structuredClone(given);
  if (crs.isNorthFirst) swapAxes(geometry);
  const shapes = [toEwkb(geometry).toString('hex')];
  const [geojson] = await lonLatTexts(db, shapes, { form: sql`ST_AsGeoJSON(shape, 17, 0)`, crs, parameter });
  return JSON.parse(geojson!) as Geometry;
}

/** Shapes (EWKB in hexadecimal digits) to compare with, in longitude and latitude, as texts of the expression `form` over `shape`. */
async function lonLatTexts(
  db: Queryable,
  shapes: readonly string[],
  { form, crs, parameter }: { form: Sql; crs: Crs; parameter: string },
): Promise<string[]> {
  const statement = sql`select ${form} as text, ST_XMax(shape) < 'infinity' as is_placed
    from (${lonLatShapes({ shapes, srid: crs.srid, isDegrees: crs.isDegrees })}) s order by n`;
  const rows = await placed<{ text: string }>(db, statement, { crs, parameter });
  return rows.map(({ text }) => text);
}

/** Rows of a statement that transforms from a system, with `is_placed`. Throws 400, with the parameter, where the system does not reach the positions. */
async function placed<Row>(
  db: Queryable,
  statement: Sql,
  { crs, parameter }: { crs: Crs; parameter: string },
): Promise<Row[]> {
  const unreached = (): ServiceError =>
    badRequest(`${parameter}: ${crs.uri} does not reach the coordinates`, { parameters: [parameter] });
  try {
    const rows = await db.query<Row & { is_placed: boolean | null }>(statement);
    if (rows.some(({ is_placed }) => is_placed === false)) throw unreached();
    return rows;
  } catch (error) {
    if (sqlState(error) === tooManyCrossingsState) throw filterFailure(error);
    throw isDataError(error) ? unreached() : error;
  }
}

/** A CQL2 filter over columns, whose geometries are in `crs`. Throws 400 with the place of the mistake. */
export async function filterIn(
  db: Queryable,
  filter: unknown,
  { columns, crs, lang }: { columns: readonly Column[]; crs: Crs; lang?: FilterLanguage | undefined },
): Promise<Filter> {
  if (crs === crs84) return parseFilter(filter, columns, { lang });
  const transformed = new Map<string, string>();
  const parsed = parseFilter(filter, columns, { lang, crs, transformed });
  if (!transformed.size) return parsed;
  const shapes = [...transformed.keys()];
  const form = sql`encode(ST_AsEWKB(shape), 'hex')`;
  const moved = await lonLatTexts(db, shapes, { form, crs, parameter: 'filter' });
  for (const [i, ewkb] of moved.entries()) transformed.set(shapes[i]!, ewkb);
  return parsed;
}

/** The zones of UTM that an extent touches; many of them are told as none. */
function zonesOf({ west, south, east, north }: LonLatExtent): number[] {
  const zone = (lon: number): number => Math.min(60, Math.max(1, Math.floor((lon + 180) / 6) + 1));
  const [first, last] = [zone(west), zone(east)];
  if (!(last - first < 6)) return [];
  const zones = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return [
    ...(north > 0 ? zones.map((n) => 32_600 + n) : []),
    ...(south < 0 ? zones.map((n) => 32_700 + n) : []),
  ];
}

/** Degrees. */
export interface LonLatExtent {
  west: number;
  south: number;
  east: number;
  north: number;
}

const europe: LonLatExtent = { west: -25, south: 33, east: 45, north: 72 };

/** The code of EPSG in the address of a system; undefined for CRS84. */
export const codeOfUri = (uri: string): number | undefined =>
  Number(/\/EPSG\/0\/(\d+)$/.exec(uri)?.[1]) || undefined;

/** Systems that programs may choose from: general ones, and those of the place. Others are taken, too. */
export function listedCrs(extent: LonLatExtent | undefined): string[] {
  const codes = [4326, 3857, 4258];
  if (extent) {
    const isWithin =
      extent.west >= europe.west &&
      extent.east <= europe.east &&
      extent.south >= europe.south &&
      extent.north <= europe.north;
    const zones = zonesOf(extent);
    codes.push(...zones);
    if (isWithin)
      codes.push(
        3035,
        ...zones.filter((code) => code >= 32_628 && code <= 32_638).map((code) => code - 6_800),
      );
  }
  return [crs84.uri, ...codes.map((code) => uriOf(code))];
}
