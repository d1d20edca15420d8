import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { positionLimit } from '@cartulary/geo';
import type { Geometry, Position } from 'geojson';
import { geometryElements } from './kml-elements.js';
import { childElements, childOf, type XmlNode } from './xml.js';

/** Receives a part of a geometry that is not stored. */
export type Say = (what: string, becomes: string) => void;

/** The geometry of a Placemark as GeoJSON; null if it has none. Throws `value_invalid` for invalid coordinates. */
export function kmlGeometry(placemark: XmlNode, say: Say): Geometry | null {
  const found = placemark.children.flatMap((child) => geometriesOf(child, say));
  return found.length ? joined(found) : null;
}

/** The tracks of a Placemark, including those within other elements. */
export const tracksOf = ({ children }: XmlNode): XmlNode[] =>
  children.flatMap((child) => {
    if (child.name === 'Track') return [child];
    return geometryElements.has(child.name) ? tracksOf(child) : [];
  });

const wrong = (why: string): ServiceError =>
  new ServiceError('value_invalid', noteOf('ofGeometry', { reason: why }), { columns: ['geom'] });

function geometriesOf(node: XmlNode, say: Say): Geometry[] {
  switch (node.name) {
    case 'Point': {
      if (isNowhere(node)) {
        say(noteOf('pointWithoutNumbers'), noteOf('withoutGeometry'));
        return [];
      }
      const coordinates = coordinatesIn(node, say);
      if (!coordinates.length) return [];
      if (coordinates.length > 1) throw wrong(noteOf('kmlPoint'));
      return [{ type: 'Point', coordinates: coordinates[0]! }];
    }
    case 'LineString':
    case 'LinearRing':
      return line(coordinatesIn(node, say));
    case 'Polygon':
      return polygon(node, say);
    case 'Track':
      return line(
        childElements(node, 'coord')
          .map(({ text }) => text.trim())
          .filter(Boolean)
          .map((text) => position(text.split(/\s+/), say)),
      );
    case 'MultiGeometry':
    case 'MultiTrack':
    // Not in KML, but some programs write them.
    case 'MultiPoint':
    case 'MultiLineString':
    case 'MultiPolygon': {
      const parts = node.children.flatMap((child) => geometriesOf(child, say));
      return parts.length ? [joined(parts)] : [];
    }
    default:
      return [];
  }
}

const line = (coordinates: Position[]): Geometry[] =>
  coordinates.length ? [{ type: 'LineString', coordinates }] : [];

function polygon(node: XmlNode, say: Say): Geometry[] {
  const boundaries = [...childElements(node, 'outerBoundaryIs'), ...childElements(node, 'innerBoundaryIs')];
  const rings = boundaries
    .flatMap((boundary) => childElements(boundary, 'LinearRing'))
    .map((ring) => closed(coordinatesIn(ring, say)))
    .filter((ring) => ring.length);
  if (!rings.length) return [];
  if (!childOf(node, 'outerBoundaryIs')) throw wrong(noteOf('kmlPolygon'));
  return [{ type: 'Polygon', coordinates: rings }];
}

/** Closes a ring, as KML requires and many files omit. */
function closed(ring: Position[]): Position[] {
  if (ring.length === 1 || ring.length === 2) throw wrong(noteOf('ringTooShort'));
  const [first, last] = [ring[0], ring.at(-1)];
  const isClosed = !first || first.every((number, i) => number === last![i]);
  return isClosed ? ring : [...ring, first];
}

/** Joins several geometries: to a multi-geometry if they have one kind. */
function joined(parts: Geometry[]): Geometry {
  if (parts.length === 1) return parts[0]!;
  const kinds = new Set(parts.map(({ type }) => type));
  const [kind] = kinds;
  const isSimple = kinds.size === 1 && (kind === 'Point' || kind === 'LineString' || kind === 'Polygon');
  if (!isSimple) return { type: 'GeometryCollection', geometries: parts };
  const coordinates = parts.map((part) => (part as { coordinates: unknown }).coordinates);
  return { type: `Multi${kind}`, coordinates } as Geometry;
}

/** A tuple of up to ten numbers, with the blanks before it and those around its commas, which the standard forbids. */
const tuple = /\s*([^\s,]*(?:\s*,\s*[^\s,]*){0,9})/y;

/** Parses tuples of numbers: commas within a tuple, blanks between tuples. */
function coordinatesIn(node: XmlNode, say: Say): Position[] {
  const text = childOf(node, 'coordinates')?.text ?? '';
  const coordinates: Position[] = [];
  tuple.lastIndex = 0;
  for (let found = tuple.exec(text)?.[1]; found; found = tuple.exec(text)?.[1]) {
    const parts = found.split(',').map((part) => part.trim());
    coordinates.push(
      position(
        parts.filter((part, i) => part !== '' || i < 2),
        say,
      ),
    );
    // Millions of positions are refused in any case, and take more memory than there is.
    if (coordinates.length > positionLimit) throw wrong(noteOf('tooManyPositions', { count: positionLimit }));
  }
  return coordinates;
}

/** GDAL writes an empty point as one of NaN. */
const isNowhere = (point: XmlNode): boolean =>
  /^\s*nan\s*,\s*nan\s*(?:,\s*(?:nan|0)\s*)?$/i.test(childOf(point, 'coordinates')?.text ?? '');

const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Longitude, latitude and height. Further numbers, which some programs write, have no meaning in KML. */
function position(parts: string[], say: Say): Position {
  if (parts.length < 2) throw wrong(noteOf('noKmlPosition', { text: parts.join(',').slice(0, 50) }));
  if (parts.length > 3) say(noteOf('longPosition'), noteOf('firstThreeKept'));
  return parts.slice(0, 3).map((part) => {
    if (!decimal.test(part)) throw wrong(noteOf('noNumber', { text: part.slice(0, 50) }));
    return Number(part);
  });
}
