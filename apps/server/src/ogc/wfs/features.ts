import { valueColumns } from '@cartulary/columns';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mainLanguage } from '../../access/caller.js';
import { searchOf } from '../../http/origin.js';
import { cacheControl } from '../../http/reply.js';
import type { Layer } from '../../layers/layers.js';
import { layerTraits } from '../../layers/styles/traits.js';
import {
  countMatches,
  type Filter,
  findObjectText,
  type GmlOutput,
  type ListFrame,
  type ObjectQuery,
  type OpenList,
  objectNotFound,
  openTexts,
  parseFilter,
  parseListQuery,
  sendList,
  withFirstSlice,
  withIndex,
} from '../../objects/store.js';
import { type ServiceAddress, serviceOf } from '../common/addresses.js';
import { placedBox } from '../common/boxes.js';
import { matchedCount } from '../common/counts.js';
import { crs84, filterIn, findNamedCrs, type NamedCrs } from '../common/crs.js';
import { allOf, featureOutput } from '../common/feature-queries.js';
import { owsError } from '../common/ows-exceptions.js';
import { withCollection } from '../common/requests.js';
import { prefix, xmlName, xmlValue } from '../common/xml.js';
import type { OgcServices } from '../services.js';
import { among, cqlOfFes, hasValue, meets } from './fes.js';
import { gmlType, outputFormOf, wfsJsonType } from './forms.js';
import { codeIn, isIdPath, layerOfResource } from './names.js';
import { type FeatureRequest, version } from './requests.js';
import { isPromoted } from './schema.js';

/** A request with its answer. */
export interface Answering {
  services: OgcServices;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Answers GetFeature, and GetPropertyValue, whose request names a `value`. */
export async function answerFeatures(
  answering: Answering,
  queries: readonly FeatureRequest[],
): Promise<FastifyReply> {
  const { services, request, reply } = answering;
  reply
    .header('vary', 'Accept, Authorization, X-Token')
    .header('cache-control', cacheControl(request, false));
  const [asked] = queries;
  if (queries.length > 1 || !asked) return answerSeveral(answering, queries);
  return withCollection(request, { services, level: 'view', code: layerCodeOf(asked) }, (layer) =>
    asked.byId === undefined
      ? answerQuery(answering, layer, asked)
      : sendFeature(answering, layer, { ...asked, byId: asked.byId }),
  );
}

/** The layer of a request: by its name, or by the id of a resource. */
function layerCodeOf({ layer, byId, resources }: FeatureRequest): string {
  if (layer !== undefined) return layer;
  const [resource] = byId === undefined ? (resources ?? []) : [byId];
  const code = resource === undefined ? undefined : layerOfResource(resource);
  if (code !== undefined) return code;
  throw owsError('MissingParameterValue', 'typenames is missing', 'typenames');
}

/** What of a layer a request selects. */
interface Selection {
  query: ObjectQuery;
  crs: NamedCrs;
  form: 'gml' | 'json';
  /** The conditions, as CQL2-JSON; undefined: none. */
  condition: unknown;
  /** Whether CQL2 says less than the conditions. */
  isUnsaid: boolean;
}

/** The features of a query, found and not yet written. */
interface Opened {
  selection: Selection;
  found: OpenList<Buffer>;
  counted: Counted;
}

async function answerQuery(answering: Answering, layer: Layer, asked: FeatureRequest): Promise<FastifyReply> {
  const { selection, found, counted } = await openQuery(answering, layer, asked);
  const frame =
    selection.form === 'json'
      ? jsonFrame(selection.crs, counted)
      : gmlFrame(answering, counted, pageLinks(answering, { layer, asked, selection, counted }));
  return sendList(answering.reply, found, answering.services.lists, frame);
}

const nothing: OpenList<Buffer> = {
  hasMore: false,
  count: 0,
  sliceCount: 0,
  slices: { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) },
};

