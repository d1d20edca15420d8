import { type Expression, geometryType } from '../expressions/expression.js';
import { numbersOfTexts, withTexts } from '../expressions/number-texts.js';
import type { Condition } from '../rules/conditions.js';
import { comparison, type FilterTree } from '../rules/feature-filter.js';
import {
  type RuleStyle,
  type StyleRule,
  type Symbolizer,
  stylesAt,
  withSymbolizers,
} from '../rules/rules.js';
import type { ColumnKind } from '../values/convert.js';
import type { Setting } from '../values/settings.js';
import { claimOf, type MarkerClaim } from './marker-claim.js';
import { avoidsOthers, claimsPlace, paintReach } from './paint-reach.js';

/** The appearance of a label at a point. Lengths are pixels. */
export interface TextLook {
  /** Font names in order of preference; a glyph comes from the first font that has it. */
  readonly faces: readonly string[];
  /** Sizes in the order in which they are tried, each with all offsets. */
  readonly sizes: readonly number[];
  /** `#rrggbb` or `rgba(r, g, b, a)`. */
  readonly fill: string;
  readonly opacity: number;
  readonly halo: { readonly fill: string; readonly opacity: number; readonly radius: number };
  /** Offsets from the point in the order in which they are tried. */
  readonly offsets: readonly LabelOffset[];
  /** Distance from other labels. */
  readonly margin: number;
  /** Distance from labels with the same text. */
  readonly repeatDistance: number;
  /** Of labels along lines, which have one size and no offset. */
  readonly along?: AlongLook;
  /** Width from which a line is broken; 0: never. */
  readonly wrapWidth: number;
  /** Whether a line is broken before the word that exceeds the width, not after it. */
  readonly wrapBefore: boolean;
  readonly characterSpacing: number;
  readonly lineSpacing: number;
  readonly letters: LetterCase;
  readonly allowOverlap: boolean;
}

/** Letters as they are, or all of one case. */
export type LetterCase = 'none' | 'uppercase' | 'lowercase';

/** To the right and downwards; a label lies on that side of its point. */
export interface LabelOffset {
  readonly dx: number;
  readonly dy: number;
}

/** How labels lie along lines. */
export interface AlongLook {
  /** Distance between the labels of a line; 0: one label. */
  readonly spacing: number;
  /** How far from its middle a label is tried; 0: half of the spacing. */
  readonly tolerance: number;
  /** Most that a letter may be turned against the one before, radians; 0: any. */
  readonly maxTurn: number;
  /** Least length of a line that has labels. */
  readonly minLength: number;
}

/** The text of a label, its look, and where it lies: at a point, in the case of polygons one of these, or along lines. */
export interface PlainLabel {
  readonly text: LabelText;
  readonly look: TextLook;
  readonly place: 'centroid' | 'interior' | 'line';
}

/** The parts of a text: columns and constants; a column without a value is an empty part. */
export type LabelText = readonly ({ readonly column: string } | { readonly constant: string })[];

/** The label of features that meet `when` and no earlier choice, and the claim of their marker. */
export interface LabelChoice {
  /** Absent: all features meet it. */
  readonly when?: FilterTree;
  readonly label: PlainLabel | undefined;
  readonly claim?: MarkerClaim | undefined;
}

/** The styles without their labels and the markers that avoid others. Styles that only have these are omitted. */
export const withoutLabels = (styles: readonly RuleStyle[]): RuleStyle[] =>
  withSymbolizers(styles, (symbolizer) => !isLabel(symbolizer));

/** The styles without their texts. Styles that only have texts are omitted. */
export const withoutTexts = (styles: readonly RuleStyle[]): RuleStyle[] =>
  withSymbolizers(styles, (symbolizer) => !isText(symbolizer));

const isText = ({ name }: Symbolizer): boolean => name === 'text';

/** Whether it is drawn above the shapes, where it finds room. */
const isLabel = (symbolizer: Symbolizer): boolean => isText(symbolizer) || avoidsOthers(symbolizer);

const draws = ({ rules }: RuleStyle): boolean => rules.some(({ symbolizers }) => symbolizers.length > 0);

