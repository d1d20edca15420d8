import type { LonLatExtent } from '../common/crs.js';
import { prefix, xmlName, xmlValue } from '../common/xml.js';
import { operatorNames } from './fes.js';
import { gmlType, wfsJsonType } from './forms.js';
import { getFeatureById, version, wfsOperations } from './requests.js';

/** What capabilities say of a type. */
export interface DescribedType {
  code: string;
  title: string;
  /** Names of reference systems, the usual one first. */
  systems: readonly string[];
  /** Degrees. */
  extent: LonLatExtent | undefined;
}

export interface DescribedWfs {
  title: string;
  comment: string;
  /** Address of the service, without a slash at the end. */
  address: string;
  /** What addresses repeat of the request, such as `token=…`. */
  query: string;
  namespace: string;
  types: readonly DescribedType[];
  /** Most features of an answer. */
  limit: number;
}

const namespaces = `xmlns="http://www.opengis.net/wfs/2.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`;

/** The capabilities of WFS 2.0 of a map (OGC 09-025r2). Pure. */
export function capabilitiesOf(service: DescribedWfs): string {
  const { title, comment, address, query, namespace, types, limit } = service;
  const href = xmlValue(`${address}?${query ? `${query}&` : ''}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<wfs:WFS_Capabilities ${namespaces} xmlns:${prefix}="${xmlValue(namespace)}" xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd" version="${version}">
  <ows:ServiceIdentification>
    <ows:Title>${xmlValue(title)}</ows:Title>
    <ows:Abstract>${xmlValue(comment)}</ows:Abstract>
    <ows:ServiceType codeSpace="OGC">WFS</ows:ServiceType>
    <ows:ServiceTypeVersion>${version}</ows:ServiceTypeVersion>
  </ows:ServiceIdentification>
  <ows:OperationsMetadata>
${wfsOperations.map((name) => operationXml(name, { href, limit })).join('')}${parameterXml('version', [version])}${constraints(limit)}  </ows:OperationsMetadata>
${
  types.length
    ? `  <wfs:FeatureTypeList>
${types.map(typeXml).join('')}  </wfs:FeatureTypeList>
`
    : ''
}${filterCapabilities}</wfs:WFS_Capabilities>
`;
}

const outputFormats = [gmlType, wfsJsonType];

/** Values that parameters of wfsOperations take. */
const allowed: Partial<Record<(typeof wfsOperations)[number], [name: string, values: readonly string[]][]>> =
  {
    GetCapabilities: [
      ['AcceptVersions', [version]],
      ['AcceptFormats', ['text/xml']],
    ],
    DescribeFeatureType: [['outputFormat', [gmlType]]],
    GetFeature: [
      ['outputFormat', outputFormats],
      ['resultType', ['results', 'hits']],
    ],
  };

/** An operation. Programs look for the size of pages at GetFeature. */
function operationXml(
  name: (typeof wfsOperations)[number],
  { href, limit }: { href: string; limit: number },
): string {
  const get = name === 'Transaction' ? '' : `<ows:Get xlink:href="${href}"/>`;
  const parameters = (allowed[name] ?? []).map(([parameter, values]) => parameterXml(parameter, values));
  return `    <ows:Operation name="${name}">
      <ows:DCP><ows:HTTP>${get}<ows:Post xlink:href="${href}"/></ows:HTTP></ows:DCP>
${parameters.join('')}${name === 'GetFeature' ? constraintXml('CountDefault', String(limit)) : ''}    </ows:Operation>
`;
}

const valuesXml = (values: readonly string[]): string =>
  `<ows:AllowedValues>${values.map((value) => `<ows:Value>${xmlValue(value)}</ows:Value>`).join('')}</ows:AllowedValues>`;

const parameterXml = (name: string, values: readonly string[]): string =>
  `    <ows:Parameter name="${name}">${valuesXml(values)}</ows:Parameter>\n`;

const constraintXml = (name: string, value: string): string =>
  `    <ows:Constraint name="${name}"><ows:NoValues/><ows:DefaultValue>${value}</ows:DefaultValue></ows:Constraint>\n`;

const classes: Readonly<Record<string, boolean>> = {
  ImplementsBasicWFS: true,
  ImplementsTransactionalWFS: true,
  ImplementsLockingWFS: false,
  KVPEncoding: true,
  XMLEncoding: true,
  SOAPEncoding: false,
  ImplementsInheritance: false,
  ImplementsRemoteResolve: false,
  ImplementsResultPaging: true,
  ImplementsStandardJoins: false,
  ImplementsSpatialJoins: false,
  ImplementsTemporalJoins: false,
  ImplementsFeatureVersioning: false,
  ManageStoredQueries: false,
  PagingIsTransactionSafe: false,
};

const flags = (list: Readonly<Record<string, boolean>>): string =>
  Object.entries(list)
    .map(([name, is]) => constraintXml(name, is ? 'TRUE' : 'FALSE'))
    .join('');

const constraints = (limit: number): string =>
  `${flags(classes)}${constraintXml('CountDefault', String(limit))}${constraintXml('QueryExpressions', 'wfs:Query wfs:StoredQuery')}`;

function typeXml({ code, title, systems, extent }: DescribedType): string {
  const [usual, ...others] = systems;
  const box = extent
    ? `
      <ows:WGS84BoundingBox><ows:LowerCorner>${extent.west} ${extent.south}</ows:LowerCorner><ows:UpperCorner>${extent.east} ${extent.north}</ows:UpperCorner></ows:WGS84BoundingBox>`
    : '';
  return `    <wfs:FeatureType>
      <wfs:Name>${prefix}:${xmlName(code)}</wfs:Name>
      <wfs:Title>${xmlValue(title)}</wfs:Title>
      <wfs:DefaultCRS>${usual}</wfs:DefaultCRS>
${others.map((one) => `      <wfs:OtherCRS>${one}</wfs:OtherCRS>\n`).join('')}      <wfs:OutputFormats>${outputFormats.map((one) => `<wfs:Format>${one}</wfs:Format>`).join('')}</wfs:OutputFormats>${box}
    </wfs:FeatureType>
`;
}

const operatorsXml = (group: string, kind: string, names: readonly string[]): string =>
  `      <fes:${group}>\n${names.map((name) => `        <fes:${kind} name="${name}"/>\n`).join('')}      </fes:${group}>\n`;

const fesClasses: Readonly<Record<string, boolean>> = {
  ImplementsQuery: true,
  ImplementsAdHocQuery: true,
  ImplementsFunctions: false,
  ImplementsResourceId: true,
  ImplementsMinStandardFilter: true,
  ImplementsStandardFilter: true,
  ImplementsMinSpatialFilter: true,
  ImplementsSpatialFilter: true,
  ImplementsMinTemporalFilter: true,
  ImplementsTemporalFilter: false,
  ImplementsVersionNav: false,
  ImplementsSorting: true,
  ImplementsExtendedOperators: false,
  ImplementsMinimumXPath: true,
  ImplementsSchemaElementFunc: false,
};

const conformance = Object.entries(fesClasses)
  .map(
    ([name, is]) =>
      `      <fes:Constraint name="${name}"><ows:NoValues/><ows:DefaultValue>${is ? 'TRUE' : 'FALSE'}</ows:DefaultValue></fes:Constraint>\n`,
  )
  .join('');

const operands = [
  'Envelope',
  'Point',
  'LineString',
  'Curve',
  'Polygon',
  'Surface',
  'MultiPoint',
  'MultiCurve',
  'MultiSurface',
];

const filterCapabilities = `  <fes:Filter_Capabilities>
    <fes:Conformance>
${conformance}    </fes:Conformance>
    <fes:Id_Capabilities><fes:ResourceIdentifier name="fes:ResourceId"/></fes:Id_Capabilities>
    <fes:Scalar_Capabilities>
      <fes:LogicalOperators/>
${operatorsXml('ComparisonOperators', 'ComparisonOperator', operatorNames.comparison)}    </fes:Scalar_Capabilities>
    <fes:Spatial_Capabilities>
      <fes:GeometryOperands>${operands.map((name) => `<fes:GeometryOperand name="gml:${name}"/>`).join('')}</fes:GeometryOperands>
${operatorsXml('SpatialOperators', 'SpatialOperator', operatorNames.spatial)}    </fes:Spatial_Capabilities>
    <fes:Temporal_Capabilities>
      <fes:TemporalOperands><fes:TemporalOperand name="gml:TimeInstant"/><fes:TemporalOperand name="gml:TimePeriod"/></fes:TemporalOperands>
${operatorsXml('TemporalOperators', 'TemporalOperator', operatorNames.temporal)}    </fes:Temporal_Capabilities>
  </fes:Filter_Capabilities>
`;

const storedTitle = '<wfs:Title>The feature with an id</wfs:Title>';
const storedReturns = (types: readonly string[]): string =>
  types.map((code) => `<wfs:ReturnFeatureType>${prefix}:${xmlName(code)}</wfs:ReturnFeatureType>`).join('');

/** The answer of ListStoredQueries, or of DescribeStoredQueries. */
export function storedQueriesXml(namespace: string, types: readonly string[], isDescribed: boolean): string {
  const name = isDescribed ? 'DescribeStoredQueriesResponse' : 'ListStoredQueriesResponse';
  const content = isDescribed
    ? `<wfs:StoredQueryDescription id="${getFeatureById}">${storedTitle}<wfs:Parameter name="id" type="xsd:string"/><wfs:QueryExpressionText isPrivate="true" language="urn:ogc:def:queryLanguage:OGC-WFS::WFS_QueryExpression" returnFeatureTypes="${types.map((code) => `${prefix}:${xmlName(code)}`).join(' ')}"/></wfs:StoredQueryDescription>`
    : `<wfs:StoredQuery id="${getFeatureById}">${storedTitle}${storedReturns(types)}</wfs:StoredQuery>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<wfs:${name} xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:${prefix}="${xmlValue(namespace)}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd">${content}</wfs:${name}>
`;
}
