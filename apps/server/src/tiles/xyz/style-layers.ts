import {
  type MapLibreExpression,
  type MapLibreLayer,
  type MapLibrePicture,
  mapLibreLayers,
} from '@cartulary/cartocss';
import { mapInSlices } from '@cartulary/runtime';
import type { VisualDrawing } from '@cartulary/visualizations';
import { holdsObjects } from '../../layers/layers.js';
import { styleLayer } from '../../layers/styles/style.js';
import { visualOf } from '../../layers/visual/visual.js';
import { layerStyle } from '../plan/layer-style.js';
import type { MapContent, SourceLayer } from '../plan/map-content.js';
import { tileColumns } from '../vector/tile.js';

/** How a client can draw a layer. */
export type ClientLayer =
  | {
      id: number;
      code: string;
      drawnAs: 'vector';
      layers: MapLibreLayer[];
      columns: string[];
      leftOut: string[];
      /** Icons in the sprite sheet of the map. */
      pictures: MapLibrePicture[];
    }
  | { id: number; code: string; drawnAs: 'raster'; reason: string };

export const hasPictures = (layer: ClientLayer): boolean =>
  layer.drawnAs === 'vector' && layer.pictures.length > 0;

/** Limit of the icons of a map. */
const maxPictures = 500;

/** Says the layers of a map in MapLibre's language, in slices, since their styles are compiled. Throws `style_invalid`. */
export async function clientLayers(
  ids: readonly number[],
  content: Pick<MapContent, 'layers' | 'icons'>,
  hasOnlyPoints: (id: number) => boolean,
): Promise<ClientLayer[]> {
  const names = new Set<string>();
  return mapInSlices(ids, (id): ClientLayer => {
    const layer = clientLayer(content.layers.get(id)!, content, hasOnlyPoints(id));
    if (!hasPictures(layer) || layer.drawnAs === 'raster') return layer;
    for (const { name } of layer.pictures) names.add(name);
    const { code } = layer;
    return names.size > maxPictures
      ? { id, code, drawnAs: 'raster', reason: `more than ${maxPictures} icons in the map` }
      : layer;
  });
}

/** Says a layer in MapLibre's language where that is possible. */
function clientLayer(
  source: SourceLayer,
  { icons }: Pick<MapContent, 'icons'>,
  hasOnlyPoints: boolean,
): ClientLayer {
  const { id, code } = source;
  const raster = (reason: string): ClientLayer => ({ id, code, drawnAs: 'raster', reason });
  if (!holdsObjects(source)) return raster('a layer without objects');
  const visual = visualOf(source);
  if (source.css_style.trim() === '' && !visual)
    return { id, code, drawnAs: 'vector', layers: [], columns: [], leftOut: [], pictures: [] };
  const { minZoom = 0, maxZoom = 24, opacity = 1 } = source.render_settings;
  if (opacity !== 1) return raster('the opacity of the layer as a whole');
  const { compiled, drawing } = layerStyle(source, icons);
  if (drawing && isComputed(drawing)) return raster('a visualization with shapes of its own');
  const { has, hasValue } = columnsOf(source, drawing);
  const found = mapLibreLayers(compiled.rules, {
    kinds: styleLayer(code, source.columns).columns,
    has,
    hasValue,
    hasOnlyPoints,
    zooms: { first: Math.ceil(minZoom), last: Math.floor(maxZoom) },
  });
  if ('inexpressible' in found) return raster(found.inexpressible);
  return { id, code, drawnAs: 'vector', ...found, columns: columnsIn(found.layers) };
}

/** Whether a visualization draws other shapes than those of the objects, or in another order. */
const isComputed = ({ parts, heat, cells, place, largestFirst }: VisualDrawing): boolean =>
  Boolean(parts || heat || cells || largestFirst !== undefined || place === 'point');

interface ReadableColumns {
  has(column: string): boolean;
  hasValue(column: string, value: number): MapLibreExpression | undefined;
}

/** The columns that vector tiles contain, and the computed ones whose values follow from them. */
function columnsOf(source: SourceLayer, drawing: VisualDrawing | undefined): ReadableColumns {
  const codes = new Set(tileColumns(source));
  return {
    has: (column) => codes.has(column) || column === 'svc_id',
    hasValue(column, value) {
      const computed = drawing?.columns.find(({ name }) => name === column)?.hasValue;
      let isReadable = true;
      const found = computed?.(value, (id) => {
        const read = source.columns.find((one) => one.id === id);
        // Classes are those of the main language, and of whole datetimes.
        isReadable &&=
          read !== undefined && codes.has(read.code) && !read.localized_value && read.type !== 'datetime';
        return ['get', read?.code ?? ''];
      });
      return isReadable ? found : undefined;
    },
  };
}

/** The columns that expressions read. */
function columnsIn(layers: readonly MapLibreLayer[]): string[] {
  const columns = new Set<string>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) {
      if (part[0] === 'get' && typeof part[1] === 'string' && part[1] !== 'svc_id') columns.add(part[1]);
      for (const one of part) visit(one);
    } else if (typeof part === 'object' && part !== null) for (const one of Object.values(part)) visit(one);
  };
  visit(layers);
  return [...columns].sort();
}
