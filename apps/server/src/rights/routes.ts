import type { Database } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import { Type } from 'typebox';
import { accountOf, type Caller } from '../access/caller.js';
import { explainRight } from '../access/explain.js';
import { type GrantInput, listGrants, putGrants } from '../access/grants.js';
import {
  demandOnProject,
  type GrantTarget,
  keepingAdministrator,
  levels,
  rightOnProject,
} from '../access/rights.js';
import type { Config } from '../config.js';
import { findMap } from '../containers/containers.js';
import type { App } from '../http/app-type.js';
import { bodyLimits } from '../http/body/body-limits.js';
import { answers, Path, Query } from '../http/params.js';
import { findLayer } from '../layers/layers.js';
import { rightsOverview } from './overview.js';

/** Services that this file uses. */
export interface RightsServices {
  readonly db: Database;
  readonly config: Config;
}

const tags = ['rights'];
const config = { token: 'required' } as const;

const Right = Type.Enum(['none', 'view', 'edit', 'administer']);
const Grant = Type.Object({
  user: Type.Optional(Type.String({ description: 'Login; the public user is `public`' })),
  group: Type.Optional(Type.String({ description: 'Name of a group' })),
  right: Type.Union([Right, Type.Null()], { description: 'null: inherited' }),
});
const Grants = Type.Array(Grant, { maxItems: 10_000 });
const Explained = Type.Object({
  login: Type.String(),
  right: Right,
  grant: Type.Union([
    Type.Object({
      user: Type.Optional(Type.String()),
      group: Type.Optional(Type.String()),
      on: Type.Enum(['project', 'map', 'layer']),
      right: Right,
    }),
    Type.Null(),
  ]),
});

const Overview = Type.Object({
  users: Type.Array(
    Type.Object({
      login: Type.String(),
      name: Type.String(),
      groups: Type.Array(Type.String()),
      publicAccess: Type.Boolean(),
    }),
  ),
  groups: Type.Array(Type.Object({ name: Type.String(), members: Type.Array(Type.String()) })),
  grants: Type.Array(
    Type.Object({
      user: Type.Optional(Type.String({ description: 'Login; the public user is `public`' })),
      group: Type.Optional(Type.String()),
      right: Right,
      map: Type.Optional(Type.String({ description: 'Code of the map; absent: on the project' })),
      layer: Type.Optional(Type.String({ description: 'Code of a layer of the map' })),
    }),
  ),
});

/** Routes of grants on projects, maps and layers, and of the explanation of a right. */
export function rightsRoutes(app: App, services: RightsServices): void {
  grantRoutes(app, services);
  explainRoute(app, services);
  overviewRoute(app, services);
}

const places = [
  ['/rights', Path(), 'the project'],
  ['/:map/rights', Path('map'), 'a map'],
  ['/:map/layers/:layer/rights', Path('map', 'layer'), 'a layer'],
] as const;

function grantRoutes(app: App, { db, config: settings }: RightsServices): void {
  /**
   * The target that a path names. An administrator of the project may set rights on everything in it. Other
   * callers need the right to administer the target.
   */
  async function target(
    caller: Caller,
    { map, layer }: { map?: string; layer?: string },
  ): Promise<GrantTarget> {
    const projectId = caller.project.id;
    if (map === undefined) {
      await demandOnProject(db, caller, 'administer');
      return { projectId, mapId: null, layerId: null };
    }
    const isAdministrator = (await rightOnProject(db, caller)) >= levels.administer;
    const level = isAdministrator ? 'none' : 'administer';
    if (layer === undefined)
      return { projectId, mapId: (await findMap(db, caller, map, level)).id, layerId: null };
    const found = await findLayer(db, caller, { map, layer }, level);
    return { projectId, mapId: found.map_id, layerId: found.id };
  }

  for (const [url, params, what] of places) {
    const shared = { tags, params, querystring: Query({}), response: answers(Grants) };
    app.get(
      url,
      { config, schema: { ...shared, summary: `The grants on ${what} (administrator)` } },
      async ({ caller, params: at }) => listGrants(db, await target(caller, at)),
    );
    app.put(
      url,
      {
        config,
        bodyLimit: bodyLimits(settings).medium,
        schema: {
          ...shared,
          summary: `Set grants on ${what} (administrator)`,
          description: 'Other grants stay. All or nothing; of several for one user or group the last counts.',
          body: Type.Union([Grant, Grants]),
        },
      },
      async ({ caller, owner, params: at, body }) => {
        const on = await target(caller, at);
        const grants = [body].flat() as GrantInput[];
        await db.for(owner).transaction((tx) => {
          const put = (): Promise<void> => putGrants(tx, on, grants);
          return on.mapId === null ? keepingAdministrator(tx, caller, put) : put();
        });
        return listGrants(db, on);
      },
    );
  }
}

function explainRoute(app: App, { db }: RightsServices): void {
  const text = (description: string) => Type.Optional(Type.String({ description }));
  app.get(
    '/rights/explain',
    {
      config,
      schema: {
        tags,
        summary: 'The effective right of a user and the grant that decides it',
        description:
          'Everybody for itself, administrators of the project for all. The right is on the project, or on the map or layer that is named.',
        params: Path(),
        querystring: Query({
          login: text('The caller when absent or empty; `public` is the public user'),
          map: text('Code of a map'),
          layer: text('Code of a layer of the map'),
        }),
        response: answers(Explained),
      },
    },
    async ({ caller, query }) => {
      const own = accountOf(caller).login;
      const login = query.login || own;
      if (login !== own) await demandOnProject(db, caller, 'administer');
      const { map: mapCode, layer: layerCode } = query;
      if (layerCode && !mapCode) throw badRequest('layer needs map beside it', { parameters: ['map'] });
      const onProject = { projectId: caller.project.id, mapId: null, layerId: null, publish: true };
      if (!mapCode) return explainRight(db, onProject, login);
      const map = await findMap(db, caller, mapCode, 'none');
      const layer = layerCode
        ? await findLayer(db, caller, { map: mapCode, layer: layerCode }, 'none')
        : null;
      const on = { ...onProject, mapId: map.id, layerId: layer?.id ?? null, publish: map.publish };
      return explainRight(db, on, login);
    },
  );
}

function overviewRoute(app: App, { db }: RightsServices): void {
  app.get(
    '/rights/overview',
    {
      config,
      schema: {
        tags,
        summary: 'All users, groups and grants of the project (administrator)',
        params: Path(),
        querystring: Query({}),
        response: answers(Overview),
      },
    },
    async ({ caller }) => {
      await demandOnProject(db, caller, 'administer');
      return rightsOverview(db, caller.project.id);
    },
  );
}
