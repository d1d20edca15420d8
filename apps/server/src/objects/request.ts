import { type Output, valueColumns } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import type { SR } from '@cartulary/geo';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import { writtenLanguages } from '../access/languages.js';
import type { Level } from '../access/rights.js';
import { answers } from '../http/params.js';
import { findLayer, type Layer, withLayer } from '../layers/layers.js';
import { findObjectText, type ObjectText } from './object-texts.js';
import type { Parameters } from './query/parameters.js';
import { parseOutput } from './query/query.js';
import * as schemas from './schemas.js';
import type { ObjectServices } from './services.js';
import { demandObjects, demandWritable } from './write/guard.js';
import type { ObjectInput } from './write/input.js';

export const layerPath = '/:map/layers/:layer';
export const objectPath = `${layerPath}/objects/:object`;
export const tags = ['objects'];
export const objectResponse = answers(schemas.ObjectAnswer, 'The object');
export const trueAnswer = answers(Type.Boolean(), 'true');

export type LayerRequest = FastifyRequest<{ Params: { map: string; layer: string } }>;

/** Runs `work` with the layer of the request, as `withLayer`. Throws 400 for a layer of a type without objects. */
export const withLayerOf = <T>(
  request: LayerRequest,
  { services: { db }, level }: { services: ObjectServices; level: Level },
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

/**
 * An object with all its columns as JSON text, in the form that the query asks for. An object that does not exist has empty
 * fields.
 */
export async function readObjectText(
  request: FastifyRequest,
  { db, layer, id, more }: { db: Queryable; layer: Layer; id: number; more?: Parameters },
  signal?: AbortSignal,
): Promise<ObjectText> {
  const output: Output = {
    ...parseOutput({ ...(request.query as Parameters), ...more }, mainLanguage(request.caller)),
    columns: valueColumns(layer.columns),
  };
  const found = await findObjectText(db, layer, { id, output }, signal);
  return found ?? { text: JSON.stringify({ id, fields: {} }) };
}

/** The stored object with all values and its geometry, for who wanted to change another version of it. */
export async function presentObject(
  request: FastifyRequest,
  { services: { db }, layer, id }: { services: ObjectServices; layer: Layer; id: number },
): Promise<unknown> {
  const { text } = await readObjectText(request, { db, layer, id, more: { returnGeom: '1' } });
  return JSON.parse(text);
}

/** The object in a request body. */
export const inputOf = (
  request: FastifyRequest,
  body: { fields?: Record<string, unknown>; geom?: unknown },
): ObjectInput => {
  const { lng, geomSR = '4326' } = request.query as { lng?: string; geomSR?: SR };
  const languages = writtenLanguages(request.caller, lng);
  return { fields: body.fields ?? {}, geom: body.geom, sr: geomSR, languages };
};
