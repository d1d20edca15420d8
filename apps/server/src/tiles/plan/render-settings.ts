import type { SourceLayer } from './map-content.js';

/** `render_settings` of a layer or a map, validated when they are stored. */
export interface RenderSettings {
  minZoom?: number;
  maxZoom?: number;
  opacity?: number;
  buffer?: number;
  cache?: boolean;
}

/** A layer with the settings of its map: the common zoom levels, the product of both opacities, the map's buffer by default. */
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
