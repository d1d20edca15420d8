import { noteTemplates } from '@cartulary/errors/notes';
import { ru } from './notes.ru.js';
import { translator } from './translator.js';

/** A note or reason of an import in Russian; undefined if it is not of the catalogue. */
export const translatedNote = translator(noteTemplates, ru);
