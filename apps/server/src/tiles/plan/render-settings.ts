/** `render_settings` of a layer or a map, validated when they are stored. */
export interface RenderSettings {
  minZoom?: number;
  maxZoom?: number;
  opacity?: number;
  buffer?: number;
  cache?: boolean;
}

/** The settings of a layer together with those of its map: the common zoom levels, the product of both opacities, the map's buffer by default. */
export function withMap(own: RenderSettings, map: RenderSettings): RenderSettings {
  const { buffer = map.buffer } = own;
  const opacity = (own.opacity ?? 1) * (map.opacity ?? 1);
  return {
    minZoom: Math.max(own.minZoom ?? 0, map.minZoom ?? 0),
    maxZoom: Math.min(own.maxZoom ?? 24, map.maxZoom ?? 24),
    cache: own.cache !== false && map.cache !== false,
    ...(opacity === 1 ? {} : { opacity }),
    ...(buffer === undefined ? {} : { buffer }),
  };
}
