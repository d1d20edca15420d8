import { type GmlOutput, valueColumns } from '@cartulary/columns';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mainLanguage } from '../../access/caller.js';
import { cacheControl } from '../../http/reply.js';
import type { Layer } from '../../layers/layers.js';
import { layerTraits } from '../../layers/styles/traits.js';
import {
  countMatches,
  findObjectText,
  type ObjectQuery,
  objectNotFound,
  openTexts,
  parseFilter,
  parseListQuery,
  sendList,
  withIndex,
} from '../../objects/store.js';
import { placedBox } from '../common/boxes.js';
import { crs84, filterIn, findNamedCrs, type NamedCrs } from '../common/crs.js';
import { withCollection } from '../common/requests.js';
import { xmlValue } from '../common/xml.js';
import { matchedCount } from '../features/counts.js';
import { allOf, featureOutput } from '../features/items-query.js';
import type { OgcServices } from '../services.js';
import { owsError } from '../wmts/exceptions.js';
import { type ServiceAddress, serviceOf } from './address.js';
import { among, cqlOfFes, meets } from './fes.js';
import { gmlType, outputFormOf, wfsJsonType } from './forms.js';
import { codeOfName, prefix, resourceIdOf, xmlName } from './names.js';
import type { FeatureRequest } from './requests.js';
import { isPromoted } from './schema.js';

