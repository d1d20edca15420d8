import { styleLayer } from '../layers/style.js';
import { visualOf, visualStyleLayer } from '../layers/visual/visual.js';
import { type CompiledStyle, compileLayerStyle } from '../styles/compile.js';
import { drawingOf, type VisualDrawing } from '../visualizations/visualization.js';
import { ownStops } from './raster-source.js';
import type { SourceLayer } from './sources.js';

type Styled = Pick<
  SourceLayer,
  | 'code'
  | 'css_style'
  | 'columns'
  | 'raster'
  | 'visual_settings'
  | 'visual_custom_settings'
  | 'visual_classes'
>;

/** How a layer is drawn: its style, compiled, and where it is a visualization what its source is. */
export interface LayerStyle {
  compiled: CompiledStyle;
  drawing?: VisualDrawing | undefined;
}

/** A layer's style; `icons`: name → file. Throws `style_invalid`. */
export function layerStyle(layer: Styled, icons: ReadonlyMap<string, string>): LayerStyle {
  const visual = visualOf(layer);
  if (!visual) return { compiled: ownStyle(layer, icons) };
  const drawing = drawingOf(visual);
  return {
    compiled: compileLayerStyle(drawing.css, visualStyleLayer(visual, layer.code, layer.columns), { icons }),
    drawing,
  };
}

/** One that has no columns of its own yet may carry a style that reads any: they come with its data, until then they are null. */
export function ownStyle(
  { code, css_style, columns, raster }: Styled,
  icons: ReadonlyMap<string, string>,
): CompiledStyle {
  const layer = { ...styleLayer(code, columns), stops: ownStops(raster) };
  const hasOwn = columns.some(({ code: name }) => name !== 'svc_id' && name !== 'geom');
  return compileLayerStyle(css_style, hasOwn ? layer : { ...layer, columns: undefined }, { icons });
}
