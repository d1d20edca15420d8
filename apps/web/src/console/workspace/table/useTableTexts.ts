import { textsHook } from '../../../common/texts/textsHook.js';
import { en, type TableTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of the table in the chosen language. */
export const useTableTexts = textsHook<TableTexts>({ en, ru });
