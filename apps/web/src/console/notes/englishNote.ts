import { noteTemplates } from '@cartulary/errors/notes';
import { en } from './notes.en.js';
import { translator } from './translator.js';

/** A note or reason of an import in the words of the console; undefined if it is not of the catalogue. */
export const translatedNote = translator(noteTemplates, en);