/** By the sign of an offset: on which side of its point a label lies by itself. */
const sides: Readonly<Record<string, { offset: string; names: readonly [string, string, string] }>> = {
  'text-vertical-alignment': { offset: 'dy', names: ['top', 'middle', 'bottom'] },
  'text-horizontal-alignment': { offset: 'dx', names: ['left', 'middle', 'right'] },
  'text-align': { offset: 'dx', names: ['', 'center', ''] },
};

/** Whether a property has the value that it would have by itself. */
function isUsual({ property, attribute: { form, text } }: Setting, read: LabelReader): boolean {
  if (form !== 'text') return false;
  if (property.plainLabels === 'default' && String(property.default) === text) return true;
  const side = sides[property.name];
  // Of several places each has a side of its own.
  if (!side || read.text('placement-type') === 'simple') return false;
  return side.names[1 + Math.sign(read.number(side.offset, 0))] === text;
}

/** The context of a style's labels. */
export interface LabelParts {
  /** undefined: the columns are unknown, so that labels may not read one. */
  columns: ReadonlyMap<string, ColumnKind> | undefined;
  /** The fonts of a label, with fallbacks. */
  facesOf(names: readonly string[]): readonly string[];
}

type KnownParts = LabelParts & { columns: ReadonlyMap<string, ColumnKind> };

/**
 * The labels and the markers at a zoom level, style by style from the bottom. Each label has one text style, and lies like a marker that
 * avoids others above all shapes of the layer; other markers are drawn wherever they lie. undefined: it is not that simple, or it is not known.
 */
export function plainLabelsAt(
  styles: readonly RuleStyle[],
  zoom: number,
  { columns = new Map(), facesOf }: LabelParts,
): LabelChoice[][] | undefined {
  const drawn = stylesAt(styles, zoom).filter(draws);
  const labelled = drawn.filter((style) => style.rules.some((rule) => rule.symbolizers.some(isLabel)));
  const lowest = drawn.findIndex((style) => labelled.includes(style));
  const areAbove = lowest < 0 || drawn.slice(lowest + 1).every((style) => !withoutLabels([style]).length);
  const markers = drawn
    .flatMap(({ rules }) => rules)
    .flatMap(({ symbolizers }) => symbolizers.filter(({ name }) => name === 'markers'));
  // Else an avoiding marker would lie above the others, in whatever order they are drawn.
  const areAlike = new Set(markers.map(avoidsOthers)).size <= 1;
  if (!areAbove || !areAlike || paintReach(withoutLabels(drawn), zoom).avoids) return undefined;
  const acting = drawn.filter((style) => style.rules.some((rule) => rule.symbolizers.some(acts)));
  const choices = acting.map((style) => choicesOf(style, { columns, facesOf }));
  const known = choices.filter((one) => one !== undefined);
  const alone = new Set(known.flat().flatMap(({ claim }) => claim?.marker?.key ?? []));
  return known.length === choices.length && alone.size <= maxMarkers ? known : undefined;
}

/** Different markers of a style beyond which Mapnik draws it: the renderer prepares each for the first picture. */
const maxMarkers = 64;

/** Whether it looks for room, or takes some. */
const acts = (symbolizer: Symbolizer): boolean => isLabel(symbolizer) || claimsPlace(symbolizer);

function choicesOf({ mode, settings, rules }: RuleStyle, parts: KnownParts): LabelChoice[] | undefined {
  if (mode !== 'first' || settings.size) return undefined;
  const found: FoundChoice[] = [];
  for (const rule of rules) {
    const acting = rule.symbolizers.filter(acts);
    const [text, secondText] = acting.filter(isText);
    const [marker, secondMarker] = acting.filter((one) => !isText(one));
    const label = text && labelOf(text, parts);
    const claim = marker && claimOf(marker, text !== undefined && acting[0] === text);
    const isKnown = (label || !text) && (claim || !marker) && !secondText && !secondMarker;
    const isSamePlace = !claim || !label || label.place === 'centroid';
    if (!isKnown || !isSamePlace) return undefined;
    found.push({ rule, drawn: { label, ...(claim ? { claim } : {}) } });
  }
  return withConditions(merged(found), parts.columns);
}

interface FoundChoice {
  rule: StyleRule;
  drawn: Omit<LabelChoice, 'when'>;
}
type Found = readonly FoundChoice[];

