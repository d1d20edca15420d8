import type { SourceLayer } from './sources.js';

/** `render_settings` of a layer or a map; their forms are checked when they are stored. */
export interface RenderSettings {
  minZoom?: number;
  maxZoom?: number;
  opacity?: number;
  buffer?: number;
  cache?: boolean;
}

/** A layer with the settings of its map: the narrower zoom levels, both opacities, the map's buffer where the layer says none. */
export function withMap<L extends Pick<SourceLayer, 'render_settings'>>(layer: L, map: RenderSettings): L {
  const own = layer.render_settings as RenderSettings;
  const { buffer = map.buffer } = own;
  const opacity = (own.opacity ?? 1) * (map.opacity ?? 1);
  const render_settings: RenderSettings = {
    minZoom: Math.max(own.minZoom ?? 0, map.minZoom ?? 0),
    maxZoom: Math.min(own.maxZoom ?? 24, map.maxZoom ?? 24),
    cache: own.cache !== false && map.cache !== false,
    ...(opacity === 1 ? {} : { opacity }),
    ...(buffer === undefined ? {} : { buffer }),
  };
  return { ...layer, render_settings: render_settings as Record<string, unknown> };
}
