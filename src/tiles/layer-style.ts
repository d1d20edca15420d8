import { styleLayer } from '../layers/style.js';
import { type CompiledStyle, compileLayerStyle } from '../styles/compile.js';
import { ownStops } from './raster-source.js';
import type { SourceLayer } from './sources.js';

/**
 * A layer's style, compiled. One that has no columns of its own yet may carry a style that reads any: they come with
 * its data, until then they are null. Throws `style_invalid`.
 */
export function layerStyle(
  { code, css_style, columns, raster }: Pick<SourceLayer, 'code' | 'css_style' | 'columns' | 'raster'>,
  icons: ReadonlyMap<string, string>,
): CompiledStyle {
  const layer = { ...styleLayer(code, columns), stops: ownStops(raster) };
  const hasOwn = columns.some(({ code: name }) => name !== 'svc_id' && name !== 'geom');
  return compileLayerStyle(css_style, hasOwn ? layer : { ...layer, columns: undefined }, { icons });
}
