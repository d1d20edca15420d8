import { badRequest, ServiceError } from '@cartulary/errors';
import { type Format, formats } from '@cartulary/formats';
import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Level } from '../../access/rights.js';
import { findMap, type MapContainer, mapNotFound } from '../../containers/containers.js';
import { common } from '../../http/params.js';
import { findLayer, holdsObjects, type Layer, layerNotFound, withLayer } from '../../layers/layers.js';
import { demandObjects, demandWritable, type ObjectServices } from '../../objects/store.js';

/** The query of a function: its own parameters, the form of the answer, language and token. */
export const DoorQuery = <T extends Record<string, TSchema>>(
  own: T,
  forms: readonly string[] = ['json', 'html'],
) =>
  Type.Object({
    ...own,
    f: Type.Optional(
      Type.Enum([...forms], { description: 'Form of the answer; absent: by the header Accept' }),
    ),
    lng: common.lng,
    token: common.token,
  });

/** Throws 400 for parameters that a function does not have. */
export function refuseUnknownParameters(request: FastifyRequest, more: readonly string[] = []): void {
  const schema = request.routeOptions.schema?.querystring as { properties: object };
  const unknown = Object.keys(request.query as object).filter(
    (name) => !Object.hasOwn(schema.properties, name) && !more.includes(name),
  );
  if (!unknown.length) return;
  const shown = unknown.slice(0, 10).map((name) => name.slice(0, 100));
  throw badRequest(`Unknown parameters: ${shown.join(', ')}`, { parameters: shown });
}

/** The formats of files of features, by code: those of exports, apart from images, and GeoJSON, which is the usual form. */
export const fileFormats: ReadonlyMap<string, Format> = new Map(
  formats
    .filter(({ code, exports }) => exports && code !== 'geojson' && code !== 'geotif')
    .map((format) => [format.code, format]),
);

/** The media types of `Accept`, those of the highest quality first; without those that the client refuses. */
function acceptedTypes({ accept = '' }: FastifyRequest['headers']): string[] {
  return accept
    .toLowerCase()
    .split(',')
    .slice(0, 20)
    .map((part) => {
      const [type, ...parameters] = part.split(';').map((text) => text.trim());
      const quality = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1;
      return { type: type!, quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ type }) => type);
}

/** The format of the file that a request for features asks for: by `f`, else by the first media type of `Accept` that is served. */
export function fileFormatOf({ query, headers }: FastifyRequest): Format | undefined {
  const { f } = (query ?? {}) as { f?: unknown };
  if (typeof f === 'string' && f !== '') return fileFormats.get(f);
  for (const type of acceptedTypes(headers)) {
    if (/^(text\/html|\*\/\*|application\/(geo\+)?json)$/.test(type)) return undefined;
    const found = [...fileFormats.values()].find(({ mediaType }) => mediaType === type);
    if (found) return found;
  }
  return undefined;
}

/** Whether a reader with a browser asks for a page. */
export function wantsPage({ query, headers }: FastifyRequest): boolean {
  const { f } = (query ?? {}) as { f?: unknown };
  if (typeof f === 'string' && f !== '') return f === 'html';
  const forms = /^(text\/html|application\/([\w.-]+\+)?json)$/;
  return acceptedTypes(headers).find((type) => forms.test(type)) === 'text/html';
}

const isForbidden = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'forbidden' || error.code === 'not_authenticated');

/** The map of a request. One that the caller may not view is answered like one that does not exist. */
export async function viewableMap(
  { db }: Pick<ObjectServices, 'db'>,
  request: FastifyRequest,
): Promise<MapContainer> {
  const { map } = request.params as { map: string };
  try {
    return await findMap(db, request.caller, map, 'view');
  } catch (error) {
    throw isForbidden(error) ? mapNotFound(map) : error;
  }
}

type Door = Pick<ObjectServices, 'db'>;
type LayerPath = { map: string; layer: string };

interface WantedCollection {
  services: Door;
  level: Level;
  /** Its code, where the path does not name it. */
  code?: string;
  /** Whether a layer without objects, which is drawn alone, will do. */
  isDrawn?: boolean;
}

/** Runs work with a layer of the map of the request, as `withLayer`. One that the caller may not view is answered like one that does not exist. */
export const withCollection = <T>(
  request: FastifyRequest,
  wanted: WantedCollection,
  work: (layer: Layer) => Promise<T>,
): Promise<T> => withLayer(async (isAgain) => viewableLayer(request, { ...wanted, isAgain }), work);

/** A layer of the map of the request, with objects unless `isDrawn`, for reading or for writing. One that the caller may not view is answered like one that does not exist. */
export async function viewableLayer(
  request: FastifyRequest,
  { services, level, code, isDrawn = false, isAgain = true }: WantedCollection & { isAgain?: boolean },
): Promise<Layer> {
  const { map, layer: inPath } = request.params as { map: string; layer?: string };
  const at = { map, layer: code ?? inPath! };
  const layer = await hidden(request, { services, level, at }, () =>
    findCollection(request, services, { level, isAgain, at }),
  );
  if (isDrawn && !holdsObjects(layer)) return layer;
  if (!holdsObjects(layer)) throw noFeatures(layer);
  if (level !== 'view') demandWritable(layer);
  demandObjects(layer);
  return layer;
}

async function findCollection(
  { caller }: FastifyRequest,
  { db }: Door,
  { level, isAgain, at }: { level: Level; isAgain: boolean; at: LayerPath },
): Promise<Layer> {
  const known = level === 'view' && !isAgain ? caller.at : undefined;
  // A caller who may not view the layer learns nothing of it, whatever the level.
  if (level !== 'view') await findLayer(db, caller, at, 'view').catch(asUnknown);
  return findLayer(db, caller, { known, ...at }, level);
}

/** The error of what a collection without features has not. */
const noFeatures = ({ code, type }: Layer): ServiceError =>
  new ServiceError(
    'layer_not_found',
    `The collection '${code}' has no features: it is a layer of type ${type}, which has a picture (map) and map tiles (map/tiles)`,
  );

/** Marks an error of the first question, which hides the layer. */
class Unknown extends Error {}
function asUnknown(error: unknown): never {
  throw isForbidden(error) ? new Unknown() : error;
}

async function hidden(
  request: FastifyRequest,
  { services, level, at }: { services: Door; level: Level; at: LayerPath },
  find: () => Promise<Layer>,
): Promise<Layer> {
  try {
    return await find();
  } catch (error) {
    const isHidden = error instanceof Unknown || (isForbidden(error) && level === 'view');
    if (!isHidden) throw error;
    await viewableMap(services, request);
    throw layerNotFound(at.layer);
  }
}
