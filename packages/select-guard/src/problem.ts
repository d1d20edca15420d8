import { ServiceError } from '@cartulary/errors';

/** A place in a text: `position` in characters from 0, `line` and `column` from 1. */
export interface TextPlace {
  position: number;
  line: number;
  column: number;
}

/** The place of a byte offset of a text in UTF-8. */
export const placeAt = (text: string, byte: number): TextPlace =>
  placeOfCharacter(text, [...Buffer.from(text).subarray(0, byte).toString()].length);

/** The place of a character. Characters are code points, as in the database. */
export function placeOfCharacter(text: string, position: number): TextPlace {
  const before = [...text].slice(0, position).join('');
  const line = before.split('\n').length;
  return { position, line, column: [...before.slice(before.lastIndexOf('\n') + 1)].length + 1 };
}

/** `query_invalid` at a byte offset of the text, with the place in its message and in `data`. */
export const queryProblem = (text: string, byte: number, message: string): ServiceError =>
  problemAt(placeAt(text, byte), message);

/** `query_invalid` at a place, with it in the message and in `data`: position (characters from 0), line and column (from 1). */
export const problemAt = (place: TextPlace, message: string): ServiceError =>
  new ServiceError(
    'query_invalid',
    `The query is not valid: line ${place.line}, column ${place.column}: ${message}`,
    {
      ...place,
      problem: message,
    },
  );
