import type { Around, MapLayer } from '@cartulary/cartocss';
import type { ChunkGrid, HeatPass, LabelPass } from '@cartulary/renderer';
import type { DrawnExternal } from '../render/externals.js';
import { type SpriteLayer, spriteLayer } from '../small-features/sprite-layer.js';
import type { DrawableLayer } from './choose-layers.js';
import type { DrawnDependency } from './dependencies.js';
import { labelPasses } from './label-passes.js';
import { layerOriginOf, layerSourceOf, type Origins, objectsOrigin, type ReadAt } from './layer-origin.js';
import type { RenderSettings } from './render-settings.js';
import { datasource } from './sql/datasource.js';
import { heatPass } from './sql/heat-sql.js';

/** The Mapnik layers and passes of one layer. */
export interface ComposedLayer extends DrawnDependency {
  shapes: readonly (MapLayer | HeatPass)[];
  labels: readonly LabelPass[];
  spriteLayer?: SpriteLayer | undefined;
  isKept: boolean;
  external?: DrawnExternal;
}

interface ComposeLayerAt extends ReadAt {
  scale: number;
  labelsAround: Around | undefined;
  /** Chunks of small features by layer. */
  spriteGrids?: ReadonlyMap<number, ChunkGrid> | undefined;
}

/** Composes a layer at a zoom level; undefined where nothing of it is drawn. */
export function composeLayer(
  at: ComposeLayerAt,
  layer: DrawableLayer,
  origins: Origins,
): ComposedLayer | undefined {
  const { id, source, style, area, claims } = layer;
  const { opacity, cache } = source.render_settings as RenderSettings;
  const about = { id, area, claims, isKept: cache !== false, labels: labelsOf(at, layer, origins) };
  if (layer.labels && !style.compiled.visibleAt(at.z)) return { ...about, shapes: [] };
  if (style.drawing?.heat) return { ...about, shapes: [heatOf(at, layer, origins)] };
  const found = layerOriginOf(at, layer, origins);
  if (!found) return undefined;
  const shape: MapLayer = {
    name: `layer_${id}`,
    ...found.origin,
    ...(opacity === undefined ? {} : { opacity }),
  };
  return {
    ...about,
    shapes: [shape],
    spriteLayer: spriteLayerOf(at, layer, origins),
    ...(found.external ? { external: { layerId: id, source: found.external } } : {}),
  };
}

const labelsOf = (
  { lng, main, labelsAround }: ComposeLayerAt,
  { id, source: { columns }, labels }: DrawableLayer,
  { database }: Origins,
): LabelPass[] =>
  labels && labelsAround
    ? labelPasses({ id, columns, lng, main }, labels, { around: labelsAround, database })
    : [];

function heatOf(at: ComposeLayerAt, { source, style }: DrawableLayer, { database }: Origins): HeatPass {
  const { opacity } = source.render_settings as RenderSettings;
  const { table, ...pass } = heatPass({ ...source, main: at.main }, style.drawing!.heat!, at.z);
  return {
    ...pass,
    opacity: pass.opacity * (opacity ?? 1),
    datasource: datasource(database, table),
  };
}

/** The layer with its small features as sprites; undefined where the grid, the style or the settings do not allow it. */
function spriteLayerOf(
  at: ComposeLayerAt,
  { source: content, style }: DrawableLayer,
  origins: Origins,
): SpriteLayer | undefined {
  const grid = at.spriteGrids?.get(content.id);
  if (!grid) return undefined;
  const source = layerSourceOf(at, content, style);
  const larger = objectsOrigin({ ...source, withoutSmallFeaturesAt: grid.level }, style, origins);
  const isPlain = content.type === 'layer' && !style.drawing && content.render_settings.opacity === undefined;
  if (!larger || !isPlain) return undefined;
  const part = spriteLayer(source, style.compiled, { ...grid, scale: at.scale });
  return part && { ...part, larger: { name: `layer_${content.id}`, ...larger } };
}
