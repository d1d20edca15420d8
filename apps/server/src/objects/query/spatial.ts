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
  /** Of a geometry of the filter. */
  literal?: Literal;
  /** The extent of a geometry of the filter. */
  box?: Box;
}

interface Literal {
  type: Geometry['type'];
  positions: number;
}

function shapeOf(term: unknown, place: TermPosition): Shape {
  const column = propertyOf(term, place);
  if (column) {
    if (column.type !== 'geom') throw wrongAt(place, `the column '${column.code}' holds no geometry`);
    return { isProperty: true, sql: (context) => stored(valueSql(column, context), context) };
  }
  const { crs } = place;
  const geometry = literalGeometry(term, place);
  const ewkb = toEwkb(geometry).toString('hex');
  const literal = { type: geometry.type, positions: positionCount(geometry) };
  if (crs && crs.srid !== 4326) {
    place.transformed?.set(ewkb, ewkb);
    // The database gives its value after the whole filter is read.
    return {
      isProperty: false,
      literal,
      sql: (context) => given(sql`${place.transformed?.get(ewkb) ?? ewkb}::geometry`, context),
    };
  }
  return {
    isProperty: false,
    literal,
    box: extentOf(geometry),
    sql: (context) => given(sql`${ewkb}::geometry`, context),
  };
}

/** Swaps the first two numbers of all positions, in place. */
export function swapAxes(geometry: Geometry): void {
  forEachPosition(geometry, (position) => position.splice(0, 2, position[1], position[0]));
}

const stored = (geom: Sql, { robust }: FilterContext): Sql =>
  robust ? sql`cartulary_queries.valid(${geom})` : geom;

const given = (shape: Sql, { robust }: FilterContext): Sql =>
  robust ? sql`cartulary_queries.st_makevalid(${shape})` : shape;

/** GeoJSON in longitude and latitude, or `{"bbox": [west, south, east, north]}`. */
function literalGeometry(term: unknown, place: TermPosition): Geometry {
  if (!isObject(term)) throw wrongAt(place, 'must be {"property": "geom"} or a GeoJSON geometry');
  if (!('bbox' in term) || 'type' in term) return geoJson(term, place);
  const bbox = flat(term.bbox, place);
  if (!bbox?.every(Number.isFinite) || bbox[1] > bbox[3])
    throw wrongAt(place, 'bbox must be [west, south, east, north]');
  const [west, south, east, north] = bbox;
  const isGeographic = !place.crs || place.crs.srid === 4326;
  const boxes = isGeographic ? boxesOf({ west, south, east, north }, '4326') : [{ west, south, east, north }];
  const coordinates = boxes.map((box) => [ringOf(box)]);
  return checked({ type: 'MultiPolygon', coordinates }, place);
}

/** The four numbers of a box; the heights of one with six are left out. */
function flat(bbox: unknown, { crs }: TermPosition): [number, number, number, number] | undefined {
  if (!Array.isArray(bbox)) return undefined;
  const numbers = bbox.length === 6 ? [...bbox.slice(0, 2), ...bbox.slice(3, 5)] : bbox;
  if (numbers.length !== 4) return undefined;
  const [a, b, c, d] = numbers as [number, number, number, number];
  return crs?.isNorthFirst ? [b, a, d, c] : [a, b, c, d];
}

const ringOf = ({ west, south, east, north }: Box): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** A GeoJSON geometry with x before y. */
function geoJson(term: unknown, place: TermPosition): Geometry {
  if (!place.crs?.isNorthFirst) return checked(term, place);
  const geometry = checked(structuredClone(term), { ...place, crs: { srid: 0, isNorthFirst: false } });
  swapAxes(geometry);
  return checked(geometry, place);
}

function checked(geometry: unknown, place: TermPosition): Geometry {
  const isGeographic = !place.crs || place.crs.srid === 4326;
  try {
    return checkGeometry(geometry, isGeographic ? '4326' : 'any');
  } catch (error) {
    throw error instanceof ServiceError ? wrongAt(place, error.message.replace(/^geom: /, '')) : error;
  }
}

function extentOf(geometry: Geometry): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  forEachPosition(geometry, ([x, y]) => {
    box.west = Math.min(box.west, x);
    box.south = Math.min(box.south, y);
    box.east = Math.max(box.east, x);
    box.north = Math.max(box.north, y);
  });
  return box;
}

function forEachPosition(geometry: Geometry, take: (position: [x: number, y: number]) => unknown): void {
  const visit = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    if (typeof value[0] === 'number') take(value as [number, number]);
    else for (const item of value) visit(item);
  };
  if (geometry.type === 'GeometryCollection')
    for (const member of geometry.geometries) forEachPosition(member, take);
  else visit(geometry.coordinates);
}

