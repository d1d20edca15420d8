import type { Pass } from '@cartulary/renderer';
import type { DrawnExternal } from '../render/externals.js';
import type { LabelChunkSource } from '../small-features/label-source.js';
import type { SmallFeatureSource } from '../small-features/source.js';
import type { LayerDependency } from './dependencies.js';

/** A Mapnik map and the passes above it. */
export interface MapComposition {
  xml: string;
  /** Hash of the XML and the passes. */
  xmlKey: string;
  /** Passes above the map, from the first layer that Mapnik does not draw. */
  above: readonly Pass[];
}

/** A composition that draws the small features of large layers as sprites, in passes of their own, and labels in chunks. */
export interface SpriteComposition extends MapComposition {
  sources: readonly (SmallFeatureSource | LabelChunkSource)[];
}

/** The drawing of a request, without its place. */
export interface Composition extends MapComposition {
  /** Key of the picture; it contains no address or credentials of the database. */
  cacheKey: string;
  /** The fast path: the same picture with sprites. */
  withSprites?: SpriteComposition | undefined;
  /** Pixels of the style that Mapnik draws around a picture. */
  bufferSize: number;
  /** Pixels of the style around a picture in which objects can change it. */
  around: number;
  /** Whether the picture shows the background alone. */
  isEmpty: boolean;
  /** Whether the cache keeps the tiles: no layer is external, and every `render_settings.cache` allows it. */
  isKept: boolean;
  /** External layers; their pictures change without a new version. */
  externals: readonly DrawnExternal[];
  /** Layers that are images, to be drawn in EPSG:3857 and warped into the plane of the picture. */
  warped: readonly number[];
  /** The layers, and the area of the objects on which a tile depends. */
  dependencies: readonly LayerDependency[];
}
