import { badRequest, type ServiceError } from '@cartulary/errors';
import type { Geometry, Position } from 'geojson';
import { elementIn, elementsIn, type XmlElement } from '../common/xml-tree.js';

/** A geometry of GML 2 to 3.2, with its coordinates in the order in which they stand, and the name of their system. */
export interface GmlGeometry {
  geometry: Geometry;
  srsName: string | undefined;
}

const names: ReadonlySet<string> = new Set([
  'Point',
  'LineString',
  'LinearRing',
  'Curve',
  'Polygon',
  'Surface',
  'MultiPoint',
  'MultiLineString',
  'MultiCurve',
  'MultiPolygon',
  'MultiSurface',
  'MultiGeometry',
]);

/** Whether an element is a geometry. */
export const isGmlGeometry = ({ name }: XmlElement): boolean => names.has(name);

/** Reads a geometry. Throws 400 for one that is not understood. */
export const readGml = (element: XmlElement): GmlGeometry => ({
  geometry: geometryOf(withDimension(element)),
  srsName: srsNameIn(element),
});

/** The element, and those in it, with the number of coordinates that an element around them says. */
function withDimension(element: XmlElement, around?: string): XmlElement {
  const { srsDimension = around } = element.attributes;
  return {
    ...element,
    attributes: srsDimension === undefined ? element.attributes : { ...element.attributes, srsDimension },
    children: element.children.map((child) => withDimension(child, srsDimension)),
  };
}

const wrong = (why: string): ServiceError => badRequest(`GML: ${why}`, { parameters: ['geometry'] });

/** The name of the system: at the geometry, or at a part of it. */
function srsNameIn(element: XmlElement): string | undefined {
  if (element.attributes.srsName) return element.attributes.srsName;
  for (const child of element.children) {
    const found = srsNameIn(child);
    if (found) return found;
  }
  return undefined;
}

function geometryOf(element: XmlElement): Geometry {
  const { name } = element;
  switch (name) {
    case 'Point':
      return { type: 'Point', coordinates: onePosition(element) };
    case 'LineString':
    case 'LinearRing':
    case 'Curve':
      return { type: 'LineString', coordinates: lineOf(element) };
    case 'Polygon':
      return { type: 'Polygon', coordinates: ringsOf(element) };
    case 'Surface':
      return surfaceOf(element);
    case 'MultiPoint':
      return {
        type: 'MultiPoint',
        coordinates: membersOf(element, 'Point').map(({ coordinates }) => coordinates),
      };
    case 'MultiLineString':
    case 'MultiCurve': {
      const lines = membersOf(element, 'LineString').map(({ coordinates }) => coordinates);
      return { type: 'MultiLineString', coordinates: lines };
    }
    case 'MultiPolygon':
    case 'MultiSurface': {
      const all = partsOf(element).flatMap((part) =>
        part.type === 'MultiPolygon' ? part.coordinates : [polygonIn(part)],
      );
      return { type: 'MultiPolygon', coordinates: all };
    }
    case 'MultiGeometry':
      return { type: 'GeometryCollection', geometries: partsOf(element) };
    default:
      throw wrong(`'${name.slice(0, 50)}' is no geometry that is taken`);
  }
}

/** The geometries in the members of an aggregate. */
const partsOf = ({ children }: XmlElement): Geometry[] =>
  children
    .filter(({ name }) => /Members?$/.test(name))
    .flatMap(({ children: members }) => members.map(geometryOf));

function membersOf<T extends 'Point' | 'LineString'>(
  element: XmlElement,
  type: T,
): Extract<Geometry, { type: T }>[] {
  return partsOf(element).map((part) => {
    if (part.type !== type) throw wrong(`a ${part.type} lies in ${element.name}`);
    return part as Extract<Geometry, { type: T }>;
  });
}

function polygonIn(part: Geometry): Position[][] {
  if (part.type !== 'Polygon') throw wrong(`a ${part.type} lies where a Polygon belongs`);
  return part.coordinates;
}

function surfaceOf(element: XmlElement): Geometry {
  const patches = (elementIn(element, 'patches') ?? element).children.filter(
    ({ name }) => name === 'PolygonPatch',
  );
  const polygons = patches.map(ringsOf);
  if (!polygons.length) throw wrong('a Surface consists of PolygonPatch');
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons };
}

function ringsOf(element: XmlElement): Position[][] {
  const boundaries = ['exterior', 'outerBoundaryIs', 'interior', 'innerBoundaryIs'].flatMap((name) =>
    elementsIn(element, name),
  );
  const rings = boundaries.flatMap(({ children }) => children.map(lineOf));
  if (!rings.length) throw wrong('a polygon has no exterior');
  return rings;
}

/** The positions of a line: its own, those of its segments, or those of the curves of a ring. */
function lineOf(element: XmlElement): Position[] {
  const inside = [
    ...elementsIn(element, 'segments').flatMap(({ children }) => children),
    ...elementsIn(element, 'curveMember').flatMap(({ children }) => children),
  ];
  if (inside.some(({ name }) => !/^(LineStringSegment|LineString|Curve)$/.test(name)))
    throw wrong('of curves, those of straight segments are taken');
  if (!inside.length) return positionsOf(element);
  // A segment begins where the one before ends.
  return inside.map(lineOf).flatMap((line, i) => (i ? line.slice(1) : line));
}

function onePosition(element: XmlElement): Position {
  const [position] = positionsOf(element);
  if (!position) throw wrong('a Point has no position');
  return position;
}

function positionsOf(element: XmlElement): Position[] {
  const list = elementIn(element, 'posList');
  if (list) {
    const dimension = Number(list.attributes.srsDimension ?? 2);
    return grouped(numbersIn(list.text), dimension);
  }
  const single = elementsIn(element, 'pos').map(({ text }) => numbersIn(text));
  if (single.length) return single;
  const coordinates = elementIn(element, 'coordinates');
  if (coordinates) return coordinatesOf(coordinates);
  return elementsIn(element, 'pointProperty').flatMap(({ children }) => children.map(onePosition));
}

/** The coordinates of GML 2: `1,2 3,4`, with other signs where attributes say so. */
function coordinatesOf({ text, attributes }: XmlElement): Position[] {
  const { cs = ',', ts = ' ', decimal = '.' } = attributes;
  return text
    .trim()
    .split(ts === ' ' ? /\s+/ : ts)
    .map((tuple) =>
      tuple
        .trim()
        .split(cs)
        .map((part) => numberOf(part.trim().replace(decimal, '.'))),
    );
}

function numberOf(text: string): number {
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) throw wrong(`'${text.slice(0, 50)}' is no coordinate`);
  return number;
}

/** Numbers of a list that is separated by blanks. */
export const numbersIn = (text: string): number[] => (text.match(/[^\s,]+/g) ?? []).map(numberOf);

function grouped(numbers: readonly number[], dimension: number): Position[] {
  if ((dimension !== 2 && dimension !== 3) || numbers.length % dimension)
    throw wrong(`${numbers.length} numbers are no positions of ${dimension} coordinates`);
  return Array.from({ length: numbers.length / dimension }, (_, i) =>
    numbers.slice(i * dimension, (i + 1) * dimension),
  );
}