function positionCount(geometry: Geometry): number {
  let count = 0;
  forEachPosition(geometry, () => {
    count += 1;
  });
  return count;
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

/** Pairs of positions that a relation may compare at once: a second or two, in which the database cannot be stopped. */
const maxPairs = 1e8;
/** The same of distances on the ellipsoid. */
const maxDistantPairs = 1e6;

/** Most positions of a stored geometry: more are larger than a value may be. */
const maxStoredPositions = 4e6;

/**
 * Fails where a relation would compare each of many points with each position of many lines: no time limit stops the database then.
 * undefined where no stored geometry has so many positions, and for polygons, which have an index.
 */
function relatable(a: Shape, b: Shape, context: FilterContext): Sql | undefined {
  const [given, other] = a.literal ? [a, b] : [b, a];
  if (!given.literal || /Polygon$/.test(given.literal.type)) return undefined;
  const most = Math.floor(maxPairs / given.literal.positions);
  if (most >= maxStoredPositions) return undefined;
  const shape = other.sql(context);
  return sql`(ST_NPoints(${shape}) <= ${most}::integer or cartulary_queries.demand_relatable(${given.sql(context)}, ${shape}))`;
}

/** `isDistant`: holds for geometries whose extents do not meet, so that no index helps. */
const relation =
  (name: Sql, { isDistant = false } = {}): Operator =>
  (place, args) => {
    demandCount(place, args, 2);
    const [a, b] = args.map((arg, i) => shapeOf(arg, argumentOf(place, i))) as [Shape, Shape];
    return (context) => {
      const plain = { ...context, robust: false };
      const bound = relatable(a, b, plain);
      const call = sql`${name}(${a.sql(context)}, ${b.sql(context)})`;
      const test = bound ? sql`(${bound} and ${call})` : call;
      if (!context.robust || isDistant) return test;
      // The function uses the spatial index by itself, but not over repaired geometries: the box condition is explicit then.
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
  if (!property.isProperty || other.isProperty) {
    throw wrongAt(place, 'compares the property geom with a geometry');
  }
  const metres = args[2];
  if (typeof metres !== 'number' || !(metres >= 0 && metres <= distanceLimitMetres)) {
    throw wrongAt(argumentOf(place, 2), `must be a distance from 0 to ${distanceLimitMetres} metres`);
  }
  if (args[3] !== undefined && !/^(m|met(er|re)s?)$/.test(String(args[3]))) {
    throw wrongAt(argumentOf(place, 3), 'distances are given in meters');
  }
  // The extent of a geometry in another system is not known here.
  const near = other.box ? surroundings(other.box, metres) : [];
  return (context) => {
    const geom = property.sql({ ...context, robust: false });
    return sql`(${meets(geom, near)} and ${isWithin(geom, other.sql(context), metres, { near, literal: other.literal! })})`;
  };
};

/** The extent of the geometry meets one of the boxes; true without boxes. */
const meets = (geom: Sql, boxes: readonly Box[]): Sql =>
  boxes.length
    ? sql`(${join(
        boxes.map((box) => sql`${geom} && ${envelope(box)}`),
        ' or ',
      )})`
    : sql`true`;

/**
 * Whether a distance on the ellipsoid is within metres. Many points against many positions are compared point by point, those in the boxes
 * `near`, since no time limit stops the database while it compares two geometries.
 */
function isWithin(
  geom: Sql,
  other: Sql,
  metres: number,
  { near, literal }: { near: readonly Box[]; literal: Literal },
): Sql {
  const within = (a: Sql, b: Sql): Sql =>
    sql`ST_DWithin(${a}::geography, ${b}::geography, ${metres}::double precision)`;
  const most = Math.floor(maxDistantPairs / literal.positions);
  if (most >= maxDistantPairs) return within(geom, other);
  const [a, b] = [sql`a.geom`, sql`b.geom`];
  return sql`case when ST_NPoints(${geom}) > ${most}::integer
    then exists (select from ST_Dump(${geom}) a, ST_Dump(${other}) b where ${meets(a, near)} and ${within(a, b)})
    else ${within(geom, other)} end`;
}

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
  s_equals: relation(sql`ST_Equals`),
  s_disjoint: relation(sql`ST_Disjoint`, { isDistant: true }),
  s_touches: relation(sql`ST_Touches`),
  s_overlaps: relation(sql`ST_Overlaps`),
  s_crosses: relation(sql`ST_Crosses`),
  s_dwithin: withinDistance,
};
