import type { Database } from '@cartulary/database';
import { requiredMissing } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Caller, mainLanguage } from '../../access/caller.js';
import type { Config } from '../../config.js';
import type { App } from '../../http/app-type.js';
import { bytesAs, ofContent, orNotModified, Path } from '../../http/params.js';
import type { PictureFormat } from '../../tiles/pictures/picture-formats.js';
import type { SendPicture } from '../../tiles/pictures/send-picture.js';
import type { ReadContent } from '../../tiles/plan/map-content.js';
import { TileFilterParameter } from '../../tiles/plan/tile-filter.js';
import type { SendTile } from '../../tiles/serve-tile.js';
import { createCapabilities, type SendCapabilities } from '../common/documents.js';
import { kvpOf, kvpRoutes, sentParameters } from '../common/kvp.js';
import { servedMap, wholeMap } from '../common/map-layers.js';
import { isOfTiles, tileFrame } from '../common/matrix-sets.js';
import { exceptionSender, owsError } from '../common/ows-exceptions.js';
import { wmtsDocument } from './document.js';
import { demandAccepted, formatOfEnd, kvpTile, type NamedTile, tilePlace } from './parameters.js';

/** The services of these routes. */
export interface WmtsServices {
  readonly db: Database;
  readonly config: Config;
  readonly readContent: ReadContent;
}

export interface WmtsParts {
  sendTile: SendTile;
  sendPicture: SendPicture;
}

const text = (description: string) => Type.Optional(Type.String({ description }));
const TileContent = { filter: TileFilterParameter, ...ofContent };
const Kvp = Type.Object({
  service: text('WMTS; names of parameters have no case'),
  request: text('GetCapabilities or GetTile'),
  version: text('1.0.0'),
  acceptversions: text('Versions that the client takes'),
  layer: text('Code of a layer, or map.all'),
  style: text('default'),
  tilematrixset: text('WebMercatorQuad, WorldCRS84Quad, or EPSG and the code of a projected system'),
  tilematrix: text('0 to 24'),
  tilerow: text('Row, from the north'),
  tilecol: text('Column, from the west'),
  format: text('image/png, image/webp or image/jpeg'),
  ...TileContent,
});

const pictures = ['image/png', 'image/webp', 'image/jpeg'];

/** Registers WMTS 1.0 of maps under `/wmts/<project>/<map>/`, in a scope of their own: errors are exception reports. */
export function wmtsRoutes(app: App, services: WmtsServices, parts: WmtsParts): void {
  const sendCapabilities = createCapabilities(services, {
    service: 'wmts',
    type: 'application/xml; charset=utf-8',
    write: wmtsDocument(services.db),
  });
  app.setErrorHandler(exceptionSender());
  const sendNamed = namedTiles(services, parts);
  kvpRoutes(app, {
    summary: 'WMTS 1.0 of a map by parameters: GetCapabilities, GetTile',
    parameters: Kvp,
    response: orNotModified(bytesAs('Capabilities or a tile', 'application/xml', ...pictures)),
    answer: answerOf({ sendCapabilities, sendNamed }),
  });
  app.get(
    '/:map/1.0.0/WMTSCapabilities.xml',
    {
      schema: {
        tags: ['tiles'],
        summary: 'The capabilities of the WMTS of a map',
        params: Path('map'),
        querystring: Type.Object(ofContent),
        response: orNotModified(bytesAs('Capabilities', 'application/xml')),
      },
    },
    async (request, reply) =>
      sendCapabilities(request, reply, { map: request.params.map, lng: request.query.lng, version: '1.0.0' }),
  );
  addressedTileRoute(app, sendNamed);
}

type SendNamed = (
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: { map: string; tile: NamedTile; format: PictureFormat; lng?: string; filter?: string },
) => Promise<FastifyReply>;

/** Answers with the tile of a named layer: that of the map for the whole map, else the layer alone, without a background. */
const namedTiles =
  ({ db, readContent }: WmtsServices, { sendTile, sendPicture }: WmtsParts): SendNamed =>
  async (request, reply, { map, tile: named, format, filter, lng }) => {
    const { caller, gone } = request;
    const { set, place } = await tilePlace(db, named);
    const layers = await servedLayer({ db, readContent }, { caller, map, layer: named.layer }, gone);
    const main = mainLanguage(caller);
    const content = { base: layers === undefined, layers, filter, lng: lng ?? main };
    if (!isOfTiles(set))
      return sendPicture(request, reply, { map, content, frame: tileFrame(set, place), format });
    const tile = { ...place, ...content, scale: 1, palette: undefined, main };
    return sendTile(request, reply, { map, tile, format, hasDrafts: false, hasCodes: layers !== undefined });
  };

const answerOf =
  (send: { sendCapabilities: SendCapabilities; sendNamed: SendNamed }) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { map } = request.params as { map: string };
    const sent = sentParameters(request);
    const kvp = kvpOf(sent);
    const lng = sent.lng as string | undefined;
    const filter = kvp.get('filter');
    if ((kvp.get('service') ?? 'WMTS').toUpperCase() !== 'WMTS')
      throw owsError('InvalidParameterValue', 'The service is WMTS', 'service');
    const operation = kvp.get('request');
    if (operation === undefined) throw requiredMissing('request');
    if (operation.toLowerCase() === 'gettile')
      return send.sendNamed(request, reply, { map, ...kvpTile(kvp), ...given({ lng, filter }) });
    if (operation.toLowerCase() !== 'getcapabilities')
      throw owsError('OperationNotSupported', 'Requests are GetCapabilities and GetTile', 'request');
    demandAccepted(kvp);
    return send.sendCapabilities(request, reply, { map, lng, version: '1.0.0' });
  };

function addressedTileRoute(app: App, sendNamed: SendNamed): void {
  app.get(
    '/:map/:layer/:style/:matrixSet/:z/:y/:x.:format',
    {
      config: { work: 'tiles' },
      schema: {
        tags: ['tiles'],
        summary: 'A tile of the WMTS of a map',
        params: Path('map', 'layer', 'style', 'matrixSet', 'z', 'y', 'x', 'format'),
        querystring: Type.Object(TileContent),
        response: bytesAs('A tile', ...pictures),
      },
    },
    async (request, reply) => {
      const { map, layer, style, matrixSet: set, z: matrix, y: row, x: column, format } = request.params;
      const { lng, filter } = request.query;
      const tile = { layer, style, set, matrix, row, column };
      return sendNamed(request, reply, { map, tile, format: formatOfEnd(format), ...given({ lng, filter }) });
    },
  );
}

/** Without what is undefined. */
const given = ({ lng, filter }: { lng: string | undefined; filter: string | undefined }) => ({
  ...(lng === undefined ? {} : { lng }),
  ...(filter === undefined ? {} : { filter }),
});

/**
 * The layer that a request names, as the layers of a tile; undefined: the map as it is drawn at the start. Throws for an unknown
 * layer, and in the same way for one that the caller may not view.
 */
async function servedLayer(
  parts: Pick<WmtsServices, 'db' | 'readContent'>,
  { caller, map, layer }: { caller: Caller; map: string; layer: string },
  signal: AbortSignal,
): Promise<number[] | undefined> {
  const { layers, content } = await servedMap(parts, { caller, map }, signal);
  if (layer === wholeMap) return undefined;
  const id = layers.find((one) => content.layers.get(one)!.code === layer);
  if (id === undefined)
    throw owsError('InvalidParameterValue', `There is no layer '${layer.slice(0, 100)}'`, 'layer');
  return [id];
}
