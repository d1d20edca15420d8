import type { Around, CompiledStyle, LayerCompositing, MapLayer } from '@cartulary/cartocss';
import type { HeatPass, LabelPass } from '@cartulary/renderer';
import { isExternal } from '../../layers/layers.js';
import type { DrawnExternal } from '../render/externals.js';
import type { LayerChunks } from '../small-features/layers.js';
import { type SpriteLayer, spriteLayer } from '../small-features/sprite-layer.js';
import { type DrawableLayer, isComputed } from './choose-layers.js';
import type { DrawnDependency } from './dependencies.js';
import { labelPasses, labelPassesInChunks } from './label-passes.js';
import {
  type DrawAt,
  layerOriginOf,
  layerSourceOf,
  type Origins,
  objectsOrigin,
  type ReadAt,
} from './layer-origin.js';
import { datasource } from './sql/datasource.js';
import { heatPass } from './sql/heat-sql.js';
import type { LayerSource } from './sql/layer-source.js';

/** The Mapnik layers and passes of one layer. */
export interface ComposedLayer extends DrawnDependency {
  /** How the layer is laid over what is below it; absent: plainly, or its parts are. */
  compositing?: LayerCompositing | undefined;
  shapes: readonly (MapLayer | HeatPass)[];
  labels: readonly LabelPass[];
  spriteLayer?: SpriteLayer | undefined;
  /** The labels in chunks. */
  labelChunks?: ReturnType<typeof labelPassesInChunks>;
  isKept: boolean;
  external?: DrawnExternal;
  /** Whether the layer is an image that must be warped into the plane. */
  isWarped?: boolean;
}

interface ComposeLayerAt extends ReadAt, DrawAt {
  labelsAround: Around | undefined;
  isBeyondWorld?: boolean | undefined;
  /** Chunks by layer. */
  chunkGrids?: ReadonlyMap<number, LayerChunks> | undefined;
  /** Layers whose large shapes are in pieces. */
  pieces?: ReadonlySet<number> | undefined;
}

/** Composes a layer at a zoom level; undefined where nothing of it is drawn. */
export function composeLayer(
  at: ComposeLayerAt,
  layer: DrawableLayer,
  origins: Origins,
): ComposedLayer | undefined {
  const { id, source, style, area, claims, compositing } = layer;
  const { cache } = source.render_settings;
  const about = { id, area, claims, isKept: cache !== false, ...labelsOf(at, layer, origins) };
  if (layer.labels && !style.compiled.visibleAt(at.z)) return { ...about, compositing, shapes: [] };
  if (style.drawing?.heat) return { ...about, shapes: [heatOf(at, layer, origins)] };
  const found = layerOriginOf(at, layer, origins);
  if (!found) return undefined;
  const shape: MapLayer = { name: `layer_${id}`, ...found.origin };
  return {
    ...about,
    compositing: found.isWarped ? undefined : compositing,
    // The pictures of an external layer change without a new version.
    ...(found.isWarped ? { isWarped: true, isKept: about.isKept && !isExternal(source) } : {}),
    shapes: fromPieces(at, layer, origins) ?? [shape],
    spriteLayer: spriteLayerOf(at, layer, origins),
    ...(found.external ? { external: { layerId: id, source: found.external } } : {}),
  };
}

/** Whether the large shapes of a layer are read in pieces: a filter of the request and another plane hide the versions of rows. */
const hasPieces = (
  { pieces, filters, plane }: ComposeLayerAt,
  { id, source, style }: DrawableLayer,
): boolean =>
  pieces?.has(id) === true &&
  !plane &&
  source.type === 'layer' &&
  !filters?.has(id) &&
  !isComputed(style.drawing) &&
  style.drawing?.place !== 'point';

