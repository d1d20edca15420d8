import { ServiceError } from '../errors.js';

/** A place in a text: characters from its beginning, and the line and column that a person counts, from 1. */
export interface Place {
  position: number;
  line: number;
  column: number;
}

/** The place of a byte of a text in UTF-8. */
export const placeAt = (text: string, byte: number): Place =>
  placeOfCharacter(text, [...Buffer.from(text).subarray(0, byte).toString()].length);

/** The place of a character, which are counted as code points, as the database does. */
export function placeOfCharacter(text: string, position: number): Place {
  const before = [...text].slice(0, position).join('');
  const line = before.split('\n').length;
  return { position, line, column: [...before.slice(before.lastIndexOf('\n') + 1)].length + 1 };
}

/** `query_invalid` that says what is wrong and where: `data` holds position (characters from 0), line and column (from 1). */
export const queryProblem = (text: string, byte: number, what: string): ServiceError =>
  problemAt(placeAt(text, byte), what);

export const problemAt = (place: Place, what: string): ServiceError =>
  new ServiceError(
    'query_invalid',
    `The query is not valid: line ${place.line}, column ${place.column}: ${what}`,
    {
      ...place,
      problem: what,
    },
  );
