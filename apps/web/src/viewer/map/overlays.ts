import type { FilterSpecification, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';

export const tileSource = 'tiles';
export const tileLayer = 'tiles';

/** Sources of the overlays above the tiles, and their lowest layer. */
export const overlays = {
  mark: 'mark',
  location: 'location',
  measure: 'measure',
  firstLayer: 'mark-fill',
} as const;

/** Colour of the selected object. */
const markColor = '#d9480f';
/** Colour of what is measured. */
const measureColor = '#0b4f8a';
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

const measure = { source: overlays.measure } as const;

/** Area, line and points of what is measured. */
const measureLayers: readonly LayerSpecification[] = [
  {
    id: 'measure-area',
    type: 'fill',
    ...measure,
    filter: ['==', ['geometry-type'], 'Polygon'],
    paint: { 'fill-color': measureColor, 'fill-opacity': 0.14 },
  },
  {
    id: 'measure-case',
    type: 'line',
    ...measure,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': '#ffffff', 'line-width': 6, 'line-opacity': 0.85 },
  },
  {
    id: 'measure-line',
    type: 'line',
    ...measure,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': measureColor, 'line-width': 2.5 },
  },
  {
    id: 'measure-point',
    type: 'circle',
    ...measure,
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-radius': 5,
      'circle-color': '#ffffff',
      'circle-stroke-color': measureColor,
      'circle-stroke-width': 2.5,
    },
  },
];

/** Adds the empty sources and their layers to the map. */
export function addOverlays(map: MapLibreMap, reducedMotion: boolean): void {
  const data = { type: 'FeatureCollection' as const, features: [] };
  map.addSource(overlays.mark, { type: 'geojson', data });
  map.addSource(overlays.location, { type: 'geojson', data });
  map.addSource(overlays.measure, { type: 'geojson', data });
  for (const layer of [...layers(reducedMotion), ...measureLayers]) map.addLayer(layer);
}
