import { Type } from 'typebox';
import type { Caller } from '../access/caller.js';
import { findMap, type MapContainer } from '../containers/containers.js';
import { fullTree, itemView, publicationTree, savePublicationTree } from '../containers/tree.js';
import { ServiceError } from '../errors.js';
import { answers, Flag, isOn, Name, Path, Query, SpatialReference } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { layerBboxes } from './bbox.js';
import { changeLayer, createLayer, deleteLayer } from './edit.js';
import { findLayer, holdsObjects, type Layer } from './layers.js';
import { AnyObject, Bbox, LayerAnswer } from './schemas.js';
import { layerView } from './view.js';

const TreeItem = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  code: Type.String(),
  name: Type.String(),
  sort: Type.Integer(),
  parent_id: Type.Integer(),
  selected: Type.Boolean(),
  map_layer_id: Type.Integer(),
  icon: Type.String(),
  render_type: Type.Integer(),
  css_style: Type.Optional(Type.String()),
  bbox: Type.Optional(Bbox),
});

const LayerBody = Type.Object({
  code: Type.Optional(Type.String({ description: 'Made by the service when absent' })),
  localized_name: Type.Optional(Type.Boolean()),
  type: Type.Optional(Type.String({ description: 'layer' })),
  name: Type.Optional(Name),
  parent_id: Type.Optional(Type.Integer({ description: 'The map (default) or a folder of it' })),
  sort: Type.Optional(Type.Number({ description: 'Siblings are numbered anew' })),
  css_style: Type.Optional(Type.String({ description: 'CartoCSS; `#code` or `#layer` selects the layer' })),
  meta: Type.Optional(AnyObject('Metadata of a raster')),
  json: Type.Optional(AnyObject('Settings')),
  render_settings: Type.Optional(
    AnyObject('minZoom, maxZoom (0 to 24), opacity (0 to 1), buffer (pixels), cache'),
  ),
  render_type: Type.Optional(Type.Integer({ description: '0 = raster, 1 = vector' })),
  selected: Type.Optional(Type.Boolean()),
  icon: Type.Optional(Type.String({ maxLength: 1000 })),
});

/** The trees of a map. */
export function treeRoutes(app: App, { db }: Services): void {
  const tags = ['maps'];
  const treeQuery = Query({
    type: Type.Optional(
      Type.Enum(['full', 'publish'], {
        default: 'publish',
        description: 'publish: the publication tree; full: all layers',
      }),
    ),
    returnBbox: Flag('Adds the extent of each layer'),
    returnCss: Flag('Adds the style of each layer'),
    bboxSR: SpatialReference('Projection of the extents'),
  });

  interface TreeQuery {
    type?: string | undefined;
    returnBbox?: string | undefined;
    returnCss?: string | undefined;
    bboxSR?: '4326' | '3857' | undefined;
    lng?: string | undefined;
  }

  async function tree(
    caller: Caller,
    map: MapContainer,
    query: TreeQuery,
  ): Promise<Record<string, unknown>[]> {
    const items = await (query.type === 'full' ? fullTree : publicationTree)(db, caller, map);
    const layers = items.map(({ container }) => container).filter(holdsObjects);
    const boxes = isOn(query.returnBbox) ? await layerBboxes(db, layers, query.bboxSR ?? '4326') : undefined;
    return items.map((item) => ({
      ...itemView(item, caller, query.lng),
      ...(isOn(query.returnCss) && item.container.type !== 'folder'
        ? { css_style: item.container.css_style }
        : {}),
      ...(boxes && item.container.type !== 'folder' ? { bbox: boxes.get(item.container.id) ?? null } : {}),
    }));
  }

  app.get(
    '/:map/layers',
    {
      schema: {
        tags,
        summary: 'The layer tree of a map',
        params: Path('map'),
        querystring: treeQuery,
        response: answers(Type.Array(TreeItem)),
      },
    },
    async ({ caller, params, query }) =>
      tree(caller, await findMap(db, caller, params.map, 'view'), query as TreeQuery),
  );

  app.post(
    '/:map/publish',
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'Save the publication tree',
        params: Path('map'),
        querystring: Query({}),
        body: Type.Array(
          Type.Object({
            id: Type.Integer({ description: 'Used as parent_id by its children' }),
            parent_id: Type.Integer({ description: '0 = the root' }),
            map_layer_id: Type.Integer({ description: 'The folder or layer that the item shows' }),
            sort: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
            selected: Type.Optional(Type.Boolean({ default: true })),
            icon: Type.Optional(Type.String({ maxLength: 1000 })),
          }),
          { maxItems: 100_000 },
        ),
        response: answers(Type.Array(TreeItem)),
      },
    },
    async ({ caller, params, query, body }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      await db.transaction((tx) => savePublicationTree(tx, map, body));
      return tree(caller, { ...map, tree_saved: true }, { lng: query.lng });
    },
  );
}

