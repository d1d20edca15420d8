import { textsHook } from '../../common/texts/textsHook.js';
import { en, type RightsTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of sharing and rights in the chosen language. */
export const useRightsTexts = textsHook<RightsTexts>({ en, ru });