async function openQuery(answering: Answering, layer: Layer, asked: FeatureRequest): Promise<Opened> {
  const { services, request } = answering;
  const db = services.db.for(request.owner);
  const selection = await selectionOf(answering, layer, asked);
  const isValue = asked.value !== undefined;
  if (asked.resultType?.toLowerCase() === 'hits' || asked.count === '0') {
    const matched = await countMatches(db.heavy, layer, { query: selection.query }, request.gone);
    return { selection, found: nothing, counted: { matched, returned: 0, next: undefined, isValue } };
  }
  const query = await withIndex(services, layer, selection.query, request.caller.at);
  const found = await openTexts(db, layer, query, request.gone);
  const { offset } = query;
  const unsaid = selection.isUnsaid ? asked.filter : undefined;
  const counting = {
    query: { ...query, offset: 0 },
    selection: `wfs ${JSON.stringify([selection.condition, unsaid, asked.bbox, asked.srsName])}`,
  };
  const matched =
    found.hasMore || offset ? await matchedCount(services.db, layer, counting, request.gone) : found.count;
  const next = found.hasMore ? offset + found.count : undefined;
  return {
    selection: { ...selection, query },
    found,
    counted: { matched, returned: found.count, next, isValue },
  };
}

/** Answers several queries by one collection, in their order; `count` is the limit of them all. They have no pages. */
async function answerSeveral(
  answering: Answering,
  queries: readonly FeatureRequest[],
): Promise<FastifyReply> {
  const { services, request, reply } = answering;
  const { startIndex, count, value, outputFormat } = queries[0]!;
  if (value !== undefined || Number(startIndex ?? 0))
    throw owsError(
      'OptionNotSupported',
      `${value === undefined ? 'startIndex' : 'valueReference'} takes one query`,
      value === undefined ? 'startIndex' : 'valueReference',
    );
  const opened: Opened[] = [];
  let left = Math.min(services.config.listLimit, numberOf(count, 'count') ?? services.config.listLimit);
  for (const asked of queries) {
    const limited = { ...asked, count: String(left) };
    const one = await withCollection(
      request,
      { services, level: 'view', code: layerCodeOf(asked) },
      (layer) => openQuery(answering, layer, limited),
    );
    opened.push({ ...one, found: await withFirstSlice(one.found) });
    left -= one.counted.returned;
  }
  const parts = opened.map(({ counted }) => counted);
  const counted = {
    matched: parts.every(({ matched }) => matched !== undefined)
      ? parts.reduce((sum, { matched }) => sum + matched!, 0)
      : undefined,
    returned: parts.reduce((sum, { returned }) => sum + returned, 0),
    next: undefined,
    isValue: false,
  };
  const isJson = outputFormOf(outputFormat) === 'json';
  return sendList(
    reply,
    isJson ? joinedLists(opened) : joinedLists(opened, memberFrame, referred()),
    services.lists,
    isJson ? jsonFrame(opened[0]!.selection.crs, counted) : gmlFrame(answering, counted, ''),
  );
}

/**
 * Gives slices in which a feature that was there before is named by a reference: an id occurs once in a document. Slices have
 * whole features.
 */
function referred(): (slice: Buffer) => Buffer {
  const seen = new Set<string>();
  return (slice) => {
    const text = slice.toString().replace(gmlMember, (member, id: string) => {
      if (seen.has(id)) return `<wfs:member xlink:href="#${id}"/>`;
      seen.add(id);
      return member;
    });
    return Buffer.from(text);
  };
}

const gmlMember = /<wfs:member><[^<>]* gml:id="([^"]*)"[\s\S]*?<\/wfs:member>/g;

/** Lists one after the other as one list, each in a frame of its own. */
function joinedLists(
  opened: readonly Opened[],
  frame?: (counted: Counted) => { head: string; tail: string },
  change = (slice: Buffer): Buffer => slice,
): OpenList<Buffer> {
  const framed = frame ? 2 : 0;
  return {
    hasMore: false,
    count: opened.reduce((sum, { found }) => sum + found.count, 0),
    sliceCount: opened.reduce((sum, { found }) => sum + found.sliceCount + framed, 0),
    slices: (async function* () {
      for (const { found, counted } of opened) {
        const { head, tail } = frame?.(counted) ?? {};
        if (head !== undefined) yield Buffer.from(head);
        for await (const slice of found.slices) yield change(slice);
        if (tail !== undefined) yield Buffer.from(tail);
      }
    })(),
  };
}

