import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { Type } from 'typebox';
import type { Caller } from '../access/caller.js';
import { findMap } from '../containers/containers.js';
import { containerTag, treeTag } from '../containers/etags.js';
import type { App } from '../http/app-type.js';
import { answers, Path, Query } from '../http/params.js';
import { structureTag } from './etags.js';
import { findLayer, type Layer, type LayerCodes } from './layers.js';
import type { LayerServices } from './routes.js';

const LayerVersions = Type.Object({
  etag: Type.String({ description: 'ETag of the layer: its names, style and settings' }),
  structure: Type.String({ description: 'ETag of its columns' }),
  data: Type.Integer({ description: 'Rises with every change of its objects' }),
});

const Versions = Type.Object({
  map: Type.String({ description: 'ETag of the map' }),
  trees: Type.String({ description: 'ETag of its trees' }),
  layer: Type.Union([LayerVersions, Type.Null()], { description: 'Of the layer that is asked for' }),
});

/** GET /:map/versions */
export function versionsRoute(app: App, { db }: LayerServices): void {
  app.get(
    '/:map/versions',
    {
      schema: {
        tags: ['maps'],
        summary: 'The versions of a map and of one of its layers',
        description:
          'The ETags of what editors change: who compares them with those of an earlier answer learns what others have changed. An extension of the interface.',
        params: Path('map'),
        querystring: Query({
          layer: Type.Optional(
            Type.String({
              description: 'Code of a layer. null is answered where it is gone, or may not be viewed',
            }),
          ),
        }),
        response: answers(Versions),
      },
    },
    async ({ caller, params, query }) => {
      const map = await findMap(db, caller, params.map, 'view');
      const { layer: code } = query;
      const layer =
        code === undefined ? null : await layerIfAny(db, caller, { map: params.map, layer: code });
      return {
        map: containerTag(map),
        trees: await treeTag(db, map.id, caller.at),
        layer: layer && {
          etag: containerTag(layer),
          structure: structureTag(layer),
          data: layer.data_version,
        },
      };
    },
  );
}

/** A layer; null where the caller does not see it. */
async function layerIfAny(db: Database, caller: Caller, at: LayerCodes): Promise<Layer | null> {
  try {
    return await findLayer(db, caller, at, 'view');
  } catch (error) {
    if (
      error instanceof ServiceError &&
      ['layer_not_found', 'forbidden', 'not_authenticated'].includes(error.code)
    )
      return null;
    throw error;
  }
}
