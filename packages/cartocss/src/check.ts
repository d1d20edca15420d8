import { makeRules, type RuleStyle } from './rules/rules.js';
import { flatten, type SelectorContext } from './rules/selectors.js';
import { parseStyle } from './syntax/parse.js';
import { collectProblems, type StyleProblem } from './syntax/problems.js';
import type { ColumnKind, Stop } from './values/convert.js';
import { makeScope } from './values/evaluate.js';
import { knownFonts } from './values/fonts.js';
import type { Setting } from './values/settings.js';

/** The layer of a style. */
export interface StyleLayer {
  readonly code: string;
  /** Classes for selectors `.name`, such as the kind of the layer's geometry. */
  readonly classes: readonly string[];
  /** undefined: columns are not checked. */
  readonly columns: ReadonlyMap<string, ColumnKind> | undefined;
  /** Default colours of a raster of values, for a style without stops. */
  readonly stops?: readonly Stop[] | undefined;
}

export interface StyleOptions {
  /** Icon name → file. A style can reference only these files. null: icons are not checked. */
  readonly icons?: ReadonlyMap<string, string> | null;
  /** Font names of the renderer. Absent: the fonts known to this process; null: fonts are not checked. */
  readonly fonts?: readonly string[] | null;
}

export interface CheckedStyle {
  readonly problems: StyleProblem[];
  /** Bottom to top. Valid only without problems. */
  readonly styles: readonly RuleStyle[];
  /** The settings of Map{}. */
  readonly map: readonly Setting[];
}

const noIcons: ReadonlyMap<string, string> = new Map();

/** Reads a style: text → tree → settings → rules. Never throws. Time and memory are bounded. */
export function readStyle(
  text: string,
  layer: StyleLayer | undefined,
  options: StyleOptions = {},
): CheckedStyle {
  const problems = collectProblems(text);
  const sheet = parseStyle(text, problems);
  const scope = makeScope(sheet, problems);
  const context: SelectorContext = {
    icons: options.icons === undefined ? noIcons : options.icons,
    fonts: options.fonts === undefined ? knownFonts() : options.fonts,
    columns: layer?.columns,
    layer,
  };
  const { definitions, map } = flatten(sheet, scope, context);
  const styles = problems.count === 0 ? makeRules(definitions, problems) : [];
  return { problems: problems.list(), styles, map };
}

/** The mistakes of a layer's style in the order of the text, at most 50. */
export const checkLayerStyle = (text: string, layer: StyleLayer, options?: StyleOptions): StyleProblem[] =>
  readStyle(text, layer, options).problems;
