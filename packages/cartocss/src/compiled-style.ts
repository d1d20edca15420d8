import type { FontSet } from './mapnik/font-set.js';
import type { Around } from './reach/around.js';
import type { LabelChoice } from './reach/labels.js';
import type { PaintReach } from './reach/paint-reach.js';
import type { PieceDrawing } from './reach/pieces.js';
import type { Distinction } from './rules/distinctions.js';
import type { FeatureFilter } from './rules/feature-filter.js';
import type { LayerCompositing } from './rules/layer-compositing.js';
import type { RuleStyle } from './rules/rules.js';

/** The settings of `Map{}`. */
export interface CompiledMapStyle {
  /** `#rrggbb` or `rgba(r, g, b, a)`. */
  readonly backgroundColor?: string;
  /** Pixels. */
  readonly bufferSizePx?: number;
}

/** A layer's style as Mapnik reads it. Callers share it: it is immutable. */
export interface CompiledStyle {
  /** Depends on the style, the layer, the icons and the fonts. */
  readonly hash: string;
  /** Bottom to top. Each name contains the hash, so equal names mean equal styles. */
  readonly styles: readonly { readonly name: string; readonly xml: string }[];
  readonly fontSets: readonly FontSet[];
  /** The columns that the style reads at any zoom level. */
  readonly columns: readonly string[];
  columnsAt(zoom: number): string[];
  /** Those of them that labels and shields write. */
  labelColumnsAt(zoom: number): string[];
  /** Whether the style has a symbolizer at this zoom level. */
  visibleAt(zoom: number): boolean;
  /** A condition that every feature drawn at this zoom level meets. Features that are not drawn may meet it, too. */
  filterAt(zoom: number): FeatureFilter;
  /** Width of the margin around a tile from which features are read at this zoom level: 8 to 256 pixels. */
  aroundAt(zoom: number): Around;
  /** How far symbols extend beyond their feature at this zoom level. */
  reachAt(zoom: number): PaintReach;
  /**
   * The expressions that decide the appearance at this zoom level: features of one shape for which they are equal look
   * alike in each style. undefined: the appearance depends on more.
   */
  distinctionsAt(zoom: number): readonly Distinction[] | undefined;
  /**
   * The labels and markers at this zoom level, style by style from the bottom. Each label is placed at one point in one text style, above
   * all shapes of the layer, and no shape blocks it. undefined: the labels are not that simple, or it is not known.
   */
  plainLabelsAt(zoom: number): readonly (readonly LabelChoice[])[] | undefined;
  /** How all that is drawn at this zoom level is laid over what is below; undefined: plainly, or there is more to it. */
  layerCompositingAt(zoom: number): LayerCompositing | undefined;
  /** The style without the opacity and blending of its parts as a whole. */
  withoutCompositing(): CompiledStyle;
  /** The style without its labels and the markers that avoid others. */
  shapes(): CompiledStyle;
  /** The style without its labels. */
  withoutTexts(): CompiledStyle;
  /** A style that draws a marker of `plainLabelsAt`, by its key, for each feature. */
  markerAlone(key: string): CompiledStyle;
  /** The styles that draw something at this zoom level, each alone, bottom to top. */
  separateAt(zoom: number): readonly CompiledStyle[];
  /** How the style draws lines and polygons from pieces at this zoom level; undefined: it needs whole shapes. */
  piecesAt(zoom: number): PieceDrawing | undefined;
  /** The style without text and shields, and with these alone. */
  divided(): { readonly shapes: CompiledStyle; readonly labels: CompiledStyle };
  /** The settings of `Map{}` in the layer's style. */
  readonly map: CompiledMapStyle;
  /** The rules, for legends and icons. */
  readonly rules: readonly RuleStyle[];
}
