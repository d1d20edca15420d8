import { valueSql } from '@cartulary/columns';
import { ServiceError } from '@cartulary/errors';
import { type Box, boxesOf, checkGeometry, toEwkb } from '@cartulary/geo';
import { join, type Sql, sql } from '@cartulary/sql';
import type { Geometry } from 'geojson';
import {
  argumentOf,
  demandCount,
  type Filter,
  type FilterContext,
  isObject,
  type Operator,
  propertyOf,
  type TermPosition,
  wrongAt,
} from './terms.js';

/** The layer's geometry, or a geometry of the filter. */
interface Shape {
  isProperty: boolean;
  sql: Filter;
  /** The extent of a geometry of the filter. */
  box?: Box;
}

function shapeOf(term: unknown, place: TermPosition): Shape {
  const column = propertyOf(term, place);
  if (column) {
    if (column.type !== 'geom') throw wrongAt(place, `the column '${column.code}' holds no geometry`);
    return { isProperty: true, sql: (context) => stored(valueSql(column, context), context) };
  }
  const geometry = literalGeometry(term, place);
  const ewkb = toEwkb(geometry).toString('hex');
  return { isProperty: false, box: extentOf(geometry), sql: (context) => given(ewkb, context) };
}

const stored = (geom: Sql, { robust }: FilterContext): Sql =>
  robust ? sql`(case when ST_IsValid(${geom}) then ${geom} else ST_MakeValid(${geom}) end)` : geom;

const given = (ewkb: string, { robust }: FilterContext): Sql =>
  robust ? sql`ST_MakeValid(${ewkb}::geometry)` : sql`${ewkb}::geometry`;

/** GeoJSON in longitude and latitude, or `{"bbox": [west, south, east, north]}`. */
function literalGeometry(term: unknown, place: TermPosition): Geometry {
  if (!isObject(term)) throw wrongAt(place, 'must be {"property": "geom"} or a GeoJSON geometry');
  if (!('bbox' in term) || 'type' in term) return geoJson(term, place);
  const { bbox } = term;
  const isBox = Array.isArray(bbox) && bbox.length === 4 && bbox.every(Number.isFinite) && bbox[1] <= bbox[3];
  if (!isBox) throw wrongAt(place, 'bbox must be [west, south, east, north]');
  const [west, south, east, north] = bbox as [number, number, number, number];
  const boxes = boxesOf({ west, south, east, north }, '4326');
  return geoJson({ type: 'MultiPolygon', coordinates: boxes.map((box) => [ringOf(box)]) }, place);
}

const ringOf = ({ west, south, east, north }: Box): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

function geoJson(term: unknown, place: TermPosition): Geometry {
  try {
    return checkGeometry(term);
  } catch (error) {
    throw error instanceof ServiceError ? wrongAt(place, error.message.replace(/^geom: /, '')) : error;
  }
}

function extentOf(geometry: Geometry): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  const take = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    if (typeof value[0] !== 'number') {
      for (const item of value) take(item);
      return;
    }
    const [x, y] = value as [number, number];
    box.west = Math.min(box.west, x);
    box.south = Math.min(box.south, y);
    box.east = Math.max(box.east, x);
    box.north = Math.max(box.north, y);
  };
  const visit = (part: Geometry): void => {
    if (part.type === 'GeometryCollection') for (const member of part.geometries) visit(member);
    else take(part.coordinates);
  };
  visit(geometry);
  return box;
}

/** The geometry intersects one of the boxes. The planner can use the spatial index. */
export const meetsBoxes = (geom: Sql, boxes: readonly Box[]): Sql =>
  sql`(${join(
    boxes.map((box) => sql`ST_Intersects(${geom}, ${shapeOfBox(box)})`),
    ' or ',
  )})`;

