import { type Static, Type } from 'typebox';
import type { Caller } from '../access/caller.js';
import { findMap, limitStyle, type MapContainer } from '../containers/containers.js';
import { fullTree, itemView, publicationTree, savePublicationTree } from '../containers/tree.js';
import { bodyLimits } from '../http/body-limits.js';
import { answers, Flag, isOn, Path, Query, SpatialReference } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { checkIconPaths } from '../icons/icons.js';
import { layerBboxes } from './bbox.js';
import { changeLayer, createLayer, deleteLayer } from './edit.js';
import { refresh, settleKind } from './kinds.js';
import { demandRunning, findLayer, isExternal } from './layers.js';
import { Bbox, LayerAnswer, LayerBody, PublicationBody, TreeItem, TreeQuery } from './schemas.js';
import { layerAnswer } from './view.js';

export { LayerAnswer } from './schemas.js';

/** The trees of a map. */
export function treeRoutes(app: App, { db, config }: Services): void {
  const tags = ['maps'];

  async function tree(
    caller: Caller,
    map: MapContainer,
    query: Static<typeof TreeQuery>,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>[]> {
    const items = await (query.type === 'full' ? fullTree : publicationTree)(db, caller, map);
    const layers = items.map(({ container }) => container).filter(({ type }) => type !== 'folder');
    const boxes = isOn(query.returnBbox)
      ? await layerBboxes(db, layers, query.bboxSR === '3857' ? '3857' : '4326', signal)
      : undefined;
    return items.map((item) => ({
      ...itemView(item, caller, query.lng),
      ...(item.container.type === 'folder'
        ? {}
        : {
            ...(isOn(query.returnCss) ? { css_style: item.container.css_style } : {}),
            // So that clients may fetch it themselves.
            ...(isExternal(item.container) ? { json: item.container.json } : {}),
            ...(boxes ? { bbox: boxes.get(item.container.id) } : {}),
          }),
    }));
  }

  app.get(
    '/:map/layers',
    {
      schema: {
        tags,
        summary: 'The layer tree of a map',
        description: 'In the order of a table of contents. Layers that the caller may not view are left out.',
        params: Path('map'),
        querystring: TreeQuery,
        response: answers(Type.Array(TreeItem)),
      },
    },
    async ({ caller, params, query, gone }) =>
      tree(caller, await findMap(db, caller, params.map, 'view'), query, gone),
  );

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
        querystring: Query({}),
        body: PublicationBody,
        response: answers(Type.Array(TreeItem)),
      },
    },
    async ({ caller, params, query, body, gone }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      await db.transaction(async (tx) => {
        await checkIconPaths(
          tx,
          caller.project,
          body.map(({ icon }) => icon),
        );
        await savePublicationTree(tx, map, body);
      });
      return tree(caller, { ...map, tree_saved: true }, { lng: query.lng }, gone);
    },
  );
}

/** Layers of a map. */
export function layerRoutes(app: App, { db, config }: Services): void {
  const tags = ['layers'];
  const token = { token: 'required' } as const;
  const { medium: bodyLimit } = bodyLimits(config);

  app.post(
    '/:map/layers',
    {
      config: token,
      bodyLimit,
      schema: {
        tags,
        summary: 'Make a layer',
        params: Path('map'),
        querystring: Query({}),
        body: LayerBody,
        response: answers(LayerAnswer),
      },
    },
    async ({ caller, params, query, body }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      limitStyle(body.css_style, config.styleLimit);
      const layer = await db.transaction(async (tx) =>
        settleKind(tx, {
          caller,
          layer: await createLayer(tx, caller, map, body, query.lng),
          saysJson: true,
          config,
        }),
      );
      return layerAnswer(db, layer, caller, { lng: query.lng });
    },
  );

  app.get(
    '/:map/layers/:layer',
    {
      schema: {
        tags,
        summary: 'A layer',
        params: Path('map', 'layer'),
        querystring: Query({ returnBbox: Flag('Adds the extent in EPSG:4326') }),
        response: answers(LayerAnswer),
      },
    },
    async ({ caller, params, query, gone }) => {
      const layer = await findLayer(db, caller, params, 'view');
      const boxes = isOn(query.returnBbox) ? await layerBboxes(db, [layer], '4326', gone) : undefined;
      return layerAnswer(db, layer, caller, { lng: query.lng, bbox: boxes?.get(layer.id) });
    },
  );

  app.route({
    method: ['PUT', 'PATCH'],
    url: '/:map/layers/:layer',
    config: token,
    bodyLimit,
    schema: {
      tags,
      summary: 'Change a layer',
      description: 'What is absent keeps its value. A new code is carried into the style of the layer.',
      params: Path('map', 'layer'),
      querystring: Query({}),
      body: LayerBody,
      response: answers(LayerAnswer),
    },
    handler: async ({ caller, params, query, body }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      limitStyle(body.css_style, config.styleLimit);
      const changed = await db.transaction(async (tx) => {
        const after = await changeLayer(tx, caller, layer, body, query.lng);
        return settleKind(tx, {
          caller,
          layer: after,
          before: layer,
          saysJson: body.json !== undefined,
          config,
        });
      });
      return layerAnswer(db, changed, caller, { lng: query.lng });
    },
  });

  app.delete(
    '/:map/layers/:layer',
    {
      config: token,
      schema: {
        tags,
        summary: 'Delete a layer with its objects',
        params: Path('map', 'layer'),
        querystring: Query({
          force: Flag('Delete it even if other layers read it or take their values from it'),
        }),
        response: answers(Type.Null()),
      },
    },
    async ({ caller, params, query }, reply) => {
      const layer = await findLayer(db, caller, params, 'edit');
      await db.transaction((tx) => deleteLayer(tx, caller, layer, isOn(query.force)));
      return reply.type('application/json; charset=utf-8').send('null');
    },
  );

  app.get(
    '/:map/layers/:layer/bbox',
    {
      schema: {
        tags,
        summary: 'The extent of a layer',
        params: Path('map', 'layer'),
        querystring: Query({ bboxSR: SpatialReference('Projection of the extent') }),
        response: answers(Bbox),
      },
    },
    async ({ caller, params, query, gone }, reply) => {
      const layer = await findLayer(db, caller, params, 'view');
      demandRunning(layer);
      const boxes = await layerBboxes(db, [layer], query.bboxSR === '3857' ? '3857' : '4326', gone);
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(boxes.get(layer.id) ?? null));
    },
  );

  app.post(
    '/:map/layers/:layer/refresh',
    {
      config: token,
      schema: {
        tags,
        summary: 'Run the query of a materialized layer again',
        description:
          'Only its owner, who made it, may do so. Readers see the old objects until the new ones are complete; `json.refreshed` tells when they were made, and how many there are.',
        params: Path('map', 'layer'),
        querystring: Query({}),
        response: answers(LayerAnswer),
      },
    },
    async ({ caller, params, query }) => {
      const layer = await findLayer(db, caller, params, 'view');
      const fresh = await db.transaction((tx) => refresh(tx, { caller, layer, config }));
      return layerAnswer(db, fresh, caller, { lng: query.lng });
    },
  );
}
