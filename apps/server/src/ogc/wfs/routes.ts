import { badRequest } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { identifyCallers } from '../../access/hook.js';
import type { App } from '../../http/app-type.js';
import { bodyLimits } from '../../http/body/body-limits.js';
import { bytesAs, ofContent, Path } from '../../http/params.js';
import { type LayerTraits, layerTraits } from '../../layers/styles/traits.js';
import { serviceOf } from '../common/addresses.js';
import { createCapabilities, type SendCapabilities } from '../common/documents.js';
import { exceptionSender, owsError } from '../common/ows-exceptions.js';
import { viewableLayer } from '../common/requests.js';
import type { OgcServices } from '../services.js';
import { storedQueriesXml } from './capabilities.js';
import { servedTypes, wfsDocument } from './document.js';
import { type Answering, answerFeatures } from './features.js';
import { gmlType, wfsJsonType } from './forms.js';
import { layerCodeIn } from './names.js';
import { kvpRequest, version, type WfsRequest, xmlRequest } from './requests.js';
import { schemaXml } from './schema.js';
import { answerTransaction, type NoteChange } from './transaction.js';

const text = (description: string) => Type.Optional(Type.String({ description }));
const OfAll = {
  geometry: text(
    'point, line or polygon: kind of the geometries of layers without any, as the schema says it; programs ask before they add the first',
  ),
  ...ofContent,
};
const Kvp = Type.Object({
  service: text('WFS; names of parameters have no case'),
  request: text(
    'GetCapabilities, DescribeFeatureType, GetFeature, GetPropertyValue, ListStoredQueries or DescribeStoredQueries',
  ),
  version: text(version),
  typenames: text('Code of a layer, with or without the prefix map:'),
  count: text('Most features of the answer'),
  startindex: text('How many features to skip'),
  resulttype: text('results (default), or hits: their number alone'),
  srsname: text('Coordinate reference system of the geometries; urn:ogc:def:crs:EPSG::4326 when absent'),
  bbox: text('Two corners, and the name of their system'),
  propertyname: text('Columns to return, separated by commas'),
  sortby: text('Columns with ASC or DESC, separated by commas'),
  resourceid: text('Ids of features, such as towns.5'),
  filter: text('A Filter of FES 2.0'),
  cql_filter: text('A filter in CQL2; its geometries are in longitude and latitude'),
  outputformat: text('application/gml+xml; version=3.2 (default) or application/json'),
  ...OfAll,
});
const documents = bytesAs(
  'XML, or features as GeoJSON',
  ...['text/xml', gmlType.split(';')[0]!, wfsJsonType],
);

/** Registers WFS 2.0 of maps under `/wfs/<project>/<map>`, in a scope of their own: errors are exception reports. */
export function wfsRoutes(app: App, services: OgcServices, { note }: { note: NoteChange }): void {
  const sendCapabilities = createCapabilities(services, {
    service: 'wfs',
    type: 'text/xml; charset=utf-8',
    write: wfsDocument(services),
  });
  const answer = createAnswer(sendCapabilities, note);
  identifyCallers(app, services);
  acceptXml(app);
  app.setErrorHandler(exceptionSender(version));
  const schema = { tags: ['objects'], params: Path('map'), response: documents };
  app.get(
    '/:map',
    {
      config: { work: 'lists' },
      schema: { ...schema, summary: 'WFS 2.0 of a map by parameters', querystring: Kvp },
    },
    async (request, reply) =>
      answer({ services, request, reply }, await kvpRequest(request.query as Record<string, unknown>)),
  );
  app.post(
    '/:map',
    {
      config: { work: 'lists' },
      bodyLimit: bodyLimits(services.config).large,
      schema: {
        ...schema,
        summary: 'WFS 2.0 of a map by a body of XML',
        description: 'The same requests, and Transaction, which takes a token.',
        querystring: Type.Object(OfAll),
      },
    },
    async (request, reply) =>
      answer({ services, request, reply }, await bodyRequest(request, services.config)),
  );
}

