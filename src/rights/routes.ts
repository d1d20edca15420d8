import { Type } from 'typebox';
import { accountOf, type Caller } from '../access/caller.js';
import { explainRight, type GrantInput, type GrantTarget, listGrants, putGrants } from '../access/grants.js';
import { demandOnProject } from '../access/rights.js';
import { findMap } from '../containers/containers.js';
import { badRequest } from '../errors.js';
import { answers, Path, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { findLayer } from '../layers/layers.js';

const Right = Type.Enum(['none', 'view', 'edit', 'administer']);
const Grant = Type.Object({
  user: Type.Optional(Type.String({ description: 'Login; the public user is `public`' })),
  group: Type.Optional(Type.String({ description: 'Name of a group' })),
  right: Type.Union([Right, Type.Null()], { description: 'null: inherited' }),
});
const Grants = Type.Array(Grant, { maxItems: 10_000 });

/** Who may do what: grants on a project, a map or a layer, and how a right comes about. */
export function rightsRoutes(app: App, { db }: Services): void {
  const tags = ['rights'];
  const config = { token: 'required' } as const;

  /** The target that a path names; the caller must administer it. */
  async function target(
    caller: Caller,
    { map, layer }: { map?: string; layer?: string },
  ): Promise<GrantTarget> {
    const projectId = caller.project.id;
    if (map === undefined) {
      await demandOnProject(db, caller, 'administer');
      return { projectId, mapId: null, layerId: null };
    }
    if (layer === undefined)
      return { projectId, mapId: (await findMap(db, caller, map, 'administer')).id, layerId: null };
    const found = await findLayer(db, caller, { map, layer }, 'administer');
    return { projectId, mapId: found.map_id, layerId: found.id };
  }

  const places = [
    ['/rights', Path(), 'the project'],
    ['/:map/rights', Path('map'), 'a map'],
    ['/:map/layers/:layer/rights', Path('map', 'layer'), 'a layer'],
  ] as const;
  for (const [url, params, what] of places) {
    app.get(
      url,
      {
        config,
        schema: {
          tags,
          summary: `The grants on ${what} (administrator)`,
          params,
          querystring: Query({}),
          response: answers(Grants),
        },
      },
      async ({ caller, params: at }) => listGrants(db, await target(caller, at)),
    );
    app.put(
      url,
      {
        config,
        schema: {
          tags,
          summary: `Set grants on ${what} (administrator)`,
          params,
          querystring: Query({}),
          body: Type.Union([Grant, Grants]),
          response: answers(Grants),
        },
      },
      async ({ caller, params: at, body }) => {
        const on = await target(caller, at);
        const grants = [body].flat() as GrantInput[];
        const own = accountOf(caller).login;
        if (
          on.mapId === null &&
          !caller.isInstaller &&
          grants.some(({ user, right }) => user === own && right !== 'administer')
        ) {
          throw badRequest('Nobody can take the project from himself', { user: own });
        }
        await db.transaction((tx) => putGrants(tx, on, grants));
        return listGrants(db, on);
      },
    );
  }

  app.get(
    '/rights/explain',
    {
      config,
      schema: {
        tags,
        summary: 'The effective right of a user and the grant that decides it',
        description: 'Everybody for itself, administrators of the project for all.',
        params: Path(),
        querystring: Query({
          login: Type.Optional(
            Type.String({ description: 'The caller when absent; `public` is the public user' }),
          ),
          map: Type.Optional(Type.String()),
          layer: Type.Optional(Type.String()),
        }),
        response: answers(
          Type.Object({
            login: Type.String(),
            right: Right,
            grant: Type.Union([Type.Object({}), Type.Null()]),
          }),
        ),
      },
    },
    async ({ caller, query }) => {
      const own = accountOf(caller).login;
      const login = query.login ?? own;
      if (login !== own) await demandOnProject(db, caller, 'administer');
      const at = { projectId: caller.project.id, mapId: null, layerId: null, publish: true };
      if (query.map === undefined) return explainRight(db, at, login);
      const map = await findMap(db, caller, query.map, 'view');
      const layer =
        query.layer === undefined
          ? null
          : await findLayer(db, caller, { map: query.map, layer: query.layer }, 'view');
      return explainRight(
        db,
        { ...at, mapId: map.id, layerId: layer?.id ?? null, publish: map.publish },
        login,
      );
    },
  );
}
