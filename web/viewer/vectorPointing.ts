import { type MapGeoJSONFeature, type Map as MapLibreMap, type MapMouseEvent, Popup } from 'maplibre-gl';
import type { VectorLayer } from './vectorLayers.js';
import { prefix } from './vectors.js';

/** Shows the popup of what is pointed at, and brings a cluster nearer that is clicked; `layersNow` are those drawn. */
export function hearVectors(map: MapLibreMap, layersNow: () => readonly VectorLayer[]): void {
  const popup = new Popup({ closeButton: false, maxWidth: '280px', className: 'vector-popup' });
  const found = (event: MapMouseEvent): MapGeoJSONFeature | undefined =>
    map
      .queryRenderedFeatures([
        [event.point.x - 3, event.point.y - 3],
        [event.point.x + 3, event.point.y + 3],
      ])
      .find(({ layer }) => layer.id.startsWith(prefix));
  map.on('click', (event) => {
    const feature = found(event);
    popup.remove();
    if (!feature) return;
    const layer = layersNow().find(({ id }) => feature.layer.id.startsWith(`${prefix}${id}-`));
    if (feature.properties.point_count !== undefined) {
      map.easeTo({ center: event.lngLat, zoom: map.getZoom() + 2 });
      return;
    }
    const { showPopup, popupColumnCode } = layer?.vectorSettings ?? {};
    const value = showPopup && popupColumnCode ? feature.properties[popupColumnCode] : undefined;
    if (value !== undefined && value !== null && value !== '')
      popup.setLngLat(event.lngLat).setText(String(value)).addTo(map);
  });
}