/** Bodies are XML whatever their type says; forms are parameters. */
function acceptXml(app: App): void {
  app.removeContentTypeParser(['application/json', 'text/plain', '*']);
  app.addContentTypeParser(
    ['text/plain', '*'],
    { parseAs: 'buffer' },
    async (_: FastifyRequest, body: Buffer) => body,
  );
}

function bodyRequest({ body }: FastifyRequest, config: OgcServices['config']): Promise<WfsRequest> {
  if (Buffer.isBuffer(body) && body.length) return xmlRequest(body, bodyLimits(config).medium);
  if (body && typeof body === 'object' && !Buffer.isBuffer(body))
    return kvpRequest(body as Record<string, unknown>);
  throw badRequest('The body is XML', { parameters: ['body'] });
}

const createAnswer =
  (sendCapabilities: SendCapabilities, note: NoteChange) =>
  async (answering: Answering, asked: WfsRequest): Promise<FastifyReply> => {
    const { services, request, reply } = answering;
    switch (asked.operation) {
      case 'GetCapabilities': {
        const { map } = request.params as { map: string };
        const { lng } = request.query as { lng?: string };
        return sendCapabilities(request, reply, { map, lng, version });
      }
      case 'DescribeFeatureType':
        return sendSchema(answering, asked.types);
      case 'ListStoredQueries':
      case 'DescribeStoredQueries': {
        const types = await typesOf(answering);
        const { namespace } = serviceOf(request, services.config);
        return sendXml(
          reply,
          storedQueriesXml(namespace, types, asked.operation === 'DescribeStoredQueries'),
        );
      }
      case 'Transaction':
        return answerTransaction(answering, asked.transaction!, note);
      case 'GetPropertyValue':
        if (asked.features.some(({ value }) => value === undefined))
          throw owsError('MissingParameterValue', 'valueReference is missing', 'valueReference');
        return answerFeatures(answering, asked.features);
      default:
        return answerFeatures(
          answering,
          asked.features.map((query) => ({ ...query, value: undefined })),
        );
    }
  };

/** Codes of the types that the caller may view. */
const typesOf = async ({ services, request }: Answering): Promise<string[]> =>
  (await servedTypes(services, request)).layers.map(({ code }) => code);

const sendXml = (reply: FastifyReply, xml: string, type = 'text/xml'): FastifyReply =>
  reply.type(`${type}; charset=utf-8`).send(xml);

/** Most types of one schema: each is a layer that is looked up. */
const schemaLimit = 100;

async function sendSchema(answering: Answering, names: readonly string[] | undefined): Promise<FastifyReply> {
  const { services, request, reply } = answering;
  const codes = names?.map((name) => layerCodeIn(name, 'typenames')) ?? (await typesOf(answering));
  if (codes.length > schemaLimit)
    throw badRequest(`typenames: a schema has at most ${schemaLimit} types; name them`, {
      parameters: ['typenames'],
    });
  const layers = [];
  for (const code of new Set(codes))
    layers.push(await viewableLayer(request, { services, level: 'view', code }));
  const traits = await layerTraits(
    services.db,
    layers.map(({ id }) => id),
    '4326',
    request.gone,
  );
  const { geometry } = request.query as { geometry?: string };
  const first = { kind: firstKind(geometry), hasMulti: false };
  const types = layers.map(({ id, code, columns }) => {
    const known = traits.get(id);
    return { code, columns, traits: known?.bbox ? known : first };
  });
  return sendXml(reply, schemaXml(serviceOf(request, services.config).namespace, types), gmlType);
}

/** Kinds of geometries by their names in addresses. */
const firstKinds: ReadonlyMap<string, LayerTraits['kind']> = new Map([
  ['point', 'Point'],
  ['line', 'LineString'],
  ['polygon', 'Polygon'],
]);

function firstKind(name: string | undefined): LayerTraits['kind'] {
  if (!name) return 'Unknown';
  const kind = firstKinds.get(name.toLowerCase());
  if (kind) return kind;
  throw owsError(
    'InvalidParameterValue',
    `geometry is ${[...firstKinds.keys()].join(', ')}, not '${name.slice(0, 50)}'`,
    'geometry',
  );
}
