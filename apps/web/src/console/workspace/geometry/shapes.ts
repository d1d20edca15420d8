import type { Geometry, Position } from 'geojson';
import { cutArea, cutLine, intoDegrees } from './antimeridian.js';
import { contains } from './rings.js';

/** What a geometry is made of: points, lines or rings. */
export type ShapeKind = 'point' | 'line' | 'area';

/** A point, a line, or a ring of an area, as it is drawn: each is a feature of its own. */
export interface Shape {
  kind: ShapeKind;
  line: readonly Position[];
  /** Whether it is cut out of an area. */
  isHole: boolean;
}

/** Decimals of drawn coordinates, degrees: 0.1 mm. */
export const coordinateDecimals = 9;

const lineOf = (line: Position[], kind: ShapeKind): Shape => ({ kind, line, isHole: false });
const ringsOf = (rings: Position[][]): Shape[] =>
  rings.map((line, i) => ({ kind: 'area', line, isHole: i > 0 }));

/** The shapes of a geometry; null: it has several kinds, which cannot be drawn together. */
export function shapesOf(geometry: Geometry | null): Shape[] | null {
  switch (geometry?.type) {
    case undefined:
      return [];
    case 'Point':
      return [lineOf([geometry.coordinates], 'point')];
    case 'MultiPoint':
      return geometry.coordinates.map((one) => lineOf([one], 'point'));
    case 'LineString':
      return [lineOf(geometry.coordinates, 'line')];
    case 'MultiLineString':
      return geometry.coordinates.map((one) => lineOf(one, 'line'));
    case 'Polygon':
      return ringsOf(geometry.coordinates);
    case 'MultiPolygon':
      return geometry.coordinates.flatMap(ringsOf);
    default:
      return null;
  }
}

/**
 * The geometry of shapes of one kind, of several parts where `isMulti` or where there are several; null without shapes. Shapes
 * may lie beyond 180 degrees: what crosses the antimeridian becomes several parts.
 */
export function geometryOf(shapes: readonly Shape[], isMulti: boolean): Geometry | null {
  const kind = shapes[0]?.kind;
  if (!kind) return null;
  if (kind === 'area') {
    const areas = areasOf(shapes).flatMap(cutArea);
    return isMulti || areas.length > 1
      ? { type: 'MultiPolygon', coordinates: areas }
      : { type: 'Polygon', coordinates: areas[0] ?? [] };
  }
  if (kind === 'line') {
    const lines = shapes.flatMap(({ line }) => cutLine([...line]));
    return isMulti || lines.length > 1
      ? { type: 'MultiLineString', coordinates: lines }
      : { type: 'LineString', coordinates: lines[0]! };
  }
  const points = shapes.map(({ line }) => intoDegrees(line[0]!));
  return isMulti || points.length > 1
    ? { type: 'MultiPoint', coordinates: points }
    : { type: 'Point', coordinates: points[0]! };
}

/** Areas with their holes. A hole belongs to the area that its first vertex is in. */
function areasOf(shapes: readonly Shape[]): Position[][][] {
  const areas = shapes.filter(({ isHole }) => !isHole).map(({ line }) => [[...line]]);
  for (const { line } of shapes.filter(({ isHole }) => isHole))
    areas.find(([outline]) => contains(outline!, line[0]!))?.push([...line]);
  return areas;
}

/** Whether a hole lies outside of all areas: it would cut nothing out. */
export const hasLooseHole = (shapes: readonly Shape[]): boolean =>
  shapes.some(
    ({ line, isHole }) => isHole && !shapes.some((area) => !area.isHole && contains(area.line, line[0]!)),
  );

const earthRadiusMetres = 6_371_008.8;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Length of lines, metres on the sphere; area of areas without their holes, square metres. */
export function measure(shapes: readonly Shape[]): { kind: ShapeKind; value: number } | null {
  const kind = shapes[0]?.kind;
  if (!kind || kind === 'point') return null;
  const value = shapes.reduce((sum, { line, isHole }) => {
    if (kind === 'line') return sum + lengthOf(line);
    return sum + (isHole ? -1 : 1) * Math.abs(areaOf(line));
  }, 0);
  return { kind, value };
}

function lengthOf(line: readonly Position[]): number {
  return line.slice(1).reduce((sum, [lon, lat], i) => {
    const [lon0, lat0] = line[i] as [number, number];
    const [dy, dx] = [radians(lat! - lat0), radians(lon! - lon0)];
    const a =
      Math.sin(dy / 2) ** 2 + Math.cos(radians(lat0)) * Math.cos(radians(lat!)) * Math.sin(dx / 2) ** 2;
    return sum + 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(a)));
  }, 0);
}

/** Chamberlain and Duquette, "Some Algorithms for Polygons on a Sphere" (2007). */
function areaOf(ring: readonly Position[]): number {
  const sum = ring.slice(1).reduce((total, [lon, lat], i) => {
    const [lon0, lat0] = ring[i] as [number, number];
    return total + radians(lon! - lon0) * (2 + Math.sin(radians(lat0)) + Math.sin(radians(lat!)));
  }, 0);
  return (sum * earthRadiusMetres ** 2) / 2;
}