async function selectionOf(
  { services, request }: Answering,
  layer: Layer,
  asked: FeatureRequest,
): Promise<Selection> {
  const { config } = services;
  const main = mainLanguage(request.caller);
  const { lng } = request.query as { lng?: string };
  const crs = await findNamedCrs(services.db, asked.srsName, { parameter: 'srsName' });
  const form = asked.value === undefined ? outputFormOf(asked.outputFormat) : 'gml';
  const chosen = chosenOf(layer, asked);
  const { boxes, filter, condition, isUnsaid } = await conditionsOf({ services, layer }, asked);
  const list = parseListQuery(
    {
      limit: numberOf(asked.count, 'count') ?? config.listLimit,
      offset: numberOf(asked.startIndex, 'startIndex') ?? 0,
      sort: asked.sort,
      lng,
    },
    layer,
    main,
    { ...config, sortName: 'sortby', offsetName: 'startIndex' },
  );
  const output =
    form === 'json'
      ? jsonOutput(crs)
      : await gmlOutput(services, layer, { crs, isValue: asked.value !== undefined });
  return {
    crs,
    form,
    condition,
    isUnsaid,
    query: {
      ...list,
      tellsNext: false,
      ...output,
      columns: chosen.columns,
      geometry: chosen.hasGeometry ? output.geometry : undefined,
      boxes,
      filter,
    },
  };
}

function numberOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text.trim()))
    throw owsError('InvalidParameterValue', `${name} is a whole number, not '${text.slice(0, 50)}'`, name);
  return Number(text);
}

/** The conditions of a request together, whatever their form. */
async function conditionsOf(
  { services: { db }, layer }: { services: OgcServices; layer: Layer },
  { srsName, isEastFirst, filter, cql, bbox, resources, value }: FeatureRequest,
): Promise<Pick<ObjectQuery, 'boxes' | 'filter'> & Pick<Selection, 'condition' | 'isUnsaid'>> {
  const { columns } = layer;
  const exact: Filter[] = [];
  const terms = [
    ...(filter ? [await cqlOfFes(filter, { db, layer, srsName, isEastFirst, exact })] : []),
    ...(resources ? [among(resources, { layer })] : []),
    // A collection of values has, and counts, no features without one.
    ...(value === undefined || isIdPath(value) ? [] : [hasValue(codeIn(value, 'valueReference'))]),
  ];
  const placed = bbox === undefined ? undefined : await boxOf(db, bbox, { srsName, isEastFirst });
  if (placed && 'shape' in placed) terms.push(meets({ property: 'geom' }, placed));
  const filters = terms.map((term) => parseFilter(term, columns));
  if (cql !== undefined) filters.push(await filterIn(db, cql, { columns, crs: crs84 }));
  const boxes = placed && 'boxes' in placed ? placed.boxes : undefined;
  const isUnsaid = exact.length > 0;
  if (placed && 'boxes' in placed && placed.exact) exact.push(placed.exact);
  const condition = terms.length || cql ? [terms, cql] : undefined;
  return { boxes, filter: allOf([...filters, ...exact]), condition, isUnsaid };
}

/** `a,b,c,d`, and the name of its system, which is that of the answer without one. */
async function boxOf(
  db: OgcServices['db'],
  text: string,
  { srsName, isEastFirst }: Pick<FeatureRequest, 'srsName' | 'isEastFirst'>,
) {
  const parts = text.split(',');
  const corners = parts.slice(0, 4).map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (parts.length < 4 || parts.length > 5 || !corners.every(Number.isFinite))
    throw owsError('InvalidParameterValue', 'bbox has four numbers, and the name of their system', 'bbox');
  const crs = await findNamedCrs(db, parts[4] ?? srsName, { parameter: 'bbox', isEastFirst });
  return placedBox(db, corners as [number, number, number, number], crs, 'bbox');
}