/** Drops the rules directly before the unconditional rule that draw the same. */
function merged(found: Found): Found {
  const last = found.findIndex(({ rule }) => !rule.conditions.length);
  if (last < 0) return found;
  const same = JSON.stringify(found[last]!.drawn);
  let first = last;
  while (first > 0 && JSON.stringify(found[first - 1]!.drawn) === same) first--;
  return [...found.slice(0, first), found[last]!];
}

function withConditions(found: Found, columns: ReadonlyMap<string, ColumnKind>): LabelChoice[] | undefined {
  const choices: LabelChoice[] = [];
  for (const { rule, drawn } of found) {
    const terms = rule.conditions.map((condition) => termOf(condition, columns));
    if (rule.refused.length || !terms.every((term) => term !== undefined)) return undefined;
    choices.push(terms.length ? { when: { kind: 'and', terms }, ...drawn } : drawn);
  }
  return choices;
}

/** Types of geometry by Mapnik's numbers. */
const geometryTypes: Readonly<Record<number, readonly string[]>> = {
  1: ['POINT', 'MULTIPOINT'],
  2: ['LINESTRING', 'MULTILINESTRING'],
  3: ['POLYGON', 'MULTIPOLYGON'],
  4: ['GEOMETRYCOLLECTION'],
};

/** A condition as a term, in which the column `geometryType` has the name of the type; undefined: the results may differ. */
function termOf(condition: Condition, columns: ReadonlyMap<string, ColumnKind>): FilterTree | undefined {
  const { key, op, constant } = condition;
  if (key !== `[${geometryType}]`) return comparison(condition, columns);
  const values = op === '=' && typeof constant === 'number' ? geometryTypes[constant] : undefined;
  return values && { kind: 'in', column: geometryType, values };
}

/** Reads the constant values of a label's properties. */
interface LabelReader {
  text(name: string): string | undefined;
  /** NaN where it is no constant. */
  number(name: string, initial: number): number;
  /** undefined where it is no constant. */
  flag(name: string): boolean | undefined;
}

function readerOf({ settings }: Symbolizer): LabelReader {
  const attribute = (name: string) => settings.get(`text-${name}`)?.attribute;
  return {
    text: (name) => attribute(name)?.text,
    number: (name, initial) => {
      const value = attribute(name);
      return value ? (value.number ?? Number.NaN) : initial;
    },
    flag: (name) => ({ true: true, false: false })[attribute(name)?.text ?? 'false'],
  };
}

function labelOf(symbolizer: Symbolizer, { columns, facesOf }: KnownParts): LabelChoice['label'] {
  const { settings } = symbolizer;
  const read = readerOf(symbolizer);
  const isFixed = [...settings.values()].every((setting) =>
    setting.property.plainLabels === 'any'
      ? setting.property.name === 'text-name' || !setting.attribute.columns.length
      : isUsual(setting, read),
  );
  const { expression } = settings.get('text-name')?.attribute ?? {};
  const text = expression && textOf(withTexts(expression, columns), columns);
  const place = places[read.text('placement') ?? 'point'];
  if (!isFixed || !text?.some((part) => 'column' in part) || text.length > maxParts || !place)
    return undefined;
  const look = lookOf(read, facesOf(settings.get('text-face-name')?.attribute.faces ?? []));
  if (!look || place !== 'line') return look && { text, look, place };
  const along = alongOf(read, look);
  return along && { text, look: { ...look, along }, place };
}

/** Parts of a text beyond which Mapnik joins them: a function of PostgreSQL takes 100 arguments. */
const maxParts = 100;

/** The parts of an expression that joins texts; undefined: it does more. */
function textOf(e: Expression, columns: KnownParts['columns']): LabelText | undefined {
  if (e.kind === 'text') return [{ constant: e.value }];
  if (e.kind === 'column') {
    const isText = numbersOfTexts(e.name) !== undefined || columns.get(e.name) === 'text';
    return isText ? [{ column: e.name }] : undefined;
  }
  if (e.kind !== 'binary' || e.op !== '+') return undefined;
  const [left, right] = [textOf(e.left, columns), textOf(e.right, columns)];
  return left && right && [...left, ...right];
}

