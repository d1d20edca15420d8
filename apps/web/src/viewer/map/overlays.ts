import type { FilterSpecification, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';

export const tileSource = 'tiles';
export const tileLayer = 'tiles';

/** Sources of the overlays above the tiles, and their lowest layer. */
export const overlays = { mark: 'mark', location: 'location', firstLayer: 'mark-fill' } as const;

/** Colour of the selected object. */
const markColor = '#d9480f';
/** Colour of the user's location. */
const locationColor = '#1864ab';

const isPoint: FilterSpecification = ['in', ['geometry-type'], ['literal', ['Point', 'MultiPoint']]];

function layers(reducedMotion: boolean): LayerSpecification[] {
  const mark = { source: overlays.mark } as const;
  const location = { source: overlays.location } as const;
  const line = { layout: { 'line-join': 'round', 'line-cap': 'round' } } as const;
  return [
    {
      id: overlays.firstLayer,
      type: 'fill',
      ...mark,
      paint: { 'fill-color': markColor, 'fill-opacity': 0.1, 'fill-antialias': false },
    },
    {
      id: 'mark-case',
      type: 'line',
      ...mark,
      ...line,
      paint: { 'line-color': '#ffffff', 'line-width': 6, 'line-opacity': 0.85 },
    },
    {
      id: 'mark-line',
      type: 'line',
      ...mark,
      ...line,
      paint: { 'line-color': markColor, 'line-width': 2.5 },
    },
    {
      id: 'mark-point',
      type: 'circle',
      ...mark,
      filter: isPoint,
      paint: {
        'circle-radius': 9,
        'circle-color': markColor,
        'circle-opacity': 0.2,
        'circle-stroke-color': markColor,
        'circle-stroke-width': 3,
        ...(reducedMotion ? { 'circle-radius-transition': { duration: 0 } } : {}),
      },
    },
    {
      id: 'location-area',
      type: 'fill',
      ...location,
      paint: { 'fill-color': locationColor, 'fill-opacity': 0.12 },
    },
    {
      id: 'location-point',
      type: 'circle',
      ...location,
      filter: isPoint,
      paint: {
        'circle-radius': 7,
        'circle-color': locationColor,
        'circle-stroke-color': '#ffffff',
        'circle-stroke-width': 3,
      },
    },
  ];
}

/** Adds the empty sources and their layers to the map. */
export function addOverlays(map: MapLibreMap, reducedMotion: boolean): void {
  const data = { type: 'FeatureCollection' as const, features: [] };
  map.addSource(overlays.mark, { type: 'geojson', data });
  map.addSource(overlays.location, { type: 'geojson', data });
  for (const layer of layers(reducedMotion)) map.addLayer(layer);
}