/** The columns that a request wants. Throws for one that the layer does not have. */
function chosenOf(layer: Layer, { properties, value }: FeatureRequest) {
  const all = valueColumns(layer.columns);
  if (value !== undefined && isIdPath(value)) return { columns: [], hasGeometry: false };
  const codes = value === undefined ? properties : [codeIn(value, 'valueReference')];
  if (!codes) return { columns: all, hasGeometry: true };
  const unknown = codes.find(
    (code) => !layer.columns.some((column) => column.code === code && column.type !== 'title'),
  );
  if (unknown !== undefined)
    throw owsError(
      'InvalidParameterValue',
      `The type has no property '${unknown.slice(0, 100)}'`,
      value === undefined ? 'propertyName' : 'valueReference',
    );
  const isGeometry = ({ code, type }: Layer['columns'][number]): boolean =>
    type === 'geom' && codes.includes(code);
  return {
    columns: all.filter(({ code }) => codes.includes(code)),
    hasGeometry: layer.columns.some(isGeometry),
  };
}

/** GeoJSON has x before y in every system. */
const jsonOutput = (crs: NamedCrs): Pick<ObjectQuery, 'isFeature' | 'geometry' | 'gml'> =>
  featureOutput(crs.srid === 4326 ? crs84 : { ...crs, isNorthFirst: false });

async function gmlOutput(
  { db }: OgcServices,
  layer: Layer,
  { crs, isValue }: { crs: NamedCrs; isValue: boolean },
): Promise<Pick<ObjectQuery, 'geometry' | 'gml' | 'isFeature'>> {
  const traits = (await layerTraits(db, [layer.id], '4326')).get(layer.id);
  const gml: GmlOutput = {
    version: '3.2',
    feature: `${prefix}:${xmlName(layer.code)}`,
    idPrefix: `${xmlName(layer.code)}.`,
    nameOf: (code) => `${prefix}:${xmlName(code)}`,
    srsName: crs.srsName,
    isMulti: traits !== undefined && isPromoted(traits),
    isValue,
  };
  return { geometry: { sr: '4326', centroid: false, crs }, gml };
}

interface Counted {
  matched: number | undefined;
  returned: number;
  /** Where the next page begins. */
  next: number | undefined;
  isValue: boolean;
}

/** Namespaces and locations of an answer. */
const head = ({ namespace, address }: ServiceAddress): string =>
  `xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:${prefix}="${xmlValue(namespace)}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd http://www.opengis.net/gml/3.2 http://schemas.opengis.net/gml/3.2.1/gml.xsd ${xmlValue(namespace)} ${xmlValue(`${address}?service=WFS&version=2.0.0&request=DescribeFeatureType`)}"`;

const numbersOf = ({ matched, returned }: Counted): string =>
  `timeStamp="${new Date().toISOString()}" numberMatched="${matched ?? 'unknown'}" numberReturned="${returned}"`;

/** `links`: attributes with the addresses of the pages before and behind. */
function gmlFrame({ services, request }: Answering, counted: Counted, links: string): ListFrame {
  const name = counted.isValue ? 'ValueCollection' : 'FeatureCollection';
  return {
    head: `<?xml version="1.0" encoding="UTF-8"?>\n<wfs:${name} ${head(serviceOf(request, services.config))} ${numbersOf(counted)}${links}>\n`,
    tail: `</wfs:${name}>\n`,
    type: counted.isValue ? 'text/xml; charset=utf-8' : `${gmlType}; charset=utf-8`,
    separator: '',
  };
}

/** The features of one of several queries. */
const memberFrame = (counted: Counted): { head: string; tail: string } => ({
  head: `<wfs:member><wfs:FeatureCollection ${numbersOf(counted)}>\n`,
  tail: '</wfs:FeatureCollection></wfs:member>\n',
});

interface Paged {
  layer: Layer;
  asked: FeatureRequest;
  selection: Selection;
  counted: Counted;
}

