import type { Geometry, Position } from 'geojson';
import { ServiceError } from '../../errors.js';
import { geometryElements } from './kml-elements.js';
import { childOf, childrenOf, type XmlNode } from './xml.js';

/** The geometry of a Placemark as GeoJSON; null where it has none. Throws `value_invalid` for coordinates that are none. */
export function kmlGeometry(placemark: XmlNode): Geometry | null {
  const found = placemark.children.flatMap(geometriesOf);
  return found.length ? joined(found) : null;
}

/** The tracks of a Placemark, also those that are parts of others. */
export const tracksOf = ({ children }: XmlNode): XmlNode[] =>
  children.flatMap((child) => {
    if (child.name === 'Track') return [child];
    return geometryElements.has(child.name) ? tracksOf(child) : [];
  });

const wrong = (why: string): ServiceError =>
  new ServiceError('value_invalid', `geom: ${why}`, { columns: ['geom'] });

function geometriesOf(node: XmlNode): Geometry[] {
  switch (node.name) {
    case 'Point': {
      const coordinates = coordinatesIn(node);
      if (!coordinates.length) return [];
      if (coordinates.length > 1) throw wrong('a Point has more than one position');
      return [{ type: 'Point', coordinates: coordinates[0]! }];
    }
    case 'LineString':
    case 'LinearRing':
      return line(coordinatesIn(node));
    case 'Polygon':
      return polygon(node);
    case 'Track':
      return line(
        childrenOf(node, 'coord')
          .map(({ text }) => text.trim())
          .filter(Boolean)
          .map((text) => position(text.split(/\s+/))),
      );
    case 'MultiGeometry':
    case 'MultiTrack': {
      const parts = node.children.flatMap(geometriesOf);
      return parts.length ? [joined(parts)] : [];
    }
    default:
      return [];
  }
}

const line = (coordinates: Position[]): Geometry[] =>
  coordinates.length ? [{ type: 'LineString', coordinates }] : [];

function polygon(node: XmlNode): Geometry[] {
  const boundaries = [...childrenOf(node, 'outerBoundaryIs'), ...childrenOf(node, 'innerBoundaryIs')];
  const rings = boundaries
    .flatMap((boundary) => childrenOf(boundary, 'LinearRing'))
    .map((ring) => closed(coordinatesIn(ring)))
    .filter((ring) => ring.length);
  if (!rings.length) return [];
  if (!childOf(node, 'outerBoundaryIs')) throw wrong('a Polygon has no outer boundary');
  return [{ type: 'Polygon', coordinates: rings }];
}

/** A ring that ends where it begins, as KML wants it and many files leave it. */
function closed(ring: Position[]): Position[] {
  const [first, last] = [ring[0], ring.at(-1)];
  const isClosed = !first || first.every((number, i) => number === last![i]);
  return isClosed ? ring : [...ring, first];
}

/** Several geometries as one: of one kind where they are. */
function joined(parts: Geometry[]): Geometry {
  if (parts.length === 1) return parts[0]!;
  const kinds = new Set(parts.map(({ type }) => type));
  const [kind] = kinds;
  const isSimple = kinds.size === 1 && (kind === 'Point' || kind === 'LineString' || kind === 'Polygon');
  if (!isSimple) return { type: 'GeometryCollection', geometries: parts };
  const coordinates = parts.map((part) => (part as { coordinates: unknown }).coordinates);
  return { type: `Multi${kind}`, coordinates } as Geometry;
}

/** Tuples of numbers with commas, blanks between the tuples; blanks around commas, which the standard forbids, are borne. */
function coordinatesIn(node: XmlNode): Position[] {
  const words = (childOf(node, 'coordinates')?.text ?? '').split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  return words
    .join(' ')
    .replaceAll(' ,', ',')
    .replaceAll(', ', ',')
    .split(' ')
    .map((tuple) => position(tuple.split(',').filter((part, i) => part !== '' || i < 2)));
}

const decimal = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

function position(parts: string[]): Position {
  if (parts.length < 2 || parts.length > 3) throw wrong(`'${parts.join(',').slice(0, 50)}' is no position`);
  return parts.map((part) => {
    if (!decimal.test(part)) throw wrong(`'${part.slice(0, 50)}' is no number`);
    return Number(part);
  });
}
