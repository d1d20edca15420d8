import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import { answers, Name, Path, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { addColumn, changeColumn, columnView, deleteColumn, findColumn, lockedLayer } from './columns.js';
import { findLayer } from './layers.js';

const ColumnAnswer = Type.Object({
  id: Type.Integer(),
  sort: Type.Integer(),
  parent_id: Type.Integer({ description: 'The column of type title it belongs to; 0 = top level' }),
  code: Type.String(),
  name: Type.String(),
  required: Type.Boolean(),
  type: Type.String(),
  localized_name: Type.Boolean(),
  localized_value: Type.Boolean(),
  format: Type.Optional(Type.Unknown()),
  lost: Type.Optional(
    Type.Integer({
      description: 'On a change of type: how many values could not be converted and are null now',
    }),
  ),
});

const ColumnBody = {
  type: Type.Optional(
    Type.String({ description: 'number, string, text, datetime, bool, file, title or json' }),
  ),
  name: Type.Optional(Name),
  required: Type.Optional(Type.Boolean()),
  localized_name: Type.Optional(Type.Boolean()),
  localized_value: Type.Optional(Type.Boolean()),
  sort: Type.Optional(Type.Number()),
  parent_id: Type.Optional(Type.Integer({ description: 'A column of type title; 0 = top level' })),
  format: Type.Optional(Type.Unknown({ description: 'Formatting of values, by type' })),
};

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
          code: Type.String({ description: 'Latin letters, digits, underscore; at most 44' }),
          ...ColumnBody,
        }),
        response: answers(ColumnAnswer),
      },
    },
    async ({ caller, params, query, body }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      const language = query.lng ?? mainLanguage(caller);
      await db.transaction(async (tx) =>
        addColumn(tx, { layer: await lockedLayer(tx, layer), language, limit: config.columnLimit }, body),
      );
      const changed = await findLayer(db, caller, params, 'view');
      return columnView(findColumn(changed, body.code), caller, query.lng);
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
        '`type` is required: the present one keeps it. Values that cannot be converted to a new type are lost; `lost` counts them.',
      params: Path('map', 'layer', 'field'),
      querystring: Query({}),
      body: Type.Object({ code: Type.Optional(Type.String()), ...ColumnBody }),
      response: answers(ColumnAnswer),
    },
    handler: async ({ caller, params, query, body }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      const main = mainLanguage(caller);
      const at = { field: params.field, language: query.lng ?? main, main };
      const { code, lost } = await db.transaction(async (tx) =>
        changeColumn(tx, { ...at, layer: await lockedLayer(tx, layer) }, body),
      );
      const changed = await findLayer(db, caller, params, 'view');
      return { ...columnView(findColumn(changed, code), caller, query.lng), lost };
    },
  });

  app.delete(
    '/:map/layers/:layer/structure/:field',
    {
      config: token,
      schema: {
        tags,
        summary: 'Delete a column',
        params: Path('map', 'layer', 'field'),
        querystring: Query({}),
        response: answers(Type.Null()),
      },
    },
    async ({ caller, params }, reply) => {
      const layer = await findLayer(db, caller, params, 'edit');
      await db.transaction(async (tx) => deleteColumn(tx, await lockedLayer(tx, layer), params.field));
      return reply.type('application/json; charset=utf-8').send('null');
    },
  );
}
