import { badRequest, ServiceError } from '@cartulary/errors';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { App } from '../../http/app-type.js';
import { yieldForLargeBody } from '../../http/body/body.js';
import { bodyLimits } from '../../http/body/body-limits.js';
import { withPresent } from '../../http/headers/precondition.js';
import { answers, Query } from '../../http/params.js';
import { StructureChanged } from '../../layers/layers.js';
import { demandObjectTags } from '../etags.js';
import { inputOf, layerPath, presentObject, tags, withLayerOf } from '../request.js';
import * as schemas from '../schemas.js';
import type { ObjectServices } from '../services.js';
import { type Batch, writeBatch } from './write.js';

/** The route that creates, changes and deletes many objects at once. */
export function batchRoute(app: App, services: ObjectServices): void {
  app.post(
    `${layerPath}/objects/batch`,
    {
      config: { token: 'required' },
      bodyLimit: bodyLimits(services.config).large,
      // Refuses too many objects before their validation.
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
        await yieldForLargeBody(request);
        const batch = batchOf(request);
        const etags = Object.entries((request.body as Static<typeof schemas.BatchBody>).etags ?? {});
        const work = services.db.for(request.owner).transaction(async (tx) => {
          await demandObjectTags(
            tx,
            layer,
            etags.map(([id, etag]) => [Number(id), etag]),
          );
          return writeBatch(tx, layer, batch, inItem);
        });
        const created = await withPresent(work, ({ object }) =>
          presentObject(request, { services, layer, id: Number(object) }),
        );
        return { batch, created };
      });
      return { deleted: batch.delete.length, updated: batch.update.length, created };
    },
  );
}

const lists = ['delete', 'update', 'create'] as const;

/** Throws 413 for a body of any form with more than `most` objects. */
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

/** Parses the body. Throws 400 for an empty batch, and for an object that is named twice. */
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

/** Adds the list and index of the object to an error. */
function inItem(error: unknown, kind: string, index: number): unknown {
  if (!(error instanceof ServiceError) || error instanceof StructureChanged) return error;
  const { code, message, data, status } = error;
  return new ServiceError(code, `${kind}[${index}]: ${message}`, { ...data, kind, index }, status);
}