/** Layers of a map. */
export function layerRoutes(app: App, { db }: Services): void {
  const tags = ['layers'];
  const token = { token: 'required' } as const;

  app.post(
    '/:map/layers',
    {
      config: token,
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
      const code = await db.transaction((tx) => createLayer(tx, caller, map, body, query.lng));
      return layerView(await findLayer(db, caller, { map: map.code, layer: code }, 'view'), caller, {
        lng: query.lng,
      });
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
    async ({ caller, params, query }) => {
      const layer = await findLayer(db, caller, params, 'view');
      const bbox = isOn(query.returnBbox)
        ? ((await layerBboxes(db, [layer], '4326')).get(layer.id) ?? null)
        : undefined;
      return layerView(layer, caller, { lng: query.lng, bbox });
    },
  );

  app.route({
    method: ['PUT', 'PATCH'],
    url: '/:map/layers/:layer',
    config: token,
    schema: {
      tags,
      summary: 'Change a layer',
      description: 'What is absent keeps its value.',
      params: Path('map', 'layer'),
      querystring: Query({}),
      body: LayerBody,
      response: answers(LayerAnswer),
    },
    handler: async ({ caller, params, query, body }) => {
      const layer = await findLayer(db, caller, params, 'edit');
      const code = await db.transaction((tx) => changeLayer(tx, caller, layer, body, query.lng));
      return layerView(await findLayer(db, caller, { map: params.map, layer: code }, 'view'), caller, {
        lng: query.lng,
      });
    },
  });

  app.delete(
    '/:map/layers/:layer',
    {
      config: token,
      schema: {
        tags,
        summary: 'Delete a layer',
        params: Path('map', 'layer'),
        querystring: Query({ force: Flag('Delete it even if virtual layers read it') }),
        response: answers(Type.Null()),
      },
    },
    async ({ caller, params }, reply) => {
      const layer = await findLayer(db, caller, params, 'edit');
      await db.transaction((tx) => deleteLayer(tx, layer));
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
    async ({ caller, params, query }, reply) => {
      const layer = await findLayer(db, caller, params, 'view');
      const bbox =
        (await layerBboxes(db, [layer], (query.bboxSR ?? '4326') as '4326' | '3857')).get(layer.id) ?? null;
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(bbox));
    },
  );

  app.post(
    '/:map/layers/:layer/refresh',
    {
      config: token,
      schema: {
        tags,
        summary: 'Run the query of a materialized layer again',
        params: Path('map', 'layer'),
        querystring: Query({}),
        response: answers(LayerAnswer),
      },
    },
    async ({ caller, params }) => {
      const layer: Layer = await findLayer(db, caller, params, 'view');
      throw new ServiceError('not_materialized', `The layer '${layer.code}' is not a materialized layer`);
    },
  );

  app.get(
    '/:map/layers/:layer/legend',
    {
      schema: {
        tags,
        summary: 'The legend of a visualization',
        params: Path('map', 'layer'),
        querystring: Query({}),
        response: answers(AnyObject('The legend')),
      },
    },
    async ({ caller, params }) => {
      const layer = await findLayer(db, caller, params, 'view');
      throw new ServiceError('layer_not_found', `The layer '${layer.code}' is not a visualization`);
    },
  );
}
