import { geometryType } from '../expressions/expression.js';
import {
  type RuleStyle,
  type StyleRule,
  type Symbolizer,
  stylesAt,
  withSymbolizers,
} from '../rules/rules.js';

/** How a style draws lines and polygons of which it gets pieces. */
export interface PieceDrawing {
  /** The point of a polygon where its labels lie, which then stands for the whole polygon; undefined: no labels. */
  readonly labelsAt: 'centroid' | 'interior' | undefined;
  /** Whether it needs whole lines; only polygons are in pieces then. */
  readonly hasWholeLines: boolean;
}

/** Numbers of Mapnik. */
const kinds = { line: 2, polygon: 3 };

/** Whether a symbolizer is drawn above the shapes, as a label. */
const isLabel = ({ name }: Symbolizer): boolean => name === 'text' || name === 'shield';

/**
 * Whether a style may draw its lines and polygons from pieces at a zoom level, and how; undefined: some symbolizer needs whole
 * shapes, or labels lie below shapes.
 */
export function piecesAt(styles: readonly RuleStyle[], zoom: number): PieceDrawing | undefined {
  const drawn = stylesAt(styles, zoom).filter((style) => symbolizersOf(style).length);
  const lowest = drawn.findIndex((style) => symbolizersOf(style).some(isLabel));
  const labelled = lowest < 0 ? [] : drawn.slice(lowest);
  if (labelled.slice(1).some((style) => !symbolizersOf(style).every(isLabel))) return undefined;
  if (labelled.some(({ settings }) => settings.size)) return undefined;
  const places = new Set<'centroid' | 'interior'>();
  let hasWholeLines = false;
  for (const rule of drawn.flatMap(({ rules }) => rules)) {
    const shapes = rule.symbolizers.filter((one) => !isLabel(one));
    // Mapnik fills lines, too, whose ends it joins.
    if (mayMeet(rule, kinds.line) && !shapes.every((one) => one.name !== 'polygon' && drawsPieces(one)))
      hasWholeLines = true;
    if (!mayMeet(rule, kinds.polygon)) continue;
    if (!shapes.every(drawsPieces)) return undefined;
    for (const label of rule.symbolizers.filter(isLabel)) {
      const place = pointOf(label);
      if (!place) return undefined;
      places.add(place);
    }
  }
  if (places.size > 1) return undefined;
  return { labelsAt: [...places][0] ?? (labelled.length ? 'interior' : undefined), hasWholeLines };
}

const symbolizersOf = ({ rules }: RuleStyle): Symbolizer[] => rules.flatMap(({ symbolizers }) => symbolizers);

/** Whether features of a kind of geometry may meet the conditions of a rule. */
const mayMeet = ({ conditions }: StyleRule, kind: number): boolean =>
  conditions.every(({ key, op, constant }) => key !== `[${geometryType}]` || op !== '=' || constant === kind);

const needsWholeShape = ({ settings }: Symbolizer): boolean =>
  [...settings.values()].some(({ property }) => property.needsWholeShape);

/** Whether it draws each part of a shape by itself. */
const drawsPieces = (symbolizer: Symbolizer): boolean =>
  (symbolizer.name === 'polygon' || symbolizer.name === 'line') && !needsWholeShape(symbolizer);

/** The point of a polygon at which a label lies; undefined where it needs more. */
function pointOf(label: Symbolizer): 'centroid' | 'interior' | undefined {
  if (needsWholeShape(label)) return undefined;
  const placement = label.settings.get(`${label.name}-placement`)?.attribute.text ?? 'point';
  return placement === 'interior' ? 'interior' : placement === 'point' ? 'centroid' : undefined;
}

/** The styles with the labels alone, or without them. Those that draw nothing are omitted. */
export const dividedAtLabels = (
  styles: readonly RuleStyle[],
): { shapes: RuleStyle[]; labels: RuleStyle[] } => ({
  shapes: withSymbolizers(styles, (one) => !isLabel(one)),
  labels: withSymbolizers(styles, isLabel),
});
