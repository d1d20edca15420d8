import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import type { Level } from '../access/rights.js';
import type { Queryable } from '../db/pool.js';
import type { SR } from '../geo/bbox.js';
import { answers } from '../http/params.js';
import type { Services } from '../http/service.js';
import { findLayer, type Layer, withLayer } from '../layers/layers.js';
import { demandObjects, demandWritable } from './guard.js';
import { type Output, type Parameters, parseOutput, valueColumns } from './query.js';
import { findObject } from './read.js';
import { rowWriter } from './row.js';
import * as schemas from './schemas.js';
import type { ObjectInput } from './write.js';

export const layerPath = '/:map/layers/:layer';
export const objectPath = `${layerPath}/objects/:object`;
export const tags = ['objects'];
export const ofObject = answers(schemas.ObjectAnswer, 'The object');
export const yes = answers(Type.Boolean(), 'true');

export type LayerRequest = FastifyRequest<{ Params: { map: string; layer: string } }>;

/**
 * Does work over the layer of the request, for reading or for writing its objects, as `withLayer`. Throws 400 when it is of a type that
 * holds none.
 */
export const withLayerOf = <T>(
  request: LayerRequest,
  { services: { db }, level }: { services: Services; level: Level },
  work: (layer: Layer) => Promise<T>,
): Promise<T> =>
  withLayer(async (isAgain) => {
    const { caller, params } = request;
    const known = level === 'view' && !isAgain ? caller.at : undefined;
    const layer = await findLayer(db, caller, { known, ...params }, level);
    if (level === 'view') demandObjects(layer);
    else demandWritable(layer);
    return layer;
  }, work);

/** The object structure as JSON text, with all its columns, as the query of the request wants it; of an object that is not there its id and empty fields. */
export async function objectText(
  request: FastifyRequest,
  { db, layer, id }: { db: Queryable; layer: Layer; id: number },
  signal?: AbortSignal,
): Promise<string> {
  const output: Output = {
    ...parseOutput(request.query as Parameters, mainLanguage(request.caller)),
    columns: valueColumns(layer.columns),
  };
  const row = await findObject(db, layer, { id, output }, signal);
  return row ? rowWriter(output)(row) : JSON.stringify({ id, fields: {} });
}

/** What a body says of an object. */
export const inputOf = (
  request: FastifyRequest,
  body: { fields?: Record<string, unknown>; geom?: unknown },
): ObjectInput => {
  const { lng, geomSR = '4326' } = request.query as { lng?: string; geomSR?: SR };
  const language = lng ?? mainLanguage(request.caller);
  return { fields: body.fields ?? {}, geom: body.geom, sr: geomSR, language };
};
