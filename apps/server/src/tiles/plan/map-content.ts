import type { Column } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { abortable } from '@cartulary/runtime';
import { sql } from '@cartulary/sql';
import { LRUCache } from 'lru-cache';
import { type Container, type MapLimits, mapNotFound } from '../../containers/containers.js';
import { below, type LayerTree, makeTree } from '../../containers/tree.js';
import type { IconFiles } from '../../icons/icons.js';
import type { DraftFields } from '../../layers/drafts/store.js';
import { holdsObjects, isExternal, isRaster, type QueryProblem } from '../../layers/layers.js';
import type { MapState } from './map-state.js';
import type { DrawnRaster } from './raster-source.js';
import { type RenderSettings, withMap } from './render-settings.js';

/** The properties of a layer that decide its drawing. */
export interface SourceLayer
  extends Pick<Container, 'id' | 'type' | 'code' | 'css_style'>,
    Partial<Pick<Container, 'visual_settings' | 'visual_custom_settings' | 'visual_classes'>> {
  columns: readonly Pick<Column, 'id' | 'code' | 'type' | 'localized_value' | 'pack' | 'slot'>[];
  /** Together with those of the map. */
  render_settings: RenderSettings;
  /** 1: clients draw it as vectors. */
  render_type?: number;
  vector_settings?: { popupColumn?: number } | null;
  /** Image of a raster layer; null before the first import. */
  raster?: DrawnRaster | null;
  /** Settings of an external layer. */
  json?: Record<string, unknown> | null;
  /** Why the query of a virtual layer cannot run. */
  problem?: QueryProblem | null;
}

/** A folder or layer in a tree. */
export interface TreeNode {
  id: number;
  /** 0: child of the root. */
  parent_id: number;
  selected: boolean;
  container_id: number;
}

/** The part of a map that changes with its version: trees, styles, columns. */
export interface MapContent {
  css_style: string;
  /** The layer below all others: `json.base_layer` of the map. */
  base_layer?: number | undefined;
  /** `json.attribution` of the map. */
  attribution?: string | undefined;
  /** Layers in folders of `tiles_quality` 1, drawn with a limited palette by default. */
  limited?: ReadonlySet<number>;
  /** Icon name → file, for all icons of the project. */
  icons: ReadonlyMap<string, string>;
  layers: ReadonlyMap<number, SourceLayer>;
  /** The map's own tree; its ids are those of containers. */
  whole: LayerTree<TreeNode>;
  /** The publication tree; before it is saved, the map's own tree. */
  published: LayerTree<TreeNode>;
}

type MapVersions = Pick<MapState, 'id' | 'version' | 'project_id' | 'icons_version'>;

export type ReadContent = (state: MapVersions, signal?: AbortSignal) => Promise<MapContent>;

/** Characters of styles that are kept in memory, beside those of the largest map. */
const keptCharacters = 32 * 1024 * 1024;

/**
 * Reads contents and keeps the latest of each map. A content that is read during a change may be newer than its
 * version. That is harmless: no later request asks for the old version. Requests at the same time share one reading.
 */
export function createContentReader(
  db: Queryable,
  icons: Pick<IconFiles, 'of'>,
  { mapSizeBytes }: Pick<MapLimits, 'mapSizeBytes'>,
): ReadContent {
  const latest = new LRUCache<number, { key: string; content: MapContent }>({
    maxSize: keptCharacters + 2 * mapSizeBytes,
    sizeCalculation: ({ content }) => sizeOf(content),
  });
  const reading = new Map<string, Promise<MapContent>>();
  const read = async (key: string, { id, project_id, icons_version }: MapVersions): Promise<MapContent> => {
    try {
      const content = { ...(await readContent(db, id)), icons: await icons.of(project_id, icons_version) };
      latest.set(id, { key, content });
      return content;
    } finally {
      reading.delete(key);
    }
  };
  return async (state, signal) => {
    const key = `${state.id}/${state.version}/${state.icons_version}`;
    const known = latest.get(state.id);
    if (known?.key === key) return known.content;
    const content = reading.get(key) ?? read(key, state);
    reading.set(key, content);
    return abortable(content, signal);
  };
}

