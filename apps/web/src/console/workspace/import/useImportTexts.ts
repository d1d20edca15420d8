import { textsHook } from '../../../common/texts/textsHook.js';
import { en, type ImportTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of the import in the chosen language. */
export const useImportTexts = textsHook<ImportTexts>({ en, ru });
