import type { Database, Transaction } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Caller } from '../access/caller.js';
import { findMap, lockTree, type MapContainer } from '../containers/containers.js';
import { treeTag } from '../containers/etags.js';
import {
  fullTree,
  itemView,
  moveContainer,
  publicationTree,
  savePublicationTree,
} from '../containers/tree.js';
import type { App } from '../http/app-type.js';
import { bodyLimits } from '../http/body/body-limits.js';
import { demandTag, IfMatch, ifMatchOf, withPresent } from '../http/headers/precondition.js';
import { answers, isOn, Path, Query } from '../http/params.js';
import { checkIconPaths } from '../icons/icons.js';
import { layerBboxes } from './bbox.js';
import { isExternal } from './layers.js';
import type { LayerServices } from './routes.js';
import { MoveBody, PublicationBody, TreeItemSchema, TreeQuery } from './schemas.js';

const tags = ['maps'];

/** The routes of the trees of a map. */
export function treeRoutes(app: App, services: LayerServices): void {
  readTreeRoute(app, services); // GET /:map/layers
  publishTreeRoute(app, services); // POST /:map/publish
  moveRoute(app, services); // POST /:map/move
}

function readTreeRoute(app: App, { db }: LayerServices): void {
  app.get(
    '/:map/layers',
    {
      // The styles of a map may be as large as `CARTULARY_MAP_SIZE`.
      config: {
        work: ({ query }) => (isOn((query as Static<typeof TreeQuery>).returnCss) ? 'lists' : undefined),
      },
      schema: {
        tags,
        summary: 'The layer tree of a map',
        description: 'In the order of a table of contents. Layers that the caller may not view are left out.',
        params: Path('map'),
        querystring: TreeQuery,
        response: answers(Type.Array(TreeItemSchema)),
      },
    },
    async ({ caller, params, query, gone }, reply) => {
      const map = await findMap(db, caller, params.map, 'view');
      reply.header('etag', await treeTag(db, map.id, caller.at));
      return treeAnswer(db, caller, map, query, gone);
    },
  );
}

function publishTreeRoute(app: App, { db, config }: LayerServices): void {
  app.post(
    '/:map/publish',
    {
      config: { token: 'required' },
      bodyLimit: bodyLimits(config).medium,
      schema: {
        tags,
        summary: 'Save the publication tree',
        description: 'An item that is wrong is named; the tree stays as it was then.',
        params: Path('map'),
        headers: IfMatch,
        querystring: Query({}),
        body: PublicationBody,
        response: answers(Type.Array(TreeItemSchema)),
      },
    },
    async (request, reply) => {
      const { caller, params, query, body, gone } = request;
      const map = await findMap(db, caller, params.map, 'edit');
      if (body.length > config.mapItems)
        throw badRequest(`A publication tree has at most ${config.mapItems} items`, {
          most: config.mapItems,
        });
      const work = changeTree(db, request, map, async (tx) => {
        await checkIconPaths(
          tx,
          caller.project,
          body.map(({ icon }) => icon),
        );
        await savePublicationTree(tx, map, body);
      });
      const present = { ...map, tree_saved: true };
      const etag = await withPresent(work, async () =>
        treeAnswer(db, caller, await findMap(db, caller, params.map, 'edit'), { lng: query.lng }, gone),
      );
      reply.header('etag', etag);
      return treeAnswer(db, caller, present, { lng: query.lng }, gone);
    },
  );
}

function moveRoute(app: App, { db }: LayerServices): void {
  app.post(
    '/:map/move',
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'Move a folder or layer within the tree of its map',
        description:
          'Needs the right to edit the map, and a layer that is moved. Answers the full tree. A saved publication tree stays as it is. An extension of the interface.',
        params: Path('map'),
        headers: IfMatch,
        querystring: TreeQuery,
        body: MoveBody,
        response: answers(Type.Array(TreeItemSchema)),
      },
    },
    async (request, reply) => {
      const { caller, params, body, gone } = request;
      const query = { ...request.query, type: 'full' } as const;
      const map = await findMap(db, caller, params.map, 'edit');
      const work = changeTree(db, request, map, (tx) => moveContainer(tx, caller, map, body));
      const tree = (): Promise<Record<string, unknown>[]> => treeAnswer(db, caller, map, query, gone);
      reply.header('etag', await withPresent(work, tree));
      return tree();
    },
  );
}

/** Changes the trees of a map in one transaction, if they are those of the header `If-Match`; gives their new ETag. Throws 412. */
const changeTree = (
  db: Database,
  request: FastifyRequest,
  { id }: MapContainer,
  change: (tx: Transaction) => Promise<unknown>,
): Promise<string> =>
  db.for(request.owner).transaction(async (tx) => {
    const ifMatch = ifMatchOf(request);
    if (ifMatch !== undefined) {
      await lockTree(tx, id);
      demandTag(ifMatch, await treeTag(tx, id));
    }
    await change(tx);
    return treeTag(tx, id);
  });

async function treeAnswer(
  db: Database,
  caller: Caller,
  map: MapContainer,
  query: Static<typeof TreeQuery>,
  signal: AbortSignal,
): Promise<Record<string, unknown>[]> {
  const readTree = query.type === 'full' ? fullTree : publicationTree;
  const items = await readTree(db, caller, map, { returnsCss: isOn(query.returnCss) });
  const layers = items.map(({ container }) => container).filter(({ type }) => type !== 'folder');
  const boxes = isOn(query.returnBbox)
    ? await layerBboxes(db, layers, query.bboxSR === '3857' ? '3857' : '4326', signal)
    : undefined;
  return items.map((item) => ({
    ...itemView(item, caller, query.lng),
    ...(isOn(query.returnAccess) ? { access: item.container.right } : {}),
    ...(item.container.type === 'folder'
      ? {}
      : {
          ...(isOn(query.returnCss) ? { css_style: item.container.css_style } : {}),
          // Clients may fetch the images themselves.
          ...(isExternal(item.container) ? { json: item.container.json } : {}),
          ...(boxes ? { bbox: boxes.get(item.container.id) } : {}),
        }),
  }));
}
