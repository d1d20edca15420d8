import { textsHook } from '../../../common/texts/textsHook.js';
import { en, type QueryTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of queries in the chosen language. */
export const useQueryTexts = textsHook<QueryTexts>({ en, ru });