/** The layer with its large shapes in pieces, and its labels above; undefined where the style needs whole shapes. */
function fromPieces(at: ComposeLayerAt, layer: DrawableLayer, { database }: Origins): MapLayer[] | undefined {
  const { id, source, style, compositing } = layer;
  const drawing = hasPieces(at, layer) ? style.compiled.piecesAt(at.z) : undefined;
  if (!drawing || (compositing && drawing.labelsAt)) return undefined;
  const part = (name: string, compiled: CompiledStyle, pieces: LayerSource['pieces']): MapLayer[] => {
    const origin = objectsOrigin(
      { ...layerSourceOf(at, source, { ...style, compiled }), pieces },
      { compiled },
      { database },
    );
    return origin ? [{ name, ...origin }] : [];
  };
  const kind = drawing.hasWholeLines ? 'areas' : 'shapes';
  if (!drawing.labelsAt) return part(`layer_${id}`, style.compiled, kind);
  const { shapes, labels } = style.compiled.divided();
  return [...part(`layer_${id}`, shapes, kind), ...part(`layer_${id}_labels`, labels, drawing.labelsAt)];
}

function labelsOf(
  at: ComposeLayerAt,
  layer: DrawableLayer,
  { database }: Origins,
): Pick<ComposedLayer, 'labels' | 'labelChunks'> {
  const { lng, main, plane, labelsAround: around, filters, scale, z: zoom } = at;
  const { id, source, style, labels, whole } = layer;
  if (!labels || !whole || !around) return { labels: [] };
  const pieces = hasPieces(at, layer) ? 'shapes' : undefined;
  const { columns } = source;
  const { drawing } = style;
  const only = filters?.get(id);
  const read = { id, columns, lng, main, plane, only, pieces, drawing, zoom, scale } as const;
  const grid = at.chunkGrids?.get(id);
  const options = { around, database, markerAlone: whole.markerAlone };
  // Labels of chunks are in the order of ids.
  const isOfTiles = !only && !plane && !at.isBeyondWorld;
  const mayHaveChunks = source.type === 'layer' && !pieces && isOfTiles && !drawing?.largestFirst;
  return {
    labels: labelPasses(read, labels, options),
    labelChunks: grid && mayHaveChunks ? labelPassesInChunks(read, labels, { ...options, grid }) : undefined,
  };
}

function heatOf(
  at: ComposeLayerAt,
  { source, style, compositing }: DrawableLayer,
  { database }: Origins,
): HeatPass {
  const { table, ...pass } = heatPass(
    { ...source, lng: at.lng, main: at.main, plane: at.plane, only: at.filters?.get(source.id) },
    style.drawing!.heat!,
    at.z,
  );
  return {
    ...pass,
    opacity: pass.opacity * (compositing?.opacity ?? 1),
    datasource: datasource(database, table),
  };
}

/** Whether each object is drawn once, with its own shape, in the order of ids. */
const hasOwnShapes = ({ drawing }: DrawableLayer['style']): boolean =>
  !drawing || (drawing.place === 'shape' && !drawing.largestFirst && !isComputed(drawing));

/** The layer with its small features as sprites; undefined where the grid, the style or the settings do not allow it. */
function spriteLayerOf(
  at: ComposeLayerAt,
  { source: content, style }: DrawableLayer,
  origins: Origins,
): SpriteLayer | undefined {
  const grid = at.chunkGrids?.get(content.id);
  if (!grid?.hasSprites) return undefined;
  const source = layerSourceOf(at, content, style);
  const isBeyondWorld = at.isBeyondWorld === true;
  const outside = { level: grid.level, isBeyondWorld };
  const larger = objectsOrigin({ ...source, outside }, style, origins);
  if (!larger || content.type !== 'layer' || !hasOwnShapes(style)) return undefined;
  const part = spriteLayer(source, style.compiled, { ...grid, scale: at.scale });
  const hasOthers = grid.hasLarger || isBeyondWorld;
  return part && { ...part, larger: hasOthers ? [{ name: `layer_${content.id}`, ...larger }] : [] };
}