/** A request with its answer. */
export interface Answering {
  services: OgcServices;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Answers GetFeature, and GetPropertyValue, whose request names a `value`. */
export async function answerFeatures(answering: Answering, asked: FeatureRequest): Promise<FastifyReply> {
  const { services, request, reply } = answering;
  reply
    .header('vary', 'Accept, Authorization, X-Token')
    .header('cache-control', cacheControl(request, false));
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
  const code = resource === undefined ? undefined : /^(.*)\.\d+$/.exec(resource.trim())?.[1];
  if (code !== undefined) return codeOfName(code);
  throw owsError('MissingParameterValue', 'typenames is missing', 'typenames');
}

/** What of a layer a request selects. */
interface Selection {
  query: ObjectQuery;
  crs: NamedCrs;
  form: 'gml' | 'json';
  /** The conditions as a key. */
  key: string;
}

async function answerQuery(answering: Answering, layer: Layer, asked: FeatureRequest): Promise<FastifyReply> {
  const { services, request } = answering;
  const db = services.db.for(request.owner);
  const selection = await selectionOf(answering, layer, asked);
  if (asked.resultType?.toLowerCase() === 'hits' || asked.count === '0') {
    const count = await countMatches(db.heavy, layer, { query: selection.query }, request.gone);
    return sendHits(answering, selection, count);
  }
  const query = await withIndex(services, layer, selection.query, request.caller.at);
  const found = await openTexts(db, layer, query, request.gone);
  const { offset } = query;
  const matched =
    found.hasMore || offset
      ? await matchedCount(
          services.db,
          layer,
          { query: { ...query, offset: 0 }, selection: selection.key },
          request.gone,
        )
      : found.count;
  const frame = selection.form === 'json' ? jsonFrame : gmlFrame;
  return sendList(
    answering.reply,
    found,
    services.lists,
    frame(
      answering,
      { ...selection, query },
      {
        matched,
        returned: found.count,
        next: found.hasMore ? offset + found.count : undefined,
        isValue: asked.value !== undefined,
      },
    ),
  );
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
  const { boxes, filter, key } = await conditionsOf({ services, layer }, asked);
  const list = parseListQuery(
    {
      limit: numberOf(asked.count, 'count') ?? config.listLimit,
      offset: numberOf(asked.startIndex, 'startIndex') ?? 0,
      sort: asked.sort,
      lng,
    },
    layer,
    main,
    config,
  );
  const chosen = chosenOf(layer, asked);
  const output =
    form === 'json'
      ? jsonOutput(crs)
      : await gmlOutput(services, layer, { crs, isValue: asked.value !== undefined });
  return {
    crs,
    form,
    key,
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
  { srsName, filter, cql, bbox, resources }: FeatureRequest,
): Promise<Pick<ObjectQuery, 'boxes' | 'filter'> & { key: string }> {
  const { columns } = layer;
  const terms = [
    ...(filter ? [await cqlOfFes(filter, { db, layer, srsName })] : []),
    ...(resources ? [among(resources, { layer })] : []),
  ];
  const placed = bbox === undefined ? undefined : await boxOf(db, bbox, srsName);
  if (placed && 'shape' in placed) terms.push(meets({ property: 'geom' }, placed));
  const filters = terms.map((term) => parseFilter(term, columns));
  if (cql !== undefined) filters.push(await filterIn(db, cql, { columns, crs: crs84 }));
  const boxes = placed && 'boxes' in placed ? placed.boxes : undefined;
  return { boxes, filter: allOf(filters), key: `wfs ${JSON.stringify([terms, cql, boxes])}` };
}

/** `a,b,c,d`, and the name of its system, which is that of the answer without one. */
async function boxOf(db: OgcServices['db'], text: string, srsName: string | undefined) {
  const parts = text.split(',');
  const corners = parts.slice(0, 4).map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (parts.length < 4 || parts.length > 5 || !corners.every(Number.isFinite))
    throw owsError('InvalidParameterValue', 'bbox has four numbers, and the name of their system', 'bbox');
  const crs = await findNamedCrs(db, parts[4] ?? srsName, { parameter: 'bbox' });
  return placedBox(db, corners as [number, number, number, number], crs, 'bbox');
}

/** The columns that a request wants. Throws for one that the layer does not have. */
function chosenOf(layer: Layer, { properties, value }: FeatureRequest) {
  const all = valueColumns(layer.columns);
  const codes = value === undefined ? properties : [codeOfName(value.trim().split('/').at(-1)!)];
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
  `xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:${prefix}="${xmlValue(namespace)}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd http://www.opengis.net/gml/3.2 http://schemas.opengis.net/gml/3.2.1/gml.xsd ${xmlValue(namespace)} ${xmlValue(`${address}?service=WFS&version=2.0.0&request=DescribeFeatureType`)}"`;

function gmlFrame(
  { services, request }: Answering,
  { query }: Selection,
  { matched, returned, next, isValue }: Counted,
) {
  const service = serviceOf(request, services.config);
  const name = isValue ? 'ValueCollection' : 'FeatureCollection';
  const links = linksOf(service, request, { next, query });
  return {
    head: `<?xml version="1.0" encoding="UTF-8"?>\n<wfs:${name} ${head(service)} timeStamp="${new Date().toISOString()}" numberMatched="${matched ?? 'unknown'}" numberReturned="${returned}"${links}>\n`,
    tail: `</wfs:${name}>\n`,
    type: isValue ? 'text/xml; charset=utf-8' : `${gmlType}; charset=utf-8`,
    separator: '' as const,
  };
}

/** Addresses of the pages before and behind; those of a body have none. */
function linksOf(
  { address }: ServiceAddress,
  request: FastifyRequest,
  { next, query: { offset, limit } }: { next: number | undefined; query: ObjectQuery },
): string {
  if (request.method !== 'GET') return '';
  const at = (start: number): string => {
    const parameters = new URLSearchParams(request.url.split('?')[1] ?? '');
    for (const name of [...parameters.keys()])
      if (/^(startindex|count|token)$/i.test(name)) parameters.delete(name);
    parameters.set('count', String(limit));
    parameters.set('startIndex', String(start));
    return xmlValue(`${address}?${parameters}`);
  };
  const before = offset ? ` previous="${at(Math.max(0, offset - limit))}"` : '';
  return before + (next === undefined ? '' : ` next="${at(next)}"`);
}

function jsonFrame(_: Answering, { crs }: Selection, { matched, returned }: Counted) {
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
    separator: ',' as const,
  };
}

function sendHits(answering: Answering, selection: Selection, count: number): FastifyReply {
  const counted = { matched: count, returned: 0, next: undefined, isValue: false };
  const frame = (selection.form === 'json' ? jsonFrame : gmlFrame)(answering, selection, counted);
  return answering.reply.type(frame.type).send(frame.head + frame.tail);
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

/** The id of a new feature as a resource. */
export const newResource = (layer: Layer, id: number): string => resourceIdOf(layer.code, id);
