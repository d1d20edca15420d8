import type { FastifyRequest } from 'fastify';
import { mainLanguage } from '../../access/caller.js';
import { shownName } from '../../containers/names.js';
import { serviceOf } from '../common/addresses.js';
import { listedCrs } from '../common/crs.js';
import type { DocumentOf } from '../common/documents.js';
import { listLayers } from '../common/layer-list.js';
import { viewableMap } from '../common/requests.js';
import type { OgcServices } from '../services.js';
import { capabilitiesOf } from './capabilities.js';

/** The map of a request and the layers of objects that the caller may view. */
export async function servedTypes(services: Pick<OgcServices, 'db'>, request: FastifyRequest) {
  const { caller } = request;
  const { lng } = request.query as { lng?: string };
  const map = await viewableMap(services, request);
  return { map, lng, layers: await listLayers(services.db, { caller, map, lng, featuresOnly: true }) };
}

/** Writes the capabilities of a map. */
export const wfsDocument =
  (services: Pick<OgcServices, 'db' | 'config'>) =>
  async ({ request }: DocumentOf): Promise<string> => {
    const { map, lng, layers } = await servedTypes(services, request);
    return capabilitiesOf({
      title: shownName(map, [lng, mainLanguage(request.caller)]) || map.code,
      comment: map.comment ?? '',
      ...serviceOf(request, services.config),
      limit: services.config.listLimit,
      types: layers.map(({ code, title, extent }) => ({
        code,
        title,
        extent,
        systems: namedSystems(listedCrs(extent)),
      })),
    });
  };

/** The systems as URN, EPSG:4326 first. */
const namedSystems = (uris: readonly string[]): string[] => {
  const [lonLat, ...others] = uris.map((uri) =>
    uri.replace(
      /^http:\/\/www\.opengis\.net\/def\/crs\/(\w+)\/([\d.]+)\/(\w+)$/,
      (_, authority, edition, code) =>
        `urn:ogc:def:crs:${authority}:${edition === '0' ? '' : edition}:${code}`,
    ),
  );
  return [...others, lonLat!];
};