/** The content with drafts in place of the styles and visualizations of a map and its layers. */
export function withDrafts(
  content: MapContent,
  drafts: ReadonlyMap<number, DraftFields>,
  mapId: number,
): MapContent {
  const layers = new Map(
    [...content.layers].map(([id, layer]) => [id, drafts.has(id) ? { ...layer, ...drafts.get(id) } : layer]),
  );
  return { ...content, layers, css_style: drafts.get(mapId)?.css_style ?? content.css_style };
}

function sizeOf({ css_style, layers, published }: MapContent): number {
  let size = 1000 + css_style.length + 200 * published.nodes.size;
  for (const layer of layers.values()) size += 500 + layer.css_style.length + 200 * layer.columns.length;
  return size;
}

type ContainerRow = SourceLayer &
  Pick<Container, 'type' | 'parent_id' | 'tree_saved' | 'tiles_quality' | 'json'>;

async function readContent(db: Queryable, mapId: number): Promise<Omit<MapContent, 'icons'>> {
  const containers = await db.query<ContainerRow>(
    sql`
      select c.id, c.parent_id, c.type, c.code, c.css_style, c.render_settings, c.render_type, c.vector_settings,
        c.visual_settings, c.visual_custom_settings, c.visual_classes,
        c.tree_saved, c.tiles_quality, case when c.type in ('map', 'external') then c.json else '{}' end as json,
        (select coalesce(jsonb_agg(jsonb_build_object(
            'id', k.id, 'code', k.code, 'type', k.type, 'localized_value', k.localized_value,
            'pack', k.pack, 'slot', k.slot) order by k.id), '[]')
          from cartulary.layer_column k where k.layer_id = c.id) as columns,
        (select jsonb_build_object('processed', r.processed, 'kind', r.kind, 'bands', r.bands,
            'pixel_size', r.pixel_size, 'west', r.west, 'south', r.south, 'east', r.east, 'north', r.north)
          from cartulary.raster r where r.layer_id = c.id) as raster,
        (select q.problem from cartulary.layer_query q where q.layer_id = c.id) as problem
      from cartulary.container c where c.map_id = ${mapId} order by c.sort, c.id`,
  );
  const map = containers.find(({ type }) => type === 'map');
  if (!map) throw mapNotFound('');
  const own = containers.filter(({ type }) => type !== 'map');
  const whole = makeTree(
    own.map(({ id, parent_id }) => ({
      id,
      parent_id: parent_id === mapId ? 0 : parent_id!,
      selected: true,
      container_id: id,
    })),
  );
  const published = map.tree_saved
    ? makeTree(
        await db.query<TreeNode>(
          sql`select id, parent_id, selected, map_layer_id as container_id from cartulary.publication_item where map_id = ${mapId} order by sort, id`,
        ),
      )
    : whole;
  const layers = own.filter(
    (container) => holdsObjects(container) || isRaster(container) || isExternal(container),
  );
  const base = map.json.base_layer;
  return {
    css_style: map.css_style,
    base_layer: typeof base === 'number' ? base : undefined,
    attribution: typeof map.json.attribution === 'string' ? map.json.attribution : undefined,
    limited: limitedIn(own, whole),
    layers: new Map(
      layers.map((layer) => [
        layer.id,
        { ...layer, render_settings: withMap(layer.render_settings, map.render_settings) },
      ]),
    ),
    whole,
    published,
  };
}

/** The layers in folders of `tiles_quality` 1, at any depth. */
const limitedIn = (own: readonly ContainerRow[], whole: LayerTree<TreeNode>): ReadonlySet<number> =>
  new Set(
    own
      .filter(({ type, tiles_quality }) => type === 'folder' && tiles_quality === 1)
      .flatMap(({ id }) => below(whole, id).map((node) => node.container_id)),
  );
