import { bodyTooLarge } from '../../http/body/body-limits.js';
import { type KvpParameters, kvpOf } from '../common/kvp.js';
import { owsError } from '../common/ows-exceptions.js';
import { elementIn, elementsIn, parseXml, type XmlElement } from '../common/xml-tree.js';
import { outputFormOf } from './forms.js';
import { codeIn, isIdPath, layerCodeIn, layerOfResource } from './names.js';

/** The one version that is served. */
export const version = '2.0.0';

export const wfsOperations = [
  'GetCapabilities',
  'DescribeFeatureType',
  'GetFeature',
  'GetPropertyValue',
  'ListStoredQueries',
  'DescribeStoredQueries',
  'Transaction',
] as const;
export type Operation = (typeof wfsOperations)[number];

/** Which features a request asks for, and in what form; texts that are not checked. */
export interface FeatureRequest {
  /** The code of the layer; absent where ids of resources name it. */
  layer?: string | undefined;
  count?: string | undefined;
  startIndex?: string | undefined;
  resultType?: string | undefined;
  srsName?: string | undefined;
  outputFormat?: string | undefined;
  /** Codes of the columns that are wanted. */
  properties?: readonly string[] | undefined;
  /** Codes with `a` or `d`, as the interface takes them. */
  sort?: string | undefined;
  resources?: readonly string[] | undefined;
  filter?: XmlElement | undefined;
  cql?: string | undefined;
  bbox?: string | undefined;
  /** The property of GetPropertyValue. */
  value?: string | undefined;
  /** Whether coordinates of conditions have x before y in every system, as in WFS 1.0. */
  isEastFirst?: boolean;
  /** The id of a feature that the stored query GetFeatureById asks for. */
  byId?: string | undefined;
}

/** A request of either form. */
export interface WfsRequest {
  operation: Operation;
  /** Names of types of DescribeFeatureType; absent: all. */
  types?: readonly string[] | undefined;
  /** The queries of GetFeature and GetPropertyValue. */
  features: readonly FeatureRequest[];
  /** The body of a Transaction. */
  transaction?: XmlElement | undefined;
}

export const getFeatureById = 'urn:ogc:def:query:OGC-WFS::GetFeatureById';
/** Other names of this query: that of OGC 09-025r2, 7.9.3.6, and the short one. */
const otherNamesById: readonly string[] = [
  'http://www.opengis.net/def/query/OGC-WFS/0/GetFeatureById',
  'GetFeatureById',
];

function operationOf(name: string | undefined): Operation {
  const found = wfsOperations.find((one) => one.toLowerCase() === name?.toLowerCase());
  if (found) return found;
  if (name === undefined) throw owsError('MissingParameterValue', 'request is missing', 'request');
  throw owsError(
    'OperationNotSupported',
    `'${name.slice(0, 100)}' is not served; requests are ${wfsOperations.join(', ')}`,
    'request',
  );
}

/** Throws for another service, and for another version, unless capabilities are asked for: they tell the version. */
function demandService(
  operation: Operation,
  {
    service = 'WFS',
    asked,
    accepted,
    form,
  }: Record<'service' | 'asked' | 'accepted' | 'form', string | undefined>,
): void {
  if (service.toUpperCase() !== 'WFS')
    throw owsError('InvalidParameterValue', 'The service is WFS', 'service');
  // QGIS writes by an older version whatever the service has, and pages of the web ask for GeoJSON, which has no version.
  const isAnyVersion =
    operation === 'Transaction' || (operation === 'GetFeature' && form && outputFormOf(form) === 'json');
  const versions = isAnyVersion ? /^(2\.0(\.\d)?|1\.[01](\.\d)?)$/ : /^2\.0(\.\d)?$/;
  const isServed = (one: string): boolean => versions.test(one.trim());
  if (operation === 'GetCapabilities') {
    if (accepted !== undefined && !accepted.split(',').some(isServed))
      throw owsError('VersionNegotiationFailed', `The version is ${version}`, 'acceptversions');
  } else if (asked !== undefined && !isServed(asked))
    throw owsError(
      'InvalidParameterValue',
      `The version is ${version}, not '${asked.slice(0, 50)}', in which features are given as application/json alone`,
      'version',
    );
}

