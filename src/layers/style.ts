import { ServiceError } from '../errors.js';
import { type ColumnKind, checkLayerStyle, type StyleLayer } from '../styles/compile.js';
import type { Column } from './layers.js';

/** The columns of a layer as a style sees them, by code: dates, JSON and files are read as text. */
export function styleLayer(code: string, columns: readonly Pick<Column, 'code' | 'type'>[]): StyleLayer {
  const kinds = columns
    .filter(({ type }) => type !== 'geom' && type !== 'title')
    .map(({ code: name, type }): [string, ColumnKind] => [
      name,
      type === 'number' ? 'number' : type === 'bool' ? 'boolean' : 'text',
    ]);
  return { code, classes: [], columns: new Map(kinds) };
}

/** Checks a layer's style against its code and columns. Throws `style_invalid` with every problem: line, column, what was expected. */
export function checkStyle(text: string, layer: StyleLayer): void {
  const problems = checkLayerStyle(text, layer);
  const [first] = problems;
  if (first)
    throw new ServiceError('style_invalid', `Line ${first.line}, column ${first.column}: ${first.message}`, {
      problems,
    });
}
