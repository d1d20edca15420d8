import { ServiceError } from '../errors.js';
import { type ColumnKind, checkLayerStyle, type StyleLayer, type StyleProblem } from '../styles/compile.js';
import type { Column } from './layers.js';

type StyleColumn = Pick<Column, 'code' | 'type'>;

/** The columns of a layer as a style sees them, by code: dates, JSON and files are read as text. */
export function styleLayer(code: string, columns: readonly StyleColumn[]): StyleLayer {
  const kinds = columns
    .filter(({ type }) => type !== 'geom' && type !== 'title')
    .map(({ code: name, type }): [string, ColumnKind] => [
      name,
      type === 'number' ? 'number' : type === 'bool' ? 'boolean' : 'text',
    ]);
  return { code, classes: [], columns: new Map(kinds) };
}

/**
 * Checks a new style against the layer's code and columns. A layer that has no columns of its own yet takes a style that
 * reads any: they come with its data. Throws `style_invalid` with every problem: line, column, what was expected.
 */
export function checkStyle(
  text: string,
  { code, columns }: { code: string; columns: readonly StyleColumn[] },
  icons: ReadonlyMap<string, string>,
): void {
  const layer = styleLayer(code, columns);
  const hasOwn = columns.some(({ code: name }) => name !== 'svc_id' && name !== 'geom');
  const problems = checkLayerStyle(text, hasOwn ? layer : { ...layer, columns: undefined }, { icons });
  if (problems.length) throw styleInvalid(problems);
}

interface StyledLayer {
  code: string;
  css_style: string;
  columns: readonly StyleColumn[];
}

/** Throws `style_invalid` when the layer's style, as it is, could not be drawn any more with the columns `after`, naming the one that is changed. */
export function keepStyle(
  layer: StyledLayer,
  after: readonly StyleColumn[],
  changed: string,
  icons: ReadonlyMap<string, string>,
): void {
  const problemsWith = (columns: readonly StyleColumn[]): StyleProblem[] =>
    checkLayerStyle(layer.css_style, styleLayer(layer.code, columns), { icons });
  const problems = problemsWith(after);
  if (!problems.length) return;
  const key = ({ line, column, message }: StyleProblem): string => `${line}:${column}:${message}`;
  const known = new Set(problemsWith(layer.columns).map(key));
  const fresh = problems.filter((problem) => !known.has(key(problem)));
  if (fresh.length) throw styleInvalid(fresh, [changed]);
}

/** `columns`: those whose change the style does not bear. */
function styleInvalid(problems: readonly StyleProblem[], columns?: string[]): ServiceError {
  const { line, column, message } = problems[0]!;
  const where = columns
    ? `The style of the layer reads the column '${columns[0]}'`
    : 'The style is not valid';
  return new ServiceError('style_invalid', `${where}: line ${line}, column ${column}: ${message}`, {
    ...(columns ? { columns } : {}),
    problems,
  });
}
