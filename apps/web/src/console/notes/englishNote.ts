import { en } from './notes.en.js';
import { translateNote } from './translateNote.js';

/** A note or reason of an import in the words of the console; undefined if it is not of the catalogue. */
export const translatedNote = (text: string): string | undefined => translateNote(text, en);