/** Mapnik's default for the turn of a letter against the one before, degrees. */
const usualTurn = 22.5;

/** undefined: a value is not constant, or the label lies beside its line. */
function alongOf(read: LabelReader, { sizes, offsets }: TextLook): AlongLook | undefined {
  const [first] = offsets;
  const along = {
    spacing: read.number('spacing', 0),
    tolerance: read.number('label-position-tolerance', 0),
    maxTurn: (read.number('max-char-angle-delta', usualTurn) * Math.PI) / 180,
    minLength: read.number('min-path-length', 0),
  };
  const isOnLine = offsets.length === 1 && sizes.length === 1 && first!.dx === 0 && first!.dy === 0;
  const isLevel = read.number('wrap-width', 0) !== 0;
  return isOnLine && !isLevel && !Object.values(along).some(Number.isNaN) ? along : undefined;
}

const places: Readonly<Record<string, PlainLabel['place']>> = {
  point: 'centroid',
  interior: 'interior',
  line: 'line',
};

/** undefined: a value is not constant, or no place is tried. */
function lookOf(read: LabelReader, faces: readonly string[]): TextLook | undefined {
  const [allowOverlap, wrapBefore] = [read.flag('allow-overlap'), read.flag('wrap-before')];
  const [margin, repeat, least] = [
    read.number('margin', 0),
    read.number('repeat-distance', 0),
    read.number('min-distance', 0),
  ];
  const isAlong = read.text('placement') === 'line';
  const numbers = {
    size: read.number('size', 10),
    opacity: read.number('opacity', 1),
    haloOpacity: read.number('halo-opacity', 1),
    haloRadius: read.number('halo-radius', 0),
    dx: read.number('dx', 0),
    dy: read.number('dy', 0),
    // The least distance is one from all labels, or along lines from those with the same text.
    margin: margin === 0 && !isAlong ? least : margin,
    repeatDistance: repeat === 0 && isAlong ? least : repeat,
    wrapWidth: read.number('wrap-width', 0),
    characterSpacing: read.number('character-spacing', 0),
    lineSpacing: read.number('line-spacing', 0),
  };
  const letters = letterCases[read.text('transform') ?? 'none'];
  const isConstant = allowOverlap !== undefined && wrapBefore !== undefined;
  if (!isConstant || !letters || Object.values(numbers).some(Number.isNaN)) return undefined;
  const { size, opacity, haloOpacity, haloRadius, dx, dy, ...lengths } = numbers;
  const tried = read.text('placement-type') === 'simple' ? read.text('placements') : undefined;
  const { directions, smallerSizes } = placementsOf(tried ?? 'X');
  if (!directions.length) return undefined;
  return {
    faces,
    sizes: [size, ...smallerSizes],
    fill: read.text('fill') ?? '#000000',
    opacity,
    halo: { fill: read.text('halo-fill') ?? '#ffffff', opacity: haloOpacity, radius: haloRadius },
    offsets: directions.map((direction) => offsetTo(direction, { dx, dy })),
    ...lengths,
    letters,
    wrapBefore,
    allowOverlap,
  };
}

const letterCases: Readonly<Record<string, LetterCase>> = {
  none: 'none',
  uppercase: 'uppercase',
  lowercase: 'lowercase',
};

/** The directions and the further sizes of `text-placements`, such as `N,S,8`. */
function placementsOf(placements: string): { directions: string[]; smallerSizes: number[] } {
  const parts = placements.split(',').map((part) => part.trim());
  const isSize = (part: string): boolean => /^\d/.test(part);
  return {
    directions: parts.filter((part) => !isSize(part)),
    // Mapnik keeps whole sizes.
    smallerSizes: parts.filter(isSize).map((part) => Math.trunc(Number(part))),
  };
}

/** The offset in a direction of the compass; `X`: the offset itself. */
function offsetTo(direction: string, { dx, dy }: LabelOffset): LabelOffset {
  if (direction === 'X') return { dx, dy };
  const along = (positive: string, negative: string, length: number): number =>
    direction.includes(positive) ? Math.abs(length) : direction.includes(negative) ? -Math.abs(length) : 0;
  return { dx: along('E', 'W', dx), dy: along('S', 'N', dy) };
}
