import { type Around, allSides, type CompiledStyle, widest } from '@cartulary/cartocss';
import { demandRunning, isExternal, isRaster } from '../../layers/layers.js';
import { visualOf } from '../../layers/visual/visual.js';
import { type DrawnDependency, dependencyOf } from './dependencies.js';
import { type LayerStyle, layerStyle } from './layer-style.js';
import type { MapContent } from './map-content.js';
import type { RenderSettings } from './render-settings.js';

export type LayerContent = MapContent['layers'] extends ReadonlyMap<number, infer L> ? L : never;

/** A layer that its zoom levels, opacity and style let appear at a zoom level. */
export interface DrawableLayer extends DrawnDependency {
  source: LayerContent;
  style: LayerStyle;
  /** Pixels of the style around a picture in which the layer's objects can appear in the picture. */
  around: Around;
  /** Labels and markers that the renderer draws itself, and the style of these; `style` then draws the shapes alone. */
  labels?: NonNullable<PlainLabels>;
  whole?: CompiledStyle;
}

export type PlainLabels = ReturnType<CompiledStyle['plainLabelsAt']>;

/** The layer as it is drawn at a zoom level; undefined when nothing of it is drawn. Throws `style_invalid` and `query_invalid`. */
export function drawableLayer(
  z: number,
  source: LayerContent,
  icons: MapContent['icons'],
): DrawableLayer | undefined {
  const { minZoom, maxZoom, opacity, buffer } = source.render_settings as RenderSettings;
  if (z < (minZoom ?? 0) || z > (maxZoom ?? 24) || opacity === 0) return undefined;
  if (source.css_style.trim() === '' && !visualOf(source)) return undefined;
  demandRunning(source);
  const about = { id: source.id, ...withOpacityOfStyle(z, source, layerStyle(source, icons)) };
  const { compiled, drawing } = about.style;
  if (drawing?.heat) return { ...about, area: 'all', claims: false, around: allSides(0) };
  if (!compiled.visibleAt(z)) return undefined;
  const reach = widest([compiled.aroundAt(z), allSides(drawing?.reachPx ?? 0)]);
  const around = buffer === undefined ? reach : allSides(buffer);
  return { ...about, ...dependencyOf(source, about.style, z), around };
}

/** The layer with the opacity of its style among its settings, where that is the opacity of all that is drawn: fast paths know it there. */
function withOpacityOfStyle(
  z: number,
  source: LayerContent,
  style: LayerStyle,
): Pick<DrawableLayer, 'source' | 'style'> {
  const opacity = isRaster(source) || isExternal(source) ? undefined : style.compiled.wholeOpacityAt(z);
  if (opacity === undefined) return { source, style };
  const settings = source.render_settings as RenderSettings;
  // An opacity of 1 lays nothing over as a whole: symbols blend with what is below the layer.
  const render_settings =
    opacity === 1 ? source.render_settings : { ...settings, opacity: opacity * (settings.opacity ?? 1) };
  return {
    source: { ...source, render_settings },
    style: { ...style, compiled: style.compiled.withoutOpacity() },
  };
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
export function chooseLabels(
  z: number,
  layers: readonly DrawableLayer[],
  isFastAllowed: boolean,
): ChosenLayers {
  const labels = layers.map((layer) => (isFastAllowed && layer.claims ? plainLabels(z, layer) : undefined));
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
  const { buffer } = source.render_settings as RenderSettings;
  return {
    style: { ...style, compiled },
    around: buffer === undefined ? compiled.aroundAt(z) : around,
    whole: style.compiled,
  };
}
