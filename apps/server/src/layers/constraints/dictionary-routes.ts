import type { Database } from '@cartulary/database';
import { requiredMissing } from '@cartulary/errors';
import { type TSchema, Type } from 'typebox';
import { findMap } from '../../containers/containers.js';
import type { App } from '../../http/app-type.js';
import { parametersOf } from '../../http/body/body.js';
import { answers, Path, Query } from '../../http/params.js';
import { findColumn } from '../columns/columns.js';
import { findLayer, lockLayer } from '../layers.js';
import { addConstraint, removeConstraints } from './constraint-edit.js';
import { findConstraint } from './constraints.js';
import {
  findDictionary,
  findStrictDictionary,
  type Hint,
  hints,
  putHint,
  removeHint,
  strictLinks,
} from './dictionaries.js';
import { describedText, HintAnswer, LinkBody, MatchType, StrictAnswer } from './dictionary-schemas.js';

/** The services that these routes use. */
export interface DictionaryServices {
  readonly db: Database;
}

const withToken = { token: 'required' } as const;
const tags = ['constraints'];

/** The routes of dictionaries: columns that take their values from a column of another layer, strictly or as suggestions. */
export function dictionaryRoutes(app: App, services: DictionaryServices): void {
  // GET /:map/dictionaries, /:map/dictionaries/:layer, and the same of dictionaries_f
  listRoutes(app, services, 'dictionaries', Type.Array(StrictAnswer));
  listRoutes(app, services, 'dictionaries_f', Type.Array(HintAnswer));
  addStrictRoute(app, services); // POST /:map/dictionaries/:layer
  removeStrictRoute(app, services); // DELETE /:map/dictionaries/:layer
  addHintRoute(app, services); // POST /:map/dictionaries_f/:layer
  removeHintRoute(app, services); // DELETE /:map/dictionaries_f/:layer
}

function listRoutes(
  app: App,
  { db }: DictionaryServices,
  name: 'dictionaries' | 'dictionaries_f',
  Answer: TSchema,
): void {
  const kind = name === 'dictionaries' ? 'strict dictionary links' : 'non-strict dictionary links';
  const links = name === 'dictionaries' ? strictLinks : hints;
  app.get(
    `/:map/${name}`,
    {
      config: withToken,
      schema: {
        tags,
        summary: `The ${kind} of a map`,
        params: Path('map'),
        querystring: Query({}),
        response: answers(Answer),
      },
    },
    async ({ caller, params }) => {
      const map = await findMap(db, caller, params.map, 'view');
      return links(db, caller, { mapId: map.id });
    },
  );
  app.get(
    `/:map/${name}/:layer`,
    {
      config: withToken,
      schema: {
        tags,
        summary: `The ${kind} of a layer`,
        params: Path('map', 'layer'),
        querystring: Query({}),
        response: answers(Answer),
      },
    },
    async ({ caller, params }) => {
      const layer = await findLayer(db, caller, params, 'view');
      return links(db, caller, { mapId: layer.map.id, layerId: layer.id });
    },
  );
}

const strictPath = '/:map/dictionaries/:layer';
const sharedOfStrict = { tags, params: Path('map', 'layer'), response: answers(Type.Array(StrictAnswer)) };

function addStrictRoute(app: App, { db }: DictionaryServices): void {
  app.post(
    strictPath,
    {
      config: withToken,
      schema: {
        ...sharedOfStrict,
        summary: 'Let a column have only values of a dictionary',
        description:
          'A constraint of the layer from then on. Needs the right to edit the layer and to view the dictionary. Values that are in use can no longer be taken out of the dictionary.',
        querystring: Query({}),
        body: Type.Object({
          ...LinkBody,
          constraint_name: Type.Optional(describedText('Made from the column when absent')),
          validate: Type.Optional(
            Type.Boolean({ default: true, description: 'false: what is stored may violate it' }),
          ),
        }),
      },
    },
    async ({ caller, owner, params, body }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      const dictionary = await findStrictDictionary(db, caller, params.map, body);
      await db.for(owner).transaction(async (tx) => {
        const now = await lockLayer(tx, layer);
        const columns = [findColumn(now, body.column_code)];
        const { constraint_name: name, validate } = body;
        await addConstraint(tx, now, { type: 'dictionary', name, columns, dictionary, validate });
      });
      return strictLinks(db, caller, { mapId: layer.map.id, layerId: layer.id });
    },
  );
}

function removeStrictRoute(app: App, { db }: DictionaryServices): void {
  app.delete(
    strictPath,
    {
      config: withToken,
      schema: {
        ...sharedOfStrict,
        summary: 'Remove a strict dictionary link',
        querystring: Query({ constraint_name: Type.Optional(describedText('Where not in the body')) }),
        body: Type.Object({ constraint_name: Type.Optional(Type.String()) }),
      },
    },
    async (request) => {
      const { caller, params } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      const { constraint_name: name } = parametersOf(request) as { constraint_name?: string };
      if (name === undefined) throw requiredMissing('constraint_name');
      await db.for(request.owner).transaction(async (tx) => {
        await lockLayer(tx, layer);
        await removeConstraints(tx, layer.id, [await findConstraint(tx, layer.id, name, 'dictionary')]);
      });
      return strictLinks(db, caller, { mapId: layer.map.id, layerId: layer.id });
    },
  );
}

const hintPath = '/:map/dictionaries_f/:layer';
const sharedOfHints = { tags, params: Path('map', 'layer'), response: answers(Type.Array(HintAnswer)) };

function addHintRoute(app: App, { db }: DictionaryServices): void {
  app.post(
    hintPath,
    {
      config: withToken,
      schema: {
        ...sharedOfHints,
        summary: 'Suggest values of a dictionary for a column',
        querystring: Query({}),
        body: Type.Object({
          ...LinkBody,
          match_type: Type.Optional(MatchType),
          multi_delimiter: Type.Optional(
            Type.String({ maxLength: 20, description: 'Delimiters between several values' }),
          ),
        }),
      },
    },
    async ({ caller, owner, params, body }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      const { column: dictionary } = await findDictionary(db, caller, params.map, body);
      const match_type: Hint['match_type'] = body.match_type ?? 'equal';
      await db.for(owner).transaction(async (tx) => {
        const column = findColumn(await lockLayer(tx, layer), body.column_code);
        await putHint(tx, column, { dictionary, match_type, multi_delimiter: body.multi_delimiter ?? '' });
      });
      return hints(db, caller, { mapId: layer.map.id, layerId: layer.id });
    },
  );
}

function removeHintRoute(app: App, { db }: DictionaryServices): void {
  app.delete(
    hintPath,
    {
      config: withToken,
      schema: {
        ...sharedOfHints,
        summary: 'Stop suggesting values for a column',
        querystring: Query({ column_code: Type.Optional(describedText('Where not in the body')) }),
        body: Type.Object({ column_code: Type.Optional(Type.String()) }),
      },
    },
    async (request) => {
      const { caller, params } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      const { column_code: code } = parametersOf(request) as { column_code?: string };
      if (code === undefined) throw requiredMissing('column_code');
      await db
        .for(request.owner)
        .transaction(async (tx) => removeHint(tx, findColumn(await lockLayer(tx, layer), code)));
      return hints(db, caller, { mapId: layer.map.id, layerId: layer.id });
    },
  );
}