/** Reads a request in the query. Throws for one that is not understood. */
export async function kvpRequest(query: Readonly<Record<string, unknown>>): Promise<WfsRequest> {
  const kvp = kvpOf(query);
  const operation = operationOf(kvp.get('request'));
  demandService(operation, {
    service: kvp.get('service'),
    asked: kvp.get('version'),
    accepted: kvp.get('acceptversions'),
    form: kvp.get('outputformat'),
  });
  if (operation === 'Transaction')
    throw owsError('OperationNotSupported', 'A Transaction is sent by POST', 'request');
  const names = kvp.get('typenames') ?? kvp.get('typename');
  if (operation === 'DescribeFeatureType')
    return { operation, types: names?.split(',').filter(Boolean), features: [] };
  return { operation, features: await kvpFeatures(kvp, names) };
}

/** Most queries of a request. */
const mostQueries = 100;

/** Parameters that each query has for itself, in brackets where there are several: `typenames=(a)(b)&filter=(…)(…)`. */
const listed = ['srsname', 'propertyname', 'sortby', 'filter', 'cql_filter'] as const;

/** The parts of a list in brackets; one without brackets is its only part. XML may have brackets in its texts. */
const groupsIn = (text: string): string[] =>
  /^\s*\(.*\)\s*$/s.test(text)
    ? text
        .trim()
        .slice(1, -1)
        .split(text.includes('<') ? /\)\s*\(\s*(?=<)/ : /\)\s*\(/)
    : [text];

async function kvpFeatures(kvp: KvpParameters, names: string | undefined): Promise<FeatureRequest[]> {
  const groups = names === undefined ? [] : groupsIn(names);
  demandFew(groups.length);
  if (groups.length < 2) return grouped(await kvpQuery(kvp, groups[0]));
  const parts = new Map(
    listed.flatMap((name) => (kvp.has(name) ? [[name, groupsIn(kvp.get(name)!)] as const] : [])),
  );
  for (const [name, of] of parts)
    if (of.length !== groups.length && of.length !== 1)
      throw owsError('InvalidParameterValue', `${name} has as many parts in brackets as typenames`, name);
  const queries: FeatureRequest[] = [];
  for (const [i, name] of groups.entries()) {
    const own = new Map(kvp);
    for (const [key, of] of parts) own.set(key, of[i] ?? of[0]!);
    queries.push(await kvpQuery(own, name));
  }
  return queries;
}

function demandFew(count: number): void {
  if (count > mostQueries)
    throw owsError('OptionNotSupported', `A request has at most ${mostQueries} queries`, 'typenames');
}

/** Ids of resources without a type stand for a query of each layer. */
function grouped(asked: FeatureRequest): FeatureRequest[] {
  if (asked.layer !== undefined || !asked.resources) return [asked];
  const byLayer = new Map<string | undefined, string[]>();
  for (const id of asked.resources) {
    const layer = layerOfResource(id);
    const own = byLayer.get(layer);
    if (own) own.push(id);
    else byLayer.set(layer, [id]);
  }
  demandFew(byLayer.size);
  return [...byLayer].map(([layer, resources]) => ({ ...asked, layer, resources }));
}

async function kvpQuery(kvp: KvpParameters, names: string | undefined): Promise<FeatureRequest> {
  const storedQuery = kvp.get('storedquery_id') ?? kvp.get('storedqueryid');
  const filter = kvp.get('filter');
  return {
    layer: names === undefined ? undefined : layerCodeIn(names, 'typenames'),
    count: kvp.get('count') ?? kvp.get('maxfeatures'),
    startIndex: kvp.get('startindex'),
    resultType: kvp.get('resulttype'),
    srsName: kvp.get('srsname'),
    outputFormat: kvp.get('outputformat'),
    properties: propertiesOf(kvp.get('propertyname')?.split(',')),
    sort: kvp.get('sortby')?.split(',').map(sortPart).join('|'),
    resources: (kvp.get('resourceid') ?? kvp.get('featureid'))?.split(','),
    filter: filter === undefined ? undefined : await parseXml(filter.replace(/^\((.*)\)$/s, '$1')),
    cql: kvp.get('cql_filter'),
    bbox: kvp.get('bbox'),
    value: kvp.get('valuereference'),
    isEastFirst: putsEastFirst(kvp.get('version')),
    byId: storedQuery === undefined ? undefined : storedId(storedQuery, kvp.get('id')),
  };
}

