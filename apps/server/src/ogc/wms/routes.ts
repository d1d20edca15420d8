import type { Database } from '@cartulary/database';
import { requiredMissing, ServiceError } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import type { Config } from '../../config.js';
import type { App } from '../../http/app-type.js';
import { bytesAs, ofContent } from '../../http/params.js';
import { asBuffer, cacheControl, etagOf, sentUnchanged } from '../../http/reply.js';
import type { IconFiles } from '../../icons/icons.js';
import { changedMeanwhile, holdsObjects } from '../../layers/layers.js';
import { findFreshLayer } from '../../layers/visual/visual.js';
import type { FileStorage } from '../../storage/storage.js';
import { createSwatchDrawer } from '../../tiles/icons/swatch.js';
import { createIdentifier } from '../../tiles/identify/identify.js';
import { encodedTypes, encodePicture, pictureTypes } from '../../tiles/pictures/picture-formats.js';
import type { ReadContent } from '../../tiles/plan/map-content.js';
import type { RendererPool } from '../../tiles/render/pool.js';
import type { TileServing } from '../../tiles/serving.js';
import { createCapabilities } from '../common/documents.js';
import { type KvpParameters, kvpOf, kvpRoutes, sentParameters } from '../common/kvp.js';
import { namedLayers, type ServedMap, servedMap, type VisibleLayers } from '../common/map-layers.js';
import { wmsDocument } from './document.js';
import { type WmsVersion, wmsError } from './exceptions.js';
import { askedInfo, sendFeatureInfo } from './feature-info.js';
import { infoTypes } from './info-formats.js';
import { legendPicture, legendTexts } from './legend.js';
import { sampleOf } from './legend-size.js';
import { askedMap, formatOf, layerNames, paperOf, wmsVersionOf } from './parameters.js';
import { wmsExceptionSender } from './send-exception.js';

/** The services of these routes. */
export interface WmsServices {
  readonly db: Database;
  readonly config: Config;
  readonly storage: FileStorage;
  readonly icons: IconFiles;
  readonly readContent: ReadContent;
  readonly renderers: RendererPool;
}

const text = (description: string) => Type.Optional(Type.String({ description }));
const Kvp = Type.Object({
  service: text('WMS; names of parameters have no case'),
  request: text('GetCapabilities, GetMap, GetFeatureInfo or GetLegendGraphic'),
  version: text('1.3.0 or 1.1.1'),
  layers: text('Codes of layers or folders, the lowest first, or map.all'),
  styles: text('default'),
  crs: text('CRS:84, or an EPSG code (1.3.0)'),
  srs: text('An EPSG code (1.1.1)'),
  bbox: text('Lower and upper corner, in the order of the axes'),
  width: text('Pixels; of GetLegendGraphic those of one sample, 1 to 512, 20 when absent'),
  height: text('Pixels; of GetLegendGraphic those of one sample, 1 to 512, 20 when absent'),
  format: text(`${Object.values(encodedTypes).join(', ')}; of GetLegendGraphic application/json, too`),
  transparent: text('TRUE or FALSE'),
  bgcolor: text('Colour such as 0xFFFFFF'),
  dpi: text('Resolution of the picture; symbols grow with it. Also map_resolution and format_options=dpi:…'),
  filter: text('CQL2, for each layer that has all of its columns; also cql_filter'),
  query_layers: text('Layers of GetFeatureInfo'),
  info_format: text('text/plain, text/html, application/json or application/vnd.ogc.gml'),
  feature_count: text('Most objects of GetFeatureInfo'),
  i: text('Pixel of GetFeatureInfo, from the west'),
  j: text('Pixel of GetFeatureInfo, from the north'),
  exceptions: text('Form of the errors of GetMap: XML, INIMAGE or BLANK, or their names of 1.1.1'),
  layer: text('Layer of GetLegendGraphic'),
  rule: text('Title of the one entry that GetLegendGraphic draws, without its text'),
  ...ofContent,
});

/** A request of WMS. */
interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  map: string;
  kvp: KvpParameters;
  version: WmsVersion;
  lng: string | undefined;
}

type Operation = (asked: Asked) => Promise<FastifyReply>;

/** Registers WMS 1.3.0 and 1.1.1 of maps under `/wms/<project>/<map>/`, in a scope of their own: errors are exception reports. */
export function wmsRoutes(app: App, services: WmsServices, serving: TileServing): void {
  app.setErrorHandler(wmsExceptionSender(services.config));
  kvpRoutes(app, {
    summary: 'WMS of a map: GetCapabilities, GetMap, GetFeatureInfo, GetLegendGraphic',
    parameters: Kvp,
    response: bytesAs(
      'Capabilities, a picture, or objects',
      ...['text/xml', ...Object.values(pictureTypes), 'image/gif', ...Object.values(infoTypes)],
    ),
    answer: answerOf(operationsOf(services, serving)),
  });
}

const answerOf =
  (operations: Readonly<Record<string, Operation>>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const sent = sentParameters(request);
    const kvp = kvpOf(sent);
    const name = kvp.get('request');
    if ((kvp.get('service') ?? 'WMS').toUpperCase() !== 'WMS')
      throw wmsError('InvalidParameterValue', 'The service is WMS', 'service');
    if (name === undefined) throw requiredMissing('request');
    const operation = operations[name.toLowerCase()];
    if (!operation)
      throw wmsError(
        'OperationNotSupported',
        'Requests are GetCapabilities, GetMap, GetFeatureInfo and GetLegendGraphic',
        'request',
      );
    const version = wmsVersionOf(kvp, /capabilities$/i.test(name));
    const { map } = request.params as { map: string };
    return operation({ request, reply, map, kvp, version, lng: sent.lng as string | undefined });
  };

