import { compileMapStyle } from '@cartulary/cartocss';
import type { Database } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import type { FastifyRequest } from 'fastify';
import { isExternal, layerNotFound } from '../../layers/layers.js';
import type { ReadContent } from '../../tiles/plan/map-content.js';
import { visibleLayers } from '../../tiles/plan/visible-layers.js';
import {
  extentsOf,
  namedLayers,
  type ServedMap,
  servedMap,
  shownBox,
  type VisibleLayers,
} from '../common/map-layers.js';
import type { DegreeBox } from '../common/matrix-sets.js';

export interface MapParts {
  db: Database;
  readContent: ReadContent;
}

/** A map or a collection that is drawn. */
export interface DrawnResource extends VisibleLayers {
  served: ServedMap;
  title: string;
}

/**
 * What a request draws: the map or `collections` of it, or the collection of its address. A layer that the caller may not view is
 * answered like one that does not exist.
 */
export async function drawnResource(
  parts: MapParts,
  request: FastifyRequest,
  collections?: string,
): Promise<DrawnResource> {
  const { map, layer } = request.params as { map: string; layer?: string };
  const served = await servedMap(parts, { caller: request.caller, map }, request.gone);
  if (layer !== undefined) {
    const { content, state } = served;
    const found = [...content.layers.values()].find(
      ({ code, id }) => code === layer && state.viewable.has(id),
    );
    if (!found) throw layerNotFound(layer);
    return { served, layers: [found.id], base: found.id === content.base_layer, title: layer };
  }
  if (collections === undefined) return { served, layers: undefined, base: true, title: map };
  const visible = await namedLayers(
    parts.db,
    served,
    collections.split(',').map((name) => name.trim()),
  );
  if ('unknown' in visible)
    throw badRequest(`collections: there is no collection '${visible.unknown.slice(0, 100)}'`, {
      parameters: ['collections'],
    });
  return { served, ...visible, title: map };
}

/** Ids of the layers of a resource. */
export const idsOf = ({ layers, served }: Pick<DrawnResource, 'layers' | 'served'>): readonly number[] =>
  layers ?? visibleLayers(undefined, served.state.viewable, served.content);

/** Whether a picture of a resource shows something everywhere: a background, or another service, whose place need not be known. */
export function isEverywhere(resource: DrawnResource): boolean {
  const { content } = resource.served;
  const hasBackground = resource.base && compileMapStyle(content.css_style).backgroundColor !== undefined;
  return hasBackground || idsOf(resource).some((id) => isExternal(content.layers.get(id)!));
}

/** The box around the objects of a resource, in degrees. */
export async function boxOfResource(
  { db }: Pick<MapParts, 'db'>,
  resource: DrawnResource,
  signal: AbortSignal,
): Promise<DegreeBox> {
  const boxes = await extentsOf(db, resource.served, idsOf(resource), signal);
  return shownBox([...boxes.values()]);
}
