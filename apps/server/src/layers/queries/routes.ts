import type { Database } from '@cartulary/database';
import { requiredMissing } from '@cartulary/errors';
import { Type } from 'typebox';
import type { Config } from '../../config.js';
import { findMap } from '../../containers/containers.js';
import type { App } from '../../http/app-type.js';
import { answers, Path, Query } from '../../http/params.js';
import { findLayer } from '../layers.js';
import { previewQuery } from './query-preview.js';

const PreviewBody = Type.Object({
  query: Type.String({ description: 'One SELECT, as json.query of a layer' }),
  type: Type.Optional(
    Type.Enum(['virtual', 'material'], {
      description: 'The type of the layer that it is meant for',
      default: 'virtual',
    }),
  ),
  layer: Type.Optional(Type.String({ description: 'Code of the query layer that it is meant for' })),
  rows: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: 20, description: 'Most rows' })),
});

const PreviewAnswer = Type.Object({
  columns: Type.Array(Type.Object({ code: Type.String(), type: Type.String() })),
  rows: Type.Array(
    Type.Object({
      id: Type.Unsafe<number | null>({
        anyOf: [Type.Integer(), Type.Null()],
        description: 'svc_id; a layer needs one in each row',
      }),
      geometry: Type.Unsafe<string | null>({
        anyOf: [Type.String(), Type.Null()],
        description: 'Its type, such as Point',
      }),
      fields: Type.Record(Type.String(), Type.Unknown(), { description: 'Values by code' }),
    }),
  ),
});

/** The route of queries that are not stored. */
export function queryRoutes(app: App, { db, config }: { db: Database; config: Config }): void {
  app.post(
    '/:map/query',
    {
      config: { token: 'required', work: 'lists' },
      schema: {
        tags: ['layers'],
        summary: 'The first rows of a query, before it is stored as a layer',
        description:
          'Nothing is changed. Needs the right to edit the map, or the named layer; the query reads what the caller may view. It is stopped when the client leaves. An extension of the interface.',
        params: Path('map'),
        querystring: Query({}),
        body: PreviewBody,
        response: answers(PreviewAnswer),
      },
    },
    async ({ caller, owner, params, body, gone }) => {
      const { query: text, layer, type = 'virtual', rows = 20 } = body;
      if (layer === undefined) await findMap(db, caller, params.map, 'edit');
      else await findLayer(db, caller, { map: params.map, layer }, 'edit');
      if (text.trim() === '') throw requiredMissing('query');
      const previewed = { caller, text, type, config, rows };
      return db.for(owner).transaction((tx) => previewQuery(tx, previewed), gone);
    },
  );
}
