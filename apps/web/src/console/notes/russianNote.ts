import { ru } from './notes.ru.js';
import { translateNote } from './translateNote.js';

/** A note or reason of an import in Russian; undefined if it is not of the catalogue. */
export const translatedNote = (text: string): string | undefined => translateNote(text, ru);
