import type { CompiledStyle, MapLayer } from '@cartulary/cartocss';
import { type ChunkGrid, namingColumns, type SmallFeaturePass } from '@cartulary/renderer';
import { sql } from '@cartulary/sql';
import type { DrawnDependency } from '../plan/dependencies.js';
import { type LayerSource, styleColumns } from '../plan/sql/layer-source.js';
import { type SmallFeatureSource, smallFeatureSource } from './source.js';
import { spriteStyle } from './sprite-style.js';

/** A layer whose small features are drawn as sprites, above its other objects. */
export interface SpriteLayer {
  /** The layer without its small features, where it may have others. */
  larger: readonly MapLayer[];
  /** One for each style of the layer, bottom to top: all fills lie below all borders. */
  passes: readonly SmallFeaturePass[];
  source: SmallFeatureSource;
}

/** Largest reach of symbols that are drawn as sprites, pixels. */
export const maxReachPx = 128;
/** Largest reach that is tried where it does not follow from the style. */
const maxLikelyReachPx = 32;

/** Styles of a layer beyond which sprites save no time: each draws all features. */
const maxStyles = 4;

/** The small features of a layer at a level, as sprites; undefined where the style does not draw each feature by itself and by its values alone. */
export function spriteLayer(
  source: LayerSource,
  compiled: CompiledStyle,
  { level, depth, scale }: ChunkGrid & { scale: number },
): Pick<SpriteLayer, 'passes' | 'source'> | undefined {
  const distinctions = compiled.distinctionsAt(source.zoom);
  const { pixels, likelyPixels } = compiled.reachAt(source.zoom);
  // A likely reach is checked when the sprites are drawn.
  const reach = pixels === undefined ? Math.min(maxLikelyReachPx, likelyPixels ?? 0) * scale : pixels * scale;
  const styles = compiled.separateAt(source.zoom);
  if (!distinctions || reach > maxReachPx || styles.length > maxStyles) return undefined;
  const blendings = styles.map((style) => style.reachAt(source.zoom).blending);
  if (!blendings.every((one) => one !== undefined)) return undefined;
  const values = styleColumns(source);
  if (source.read.includes('svc_id')) values.set('svc_id', sql`t.svc_id`);
  const { id, filter } = source;
  const at = { layerId: id, zoom: source.zoom, scale, reachPx: reach };
  const passOf = (style: CompiledStyle, i: number): SmallFeaturePass => ({
    kind: 'small-features',
    ...spriteStyle(namingColumns(style, source.read), at),
    ratio: 1,
    chunks: [],
    blending: blendings[i]!,
  });
  return {
    passes: styles.map(passOf),
    source: smallFeatureSource({ layerId: id, level, depth, filter, distinctions, values }),
  };
}

/** Whether a map may be divided above a part: symbols above it must not need to avoid claiming symbols below it. */
export const mayDivideMapAbove = (parts: readonly DrawnDependency[], at: number): boolean =>
  !(
    parts.slice(0, at + 1).some(({ claims }) => claims) &&
    parts.slice(at + 1).some(({ area: reads }) => reads === 'block')
  );
