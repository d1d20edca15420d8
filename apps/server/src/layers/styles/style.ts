import { type ColumnKind, checkLayerStyle, type StyleLayer, type StyleProblem } from '@cartulary/cartocss';
import { type Column, hasValues } from '@cartulary/columns';
import { ServiceError } from '@cartulary/errors';

type StyleColumn = Pick<Column, 'code' | 'type'>;

/** The columns of a layer for a style, by code. Styles read dates, JSON and files as text. */
export function styleLayer(code: string, columns: readonly StyleColumn[]): StyleLayer {
  const kinds = columns
    .filter(hasValues)
    .map(({ code: name, type }): [string, ColumnKind] => [
      name,
      type === 'number' ? 'number' : type === 'bool' ? 'boolean' : 'text',
    ]);
  return { code, classes: [], columns: new Map(kinds) };
}

/**
 * Checks a new style against the layer's code and columns. A layer without user columns accepts any column, because its data
 * will bring them. Throws `style_invalid` with every problem: line, column, expected token.
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

/**
 * Throws `style_invalid`, with the changed column, when the layer's current style could not be drawn with the columns
 * `after`.
 */
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

/** `columns`: those whose change breaks the style. */
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
