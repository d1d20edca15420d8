import type { Feature, FeatureCollection, Geometry } from 'geojson';
import type { ExpressionSpecification, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { call } from '../../common/api.js';
import { address } from '../../common/base.js';
import { type ColumnFilter, expressionOf } from '../filters/filters.js';
import type { ObjectInfo } from '../types.js';
import { addIcon, countImage } from './icons.js';
import { overlays } from './overlays.js';
import { vectorTemplate } from './tiles.js';
import { maxTileZoom, truncatedHeader } from './truncations.js';
import {
  type ClusterSettings,
  type IconStyle,
  paintOf,
  type VectorLayer,
  type VectorSettings,
} from './vectorLayers.js';

export interface VectorPlan {
  project: string;
  map: string;
  language: string;
  /** Bottom to top. */
  layers: readonly VectorLayer[];
}

type ObservedPlan = VectorPlan & {
  /** Receives the truncation header of a layer's list of points. */
  onList: (code: string, header: string | null) => void;
};

/** Prefix of the ids of all sources and layers of client-drawn layers. */
export const vectorIdPrefix = 'vector-';
/** Maximum number of objects requested for a clustered layer. */
const maxClusteredObjects = 50_000;
/** Least radius of filtered points. */
const minFilteredRadiusPx = 4;
/** Maximum number of categories with clusters of their own. */
const maxCategories = 30;

const isKind = (...kinds: string[]): ExpressionSpecification => ['in', ['geometry-type'], ['literal', kinds]];
const points = isKind('Point', 'MultiPoint');
const single: ExpressionSpecification = ['all', points, ['!', ['has', 'point_count']]];

/** Replaces all client-drawn layers by those of a plan. An aborted call changes nothing. */
export async function setVectors(map: MapLibreMap, plan: ObservedPlan, signal: AbortSignal): Promise<void> {
  const parts: StyleParts[] = [];
  for (const layer of plan.layers) parts.push(await buildLayer(map, plan, layer, signal));
  if (signal.aborted) return;
  removeVectors(map);
  for (const { sources, layers } of parts) {
    for (const [id, source] of Object.entries(sources)) map.addSource(id, source);
    for (const layer of layers) map.addLayer(layer, overlays.firstLayer);
  }
}

/** The filters of `layers` in place of those that their features were drawn with. */
export function filterVectors(map: MapLibreMap, layers: readonly VectorLayer[]): void {
  for (const { id, metadata } of map.getStyle().layers) {
    const { base } = (metadata ?? {}) as { base?: ExpressionSpecification };
    const filter = layers.find((layer) => id.startsWith(`${vectorIdPrefix}${layer.id}-`))?.filter;
    if (base && filter) map.setFilter(id, ['all', base, expressionOf(filter)]);
  }
}

/** A layer of the map's style that shows what a filter leaves. It keeps its own filter as `base`. */
function filtered(layer: LayerSpecification, filter: ColumnFilter | undefined): LayerSpecification {
  if (!filter || !('filter' in layer)) return layer;
  const base = layer.filter as ExpressionSpecification;
  return { ...layer, filter: ['all', base, expressionOf(filter)], metadata: { base } } as LayerSpecification;
}

function removeVectors(map: MapLibreMap): void {
  for (const { id } of map.getStyle().layers) if (id.startsWith(vectorIdPrefix)) map.removeLayer(id);
  for (const id of Object.keys(map.getStyle().sources))
    if (id.startsWith(vectorIdPrefix)) map.removeSource(id);
}

type Sources = Record<string, Parameters<MapLibreMap['addSource']>[1]>;
interface StyleParts {
  sources: Sources;
  layers: LayerSpecification[];
}

async function buildLayer(
  map: MapLibreMap,
  plan: ObservedPlan,
  layer: VectorLayer,
  signal: AbortSignal,
): Promise<StyleParts> {
  const { id, code, vectorSettings: settings } = layer;
  const own = `${vectorIdPrefix}${id}`;
  const fields = [settings?.popupColumnCode, layer.filter?.column].filter(Boolean).join(',');
  const tiles = vectorTemplate({ ...plan, layers: [id], fields });
  const sources: Sources = { [own]: { type: 'vector', tiles: [tiles], maxzoom: maxTileZoom } };
  const from = { source: own, 'source-layer': code };
  const paint = paintOf(layer.css_style);
  const layers: LayerSpecification[] = [
    {
      id: `${own}-fill`,
      type: 'fill',
      ...from,
      filter: isKind('Polygon', 'MultiPolygon'),
      paint: { 'fill-color': paint.fill, 'fill-opacity': paint.fillOpacity },
    },
    {
      id: `${own}-line`,
      type: 'line',
      ...from,
      filter: ['!', points],
      layout: { 'line-join': 'round', 'line-cap': 'round' },
      paint: { 'line-color': paint.line, 'line-width': paint.lineWidth },
    },
  ];
  // Clusters would count the objects that the filter hides.
  if (!settings?.clusteringEnabled || layer.filter)
    layers.push(await pointLayer(map, layer, { id: own, from }));
  else {
    const groups = await clusterGroups(plan, { ...layer, vectorSettings: settings }, signal);
    for (const [i, data] of groups.entries()) {
      const source = `${own}-points-${i}`;
      sources[source] = clusterSource(settings.clusterSettings, data);
      layers.push(await pointLayer(map, layer, { id: source, from: { source } }));
      layers.push(...(await clusterLayers(map, settings.clusterSettings, source)));
    }
  }
  return {
    sources,
    layers: layers.map(
      (one) => ({ ...filtered(one, layer.filter), ...zoomsOf(layer) }) as LayerSpecification,
    ),
  };
}

/** The zoom range for MapLibre, whose levels count tiles of 512 pixels: one less than the service's. */
function zoomsOf({ vectorSettings }: VectorLayer): object {
  if (!vectorSettings) return {};
  const { zoomsEnabled, minZoom, maxZoom } = vectorSettings;
  return zoomsEnabled ? { minzoom: Math.max(0, minZoom - 1), maxzoom: Math.min(24, maxZoom) } : {};
}

interface LayerOrigin {
  id: string;
  from: { source: string; 'source-layer'?: string };
}

async function pointLayer(
  map: MapLibreMap,
  { vectorSettings, css_style, filter }: VectorLayer,
  { id, from }: LayerOrigin,
): Promise<LayerSpecification> {
  const common = { id: `${id}-point`, ...from, filter: single };
  const { stylesPoint } = vectorSettings ?? {};
  const size = stylesPoint?.icon ? await addIcon(map, stylesPoint.icon) : null;
  if (stylesPoint && size !== null)
    return {
      ...common,
      type: 'symbol',
      layout: { ...iconLayout(stylesPoint), 'icon-image': stylesPoint.icon },
    };
  const paint = paintOf(css_style);
  return {
    ...common,
    type: 'circle',
    paint: {
      // What a filter leaves is looked for: it must be seen.
      'circle-radius': filter ? Math.max(minFilteredRadiusPx, paint.pointRadius) : paint.pointRadius,
      'circle-color': paint.point,
      'circle-stroke-color': '#ffffff',
      'circle-stroke-width': 1.5,
    },
  };
}

const iconLayout = ({ iconOffsetEnabled, iconDx, iconDy }: IconStyle) => ({
  'icon-allow-overlap': true,
  'icon-ignore-placement': true,
  'icon-offset': (iconOffsetEnabled ? [iconDx, iconDy] : [0, 0]) as [number, number],
});

const clusterSource = (
  { radius, maxZoomEnabled, maxZoom }: ClusterSettings,
  data: FeatureCollection,
): Sources[string] => ({
  type: 'geojson',
  data,
  cluster: true,
  clusterRadius: radius,
  clusterMaxZoom: maxZoomEnabled ? Math.max(0, maxZoom - 1) : 17,
});

async function clusterLayers(
  map: MapLibreMap,
  settings: ClusterSettings,
  source: string,
): Promise<LayerSpecification[]> {
  const isCluster: ExpressionSpecification = ['has', 'point_count'];
  const { icon, iconEnabled, iconSizeEnabled, iconSizeMin, iconSizeMax } = settings;
  const size = iconEnabled && icon ? await addIcon(map, icon) : null;
  const layers: LayerSpecification[] = [];
  if (size !== null) {
    const pixels: ExpressionSpecification = [
      'interpolate',
      ['linear'],
      ['log10', ['get', 'point_count']],
      0,
      iconSizeMin / size,
      4,
      iconSizeMax / size,
    ];
    layers.push({
      id: `${source}-cluster`,
      type: 'symbol',
      source,
      filter: isCluster,
      layout: {
        ...iconLayout(settings),
        'icon-image': icon,
        'icon-size': iconSizeEnabled ? pixels : iconSizeMin / size,
      },
    });
  }
  if (size === null || settings.showObjectsCount) {
    const text: ExpressionSpecification = ['to-string', ['get', 'point_count_abbreviated']];
    layers.push({
      id: `${source}-count`,
      type: 'symbol',
      source,
      filter: isCluster,
      layout: {
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
        'icon-offset': [settings.objectsCountDx, settings.objectsCountDy],
        'icon-image': ['concat', countImage(size === null), settings.showObjectsCount ? text : ' '],
      },
    });
  }
  return layers;
}

/** The points of a layer: one collection, or one per category, so that clusters hold points of one category. */
async function clusterGroups(
  { project, map, language, onList }: ObservedPlan,
  { code, vectorSettings, visualSettings }: VectorLayer & { vectorSettings: VectorSettings },
  signal: AbortSignal,
): Promise<FeatureCollection[]> {
  const category = vectorSettings.clusterSettings.splitByCategories ? visualSettings?.columnCode : undefined;
  const fields = [...new Set([vectorSettings.popupColumnCode, category])].filter(Boolean).join(',');
  const query = { fields, returnGeom: 1, limit: maxClusteredObjects, lng: language };
  const url = address(['api', '2.8', project, map, 'layers', code, 'objects'], query);
  const onResponse = ({ headers }: Response): void => onList(code, headers.get(truncatedHeader));
  const objects = await call<ObjectInfo[]>(url, { signal, onResponse }).catch(() => []);
  const groups = new Map<string, Feature[]>();
  for (const { id, fields: values, geom } of objects) {
    const key = category ? String(values[category] ?? '') : '';
    const group = groups.has(key) || groups.size < maxCategories ? key : '';
    const features = groups.get(group) ?? [];
    groups.set(group, features);
    for (const geometry of pointsOf(geom))
      features.push({ type: 'Feature', properties: { ...values, svc_id: id }, geometry });
  }
  return [...groups.values()].map((features) => ({ type: 'FeatureCollection', features }));
}

const pointsOf = (geometry: Geometry | null | undefined): Geometry[] =>
  geometry?.type === 'Point'
    ? [geometry]
    : geometry?.type === 'MultiPoint'
      ? geometry.coordinates.map((coordinates) => ({ type: 'Point', coordinates }))
      : [];
