import type { ColumnType, ObjectRow } from '@cartulary/columns';
import type { Geometry, Position } from 'geojson';
import { ownNames, ownSchema, withoutForbidden } from '../readers/kml/kml-properties.js';
import type { WriterOptions } from './fields.js';
import { exportFields } from './fields.js';
import type { TextWriter } from './text.js';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

const xml = (text: string): string =>
  withoutForbidden(text).replace(/[&<>"\r]/g, (character) => escapes[character]!);

const types: Partial<Record<ColumnType, string>> = { number: 'double', bool: 'bool' };

/** Writes KML 2.2: a Placemark per object with its values as typed SchemaData, so that an import restores it. */
export function createKmlWriter(title: string, options: WriterOptions): TextWriter {
  const fields = exportFields(options);
  const simple = ['<SimpleField type="int" name="svc_id"/>'].concat(
    fields.map(
      ({ key, type, title }) =>
        `<SimpleField type="${types[type] ?? 'string'}" name="${xml(key)}" ${ownNames.type}="${type}"><displayName>${xml(title)}</displayName></SimpleField>`,
    ),
  );
  const named =
    fields.find(({ key }) => key === 'name') ??
    fields.find(({ type }) => type === 'string' || type === 'text');
  const write = ({ id, geom, values }: ObjectRow): string => {
    const name = named ? textOf(named.value(values)) : null;
    const data = fields.map(({ key, value }) => {
      const text = textOf(value(values));
      if (text === null) return '';
      const whole = withoutForbidden(text) === text ? '' : ` ${ownNames.text}="${xml(JSON.stringify(text))}"`;
      return `<SimpleData name="${xml(key)}"${whole}>${xml(text)}</SimpleData>`;
    });
    const own = `<SimpleData name="svc_id">${id}</SimpleData>${data.join('')}`;
    const shape = geom === null ? '' : geometryText(JSON.parse(geom) as Geometry);
    return `<Placemark>${name === null ? '' : `<name>${xml(name)}</name>`}<ExtendedData><SchemaData schemaUrl="#${ownSchema}">${own}</SchemaData></ExtendedData>${shape}</Placemark>`;
  };
  return {
    head: `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:cartulary="${ownNames.space}">
<Document><name>${xml(title)}</name>
<Schema name="${ownSchema}" id="${ownSchema}">${simple.join('')}</Schema>
`,
    write,
    separator: '\n',
    tail: '\n</Document>\n</kml>\n',
  };
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'boolean' ? String(Number(value)) : String(value);
}

const coordinates = (positions: readonly Position[]): string =>
  `<coordinates>${positions.map((position) => position.join(',')).join(' ')}</coordinates>`;

const ring = (positions: readonly Position[]): string => `<LinearRing>${coordinates(positions)}</LinearRing>`;

const point = (position: Position): string => `<Point>${coordinates([position])}</Point>`;
const line = (positions: readonly Position[]): string => `<LineString>${coordinates(positions)}</LineString>`;

const polygon = ([outer = [], ...inner]: readonly Position[][]): string =>
  `<Polygon><outerBoundaryIs>${ring(outer)}</outerBoundaryIs>${inner
    .map((hole) => `<innerBoundaryIs>${ring(hole)}</innerBoundaryIs>`)
    .join('')}</Polygon>`;

const multi = (parts: readonly string[]): string => `<MultiGeometry>${parts.join('')}</MultiGeometry>`;

function geometryText(geometry: Geometry): string {
  switch (geometry.type) {
    case 'Point':
      return point(geometry.coordinates);
    case 'LineString':
      return line(geometry.coordinates);
    case 'Polygon':
      return polygon(geometry.coordinates);
    case 'MultiPoint':
      return multi(geometry.coordinates.map(point));
    case 'MultiLineString':
      return multi(geometry.coordinates.map(line));
    case 'MultiPolygon':
      return multi(geometry.coordinates.map(polygon));
    case 'GeometryCollection':
      return multi(geometry.geometries.map(geometryText));
  }
}
