import { Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import type { App } from '../../http/app-type.js';
import { parametersOf, yieldForLargeBody } from '../../http/body/body.js';
import { bodyLimits } from '../../http/body/body-limits.js';
import { IfMatch, ifMatchOf, withPresent } from '../../http/headers/precondition.js';
import { answers, Query } from '../../http/params.js';
import { findLayer } from '../../layers/layers.js';
import { jsonType, sendObject } from '../answer.js';
import { demandObjectTags } from '../etags.js';
import { geometryOf } from '../read.js';
import {
  inputOf,
  layerPath,
  objectPath,
  objectResponse,
  presentObject,
  readObjectText,
  tags,
  trueAnswer,
  withLayerOf,
} from '../request.js';
import * as schemas from '../schemas.js';
import type { ObjectServices } from '../services.js';
import { batchRoute } from './batch.js';
import { parseDeletion } from './deletion.js';
import { demandWritable } from './guard.js';
import { copyObject, createObject, deleteObjects, setGeometry, updateObject } from './write.js';

/** The routes that write objects. */
export function writeRoutes(app: App, services: ObjectServices): void {
  createRoute(app, services); // POST /:map/layers/:layer/objects
  updateRoute(app, services); // PUT /:map/layers/:layer/objects/:object
  batchRoute(app, services); // POST /:map/layers/:layer/objects/batch
  copyRoute(app, services); // POST /:map/layers/:layer/objects/:object/copy
  deleteRoute(app, services); // DELETE /:map/layers/:layer/objects/:object
  deleteManyRoute(app, services); // DELETE /:map/layers/:layer/objects
  readGeometryRoute(app, services); // GET /:map/layers/:layer/objects/:object/geom
  setGeometryRoute(app, services); // PUT /:map/layers/:layer/objects/:object/geom
}

const withToken = { token: 'required' } as const;
const objectAnswer = { tags, querystring: schemas.OutputQuery, response: objectResponse };

function createRoute(app: App, services: ObjectServices): void {
  app.post(
    `${layerPath}/objects`,
    {
      config: withToken,
      bodyLimit: bodyLimits(services.config).large,
      schema: {
        ...objectAnswer,
        summary: 'Make an object',
        params: schemas.LayerPath,
        body: schemas.CreateBody,
      },
    },
    async (request, reply) => {
      const text = await withLayerOf(request, { services, level: 'edit' }, async (layer) => {
        await yieldForLargeBody(request);
        const input = inputOf(request, request.body);
        return services.db.for(request.owner).transaction(async (tx) => {
          const id = await createObject(tx, layer, input);
          return readObjectText(request, { db: tx, layer, id });
        });
      });
      return sendObject(reply, text);
    },
  );
}

function updateRoute(app: App, services: ObjectServices): void {
  app.put(
    objectPath,
    {
      config: withToken,
      bodyLimit: bodyLimits(services.config).large,
      schema: {
        ...objectAnswer,
        summary: 'Change an object',
        params: schemas.ObjectPath,
        headers: IfMatch,
        body: schemas.UpdateBody,
      },
    },
    async (request, reply) => {
      const { object: id } = request.params;
      const text = await withLayerOf(request, { services, level: 'edit' }, async (layer) => {
        await yieldForLargeBody(request);
        const input = inputOf(request, request.body ?? {});
        const work = services.db.for(request.owner).transaction(async (tx) => {
          await demandObjectTags(tx, layer, [[id, ifMatchOf(request)]]);
          return updateObject(tx, layer, { id, input }, () => readObjectText(request, { db: tx, layer, id }));
        });
        return withPresent(work, () => presentObject(request, { services, layer, id }));
      });
      return sendObject(reply, text);
    },
  );
}

function copyRoute(app: App, services: ObjectServices): void {
  app.post(
    `${objectPath}/copy`,
    {
      config: withToken,
      schema: {
        ...objectAnswer,
        summary: 'Copy an object into a layer',
        description:
          'Under the same id, in place of the object that has it there. Columns are matched by code and converted; one that the target lacks is left out, one that the source lacks is empty. A value that the column of the target cannot hold is `value_invalid`, and nothing is copied. Its files are copied too.',
        params: schemas.ObjectPath,
        body: schemas.CopyBody,
      },
    },
    async (request, reply) => {
      const { object: id } = request.params;
      const text = await withLayerOf(request, { services, level: 'view' }, async (source) => {
        const at = { map: request.body.map_code, layer: request.body.layer_code };
        const target = await findLayer(services.db, request.caller, at, 'edit');
        demandWritable(target);
        return services.db.for(request.owner).transaction(async (tx) => {
          await copyObject(tx, { layer: source, id, main: mainLanguage(request.caller) }, target);
          return readObjectText(request, { db: tx, layer: target, id });
        });
      });
      return sendObject(reply, text);
    },
  );
}

function deleteRoute(app: App, services: ObjectServices): void {
  app.delete(
    objectPath,
    {
      config: withToken,
      schema: {
        tags,
        summary: 'Delete an object',
        params: schemas.ObjectPath,
        headers: IfMatch,
        querystring: Query({}),
        response: trueAnswer,
      },
    },
    async (request) => {
      const { object: id } = request.params;
      await withLayerOf(request, { services, level: 'edit' }, (layer) => {
        const work = services.db.for(request.owner).transaction(async (tx) => {
          await demandObjectTags(tx, layer, [[id, ifMatchOf(request)]]);
          await deleteObjects(tx, layer, [id]);
        });
        return withPresent(work, () => presentObject(request, { services, layer, id }));
      });
      return true;
    },
  );
}

function deleteManyRoute(app: App, services: ObjectServices): void {
  app.delete(
    `${layerPath}/objects`,
    {
      config: withToken,
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
        response: trueAnswer,
      },
    },
    async (request) => {
      await withLayerOf(request, { services, level: 'edit' }, async (layer) => {
        const which = parseDeletion(parametersOf(request).delete_params);
        await services.db.for(request.owner).transaction((tx) => deleteObjects(tx, layer, which));
      });
      return true;
    },
  );
}