/** Whether coordinates have x before y in every system, as they have it in WFS 1.0. */
export const putsEastFirst = (asked = version): boolean => asked.trim().startsWith('1.0');

function storedId(query: string, id: string | undefined): string {
  if (query !== getFeatureById && !otherNamesById.includes(query))
    throw owsError('InvalidParameterValue', `The stored query is ${getFeatureById}`, 'storedquery_id');
  if (id === undefined) throw owsError('MissingParameterValue', 'id is missing', 'id');
  return id;
}

/** The columns of a selection; undefined: all. */
function propertiesOf(names: readonly string[] | undefined): string[] | undefined {
  const codes = names
    ?.map((name) => name.replace(/[()]/g, ''))
    .filter(Boolean)
    .map((name) => codeIn(name, 'propertyName'));
  return codes?.length && !codes.includes('*') ? codes : undefined;
}

/** `name`, `name ASC`, `name D` in the form of the interface. */
function sortPart(part: string): string {
  const [name = '', order = 'ASC', ...more] = part.trim().split(/[\s+]+/);
  if (name === '' || more.length || !/^(ASC|DESC|A|D)$/i.test(order))
    throw owsError('InvalidParameterValue', 'sortby has names with ASC or DESC', 'sortby');
  return `${isIdPath(name) ? 'svc_id' : codeIn(name, 'sortby')},${/^d/i.test(order) ? 'd' : 'a'}`;
}

/** Reads a request in a body of XML. Throws for one that is not understood, and for one of more than `limit` bytes that is no Transaction. */
export async function xmlRequest(body: Buffer, limit: number): Promise<WfsRequest> {
  const root = await parseXml(body);
  const operation = operationOf(root.name);
  if (operation !== 'Transaction' && body.length > limit) throw bodyTooLarge(limit);
  const { service, version: asked } = root.attributes;
  const accepted = elementIn(root, 'AcceptVersions')
    ?.children.map(({ text }) => text)
    .join(',');
  demandService(operation, { service, asked, accepted, form: root.attributes.outputFormat });
  if (operation === 'Transaction') return { operation, features: [], transaction: root };
  if (operation === 'DescribeFeatureType') {
    const types = elementsIn(root, 'TypeName').map(({ text }) => text.trim());
    return { operation, types: types.length ? types : undefined, features: [] };
  }
  return { operation, features: xmlFeatures(root) };
}

function xmlFeatures(root: XmlElement): FeatureRequest[] {
  const { count, maxFeatures, startIndex, resultType, outputFormat, valueReference } = root.attributes;
  const shared = {
    count: count ?? maxFeatures,
    ...{ startIndex, resultType, outputFormat, value: valueReference },
    isEastFirst: putsEastFirst(root.attributes.version),
  };
  const queries = root.children.filter(({ name }) => name === 'Query' || name === 'StoredQuery');
  demandFew(queries.length);
  if (!queries.length) return [shared];
  if (queries.length > 1 && queries.some(({ name }) => name === 'StoredQuery'))
    throw owsError('OptionNotSupported', 'A stored query stands alone', 'StoredQuery');
  return queries.map((query) => ({ ...shared, ...xmlQuery(query) }));
}

function xmlQuery(query: XmlElement): FeatureRequest {
  if (query.name === 'StoredQuery') {
    const parameter = elementsIn(query, 'Parameter').find(
      ({ attributes }) => attributes.name?.toLowerCase() === 'id',
    );
    return { byId: storedId(query.attributes.id ?? '', parameter?.text.trim()) };
  }
  const { typeNames, typeName, srsName } = query.attributes;
  const names = typeNames ?? typeName;
  const sort = elementIn(query, 'SortBy')?.children.map((property) => {
    const reference = elementIn(property, 'ValueReference') ?? elementIn(property, 'PropertyName');
    return sortPart(`${reference?.text ?? ''} ${elementIn(property, 'SortOrder')?.text.trim() ?? 'ASC'}`);
  });
  return {
    layer: names === undefined ? undefined : layerCodeIn(names, 'typeNames'),
    srsName,
    properties: propertiesOf(elementsIn(query, 'PropertyName').map(({ text }) => text)),
    sort: sort?.length ? sort.join('|') : undefined,
    filter: elementIn(query, 'Filter'),
  };
}