function operationsOf(services: WmsServices, serving: TileServing): Readonly<Record<string, Operation>> {
  const { db, config } = services;
  const sendCapabilities = createCapabilities(services, {
    service: 'wms',
    type: 'text/xml; charset=utf-8',
    write: wmsDocument(db, config.pictureSidePixels),
  });
  const capabilities: Operation = ({ request, reply, map, lng, version }) =>
    sendCapabilities(request, reply, { map, lng, version });
  return {
    __proto__: null as never,
    getcapabilities: capabilities,
    capabilities,
    getmap: mapOperation(services, serving),
    map: mapOperation(services, serving),
    getfeatureinfo: infoOperation(services),
    getlegendgraphic: legendOperation(services),
  };
}

type LayerParts = Parameters<typeof servedMap>[0];

/** The map that a request asks for, as it is served to its caller. */
const askedServed = (
  parts: LayerParts,
  { request, map }: Pick<Asked, 'request' | 'map'>,
): Promise<ServedMap> => servedMap(parts, { caller: request.caller, map }, request.gone);

/** The layers that names stand for. Throws for an unknown one, and in the same way for one that the caller may not view. */
async function demandLayers(
  db: Database,
  served: ServedMap,
  { names, parameter }: { names: readonly string[]; parameter: string },
): Promise<VisibleLayers> {
  const found = await namedLayers(db, served, names);
  if ('unknown' in found)
    throw wmsError('LayerNotDefined', `There is no layer '${found.unknown.slice(0, 100)}'`, parameter);
  // Programs query all layers that they draw: one that has objects is enough.
  const hasObjects = (id: number): boolean => holdsObjects(served.content.layers.get(id)!);
  if (parameter === 'query_layers' && found.layers && !found.layers.some(hasObjects))
    throw wmsError(
      'LayerNotQueryable',
      `'${names.join(',').slice(0, 100)}' has no objects to query`,
      parameter,
    );
  return found;
}

const mapOperation =
  (parts: LayerParts, { sendPicture }: TileServing): Operation =>
  async (asked) => {
    const { request, reply, map, kvp, version, lng } = asked;
    const { names, frame, filter } = await askedMap(parts.db, kvp, version);
    if (!kvp.has('format')) throw requiredMissing('format');
    const format = formatOf(kvp.get('format')!);
    const paper = paperOf(kvp, format);
    const served = await askedServed(parts, asked);
    const visible = await demandLayers(parts.db, served, { names, parameter: 'layers' });
    const content = { ...visible, filter, paper, lng: lng ?? mainLanguage(request.caller) };
    return sendPicture(request, reply, { map, content, frame, format });
  };

const infoOperation = ({ db, readContent, renderers, config }: WmsServices): Operation => {
  const identify = createIdentifier({ db, renderers, readContent, fastLabels: config.fastLabels });
  return async (asked) => {
    const { request, reply, map, kvp, version, lng } = asked;
    const picture = await askedMap(db, kvp, version);
    const info = askedInfo(kvp, version, picture);
    if (!kvp.has('query_layers')) throw requiredMissing('query_layers');
    const names = layerNames(kvp.get('query_layers')!, 'query_layers');
    const served = await askedServed({ db, readContent }, asked);
    const { layers } = await demandLayers(db, served, { names, parameter: 'query_layers' });
    const visible = await demandLayers(db, served, { names: picture.names, parameter: 'layers' });
    const wanted = { map, asked: picture, info, layers, visible, lng };
    return sendFeatureInfo({ db, config, identify }, { request, reply }, wanted).catch((error) =>
      Promise.reject(changedMeanwhile(error)),
    );
  };
};

const legendOperation = (services: WmsServices): Operation => {
  const { db, readContent, renderers, storage, icons, config } = services;
  const parts = {
    db,
    renderers,
    storage,
    icons,
    fontFolder: config.fontFolder,
    drawSwatch: createSwatchDrawer(renderers),
  };
  return async (asked) => {
    const { request, reply, map, kvp, lng } = asked;
    const [name] = layerNames(kvp.get('layer') ?? '', 'layer');
    const type = kvp.get('format') ?? 'image/png';
    const format = /^application\/json\b/i.test(type) ? undefined : formatOf(type);
    const served = await askedServed({ db, readContent }, asked);
    const { layers } = await demandLayers(db, served, { names: [name!], parameter: 'layer' });
    const { caller, gone } = request;
    const folder = wmsError(
      'LayerNotDefined',
      `'${name!.slice(0, 100)}' is no layer: layers have legends`,
      'layer',
    );
    if (layers?.length !== 1) throw folder;
    const layer = await findFreshLayer(db, caller, { map, layer: name! }, 'view').catch((error) => {
      // A folder with one layer.
      throw error instanceof ServiceError && error.code === 'layer_not_found' ? folder : error;
    });
    const main = mainLanguage(caller);
    const wanted = {
      layer,
      projectId: caller.project.id,
      lng: lng ?? main,
      main,
      sample: sampleOf(kvp),
      rule: kvp.get('rule') || undefined,
    };
    const write = async (): Promise<Buffer> =>
      format
        ? asBuffer(await encodePicture(await legendPicture(parts, wanted, gone), format))
        : Buffer.from(JSON.stringify(await legendTexts(db, wanted, gone)));
    const legend = await write().catch((error) => Promise.reject(changedMeanwhile(error)));
    reply.header('cache-control', cacheControl(request, layer.map.has_publication));
    if (sentUnchanged(request, reply, etagOf(legend.toString('base64')))) return reply;
    return reply.type(format ? encodedTypes[format] : 'application/json').send(legend);
  };
};
