import { type CompiledStyle, compileLayerStyle } from '@cartulary/cartocss';
import { drawingOf, type VisualDrawing } from '@cartulary/visualizations';
import { styleLayer } from '../../layers/styles/style.js';
import { visualOf, visualStyleLayer } from '../../layers/visual/visual.js';
import type { SourceLayer } from './map-content.js';
import { ownStops } from './raster-source.js';

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

/** The compiled style of a layer, and the drawing of a visualization. */
export interface LayerStyle {
  compiled: CompiledStyle;
  drawing?: VisualDrawing | undefined;
}

/** Compiles a layer's style; `icons`: name → file. Throws `style_invalid`. */
export function layerStyle(layer: Styled, icons: ReadonlyMap<string, string>): LayerStyle {
  const visual = visualOf(layer);
  if (!visual) return { compiled: ownStyle(layer, icons) };
  const drawing = drawingOf(visual);
  return {
    compiled: compileLayerStyle(drawing.css, visualStyleLayer(visual, layer.code, layer.columns), { icons }),
    drawing,
  };
}

/**
 * Compiles a layer's own style. A layer without columns may have a style that reads any column: columns come with its
 * data, and are null until then.
 */
export function ownStyle(
  { code, css_style, columns, raster }: Styled,
  icons: ReadonlyMap<string, string>,
): CompiledStyle {
  const layer = { ...styleLayer(code, columns), stops: ownStops(raster) };
  const hasOwn = columns.some(({ code: name }) => name !== 'svc_id' && name !== 'geom');
  return compileLayerStyle(css_style, hasOwn ? layer : { ...layer, columns: undefined }, { icons });
}
