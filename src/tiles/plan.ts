import { createHash } from 'node:crypto';
import type { ConnectionTarget } from '../db/pool.js';
import { badRequest, ServiceError } from '../errors.js';
import { styleLayer } from '../layers/style.js';
import {
  type CompiledStyle,
  compileLayerStyle,
  compileMapStyle,
  type MapLayer,
  mapXml,
} from '../styles/compile.js';
import { layerSql } from './layer-sql.js';
import type { MapContent, MapState } from './sources.js';

/** A tile request after its checks; `y` counts from the north. */
export interface TileRequest {
  z: number;
  x: number;
  y: number;
  base: boolean;
  /** Ids of layers or items in drawing order; undefined: the selected ones of the publication tree. */
  layers: readonly number[] | undefined;
  scale: number;
  palette: boolean;
  lng: string;
  main: string;
}

/** What is drawn for a request, apart from its place: the same for every tile of a zoom level. */
export interface TilePlan {
  /** Hash over all that the picture depends on but x and y. */
  key: string;
  xml: string;
  /** Whether nothing is drawn but perhaps the background. */
  isEmpty: boolean;
}

/** Zoom levels from which shapes are drawn as they are stored. */
const thinBelow = 13;

/** The layers of a request from bottom to top. Throws 400 for an id that is not in the map, 403 for one that the caller may not view. */
export function drawnLayers(
  request: Pick<TileRequest, 'layers'>,
  state: MapState,
  content: MapContent,
): number[] {
  const { items, layers, containerTypes } = content;
  const isLayer = (id: number): boolean => layers.has(id);
  if (!request.layers) {
    const selected = items
      .filter((item) => item.selected && isLayer(item.container_id))
      .map((item) => item.container_id);
    return unique(selected.filter((id) => state.viewable.has(id)).reverse());
  }
  const below = (parent: number): number[] =>
    items
      .filter((item) => item.parent_id === parent)
      .flatMap((item) => (isLayer(item.container_id) ? [item.container_id] : below(item.id)))
      .filter((id) => state.viewable.has(id))
      .reverse();
  const named = request.layers.flatMap((id) => {
    const item =
      items.find((candidate) => candidate.id === id) ??
      items.find((candidate) => candidate.container_id === id);
    const target = item?.container_id ?? id;
    if (!containerTypes.has(target) || target === content.map.id)
      throw badRequest(`There is no layer ${id} in this map`, { parameters: ['layers'], layer: id });
    if (!isLayer(target)) return item ? below(item.id) : [];
    if (!state.viewable.has(target)) throw new ServiceError('forbidden', `The layer ${id} may not be viewed`);
    return [target];
  });
  return unique(named);
}

const unique = (ids: readonly number[]): number[] => [...new Set(ids)];

/** The plan of a request over what was read of the map: pure. */
export function planTile(
  request: TileRequest,
  state: MapState,
  content: MapContent,
  target: ConnectionTarget,
): TilePlan {
  const { z, lng, main } = request;
  const drawn = drawnLayers(request, state, content).flatMap((id) => planLayer(id, z, content) ?? []);
  const background = request.base ? compileMapStyle(content.map.css_style).backgroundColor : undefined;
  const layers = drawn.map(
    ({ id, columns, compiled, settings }): MapLayer => ({
      name: `layer_${id}`,
      srs: 'epsg:4326',
      datasource: datasource(
        target,
        layerSql({
          id,
          columns,
          read: compiled.columnsAt(z),
          filter: compiled.filterAt(z),
          lng,
          main,
          thin: z < thinBelow,
        }),
      ),
      compiled,
      ...settings,
    }),
  );
  const bufferSize = Math.max(
    64,
    ...drawn.map(({ compiled, settings }) => settings.buffer ?? compiled.bufferSize),
  );
  const xml = mapXml({
    layers,
    bufferSize,
    ...(background === undefined ? {} : { backgroundColor: background }),
  });
  const versions = drawn.map(({ id }) => [id, state.viewable.get(id)]);
  const key = createHash('sha256')
    .update(JSON.stringify([xml, versions, z, request.scale, request.palette]))
    .digest('base64url');
  return { key, xml, isEmpty: !layers.length };
}

interface PlannedLayer {
  id: number;
  columns: Parameters<typeof layerSql>[0]['columns'];
  compiled: CompiledStyle;
  settings: { opacity?: number; buffer?: number };
}

/** A layer at a zoom level; undefined where nothing of it is drawn. */
function planLayer(id: number, z: number, content: MapContent): PlannedLayer | undefined {
  const layer = content.layers.get(id)!;
  const {
    minZoom = 0,
    maxZoom = 24,
    opacity,
    buffer,
  } = layer.render_settings as Record<string, number | undefined>;
  if (z < minZoom || z > maxZoom || layer.css_style.trim() === '') return undefined;
  const compiled = compileLayerStyle(layer.css_style, styleLayer(layer.code, layer.columns));
  if (!compiled.visibleAt(z) || compiled.filterAt(z) === 'none') return undefined;
  const settings = {
    ...(opacity === undefined ? {} : { opacity }),
    ...(buffer === undefined ? {} : { buffer }),
  };
  return { id, columns: layer.columns, compiled, settings };
}

/** Mapnik's postgis plugin: everything that it would otherwise find out by a query of its own is said. */
function datasource(target: ConnectionTarget, table: string): Record<string, string | number | boolean> {
  return {
    type: 'postgis',
    host: conninfo(target.host),
    port: target.port,
    user: conninfo(target.user),
    ...(target.password === undefined ? {} : { password: conninfo(target.password) }),
    dbname: conninfo(target.database),
    table,
    geometry_field: 'geom',
    key_field: 'svc_id',
    srid: 4326,
    extent: '-360,-90,360,90',
    estimate_extent: false,
    extent_from_subquery: false,
    initial_size: 1,
    max_size: 1,
    persist_connection: true,
    connect_timeout: 10,
    application_name: 'cartulary-renderer',
  };
}

/** A value of libpq's connection string: Mapnik joins them without quoting. */
const conninfo = (value: string): string =>
  /^[\w./-]+$/.test(value) ? value : `'${value.replace(/['\\]/g, '\\$&')}'`;
