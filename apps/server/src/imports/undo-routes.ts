import { Type } from 'typebox';
import type { App } from '../http/app-type.js';
import { IfMatch, ifMatchOf } from '../http/headers/precondition.js';
import { answers, Path, Query } from '../http/params.js';
import { changedMeanwhile, findLayer } from '../layers/layers.js';
import type { TransferServices } from './services.js';
import { lastImport, undoImport } from './undo.js';

const url = '/:map/layers/:layer/import/undo';
const shared = {
  tags: ['transfer'],
  params: Path('map', 'layer'),
  querystring: Query({}),
};
const Count = (description: string) => Type.Integer({ description });
const Codes = (description: string) => Type.Array(Type.String(), { description });

const LastImportAnswer = Type.Object({
  state: Type.Enum(['none', 'changed', 'possible'], {
    description:
      'possible: it can be undone; changed: objects or columns were changed after it, so it cannot; none: no import is kept',
  }),
  import: Type.Union([
    Type.Object({
      file: Type.Union([Type.String(), Type.Null()]),
      login: Type.Union([Type.String(), Type.Null()], {
        description: 'Who imported it; null: the user is gone',
      }),
      imported_at: Type.String(),
      until: Type.String({ description: 'Until then it is kept' }),
      replaced: Type.Boolean({ description: 'Whether it replaced all objects' }),
      added: Count('Objects that it added: they would be deleted'),
      changed: Count('Objects that it changed: they would be as before'),
      removed: Count('Objects that it removed: they would come back, with their files'),
      columns: Codes('Columns that it made: they would be deleted'),
    }),
    Type.Null(),
  ]),
});

const UndoneAnswer = Type.Object({
  deleted: Count('Objects that are deleted'),
  restored: Count('Objects that are as before'),
  columns: Codes('Columns that are deleted'),
  kept_columns: Codes('Columns that stay, without values, since the style of the layer reads them'),
});

/** The last import of a layer, and its undoing. */
export function undoRoutes(app: App, { db, config }: TransferServices): void {
  const seconds = config.importUndoTimeS;
  app.get(
    url,
    {
      config: { token: 'required' },
      schema: {
        ...shared,
        summary: 'The last import into a layer, and whether it can be undone',
        description:
          'What an import of objects changes is kept for a time (CARTULARY_IMPORT_UNDO_TIME). The ETag is for If-Match of the undoing. An extension of the interface.',
        response: answers(LastImportAnswer),
      },
    },
    async ({ caller, params }, reply) => {
      const { answer, etag } = await lastImport(db, await findLayer(db, caller, params, 'edit'), seconds);
      reply.header('etag', etag).header('cache-control', 'private, no-store');
      return answer;
    },
  );
  app.post(
    url,
    {
      config: { token: 'required' },
      schema: {
        ...shared,
        summary: 'Undo the last import into a layer',
        description:
          'Objects, their files and columns are as they were before it. 412 where the layer was changed after the import. An extension of the interface.',
        headers: IfMatch,
        response: answers(UndoneAnswer),
      },
    },
    async (request) => {
      const layer = await findLayer(db, request.caller, request.params, 'edit');
      return db
        .for(request.owner)
        .transaction((tx) => undoImport(tx, layer, { ifMatch: ifMatchOf(request), seconds }), request.gone)
        .catch((error) => Promise.reject(changedMeanwhile(error)));
    },
  );
}
