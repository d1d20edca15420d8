import type {
  FeatureCollection,
  LineString,
  MultiLineString,
  MultiPolygon,
  Polygon,
  Position,
} from 'geojson';
import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import baseMapUrl from '../../../dist/base-map.json?url';

const source = 'base-map';
/** Prefix of the ids of the base map's layers. */
const idPrefix = 'base-map-';

/** Muted colours, so that data of any colour stands out. */
const water = '#d6e2e8';
const land = '#f4f1ea';
const border = '#b9b0a2';
const coast = '#b4c4cd';

const ofKind = (kind: string): NonNullable<Extract<LayerSpecification, { type: 'fill' }>['filter']> => [
  '==',
  ['get', 'kind'],
  kind,
];

const layers: readonly LayerSpecification[] = [
  { id: `${idPrefix}water`, type: 'background', paint: { 'background-color': water } },
  {
    id: `${idPrefix}land`,
    type: 'fill',
    source,
    filter: ofKind('land'),
    paint: { 'fill-color': land, 'fill-antialias': true },
  },
  {
    id: `${idPrefix}coast`,
    type: 'line',
    source,
    filter: ofKind('coast'),
    paint: { 'line-color': coast, 'line-width': 0.7 },
  },
  {
    id: `${idPrefix}border`,
    type: 'line',
    source,
    filter: ofKind('border'),
    paint: { 'line-color': border, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.4, 6, 1.2] },
  },
];

export const isBaseMapLayer = (id: string): boolean => id.startsWith(idPrefix);

/** Lines of the base map in degrees: edges of land, and borders. */
export interface BaseMapPart {
  kind: 'land' | 'coast' | 'border';
  lines: readonly (readonly Position[])[];
}

let loaded: Promise<BaseMapPart[]> | undefined;

/** The base map for pictures that are no maps. It is loaded once. */
export function baseMapParts(): Promise<BaseMapPart[]> {
  // biome-ignore lint/style/noRestrictedGlobals: a file of the pages, not a function of the service
  loaded ??= fetch(new URL(baseMapUrl, import.meta.url)).then(async (response) => {
    const { features } = (await response.json()) as FeatureCollection<
      Polygon | MultiPolygon | LineString | MultiLineString,
      Pick<BaseMapPart, 'kind'>
    >;
    return features.map(({ properties, geometry: { type, coordinates } }) => ({
      kind: properties.kind,
      lines: (type === 'LineString'
        ? [coordinates]
        : type === 'MultiPolygon'
          ? coordinates.flat()
          : coordinates) as Position[][],
    }));
  });
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

/** Adds water, land and borders below all other layers. */
export function addBaseMap(map: MapLibreMap): void {
  if (map.getSource(source)) return;
  const data = new URL(baseMapUrl, import.meta.url).href;
  map.addSource(source, { type: 'geojson', data, tolerance: 0.2 });
  const [lowest] = map.getStyle().layers;
  for (const layer of layers) map.addLayer(layer, lowest?.id);
}
