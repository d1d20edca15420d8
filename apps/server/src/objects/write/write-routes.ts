import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import { inOwnTurn, parametersOf } from '../http/body.js';
import { bodyLimits } from '../http/body-limits.js';
import { answers, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { findLayer } from '../layers/layers.js';
import { jsonType } from './answer.js';
import { batchRoute } from './batch.js';
import { parseDeletion } from './deletion.js';
import { demandWritable } from './guard.js';
import { geometryOf } from './read.js';
import { inputOf, layerPath, objectPath, objectText, ofObject, tags, withLayerOf, yes } from './request.js';
import * as schemas from './schemas.js';
import { copyObject, createObject, deleteObjects, setGeometry, updateObject } from './write.js';

/** The functions that write objects. */
export function objectWriting(app: App, services: Services): void {
  const { db } = services;
  const edit = { services, level: 'edit' } as const;
  const { large: bodyLimit } = bodyLimits(services.config);
  const shared = { tags, querystring: schemas.OutputQuery, response: ofObject };
  app.post(
    `${layerPath}/objects`,
    {
      config: { token: 'required' },
      bodyLimit,
      schema: { ...shared, summary: 'Make an object', params: schemas.LayerPath, body: schemas.CreateBody },
    },
    async (request, reply) => {
      const text = await withLayerOf(request, edit, async (layer) => {
        await inOwnTurn(request);
        const input = inputOf(request, request.body);
        return db.transaction(async (tx) => {
          const id = await createObject(tx, layer, input);
          return objectText(request, { db: tx, layer, id });
        });
      });
      return reply.type(jsonType).send(text);
    },
  );
  app.put(
    objectPath,
    {
      config: { token: 'required' },
      bodyLimit,
      schema: {
        ...shared,
        summary: 'Change an object',
        params: schemas.ObjectPath,
        body: schemas.UpdateBody,
      },
    },
    async (request, reply) => {
      const { object: id } = request.params;
      const text = await withLayerOf(request, edit, async (layer) => {
        await inOwnTurn(request);
        const input = inputOf(request, request.body ?? {});
        return db.transaction((tx) =>
          updateObject(tx, layer, { id, input }, () => objectText(request, { db: tx, layer, id })),
        );
      });
      return reply.type(jsonType).send(text);
    },
  );
  batchRoute(app, services);
  copying(app, services);
  deleting(app, services);
}

function copying(app: App, services: Services): void {
  app.post(
    `${objectPath}/copy`,
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'Copy an object into a layer',
        description:
          'Under the same id, in place of the object that has it there. Columns are matched by code and converted; one that the target lacks is left out, one that the source lacks is empty. A value that the column of the target cannot hold is `value_invalid`, and nothing is copied. Its files are copied too.',
        params: schemas.ObjectPath,
        querystring: schemas.OutputQuery,
        body: schemas.CopyBody,
        response: ofObject,
      },
    },
    async (request, reply) => {
      const { object: id } = request.params;
      const text = await withLayerOf(request, { services, level: 'view' }, async (source) => {
        const at = { map: request.body.map_code, layer: request.body.layer_code };
        const target = await findLayer(services.db, request.caller, at, 'edit');
        demandWritable(target);
        return services.db.transaction(async (tx) => {
          await copyObject(tx, { layer: source, id, main: mainLanguage(request.caller) }, target);
          return objectText(request, { db: tx, layer: target, id });
        });
      });
      return reply.type(jsonType).send(text);
    },
  );
}

function deleting(app: App, services: Services): void {
  app.delete(
    objectPath,
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'Delete an object',
        params: schemas.ObjectPath,
        querystring: Query({}),
        response: yes,
      },
    },
    async (request) => {
      await withLayerOf(request, { services, level: 'edit' }, (layer) =>
        services.db.transaction((tx) => deleteObjects(tx, layer, [request.params.object])),
      );
      return true;
    },
  );
  app.delete(
    `${layerPath}/objects`,
    {
      config: { token: 'required' },
      bodyLimit: bodyLimits(services.config).medium,
      schema: {
        tags,
        summary: 'Delete objects',
        description:
          'A list is deleted all or nothing: 404 when one is missing. A range deletes what there is in it: 404 when there is nothing.',
        params: schemas.LayerPath,
        querystring: Query({
          delete_params: Type.Optional(Type.String({ description: 'In place of the body' })),
        }),
        body: schemas.DeleteBody,
        response: yes,
      },
    },
    async (request) => {
      await withLayerOf(request, { services, level: 'edit' }, async (layer) => {
        const which = parseDeletion(parametersOf(request).delete_params);
        await services.db.transaction((tx) => deleteObjects(tx, layer, which));
      });
      return true;
    },
  );
}

/** The functions of an object's geometry alone. */
export function geometryRoutes(app: App, services: Services): void {
  const path = `${objectPath}/geom`;
  const shared = {
    tags,
    params: schemas.ObjectPath,
    querystring: schemas.GeometryQuery,
    response: answers(schemas.GeometryAnswer, 'The geometry'),
  };
  app.get(
    path,
    { config: { token: 'required' }, schema: { ...shared, summary: 'Geometry of an object' } },
    async (request, reply) => {
      const { geomSR: sr = '4326' } = request.query;
      const geom = await withLayerOf(request, { services, level: 'view' }, (layer) =>
        geometryOf(services.db, layer, { id: request.params.object, sr }, request.gone),
      );
      return reply.type(jsonType).send(geom ?? 'null');
    },
  );
  app.put(
    path,
    {
      config: { token: 'required' },
      bodyLimit: bodyLimits(services.config).large,
      schema: {
        ...shared,
        summary: 'Change the geometry of an object',
        body: Type.Unknown({ description: 'GeoJSON geometry; null removes it' }),
      },
    },
    async (request, reply) => {
      const { object: id } = request.params;
      const { geomSR: sr = '4326' } = request.query;
      const stored = await withLayerOf(request, { services, level: 'edit' }, async (layer) => {
        await inOwnTurn(request);
        const geom = request.body === undefined ? {} : request.body;
        return services.db.transaction((tx) =>
          setGeometry(tx, layer, { id, geom, sr }, () => geometryOf(tx, layer, { id, sr })),
        );
      });
      return reply.type(jsonType).send(stored ?? 'null');
    },
  );
}
