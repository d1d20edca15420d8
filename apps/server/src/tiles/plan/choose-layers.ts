import {
  type Around,
  allSides,
  type CompiledStyle,
  type LayerCompositing,
  widest,
} from '@cartulary/cartocss';
import { mapInSlices } from '@cartulary/runtime';
import { demandRunning, isExternal, isRaster } from '../../layers/layers.js';
import { visualOf } from '../../layers/visual/visual.js';
import { type DrawnDependency, dependencyOf } from './dependencies.js';
import { type LayerStyle, layerStyle } from './layer-style.js';
import type { MapContent } from './map-content.js';

export type LayerContent = MapContent['layers'] extends ReadonlyMap<number, infer L> ? L : never;

/** A layer that its zoom levels, opacity and style let appear at a zoom level. */
export interface DrawableLayer extends DrawnDependency {
  source: LayerContent;
  style: LayerStyle;
  /** Pixels of the style around a picture in which the layer's objects can appear in the picture. */
  around: Around;
  /** How the layer is laid over what is below it; absent: plainly. */
  compositing?: LayerCompositing;
  /** Labels and markers that the renderer draws itself, and the style of these; `style` then draws the shapes alone. */
  labels?: NonNullable<PlainLabels>;
  whole?: CompiledStyle;
}

export type PlainLabels = ReturnType<CompiledStyle['plainLabelsAt']>;

/**
 * Those of the layers `ids` of which something is drawn at a zoom level. In slices, since a map may have thousands of layers, whose
 * styles are compiled. Throws `style_invalid` and `query_invalid`.
 */
export async function drawableLayers(
  z: number,
  ids: readonly number[],
  { layers, icons }: Pick<MapContent, 'layers' | 'icons'>,
): Promise<DrawableLayer[]> {
  const drawable = await mapInSlices(ids, (id) => drawableLayer(z, layers.get(id)!, icons));
  return drawable.flatMap((layer) => layer ?? []);
}

function drawableLayer(
  z: number,
  source: LayerContent,
  icons: MapContent['icons'],
): DrawableLayer | undefined {
  const { minZoom, maxZoom, opacity, buffer } = source.render_settings;
  if (z < (minZoom ?? 0) || z > (maxZoom ?? 24) || opacity === 0) return undefined;
  if (source.css_style.trim() === '' && !visualOf(source)) return undefined;
  demandRunning(source);
  const about = { id: source.id, source, ...compositingOf(z, source, layerStyle(source, icons)) };
  const { compiled, drawing } = about.style;
  if (drawing?.heat) return { ...about, area: 'all', claims: false, around: allSides(0) };
  if (!compiled.visibleAt(z)) return undefined;
  const reach = widest([compiled.aroundAt(z), allSides(drawing?.reachPx ?? 0)]);
  const around = buffer === undefined ? reach : allSides(buffer);
  return { ...about, ...dependencyOf(source, about.style, z), around };
}

/** How a layer is laid over what is below it, by its settings and its style, and the style without that: fast paths know it there. */
function compositingOf(
  z: number,
  source: LayerContent,
  style: LayerStyle,
): Pick<DrawableLayer, 'style' | 'compositing'> {
  const { opacity } = source.render_settings;
  const ofLayer: Pick<DrawableLayer, 'compositing'> =
    opacity === undefined ? {} : { compositing: { opacity, blending: 'src-over' } };
  const ofStyle = isRaster(source) || isExternal(source) ? undefined : style.compiled.layerCompositingAt(z);
  if (!ofStyle) return { style, ...ofLayer };
  const rest = { ...style, compiled: style.compiled.withoutCompositing() };
  // On its own transparent picture, which an opacity of the layer demands, a style blends with nothing.
  if (opacity !== undefined)
    return { style: rest, compositing: { opacity: opacity * ofStyle.opacity, blending: 'src-over' } };
  // Without an effect nothing is laid over as a whole: symbols blend with what is below the layer.
  const isPlain = ofStyle.opacity === 1 && ofStyle.blending === 'src-over';
  return { style: rest, ...(isPlain ? {} : { compositing: ofStyle }) };
}

/** Layers of a picture, and how their labels are drawn. */
export interface ChosenLayers {
  layers: readonly DrawableLayer[];
  /** Pixels of the style around a picture in which labels compete; undefined: Mapnik draws all labels. */
  labelsAround: Around | undefined;
}

/**
 * Chooses what draws the labels of a picture: the renderer itself (the fast path) where every symbol that looks for room
 * is a plain label or marker, else Mapnik. Labels avoid each other, so one of both draws all of them.
 */
export async function chooseLabels(
  z: number,
  layers: readonly DrawableLayer[],
  isFastAllowed: boolean,
): Promise<ChosenLayers> {
  const labels = await mapInSlices(layers, (layer) =>
    isFastAllowed && layer.claims ? plainLabels(z, layer) : undefined,
  );
  const avoidsNothing = ({ style, claims }: DrawableLayer): boolean =>
    !claims && (style.drawing?.heat !== undefined || !style.compiled.reachAt(z).avoids);
  const isFast = layers.every((layer, i) => labels[i] || avoidsNothing(layer));
  const last = labels.findLastIndex((styles) =>
    styles?.flat().some(({ label, claim }) => label || claim?.avoidsOthers),
  );
  if (!isFast || last < 0) return { layers, labelsAround: undefined };
  return {
    layers: layers.map((layer, i) =>
      // Above the last symbol that looks for room, claims change nothing.
      labels[i] ? { ...layer, ...shapesAt(z, layer), labels: i > last ? [] : labels[i] } : layer,
    ),
    labelsAround: widest(layers.filter((_, i) => labels[i] && i <= last).map(({ around }) => around)),
  };
}

function plainLabels(z: number, { source, style }: DrawableLayer): PlainLabels {
  const hasObjects = !isRaster(source) && !isExternal(source) && !isComputed(style.drawing);
  return hasObjects ? style.compiled.plainLabelsAt(z) : undefined;
}

/** Whether a visualization computes shapes from the objects. */
export const isComputed = (drawing: LayerStyle['drawing']): boolean =>
  Boolean(drawing?.cells || drawing?.parts || drawing?.heat);

function shapesAt(
  z: number,
  { source, style, around }: DrawableLayer,
): Pick<DrawableLayer, 'style' | 'around' | 'whole'> {
  const compiled = style.compiled.shapes();
  const { buffer } = source.render_settings;
  return {
    style: { ...style, compiled },
    around: buffer === undefined ? compiled.aroundAt(z) : around,
    whole: style.compiled,
  };
}
