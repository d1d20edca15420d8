import type { Database } from '@cartulary/database';
import { requiredMissing } from '@cartulary/errors';
import { type Static, Type } from 'typebox';
import type { Caller } from '../../access/caller.js';
import { demandOnProject } from '../../access/rights.js';
import type { App } from '../../http/app-type.js';
import { parametersOf } from '../../http/body/body.js';
import { answers, Path, Query } from '../../http/params.js';
import { findColumn } from '../columns/columns.js';
import { findLayer, lockLayer } from '../layers.js';
import { countViolations } from './constraint-checks.js';
import { addConstraint, checkConstraint, removeConstraints } from './constraint-edit.js';
import {
  type Constraint,
  dictionaryValues,
  findConstraint,
  rawDefinition,
  readConstraints,
} from './constraints.js';
import { findStrictDictionary } from './dictionaries.js';
import { DictionaryCodes } from './dictionary-schemas.js';

/** The services that these routes use. */
export interface ConstraintServices {
  readonly db: Database;
}

const ConstraintAnswer = Type.Object({
  type: Type.String({ description: 'unique, check, range or dictionary' }),
  name: Type.String(),
  columns: Type.Array(Type.String(), { description: 'Codes of the columns' }),
  definition: Type.Array(Type.Unknown(), {
    description:
      'check: the allowed values; range: the least and the most, null where open; dictionary: its values, at most 1,000',
  }),
  raw_definition: Type.String({
    description: 'CQL2-JSON that finds the invalid objects (check, range), else what is invalid in words',
  }),
  validated: Type.Boolean({ description: 'Whether what was stored before passed the check' }),
});

const ConstraintBody = Type.Object({
  type: Type.String({ description: 'unique, check or range; a dictionary is made by dictionaries/<layer>/' }),
  name: Type.Optional(Type.String({ description: 'Made from the columns when absent' })),
  columns: Type.Array(Type.String(), { description: 'Codes; several for unique alone' }),
  definition: Type.Optional(Type.Array(Type.Unknown(), { description: 'As it is returned' })),
  validate: Type.Optional(
    Type.Boolean({ description: 'false: what is stored already may violate it', default: true }),
  ),
});

/** Most values of a dictionary in an answer. */
const shownValueLimit = 1_000;

const withToken = { token: 'required' } as const;
const path = '/:map/layers/:layer/constraints';
const shared = {
  tags: ['constraints'],
  params: Path('map', 'layer'),
  response: answers(Type.Array(ConstraintAnswer)),
};

/** The routes of the constraints of a layer's columns. */
export function constraintRoutes(app: App, services: ConstraintServices): void {
  listConstraintsRoute(app, services); // GET PATH
  addConstraintRoute(app, services); // POST PATH
  removeConstraintRoute(app, services); // DELETE PATH
  violationsRoute(app, services); // POST PATH/violations
}

function listConstraintsRoute(app: App, { db }: ConstraintServices): void {
  app.get(
    path,
    {
      config: withToken,
      schema: {
        ...shared,
        summary: 'The constraints of a layer (administrator of the project)',
        querystring: Query({}),
      },
    },
    async ({ caller, params }) => {
      const layer = await findLayer(db, caller, params, 'view');
      await demandOnProject(db, caller, 'administer');
      return listConstraints(db, layer.id);
    },
  );
}

function addConstraintRoute(app: App, { db }: ConstraintServices): void {
  app.post(
    path,
    {
      config: withToken,
      schema: {
        ...shared,
        summary: 'Make a constraint (administrator of the project)',
        description:
          'From then on every write and import keeps it. Refused while objects violate it, unless `validate` is false. Empty values fit everything; of localized values each language counts.',
        querystring: Query({}),
        body: ConstraintBody,
      },
    },
    async ({ caller, owner, params, body }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      await demandOnProject(db, caller, 'administer');
      if (body.type === 'dictionary')
        throw requiredMissing('dict_map_code', 'dict_layer_code', 'dict_column_code');
      await db.for(owner).transaction(async (tx) => {
        const now = await lockLayer(tx, layer);
        const columns = body.columns.map((code) => findColumn(now, code));
        await addConstraint(tx, now, { ...body, columns });
      });
      return listConstraints(db, layer.id);
    },
  );
}

