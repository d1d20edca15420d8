import type { Database } from '@cartulary/database';
import { requiredMissing } from '@cartulary/errors';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import type { Config } from '../config.js';
import type { App } from '../http/app-type.js';
import { IfMatch, withPresent } from '../http/headers/precondition.js';
import { answers, Flag, isOn, Path, Query } from '../http/params.js';
import { mostColumns } from './columns/column-limit.js';
import { addColumn, changeColumn, columnView, deleteColumn, lossOfChange } from './columns/columns.js';
import { lockStructure, structureTag } from './etags.js';
import { findLayer, lockLayer } from './layers.js';
import { ColumnAnswer, ColumnBody, ConversionAnswer } from './schemas.js';

/** The services that these routes use. */
export interface StructureServices {
  readonly db: Database;
  readonly config: Config;
}

const withToken = { token: 'required' } as const;
const tags = ['structure'];

/** The routes of the columns of a layer. */
export function structureRoutes(app: App, services: StructureServices): void {
  listColumnsRoute(app, services); // GET /:map/layers/:layer/structure
  addColumnRoute(app, services); // POST /:map/layers/:layer/structure
  changeColumnRoute(app, services); // PUT, PATCH /:map/layers/:layer/structure/:field
  conversionRoute(app, services); // GET /:map/layers/:layer/structure/:field/conversion
  deleteColumnRoute(app, services); // DELETE /:map/layers/:layer/structure/:field
}

function listColumnsRoute(app: App, { db }: StructureServices): void {
  app.get(
    '/:map/layers/:layer/structure',
    {
      schema: {
        tags,
        summary: 'The columns of a layer',
        description: 'In their order, each title before the columns that it groups.',
        params: Path('map', 'layer'),
        querystring: Query({ returnNames: Flag('Adds the names in all languages where they are localized') }),
        response: answers(Type.Array(ColumnAnswer)),
      },
    },
    async ({ caller, params, query }, reply) => {
      const layer = await findLayer(db, caller, params, 'view');
      reply.header('etag', structureTag(layer));
      const withNames = isOn(query.returnNames);
      return layer.columns.map((column) => ({
        ...columnView(column, caller, query.lng),
        ...(withNames && column.localized_name ? { names: column.names } : {}),
      }));
    },
  );
}

function addColumnRoute(app: App, { db, config }: StructureServices): void {
  app.post(
    '/:map/layers/:layer/structure',
    {
      config: withToken,
      preValidation: async ({ body }) => demandCodeAndType(body),
      schema: {
        tags,
        summary: 'Add a column',
        params: Path('map', 'layer'),
        headers: IfMatch,
        querystring: Query({}),
        body: Type.Object({
          code: Type.String({ description: 'Latin letters, digits, underscore; at most 44, no digit first' }),
          ...ColumnBody,
        }),
        response: answers(ColumnAnswer),
      },
    },
    async (request, reply) => {
      const { caller, params, query, body } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      const language = query.lng ?? mainLanguage(caller);
      const work = db.for(request.owner).transaction(async (tx) => {
        const locked = await lockStructure(tx, layer, request);
        const limit = await mostColumns(tx, layer.id, config);
        const column = await addColumn(tx, { layer: locked, language, limit }, body);
        return { column, etag: structureTag(await lockLayer(tx, layer)) };
      });
      const { column, etag } = await withPresent(work, () => presentColumns(db, request));
      reply.header('etag', etag);
      return columnView(column, caller, query.lng);
    },
  );
}

/** Throws `required_missing` with both names, where the schema would name the code alone: `type_missing` has its own check. */
function demandCodeAndType(body: unknown): void {
  const { code, type } = (body ?? {}) as Record<string, unknown>;
  if (code === undefined && type === undefined) throw requiredMissing('code', 'type');
}

function changeColumnRoute(app: App, { db }: StructureServices): void {
  app.route({
    method: ['PUT', 'PATCH'],
    url: '/:map/layers/:layer/structure/:field',
    config: withToken,
    schema: {
      tags,
      summary: 'Change a column',
      description:
        '`type` is required: the present one keeps it. Values that cannot be converted to a new type are lost; `lost` counts them. All else keeps its value when it is absent.',
      params: Path('map', 'layer', 'field'),
      headers: IfMatch,
      querystring: Query({}),
      body: Type.Object({ code: Type.Optional(Type.String()), ...ColumnBody }),
      response: answers(ColumnAnswer),
    },
    handler: async (request, reply) => {
      const { caller, params, query, body } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      const main = mainLanguage(caller);
      const at = { field: params.field, language: query.lng ?? main, main };
      const work = db.for(request.owner).transaction(async (tx) => {
        const locked = await lockStructure(tx, layer, request);
        const changed = await changeColumn(tx, { ...at, layer: locked }, body);
        return { ...changed, etag: structureTag(await lockLayer(tx, layer)) };
      });
      const { column, lost, etag } = await withPresent(work, () => presentColumns(db, request));
      reply.header('etag', etag);
      return { ...columnView(column, caller, query.lng), lost };
    },
  });
}

function conversionRoute(app: App, { db }: StructureServices): void {
  app.get(
    '/:map/layers/:layer/structure/:field/conversion',
    {
      config: { ...withToken, work: 'lists' },
      schema: {
        tags,
        summary: 'What a change of type would lose, counted before it is done',
        description: 'Nothing is changed. Needs the right to edit the layer. An extension of the interface.',
        params: Path('map', 'layer', 'field'),
        querystring: Query({
          type: Type.String({ description: 'The new type', examples: ['number'] }),
          localized_value: Type.Optional(Type.Boolean({ description: 'As it is when absent' })),
          examples: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 100, default: 10, description: 'Most examples' }),
          ),
        }),
        response: answers(ConversionAnswer),
      },
    },
    async ({ caller, owner, params, query, gone }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      const at = { layer, field: params.field, main: mainLanguage(caller) };
      return lossOfChange(db.for(owner).heavy, at, query, { examples: query.examples ?? 10, signal: gone });
    },
  );
}

function deleteColumnRoute(app: App, { db }: StructureServices): void {
  app.delete(
    '/:map/layers/:layer/structure/:field',
    {
      config: withToken,
      schema: {
        tags,
        summary: 'Delete a column with its values',
        description: 'The columns of a title come up to its level. A column that the style reads stays.',
        params: Path('map', 'layer', 'field'),
        headers: IfMatch,
        querystring: Query({}),
        response: answers(Type.Null()),
      },
    },
    async (request, reply) => {
      const { caller, params } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      const work = db
        .for(request.owner)
        .transaction(async (tx) => deleteColumn(tx, await lockStructure(tx, layer, request), params.field));
      await withPresent(work, () => presentColumns(db, request));
      return reply.type('application/json; charset=utf-8').send('null');
    },
  );
}

/** The columns as they are stored, for who wanted to change another version of them. */
async function presentColumns(db: Database, { caller, params, query }: FastifyRequest): Promise<unknown> {
  const { columns } = await findLayer(db, caller, params as { map: string; layer: string }, 'edit');
  return columns.map((column) => columnView(column, caller, (query as { lng?: string }).lng));
}
