import { textsHook } from '../../../common/texts/textsHook.js';
import { type AdministrationTexts, en } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of what administrators look after, in the chosen language. */
export const useAdministrationTexts = textsHook<AdministrationTexts>({ en, ru });
