import type { ColumnKind, Stop } from './convert.js';
import { makeScope } from './evaluate.js';
import { knownFonts } from './fonts.js';
import { parseStyle } from './parse.js';
import { collectProblems, type StyleProblem } from './problems.js';
import { makeRules, type RuleStyle } from './rules.js';
import { flatten, type SelectorContext } from './selectors.js';
import type { Setting } from './settings.js';

/** The layer that a style belongs to. */
export interface StyleLayer {
  readonly code: string;
  /** What `.name` can select, such as the kind of the layer's geometry. */
  readonly classes: readonly string[];
  /** undefined: columns are not checked. */
  readonly columns: ReadonlyMap<string, ColumnKind> | undefined;
  /** The colours of an image of values where its style names none. */
  readonly stops?: readonly Stop[] | undefined;
}

export interface StyleOptions {
  /** Icon name → file: all files that a style can name. */
  readonly icons?: ReadonlyMap<string, string>;
  /** The names of the fonts that the renderer has; those of this process when absent. */
  readonly fonts?: readonly string[];
}

export interface CheckedStyle {
  readonly problems: StyleProblem[];
  /** Bottom to top; meaningful without problems only. */
  readonly styles: readonly RuleStyle[];
  /** The settings of Map{}. */
  readonly map: readonly Setting[];
}

const noIcons: ReadonlyMap<string, string> = new Map();

/** Reads a whole style: text → tree → settings → rules. Never throws; time and memory are bounded. */
export function readStyle(
  text: string,
  layer: StyleLayer | undefined,
  options: StyleOptions = {},
): CheckedStyle {
  const problems = collectProblems(text);
  const sheet = parseStyle(text, problems);
  const scope = makeScope(sheet, problems);
  const context: SelectorContext = {
    icons: options.icons ?? noIcons,
    fonts: options.fonts ?? knownFonts(),
    columns: layer?.columns,
    layer,
  };
  const { definitions, map } = flatten(sheet, scope, context);
  const styles = problems.count === 0 ? makeRules(definitions, problems) : [];
  return { problems: problems.list(), styles, map };
}

/** The mistakes of a layer's style, in the order of the text; at most 50. */
export const checkLayerStyle = (text: string, layer: StyleLayer, options?: StyleOptions): StyleProblem[] =>
  readStyle(text, layer, options).problems;

/** The mistakes of a map's style: Map{} and variables are all that it can hold. */
export const checkMapStyle = (text: string): StyleProblem[] => readStyle(text, undefined).problems;