function removeConstraintRoute(app: App, { db }: ConstraintServices): void {
  app.delete(
    path,
    {
      config: withToken,
      schema: {
        ...shared,
        summary: 'Remove a constraint (administrator of the project)',
        querystring: Query({
          name: Type.Optional(Type.String({ description: 'Its name, where not in the body' })),
        }),
        body: Type.Object({ name: Type.Optional(Type.String()) }),
      },
    },
    async (request) => {
      const { caller, params } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      await demandOnProject(db, caller, 'administer');
      const { name } = parametersOf(request) as { name?: string };
      if (name === undefined) throw requiredMissing('name');
      await db.for(request.owner).transaction(async (tx) => {
        await lockLayer(tx, layer);
        await removeConstraints(tx, layer.id, [await findConstraint(tx, layer.id, name)]);
      });
      return listConstraints(db, layer.id);
    },
  );
}

const ViolationsBody = Type.Object({
  type: Type.String({ description: 'unique, check, range or dictionary' }),
  columns: ConstraintBody.properties.columns,
  definition: ConstraintBody.properties.definition,
  ...DictionaryCodes,
});

const ViolationsAnswer = Type.Object({
  values: Type.Integer({ description: 'Values of the first column; each language counts as one' }),
  violations: Type.Integer({ description: 'Those that the constraint would refuse' }),
  examples: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'svc_id' }),
      value: Type.String({ description: 'A long one by its first 200 characters' }),
    }),
    { description: 'Ten of them, by id' },
  ),
});

function violationsRoute(app: App, { db }: ConstraintServices): void {
  app.post(
    `${path}/violations`,
    {
      config: { ...withToken, work: 'lists' },
      schema: {
        tags: shared.tags,
        params: shared.params,
        summary: 'What a constraint would refuse, counted before it is made',
        description: 'Nothing is changed. Needs the right to edit the layer. An extension of the interface.',
        querystring: Query({}),
        body: ViolationsBody,
        response: answers(ViolationsAnswer),
      },
    },
    async ({ caller, owner, params, body, gone }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      const dictionary = await dictionaryIn(db, caller, params.map, body);
      const columns = body.columns.map((code) => findColumn(layer, code));
      const constraint = checkConstraint(layer, { ...body, columns, dictionary });
      return countViolations(db.for(owner).heavy, constraint, { examples: 10, signal: gone });
    },
  );
}

function dictionaryIn(
  db: Database,
  caller: Caller,
  map: string,
  { type, dict_map_code, dict_layer_code, dict_column_code }: Static<typeof ViolationsBody>,
) {
  if (type !== 'dictionary') return undefined;
  if (dict_layer_code === undefined || dict_column_code === undefined)
    throw requiredMissing('dict_layer_code', 'dict_column_code');
  const codes = {
    ...(dict_map_code === undefined ? {} : { dict_map_code }),
    dict_layer_code,
    dict_column_code,
  };
  return findStrictDictionary(db, caller, map, codes);
}

async function listConstraints(db: Database, layerId: number): Promise<Static<typeof ConstraintAnswer>[]> {
  const constraints = await readConstraints(db, layerId);
  return Promise.all(constraints.map((constraint) => constraintView(db, constraint)));
}

const constraintView = async (
  db: Database,
  constraint: Constraint,
): Promise<Static<typeof ConstraintAnswer>> => ({
  type: constraint.type,
  name: constraint.name,
  columns: constraint.columns.map(({ code }) => code),
  definition: constraint.dictionary
    ? await dictionaryValues(db, constraint.dictionary, shownValueLimit)
    : constraint.definition,
  raw_definition: rawDefinition(constraint),
  validated: constraint.validated,
});