/** A box without width or height becomes a point or a line: as a polygon it would intersect nothing on its edge. */
function shapeOfBox(box: Box): Sql {
  const { west, south, east, north } = box;
  if (west !== east && south !== north) return envelope(box);
  const sw = sql`ST_MakePoint(${west}::double precision, ${south}::double precision)`;
  const ne = sql`ST_MakePoint(${east}::double precision, ${north}::double precision)`;
  const shape = west === east && south === north ? sw : sql`ST_MakeLine(${sw}, ${ne})`;
  return sql`ST_SetSRID(${shape}, 4326)`;
}

const envelope = ({ west, south, east, north }: Box): Sql =>
  sql`ST_MakeEnvelope(${west}::double precision, ${south}::double precision, ${east}::double precision, ${north}::double precision, 4326)`;

const relation =
  (name: Sql): Operator =>
  (place, args) => {
    demandCount(place, args, 2);
    const [a, b] = args.map((arg, i) => shapeOf(arg, argumentOf(place, i))) as [Shape, Shape];
    if (!a.isProperty && !b.isProperty) throw wrongAt(place, 'compares no property');
    return (context) => {
      const test = sql`${name}(${a.sql(context)}, ${b.sql(context)})`;
      if (!context.robust) return test;
      // The function uses the spatial index by itself, but not over repaired geometries: the box condition is explicit then.
      const plain = { ...context, robust: false };
      return sql`(${a.sql(plain)} && ${b.sql(plain)} and ${test})`;
    };
  };

/** Metres: half of the Earth's circumference, rounded up. */
const distanceLimitMetres = 20_040_000;

/** Within a distance on the ellipsoid, metres: `[{"property": "geom"}, geometry, 1000]`. */
const withinDistance: Operator = (place, args) => {
  demandCount(place, args, 3, 4);
  const [a, b] = [0, 1].map((i) => shapeOf(args[i], argumentOf(place, i))) as [Shape, Shape];
  const [property, other] = a.isProperty ? [a, b] : [b, a];
  if (!property.isProperty || !other.box) {
    throw wrongAt(place, 'compares the property geom with a geometry');
  }
  const metres = args[2];
  if (typeof metres !== 'number' || !(metres >= 0 && metres <= distanceLimitMetres)) {
    throw wrongAt(argumentOf(place, 2), `must be a distance from 0 to ${distanceLimitMetres} metres`);
  }
  if (args[3] !== undefined && !/^(m|met(er|re)s?)$/.test(String(args[3]))) {
    throw wrongAt(argumentOf(place, 3), 'distances are given in meters');
  }
  const near = surroundings(other.box, metres);
  return (context) => {
    const geom = property.sql({ ...context, robust: false });
    const boxes = join(
      near.map((box) => sql`${geom} && ${envelope(box)}`),
      ' or ',
    );
    return sql`((${boxes}) and ST_DWithin(${geom}::geography, ${other.sql(context)}::geography, ${metres}::double precision))`;
  };
};

/** Shortest length of a degree of latitude, and of longitude at the equator, metres (WGS 84), rounded down. */
const metresPerDegree = 110_000;

/** Stored longitudes exceed ±180 degrees by less than this. */
const longitudeMarginDegrees = 1e-5;

/** Boxes that hold everything within a distance of a box. */
function surroundings(box: Box, metres: number): Box[] {
  const degrees = metres / metresPerDegree;
  const south = Math.max(box.south - degrees, -90 - 1e-6);
  const north = Math.min(box.north + degrees, 90 + 1e-6);
  const farthest = Math.max(Math.abs(south), Math.abs(north));
  if (farthest > 89) return [{ west: -181, south, east: 181, north }];
  const sideways = degrees / Math.cos((farthest * Math.PI) / 180);
  const wide = { west: box.west - sideways - 1e-6, south, east: box.east + sideways + 1e-6, north };
  return boxesOf(wide, '4326').map((part) => ({
    ...part,
    west: part.west - longitudeMarginDegrees,
    east: part.east + longitudeMarginDegrees,
  }));
}

export const spatials: Readonly<Record<string, Operator>> = {
  s_intersects: relation(sql`ST_Intersects`),
  s_within: relation(sql`ST_Within`),
  s_contains: relation(sql`ST_Contains`),
  s_dwithin: withinDistance,
};
