import { comparison, type FilterTree } from '../rules/feature-filter.js';
import {
  type RuleStyle,
  type StyleRule,
  type Symbolizer,
  stylesAt,
  withSymbolizers,
} from '../rules/rules.js';
import type { ColumnKind } from '../values/convert.js';
import { paintReach } from './paint-reach.js';

/** The appearance of a label at a point. Lengths are pixels. */
export interface TextLook {
  /** Font names in order of preference; a glyph comes from the first font that has it. */
  readonly faces: readonly string[];
  readonly size: number;
  /** `#rrggbb` or `rgba(r, g, b, a)`. */
  readonly fill: string;
  readonly opacity: number;
  readonly halo: { readonly fill: string; readonly opacity: number; readonly radius: number };
  readonly dx: number;
  readonly dy: number;
  readonly allowOverlap: boolean;
}

/** The label, or none, of features that meet `when` and no earlier choice. */
export interface LabelChoice {
  /** Absent: all features meet it. */
  readonly when?: FilterTree;
  readonly label: { readonly column: string; readonly look: TextLook } | undefined;
}

/** The styles without their labels. Styles that only have labels are omitted. */
export const withoutLabels = (styles: readonly RuleStyle[]): RuleStyle[] =>
  withSymbolizers(styles, (symbolizer) => !isText(symbolizer));

const isText = ({ name }: Symbolizer): boolean => name === 'text';

const draws = ({ rules }: RuleStyle): boolean => rules.some(({ symbolizers }) => symbolizers.length > 0);

/** Properties that the renderer's own labels support. */
const plainProperties = new Set(
  'name face-name size fill opacity halo-fill halo-radius halo-opacity halo-rasterizer dx dy placement allow-overlap'
    .split(' ')
    .map((name) => `text-${name}`),
);

/** The context of a style's labels. */
export interface LabelParts {
  /** undefined: the columns are unknown. */
  columns: ReadonlyMap<string, ColumnKind> | undefined;
  /** The fonts of a label, with fallbacks. */
  facesOf(names: readonly string[]): readonly string[];
}

type KnownParts = LabelParts & { columns: ReadonlyMap<string, ColumnKind> };

/**
 * The labels at a zoom level, style by style from the bottom. Each is placed at one point in one text style, above all
 * shapes of the layer, and no shape blocks it. undefined: the labels are not that simple, or it is not known.
 */
export function plainLabelsAt(
  styles: readonly RuleStyle[],
  zoom: number,
  { columns, facesOf }: LabelParts,
): LabelChoice[][] | undefined {
  const drawn = stylesAt(styles, zoom).filter(draws);
  const labelled = drawn.filter((style) => style.rules.some((rule) => rule.symbolizers.some(isText)));
  const lowest = drawn.findIndex((style) => labelled.includes(style));
  const areAbove = lowest < 0 || drawn.slice(lowest + 1).every((style) => !withoutLabels([style]).length);
  const shapes = paintReach(withoutLabels(drawn), zoom);
  if (!columns || !areAbove || shapes.claims || shapes.pixels === undefined) return undefined;
  const choices = labelled.map((style) => choicesOf(style, { columns, facesOf }));
  return choices.every((one) => one !== undefined) ? choices : undefined;
}

function choicesOf({ mode, settings, rules }: RuleStyle, parts: KnownParts): LabelChoice[] | undefined {
  if (mode !== 'first' || settings.size) return undefined;
  const found: { rule: StyleRule; label: LabelChoice['label'] }[] = [];
  for (const rule of rules) {
    const [text, second] = rule.symbolizers.filter(isText);
    const label = text && labelOf(text, parts);
    if (second || (text && !label)) return undefined;
    found.push({ rule, label });
  }
  return withConditions(merged(found), parts.columns);
}

type Found = readonly { rule: StyleRule; label: LabelChoice['label'] }[];

/** Drops the rules directly before the unconditional rule that have the same label. */
function merged(found: Found): Found {
  const last = found.findIndex(({ rule }) => !rule.conditions.length);
  if (last < 0) return found;
  const same = JSON.stringify(found[last]!.label);
  let first = last;
  while (first > 0 && JSON.stringify(found[first - 1]!.label) === same) first--;
  return [...found.slice(0, first), found[last]!];
}

function withConditions(found: Found, columns: ReadonlyMap<string, ColumnKind>): LabelChoice[] | undefined {
  const choices: LabelChoice[] = [];
  for (const { rule, label } of found) {
    const terms = rule.conditions.map((condition) => comparison(condition, columns));
    if (rule.refused.length || !terms.every((term) => term !== undefined)) return undefined;
    choices.push(terms.length ? { when: { kind: 'and', terms }, label } : { label });
  }
  return choices;
}

function labelOf({ settings }: Symbolizer, { columns, facesOf }: KnownParts): LabelChoice['label'] {
  const attribute = (name: string) => settings.get(`text-${name}`)?.attribute;
  const isFixed = [...settings].every(([name, { attribute: value }]) =>
    plainProperties.has(name) ? name === 'text-name' || !value.columns.length : name === 'text',
  );
  const [column] = attribute('name')?.columns ?? [];
  const isPlain =
    isFixed &&
    column !== undefined &&
    attribute('name')!.text === `[${column}]` &&
    columns.get(column) === 'text' &&
    (attribute('placement')?.text ?? 'point') === 'point' &&
    ['true', 'false'].includes(attribute('allow-overlap')?.text ?? 'false');
  if (!isPlain) return undefined;
  const number = (name: string, initial: number): number => {
    const value = attribute(name);
    return value ? (value.number ?? Number.NaN) : initial;
  };
  const look: TextLook = {
    faces: facesOf(attribute('face-name')?.faces ?? []),
    size: number('size', 10),
    fill: attribute('fill')?.text ?? '#000000',
    opacity: number('opacity', 1),
    halo: {
      fill: attribute('halo-fill')?.text ?? '#ffffff',
      opacity: number('halo-opacity', 1),
      radius: number('halo-radius', 0),
    },
    dx: number('dx', 0),
    dy: number('dy', 0),
    allowOverlap: attribute('allow-overlap')?.text === 'true',
  };
  const numbers = [look.size, look.opacity, look.halo.opacity, look.halo.radius, look.dx, look.dy];
  return numbers.some(Number.isNaN) ? undefined : { column, look };
}
