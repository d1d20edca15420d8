import { type TSchema, Type } from 'typebox';
import type { Caller } from '../access/caller.js';
import { findMap } from '../containers/containers.js';
import { badRequest, requiredMissing } from '../errors.js';
import { parametersOf } from '../http/body.js';
import { answers, Path, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { findColumn } from './columns.js';
import { addConstraint, removeConstraints } from './constraint-edit.js';
import { findConstraint } from './constraints.js';
import { type Hint, hints, putHint, removeHint, strictLinks } from './dictionaries.js';
import { type Column, findLayer, lockLayer, ownsObjects } from './layers.js';

const text = (description: string) => Type.String({ description });
const LinkCodes = {
  map_code: text('Map of the column'),
  layer_code: text('Layer of the column'),
  column_code: text('The column'),
  dict_map_code: text('Map of the dictionary'),
  dict_layer_code: text('Layer of the dictionary'),
  dict_column_code: text('The column with its values'),
};
const StrictAnswer = Type.Object({ constraint_name: text('Name of the constraint'), ...LinkCodes });
const MatchType = Type.Union([Type.Literal('equal'), Type.Literal('prefix'), Type.Literal('contains')], {
  description: 'How what is typed is compared with the values',
});
const HintAnswer = Type.Object({
  id: text('Ids of the map, the layer and the column, joined by underscores'),
  match_type: MatchType,
  multi_delimiter: text('Delimiters between several values; empty: one value'),
  ...LinkCodes,
});

/** What a body says of a new link; codes of the map and layer of the column stand in the path. */
const LinkBody = {
  column_code: LinkCodes.column_code,
  dict_map_code: Type.Optional(text('Map of the dictionary; the same map when absent')),
  dict_layer_code: LinkCodes.dict_layer_code,
  dict_column_code: LinkCodes.dict_column_code,
};

interface LinkInput {
  column_code: string;
  dict_map_code?: string;
  dict_layer_code: string;
  dict_column_code: string;
}

const config = { token: 'required' } as const;
const tags = ['constraints'];

/** Dictionaries: columns that take their values from a column of another layer, strictly or as suggestions. */
export function dictionaryRoutes(app: App, services: Services): void {
  listRoutes(app, services, 'dictionaries', Type.Array(StrictAnswer));
  listRoutes(app, services, 'dictionaries_f', Type.Array(HintAnswer));
  strictRoutes(app, services);
  hintRoutes(app, services);
}

function listRoutes(
  app: App,
  { db }: Services,
  name: 'dictionaries' | 'dictionaries_f',
  Answer: TSchema,
): void {
  const kind = name === 'dictionaries' ? 'strict dictionary links' : 'non-strict dictionary links';
  const links = name === 'dictionaries' ? strictLinks : hints;
  app.get(
    `/:map/${name}`,
    {
      config,
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
      config,
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

/** The dictionary that a body names, for a caller who may view it. */
async function dictionaryOf(
  { db }: Services,
  caller: Caller,
  map: string,
  body: LinkInput,
): Promise<{ layerId: number; column: Column; isKept: boolean }> {
  const at = { map: body.dict_map_code ?? map, layer: body.dict_layer_code };
  const layer = await findLayer(db, caller, at, 'view');
  return {
    layerId: layer.id,
    column: findColumn(layer, body.dict_column_code),
    isKept: ownsObjects(layer),
  };
}

function strictRoutes(app: App, services: Services): void {
  const { db } = services;
  const path = '/:map/dictionaries/:layer';
  const shared = { tags, params: Path('map', 'layer'), response: answers(Type.Array(StrictAnswer)) };
  app.post(
    path,
    {
      config,
      schema: {
        ...shared,
        summary: 'Let a column have only values of a dictionary',
        description:
          'A constraint of the layer from then on. Needs the right to edit the layer and to view the dictionary. Values that are in use can no longer be taken out of the dictionary.',
        querystring: Query({}),
        body: Type.Object({
          ...LinkBody,
          constraint_name: Type.Optional(text('Made from the column when absent')),
          validate: Type.Optional(
            Type.Boolean({ default: true, description: 'false: what is stored may violate it' }),
          ),
        }),
      },
    },
    async ({ caller, params, body }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      const { isKept, ...dictionary } = await dictionaryOf(services, caller, params.map, body);
      // What a query gives may change without a write that could be judged.
      if (!isKept) throw badRequest('A strict dictionary is a layer of objects, not a query');
      await db.transaction(async (tx) => {
        const now = await lockLayer(tx, layer);
        const columns = [findColumn(now, body.column_code)];
        const { constraint_name: name, validate } = body;
        await addConstraint(tx, now, { type: 'dictionary', name, columns, dictionary, validate });
      });
      return strictLinks(db, caller, { mapId: layer.map.id, layerId: layer.id });
    },
  );
  app.delete(
    path,
    {
      config,
      schema: {
        ...shared,
        summary: 'Remove a strict dictionary link',
        querystring: Query({ constraint_name: Type.Optional(text('Where not in the body')) }),
        body: Type.Object({ constraint_name: Type.Optional(Type.String()) }),
      },
    },
    async (request) => {
      const { caller, params } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      const { constraint_name: name } = parametersOf(request) as { constraint_name?: string };
      if (name === undefined) throw requiredMissing('constraint_name');
      await db.transaction(async (tx) => {
        await lockLayer(tx, layer);
        await removeConstraints(tx, layer.id, [await findConstraint(tx, layer.id, name, 'dictionary')]);
      });
      return strictLinks(db, caller, { mapId: layer.map.id, layerId: layer.id });
    },
  );
}

function hintRoutes(app: App, services: Services): void {
  const { db } = services;
  const path = '/:map/dictionaries_f/:layer';
  const shared = { tags, params: Path('map', 'layer'), response: answers(Type.Array(HintAnswer)) };
  app.post(
    path,
    {
      config,
      schema: {
        ...shared,
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
    async ({ caller, params, body }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      const { column: dictionary } = await dictionaryOf(services, caller, params.map, body);
      const match_type: Hint['match_type'] = body.match_type ?? 'equal';
      await db.transaction(async (tx) => {
        const column = findColumn(await lockLayer(tx, layer), body.column_code);
        await putHint(tx, column, { dictionary, match_type, multi_delimiter: body.multi_delimiter ?? '' });
      });
      return hints(db, caller, { mapId: layer.map.id, layerId: layer.id });
    },
  );
  app.delete(
    path,
    {
      config,
      schema: {
        ...shared,
        summary: 'Stop suggesting values for a column',
        querystring: Query({ column_code: Type.Optional(text('Where not in the body')) }),
        body: Type.Object({ column_code: Type.Optional(Type.String()) }),
      },
    },
    async (request) => {
      const { caller, params } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      const { column_code: code } = parametersOf(request) as { column_code?: string };
      if (code === undefined) throw requiredMissing('column_code');
      await db.transaction(async (tx) => removeHint(tx, findColumn(await lockLayer(tx, layer), code)));
      return hints(db, caller, { mapId: layer.map.id, layerId: layer.id });
    },
  );
}
