import { type Column, valueColumns } from '@cartulary/columns';
import type { LayerTraits } from '../../layers/styles/traits.js';
import { prefix, xmlName, xmlValue } from '../common/xml.js';

/** A layer as a type of features. */
export interface FeatureType {
  code: string;
  columns: readonly Column[];
  traits: Pick<LayerTraits, 'kind' | 'hasMulti'>;
}

const simpleTypes: Partial<Record<Column['type'], string>> = {
  number: 'xsd:double',
  bool: 'xsd:boolean',
  datetime: 'xsd:dateTime',
};

const geometryTypes = {
  Point: ['gml:PointPropertyType', 'gml:MultiPointPropertyType'],
  LineString: ['gml:CurvePropertyType', 'gml:MultiCurvePropertyType'],
  Polygon: ['gml:SurfacePropertyType', 'gml:MultiSurfacePropertyType'],
  Unknown: ['gml:GeometryPropertyType', 'gml:GeometryPropertyType'],
} as const;

/** Whether single geometries are written as multiple ones, so that all are of one type. */
export const isPromoted = ({ kind, hasMulti }: FeatureType['traits']): boolean =>
  kind !== 'Unknown' && hasMulti;

/** The XML schema of types of features, in a namespace. Pure. */
export function schemaXml(namespace: string, types: readonly FeatureType[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:${prefix}="${xmlValue(namespace)}" targetNamespace="${xmlValue(namespace)}" elementFormDefault="qualified" version="1.0">
  <xsd:import namespace="http://www.opengis.net/gml/3.2" schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>
${types.map(typeXml).join('')}</xsd:schema>
`;
}

function typeXml({ code, columns, traits }: FeatureType): string {
  const name = xmlName(code);
  const properties = valueColumns(columns).map(({ code: column, type }) =>
    elementXml(xmlName(column), simpleTypes[type] ?? 'xsd:string'),
  );
  const geometry = elementXml('geom', geometryTypes[traits.kind][Number(traits.hasMulti)]!);
  return `  <xsd:complexType name="${name}Type">
    <xsd:complexContent>
      <xsd:extension base="gml:AbstractFeatureType">
        <xsd:sequence>
${properties.join('')}${geometry}        </xsd:sequence>
      </xsd:extension>
    </xsd:complexContent>
  </xsd:complexType>
  <xsd:element name="${name}" type="${prefix}:${name}Type" substitutionGroup="gml:AbstractFeature"/>
`;
}

const elementXml = (name: string, type: string): string =>
  `          <xsd:element name="${name}" type="${type}" minOccurs="0"/>\n`;
