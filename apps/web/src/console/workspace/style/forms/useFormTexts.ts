import { textsHook } from '../../../../common/texts/textsHook.js';
import { en, type FormTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of the forms in the chosen language. */
export const useFormTexts = textsHook<FormTexts>({ en, ru });
