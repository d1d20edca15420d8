import type {
  Around,
  Blending,
  LayerCompositing,
  MapLayer,
  MarkerClaim,
  TextLook,
} from '@cartulary/cartocss';
import type { Extent } from '@cartulary/geo';

/** A heat map: weights in a grid, which the renderer spreads and colours. */
export interface HeatPass {
  kind: 'heat';
  /** Rows with `x`, `y` (cells from the north-western corner of the world), `weight` and `radius` (pixels). */
  datasource: MapLayer['datasource'];
  /** Width of a cell, metres of EPSG:3857. */
  cell: number;
  /** Cells per pixel of radius. */
  radiusScale: number;
  /** Cells around a picture whose weights reach into it. */
  reach: number;
  /** The density of the last colour: weights in a square as wide as the radius. */
  peak: number;
  colors: readonly string[];
  opacity: number;
}

/** How Mapnik draws sprites: one for each kind of feature, size and position within a pixel. */
export interface SpriteStyle {
  layerId: number;
  /** Width of a pixel for which the rules of the style apply, metres of EPSG:3857. */
  pixel: number;
  /** Pixels around a feature's own pixel that a sprite may colour. */
  reach: number;
  /** Mapnik XML of the sprite sheet, with a placeholder for its features; equal texts have equal keys. */
  xml: string;
  xmlKey: string;
}

/**
 * The rows of a picture. `ratio`: pixels of the picture per pixel of the chunks, from north to south. Else they are steps of latitude, as EPSG:4326 has
 * them: `north` is the latitude of the upper edge, `perPixel` degrees, `level` that of the chunks, and the `y` of a chunk is the offset from the
 * northern edge of the world in pixels of its level.
 */
export type PictureRows = { ratio: number } | { north: number; perPixel: number; level: number };

/** The small features of a layer, drawn as sprites. */
export interface SmallFeaturePass extends SpriteStyle {
  kind: 'small-features';
  /** Pixels of the picture per pixel of the chunks, at most 1: the level of the chunks is the picture's or a deeper one. */
  ratio: number;
  /** Encoded chunks, each with the offset in pixels from the picture's corner to its own. */
  chunks: readonly { bytes: Uint8Array; x: number; y: number }[];
  /** Of a picture whose rows are not as high as its columns are wide, in metres of EPSG:3857. */
  rows?: PictureRows;
  /** How the sprites are laid over what is below them. */
  blending: Blending;
}

/** Red, green and blue up to 255, and opacity up to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, opacity: number];

/** The look of a label, with colours as numbers. Lengths are pixels of the style. */
export interface LabelLook extends Omit<TextLook, 'fill' | 'opacity' | 'halo'> {
  readonly fill: Rgba;
  /** Radius 0: no halo. */
  readonly halo: { readonly fill: Rgba; readonly radius: number };
}

/** The place that a marker takes, and its sprites where it is drawn with the labels, or measured. */
export interface LabelClaim extends Omit<MarkerClaim, 'marker'> {
  readonly sprites?: SpriteStyle;
}

/** What a row of a label pass has at its places: a claim, a label or both. */
export interface LabelKind {
  claim?: LabelClaim | undefined;
  look?: LabelLook | undefined;
}

/** Labels and markers; one that would cover an earlier one, or an earlier claim, is left out. */
export interface LabelPass {
  kind: 'labels';
  /** One row with the column `labels`, for `LabelRows`; or chunks, which are such rows, with their order, as UTF-8. */
  rows: { datasource: MapLayer['datasource'] } | { chunksOf: string; chunks: readonly Uint8Array[] };
  kinds: readonly LabelKind[];
  /** Width of a unit of positions, metres of EPSG:3857. */
  unit: number;
  /** Pixels of the style around a picture in which labels are read. */
  around: Around;
}

/** A part of a picture that is drawn over the parts before it. */
export type Pass =
  | HeatPass
  | SmallFeaturePass
  | LabelPass
  | { kind: 'map'; xml: string; xmlKey: string; isOnce?: boolean }
  // The passes between these draw a layer, which is then laid over the parts before it.
  | { kind: 'begin-layer' }
  | ({ kind: 'end-layer' } & LayerCompositing);

/**
 * Mapnik's format for quick full-colour PNGs: the lowest compression, two to four times as fast as the default and 6 to
 * 24 % larger.
 */
export const quickPng = 'png:z=1';

/** A job of a renderer process: one picture, cut into `columns` × `rows` tiles. */
export interface RenderJob {
  /** Mapnik XML; equal texts have equal keys. */
  xml: string;
  /** Hash of the XML and the passes above it. */
  xmlKey: string;
  /** Passes above the map, bottom to top. */
  above?: readonly Pass[];
  /** Metres of EPSG:3857. */
  extent: Extent;
  columns: number;
  rows: number;
  /** Width of a tile in pixels: 256 × scale. */
  size: number;
  /** Height of a tile in pixels; default `size`. */
  height?: number;
  scale: number;
  /** Pixels of the picture that Mapnik draws around it, so that outside symbols reach in. */
  bufferSize: number;
  /** Scale by which rules are chosen; absent: that of the extent. */
  scaleDenominator?: number;
  /** Mapnik's format of the PNG. */
  format: string;
  /** Whether the XML is used once: the process does not keep its map. */
  isOnce?: boolean;
}

/** A job for the glyphs of 256 characters, as signed distance fields. */
export interface GlyphRange {
  /** Name of the fonts together. */
  name: string;
  /** Names of fonts; characters that a font lacks come from the next. */
  faces: readonly string[];
  /** The first character. */
  first: number;
}

/** A job, or the number of one that is not wanted any more unless it is begun. */
export type ToRenderer = GivenJob | { withdrawn: number };

export interface GivenJob {
  id: number;
  job: RenderJob | GlyphRange;
}

/** Tiles row by row from the north-west, or one encoded range of glyphs. The text of an error is for the log alone: it may contain SQL.
 * `spritesImpossible`: the layer that cannot be drawn from sprites. */
export type FromRenderer =
  | { ready: true; fonts: string[] }
  | { id: number; tiles: Uint8Array[]; memory: number }
  | { id: number; isWithdrawn: true }
  | { id: number; error: string; memory: number; spritesImpossible?: number | undefined };
