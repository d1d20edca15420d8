import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import { answers, Path, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { addColumn, changeColumn, columnView, deleteColumn } from './columns.js';
import { findLayer, lockLayer } from './layers.js';
import { ColumnAnswer, ColumnBody } from './schemas.js';

/** Columns of a layer. */
export function structureRoutes(app: App, { db, config }: Services): void {
  const tags = ['structure'];
  const token = { token: 'required' } as const;

  app.get(
    '/:map/layers/:layer/structure',
    {
      schema: {
        tags,
        summary: 'The columns of a layer',
        description: 'In their order, each title before the columns that it groups.',
        params: Path('map', 'layer'),
        querystring: Query({}),
        response: answers(Type.Array(ColumnAnswer)),
      },
    },
    async ({ caller, params, query }) => {
      const { columns } = await findLayer(db, caller, params, 'view');
      return columns.map((column) => columnView(column, caller, query.lng));
    },
  );

  app.post(
    '/:map/layers/:layer/structure',
    {
      config: token,
      schema: {
        tags,
        summary: 'Add a column',
        params: Path('map', 'layer'),
        querystring: Query({}),
        body: Type.Object({
          code: Type.String({ description: 'Latin letters, digits, underscore; at most 44, no digit first' }),
          ...ColumnBody,
        }),
        response: answers(ColumnAnswer),
      },
    },
    async ({ caller, params, query, body }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      const language = query.lng ?? mainLanguage(caller);
      const column = await db.transaction(async (tx) =>
        addColumn(tx, { layer: await lockLayer(tx, layer), language, limit: config.columnLimit }, body),
      );
      return columnView(column, caller, query.lng);
    },
  );

  app.route({
    method: ['PUT', 'PATCH'],
    url: '/:map/layers/:layer/structure/:field',
    config: token,
    schema: {
      tags,
      summary: 'Change a column',
      description:
        '`type` is required: the present one keeps it. Values that cannot be converted to a new type are lost; `lost` counts them. All else keeps its value when it is absent.',
      params: Path('map', 'layer', 'field'),
      querystring: Query({}),
      body: Type.Object({ code: Type.Optional(Type.String()), ...ColumnBody }),
      response: answers(ColumnAnswer),
    },
    handler: async ({ caller, params, query, body }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      const main = mainLanguage(caller);
      const at = { field: params.field, language: query.lng ?? main, main };
      const { column, lost } = await db.transaction(async (tx) =>
        changeColumn(tx, { ...at, layer: await lockLayer(tx, layer) }, body),
      );
      return { ...columnView(column, caller, query.lng), lost };
    },
  });

  app.delete(
    '/:map/layers/:layer/structure/:field',
    {
      config: token,
      schema: {
        tags,
        summary: 'Delete a column with its values',
        description: 'The columns of a title come up to its level. A column that the style reads stays.',
        params: Path('map', 'layer', 'field'),
        querystring: Query({}),
        response: answers(Type.Null()),
      },
    },
    async ({ caller, params }, reply) => {
      const layer = await findLayer(db, caller, params, 'edit');
      await db.transaction(async (tx) => deleteColumn(tx, await lockLayer(tx, layer), params.field));
      return reply.type('application/json; charset=utf-8').send('null');
    },
  );
}
