import { type MapGeoJSONFeature, type Map as MapLibreMap, type MapMouseEvent, Popup } from 'maplibre-gl';
import type { ObjectKey } from '../types.js';
import type { VectorLayer } from './vectorLayers.js';
import { vectorIdPrefix } from './vectors.js';

/** Pixels around the pointer in which a click finds a feature. */
const clickRadiusPx = 3;

/** A click on a feature shows its popup; a click on a cluster zooms in. `layersNow` returns the layers on the map. */
export function handleVectorClicks(map: MapLibreMap, layersNow: () => readonly VectorLayer[]): void {
  const popup = new Popup({ closeButton: false, maxWidth: '280px', className: 'vector-popup' });
  const featureAt = ({ point: { x, y } }: MapMouseEvent): MapGeoJSONFeature | undefined =>
    map
      .queryRenderedFeatures(boxAround(x, y, clickRadiusPx))
      .find(({ layer }) => layer.id.startsWith(vectorIdPrefix));
  map.on('click', (event) => {
    const feature = featureAt(event);
    popup.remove();
    if (!feature || !layerOf(feature, layersNow())) return;
    if (feature.properties.point_count !== undefined) {
      map.easeTo({ center: event.lngLat, zoom: map.getZoom() + 2 });
      return;
    }
    const { showPopup, popupColumnCode } = layerOf(feature, layersNow())?.vectorSettings ?? {};
    const value = showPopup && popupColumnCode ? feature.properties[popupColumnCode] : undefined;
    if (value !== undefined && value !== null && value !== '')
      popup.setLngLat(event.lngLat).setText(String(value)).addTo(map);
  });
}

/** Objects of client-drawn layers within `pixels` of a position, topmost first; clusters are left out. */
export function vectorObjectsAt(
  map: MapLibreMap,
  { x, y, pixels }: { x: number; y: number; pixels: number },
  layers: readonly VectorLayer[],
): ObjectKey[] {
  if (!layers.length) return [];
  const keys = new Map<string, ObjectKey>();
  for (const feature of map.queryRenderedFeatures(boxAround(x, y, pixels))) {
    const layer = layerOf(feature, layers);
    const id = Number(feature.properties.svc_id);
    if (layer && Number.isSafeInteger(id)) keys.set(`${layer.code}/${id}`, { layer: layer.code, id });
  }
  return [...keys.values()];
}

const boxAround = (x: number, y: number, pixels: number): [[number, number], [number, number]] => [
  [x - pixels, y - pixels],
  [x + pixels, y + pixels],
];

const layerOf = (feature: MapGeoJSONFeature, layers: readonly VectorLayer[]): VectorLayer | undefined =>
  layers.find(({ id }) => feature.layer.id.startsWith(`${vectorIdPrefix}${id}-`));
