export { placeOfCharacter, problemAt, type TextPlace } from './problem.js';
export { type CheckedQuery, checkBuiltText, type Reference, readQuery } from './query.js';