/** The addresses of the pages before and behind as attributes. */
function pageLinks(
  { services, request }: Answering,
  { layer, asked, selection, counted: { next, returned } }: Paged,
): string {
  const { offset, limit } = selection.query;
  if (next === undefined && !(offset && returned)) return '';
  const { address } = serviceOf(request, services.config);
  if (request.method !== 'GET' && selection.isUnsaid) return '';
  const parameters =
    request.method === 'GET' ? repeated(request) : parametersOf(layer, asked, selection.condition);
  const at = (start: number): string => {
    parameters.set('count', String(limit));
    parameters.set('startIndex', String(start));
    return xmlValue(`${address}?${parameters}`);
  };
  if (String(parameters).length > longestAddress) return '';
  const before = offset ? ` previous="${at(Math.max(0, offset - limit))}"` : '';
  return before + (next === undefined ? '' : ` next="${at(next)}"`);
}

/** Characters of the parameters of an address that servers and programs still take. */
const longestAddress = 7_000;

function repeated({ url }: FastifyRequest): URLSearchParams {
  const parameters = new URLSearchParams(searchOf(url));
  for (const name of [...parameters.keys()])
    if (/^(startindex|count|token)$/i.test(name)) parameters.delete(name);
  return parameters;
}

/** A request in a body of XML as parameters. Its filter is CQL2 there: of FES the body alone can say all. */
function parametersOf(
  { code }: Layer,
  { srsName, outputFormat, properties, sort, value }: FeatureRequest,
  condition: unknown,
): URLSearchParams {
  const terms = condition === undefined ? [] : (condition as [unknown[]])[0];
  const filter = terms.length > 1 ? { op: 'and', args: terms } : terms[0];
  const order = sort
    ?.split('|')
    .map((part) => part.replace(/,(.)$/, (_, way) => (way === 'd' ? ' DESC' : ' ASC')));
  const given = {
    service: 'WFS',
    version,
    request: value === undefined ? 'GetFeature' : 'GetPropertyValue',
    typenames: `${prefix}:${xmlName(code)}`,
    valuereference: value,
    srsname: srsName,
    outputformat: outputFormat,
    propertyname: properties?.join(','),
    sortby: order?.join(','),
    cql_filter: filter === undefined ? undefined : JSON.stringify(filter),
  };
  const known = Object.entries(given).filter((one): one is [string, string] => one[1] !== undefined);
  return new URLSearchParams(known);
}

function jsonFrame(crs: NamedCrs, { matched, returned }: Counted): ListFrame {
  const name = crs.srid === 4326 ? 'urn:ogc:def:crs:OGC:1.3:CRS84' : crs.srsName;
  const start = JSON.stringify({
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name } },
    ...(matched === undefined ? {} : { numberMatched: matched }),
    numberReturned: returned,
  });
  return {
    head: `${start.slice(0, -1)},"features":[`,
    tail: ']}',
    type: `${wfsJsonType}; charset=utf-8`,
    separator: ',',
  };
}

/** Sends one feature without a collection, as the stored query demands. */
async function sendFeature(
  { services, request, reply }: Answering,
  layer: Layer,
  { byId, srsName, outputFormat }: FeatureRequest & { byId: string },
): Promise<FastifyReply> {
  const id = Number(/(\d{1,15})$/.exec(byId.trim())?.[1] ?? Number.NaN);
  const crs = await findNamedCrs(services.db, srsName, { parameter: 'srsName' });
  const form = outputFormOf(outputFormat);
  const output = {
    columns: valueColumns(layer.columns),
    main: mainLanguage(request.caller),
    display: false,
    ...(form === 'json' ? jsonOutput(crs) : await gmlOutput(services, layer, { crs, isValue: false })),
  };
  const found = Number.isSafeInteger(id)
    ? await findObjectText(services.db, layer, { id, output }, request.gone)
    : undefined;
  if (!found) throw objectNotFound(id || 0);
  if (form === 'json') return reply.type(`${wfsJsonType}; charset=utf-8`).send(found.text);
  const service = serviceOf(request, services.config);
  const feature = found.text
    .replace(/^<wfs:member><(\S+)/, `<$1 ${head(service)}`)
    .replace(/<\/wfs:member>\n$/, '');
  return reply.type(`${gmlType}; charset=utf-8`).send(`<?xml version="1.0" encoding="UTF-8"?>\n${feature}\n`);
}