const geometryPath = `${objectPath}/geom`;
const geometryAnswer = {
  tags,
  params: schemas.ObjectPath,
  querystring: schemas.GeometryQuery,
  response: answers(schemas.GeometryAnswer, 'The geometry'),
};

function readGeometryRoute(app: App, services: ObjectServices): void {
  app.get(
    geometryPath,
    { config: withToken, schema: { ...geometryAnswer, summary: 'Geometry of an object' } },
    async (request, reply) => {
      const { geomSR: sr = '4326' } = request.query;
      const geom = await withLayerOf(request, { services, level: 'view' }, (layer) =>
        geometryOf(services.db, layer, { id: request.params.object, sr }, request.gone),
      );
      return reply.type(jsonType).send(geom ?? 'null');
    },
  );
}

function setGeometryRoute(app: App, services: ObjectServices): void {
  app.put(
    geometryPath,
    {
      config: withToken,
      bodyLimit: bodyLimits(services.config).large,
      schema: {
        ...geometryAnswer,
        summary: 'Change the geometry of an object',
        headers: IfMatch,
        body: Type.Unknown({ description: 'GeoJSON geometry; null removes it' }),
      },
    },
    async (request, reply) => {
      const { object: id } = request.params;
      const { geomSR: sr = '4326' } = request.query;
      const stored = await withLayerOf(request, { services, level: 'edit' }, async (layer) => {
        await yieldForLargeBody(request);
        const geom = request.body === undefined ? {} : request.body;
        const work = services.db.for(request.owner).transaction(async (tx) => {
          await demandObjectTags(tx, layer, [[id, ifMatchOf(request)]]);
          return setGeometry(tx, layer, { id, geom, sr }, () => geometryOf(tx, layer, { id, sr }));
        });
        return withPresent(work, () => presentObject(request, { services, layer, id }));
      });
      return reply.type(jsonType).send(stored ?? 'null');
    },
  );
}
