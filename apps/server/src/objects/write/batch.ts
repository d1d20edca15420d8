import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { badRequest, ServiceError } from '../errors.js';
import { inOwnTurn } from '../http/body.js';
import { bodyLimits } from '../http/body-limits.js';
import { answers, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { StructureChanged } from '../layers/layers.js';
import { inputOf, layerPath, tags, withLayerOf } from './request.js';
import * as schemas from './schemas.js';
import { type Batch, writeBatch } from './write.js';

/** The function that makes, changes and deletes many objects at once. */
export function batchRoute(app: App, services: Services): void {
  app.post(
    `${layerPath}/objects/batch`,
    {
      config: { token: 'required' },
      bodyLimit: bodyLimits(services.config).large,
      // Before each is looked at.
      preValidation: async ({ body }) => demandCount(body, services.config.batchLimit),
      schema: {
        tags,
        summary: 'Delete, change and make objects at once',
        description:
          'All or nothing: where one cannot be stored none is, and `data` of the error names the list (`kind`) and the place in it (`index`, from 0). An extension of the interface.',
        params: schemas.LayerPath,
        querystring: Query({
          lng: schemas.OutputQuery.properties.lng,
          geomSR: schemas.OutputQuery.properties.geomSR,
        }),
        body: schemas.BatchBody,
        response: answers(schemas.BatchAnswer, 'What was done'),
      },
    },
    async (request) => {
      const { batch, created } = await withLayerOf(request, { services, level: 'edit' }, async (layer) => {
        await inOwnTurn(request);
        const batch = batchOf(request);
        return {
          batch,
          created: await services.db.transaction((tx) => writeBatch(tx, layer, batch, inItem)),
        };
      });
      return { deleted: batch.delete.length, updated: batch.update.length, created };
    },
  );
}

const lists = ['delete', 'update', 'create'] as const;

/** Throws 413 for a body, of whatever form, with more than `most` objects. */
function demandCount(body: unknown, most: number): void {
  const count = lists.reduce((sum, name) => {
    const list = (body as Record<string, unknown> | null | undefined)?.[name];
    return sum + (Array.isArray(list) ? list.length : 0);
  }, 0);
  if (count > most)
    throw new ServiceError('too_large', `A request may have ${most} objects; this has ${count}`, {
      limit: most,
    });
}

/** What a body asks for. Throws 400 for nothing, and for an object that is named twice. */
function batchOf(request: FastifyRequest): Batch {
  const body = request.body as Static<typeof schemas.BatchBody>;
  const { delete: deleted = [], update = [], create = [] } = body;
  if (!deleted.length && !update.length && !create.length)
    throw badRequest("A batch needs objects to 'delete', 'update' or 'create'", { parameters: lists });
  const seen = new Set<number>();
  for (const id of [...deleted, ...update.map((one) => one.id)]) {
    if (seen.has(id)) throw badRequest(`The object ${id} is named twice`, { objects: [id] });
    seen.add(id);
  }
  return {
    delete: deleted,
    update: update.map(({ id, ...changed }) => ({ id, input: inputOf(request, changed) })),
    create: create.map((made) => inputOf(request, made)),
  };
}

/** The error of an object with its place. */
function inItem(error: unknown, kind: string, index: number): unknown {
  if (!(error instanceof ServiceError) || error instanceof StructureChanged) return error;
  const { code, message, data, status } = error;
  return new ServiceError(code, `${kind}[${index}]: ${message}`, { ...data, kind, index }, status);
}
